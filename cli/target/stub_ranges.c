/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and addresses become ranges, and those are written. */
#include "stub_ranges.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/say.h>
#include <load/near_names.h>
#include <ranking/ignore.h>
#include <target/stub_control.h>

struct range {
    uint64_t start, end;
};

struct ranges {
    struct range *all;
    size_t count, capacity; /* of the filter */
};

static bool add_range(struct ranges *r, uint64_t start, uint64_t end)
{
    if (r->count > 0 && r->all[r->count - 1].end == start) {
        r->all[r->count - 1].end = end;
        return true;
    }
    if (r->count == r->capacity)
        return false;
    r->all[r->count++] = (struct range){.start = start, .end = end};
    return true;
}

/* Functions next to each other make one range. They are at alias->from as they are at alias->to. */
static bool add_functions(const struct symtab *symtab, const struct symtab_alias *alias,
                          const char *glob, struct ranges *r, size_t *found)
{
    uint64_t shift = alias->from - alias->to;
    size_t count;
    const struct symtab_function *functions = symtab_functions(symtab, &count);

    for (size_t i = 0; i < count; i++) {
        const struct symtab_function *f = &functions[i];
        if (fnmatch(glob, f->name, 0) != 0 && (!f->symbol || fnmatch(glob, f->symbol, 0) != 0))
            continue;
        if (f->addr - alias->to >= alias->size)
            continue;
        ++*found;
        if (!add_range(r, f->addr + shift, f->addr + shift + (f->size ? f->size : 2)))
            return false;
    }
    return true;
}

/* Of all images, wherever the target reports them. */
static bool add_everywhere(const struct symtab *symtab, const char *glob, struct ranges *r,
                           size_t *found)
{
    const struct symtab_alias own = {.size = UINT64_MAX};
    size_t aliases;
    const struct symtab_alias *all = symtab_aliases(symtab, &aliases);

    for (size_t i = 0; i < symtab_part_count(symtab); i++) {
        const struct symtab *part = symtab_part(symtab, i);
        bool fits = !symtab_part_is_used(symtab, i) || add_functions(part, &own, glob, r, found);
        for (size_t a = 0; fits && a < aliases && symtab_part_is_used(symtab, i); a++)
            fits = add_functions(part, &all[a], glob, r, found);
        if (!fits)
            return false;
    }
    return true;
}

static int fail_room(const struct ranges *r)
{
    complain("too many: the stub can ignore %zu ranges; build it with a larger MPROF_IGNORE_CNT",
             r->capacity);
    return STATUS_FAILED;
}

static int add_rule(struct control *c, const struct view_ignore_rule *rule, struct ranges *r)
{
    unsigned bits = 8 * c->objects[0].header->addr_size;
    char hint[NEAREST_HINT];
    struct nearest nearest;
    size_t found = 0;

    if (!rule->glob[0] && bits < 64 && rule->last >> bits != 0) {
        complain("0x%" PRIx64 " is not an address of %u bits", rule->last, bits);
        return STATUS_FAILED;
    }
    bool fits = rule->glob[0] ? add_everywhere(c->session->elf.symtab, rule->glob, r, &found)
                              : add_range(r, rule->first, rule->last + 1);

    if (!fits)
        return fail_room(r);
    if (rule->glob[0] && found == 0) {
        nearest_begin(&nearest, rule->glob, strlen(rule->glob));
        near_functions(&nearest, c->session->elf.symtab);
        complain("%s has no function named '%s'%s", c->session->elf.path, rule->glob,
                 nearest_hint(&nearest, "", hint, sizeof(hint)));
        return STATUS_FAILED;
    }
    return STATUS_DONE;
}

static int write_ranges(struct control *c, const struct ranges *r)
{
    int status = STATUS_DONE;

    for (size_t i = 0; i < c->count; i++) {
        for (size_t n = 0; status == STATUS_DONE && n < r->capacity; n++) {
            struct range range = n < r->count ? r->all[n] : (struct range){0};
            struct control_write writes[CONTROL_RANGE_WRITES];
            control_range(c->objects[i].header, n, range.start, range.end, writes);
            status = stub_write(c, c->objects[i].header, writes, CONTROL_RANGE_WRITES);
        }
    }
    return status;
}

static int take_rules(struct control *c, char **words, struct ranges *r)
{
    static struct view_ignore rules;
    char text[300];

    if (strcmp(words[0], "none") == 0 && !words[1])
        return STATUS_DONE;
    rules.count = 0;
    for (; words[0]; words++) {
        if (!view_ignore_parse(words[0], &rules, text, sizeof(text))) {
            complain("control ignore: %s", text);
            return STATUS_USAGE;
        }
    }
    int status = STATUS_DONE;
    for (size_t i = 0; status == STATUS_DONE && i < rules.count; i++)
        status = add_rule(c, &rules.rules[i], r);
    return status;
}

static int fail_filter(void)
{
    return fail("this firmware's stub cannot ignore: build it with MPROF_IGNORE_CNT 4, or hide "
                "rows with 'mprof top --ignore'");
}

int stub_ignore(struct control *control, char **words)
{
    struct ranges r = {.capacity = control->objects[0].header->blocks[DECODE_FILTER].count};

    if (r.capacity == 0)
        return fail_filter();
    r.all = calloc(r.capacity, sizeof(*r.all));
    if (!r.all)
        return fail("out of memory");
    int status = take_rules(control, words, &r);
    if (status == STATUS_DONE)
        status = write_ranges(control, &r);
    free(r.all);
    return status;
}

int control_ignore_also(struct session *session, uint64_t start, uint64_t end)
{
    struct control c = {.session = session};
    int status = stub_look_to_change(&c, "ignore");

    if (status != STATUS_DONE)
        return status;
    struct ranges r = {.capacity = c.objects[0].header->blocks[DECODE_FILTER].count};
    if (r.capacity == 0)
        return fail_filter();
    r.all = calloc(r.capacity, sizeof(*r.all));
    if (!r.all)
        return fail("out of memory");
    bool fits = true;
    for (size_t i = 0; fits && i < r.capacity; i++) {
        uint64_t from, to;
        if (decode_range(c.objects[0].bytes, c.objects[0].header, i, &from, &to))
            fits = add_range(&r, from, to);
    }
    status = fits && add_range(&r, start, end) ? write_ranges(&c, &r) : fail_room(&r);
    free(r.all);
    return status;
}
