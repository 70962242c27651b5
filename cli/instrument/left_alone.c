/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the hook runs, found by following its code. */
#include "left_alone.h"

#include <stdlib.h>
#include <string.h>

struct marking {
    struct left_alone *functions;
    size_t count;
    const char *why;
    size_t
        *found; /* indexes of functions whose code is still to be followed; as many as there are */
    size_t found_count;
};

/* Returns the function whose first byte is at addr; NULL: there is none. */
static struct left_alone *starting_at(const struct marking *m, uint64_t addr)
{
    size_t low = 0, high = m->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->functions[middle].function->addr < addr)
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low < m->count && m->functions[low].function->addr == addr;
    return there ? &m->functions[low] : NULL;
}

static void mark(void *marking, uint64_t addr)
{
    struct marking *m = marking;
    struct left_alone *f = starting_at(m, addr);

    if (!f || f->why)
        return;
    f->why = m->why;
    m->found[m->found_count++] = (size_t)(f - m->functions);
}

static bool begins_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

static const char *symbol_of(const struct symtab_function *f)
{
    return f->symbol ? f->symbol : f->name;
}

/* What the hook runs although it may not call it by its address. */
static bool is_part_of_hook(const struct symtab_function *f)
{
    const char *name = symbol_of(f);

    return begins_with(name, "mprof_call") || begins_with(name, "mprof_hook") ||
           begins_with(name, "mprof_patched") || begins_with(name, "mprof_return");
}

static bool is_of_stub(const struct symtab_function *f)
{
    static const char *const hooks[] = {"mcount",
                                        "_mcount",
                                        "__fentry__",
                                        "__gnu_mcount_nc",
                                        "__cyg_profile_func_enter",
                                        "__cyg_profile_func_exit"};
    const char *name = symbol_of(f);

    for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++) {
        if (strcmp(name, hooks[i]) == 0)
            return true;
    }
    return begins_with(name, "mprof_");
}

bool left_alone_mark(const struct site_machine *machine, uint64_t hook,
                     struct left_alone *functions, size_t count)
{
    struct marking m = {.functions = functions, .count = count, .why = "runs in the hook"};
    const struct site_taker taker = {.take = mark, .context = &m};

    m.found = malloc((count + 1) * sizeof(*m.found));
    if (!m.found)
        return false;
    mark(&m, hook);
    for (size_t i = 0; i < count; i++) {
        if (is_part_of_hook(functions[i].function))
            mark(&m, functions[i].function->addr);
    }
    for (size_t i = 0; i < m.found_count; i++)
        machine->references(&functions[m.found[i]].code, &taker);
    m.found_count = 0;
    m.why = "handles traps (set in mtvec)";
    for (size_t i = 0; i < count && machine->handlers; i++)
        machine->handlers(&functions[i].code, &taker);
    free(m.found);
    for (size_t i = 0; i < count; i++) {
        if (!functions[i].why && is_of_stub(functions[i].function))
            functions[i].why = "is of the stub";
    }
    return true;
}
