/* SPDX-License-Identifier: 0BSD */
/* A byte stream to a child process: writes to its standard input, reads its standard output. */
#ifndef GDBMI_SRC_STREAM_CHILD_H
#define GDBMI_SRC_STREAM_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <gdbmi/stream.h>

struct guardian;

/* What a process may use, above which the kernel ends it or refuses it memory. The shell also ends
 * with the thread that started it, and neither it nor a program of its writes a core file. */
struct child_bounds {
    uint64_t memory; /* bytes of its own: data, heap, stacks of threads; none of files */
    uint64_t cpu_s;  /* processor time; above it, SIGXCPU */
};

/* The stream; its owner frees it with gdbmi_stream_close(). */
struct child_stream {
    struct gdbmi_stream base;
    pid_t pid;       /* the shell, which leads a session and a process group of its own */
    int in;          /* this process's ends: a socket, its standard input */
    int out;         /* pipe from its standard output; -1 after its end */
    int err;         /* pipe from its standard error; -1 after its end */
    char name[64];   /* of the program, for error texts */
    char said[200];  /* the last line that it wrote to its standard error */
    size_t said_len; /* bytes of said */
    bool said_all;   /* that line is complete */
    bool reaped;     /* it has ended, and status is valid */
    int status;      /* as waitpid() gives it */
};

/*
 * Starts command, a shell command, with sh -c in a session of its own: signals of the terminal do
 * not reach it. name is copied. guardian, or NULL, is lent this process's ends of the command's
 * output, input and error before the command starts, so that it can speak to the command even if
 * this process dies at once. On success it belongs to the stream, else still to the caller. bounds
 * may be NULL; each program that the command starts has the same. On success *stream belongs to the
 * caller. On failure *stream is unchanged and *error says why. A read or write that fails may last
 * 5 s longer than its limit: until the process has ended, and can say why. If the shell does not
 * find the program, the first read fails.
 *
 * Closing the stream closes the process's input and waits for its end for 1.2 s, then sends
 * SIGTERM, and 0.5 s later SIGKILL to its process group.
 */
enum gdbmi_code child_stream_open(const char *command, const char *name, struct guardian *guardian,
                                  const struct child_bounds *bounds, struct child_stream **stream,
                                  struct gdbmi_error *error) __attribute__((warn_unused_result));

/* Writes the name of the program in a command, without its folder, to name, which has room for
 * capacity bytes: "gdb" of "/usr/bin/gdb -q". "" if there is none. */
void child_program_name(const char *command, char *name, size_t capacity);

/* Whether it has ended because it used more processor time than its bounds allow, itself or what
 * the shell ran. */
bool child_stream_overran(const struct child_stream *stream);

/* Kills the process and its group, so that closing the stream does not wait. The stream must still
 * be closed. */
void child_stream_kill(struct child_stream *stream);

#endif
