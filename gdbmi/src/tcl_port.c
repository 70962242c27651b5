/* SPDX-License-Identifier: 0BSD */
/* OpenOCD's Tcl port: one command, one result. */
#include "tcl_port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define END_OF_MESSAGE '\x1a'
#define RESULT_MAX     (1U << 20)
#define FRAME_ROOM     96 /* what a script is wrapped into */

void tcl_port_open(struct tcl_port *port, struct gdbmi_stream *stream, const char *address,
                   int timeout_ms)
{
    *port = (struct tcl_port){.stream = stream, .address = address, .timeout_ms = timeout_ms};
}

void tcl_port_close(struct tcl_port *port)
{
    gdbmi_stream_close(port->stream);
    free(port->in);
}

static enum gdbmi_code out_of_memory(const struct tcl_port *port, struct gdbmi_error *error)
{
    return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", port->address);
}

/* The text so that it is one word between double quotes. Returns its length. */
static size_t quote(const char *script, char *out)
{
    char *at = out;

    for (; *script != '\0'; script++) {
        if (strchr("\\\"$[]{}", *script) != NULL)
            *at++ = '\\';
        *at++ = *script;
    }
    return (size_t)(at - out);
}

/* The port has no flag of success, and no way to tell whose a result is: so the script's return
 * code and a number of ours stand before the result. */
static enum gdbmi_code send_script(struct tcl_port *port, const char *script,
                                   struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};
    enum gdbmi_code code = GDBMI_OK;

    if (strchr(script, END_OF_MESSAGE) != NULL)
        return gdbmi_error_set(error, GDBMI_EARG, "%s: a command holds a control character",
                               port->address);
    char *message = malloc(2 * strlen(script) + FRAME_ROOM);
    if (message == NULL)
        return out_of_memory(port, error);
    size_t len =
        (size_t)snprintf(message, FRAME_ROOM, "format {mp%u %%d %%s} [catch \"", ++port->sequence);
    len += quote(script, message + len);
    len += (size_t)snprintf(message + len, FRAME_ROOM / 2, "\" _mprof] $_mprof%c", END_OF_MESSAGE);
    if (port->stream->ops->write(port->stream, message, len, port->timeout_ms, &why) != 0) {
        port->broken = true;
        code = gdbmi_error_set(error, why.code, "%s", why.text);
    }
    free(message);
    return code;
}

static enum gdbmi_code silence(const struct tcl_port *port, struct gdbmi_error *error)
{
    double seconds = port->timeout_ms / 1000.0;

    if (port->answered)
        return gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: OpenOCD did not answer within %g s",
                               port->address, seconds);
    return gdbmi_error_set(error, GDBMI_ETIMEOUT,
                           "%s: nothing answered a Tcl command within %g s: is this %s",
                           port->address, seconds, "OpenOCD's Tcl port?");
}

static enum gdbmi_code fill(struct tcl_port *port, uint64_t deadline, struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    if (port->in_capacity - port->in_len < 4096) {
        char *grown = NULL;
        if (port->in_capacity >= RESULT_MAX)
            return gdbmi_error_set(error, GDBMI_EPROTOCOL, "%s: too long a result", port->address);
        size_t capacity = port->in_capacity == 0 ? 16384 : port->in_capacity * 2;
        grown = realloc(port->in, capacity);
        if (grown == NULL)
            return out_of_memory(port, error);
        port->in = grown;
        port->in_capacity = capacity;
    }
    int len =
        port->stream->ops->read(port->stream, port->in + port->in_len,
                                port->in_capacity - port->in_len, clock_left_ms(deadline), &why);
    if (len > 0)
        port->in_len += (size_t)len;
    else if (len == 0)
        return silence(port, error);
    else
        return gdbmi_error_set(error, why.code, "%s", why.text);
    return GDBMI_OK;
}

/* Waits for a whole message; it is NUL-terminated at the start of port->in, *len bytes long. */
static enum gdbmi_code receive(struct tcl_port *port, uint64_t deadline, size_t *len,
                               struct gdbmi_error *error)
{
    size_t searched = 0;
    char *end = NULL;

    for (;;) {
        if (port->in_len > searched)
            end = memchr(port->in + searched, END_OF_MESSAGE, port->in_len - searched);
        if (end != NULL)
            break;
        searched = port->in_len;
        enum gdbmi_code code = fill(port, deadline, error);
        if (code != GDBMI_OK) {
            port->broken = true;
            return code;
        }
    }
    *end = '\0';
    *len = (size_t)(end - port->in);
    return GDBMI_OK;
}

static void drop_message(struct tcl_port *port, size_t len)
{
    port->in_len -= len + 1;
    memmove(port->in, port->in + len + 1, port->in_len);
}

static enum gdbmi_code take_result(struct tcl_port *port, char **result, struct gdbmi_error *error)
{
    unsigned sequence;
    int status;
    int head = -1;

    sscanf(port->in, "mp%u %d%n", &sequence, &status, &head);
    if (head < 0 || sequence != port->sequence || port->in[head] != ' ') {
        port->broken = true;
        return gdbmi_error_set(error, GDBMI_EPROTOCOL,
                               "%s: what answered is not OpenOCD's Tcl port", port->address);
    }
    port->answered = true;
    const char *text = port->in + head + 1;
    if (status != 0)
        return gdbmi_error_set(error, GDBMI_ETARGET, "%s: OpenOCD says: %.*s", port->address,
                               text[0] != '\0' ? (int)strcspn(text, "\r\n") : 9,
                               text[0] != '\0' ? text : "no reason");
    *result = strdup(text);
    return *result != NULL ? GDBMI_OK : out_of_memory(port, error);
}

/* What tcl_notifications pushes, if somebody turned it on for all. */
static bool is_notification(const char *message)
{
    return strncmp(message, "type ", 5) == 0;
}

enum gdbmi_code tcl_port_run(struct tcl_port *port, const char *script, char **result,
                             struct gdbmi_error *error)
{
    uint64_t deadline = clock_deadline(port->timeout_ms);
    size_t len = 0;
    bool notification = true;

    if (port->broken)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection was lost", port->address);
    enum gdbmi_code code = send_script(port, script, error);
    while (code == GDBMI_OK && notification) {
        code = receive(port, deadline, &len, error);
        if (code != GDBMI_OK)
            break;
        notification = is_notification(port->in);
        if (!notification)
            code = take_result(port, result, error);
        drop_message(port, len);
    }
    return code;
}
