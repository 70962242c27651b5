/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the instructions of straight code. */
#include <hooks/outside.h>

#include <elf.h>
#include <string.h>

#include <model/flow.h>

#define ENTRY_HOOK "__cyg_profile_func_enter"
#define EXIT_HOOK  "__cyg_profile_func_exit"
#define PROBE      "mprof_probe"

/* Longer code is not followed, instructions. */
#define COUNT_MAX 2000

/* The most that exits of a function may differ, instructions. */
#define DIFFER_MAX 4

struct code {
    const struct symtab *symtab;
    const struct symtab_elf *machine;
    const uint8_t *bytes; /* len of them */
    size_t len;
    uint64_t addr;
};

static bool goes_to(const struct code *c, const struct flow *flow, const char *hook)
{
    bool goes = flow->kind == FLOW_CALL || flow->kind == FLOW_JUMP;
    const struct symtab_function *to = goes ? symtab_find(c->symtab, flow->target) : NULL;

    return to && to->addr == flow->target && strcmp(to->symbol ? to->symbol : to->name, hook) == 0;
}

/* IT of Thumb: what follows may not be executed. */
static bool is_condition(const struct code *c, size_t at)
{
    return c->machine->machine == EM_ARM && c->bytes[at + 1] == 0xbf && (c->bytes[at] & 0xf) != 0;
}

/* Counts the instructions from a place on up to a call or a return, which becomes *end. Returns
 * false if something branches before. */
static bool count_straight(const struct code *c, size_t at, struct flow *end, int *count)
{
    *count = 0;
    while (*count < COUNT_MAX && at < c->len) {
        if (!flow_decode(c->machine, c->bytes + at, c->len - at, c->addr + at, end) ||
            is_condition(c, at) || end->maybe)
            return false;
        *count += end->len > 4 ? 2 : 1; /* a pair that is one call or jump */
        if (end->kind == FLOW_CALL || end->kind == FLOW_BREAK)
            return true;
        at = end->kind == FLOW_JUMP ? (size_t)(end->target - c->addr) : at + end->len;
    }
    return false;
}

static bool count_entry(const struct code *c, int *count)
{
    struct flow end;

    return count_straight(c, 0, &end, count) && end.kind == FLOW_CALL &&
           goes_to(c, &end, ENTRY_HOOK);
}

/* What is executed after the hook of an exit at a place, < 0: there is none. A hook after which
 * another one is called is that of a function that was inlined. */
static int count_after(const struct code *c, size_t at)
{
    struct flow hook, end;
    int count;

    if (!flow_decode(c->machine, c->bytes + at, c->len - at, c->addr + at, &hook) ||
        !goes_to(c, &hook, EXIT_HOOK) || hook.maybe)
        return -1;
    if (hook.kind == FLOW_JUMP) /* it returns to where the function would */
        return 0;
    return count_straight(c, at + hook.len, &end, &count) && end.kind == FLOW_BREAK ? count : -1;
}

static bool count_exit(const struct code *c, int *count)
{
    int least = COUNT_MAX, most = -1;

    for (size_t at = 0; at < c->len; at += 2) {
        int after = count_after(c, at);
        least = after >= 0 && after < least ? after : least;
        most = after > most ? after : most;
    }
    *count = (least + most) / 2;
    return most >= 0 && most - least <= DIFFER_MAX;
}

bool outside_count(const struct symtab *symtab, const struct symtab_function *function,
                   int *instructions)
{
    struct code c = {.symtab = symtab, .addr = function->addr};
    int before, after;

    c.machine = symtab_elf(symtab_owner(symtab, function->addr));
    c.bytes = symtab_constant(symtab, function->addr, &c.len);
    if (!c.bytes || !flow_is_complete(c.machine))
        return false;
    c.len = c.len < function->size ? c.len : (size_t)function->size;
    if (!count_entry(&c, &before) || !count_exit(&c, &after))
        return false;
    *instructions = before + after;
    return true;
}

bool outside_of_probe(const struct symtab *symtab, int *instructions)
{
    size_t count;
    const struct symtab_function *all = symtab_functions(symtab, &count);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].name, PROBE) == 0)
            return outside_count(symtab, &all[i], instructions);
    }
    return false;
}
