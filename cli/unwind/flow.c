/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes all ways through a function. */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

/* Larger functions are not followed, bytes. */
#define FUNCTION_MAX ((size_t)64 << 10)

/* Instructions that are followed for one question. */
#define STEPS_MAX 40000

/* Ways that are still to be gone. */
#define WAYS_MAX 256

/* Where the stack ends and the return address is: what must not depend on the way. */
struct summary {
    bool found;
    unsigned cfa_register;
    int64_t cfa_offset;
    struct rule ra;
};

struct flow {
    const struct flow_place *place;
    unsigned steps;
    struct flow_state *ways; /* WAYS_MAX of them */
    size_t way_count;
    /* For each two bytes of the function: what was known there, as a number that is not 0; and
     * whether another way knew something else. */
    uint32_t *known;
    bool *twice;
    bool overflowed;
    struct flow_state dispatch, found;
    bool has_dispatch, has_found, differs;
};

struct flow *flow_new(void)
{
    struct flow *f = calloc(1, sizeof(*f));

    if (!f)
        return NULL;
    f->ways = malloc(WAYS_MAX * sizeof(*f->ways));
    f->known = malloc(FUNCTION_MAX / 2 * sizeof(*f->known));
    f->twice = malloc(FUNCTION_MAX / 2 * sizeof(*f->twice));
    if (f->ways && f->known && f->twice)
        return f;
    flow_free(f);
    return NULL;
}

void flow_free(struct flow *flow)
{
    if (!flow)
        return;
    free(flow->ways);
    free(flow->known);
    free(flow->twice);
    free(flow);
}

/* Whether a slot is in the stack, and not below it, where interrupts overwrite it. */
static bool is_kept(const struct flow *f, const struct flow_state *s, int32_t offset)
{
    const struct value *sp = &s->registers[f->place->machine->sp];

    return sp->kind != VALUE_CFA || offset >= sp->offset;
}

/* Where a value is in the stack. */
static struct rule slot_rule(const struct flow *f, const struct flow_state *s, enum value_kind kind,
                             unsigned number)
{
    for (unsigned i = 0; i < s->slot_count; i++) {
        const struct flow_slot *slot = &s->slots[i];
        if (slot->value.kind == kind && slot->value.number == number && is_kept(f, s, slot->offset))
            return (struct rule){.kind = RULE_AT, .offset = slot->offset};
    }
    return (struct rule){.kind = RULE_UNDEFINED};
}

/* Where the value that a register had at the entry is. */
static struct rule entry_rule(const struct flow *f, const struct flow_state *s, unsigned number)
{
    const struct value *own = &s->registers[number];

    if (own->kind == VALUE_ENTRY && own->number == number)
        return (struct rule){.kind = RULE_SAME};
    return slot_rule(f, s, VALUE_ENTRY, number);
}

/* The return address is in the stack if it was saved, although its register may still have it: so
 * it does not depend on the way. Else it may be in any register, as before "bx r1". */
static struct rule return_rule(const struct flow *f, const struct flow_state *s, unsigned ra)
{
    struct rule rule = slot_rule(f, s, VALUE_ENTRY, ra);

    if (rule.kind == RULE_AT)
        return rule;
    rule = entry_rule(f, s, ra);
    for (unsigned i = 0; i < FLOW_REGISTERS && rule.kind == RULE_UNDEFINED; i++) {
        const struct value *v = &s->registers[i];
        if (v->kind == VALUE_ENTRY && v->number == ra)
            rule = (struct rule){.kind = RULE_REGISTER, .offset = i};
    }
    return rule;
}

static struct summary summarize(const struct flow *f, const struct flow_state *s)
{
    const struct machine *m = f->place->machine;
    struct summary summary = {.cfa_register = m->sp, .ra = return_rule(f, s, m->ra)};

    for (unsigned i = 0; i < FLOW_REGISTERS; i++) {
        unsigned n = i == 0 ? m->sp : i; /* the stack pointer first */
        if (summary.found || s->registers[n].kind != VALUE_CFA)
            continue;
        summary.found = true;
        summary.cfa_register = n;
        summary.cfa_offset = -(int64_t)s->registers[n].offset;
    }
    return summary;
}

/* A number that differs if the summary does, and is not 0. */
static uint32_t number_of(const struct summary *s)
{
    uint32_t n = s->found ? 3 : 1;

    n = n * 31 + s->cfa_register;
    n = n * 65599 + (uint32_t)s->cfa_offset;
    n = n * 31 + s->ra.kind;
    n = n * 65599 + (uint32_t)s->ra.offset;
    return n | 1;
}

static void push_way(struct flow *f, const struct flow_state *state, size_t at)
{
    if (f->way_count == WAYS_MAX) {
        f->overflowed = true;
        return;
    }
    f->ways[f->way_count] = *state;
    f->ways[f->way_count++].at = at;
}

static void push_target(struct flow *f, const struct flow_state *state, uint64_t target)
{
    uint64_t at = target - f->place->addr;

    if (target >= f->place->addr && at < f->place->len)
        push_way(f, state, (size_t)at);
}

/* The state is that of the place that was asked for. */
static void take(struct flow *f, const struct flow_state *state)
{
    if (f->has_found) {
        struct summary a = summarize(f, &f->found), b = summarize(f, state);
        f->differs |= number_of(&a) != number_of(&b);
        return;
    }
    f->found = *state;
    f->has_found = true;
}

/* Whether an instruction is reached for the first time, or with other knowledge than before. */
static bool enter(struct flow *f, const struct flow_state *state)
{
    struct summary summary = summarize(f, state);
    uint32_t number = number_of(&summary), *known = &f->known[state->at / 2];

    if (state->it_left)
        return true;
    if (*known == 0) {
        *known = number;
        return true;
    }
    if (*known == number || f->twice[state->at / 2])
        return false;
    f->twice[state->at / 2] = true;
    return true;
}

/* The targets of a table, which ends where the first of them begins. */
static void push_table(struct flow *f, const struct flow_state *state, uint64_t base, unsigned size)
{
    const struct flow_place *p = f->place;
    uint64_t end = p->addr + p->len;

    for (uint64_t at = base; at >= p->addr && at + size <= end; at += size) {
        const uint8_t *entry = p->code + (at - p->addr);
        uint64_t target = base + 2 * (uint64_t)(size == 1 ? entry[0] : read_u16(entry));
        push_target(f, state, target);
        if (target > base && target < end)
            end = target;
    }
}

/* Helpers of gcc for Thumb-1, whose table is after the call. Returns bytes of an entry; 0: it is
 * another function. */
static unsigned case_table(const struct flow *f, uint64_t target)
{
    const struct symtab_function *to = target ? symtab_find(f->place->symtab, target) : NULL;

    if (!to || strncmp(to->name, "__gnu_thumb1_case_", 18) != 0)
        return 0;
    return to->name[19] == 'q' ? 1 : to->name[19] == 'h' ? 2 : 4;
}

/* Goes on after a call; returns false if the way ends there. */
static bool follow_call(struct flow *f, struct flow_state *state, const struct flow_step *step)
{
    const struct flow_place *p = f->place;
    unsigned size = case_table(f, step->target);

    if (step->target != p->addr) { /* a part of the same function, which is not a frame */
        struct flow_state inside = *state;
        flow_forget(&inside, (uint64_t)1 << p->machine->ra);
        push_target(f, &inside, step->target);
    }
    flow_forget(state, p->machine->scratch);
    if (!p->exact && step->addr + step->size == p->pc)
        take(f, state);
    if (size) {
        f->dispatch = *state;
        f->has_dispatch = true;
        if (size < 4)
            push_table(f, state, step->addr + step->size, size);
        return false;
    }
    return true;
}

/* Returns false if the way ends. */
static bool go_on(struct flow *f, struct flow_state *state, const struct flow_step *step)
{
    switch (step->kind) {
    case FLOW_NEXT:
        return true;
    case FLOW_JUMP:
        push_target(f, state, step->target);
        return false;
    case FLOW_BRANCH:
        push_target(f, state, step->target);
        return true;
    case FLOW_CALL:
        return follow_call(f, state, step);
    case FLOW_TABLE:
        push_table(f, state, step->table_base, step->table_size);
        return false;
    case FLOW_INDIRECT:
        f->dispatch = *state;
        f->has_dispatch = true;
        return false;
    case FLOW_SPLIT: {
        struct flow_state other = *state;
        other.it_skipped = step->other_skipped;
        push_way(f, &other, state->at + step->size);
        return true;
    }
    default:
        return false;
    }
}

/* One instruction of an IT block: on this way it is executed or not. What leaves the block also
 * stays in it if its condition is false. */
static bool skip_in_block(struct flow_state *state)
{
    bool skipped = state->it_left && state->it_skipped & 1;

    if (state->it_left) {
        state->it_left--;
        state->it_skipped >>= 1;
    }
    return skipped;
}

static void follow_way(struct flow *f, struct flow_state state)
{
    const struct flow_place *p = f->place;
    bool goes_on = true;

    while (goes_on && state.at + 2 <= p->len && f->steps++ < STEPS_MAX) {
        struct flow_step step = {.code = p->code + state.at,
                                 .left = p->len - state.at,
                                 .addr = p->addr + state.at,
                                 .addr_size = symtab_elf(p->symtab)->addr_size,
                                 .scratch = p->machine->scratch};
        if (!enter(f, &state))
            return;
        if (p->exact && step.addr == p->pc)
            take(f, &state);
        struct flow_state before = state;
        bool skipped = skip_in_block(&state);
        before.it_left = state.it_left;
        before.it_skipped = state.it_skipped;
        p->machine->execute(&state, &step);
        if (skipped)
            state = before;
        if (step.size == 4)
            f->known[(step.addr - p->addr) / 2 + 1] |= 1; /* no instruction starts there */
        goes_on = step.size != 0 && (skipped || go_on(f, &state, &step));
        state.at = (size_t)(step.addr + step.size - p->addr);
    }
}

static void follow_ways(struct flow *f)
{
    while (f->way_count)
        follow_way(f, f->ways[--f->way_count]);
}

/* Code that no way leads to is in a table of a jump: the state there is that before the jump. */
static void follow_dispatched(struct flow *f)
{
    bool was_known = true;

    for (size_t i = 0; i < f->place->len / 2 && f->has_dispatch && !f->has_found; i++) {
        if (f->known[i] == 0 && was_known) {
            push_way(f, &f->dispatch, 2 * i);
            follow_ways(f);
        }
        was_known = f->known[i] != 0;
    }
}

static void fill_rules(const struct flow *f, struct rules *rules)
{
    const struct machine *m = f->place->machine;
    const struct flow_state *s = &f->found;
    struct summary summary = summarize(f, s);

    *rules = (struct rules){
        .cfa_register = summary.cfa_register, .cfa_offset = summary.cfa_offset, .ra = m->ra};
    rules->is_trap = m->is_trap && m->is_trap(f->place->code, f->place->len);
    for (unsigned i = 0; i < FLOW_REGISTERS; i++) {
        if (i != m->sp && (rules->is_trap || !(m->scratch >> i & 1)))
            rules->registers[i] = entry_rule(f, s, i);
    }
    rules->registers[m->ra] = summary.ra;
    if (rules->is_trap)
        rules->registers[UNWIND_PC] = slot_rule(f, s, VALUE_MEPC, 0);
}

static void start(struct flow *f, const struct flow_place *place)
{
    struct flow_state entry = {.slot_count = 0};

    f->place = place;
    f->steps = 0;
    f->way_count = 0;
    f->overflowed = f->has_dispatch = f->has_found = f->differs = false;
    memset(f->known, 0, (place->len + 1) / 2 * sizeof(*f->known));
    memset(f->twice, 0, (place->len + 1) / 2 * sizeof(*f->twice));
    for (unsigned i = 0; i < FLOW_REGISTERS; i++)
        entry.registers[i] = (struct value){.kind = VALUE_ENTRY, .number = i};
    entry.registers[place->machine->sp] = (struct value){.kind = VALUE_CFA};
    push_way(f, &entry, 0);
}

bool flow_find(struct flow *flow, const struct flow_place *place, struct rules *rules)
{
    if (place->len > FUNCTION_MAX || !place->machine->execute)
        return false;
    start(flow, place);
    follow_ways(flow);
    if (!flow->has_found)
        follow_dispatched(flow);
    if (!flow->has_found || flow->differs || flow->overflowed || flow->steps >= STEPS_MAX)
        return false;
    struct summary summary = summarize(flow, &flow->found);
    if (!summary.found)
        return false;
    fill_rules(flow, rules);
    return rules->is_trap || summary.ra.kind != RULE_UNDEFINED;
}
