/* SPDX-License-Identifier: 0BSD */
/* The first words with a GDB server: which one it is, and how it found the target. */
#include "rsp_greeting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rsp_exchange.h"
#include "rsp_nonstop.h"

#define PACKET_SIZE_MIN 64

static void parse_supported(struct rsp_link *link, struct rsp_greeting *greeting, const char *text)
{
    const char *size = strstr(text, "PacketSize=");

    link->packet_size = RSP_PACKET_SIZE_DEFAULT;
    if (size != NULL)
        link->packet_size = strtoul(size + strlen("PacketSize="), NULL, 16);
    if (link->packet_size < PACKET_SIZE_MIN)
        link->packet_size = PACKET_SIZE_MIN;
    if (link->packet_size > GDBMI_RSP_MAX)
        link->packet_size = GDBMI_RSP_MAX;
    greeting->no_ack_offered = strstr(text, "QStartNoAckMode+") != NULL;
    greeting->non_stop_offered = strstr(text, "QNonStop+") != NULL;
    greeting->passes_signals = strstr(text, "QPassSignals+") != NULL;
    greeting->is_process = strstr(text, "qXfer:auxv:read+") != NULL;
    /* No other server starts programs by a shell. */
    if (strstr(text, "QStartupWithShell+") != NULL)
        snprintf(link->base.server, sizeof(link->base.server), "gdbserver");
}

enum gdbmi_code rsp_greet(struct rsp_link *link, struct rsp_greeting *greeting)
{
    struct gdbmi_rsp_message answer;

    /* The first byte is an ack: OpenOCD blocks all its clients until a new one says something. */
    link->port.owed = 1;
    /* Some version of pyOCD takes it for an error that nothing is said of the client. */
    enum gdbmi_code code = rsp_exchange(link, "qSupported:vContSupported+", rsp_form_any, &answer);
    if (code != GDBMI_OK)
        return code;
    parse_supported(link, greeting, answer.data);
    if (greeting->no_ack_offered) {
        code = rsp_exchange(link, "QStartNoAckMode", rsp_form_ok, &answer);
        link->port.no_ack = code == GDBMI_OK && strcmp(answer.data, "OK") == 0;
    }
    return code;
}

/* probe-rs answers any command that it does not know with the list of those that it knows. */
static void take_version(struct rsp_link *link, const char *version)
{
    if (strstr(version, "Open On-Chip Debugger") != NULL) {
        link->server = RSP_SERVER_OPENOCD;
        snprintf(link->base.server, sizeof(link->base.server), "%.*s",
                 (int)strcspn(version, "\r\n"), version);
    } else if (strstr(version, "info - print session information") != NULL) {
        link->detaches = true;
        snprintf(link->base.server, sizeof(link->base.server), "probe-rs");
    }
}

static enum gdbmi_code ask_version(struct rsp_link *link)
{
    const char *version = NULL;

    enum gdbmi_code code = rsp_run_command(link, "version", &version);
    if (code == GDBMI_ETARGET || code == GDBMI_EUNSUPPORTED) {
        link->base.error = (struct gdbmi_error){.code = GDBMI_OK};
        return GDBMI_OK;
    }
    if (code == GDBMI_OK)
        take_version(link, version);
    return code;
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

enum gdbmi_code rsp_ask_server(struct rsp_link *link)
{
    enum gdbmi_code code = ask_version(link);

    if (code == GDBMI_OK && link->server == RSP_SERVER_UNKNOWN)
        code = choose_resume(link);
    return code;
}

static enum gdbmi_code attached_to_nothing(struct rsp_link *link)
{
    return gdbmi_error_set(
        &link->base.error, GDBMI_ETARGET,
        "%s: this server is not attached to a core or program: attach it first (gdbserver: "
        "--attach PID; Black Magic Probe, in gdb: monitor swdp_scan, then attach 1)",
        link->base.address);
}

/* Of a process nothing but a signal or a breakpoint gives a stop its number, so that one without is
 * by our coming, or by gdbserver's. */
static enum gdbmi_code look_in_non_stop(struct rsp_link *link, struct rsp_greeting *greeting)
{
    enum gdbmi_code code = rsp_nonstop_open(link, greeting->passes_signals);

    if (code != GDBMI_OK || !link->non_stop)
        return code;
    if (link->ended)
        return attached_to_nothing(link);
    greeting->ran = link->running || rsp_nonstop_is_stop_blank(link);
    return code;
}

/* The guardian may hear what our process asked for. */
static bool form_not_supported(const struct gdbmi_rsp_message *message)
{
    return strstr(message->data, "PacketSize=") == NULL;
}

/* QEMU reports a stop when connecting halted it, and says nothing if it was halted. It is not asked
 * by '?', which would delete the breakpoints there. Other servers are: a breakpoint or a step is
 * what halted the target before us, anything else is taken for our coming. */
enum gdbmi_code rsp_find_out(struct rsp_link *link, bool *ran)
{
    struct gdbmi_rsp_message answer;

    enum gdbmi_code code = rsp_exchange(link, "qqemu.sstepbits", form_not_supported, &answer);
    *ran = link->stop_seen && link->stop_signal != RSP_SIGNAL_TRAP;
    if (code != GDBMI_OK)
        return code;
    if (strstr(answer.data, "ENABLE=") != NULL) {
        link->server = RSP_SERVER_QEMU;
        return GDBMI_OK;
    }
    code = rsp_port_send(&link->port, "?", &link->base.error);
    if (code == GDBMI_OK)
        code = rsp_await_stop(link);
    if (code == GDBMI_OK)
        *ran = !link->ended && (*ran || link->stop_signal != RSP_SIGNAL_TRAP);
    return code;
}

/* That QEMU said nothing of a halt means something only if all that it said was heard. */
static enum gdbmi_code check_greeting(struct rsp_link *link)
{
    bool damaged = gdbmi_rsp_damaged(link->port.reader) || link->port.dropped;

    if (link->server != RSP_SERVER_QEMU || link->stop_seen || !damaged)
        return GDBMI_OK;
    return rsp_port_lost_stop(&link->port, &link->base.error);
}

enum gdbmi_code rsp_identify(struct rsp_link *link, struct rsp_greeting *greeting)
{
    enum gdbmi_code code = GDBMI_OK;

    greeting->ran = link->stop_seen;
    if (greeting->non_stop_offered && !greeting->shared)
        code = look_in_non_stop(link, greeting);
    if (code == GDBMI_OK && !link->non_stop)
        code = rsp_find_out(link, &greeting->ran);
    if (code == GDBMI_OK)
        code = check_greeting(link);
    if (code != GDBMI_OK || link->non_stop)
        return code;
    if (link->server == RSP_SERVER_QEMU) {
        link->base.info.simulator = true;
        snprintf(link->base.server, sizeof(link->base.server), "QEMU");
        return GDBMI_OK;
    }
    return link->ended ? attached_to_nothing(link) : rsp_ask_server(link);
}
