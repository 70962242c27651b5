/* SPDX-License-Identifier: 0BSD */
/* Opens a GDB remote link: which server it is, how it found the target, whether it reads live. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "rsp_link.h"

#define PACKET_SIZE_DEFAULT  400
#define PACKET_SIZE_MIN      64
#define PROBE_MS             500
#define DESCRIPTION_PIECES   32
#define DESCRIPTION_OVERHEAD 8

/* What only the opening needs to know. */
struct greeting {
    bool no_ack_offered;
    bool non_stop_offered;
    bool ran;         /* the target ran before we came */
    bool read_halted; /* the probe's address can be read while the target is halted */
};

static void parse_supported(struct rsp_link *link, struct greeting *greeting, const char *text)
{
    const char *size = strstr(text, "PacketSize=");

    link->packet_size = PACKET_SIZE_DEFAULT;
    if (size != NULL)
        link->packet_size = strtoul(size + strlen("PacketSize="), NULL, 16);
    if (link->packet_size < PACKET_SIZE_MIN)
        link->packet_size = PACKET_SIZE_MIN;
    if (link->packet_size > GDBMI_RSP_MAX)
        link->packet_size = GDBMI_RSP_MAX;
    greeting->no_ack_offered = strstr(text, "QStartNoAckMode+") != NULL;
    greeting->non_stop_offered = strstr(text, "QNonStop+") != NULL;
}

static enum gdbmi_code greet(struct rsp_link *link, struct greeting *greeting)
{
    struct gdbmi_rsp_message answer;

    /* The first byte is an ack: OpenOCD blocks all its clients until a new one says something. */
    link->port.owed = 1;
    enum gdbmi_code code = rsp_exchange(link, "qSupported", rsp_form_any, &answer);
    if (code != GDBMI_OK)
        return code;
    parse_supported(link, greeting, answer.data);
    if (greeting->no_ack_offered) {
        code = rsp_exchange(link, "QStartNoAckMode", rsp_form_ok, &answer);
        link->port.no_ack = code == GDBMI_OK && strcmp(answer.data, "OK") == 0;
    }
    return code;
}

static void take_version(struct rsp_link *link, const char *version)
{
    if (strstr(version, "Open On-Chip Debugger") == NULL)
        return;
    link->server = RSP_SERVER_OPENOCD;
    snprintf(link->base.server, sizeof(link->base.server), "%.*s", (int)strcspn(version, "\r\n"),
             version);
}

static enum gdbmi_code ask_version(struct rsp_link *link)
{
    char *version = NULL;

    enum gdbmi_code code = rsp_command(&link->base, "version", &version);
    if (code == GDBMI_ETARGET || code == GDBMI_EUNSUPPORTED) {
        link->base.error = (struct gdbmi_error){.code = GDBMI_OK};
        return GDBMI_OK;
    }
    if (code == GDBMI_OK)
        take_version(link, version);
    free(version);
    return code;
}

/* QEMU reports a stop when connecting halted it, and says nothing if it was halted. It is not asked
 * by '?', which would delete the breakpoints there. Other servers are: a breakpoint or a step is
 * what halted the target before us, anything else is taken for our coming. */
static enum gdbmi_code identify(struct rsp_link *link, struct greeting *greeting)
{
    struct gdbmi_rsp_message answer;

    greeting->ran = link->stop_seen;
    enum gdbmi_code code = rsp_exchange(link, "qqemu.sstepbits", rsp_form_any, &answer);
    if (code != GDBMI_OK)
        return code;
    if (strstr(answer.data, "ENABLE=") != NULL) {
        link->server = RSP_SERVER_QEMU;
        link->base.info.simulator = true;
        snprintf(link->base.server, sizeof(link->base.server), "QEMU");
        return GDBMI_OK;
    }
    code = rsp_port_send(&link->port, "?", &link->base.error);
    if (code == GDBMI_OK)
        code = rsp_await_stop(link);
    if (code != GDBMI_OK)
        return code;
    if (link->ended)
        return gdbmi_error_set(&link->base.error, GDBMI_ETARGET,
                               "%s: this server is attached to no core or program",
                               link->base.address);
    greeting->ran = greeting->ran || link->stop_signal != RSP_SIGNAL_TRAP;
    return ask_version(link);
}

static void take_architecture(struct rsp_link *link, const char *text, size_t len)
{
    static const struct {
        const char *prefix;
        const char *arch;
        int pc_number;
    } known[] = {
        {"arm", "arm", 15},          {"aarch64", "aarch64", 32}, {"riscv", "riscv", 32},
        {"i386:x86-64", "i386", 16}, {"i386", "i386", 8},
    };

    snprintf(link->base.arch, sizeof(link->base.arch), "%.*s", (int)len, text);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strncmp(text, known[i].prefix, strlen(known[i].prefix)) != 0)
            continue;
        snprintf(link->base.arch, sizeof(link->base.arch), "%s", known[i].arch);
        link->pc_number = known[i].pc_number;
        return;
    }
}

/* false: no more of the description is needed. */
static bool take_description(struct rsp_link *link, const char *text)
{
    static const char tag[] = "<architecture>";
    const char *begin = strstr(text, tag);
    const char *end = begin != NULL ? strstr(begin, "</architecture>") : NULL;

    if (end == NULL)
        return true;
    begin += strlen(tag);
    take_architecture(link, begin, (size_t)(end - begin));
    return false;
}

/* Reads the target's description up to its architecture. A piece may end within the tag, so the
 * next one is asked for from a little before. */
static enum gdbmi_code describe(struct rsp_link *link)
{
    const size_t overlap = 32;
    struct gdbmi_rsp_message answer;
    size_t offset = 0;

    for (int i = 0; i < DESCRIPTION_PIECES; i++) {
        char request[80];
        snprintf(request, sizeof(request), "qXfer:features:read:target.xml:%zx,%zx", offset,
                 link->packet_size - DESCRIPTION_OVERHEAD);
        enum gdbmi_code code = rsp_exchange(link, request, rsp_form_xfer, &answer);
        if (code != GDBMI_OK)
            return code;
        if (answer.data[0] != 'l' && answer.data[0] != 'm')
            return GDBMI_OK;
        if (!take_description(link, answer.data + 1) || answer.data[0] == 'l')
            return GDBMI_OK;
        if (answer.len <= overlap + 1)
            return GDBMI_OK;
        offset += answer.len - 1 - overlap;
    }
    return GDBMI_OK;
}

static enum gdbmi_code choose_resume(struct rsp_link *link)
{
    struct gdbmi_rsp_message answer;

    enum gdbmi_code code = rsp_exchange(link, "vCont?", rsp_form_any, &answer);
    if (code == GDBMI_OK && strncmp(answer.data, "vCont", 5) == 0 &&
        strstr(answer.data, ";c") != NULL)
        link->resume = "vCont;c";
    return code;
}

/* Address 0 holds memory on most targets, and reading it has no effect of its own. */
static enum gdbmi_code probe_halted(struct rsp_link *link, struct greeting *greeting)
{
    struct gdbmi_rsp_message answer;

    enum gdbmi_code code = rsp_exchange(link, "m0,4", rsp_form_hex, &answer);
    greeting->read_halted = code == GDBMI_OK && answer.len == 8;
    return code;
}

/* Silence is an answer here: the server hears nothing while the target runs. */
static enum gdbmi_code probe_running(struct rsp_link *link, struct greeting *greeting)
{
    int timeout_ms = link->port.timeout_ms < PROBE_MS ? link->port.timeout_ms : PROBE_MS;
    uint64_t deadline = clock_deadline(timeout_ms);
    struct gdbmi_rsp_message answer;

    enum gdbmi_code code = rsp_port_send(&link->port, "m0,4", &link->base.error);
    while (code == GDBMI_OK) {
        code = rsp_port_receive(&link->port, deadline, &answer, &link->base.error);
        if (code != GDBMI_OK || answer.kind == GDBMI_RSP_ACK)
            continue;
        if (!rsp_note_stop(link, &answer) && rsp_form_hex(&answer)) {
            link->base.deaf = false;
            link->base.info.live = !(greeting->read_halted && rsp_is_error(&answer));
            return GDBMI_OK;
        }
    }
    link->late_reply = code == GDBMI_ETIMEOUT;
    return code == GDBMI_ETIMEOUT ? GDBMI_OK : code;
}

/* gdbserver (it offers non-stop) gets stuck by what it hears while the program runs, and any byte
 * halts QEMU. */
static bool may_probe(const struct rsp_link *link, const struct greeting *greeting)
{
    return greeting->ran && link->server != RSP_SERVER_QEMU && !greeting->non_stop_offered;
}

static enum gdbmi_code prepare(struct rsp_link *link, struct greeting *greeting)
{
    bool openocd = link->server == RSP_SERVER_OPENOCD;
    enum gdbmi_code code = GDBMI_OK;

    if (link->server == RSP_SERVER_UNKNOWN) {
        code = choose_resume(link);
        if (code == GDBMI_OK)
            code = probe_halted(link, greeting);
    }
    /* OpenOCD can be asked for it while the core runs. */
    if (code == GDBMI_OK && !openocd)
        code = describe(link);
    if (code == GDBMI_OK && greeting->ran) {
        code = rsp_resume(link);
        if (code == GDBMI_OK)
            link_let_go(&link->base);
    }
    if (code == GDBMI_OK && openocd)
        code = describe(link);
    return code;
}

/* One line of a screen. Whether our coming or a user halted the core can be told only of QEMU, and
 * of OpenOCD where a breakpoint did. */
static void say_how(struct rsp_link *link, const struct greeting *greeting)
{
    const char *how = link->base.info.live ? "read live" : "read by halts";
    double ms = (double)link->base.halted_ns / 1e6;
    char *why = link->base.why;
    size_t capacity = sizeof(link->base.why);

    if (!greeting->ran && link->server == RSP_SERVER_UNKNOWN)
        snprintf(why, capacity,
                 "GDB remote: the core was halted when we came, or by our coming: left so");
    else if (!greeting->ran)
        snprintf(why, capacity, "GDB remote, %s; the core was halted when we came", how);
    else if (link->server == RSP_SERVER_QEMU)
        snprintf(why, capacity, "GDB remote, %s; connecting halted the core for %.1f ms", how, ms);
    else
        snprintf(why, capacity, "GDB remote, %s; halted %.1f ms (by connecting or before), resumed",
                 how, ms);
}

static enum gdbmi_code open_link(struct rsp_link *link, struct greeting *greeting)
{
    enum gdbmi_code code = greet(link, greeting);

    if (code == GDBMI_OK)
        code = identify(link, greeting);
    else
        greeting->ran = link->stop_seen;
    /* A busy server takes a connection late, and halts the core only then: so the time counts from
     * its first byte (OpenOCD's ack just before the halt, QEMU's stop reply just after it). */
    if (greeting->ran)
        link_hold(&link->base, link->port.first_ns);
    if (code == GDBMI_OK)
        code = prepare(link, greeting);
    if (code != GDBMI_OK)
        return code;
    link->base.info.live = link->server == RSP_SERVER_OPENOCD;
    link->base.deaf = !link->base.info.live;
    if (may_probe(link, greeting)) {
        link->base.info.live = false;
        link->base.deaf = true;
        code = probe_running(link, greeting);
    }
    if (code == GDBMI_OK && link->running && !link->base.info.live)
        code = link_may_halt(&link->base, &link->base.error);
    if (code == GDBMI_OK)
        say_how(link, greeting);
    return code;
}

/* The target is let go, if it can be, before the error is told. */
static void give_up(struct rsp_link *link, struct gdbmi_error *error)
{
    struct gdbmi_error first = link->base.error;
    struct gdbmi_error second;

    if (link->base.held && !link->port.lost && !link->port.useless && rsp_resume(link) == GDBMI_OK)
        link_let_go(&link->base);
    link_abandon(&link->base, &first);
    gdbmi_error_set(error, first.code, "%s", first.text);
    rsp_link_ops.close(&link->base, false, &second);
}

enum gdbmi_code rsp_link_open(struct gdbmi_stream *stream, const char *address,
                              const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error)
{
    int timeout_ms = options->timeout_ms > 0 ? options->timeout_ms : GDBMI_TIMEOUT_MS;
    struct greeting greeting = {.ran = false};

    struct rsp_link *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        gdbmi_stream_close(stream);
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address);
    }
    link_init(&made->base, &rsp_link_ops, "gdb-remote", address);
    made->base.allow_halt = options->allow_halt;
    made->packet_size = PACKET_SIZE_DEFAULT;
    made->resume = "c";
    made->pc_number = -1;
    enum gdbmi_code code =
        rsp_port_open(&made->port, stream, made->base.address, timeout_ms, error);
    if (code != GDBMI_OK) {
        free(made);
        return code;
    }
    code = open_link(made, &greeting);
    if (code != GDBMI_OK) {
        give_up(made, error);
        return code;
    }
    *link = &made->base;
    return GDBMI_OK;
}
