/* SPDX-License-Identifier: 0BSD */
/* Which of OpenOCD's targets is meant, and what is known of its kind. */
#ifndef GDBMI_SRC_TCL_TARGET_H
#define GDBMI_SRC_TCL_TARGET_H

#include <stdbool.h>

#include <gdbmi/error.h>

struct tcl_target {
    char name[64];
    const char *arch; /* in gdb's words; "" where not known */
    bool live;        /* OpenOCD reads its memory while it runs */
    bool big_endian;
    bool m_profile;   /* a Cortex-M */
    char others[160]; /* names of the server's other targets, with commas; as many as fit */
};

/* Script whose result is the list for tcl_target_choose(). */
extern const char tcl_target_list[];

/*
 * Chooses from a list: the target with this name; else the target of the gdb port, which is the
 * first of a group that shares it; else the first. A NULL name or gdb_port is not asked for. If no
 * target in the list has gdb_port, the list is that of another server (GDBMI_ECONNECT), whatever
 * the name. The text of an error lists the targets.
 */
enum gdbmi_code tcl_target_choose(const char *list, const char *gdb_port, const char *name,
                                  const char *address, struct tcl_target *target,
                                  struct gdbmi_error *error);

#endif
