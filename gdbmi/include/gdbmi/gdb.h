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
 * loads nothing from the network. timeout_ms bounds each answer, 0: 10 s; the first prompt has 30
 * s. On success *gdb is the caller's, to be given to gdbmi_gdb_close(). Otherwise it is untouched
 * and *error says in one line why: GDBMI_ECLOSED when the command ended, as it does when there is
 * no such program.
 */
enum gdbmi_code gdbmi_gdb_start(const char *command, int timeout_ms, struct gdbmi_gdb **gdb,
                                struct gdbmi_error *error) __attribute__((warn_unused_result));

/*
 * Runs one MI command of one line ("-data-disassemble ..."). *answer, which may be NULL, is valid
 * until the next call. GDBMI_ETARGET: gdb refused it, and *error has its words; gdb can be asked
 * on. After any other failure it cannot.
 */
enum gdbmi_code gdbmi_gdb_run(struct gdbmi_gdb *gdb, const char *command,
                              struct gdbmi_mi_message *answer, struct gdbmi_error *error)
    __attribute__((warn_unused_result));

/* Ends it, by force after 2 s; NULL does nothing. */
void gdbmi_gdb_close(struct gdbmi_gdb *gdb);

/*
 * The same for who cannot wait. gdbmi_gdb_begin() starts a gdb as gdbmi_gdb_start() does, and does
 * not wait for its first prompt, which is what the first gdbmi_gdb_take() brings. Each
 * gdbmi_gdb_send() is one command, and gdbmi_gdb_take() brings its answer as gdbmi_gdb_run() does,
 * waiting for wait_ms at most: GDBMI_ETIMEOUT when it has not come, *error and the gdb are as
 * before. How long is too long, the caller decides.
 */
enum gdbmi_code gdbmi_gdb_begin(const char *command, struct gdbmi_gdb **gdb,
                                struct gdbmi_error *error) __attribute__((warn_unused_result));
enum gdbmi_code gdbmi_gdb_send(struct gdbmi_gdb *gdb, const char *command,
                               struct gdbmi_error *error) __attribute__((warn_unused_result));
enum gdbmi_code gdbmi_gdb_take(struct gdbmi_gdb *gdb, int wait_ms, struct gdbmi_mi_message *answer,
                               struct gdbmi_error *error) __attribute__((warn_unused_result));

/* Readable when something came, unless gdbmi_gdb_take() was called and has not said GDBMI_ETIMEOUT
 * since; -1: it is closed. */
int gdbmi_gdb_fd(const struct gdbmi_gdb *gdb);

/* Ends it by force, at once, whatever it is at; NULL does nothing. */
void gdbmi_gdb_kill(struct gdbmi_gdb *gdb);

#endif
