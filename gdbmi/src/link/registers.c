/* SPDX-License-Identifier: 0BSD */
/* The core registers of an architecture, and where the memory of stacks ends. */
#include "registers.h"

#include <string.h>

/* Words of a stack. */
#define WORD 4U

const char *const link_special_names[LINK_SPECIALS] = {"msp", "psp", "mepc"};

const struct link_registers *link_registers_of(const char *arch)
{
    static const struct link_registers known[] = {
        {.arch = "arm",
         .count = 17,
         .pc = 15,
         .sp = 13,
         .ra = 14,
         .psr = 16,
         .gdb_psr = 25,
         .size = 4},
        {.arch = "aarch64", .count = 33, .pc = 32, .sp = 31, .ra = 30, .psr = -1, .size = 8},
        {.arch = "riscv", .count = 33, .pc = 32, .sp = 2, .ra = 1, .psr = -1},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i].arch, arch) == 0)
            return &known[i];
    }
    return NULL;
}

void link_registers_set(struct gdbmi_sample *sample, unsigned index, uint64_t value)
{
    sample->registers[index] = value;
    sample->known |= (uint64_t)1 << index;
}

bool link_registers_take(const struct link_registers *map, struct gdbmi_sample *sample)
{
    sample->pc = sample->registers[map->pc];
    sample->sp = sample->registers[map->sp];
    sample->ra = sample->registers[map->ra];
    sample->psr = map->psr >= 0 ? sample->registers[map->psr] : 0;
    return (sample->known >> map->pc & 1) != 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t link_stack_try(const struct link_stack_end *known)
{
    return known->good + (known->bad - known->good) / (2 * WORD) * WORD;
}

size_t link_stack_fit(const struct link_stack_end *known, uint64_t end, uint64_t sp, size_t len)
{
    uint64_t to = sp + len;

    if (end > sp)
        to = least(to, end);
    if (sp < known->good && to > known->good && sp < known->bad)
        to = least(to, link_stack_try(known));
    return (size_t)(to - sp) / WORD * WORD;
}

void link_stack_note(struct link_stack_end *known, uint64_t sp, size_t len, size_t got)
{
    uint64_t good = sp + got;
    uint64_t bad = sp + len;

    if (got == len && (sp >= known->bad || good <= known->good))
        return;
    if (got == len) {
        known->good = good;
        return;
    }
    /* A stack of other memory is the one that counts from now on. */
    bool other = sp >= known->bad || bad <= known->good;
    known->good = other || good > known->good ? good : known->good;
    known->bad = other ? bad : least(bad, known->bad);
}
