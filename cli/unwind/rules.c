/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies rules to registers. */
#include "rules.h"

#include <inttypes.h>

#include "expression.h"
#include "unwinder.h"

/* The largest frame that is believed, bytes. */
#define FRAME_MAX ((uint64_t)8 << 20)

static enum step find_cfa(struct walk *walk, const struct rules *rules, uint64_t *cfa)
{
    const struct unwinder *u = walk->unwinder;
    uint64_t sp;

    if (rules->cfa_expression.len) {
        enum step step = expression_evaluate(walk, &rules->cfa_expression, NULL, cfa);
        if (step != STEP_DONE)
            return step;
    } else {
        if (!walk_register(walk, rules->cfa_register, cfa))
            return STEP_NO_MEMORY;
        *cfa = unwinder_cut(u, *cfa + (uint64_t)rules->cfa_offset);
    }
    if (!walk_register(walk, u->machine->sp, &sp))
        return STEP_NO_MEMORY;
    if (*cfa < sp || *cfa - sp > FRAME_MAX || *cfa % 4 != 0)
        return walk_fail(
            walk, STEP_IMPLAUSIBLE,
            "its frame would end at 0x%" PRIx64 ", and the stack pointer is 0x%" PRIx64, *cfa, sp);
    return STEP_DONE;
}

/* Finds the caller's value of a register. *known becomes false if it is lost. */
static enum step find_value(struct walk *walk, const struct rule *rule, unsigned number,
                            uint64_t cfa, uint64_t *value, bool *known)
{
    const struct unwinder *u = walk->unwinder;
    uint64_t addr = cfa + (uint64_t)rule->offset;
    enum step step = STEP_DONE;

    *known = true;
    switch (rule->kind) {
    case RULE_UNDEFINED:
        *known = false;
        break;
    case RULE_AT:
        return walk_word(walk, unwinder_cut(u, addr), u->addr_size, value) ? STEP_DONE
                                                                           : STEP_NO_MEMORY;
    case RULE_IS:
        *value = unwinder_cut(u, addr);
        break;
    case RULE_REGISTER:
        number = (unsigned)rule->offset;
        *known = walk->registers.known >> number & 1;
        *value = walk->registers.value[number];
        break;
    case RULE_AT_EXPRESSION:
        step = expression_evaluate(walk, &rule->expression, &cfa, &addr);
        if (step == STEP_DONE && !walk_word(walk, addr, u->addr_size, value))
            step = STEP_NO_MEMORY;
        break;
    case RULE_IS_EXPRESSION:
        step = expression_evaluate(walk, &rule->expression, &cfa, value);
        break;
    default:
        *known = number < UNWIND_PC && walk->registers.known >> number & 1;
        *value = walk->registers.value[number];
    }
    return step;
}

static enum step find_return(struct walk *walk, const struct rules *rules, uint64_t cfa,
                             uint64_t *pc)
{
    const struct rule *rule = &rules->registers[rules->ra];
    bool known, same = rule->kind == RULE_SAME || rule->kind == RULE_DEFAULT;
    enum step step;

    if (rule->kind == RULE_UNDEFINED)
        return walk_fail(walk, STEP_END, "no caller, as its frame information says");
    if (same && !walk->exact)
        return walk_fail(walk, STEP_UNKNOWN, "it has not saved its return address");
    step = find_value(walk, rule, rules->ra, cfa, pc, &known);
    if (step == STEP_DONE && !known)
        return walk_fail(walk, STEP_NO_MEMORY, "register %u, with the return address, is not known",
                         rules->ra);
    return step;
}

/* Whether nothing says where a register is that the function may have changed. */
static bool is_lost(const struct walk *walk, const struct rules *rules, unsigned number)
{
    return rules->registers[number].kind == RULE_DEFAULT && !rules->is_trap &&
           walk->unwinder->machine->scratch >> number & 1;
}

enum step rules_apply(struct walk *walk, const struct rules *rules)
{
    const struct unwinder *u = walk->unwinder;
    struct unwind_registers caller = {.known = 0};
    uint64_t cfa, pc = 0, value = 0;
    bool known;
    enum step step = find_cfa(walk, rules, &cfa);

    if (step == STEP_DONE)
        step = find_return(walk, rules, cfa, &pc);
    for (unsigned i = 0; i < UNWIND_PC && step == STEP_DONE; i++) {
        if (is_lost(walk, rules, i))
            continue;
        step = find_value(walk, &rules->registers[i], i, cfa, &value, &known);
        if (step == STEP_DONE && known)
            unwind_set(&caller, i, value);
    }
    if (step != STEP_DONE)
        return step;
    for (unsigned i = UNWIND_PC + 1; i < UNWIND_REGISTERS; i++) {
        if (walk->registers.known >> i & 1)
            unwind_set(&caller, i, walk->registers.value[i]);
    }
    if (rules->registers[u->machine->sp].kind == RULE_DEFAULT)
        unwind_set(&caller, u->machine->sp, cfa);
    unwind_set(&caller, UNWIND_PC, pc);
    walk->registers = caller;
    walk->from_trap = rules->is_trap;
    return STEP_DONE;
}
