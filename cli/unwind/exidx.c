/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the byte code of Arm's exception tables. */
#include "exidx.h"

#include <budget/cursor.h>

#include "machine.h"
#include "unwinder.h"

#define CANTUNWIND 1
#define COMPACT    ((uint32_t)1 << 31)
#define ENTRY      8 /* bytes of an entry of the index */

enum { SP = 13, LR = 14, PC = 15 };

/* The byte code of one function. */
struct code {
    uint8_t bytes[4 + 4 * 255];
    size_t len;
};

/* The registers that it changes. */
struct machine_state {
    struct walk *walk;
    struct unwind_registers registers; /* 13 is vsp */
    struct cursor c;
    bool pc_popped, lr_popped, finished;
    enum step step;
};

void exidx_open(struct exidx *exidx, const struct symtab *symtab)
{
    uint64_t bias = symtab_elf(symtab)->bias;

    if (symtab_section(symtab, ".ARM.exidx", &exidx->index))
        exidx->index.addr -= bias;
    if (symtab_section(symtab, ".ARM.extab", &exidx->table))
        exidx->table.addr -= bias;
}

/* The word at an offset, which is in the section. */
static uint32_t word_at(const struct symtab_section *section, size_t at)
{
    return read_u32(section->bytes + at);
}

/* A place 31 bits away from the word itself. */
static uint64_t place_of(const struct symtab_section *section, size_t at)
{
    return (section->addr + at + (uint64_t)sign_extend(word_at(section, at), 31)) & UINT32_MAX;
}

/* Returns the number of entries for functions that start at addr or before. */
static size_t entries_up_to(const struct exidx *exidx, uint64_t addr)
{
    size_t low = 0, high = exidx->index.len / ENTRY;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (place_of(&exidx->index, middle * ENTRY) <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool exidx_start(const struct exidx *exidx, uint64_t addr, uint64_t *start)
{
    size_t up_to = entries_up_to(exidx, addr);

    if (up_to == 0)
        return false;
    *start = place_of(&exidx->index, (up_to - 1) * ENTRY);
    return true;
}

static void add_bytes(struct code *code, uint32_t word, unsigned count)
{
    for (unsigned i = count; i > 0; i--)
        code->bytes[code->len++] = (uint8_t)(word >> 8 * (i - 1));
}

/* Adds count words of the table at an offset. */
static bool add_words(struct code *code, const struct symtab_section *table, size_t at,
                      unsigned count)
{
    if (count > (table->len - at) / 4)
        return false;
    for (unsigned i = 0; i < count; i++)
        add_bytes(code, word_at(table, at + 4 * i), 4);
    return true;
}

/* An entry of the table. A personality routine of its own is that of C++, whose data starts as
 * that of the compact models does. */
static bool read_table(const struct symtab_section *table, uint64_t addr, struct code *code)
{
    size_t at = (size_t)(addr - table->addr);

    if (addr < table->addr || at >= table->len || table->len - at < 4)
        return false;
    uint32_t word = word_at(table, at);
    at += 4;
    if (!(word & COMPACT)) {
        if (table->len - at < 4)
            return false;
        word = word_at(table, at);
        add_bytes(code, word, 3);
        return add_words(code, table, at + 4, word >> 24);
    }
    unsigned model = bits(word, 27, 24);
    add_bytes(code, word, model == 0 ? 3 : 2);
    return model <= 2 && add_words(code, table, at, model == 0 ? 0 : bits(word, 23, 16));
}

static bool read_code(const struct exidx *exidx, uint64_t addr, struct code *code)
{
    size_t up_to = entries_up_to(exidx, addr), at = (up_to - 1) * ENTRY + 4;

    code->len = 0;
    if (up_to == 0)
        return false;
    uint32_t word = word_at(&exidx->index, at);
    if (word == CANTUNWIND)
        return false;
    if (!(word & COMPACT))
        return read_table(&exidx->table, place_of(&exidx->index, at), code);
    add_bytes(code, word, 3);
    return bits(word, 27, 24) == 0;
}

static void add_to_vsp(struct machine_state *s, uint64_t bytes)
{
    s->registers.value[SP] = (s->registers.value[SP] + bytes) & UINT32_MAX;
}

/* Pops registers; vsp itself may be one of them. */
static void pop(struct machine_state *s, unsigned mask)
{
    uint64_t vsp = s->registers.value[SP], value;

    for (unsigned i = 0; i <= PC; i++) {
        if (!(mask >> i & 1))
            continue;
        if (!walk_word(s->walk, vsp, 4, &value)) {
            s->step = STEP_NO_MEMORY;
            return;
        }
        unwind_set(&s->registers, i == PC ? UNWIND_PC : i, value);
        vsp += 4;
        s->pc_popped |= i == PC;
        s->lr_popped |= i == LR;
    }
    if (!(mask >> SP & 1))
        s->registers.value[SP] = vsp & UINT32_MAX;
}

static void take_vsp(struct machine_state *s, unsigned number)
{
    uint64_t value;

    if (number == SP || number == PC)
        s->step = STEP_UNKNOWN;
    else if (s->registers.known >> number & 1)
        s->registers.value[SP] = s->registers.value[number];
    else
        s->step = walk_register(s->walk, number, &value) ? STEP_UNKNOWN : STEP_NO_MEMORY;
}

/* 1011xxxx */
static void execute_b(struct machine_state *s, uint8_t op)
{
    if (op == 0xb0) {
        s->finished = true;
    } else if (op == 0xb1) {
        unsigned mask = cursor_byte(&s->c);
        if (mask == 0 || mask > 0xf)
            s->step = STEP_UNKNOWN;
        else
            pop(s, mask);
    } else if (op == 0xb2) {
        add_to_vsp(s, 0x204 + (cursor_leb(&s->c, false) << 2));
    } else if (op == 0xb3) {
        add_to_vsp(s, 8 * (uint64_t)((cursor_byte(&s->c) & 0xf) + 1) + 4);
    } else if (op == 0xb4) { /* the code that signs return addresses */
        add_to_vsp(s, 4);
    } else if (op >= 0xb8) {
        add_to_vsp(s, 8 * (uint64_t)((op & 7) + 1) + 4);
    } else {
        s->step = STEP_UNKNOWN;
    }
}

static void execute_high(struct machine_state *s, uint8_t op)
{
    if (op == 0xc8 || op == 0xc9)
        add_to_vsp(s, 8 * (uint64_t)((cursor_byte(&s->c) & 0xf) + 1));
    else if ((op & 0xf8) == 0xd0)
        add_to_vsp(s, 8 * (uint64_t)((op & 7) + 1));
    else
        s->step = STEP_UNKNOWN;
}

static void execute(struct machine_state *s)
{
    uint8_t op = cursor_byte(&s->c);
    unsigned mask;

    if (op < 0x40) {
        add_to_vsp(s, 4 * (uint64_t)(op & 0x3f) + 4);
    } else if (op < 0x80) {
        add_to_vsp(s, 0 - (4 * (uint64_t)(op & 0x3f) + 4));
    } else if (op < 0x90) {
        mask = (op & 0xfU) << 8 | cursor_byte(&s->c);
        if (mask == 0) /* refuse to unwind */
            s->step = STEP_UNKNOWN;
        else
            pop(s, mask << 4);
    } else if (op < 0xa0) {
        take_vsp(s, op & 0xf);
    } else if (op < 0xb0) {
        mask = ((2U << (op & 7)) - 1) << 4;
        pop(s, mask | (op & 8 ? 1U << LR : 0));
    } else if (op < 0xc0) {
        execute_b(s, op);
    } else {
        execute_high(s, op);
    }
}

/* Registers that calls change are not known in the caller. */
static enum step return_to_caller(struct machine_state *s)
{
    struct walk *walk = s->walk;
    uint64_t sp = walk->registers.value[SP], to = s->registers.value[SP];

    if (!s->pc_popped && !s->lr_popped && !walk->exact)
        return walk_fail(walk, STEP_UNKNOWN, "it has not saved its return address");
    if (!s->pc_popped)
        unwind_set(&s->registers, UNWIND_PC, s->registers.value[LR]);
    if (to < sp || to % 4 != 0)
        return walk_fail(walk, STEP_IMPLAUSIBLE, "its frame would end below the stack pointer");
    s->registers.known &= ~walk->unwinder->machine->scratch;
    walk->registers = s->registers;
    walk->from_trap = false;
    return STEP_DONE;
}

enum step exidx_step(const struct exidx *exidx, struct walk *walk, uint64_t addr)
{
    struct code code;
    struct machine_state s = {.walk = walk, .registers = walk->registers, .step = STEP_DONE};

    if (!read_code(exidx, addr, &code))
        return STEP_UNKNOWN;
    s.c = (struct cursor){.bytes = code.bytes, .end = code.len};
    s.registers.value[LR] &= UINT32_MAX;
    while (s.c.at < s.c.end && !s.finished && s.step == STEP_DONE)
        execute(&s);
    if (s.step != STEP_DONE || s.c.over)
        return s.step == STEP_DONE ? STEP_UNKNOWN : s.step;
    return return_to_caller(&s);
}
