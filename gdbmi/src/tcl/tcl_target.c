/* SPDX-License-Identifier: 0BSD */
/* Which of OpenOCD's targets is meant, and what is known of its kind. */
#include "tcl_target.h"

#include <stdio.h>
#include <string.h>

#define TARGETS_MAX 64

/* One target a line: name, kind, byte order, gdb port; that of the others of a group is
 * "undefined". Names of types differ from one OpenOCD to the next (Espressif's has esp32c3), so the
 * kind is the first of these groups of commands that the target has; asking touches no hardware. */
const char tcl_target_list[] =
    "apply {{} {foreach t [target names] {set k -; foreach c {riscv cortex_m itm aarch64 xtensa "
    "arm} {if {[llength [info commands [list $t $c *]]] > 0} {set k $c; break}}; "
    "append l $t { } $k { } [$t cget -endian] { } [$t cget -gdb-port] \\n}; append l {}}}";

/* What gdb calls the architecture of a kind, and whether OpenOCD reads its memory while it runs.
 * Kinds that are not known are tried live: an error there is an honest one. All targets that do
 * semihosting have commands of the group arm, and a Cortex-M of an ST-Link's own protocol has no
 * cortex_m but itm. */
static const struct tcl_kind {
    const char *kind;
    const char *arch;
    bool live;
} kinds[] = {
    {"riscv", "riscv", true},      {"cortex_m", "arm", true}, {"itm", "arm", true},
    {"aarch64", "aarch64", false}, {"arm", "arm", false},
};

struct row {
    char name[64];
    char kind[32];
    char endian[16];
    char port[32];
};

static unsigned take_rows(const char *list, struct row rows[static TARGETS_MAX])
{
    unsigned count = 0;
    int len;

    while (count < TARGETS_MAX &&
           sscanf(list, "%63s %31s %15s %31s%n", rows[count].name, rows[count].kind,
                  rows[count].endian, rows[count].port, &len) == 4) {
        list += len;
        count++;
    }
    return count;
}

static const struct row *find_port(const struct row *rows, unsigned count, const char *gdb_port)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(rows[i].port, gdb_port) == 0)
            return &rows[i];
    }
    return NULL;
}

static const struct row *find_name(const struct row *rows, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    }
    return NULL;
}

/* The rows' names, with their gdb ports if asked for, except one. */
static void list_rows(const struct row *rows, unsigned count, const struct row *except, bool ports,
                      char *text, size_t capacity)
{
    size_t len = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < count; i++) {
        size_t room = strlen(rows[i].name) + strlen(rows[i].port) + sizeof(", : ");
        if (&rows[i] == except || len + room > capacity)
            continue;
        len += (size_t)snprintf(text + len, capacity - len, "%s%s%s%s", len > 0 ? ", " : "",
                                rows[i].name, ports ? ": " : "", ports ? rows[i].port : "");
    }
}

static void describe(const struct row *row, struct tcl_target *target)
{
    memcpy(target->name, row->name, sizeof(target->name));
    target->big_endian = strcmp(row->endian, "big") == 0;
    target->arch = "";
    target->live = true;
    target->m_profile = false;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].kind, row->kind) != 0)
            continue;
        target->arch = kinds[i].arch;
        target->m_profile = strcmp(kinds[i].arch, "arm") == 0 && strcmp(kinds[i].kind, "arm") != 0;
        target->live = kinds[i].live;
    }
}

enum gdbmi_code tcl_target_choose(const char *list, const char *gdb_port, const char *name,
                                  const char *address, struct tcl_target *target,
                                  struct gdbmi_error *error)
{
    struct row rows[TARGETS_MAX];
    unsigned count = take_rows(list, rows);
    const struct row *row = &rows[0];
    char seen[160];

    list_rows(rows, count, NULL, gdb_port != NULL, seen, sizeof(seen));
    if (count == 0)
        return gdbmi_error_set(error, GDBMI_ECONNECT, "%s: this OpenOCD has no target", address);
    if (gdb_port != NULL)
        row = find_port(rows, count, gdb_port);
    if (row == NULL)
        return gdbmi_error_set(error, GDBMI_ECONNECT,
                               "%s: this OpenOCD has no target on gdb port %s (%s)", address,
                               gdb_port, seen);
    if (name != NULL)
        row = find_name(rows, count, name);
    list_rows(rows, count, row, false, target->others, sizeof(target->others));
    if (row == NULL)
        return gdbmi_error_set(error, GDBMI_EARG, "%s: no target is named %.64s; there is: %s",
                               address, name, target->others);
    describe(row, target);
    return GDBMI_OK;
}
