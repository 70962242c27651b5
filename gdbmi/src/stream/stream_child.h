/* SPDX-License-Identifier: 0BSD */
/* A byte stream to a process of ours: what we write is its input, what it prints is what we read.
 */
#ifndef GDBMI_SRC_STREAM_CHILD_H
#define GDBMI_SRC_STREAM_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <gdbmi/stream.h>

struct child_stream {
    struct gdbmi_stream base;
    pid_t pid; /* of the shell; it leads a session, and so a process group, of its own */
    int in;    /* a socket, which the process has as its input */
    int out;
    int err;
    char name[64];  /* for the texts of errors */
    char said[200]; /* the last line that it wrote to its standard error */
    size_t said_len;
    bool said_all; /* the line has ended: what comes next begins another */
    bool reaped;
    int status; /* of waitpid(), once reaped */
};

/*
 * Starts command by sh -c, out of reach of the signals of our terminal. On success *stream is the
 * caller's; else it is untouched. Closing it closes the process's input, waits for its end, then
 * ends it by force with all of its process group: it takes 2 s at most.
 */
enum gdbmi_code child_stream_open(const char *command, const char *name,
                                  struct child_stream **stream, struct gdbmi_error *error)
    __attribute__((warn_unused_result));

/* The name of the program in a command, "" if there is none. */
void child_program_name(const char *command, char *name, size_t capacity);

/* Ends the process and its group by force, so that closing the stream does not wait. */
void child_stream_kill(struct child_stream *stream);

#endif
