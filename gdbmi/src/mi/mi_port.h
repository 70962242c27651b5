/* SPDX-License-Identifier: 0BSD */
/* A client of gdb's machine interface: commands with tokens, their answers, and what gdb tells
 * unasked. */
#ifndef GDBMI_SRC_MI_PORT_H
#define GDBMI_SRC_MI_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/error.h>
#include <gdbmi/mi.h>
#include <gdbmi/stream.h>

#include "buffer.h"
#include "port.h"

/* What is done with a record of that kind and class (NULL: of any class). Each message goes to the
 * first entry that fits; a table ends with one that has no handle. */
struct mi_handler {
    enum gdbmi_mi_kind kind;
    const char *name;
    void (*handle)(void *context, const struct gdbmi_mi_message *message);
};

struct mi_port {
    struct port io;
    const struct mi_handler *handlers;
    void *context; /* of the handlers */
    struct gdbmi_mi_reader *reader;
    uint64_t token;    /* of the last command */
    char refusal[200]; /* gdb's words for the last command that failed, on one line */
    char other[100];   /* the last line that was no record; "" none */
    bool collecting;
    struct buffer text; /* what console and target printed meanwhile */
};

/* Takes over the stream, on failure too. */
enum gdbmi_code mi_port_open(struct mi_port *port, struct gdbmi_stream *stream, const char *address,
                             int timeout_ms, const struct mi_handler *handlers, void *context,
                             struct gdbmi_error *error);
void mi_port_close(struct mi_port *port);

/* The next message, which the table's handler has seen. GDBMI_ETIMEOUT when none comes by the
 * deadline: nothing is broken then, and error is untouched. */
enum gdbmi_code mi_port_receive(struct mi_port *port, uint64_t deadline,
                                struct gdbmi_mi_message *message, struct gdbmi_error *error);

/* Sends a command, of which the token is port->token then, and waits for nothing. */
enum gdbmi_code mi_port_send(struct mi_port *port, const char *command, struct gdbmi_error *error);

/* The answer to the last command that was sent, as mi_port_run() gives it. GDBMI_ETIMEOUT when it
 * has not come by the deadline: nothing is broken then, and error is untouched. */
enum gdbmi_code mi_port_answer(struct mi_port *port, uint64_t deadline,
                               struct gdbmi_mi_message *answer, struct gdbmi_error *error);

/*
 * Sends a command and waits for its own answer, for timeout_ms at most; others' answers are passed
 * over. *answer (which may be NULL) is valid until the next call. ^error is GDBMI_ETARGET with
 * gdb's words.
 */
enum gdbmi_code mi_port_run(struct mi_port *port, struct gdbmi_mi_message *answer,
                            struct gdbmi_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Runs a command of gdb's command line, quoted as it must be. */
enum gdbmi_code mi_port_console(struct mi_port *port, const char *command,
                                struct gdbmi_mi_message *answer, struct gdbmi_error *error);

/* The same, and *text is what it printed: the caller's to free. */
enum gdbmi_code mi_port_ask(struct mi_port *port, const char *command, char **text,
                            struct gdbmi_error *error);

/* gdb did not answer in time: nothing that it answers later can be told apart. */
enum gdbmi_code mi_port_silence(struct mi_port *port, struct gdbmi_error *error);

#endif
