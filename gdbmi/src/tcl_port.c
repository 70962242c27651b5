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
#define FILL_MIN       4096
/* Notifications beyond the deadline: what has arrived is passed over, but a flood ends. */
#define LATE_MAX 256

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
enum gdbmi_code tcl_port_send(struct tcl_port *port, const char *script, struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};
    enum gdbmi_code code = GDBMI_OK;

    if (port->lost)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection was lost", port->address);
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
        port->lost = true;
        code = gdbmi_error_set(error, why.code, "%s", why.text);
    }
    free(message);
    return code;
}

/* Whether what came may be the beginning of a message. */
static bool is_beginning(const struct tcl_port *port)
{
    size_t len = port->in_len - port->in_at;
    const char *text = len > 0 ? port->in + port->in_at : "";

    return strncmp(text, "mp", len < 2 ? len : 2) == 0 ||
           strncmp(text, "type ", len < 5 ? len : 5) == 0;
}

static enum gdbmi_code not_openocd(const struct tcl_port *port, struct gdbmi_error *error)
{
    return gdbmi_error_set(error, GDBMI_EPROTOCOL, "%s: what answered is not OpenOCD's Tcl port",
                           port->address);
}

static enum gdbmi_code silence(const struct tcl_port *port, struct gdbmi_error *error)
{
    double seconds = port->timeout_ms / 1000.0;

    if (!is_beginning(port))
        return not_openocd(port, error);
    if (port->answered)
        return gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: OpenOCD did not answer within %g s",
                               port->address, seconds);
    return gdbmi_error_set(error, GDBMI_ETIMEOUT,
                           "%s: nothing answered a Tcl command within %g s: is this %s",
                           port->address, seconds, "OpenOCD's Tcl port?");
}

/* Makes room behind what is to be kept. */
static enum gdbmi_code make_room(struct tcl_port *port, struct gdbmi_error *error)
{
    port->in_len -= port->in_at;
    if (port->in_at > 0 && port->in_len > 0)
        memmove(port->in, port->in + port->in_at, port->in_len);
    port->in_at = 0;
    if (port->in_capacity - port->in_len >= FILL_MIN)
        return GDBMI_OK;
    if (port->in_capacity >= RESULT_MAX)
        return gdbmi_error_set(error, GDBMI_EPROTOCOL, "%s: too long a result", port->address);
    size_t capacity = port->in_capacity == 0 ? 4 * FILL_MIN : port->in_capacity * 2;
    char *grown = realloc(port->in, capacity);
    if (grown == NULL)
        return out_of_memory(port, error);
    port->in = grown;
    port->in_capacity = capacity;
    return GDBMI_OK;
}

static enum gdbmi_code fill(struct tcl_port *port, uint64_t deadline, struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    enum gdbmi_code code = make_room(port, error);
    if (code != GDBMI_OK)
        return code;
    int len =
        port->stream->ops->read(port->stream, port->in + port->in_len,
                                port->in_capacity - port->in_len, clock_left_ms(deadline), &why);
    if (len == 0)
        return silence(port, error);
    if (len > 0) {
        port->in_len += (size_t)len;
        return GDBMI_OK;
    }
    port->lost = true;
    return gdbmi_error_set(error, why.code, "%s", why.text);
}

/* Takes the next whole message, NUL-terminated; it is valid until the next call. */
static enum gdbmi_code receive(struct tcl_port *port, uint64_t deadline, const char **message,
                               struct gdbmi_error *error)
{
    size_t searched = 0; /* of what was not taken */
    char *end = NULL;

    for (;;) {
        size_t len = port->in_len - port->in_at;
        if (len > searched)
            end = memchr(port->in + port->in_at + searched, END_OF_MESSAGE, len - searched);
        if (end != NULL)
            break;
        searched = len;
        enum gdbmi_code code = fill(port, deadline, error);
        if (code != GDBMI_OK) {
            port->useless = true;
            return code;
        }
    }
    *end = '\0';
    *message = port->in + port->in_at;
    port->in_at = (size_t)(end - port->in) + 1;
    return GDBMI_OK;
}

static enum gdbmi_code take_result(struct tcl_port *port, const char *message, char **result,
                                   struct gdbmi_error *error)
{
    unsigned sequence;
    int status;
    int head = -1;

    sscanf(message, "mp%u %d%n", &sequence, &status, &head);
    if (head < 0 || sequence != port->sequence || message[head] != ' ') {
        port->useless = true;
        return not_openocd(port, error);
    }
    port->answered = true;
    const char *text = message + head + 1;
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
    const char *message;
    unsigned late = 0;

    if (port->useless)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection was lost", port->address);
    enum gdbmi_code code = tcl_port_send(port, script, error);
    while (code == GDBMI_OK) {
        code = receive(port, deadline, &message, error);
        if (code != GDBMI_OK)
            break;
        if (!is_notification(message))
            return take_result(port, message, result, error);
        if (clock_left_ms(deadline) == 0 && late++ == LATE_MAX) {
            port->useless = true;
            code = silence(port, error);
        }
    }
    return code;
}
