/* SPDX-License-Identifier: 0BSD */
/* OpenOCD's Tcl port: commands whose answers prove themselves, and what it tells unasked. */
#include "tcl_port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

/* OpenOCD takes so many bytes at once, runs every command that ends in them, and only then serves
 * others: so each read of memory, which may be one of several, fills as many. */
#define SERVER_BYTES 256

void tcl_port_open(struct tcl_port *port, struct gdbmi_stream *stream, const char *address,
                   int timeout_ms)
{
    *port = (struct tcl_port){.address = address, .timeout_ms = timeout_ms};
    tcl_inbox_open(&port->tcl, stream);
    port->tcl.unknown = true;
}

static enum gdbmi_code out_of_memory(const struct tcl_port *port, struct gdbmi_error *error)
{
    return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", port->address);
}

static enum gdbmi_code not_openocd(const struct tcl_port *port, struct gdbmi_error *error)
{
    return gdbmi_error_set(error, GDBMI_EPROTOCOL, "%s: not OpenOCD's Tcl port", port->address);
}

static enum gdbmi_code damaged(struct tcl_port *port, const char *what, struct gdbmi_error *error)
{
    port->useless = true;
    if (!port->proven)
        return not_openocd(port, error);
    return gdbmi_error_set(error, GDBMI_EPROTOCOL,
                           "%s: %s arrived damaged: check the connection to OpenOCD", port->address,
                           what);
}

static enum gdbmi_code silence(struct tcl_port *port, struct gdbmi_error *error)
{
    double seconds = port->timeout_ms / 1000.0;

    port->useless = true;
    if (port->proven)
        return gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: OpenOCD did not answer within %g s",
                               port->address, seconds);
    if (!tcl_inbox_may_begin(&port->tcl, "mp") && !tcl_inbox_may_begin(&port->tcl, "type "))
        return not_openocd(port, error);
    return gdbmi_error_set(
        error, GDBMI_ETIMEOUT,
        "%s: nothing answered a Tcl command within %g s (is this OpenOCD's Tcl port?)",
        port->address, seconds);
}

static enum gdbmi_code write_out(struct tcl_port *port, const char *bytes, size_t len,
                                 struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    if (port->lost)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection was lost", port->address);
    if (port->tcl.stream->ops->write(port->tcl.stream, bytes, len, port->timeout_ms, &why) == 0)
        return GDBMI_OK;
    port->lost = port->useless = true;
    return gdbmi_error_take(error, &why);
}

/* What tcl_notifications pushes. It does not say which target it is of. */
static bool note(struct tcl_port *port, const char *message)
{
    if (strncmp(message, "type ", 5) != 0)
        return false;
    port->resets += strncmp(message, "type target_reset ", 18) == 0;
    return true;
}

static enum gdbmi_code take_from(struct tcl_port *port, struct tcl_inbox *inbox, uint64_t deadline,
                                 char **message, struct gdbmi_error *error)
{
    enum gdbmi_code code = tcl_inbox_take(inbox, deadline, port->address, message, error);

    if (code == GDBMI_OK)
        return code;
    port->useless = true;
    if (code == GDBMI_ETIMEOUT)
        return silence(port, error);
    if (code == GDBMI_EPROTOCOL && error->code == GDBMI_OK)
        return not_openocd(port, error);
    port->lost = port->lost || (code == GDBMI_ECLOSED && inbox == &port->tcl);
    return code;
}

/* Notifications are passed over. */
static enum gdbmi_code take_result(struct tcl_port *port, uint64_t deadline, char **message,
                                   struct gdbmi_error *error)
{
    enum gdbmi_code code;

    do {
        code = take_from(port, &port->tcl, deadline, message, error);
    } while (code == GDBMI_OK && note(port, *message));
    return code;
}

enum gdbmi_code tcl_port_result(struct tcl_port *port, char **message, struct gdbmi_error *error)
{
    return take_result(port, clock_deadline(port->timeout_ms), message, error);
}

/* Fills up the bytes that the server takes at once. */
static void fill_up(struct tcl_port *port)
{
    while ((port->out.len + 1) % SERVER_BYTES != 0)
        port->out.data[port->out.len++] = ' ';
}

enum gdbmi_code tcl_port_queue(struct tcl_port *port, const char *script, const char *query,
                               struct gdbmi_error *error)
{
    unsigned slot = (port->sent + 1) % TCL_PIPE_MAX;
    const char *asked = query != NULL ? query : "";

    if (port->useless)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection was lost", port->address);
    if (strchr(script, TCL_END_OF_MESSAGE) != NULL)
        return gdbmi_error_set(error, GDBMI_EARG, "%s: a command holds a control character",
                               port->address);
    size_t room = tcl_proof_frame_max(script, asked) + SERVER_BYTES;
    if (!buffer_reserve(&port->out, room))
        return out_of_memory(port, error);
    port->out.len += tcl_proof_frame(port->name, ++port->sent, script, asked, port->utf8,
                                     port->out.data + port->out.len, port->sums[slot]);
    port->numbers[slot] = query != NULL;
    if (query != NULL)
        fill_up(port);
    port->out.data[port->out.len++] = TCL_END_OF_MESSAGE;
    return GDBMI_OK;
}

enum gdbmi_code tcl_port_send(struct tcl_port *port, struct gdbmi_error *error)
{
    size_t len = port->out.len;

    port->out.len = 0;
    return write_out(port, port->out.data, len, error);
}

enum gdbmi_code tcl_port_take(struct tcl_port *port, struct tcl_answer *answer,
                              struct gdbmi_error *error)
{
    unsigned slot = ++port->taken % TCL_PIPE_MAX;
    uint64_t deadline = clock_deadline(port->timeout_ms);
    char *message;

    enum gdbmi_code code = take_result(port, deadline, &message, error);
    if (code == GDBMI_OK && port->quiet.stream != NULL) {
        /* A result of the command proper says why our procedure did not run. */
        if (message[0] != '\0')
            return damaged(port, "a command or its answer", error);
        code = take_from(port, &port->quiet, deadline, &message, error);
    }
    if (code != GDBMI_OK)
        return code;
    if (!tcl_proof_check(message, port->taken, port->sums[slot], port->numbers[slot], port->utf8,
                         answer))
        return damaged(port, "an answer", error);
    if (answer->damaged)
        return damaged(port, "a command", error);
    if (!answer->failed)
        return GDBMI_OK;
    const char *text = answer->text[0] != '\0' ? answer->text : "no reason given";
    return gdbmi_error_set(error, GDBMI_ETARGET, "%s: OpenOCD says: %.*s", port->address,
                           (int)strcspn(text, "\r\n"), text);
}

enum gdbmi_code tcl_port_run(struct tcl_port *port, const char *script, char **result,
                             struct gdbmi_error *error)
{
    struct tcl_answer answer;

    enum gdbmi_code code = tcl_port_queue(port, script, NULL, error);
    if (code == GDBMI_OK)
        code = tcl_port_send(port, error);
    if (code == GDBMI_OK)
        code = tcl_port_take(port, &answer, error);
    if (code != GDBMI_OK)
        return code;
    *result = strdup(answer.text);
    return *result != NULL ? GDBMI_OK : out_of_memory(port, error);
}

enum gdbmi_code tcl_port_tell(struct tcl_port *port, const char *script, struct gdbmi_error *error)
{
    size_t room = strlen(script) + 2;
    char *message = malloc(room);

    if (message == NULL)
        return out_of_memory(port, error);
    snprintf(message, room, "%s%c", script, TCL_END_OF_MESSAGE);
    enum gdbmi_code code = write_out(port, message, room - 1, error);
    free(message);
    return code;
}

bool tcl_port_leave_gdb_port(struct tcl_port *port)
{
    struct gdbmi_error ignored = {.code = GDBMI_OK};

    if (!port->gdb_port)
        return false;
    /* OpenOCD takes one gdb, and would turn away the link that comes next, as a gdb's, while it has
     * not seen that this one has left. */
    port->tcl.stream->linger_ms = port->timeout_ms;
    /* Only QEMU says of its own accord that its machine ran. */
    if (!tcl_inbox_begins(&port->tcl, "$T02"))
        return true;
    /* An empty packet first: it ends whatever our command looked like. */
    (void)port->tcl.stream->ops->write(port->tcl.stream, "+$#00+$c#63", 11, port->timeout_ms,
                                       &ignored);
    return true;
}
