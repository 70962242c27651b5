/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts calls by function. */
#include "seen.h"

#include <stdlib.h>

#include <symbol/naming.h>

/* What compilers call at the entry of a function. */
static const char *const hooks[] = {"__cyg_profile_func_enter",
                                    "__gnu_mcount_nc",
                                    "_mcount",
                                    "mcount",
                                    "__fentry__",
                                    "mprof_patched_entry",
                                    NULL};

bool seen_begin(struct seen *seen, struct symtab *symtab)
{
    *seen = (struct seen){.symtab = symtab};
    seen->functions = symtab_functions(symtab, &seen->count);
    seen->calls = calloc(seen->count + 1, sizeof(*seen->calls));
    seen->seen = calloc(seen->count + 1, sizeof(*seen->seen));
    return seen->calls && seen->seen;
}

void seen_free(struct seen *seen)
{
    free(seen->calls);
    free(seen->seen);
    *seen = (struct seen){.calls = NULL};
}

/* Its index; the number of functions if it is none of this file. */
static size_t index_of(const struct seen *s, uint64_t addr)
{
    const struct symtab_function *f = symtab_find(s->symtab, symtab_place(s->symtab, addr));

    for (size_t low = 0, high = s->count; f && low < high;) {
        size_t middle = low + (high - low) / 2;
        if (s->functions[middle].addr == f->addr)
            return middle;
        if (s->functions[middle].addr < f->addr)
            low = middle + 1;
        else
            high = middle;
    }
    return s->count;
}

void seen_add(struct seen *seen, uint64_t addr, uint64_t calls)
{
    size_t i = index_of(seen, addr);

    seen->calls[i] += calls;
    seen->seen[i] |= calls != 0;
}

void seen_ran(struct seen *seen, uint64_t addr)
{
    seen->seen[index_of(seen, addr)] = true;
}

void seen_profile(struct seen *seen, const struct profile *profile, uint64_t bias)
{
    for (size_t i = 0; i < profile->row_count; i++) {
        const struct profile_hit *hit = &profile->rows[i];
        seen_add(seen, hit->addr - bias, hit->hits);
        if (hit->caller != 0 && hit->hits != 0)
            seen_ran(seen, naming_call(hit->caller - bias));
    }
}

static bool add(const struct seen *s, size_t i, struct coverage *c)
{
    const struct symtab_function *f = &s->functions[i];
    struct symtab_line start = {.file = NULL};

    (void)symtab_find_line(s->symtab, f->addr, &start);
    uint64_t count = s->calls[i] ? s->calls[i] : s->seen[i];
    return coverage_add_function(c, start.file, start.line, f->name, count);
}

/* What makes sense only with the hook: nothing can be said of other functions. */
static bool add_hooked(const struct seen *s, const struct sites *sites, struct coverage *c)
{
    size_t hooked = 0;

    for (size_t i = 0; i < s->count; i++) {
        while (hooked < sites->count && sites->all[hooked].function < i)
            hooked++;
        bool has = sites->count == 0 || s->seen[i] ||
                   (hooked < sites->count && sites->all[hooked].function == i);
        if (has && !add(s, i, c))
            return false;
    }
    return true;
}

bool seen_end(struct seen *seen, struct coverage_report *report)
{
    struct sites sites = {.all = NULL};

    report->c->counts = COVERAGE_SEEN;
    bool done = sites_find(seen->symtab, hooks, &sites) && add_hooked(seen, &sites, report->c);
    report->unhooked = sites.count == 0;
    sites_free(&sites);
    return done;
}
