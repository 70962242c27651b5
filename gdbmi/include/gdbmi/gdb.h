/* SPDX-License-Identifier: 0BSD */
/* A gdb of ours that is asked about files: commands and their answers, no target. */
#ifndef GDBMI_GDB_H
#define GDBMI_GDB_H

#include <gdbmi/error.h>
#include <gdbmi/mi.h>

struct gdbmi_gdb;

/*
 * Starts a gdb by a command like "gdb-multiarch" (by sh -c, out of reach of the signals of our
 * terminal), behind which options are added: it speaks MI, reads no file of anybody's settings and
 * loads nothing from the network. It does not wait for the first prompt, which is what the first
 * gdbmi_gdb_take() brings. On success *gdb is the caller's, to be given to gdbmi_gdb_kill().
 * Otherwise it is untouched and *error says in one line why. That there is no such program is
 * found by gdbmi_gdb_take(): GDBMI_ECLOSED.
 */
enum gdbmi_code gdbmi_gdb_begin(const char *command, struct gdbmi_gdb **gdb,
                                struct gdbmi_error *error) __attribute__((warn_unused_result));

/* Sends one MI command of one line ("-data-disassemble ..."). */
enum gdbmi_code gdbmi_gdb_send(struct gdbmi_gdb *gdb, const char *command,
                               struct gdbmi_error *error) __attribute__((warn_unused_result));

/*
 * The answer to the command sent last, waiting for wait_ms at most; *answer is valid until the next
 * call. GDBMI_ETIMEOUT: it has not come, *error and the gdb are as before, and how long is too long
 * the caller decides. GDBMI_ETARGET: gdb refused it, *error has its words, and gdb can be asked on.
 * After any other failure it cannot.
 */
enum gdbmi_code gdbmi_gdb_take(struct gdbmi_gdb *gdb, int wait_ms, struct gdbmi_mi_message *answer,
                               struct gdbmi_error *error) __attribute__((warn_unused_result));

/* Readable when something came, unless gdbmi_gdb_take() was called and has not said GDBMI_ETIMEOUT
 * since; -1: it is closed. */
int gdbmi_gdb_fd(const struct gdbmi_gdb *gdb);

/* Ends it by force, at once, whatever it is at; NULL does nothing. */
void gdbmi_gdb_kill(struct gdbmi_gdb *gdb);

#endif
