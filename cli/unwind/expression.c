/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine with a stack of numbers. */
#include "expression.h"

#include <dwarf.h>

#include <budget/cursor.h>

#include "unwinder.h"

/* Those that compilers and linkers write need some 10 operations and 4 numbers. */
#define DEPTH 16
#define STEPS 256

struct evaluation {
    struct walk *walk;
    struct cursor c;
    uint64_t stack[DEPTH];
    unsigned depth;
    bool failed; /* it is not one that we know; walk->why says more if memory was missing */
    bool missing;
};

static void push(struct evaluation *e, uint64_t value)
{
    if (e->depth < DEPTH)
        e->stack[e->depth++] = unwinder_cut(e->walk->unwinder, value);
    else
        e->failed = true;
}

static uint64_t pop(struct evaluation *e)
{
    if (e->depth)
        return e->stack[--e->depth];
    e->failed = true;
    return 0;
}

static void push_register(struct evaluation *e, uint64_t number, uint64_t offset)
{
    uint64_t value = 0;

    if (number >= RULES_REGISTERS - 1)
        e->failed = true;
    else if (!walk_register(e->walk, (unsigned)number, &value))
        e->missing = true;
    push(e, value + offset);
}

static void dereference(struct evaluation *e, unsigned size)
{
    uint64_t value = 0;

    if (size == 0 || size > 8)
        e->failed = true;
    else if (!walk_word(e->walk, pop(e), size, &value))
        e->missing = true;
    push(e, value);
}

/* DW_OP_const1u to DW_OP_const8s: unsigned and signed ones take turns. */
static void push_constant(struct evaluation *e, unsigned op)
{
    unsigned size = 1U << ((op - DW_OP_const1u) / 2);
    uint64_t value = cursor_number(&e->c, size);

    if ((op - DW_OP_const1u) % 2 == 1 && size < 8)
        value = (uint64_t)sign_extend(value, 8 * size);
    push(e, value);
}

static int64_t as_signed(const struct evaluation *e, uint64_t value)
{
    return sign_extend(value, 8 * e->walk->unwinder->addr_size);
}

static bool compare(unsigned op, int64_t a, int64_t b)
{
    return op == DW_OP_eq   ? a == b
           : op == DW_OP_ne ? a != b
           : op == DW_OP_ge ? a >= b
           : op == DW_OP_gt ? a > b
           : op == DW_OP_le ? a <= b
                            : a < b;
}

static uint64_t arithmetic(struct evaluation *e, unsigned op, uint64_t a, uint64_t b)
{
    switch (op) {
    case DW_OP_and:
        return a & b;
    case DW_OP_or:
        return a | b;
    case DW_OP_xor:
        return a ^ b;
    case DW_OP_plus:
        return a + b;
    case DW_OP_minus:
        return a - b;
    case DW_OP_mul:
        return a * b;
    case DW_OP_shl:
        return b < 64 ? a << b : 0;
    case DW_OP_shr:
        return b < 64 ? a >> b : 0;
    default:
        if (op < DW_OP_eq || op > DW_OP_ne)
            e->failed = true;
        return compare(op, as_signed(e, a), as_signed(e, b));
    }
}

static void jump(struct evaluation *e, bool taken)
{
    int64_t distance = sign_extend(cursor_number(&e->c, 2), 16);

    if (!taken)
        return;
    if (distance < -(int64_t)e->c.at || distance > (int64_t)(e->c.end - e->c.at))
        e->failed = true;
    else
        e->c.at = (size_t)((int64_t)e->c.at + distance);
}

static void pick(struct evaluation *e, uint64_t index)
{
    if (index < e->depth)
        push(e, e->stack[e->depth - 1 - index]);
    else
        e->failed = true;
}

static void swap(struct evaluation *e)
{
    uint64_t b = pop(e), a = pop(e);

    push(e, b);
    push(e, a);
}

static void execute_other(struct evaluation *e, unsigned op)
{
    uint64_t b;

    switch (op) {
    case DW_OP_plus_uconst:
        push(e, pop(e) + cursor_leb(&e->c, false));
        break;
    case DW_OP_dup:
        pick(e, 0);
        break;
    case DW_OP_over:
        pick(e, 1);
        break;
    case DW_OP_pick:
        pick(e, cursor_byte(&e->c));
        break;
    case DW_OP_drop:
        pop(e);
        break;
    case DW_OP_swap:
        swap(e);
        break;
    case DW_OP_neg:
        push(e, 0 - pop(e));
        break;
    case DW_OP_not:
        push(e, ~pop(e));
        break;
    case DW_OP_skip:
        jump(e, true);
        break;
    case DW_OP_bra:
        jump(e, pop(e) != 0);
        break;
    case DW_OP_nop:
        break;
    default:
        b = pop(e);
        push(e, arithmetic(e, op, pop(e), b));
    }
}

static void execute(struct evaluation *e)
{
    unsigned op = cursor_byte(&e->c);
    unsigned addr_size = e->walk->unwinder->addr_size;

    if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
        push(e, op - DW_OP_lit0);
    else if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
        push_register(e, op - DW_OP_breg0, cursor_leb(&e->c, true));
    else if (op == DW_OP_bregx) {
        uint64_t number = cursor_leb(&e->c, false);
        push_register(e, number, cursor_leb(&e->c, true));
    } else if (op >= DW_OP_const1u && op <= DW_OP_const8s)
        push_constant(e, op);
    else if (op == DW_OP_constu || op == DW_OP_consts)
        push(e, cursor_leb(&e->c, op == DW_OP_consts));
    else if (op == DW_OP_addr)
        push(e, cursor_number(&e->c, addr_size));
    else if (op == DW_OP_deref)
        dereference(e, addr_size);
    else if (op == DW_OP_deref_size)
        dereference(e, cursor_byte(&e->c));
    else
        execute_other(e, op);
}

enum step expression_evaluate(struct walk *walk, const struct expression *expression,
                              const uint64_t *cfa, uint64_t *result)
{
    struct evaluation e = {.walk = walk, .c = {.bytes = expression->bytes, .end = expression->len}};
    unsigned steps = 0;

    if (cfa)
        push(&e, *cfa);
    while (e.c.at < e.c.end && !e.failed && !e.missing && steps++ < STEPS)
        execute(&e);
    if (e.missing)
        return STEP_NO_MEMORY;
    if (e.failed || e.c.over || e.depth == 0 || e.c.at < e.c.end)
        return walk_fail(walk, STEP_IMPLAUSIBLE, "its frame information has a damaged expression");
    *result = e.stack[e.depth - 1];
    return STEP_DONE;
}
