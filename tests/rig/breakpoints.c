/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints of a core: those of its breakpoint unit, and instructions written into memory. */
#include "breakpoints.h"

#include <string.h>

static bool holds(const uint32_t *list, int count, uint32_t addr)
{
    for (int i = 0; i < count; i++)
        if (list[i] == addr)
            return true;
    return false;
}

void breakpoints_set_unit(struct breakpoints *points, const uint32_t *list, int count)
{
    size_t len = (size_t)count * sizeof *list;

    points->changed |= count != points->unit_count || memcmp(points->unit, list, len) != 0;
    memcpy(points->unit, list, len);
    points->unit_count = count;
}

bool breakpoints_in_unit(const struct breakpoints *points, uint32_t addr)
{
    return holds(points->unit, points->unit_count, addr);
}

bool breakpoints_in_code(const struct breakpoints *points, uint32_t addr)
{
    for (int i = 0; i < points->code_count; i++)
        if (points->code[i].addr == addr)
            return true;
    return false;
}

void breakpoints_forget_code(struct breakpoints *points, uint32_t addr, uint32_t size)
{
    int kept = 0;

    for (int i = 0; i < points->code_count; i++) {
        struct breakpoint_code code = points->code[i];
        if (code.addr - addr >= size && addr - code.addr >= code.len)
            points->code[kept++] = code;
    }
    points->changed |= kept != points->code_count;
    points->code_count = kept;
}

void breakpoints_add_code(struct breakpoints *points, struct breakpoint_code code)
{
    breakpoints_forget_code(points, code.addr, code.len);
    if (points->code_count == BREAKPOINTS_CODE)
        return;
    points->code[points->code_count++] = code;
    points->changed = true;
}

static int add_address(uint32_t *list, int count, uint32_t addr)
{
    if (!holds(list, count, addr))
        list[count++] = addr;
    return count;
}

static int wanted(const struct breakpoints *points, uint32_t *list)
{
    int count = 0;

    for (int i = 0; i < points->code_count; i++)
        count = add_address(list, count, points->code[i].addr);
    for (int i = 0; i < points->unit_count; i++)
        count = add_address(list, count, points->unit[i]);
    return count;
}

int breakpoints_install(struct breakpoints *points, struct gdbstub *stub)
{
    uint32_t list[BREAKPOINTS_MAX];

    if (!points->changed)
        return 0;
    int count = wanted(points, list);
    for (int i = 0; i < points->installed_count; i++)
        if (!holds(list, count, points->installed[i]) &&
            gdbstub_breakpoint(stub, points->installed[i], false) != 0)
            return -1;
    for (int i = 0; i < count; i++)
        if (!holds(points->installed, points->installed_count, list[i]) &&
            gdbstub_breakpoint(stub, list[i], true) != 0)
            return -1;
    for (int i = 0; i < count; i++)
        points->installed[i] = list[i];
    points->installed_count = count;
    points->changed = false;
    return 0;
}
