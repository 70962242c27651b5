/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks for what the core runs in the code of the ELF file. */
#define _GNU_SOURCE /* memmem */
#include "moved.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "checks.h"

/* Bytes that are compared: more than an inner loop, which functions that are made from one pattern
 * have in common. */
#define COMPARED 64
/* An alias begins and ends at multiples of this. */
#define PAGE 0x1000u

/* Counts the places in a function that have these bytes; the last one is at *addr. A place that is
 * in two functions is counted once. */
static unsigned count_in(const struct symtab *symtab, const struct symtab_function *f,
                         const uint8_t *bytes, uint64_t *addr)
{
    size_t len;
    const uint8_t *code = f->size ? symtab_code(symtab, f->addr, &len) : NULL;
    unsigned count = 0;

    if (!code)
        return 0;
    size_t end = len < f->size + COMPARED ? len : (size_t)f->size + COMPARED;
    for (const uint8_t *at = code; (at = memmem(at, end - (size_t)(at - code), bytes, COMPARED));
         at++) {
        uint64_t place = f->addr + (uint64_t)(at - code);
        count += place != *addr;
        *addr = place;
    }
    return count;
}

/* Sets *addr to the only place that has these bytes. */
static bool find_once(const struct symtab *symtab, const uint8_t *bytes, uint64_t *addr)
{
    size_t functions;
    const struct symtab_function *list = symtab_functions(symtab, &functions);
    unsigned places = 0;

    *addr = UINT64_MAX;
    for (size_t i = 0; i < functions && places < 2; i++)
        places += count_in(symtab, &list[i], bytes, addr);
    return places == 1;
}

/* What the code takes, in whole pages. */
static uint64_t code_range(const struct symtab *symtab, uint64_t *size)
{
    size_t count;
    const struct symtab_function *list = symtab_functions(symtab, &count);
    uint64_t begin = list[0].addr & ~(uint64_t)(PAGE - 1), end = begin + PAGE;

    for (size_t i = 0; i < count; i++) {
        uint64_t last = list[i].addr + list[i].size;
        end = last > end ? last : end;
    }
    *size = (end - begin + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    return begin;
}

/* Sets *by to how far the code at an address of the target is from where the ELF file has it. */
static bool find_distance(struct doctor *d, uint64_t addr, uint64_t *by)
{
    uint8_t bytes[COMPARED];
    uint64_t place;

    if (gdbmi_link_read(d->link, addr, bytes, sizeof(bytes)) != GDBMI_OK ||
        !find_once(d->elf.symtab, bytes, &place))
        return false;
    *by = addr - place;
    return *by != 0;
}

/* The code may begin or end near the program counter. */
bool moved_find(struct doctor *doctor, uint64_t pc, struct moved *moved)
{
    uint64_t by, size;

    if (!doctor->elf.symtab ||
        (!find_distance(doctor, pc, &by) && !find_distance(doctor, pc - COMPARED / 2, &by)))
        return false;
    uint64_t begin = code_range(doctor->elf.symtab, &size);
    uint64_t from = begin + by;
    if (from < begin + size && begin < from + size)
        return false;
    moved->found = true;
    snprintf(moved->advice, sizeof(moved->advice),
             "add --alias 0x%" PRIx64 "=0x%" PRIx64 "+%" PRIu64 "K", from, begin, size / 1024);
    return true;
}
