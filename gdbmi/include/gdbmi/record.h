/* SPDX-License-Identifier: 0BSD */
/* Records of what goes over links, and servers made of them. docs/record.md has the format. */
#ifndef GDBMI_RECORD_H
#define GDBMI_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <gdbmi/link.h>

/*
 * Begins to record all links to options->record, or to play options->play; does nothing if options
 * have neither, or if that file was begun before. There is one record in a process, until
 * gdbmi_record_end(), and it is of the links of the thread that called this or gdbmi_record_take()
 * last.
 *
 * A record is a text file: it has the bytes of both directions, their times, and which kinds of
 * connections were made. It has no path, no name of a host, and no text of a gdb that may be the
 * name of a file or a function. Each line is written at once, so a record that was cut short, by a
 * kill for example, can be played up to its last whole line. program is the text of its line
 * "program", or NULL.
 *
 * Returns GDBMI_EARG if both are given or if the options name a target that cannot be recorded: a
 * process, a file, or a server that is shared with options->serve; GDBMI_EPLAY if the file cannot
 * be read or written, or is no record. gdbmi_link_open() calls this, too: a caller of
 * gdbmi_record_now_ns() calls it earlier.
 */
enum gdbmi_code gdbmi_record_begin(const struct gdbmi_options *options, const char *program,
                                   struct gdbmi_error *error) __attribute__((warn_unused_result));

/* Makes the record, if there is one, that of the calling thread: for a program that hands its links
 * from thread to thread. Only one thread at a time may use them. */
void gdbmi_record_take(void);

/*
 * Returns the monotonic time in nanoseconds. A program that decides by the time what it asks its
 * target must use this clock in the thread of its links: while recording, the times that this
 * thread sees are recorded, and the same thread of a program that plays sees the same times. So it
 * makes the same requests, however fast it is.
 */
uint64_t gdbmi_record_now_ns(void);

/* Returns true if a record is played: then there is nothing to wait for, and the clock moves by
 * ms milliseconds if the record does not say how much later it is. */
bool gdbmi_record_skip(int ms);

/* Ends the record, or playing it, after all links were closed. Returns GDBMI_OK, or GDBMI_EPLAY if
 * some of the record could not be written. Does nothing if there is none. */
enum gdbmi_code gdbmi_record_end(struct gdbmi_error *error) __attribute__((warn_unused_result));

#endif
