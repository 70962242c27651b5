/* SPDX-License-Identifier: 0BSD */
/* The core registers through gdb's machine interface. */
#include <stdio.h>
#include <stdlib.h>

#include "mi_link.h"

#define COMMAND_MAX 256

/* gdb's number of a register. */
static unsigned number_of(const struct link_registers *map, unsigned index)
{
    return (int)index == map->psr ? (unsigned)map->gdb_psr : index;
}

static void take_value(const struct link_registers *map, const struct gdbmi_mi_value *entry,
                       struct gdbmi_sample *sample)
{
    const char *number = gdbmi_mi_text(entry, "number");
    const char *value = gdbmi_mi_text(entry, "value");
    char *end;

    if (number == NULL || value == NULL)
        return;
    unsigned long long bits = strtoull(value, &end, 16);
    if (end == value || *end != '\0')
        return;
    for (unsigned i = 0; i < map->count; i++) {
        if (number_of(map, i) == strtoul(number, NULL, 10))
            link_registers_set(sample, i, bits);
    }
}

/* Without all only those that tell the place: gdb reads the others from the target on demand. */
static void say_command(const struct link_registers *map, bool all, char *command)
{
    int len = snprintf(command, COMMAND_MAX, "-data-list-register-values --skip-unavailable x");

    for (unsigned i = 0; i < map->count; i++) {
        if (all || i == map->pc || i == map->ra || (int)i == map->psr)
            len += snprintf(command + len, (size_t)(COMMAND_MAX - len), " %u", number_of(map, i));
    }
}

enum gdbmi_code mi_registers(struct gdbmi_link *base, const struct link_registers *map, bool all,
                             struct gdbmi_sample *sample)
{
    struct mi_link *link = (struct mi_link *)base;
    struct gdbmi_mi_message answer;
    char command[COMMAND_MAX];

    say_command(map, all, command);
    enum gdbmi_code code = mi_port_run(&link->port, &answer, &base->error, "%s", command);
    if (code != GDBMI_OK)
        return code;
    const struct gdbmi_mi_value *values = gdbmi_mi_get(answer.results, "register-values");
    for (const struct gdbmi_mi_value *at = values != NULL ? values->first : NULL; at != NULL;
         at = at->next)
        take_value(map, at, sample);
    return GDBMI_OK;
}
