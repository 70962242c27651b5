/* SPDX-License-Identifier: 0BSD */
/* Requests of a GDB remote link and their answers, and the stops that come in between. */
#include "rsp_exchange.h"

#include <string.h>

#include "clock.h"

static bool is_hex(const char *text, size_t len)
{
    return strspn(text, "0123456789abcdefABCDEF") == len;
}

bool rsp_is_error(const struct gdbmi_rsp_message *message)
{
    if (message->data[0] != 'E')
        return false;
    return message->data[1] == '.' || (message->len == 3 && is_hex(message->data + 1, 2));
}

bool rsp_form_any(const struct gdbmi_rsp_message *message)
{
    (void)message;
    return true;
}

bool rsp_form_hex(const struct gdbmi_rsp_message *message)
{
    return rsp_is_error(message) || (message->len % 2 == 0 && is_hex(message->data, message->len));
}

bool rsp_form_value(const struct gdbmi_rsp_message *message)
{
    return rsp_form_hex(message) || message->data[0] == 'x';
}

bool rsp_form_ok(const struct gdbmi_rsp_message *message)
{
    return message->len == 0 || rsp_is_error(message) || strcmp(message->data, "OK") == 0;
}

bool rsp_form_xfer(const struct gdbmi_rsp_message *message)
{
    return message->len == 0 || rsp_is_error(message) || message->data[0] == 'l' ||
           message->data[0] == 'm';
}

int rsp_stop_signal(const char *text, size_t len)
{
    unsigned char signal;
    bool is_stop = len >= 3 && memchr("TSWX", text[0], 4) != NULL;

    return is_stop && gdbmi_rsp_unhex(text + 1, 2, &signal, 1) == 1 ? signal : -1;
}

void rsp_take_stop(struct rsp_link *link, const char *text, size_t len)
{
    int signal = rsp_stop_signal(text, len);

    if (signal < 0)
        return;
    link->stop_seen = true;
    link->stops++;
    link->ended = text[0] == 'W' || text[0] == 'X';
    if (signal != 0 || link->stop_signal < 0)
        link->stop_signal = signal;
}

/* The notification stands for the first stop; the others are asked for. */
static void note_notified_stop(struct rsp_link *link, const struct gdbmi_rsp_message *message)
{
    static const char name[] = "Stop:";
    size_t len = strlen(name);

    if (message->len < len || strncmp(message->data, name, len) != 0)
        return;
    rsp_take_stop(link, message->data + len, message->len - len);
    link->stop_due = true;
}

bool rsp_note_stop(struct rsp_link *link, const struct gdbmi_rsp_message *message)
{
    int signal = rsp_stop_signal(message->data, message->len);

    if (message->kind == GDBMI_RSP_NOTIFICATION) {
        note_notified_stop(link, message);
        return true;
    }
    if (link->non_stop || signal < 0)
        return false;
    link->running = false;
    link->interrupted = false;
    link->stop_seen = true;
    link->stop_signal = signal;
    link->ended = message->data[0] == 'W' || message->data[0] == 'X';
    return true;
}

/* Which signal an unknown server gives for a Ctrl-C is not known, but it is not a breakpoint's. */
bool rsp_is_stop_ours(const struct rsp_link *link)
{
    if (link->server == RSP_SERVER_UNKNOWN)
        return link->stop_signal != RSP_SIGNAL_TRAP;
    return link->stop_signal == RSP_SIGNAL_INT;
}

/* QEMU's machine may have been set running by its monitor, of which we hear nothing. Then the
 * request's first byte halted it, and the rest was lost; but not where a breakpoint came first. */
static bool was_eaten(const struct rsp_link *link, bool halted)
{
    return link->server == RSP_SERVER_QEMU && halted && !link->base.held &&
           link->stop_signal == RSP_SIGNAL_INT;
}

/* The next answer of that form, or a stop that came before it. */
static enum gdbmi_code next_answer(struct rsp_link *link, uint64_t deadline, rsp_form *form,
                                   struct gdbmi_rsp_message *answer, bool *stopped)
{
    for (;;) {
        enum gdbmi_code code = rsp_port_receive(&link->port, deadline, answer, &link->base.error);
        if (code == GDBMI_ETIMEOUT)
            return rsp_port_silence(&link->port, &link->base.error);
        if (code != GDBMI_OK)
            return code;
        *stopped = answer->kind != GDBMI_RSP_ACK && rsp_note_stop(link, answer);
        if (*stopped || (answer->kind == GDBMI_RSP_PACKET && form(answer)))
            return GDBMI_OK;
    }
}

enum gdbmi_code rsp_await_answer(struct rsp_link *link, rsp_form *form,
                                 struct gdbmi_rsp_message *answer)
{
    uint64_t deadline = clock_deadline(link->port.io.timeout_ms);
    enum gdbmi_code code;
    bool stopped;

    do {
        code = next_answer(link, deadline, form, answer, &stopped);
    } while (code == GDBMI_OK && stopped);
    return code;
}

static enum gdbmi_code exchange(struct rsp_link *link, const char *request, rsp_form *form,
                                struct gdbmi_rsp_message *answer)
{
    uint64_t deadline = clock_deadline(link->port.io.timeout_ms);
    uint64_t since = clock_now_ns();
    bool halted = !link->running;
    bool stopped = true;

    enum gdbmi_code code = rsp_port_send(&link->port, request, &link->base.error);
    while (code == GDBMI_OK && stopped) {
        code = next_answer(link, deadline, form, answer, &stopped);
        if (code == GDBMI_OK && stopped && was_eaten(link, halted)) {
            link_hold(&link->base, since);
            code = rsp_port_send(&link->port, request, &link->base.error);
        }
    }
    return code;
}

enum gdbmi_code rsp_exchange(struct rsp_link *link, const char *request, rsp_form *form,
                             struct gdbmi_rsp_message *answer)
{
    bool may_halt = link->server == RSP_SERVER_QEMU && !link->base.held;

    /* While it is not known who halted the target, the guardian needs this answer and no earlier
     * one. */
    if (link->opening)
        guardian_say(link->base.guardian, GUARDIAN_OPENING);
    if (may_halt)
        guardian_say(link->base.guardian, GUARDIAN_ASKING);
    enum gdbmi_code code = exchange(link, request, form, answer);
    if (may_halt && !link->base.held)
        guardian_say(link->base.guardian, GUARDIAN_FREE);
    return code;
}

bool rsp_may_ask_at_once(const struct rsp_link *link)
{
    return link->server == RSP_SERVER_QEMU && link->running && !link->late_reply;
}

enum gdbmi_code rsp_interrupt_and_ask(struct rsp_link *link, const char *request, rsp_form *form,
                                      struct gdbmi_rsp_message *answer, bool *ours)
{
    link->interrupted = true;
    link->stop_signal = 0;
    enum gdbmi_code code = rsp_port_interrupt_and_send(&link->port, request, &link->base.error);
    if (code == GDBMI_OK)
        code = rsp_await_answer(link, form, answer);
    *ours = !link->running && rsp_is_stop_ours(link);
    if (code == GDBMI_OK && link->running)
        code = rsp_port_lost_stop(&link->port, &link->base.error);
    return code;
}

enum gdbmi_code rsp_await_stop(struct rsp_link *link)
{
    uint64_t deadline = clock_deadline(link->port.io.timeout_ms);
    struct gdbmi_rsp_message message;
    enum gdbmi_code code;

    do {
        code = rsp_port_receive(&link->port, deadline, &message, &link->base.error);
        if (code == GDBMI_ETIMEOUT)
            return rsp_port_silence(&link->port, &link->base.error);
    } while (code == GDBMI_OK && !rsp_note_stop(link, &message));
    return code;
}
