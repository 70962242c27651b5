/* SPDX-License-Identifier: 0BSD */
/* What a connection does if links are recorded or played: see gdbmi/record.h. */
#ifndef GDBMI_SRC_RECORD_H
#define GDBMI_SRC_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include <gdbmi/record.h>
#include <gdbmi/stream.h>

/* Labels of connections that have no address. */
#define RECORD_LABEL_BACK "back" /* a connection that the server makes to mprof */
#define RECORD_LABEL_GDB  "gdb"  /* a gdb; its texts are not recorded */

/* Whether the links of this thread are played: then nothing is connected to. */
bool record_plays(void);

/* Makes a connection of the record that is played. label: one of those above, or NULL: that of the
 * address. Returns what was recorded, or GDBMI_EPLAY. */
enum gdbmi_code record_connect(const char *label, const char *address, struct gdbmi_stream **stream,
                               struct gdbmi_error *error);

/* Records a connection and what goes over it from now on: *stream is replaced. code: what came of
 * it, with *error and no stream if it is not GDBMI_OK. Does nothing if nothing is recorded. Returns
 * code, or GDBMI_ENOMEM: then the stream is closed. */
enum gdbmi_code record_connection(const char *label, const char *address, enum gdbmi_code code,
                                  struct gdbmi_stream **stream, struct gdbmi_error *error);

/* Records bytes that were chosen by chance or by the system and that the server gets to know, or
 * replaces them by those of the record that is played. */
void record_choice(void *bytes, size_t len);

/* Returns the options of the links in the record that is played; GDBMI_OK of gdbmi_record_begin()
 * says that there is one. They may be changed; tcl only by the next function. */
struct gdbmi_options *record_options(void);

/* Sets the member tcl of these options to a copy of the address. */
void record_set_tcl(const char *address);

#endif
