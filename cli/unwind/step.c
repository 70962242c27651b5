/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses what a step is taken by, and checks where it leads. */
#include "step.h"

#include <inttypes.h>
#include <string.h>

#include "exception.h"
#include "flow.h"
#include "unwinder.h"

/* Bytes before a return address that are looked at for a call. */
#define CALL_BYTES 8

uint64_t step_set_pc(struct walk *walk, uint64_t pc, bool exact)
{
    const struct unwinder *u = walk->unwinder;

    pc = unwinder_cut(u, pc);
    if (u->machine->thumb)
        pc &= ~(uint64_t)1;
    walk->pc = symtab_place(u->symtab, pc);
    walk->exact = exact;
    return pc;
}

/* A call may be the last instruction of its function. */
static uint64_t place_of(const struct walk *walk)
{
    return walk->exact ? walk->pc : walk->pc - 1;
}

const struct symtab_function *step_function(const struct walk *walk)
{
    return symtab_find(walk->unwinder->symtab, place_of(walk));
}

static uint64_t own_addr(const struct part *part, uint64_t place)
{
    return place - symtab_elf(part->symtab)->bias;
}

/* Parts of functions that the compiler has moved away are entered in the middle. */
static bool is_moved_part(const struct symtab_function *f)
{
    const char *name = f->symbol ? f->symbol : f->name;

    return strstr(name, ".cold") != NULL;
}

/* The function's instructions; those of a stripped file start where the index says. */
static bool find_code(const struct walk *walk, struct flow_place *place)
{
    const struct unwinder *u = walk->unwinder;
    const struct symtab_function *f = step_function(walk);
    const struct part *part = unwinder_part(u, place_of(walk));
    size_t len;
    uint64_t start;

    if (f && is_moved_part(f))
        return false;
    if (!f && !exidx_start(&part->exidx, own_addr(part, place_of(walk)), &start))
        return false;
    place->addr = f ? f->addr : start + symtab_elf(part->symtab)->bias;
    place->code = unwinder_code(u, place->addr, &len);
    place->len = f && f->size < len ? (size_t)f->size : len;
    if (!f && place->code && walk->pc - place->addr < len)
        place->len = (size_t)(walk->pc - place->addr) + 4;
    return place->code && place->len <= len && place_of(walk) - place->addr < place->len;
}

/* The interrupted pc is where the handler saved it, or still in mepc in the innermost one. */
static bool find_mepc(const struct walk *walk, struct rules *rules)
{
    struct rule *rule = &rules->registers[UNWIND_PC];

    rules->ra = UNWIND_PC;
    rules->is_trap = true;
    if (rule->kind != RULE_AT)
        *rule = (struct rule){.kind = RULE_REGISTER, .offset = UNWIND_MEPC};
    return rule->kind == RULE_AT || (walk->traps == 0 && walk->registers.known >> UNWIND_MEPC & 1);
}

static enum step apply(struct walk *walk, struct rules *rules)
{
    if (rules->is_trap && walk->unwinder->machine->is_trap && !find_mepc(walk, rules))
        return walk_fail(walk, STEP_UNKNOWN, "where its mepc is saved is not known");
    return rules_apply(walk, rules);
}

/* A label may be in the midst of a function: what is found from there is only valid if a call names
 * the label, or if a handler that starts there saves what it interrupts. */
static bool is_start(struct walk *walk, const struct rules *rules)
{
    const struct symtab_function *f = step_function(walk);

    if (!f || !f->is_label)
        return true;
    walk->strict = true;
    return !rules->is_trap || rules->registers[walk->unwinder->machine->ra].kind == RULE_AT ||
           rules->registers[UNWIND_PC].kind == RULE_AT;
}

static enum step by_flow(struct walk *walk)
{
    struct unwinder *u = walk->unwinder;
    struct flow_place place = {
        .machine = u->machine, .symtab = u->symtab, .pc = walk->pc, .exact = walk->exact};
    struct rules rules;

    if (!u->flow || !find_code(walk, &place) || !flow_find(u->flow, &place, &rules) ||
        !is_start(walk, &rules))
        return STEP_UNKNOWN;
    return apply(walk, &rules);
}

/* Whether the function is a handler of RISC-V's traps. */
static bool is_in_trap(const struct walk *walk)
{
    const struct machine *m = walk->unwinder->machine;
    struct flow_place place = {.len = 0};

    return m->is_trap && find_code(walk, &place) && m->is_trap(place.code, place.len);
}

static enum step by_cfi(struct walk *walk)
{
    const struct part *part = unwinder_part(walk->unwinder, place_of(walk));
    struct rules rules;

    if (!cfi_find(&part->cfi, own_addr(part, place_of(walk)), &rules))
        return STEP_UNKNOWN;
    rules.is_trap |= is_in_trap(walk);
    return apply(walk, &rules);
}

static enum step by_exidx(struct walk *walk)
{
    const struct part *part = unwinder_part(walk->unwinder, place_of(walk));

    walk->strict = walk->exact;
    return exidx_step(&part->exidx, walk, own_addr(part, place_of(walk)));
}

/* Finds the call before a return address. */
static bool find_call(const struct walk *walk, uint64_t place, struct call *call)
{
    const struct unwinder *u = walk->unwinder;
    const struct unwind_memory *memory = walk->memory;
    uint8_t bytes[CALL_BYTES];
    const uint8_t *code;
    size_t len;

    /* Code right at the start of a segment has fewer bytes before it. */
    for (size_t count = CALL_BYTES; count >= 2; count -= 2) {
        code = unwinder_code(u, place - count, &len);
        if (code && len >= count)
            return u->machine->call_before(place, code, count, call);
    }
    return memory->read && memory->read(memory->context, place - CALL_BYTES, bytes, CALL_BYTES) &&
           u->machine->call_before(place, bytes, CALL_BYTES, call);
}

/* Real-time kernels let a thread return to a function of theirs, or to nowhere. */
static bool is_end(const struct walk *walk, uint64_t place, const struct call *call)
{
    const struct unwinder *u = walk->unwinder;
    const struct symtab_function *to = symtab_find(u->symtab, place);
    const struct symtab_function *from = step_function(walk);

    return to && to->addr == place && !to->is_label &&
           (!call || (call->direct && from && call->target != from->addr));
}

/* The stack grows down; only a function that is interrupted, or its caller, may share a frame. */
static bool has_moved(const struct walk *walk, const struct walk *before)
{
    unsigned sp = walk->unwinder->machine->sp;
    uint64_t now = walk->registers.value[sp], then = before->registers.value[sp];

    return now > then || (now == then && before->exact) || walk->from_trap;
}

static enum step check_call(struct walk *walk, const struct walk *before, uint64_t ra)
{
    const struct unwinder *u = walk->unwinder;
    uint64_t place = symtab_place(u->symtab, u->machine->thumb ? ra & ~(uint64_t)1 : ra);
    const struct symtab_function *f = step_function(before);
    struct call call;

    if (!symtab_is_code(u->symtab, place) || (u->machine->thumb && !(ra & 1)))
        return walk_fail(walk, STEP_IMPLAUSIBLE, "its return address 0x%" PRIx64 " is not code",
                         ra);
    bool found = find_call(walk, place, &call);
    if (is_end(before, place, found ? &call : NULL))
        return walk_fail(walk, STEP_END, "start of a thread");
    if (!found)
        return walk_fail(walk, STEP_IMPLAUSIBLE,
                         "its return address 0x%" PRIx64 " is not after a call", ra);
    if (walk->strict && !(call.direct && f && call.target == f->addr))
        return walk_fail(walk, STEP_IMPLAUSIBLE,
                         "its return address 0x%" PRIx64 " is not after a call of it", ra);
    step_set_pc(walk, ra, false);
    return STEP_DONE;
}

/* Checks where a step leads, and goes through an exception. */
static enum step arrive(struct walk *walk, const struct walk *before)
{
    const struct unwinder *u = walk->unwinder;
    uint64_t ra = unwinder_cut(u, walk->registers.value[UNWIND_PC]);
    bool arm = u->machine->thumb && !walk->from_trap;
    enum step step = STEP_DONE;

    if (arm && exception_is_return(ra))
        step = exception_step(walk, ra);
    else if (!walk->from_trap && ((ra & ~(uint64_t)arm) == 0 || ra == unwinder_cut(u, UINT64_MAX)))
        return walk_fail(walk, STEP_END, "start of a thread");
    else if (!walk->from_trap)
        step = check_call(walk, before, ra);
    if (step != STEP_DONE)
        return step;
    if (!has_moved(walk, before))
        return walk_fail(walk, STEP_IMPLAUSIBLE, "its frame repeats");
    if (walk->from_trap) {
        walk->traps++;
        step_set_pc(walk, walk->registers.value[UNWIND_PC], true);
    }
    return STEP_DONE;
}

enum step step_to_caller(struct walk *walk)
{
    typedef enum step (*way_t)(struct walk *);
    static const way_t exact[] = {by_flow, by_cfi, by_exidx};
    static const way_t after_call[] = {by_cfi, by_exidx, by_flow};
    const way_t *ways = walk->exact ? exact : after_call;
    const struct walk before = *walk;
    enum step result = STEP_UNKNOWN;

    walk->why[0] = '\0';
    if (!symtab_is_code(walk->unwinder->symtab, place_of(walk)))
        return walk_fail(walk, STEP_UNKNOWN, "it is not code of the ELF file");
    for (unsigned i = 0; i < 3; i++) {
        *walk = before;
        walk->from_trap = walk->strict = false;
        enum step step = ways[i](walk);
        if (step == STEP_DONE)
            step = arrive(walk, &before);
        if (step == STEP_DONE || step == STEP_END)
            return step;
        if (result == STEP_UNKNOWN)
            result = step;
    }
    *walk = before;
    return result;
}
