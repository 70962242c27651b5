/* SPDX-License-Identifier: 0BSD */
/* What the log of our own gdb says about its connection; the log of the user's gdb is not seen. */
#ifndef GDBMI_SRC_MI_GREETING_H
#define GDBMI_SRC_MI_GREETING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mi_greeting {
    char line[160]; /* of the log, as far as it has come */
    size_t line_len;
    char complaint[160]; /* the last line that is not about packets, "" none */
    bool pushed;         /* the server reported a stop before it was asked: it ran */
    bool asked;          /* gdb has asked why the target stopped */
    int signal;          /* the answer, -1: none yet */
    uint64_t since_ns;   /* when the first packet was sent, 0: none was */
};

/* Takes a piece of gdb's log. */
void mi_note_log(struct mi_greeting *greeting, const char *text, size_t len);

/* Of a target that is halted now: whether it was our gdb's coming that halted it, by its log. QEMU
 * reports a stop unasked then, and only then. Of other servers a breakpoint's signal says that it
 * was not. */
bool mi_was_running(const struct mi_greeting *greeting);

#endif
