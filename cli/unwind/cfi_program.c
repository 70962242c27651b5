/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call frame instructions (DWARF 5, 6.4.2). */
#include "cfi_program.h"

#include <dwarf.h>

/* Compilers nest one. */
#define REMEMBERED_MAX 4

/* Compilers write some hundreds for the largest functions. */
#define INSTRUCTIONS_MAX 65536

struct program {
    const struct cfi_section *section;
    const struct cfi_entry *entry;
    struct cursor c;
    uint64_t at; /* the rules are those of this address */
    struct rules *rules;
    const struct rules *initial; /* NULL while the CIE's instructions run */
    struct rules remembered[REMEMBERED_MAX];
    unsigned depth;
    bool has_cfa;
};

static void set_rule(struct program *p, uint64_t number, enum rule_kind kind, int64_t offset)
{
    if (number < RULES_REGISTERS)
        p->rules->registers[number] = (struct rule){.kind = kind, .offset = offset};
}

static void set_expression(struct program *p, uint64_t number, enum rule_kind kind)
{
    uint64_t len = cursor_leb(&p->c, false);
    struct expression e = {.bytes = p->c.bytes + p->c.at, .len = (size_t)len};

    cursor_skip(&p->c, len);
    if (number < RULES_REGISTERS)
        p->rules->registers[number] = (struct rule){.kind = kind, .expression = e};
}

static void restore(struct program *p, uint64_t number)
{
    if (!p->initial)
        p->c.over = true;
    else if (number < RULES_REGISTERS)
        p->rules->registers[number] = p->initial->registers[number];
}

static void copy_register(struct program *p, uint64_t number)
{
    uint64_t from = cursor_leb(&p->c, false);

    p->c.over |= from >= UNWIND_PC;
    set_rule(p, number, RULE_REGISTER, (int64_t)from);
}

static void set_cfa(struct program *p, uint64_t number, int64_t offset)
{
    p->c.over |= number >= UNWIND_PC;
    p->rules->cfa_register = (unsigned)number;
    p->rules->cfa_offset = offset;
    p->rules->cfa_expression.len = 0;
    p->has_cfa = true;
}

static void set_cfa_expression(struct program *p)
{
    uint64_t len = cursor_leb(&p->c, false);

    p->rules->cfa_expression =
        (struct expression){.bytes = p->c.bytes + p->c.at, .len = (size_t)len};
    cursor_skip(&p->c, len);
    p->has_cfa = true;
}

static void remember(struct program *p)
{
    if (p->depth == REMEMBERED_MAX)
        p->c.over = true;
    else
        p->remembered[p->depth++] = *p->rules;
}

static void recall(struct program *p)
{
    if (p->depth == 0)
        p->c.over = true;
    else
        *p->rules = p->remembered[--p->depth];
}

static uint64_t unsigned_leb(struct program *p)
{
    return cursor_leb(&p->c, false);
}

/* A factored offset. */
static int64_t factored(struct program *p, bool is_signed)
{
    return (int64_t)(cursor_leb(&p->c, is_signed) * (uint64_t)p->entry->data_align);
}

static void execute_cfa(struct program *p, unsigned op)
{
    uint64_t number;

    switch (op) {
    case DW_CFA_def_cfa:
        number = unsigned_leb(p);
        set_cfa(p, number, (int64_t)unsigned_leb(p));
        break;
    case DW_CFA_def_cfa_sf:
        number = unsigned_leb(p);
        set_cfa(p, number, factored(p, true));
        break;
    case DW_CFA_def_cfa_register:
        set_cfa(p, unsigned_leb(p), p->rules->cfa_offset);
        break;
    case DW_CFA_def_cfa_offset:
        p->rules->cfa_offset = (int64_t)unsigned_leb(p);
        break;
    case DW_CFA_def_cfa_offset_sf:
        p->rules->cfa_offset = factored(p, true);
        break;
    default:
        set_cfa_expression(p);
    }
}

static void execute_register(struct program *p, unsigned op)
{
    uint64_t number = unsigned_leb(p);

    switch (op) {
    case DW_CFA_offset_extended:
        set_rule(p, number, RULE_AT, factored(p, false));
        break;
    case DW_CFA_offset_extended_sf:
        set_rule(p, number, RULE_AT, factored(p, true));
        break;
    case DW_CFA_val_offset:
        set_rule(p, number, RULE_IS, factored(p, false));
        break;
    case DW_CFA_val_offset_sf:
        set_rule(p, number, RULE_IS, factored(p, true));
        break;
    case DW_CFA_restore_extended:
        restore(p, number);
        break;
    case DW_CFA_undefined:
        set_rule(p, number, RULE_UNDEFINED, 0);
        break;
    case DW_CFA_same_value:
        set_rule(p, number, RULE_SAME, 0);
        break;
    case DW_CFA_register:
        copy_register(p, number);
        break;
    case DW_CFA_expression:
        set_expression(p, number, RULE_AT_EXPRESSION);
        break;
    case DW_CFA_val_expression:
        set_expression(p, number, RULE_IS_EXPRESSION);
        break;
    default:
        p->c.over = true;
    }
}

static void advance(struct program *p, uint64_t steps)
{
    p->at += steps * p->entry->code_align;
}

static void execute_extended(struct program *p, unsigned op)
{
    switch (op) {
    case DW_CFA_nop:
        break;
    case DW_CFA_set_loc:
        p->at = cfi_address(p->section, &p->c, p->entry->encoding, p->entry->addr_size);
        break;
    case DW_CFA_advance_loc1:
    case DW_CFA_advance_loc2:
    case DW_CFA_advance_loc4:
        advance(p, cursor_number(&p->c, (size_t)1 << (op - DW_CFA_advance_loc1)));
        break;
    case DW_CFA_remember_state:
        remember(p);
        break;
    case DW_CFA_restore_state:
        recall(p);
        break;
    case DW_CFA_GNU_args_size:
        (void)unsigned_leb(p);
        break;
    case DW_CFA_def_cfa:
    case DW_CFA_def_cfa_sf:
    case DW_CFA_def_cfa_register:
    case DW_CFA_def_cfa_offset:
    case DW_CFA_def_cfa_offset_sf:
    case DW_CFA_def_cfa_expression:
        execute_cfa(p, op);
        break;
    default:
        execute_register(p, op);
    }
}

/* Runs instructions until the rules are those of addr. */
static bool run(struct program *p, size_t at, size_t end, uint64_t addr)
{
    p->c.at = at;
    p->c.end = end;
    for (unsigned i = 0; p->c.at < p->c.end && !p->c.over; i++) {
        if (i == INSTRUCTIONS_MAX)
            return false;
        uint8_t byte = cursor_byte(&p->c);
        unsigned low = byte & 0x3f;
        switch (byte & 0xc0) {
        case DW_CFA_advance_loc:
            advance(p, low);
            break;
        case DW_CFA_offset:
            set_rule(p, low, RULE_AT, factored(p, false));
            break;
        case DW_CFA_restore:
            restore(p, low);
            break;
        default:
            execute_extended(p, low);
        }
        if (p->at > addr)
            break;
    }
    return !p->c.over;
}

bool cfi_run(const struct cfi_section *section, const struct cfi_entry *entry, uint64_t addr,
             struct rules *rules)
{
    struct rules initial;
    struct program p = {.section = section,
                        .entry = entry,
                        .c = {.bytes = section->bytes.bytes},
                        .at = entry->start,
                        .rules = rules};

    *rules = (struct rules){.ra = (unsigned)entry->ra, .is_trap = entry->is_trap};
    if (entry->ra >= RULES_REGISTERS || !run(&p, entry->initial, entry->initial_end, addr))
        return false;
    initial = *rules;
    p.initial = &initial;
    return run(&p, entry->program, entry->program_end, addr) && p.has_cfa;
}
