/* SPDX-License-Identifier: 0BSD */
/* GDB remote packets over a stream: acks, sending again, console output, time limits. */
#include "rsp_port.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"

#define TELNET_IAC  0xff
#define TELNET_WILL 0xfb

/* What ends a command of OpenOCD's Tcl port, and its answer; and how long that is waited for. */
#define TCL_END "\x1a"
#define TCL_MS  200

/* How often a damaged packet is sent or asked for again. */
#define TRIES_MAX 3
/* What a command of the server may print before the rest is dropped. */
#define CONSOLE_MAX (1U << 20)

enum gdbmi_code rsp_port_open(struct rsp_port *port, struct gdbmi_stream *stream,
                              const char *address, int timeout_ms, struct gdbmi_error *error)
{
    memset(port, 0, sizeof(*port));
    port->io.stream = stream;
    port->io.address = address;
    port->io.timeout_ms = timeout_ms;
    port->acked = true;
    port->console_max = CONSOLE_MAX;
    port->reader = gdbmi_rsp_reader_new();
    if (port->reader != NULL)
        return GDBMI_OK;
    rsp_port_close(port);
    return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address);
}

void rsp_port_close(struct rsp_port *port)
{
    gdbmi_stream_close(port->io.stream);
    gdbmi_rsp_reader_free(port->reader);
    buffer_free(&port->console);
}

static enum gdbmi_code say_lost(const struct rsp_port *port, const struct gdbmi_error *why,
                                struct gdbmi_error *error)
{
    if (why->code == GDBMI_ECLOSED && port->packets == 0)
        return gdbmi_error_set_hint(error, GDBMI_ECLOSED, GDBMI_HINT_GDB_IF,
                                    "%s: the server closed the connection without a gdb packet (is "
                                    "another gdb attached, or is this not a gdb server?)",
                                    port->io.address);
    return gdbmi_error_take(error, why);
}

static enum gdbmi_code damaged(struct rsp_port *port, const char *what, struct gdbmi_error *error)
{
    port->io.useless = true;
    return gdbmi_error_set_hint(error, GDBMI_EPROTOCOL, GDBMI_HINT_GDB_IF,
                                "%s: %s (is this a gdb server?)", port->io.address, what);
}

static enum gdbmi_code put_bytes(struct rsp_port *port, const char *bytes, size_t len,
                                 struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    if (port->io.lost)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection was lost",
                               port->io.address);
    enum gdbmi_code code = port_put(&port->io, bytes, len, &why);
    return code == GDBMI_OK ? code : say_lost(port, &why, error);
}

enum gdbmi_code rsp_port_flush(struct rsp_port *port, struct gdbmi_error *error)
{
    char acks[RSP_PORT_OWED_MAX];

    if (port->owed == 0)
        return GDBMI_OK;
    memset(acks, '+', port->owed);
    size_t count = port->owed;
    port->owed = 0;
    return put_bytes(port, acks, count, error);
}

static enum gdbmi_code send_behind(struct rsp_port *port, const char *interrupt,
                                   const char *payload, struct gdbmi_error *error)
{
    char *packet = port->out + RSP_PORT_OWED_MAX;
    size_t before = strlen(interrupt);

    port->out_len = gdbmi_rsp_build(payload, strlen(payload), packet, RSP_PORT_OUT_MAX);
    if (port->out_len == 0)
        return gdbmi_error_set(error, GDBMI_EARG, "%s: the request is too long", port->io.address);
    snprintf(port->request, sizeof(port->request), "%s", payload);
    port->acked = port->no_ack;
    port->resends = 0;
    port->naks = 0;
    memcpy(packet - before, interrupt, before);
    before += port->owed;
    memset(packet - before, '+', port->owed);
    port->owed = 0;
    return put_bytes(port, packet - before, before + port->out_len, error);
}

enum gdbmi_code rsp_port_send(struct rsp_port *port, const char *payload, struct gdbmi_error *error)
{
    return send_behind(port, "", payload, error);
}

/* There is room: acks that are owed go out before they are as many. */
enum gdbmi_code rsp_port_interrupt_and_send(struct rsp_port *port, const char *payload,
                                            struct gdbmi_error *error)
{
    return send_behind(port, "\003", payload, error);
}

enum gdbmi_code rsp_port_send_together(struct rsp_port *port, char (*payloads)[RSP_PORT_SHORT],
                                       size_t count, struct gdbmi_error *error)
{
    char *packets = port->out + RSP_PORT_OWED_MAX;
    size_t len = 0;

    for (size_t i = 0; i < count; i++)
        len += gdbmi_rsp_build(payloads[i], strlen(payloads[i]), packets + len,
                               RSP_PORT_OUT_MAX - len);
    snprintf(port->request, sizeof(port->request), "%s", payloads[0]);
    return put_bytes(port, packets, len, error);
}

enum gdbmi_code rsp_port_interrupt(struct rsp_port *port, struct gdbmi_error *error)
{
    snprintf(port->request, sizeof(port->request), "Ctrl-C");
    return put_bytes(port, "\003", 1, error);
}

/* Such a server begins with what it can do (RFC 854). OpenOCD's then repeats our packets, which
 * would pass for answers. */
static bool is_telnet(const struct rsp_port *port)
{
    const unsigned char *in = (const unsigned char *)port->io.in + port->io.in_at;

    return port->io.in_len - port->io.in_at >= 2 && in[0] == TELNET_IAC && in[1] >= TELNET_WILL;
}

static enum gdbmi_code refuse_telnet(struct rsp_port *port, struct gdbmi_error *error)
{
    port->foreign = true;
    port->io.useless = true;
    return gdbmi_error_set_hint(
        error, GDBMI_EPROTOCOL, GDBMI_HINT_GDB_IF,
        "%s: a telnet port, not a gdb port, which OpenOCD has at 3333 by default",
        port->io.address);
}

static enum gdbmi_code fill(struct rsp_port *port, uint64_t deadline, struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    if (port->io.useless)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection was lost",
                               port->io.address);
    enum gdbmi_code code = port_fill(&port->io, deadline, &why);
    if (code == GDBMI_OK && port->first_ns == 0) {
        port->first_ns = clock_now_ns();
        if (is_telnet(port))
            return refuse_telnet(port, error);
    }
    return why.code == GDBMI_OK ? code : say_lost(port, &why, error);
}

/* OpenOCD sends an empty one to keep us patient; "OK" is an answer. */
static bool is_console(const struct gdbmi_rsp_message *message)
{
    return message->len >= 1 && message->data[0] == 'O' && strcmp(message->data, "OK") != 0;
}

static enum gdbmi_code take_packet(struct rsp_port *port, const struct gdbmi_rsp_message *message,
                                   bool *deliver, struct gdbmi_error *error)
{
    port->packets++;
    if (!port->no_ack && ++port->owed == RSP_PORT_OWED_MAX) {
        enum gdbmi_code code = rsp_port_flush(port, error);
        if (code != GDBMI_OK)
            return code;
    }
    if (is_console(message)) {
        if (port->collecting)
            rsp_port_append_hex(port, message->data + 1, message->len - 1);
        return GDBMI_OK;
    }
    *deliver = true;
    return GDBMI_OK;
}

static enum gdbmi_code ask_again(struct rsp_port *port, struct gdbmi_error *error)
{
    if (port->no_ack || ++port->naks > TRIES_MAX) {
        /* A server that waits for the ack would not hear a resume. */
        port->owed += !port->no_ack;
        return damaged(port, "received a gdb packet with a wrong checksum", error);
    }
    enum gdbmi_code code = rsp_port_flush(port, error);
    return code != GDBMI_OK ? code : put_bytes(port, "-", 1, error);
}

static enum gdbmi_code send_again(struct rsp_port *port, struct gdbmi_error *error)
{
    if (port->acked || port->out_len == 0)
        return GDBMI_OK;
    if (++port->resends > TRIES_MAX)
        return damaged(port, "the server rejects our packets as damaged", error);
    return put_bytes(port, port->out + RSP_PORT_OWED_MAX, port->out_len, error);
}

static enum gdbmi_code handle_message(struct rsp_port *port,
                                      const struct gdbmi_rsp_message *message, bool *deliver,
                                      struct gdbmi_error *error)
{
    switch (message->kind) {
    case GDBMI_RSP_PACKET:
        return take_packet(port, message, deliver, error);
    case GDBMI_RSP_BAD:
        return ask_again(port, error);
    case GDBMI_RSP_NAK:
        return send_again(port, error);
    case GDBMI_RSP_ACK:
        *deliver = !port->acked;
        port->acked = true;
        return GDBMI_OK;
    case GDBMI_RSP_NOTIFICATION:
        *deliver = port->notifications;
        port->dropped = port->dropped || !port->notifications;
        break;
    }
    return GDBMI_OK;
}

enum gdbmi_code rsp_port_receive(struct rsp_port *port, uint64_t deadline,
                                 struct gdbmi_rsp_message *message, struct gdbmi_error *error)
{
    enum gdbmi_code code = GDBMI_OK;
    bool deliver = false;

    while (code == GDBMI_OK && !deliver) {
        size_t used;
        int result = gdbmi_rsp_feed(port->reader, port->io.in + port->io.in_at,
                                    port->io.in_len - port->io.in_at, &used, message);
        port->io.in_at += used;
        if (result < 0)
            code = damaged(port, "the answer is not a gdb packet", error);
        else if (result == 0)
            code = fill(port, deadline, error);
        else
            code = handle_message(port, message, &deliver, error);
    }
    return code;
}

/* Our packets were no command there until it is ended; to a gdb server this byte is noise. */
static bool is_tcl(struct rsp_port *port)
{
    uint64_t deadline = clock_deadline(TCL_MS);
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    enum gdbmi_code code = put_bytes(port, TCL_END, 1, &ignored);

    while (code == GDBMI_OK && !port->foreign) {
        code = port_fill(&port->io, deadline, &ignored);
        port->foreign =
            code == GDBMI_OK && memchr(port->io.in, TCL_END[0], port->io.in_len) != NULL;
    }
    return port->foreign;
}

enum gdbmi_code rsp_port_silence(struct rsp_port *port, struct gdbmi_error *error)
{
    double seconds = port->io.timeout_ms / 1000.0;

    port->io.useless = true;
    if (gdbmi_rsp_inside(port->reader))
        return gdbmi_error_set(error, GDBMI_EPROTOCOL,
                               "%s: received half a gdb packet and nothing more within %g s",
                               port->io.address, seconds);
    if (port->packets != 0)
        return gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: no answer to \"%s\" within %g s",
                               port->io.address, port->request, seconds);
    if (gdbmi_rsp_skipped(port->reader) != 0)
        return gdbmi_error_set_hint(error, GDBMI_EPROTOCOL, GDBMI_HINT_GDB_IF,
                                    "%s: the answers are not gdb packets (is this a gdb server?)",
                                    port->io.address);
    if (is_tcl(port))
        return gdbmi_error_set_hint(error, GDBMI_EPROTOCOL, GDBMI_HINT_TCL,
                                    "%s: OpenOCD's Tcl port, not a gdb port", port->io.address);
    return gdbmi_error_set_hint(
        error, GDBMI_ETIMEOUT, GDBMI_HINT_GDB_IF,
        "%s: nothing answered a gdb packet within %g s (is this a gdb server?)", port->io.address,
        seconds);
}

enum gdbmi_code rsp_port_lost_stop(struct rsp_port *port, struct gdbmi_error *error)
{
    port->io.useless = true;
    return gdbmi_error_set(error, GDBMI_EPROTOCOL,
                           "%s: a damaged gdb packet may have reported a halt", port->io.address);
}

void rsp_port_collect(struct rsp_port *port)
{
    buffer_drop(&port->console, port->console.len);
    port->console.failed = false;
    port->collecting = true;
}

void rsp_port_append_hex(struct rsp_port *port, const char *hex, size_t len)
{
    struct buffer *console = &port->console;
    size_t more = len / 2;

    if (console->len + more > port->console_max || !buffer_reserve(console, more) ||
        gdbmi_rsp_unhex(hex, len, console->data + console->len, more) < 0)
        return;
    console->len += more;
}

const char *rsp_port_collected(struct rsp_port *port)
{
    port->collecting = false;
    if (!buffer_add(&port->console, "", 0) || port->console.failed)
        return NULL;
    return port->console.data;
}

bool rsp_port_reserve(struct rsp_port *port, size_t console_max)
{
    port->console_max = console_max;
    return buffer_reserve(&port->console, console_max);
}
