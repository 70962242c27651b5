/* SPDX-License-Identifier: 0BSD */
/* A gdb that the library starts to ask it about files: commands and answers, without a target. */
#ifndef GDBMI_GDB_H
#define GDBMI_GDB_H

#include <stdint.h>

#include <gdbmi/error.h>
#include <gdbmi/mi.h>

/* One such gdb, which answers one command after another. */
struct gdbmi_gdb;

/*
 * Starts a gdb. command is a shell command like "gdb-multiarch"; options are added to it: MI, no
 * init files, no debug information, no downloads. len is the length of the file that it will be
 * asked about, in bytes: gdb may use memory and processor time in proportion to it, and a fixed
 * amount besides. The process is in a session of its own, so a Ctrl-C at the terminal does not
 * reach it; it ends with the thread that called this, unless the command is more than a program and
 * its words. Returns without waiting for the first prompt: the first gdbmi_gdb_take() returns that,
 * with no command sent.
 *
 * On success *gdb belongs to the caller, who ends it with gdbmi_gdb_kill(). On failure *gdb is
 * unchanged and *error says why. A program that does not exist is found later, by
 * gdbmi_gdb_take(): GDBMI_ECLOSED.
 */
enum gdbmi_code gdbmi_gdb_begin(const char *command, uint64_t len, struct gdbmi_gdb **gdb,
                                struct gdbmi_error *error) __attribute__((warn_unused_result));

/* Sends one MI command: one line of at most 4095 characters, without a newline, such as
 * "-data-disassemble ..." (gdb manual, "The GDB/MI Interface"). Take its answer before the next one
 * is sent. Returns GDBMI_EARG if the command is not such a line. After any other failure gdb can no
 * longer be used. *error says why. */
enum gdbmi_code gdbmi_gdb_send(struct gdbmi_gdb *gdb, const char *command,
                               struct gdbmi_error *error) __attribute__((warn_unused_result));

/*
 * Takes the answer to the command that was sent last, and waits for it for wait_ms at most, 0 or
 * more. *answer is valid until the next call. *error must hold no error before the call.
 *
 * Returns GDBMI_ETIMEOUT if it has not come; *error is unchanged, and the call can be repeated.
 * Returns GDBMI_ETARGET if gdb refused the command; *error has gdb's text, and the next command can
 * be sent. After any other failure gdb can no longer be used; GDBMI_ENOMEM: it needed more memory
 * or processor time than it may use.
 */
enum gdbmi_code gdbmi_gdb_take(struct gdbmi_gdb *gdb, int wait_ms, struct gdbmi_mi_message *answer,
                               struct gdbmi_error *error) __attribute__((warn_unused_result));

/* A descriptor for poll(), which stays gdb's. It is readable when an answer may have come. Call
 * gdbmi_gdb_take() until it returns GDBMI_ETIMEOUT before polling: bytes that were read already do
 * not make it readable. -1 if it is closed. */
int gdbmi_gdb_fd(const struct gdbmi_gdb *gdb);

/* Kills gdb at once, and frees it. NULL is allowed and does nothing. */
void gdbmi_gdb_kill(struct gdbmi_gdb *gdb);

#endif
