/* SPDX-License-Identifier: 0BSD */
/* How a command to OpenOCD and its answer prove that they arrived whole: the port has no checksum.
 */
#ifndef GDBMI_SRC_TCL_PROOF_H
#define GDBMI_SRC_TCL_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A Tcl procedure of ours runs every command. It gets the command's number and sum, runs nothing
 * that is damaged, and sends back both with the result and a sum over all of it: so an answer that
 * passes is the answer to this request, whole.
 */

#define TCL_SUM_TEXT    44 /* "a.b" and a NUL */
#define TCL_NAME_MAX    24
#define TCL_HELLO_MAX   2048
#define TCL_NONCE_CHARS 32

/*
 * Script that defines the procedure called name. With a port other than 0 it opens the quiet
 * channel, a connection from OpenOCD to that port of 127.0.0.1, on which the nonce comes first; the
 * result is
 * "", an end of the channel removes the procedure, and where the channel can't be opened the result
 * is "mp" and there is no procedure. With port 0 the result is "mp" and there is one.
 */
void tcl_proof_hello(const char *name, unsigned port, const char *nonce,
                     char script[static TCL_HELLO_MAX]);

/* Scripts for the other end: what shows the procedure as it arrived, and what removes it. The
 * result of the first one is "1 " (characters are code points) or "2 ", and then the text of
 * tcl_proof_shown(). */
void tcl_proof_show(const char *name, char script[static TCL_HELLO_MAX]);
void tcl_proof_shown(const char *name, char text[static TCL_HELLO_MAX]);
void tcl_proof_goodbye(const char *name, char script[static TCL_HELLO_MAX]);

/* Bytes that tcl_proof_frame() writes at most. */
size_t tcl_proof_frame_max(const char *script, const char *query);

/*
 * Writes the command, NUL-terminated, that runs a script under the proof; returns its length. sum
 * is what its answer must repeat. utf8: a character is a code point, not a byte. With a query ("" :
 * none) the script's result is a list of numbers, and that of the query, one word, comes with it.
 */
size_t tcl_proof_frame(const char *name, unsigned sequence, const char *script, const char *query,
                       bool utf8, char *out, char sum[static TCL_SUM_TEXT]);

struct tcl_answer {
    bool damaged;      /* the request was: nothing was run */
    bool failed;       /* text is the server's reason */
    const char *state; /* result of the query, NUL-terminated; "" without one */
    const char *text;  /* the result; numbers are hexadecimal, without "0x" */
};

/* Takes an answer apart, in place. false: it is not the answer to that request, or not whole. */
bool tcl_proof_check(char *message, unsigned sequence, const char *sum, bool numbers, bool utf8,
                     struct tcl_answer *answer);

#endif
