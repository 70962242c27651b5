/* SPDX-License-Identifier: 0BSD */
/* The core registers through QMP, as QEMU's monitor prints them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qmp_link.h"

/* Finds "NAME" as a word of its own; returns the digits after it, or NULL. */
static const char *find(const char *text, const char *name)
{
    size_t len = strlen(name);

    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
        if (at == text || isspace((unsigned char)at[-1]))
            return at + len + strspn(at + len, " =");
    }
    return NULL;
}

static void take(const char *text, const char *name, unsigned index, struct gdbmi_sample *sample)
{
    const char *digits = find(text, name);
    char *end;

    if (digits == NULL)
        return;
    unsigned long long value = strtoull(digits, &end, 16);
    if (end != digits)
        link_registers_set(sample, index, value);
}

/* "R07=0000002a", "XPSR=41000000"; "x10/a0  0000002a", after each name as many spaces as align. */
static void take_register(const struct link_registers *map, const char *text, unsigned index,
                          struct gdbmi_sample *sample)
{
    static const char *const riscv[] = {
        "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
        "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
        "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
    };
    char name[16];

    if ((int)index == map->psr)
        snprintf(name, sizeof(name), "XPSR");
    else if (strcmp(map->arch, "riscv") == 0 && index < map->pc)
        snprintf(name, sizeof(name), "x%u/%s", index, riscv[index]);
    else if (strcmp(map->arch, "riscv") == 0)
        snprintf(name, sizeof(name), "pc");
    else
        snprintf(name, sizeof(name), "R%02u", index);
    take(text, name, index, sample);
}

enum gdbmi_code qmp_registers(struct gdbmi_link *base, const struct link_registers *map, bool all,
                              struct gdbmi_sample *sample)
{
    struct qmp_link *link = (struct qmp_link *)base;
    char *text = NULL;

    (void)all;
    if (strcmp(map->arch, "arm") != 0 && strcmp(map->arch, "riscv") != 0)
        return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED,
                               "%s: mprof does not know how QEMU prints the registers of %s: use "
                               "its gdb port",
                               base->address, link->machine->name);
    enum gdbmi_code code = qmp_command(base, "info registers", &text);
    if (code != GDBMI_OK)
        return code;
    for (unsigned i = 0; i < map->count; i++)
        take_register(map, text, i, sample);
    free(text);
    return GDBMI_OK;
}
