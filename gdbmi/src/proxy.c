/* SPDX-License-Identifier: 0BSD */
/* Whose packet goes to whom where the user's gdb and we share one connection to a gdb server. */
#include "proxy.h"

#include <stdlib.h>
#include <string.h>

#include <gdbmi/rsp.h>

/* How often a damaged packet is sent or asked for again. */
#define TRIES_MAX 3
/* How long after a resume a Ctrl-C that came too late may still halt the core. */
#define SPARE_NS 60000000U
/* What a gdb that is gone had asked for may be long work, like erasing flash. */
#define LONG_WORK 15U
/* What gdb may leave unread. */
#define GDB_MAX (4U << 20)

#define CTRL_C "\003"
#define SYNC   "qMprofSync"

void proxy_init(struct proxy *proxy, const char *address, int timeout_ms)
{
    *proxy = (struct proxy){
        .address = address,
        .resume = "c",
        .patience_ns = (uint64_t)timeout_ms * 1000000U,
    };
}

void proxy_forget_breakpoints(struct proxy *proxy)
{
    while (proxy->breakpoint_count > 0)
        free(proxy->breakpoints[--proxy->breakpoint_count]);
}

void proxy_free(struct proxy *proxy)
{
    proxy_forget_breakpoints(proxy);
    proxy_framer_free(&proxy->from_server);
    proxy_framer_free(&proxy->from_gdb);
    proxy_framer_free(&proxy->from_seat);
    proxy_bytes_free(&proxy->to_server);
    proxy_bytes_free(&proxy->to_gdb);
    proxy_bytes_free(&proxy->to_seat);
    proxy_bytes_free(&proxy->waiting);
    proxy_bytes_free(&proxy->last_to_gdb);
    proxy_bytes_free(&proxy->last_to_server);
    proxy_bytes_free(&proxy->run);
    proxy_bytes_free(&proxy->held_stop);
    proxy_bytes_free(&proxy->doubtful);
}

void proxy_know(struct proxy *proxy, enum rsp_server server, bool live, const char *resume)
{
    proxy->server = server;
    proxy->live = live;
    proxy->resume = resume;
    proxy->seat_out = 0;
}

/* To the sides. */

static void send(struct proxy *proxy, const char *raw, size_t len, enum proxy_owner owner)
{
    if (proxy->ack_owed)
        proxy_bytes_add(&proxy->to_server, "+", 1);
    proxy->ack_owed = false;
    proxy_bytes_add(&proxy->to_server, raw, len);
    proxy_bytes_set(&proxy->last_to_server, raw, len);
    proxy->last_owner = owner;
    proxy->server_resends = 0;
}

static void send_text(struct proxy *proxy, const char *text, enum proxy_owner owner)
{
    struct proxy_bytes packet = {.data = NULL};

    proxy_bytes_packet(&packet, text);
    send(proxy, packet.data, packet.len, owner);
    proxy_bytes_free(&packet);
}

static void tell_gdb(struct proxy *proxy, const char *raw, size_t len)
{
    proxy_bytes_add(&proxy->to_gdb, raw, len);
    if (!proxy->gdb_no_ack)
        proxy_bytes_set(&proxy->last_to_gdb, raw, len);
    proxy->gdb_resends = 0;
    proxy->gdb_broken = proxy->gdb_broken || proxy->to_gdb.len > GDB_MAX;
}

static void tell_seat(struct proxy *proxy, const struct proxy_frame *frame)
{
    proxy_bytes_add(&proxy->to_seat, frame->raw, frame->raw_len);
}

static void ack_seat(struct proxy *proxy)
{
    if (!proxy->server_no_ack)
        proxy_bytes_add(&proxy->to_seat, "+", 1);
}

/* Late answers. */

static void start_sync(struct proxy *proxy, uint64_t patience_ns)
{
    proxy->syncing = true;
    proxy->sync_until_ns = proxy->now_ns + patience_ns;
    send_text(proxy, SYNC, PROXY_OWNER_NOBODY);
}

/* A server that is deaf while the core runs is asked when it stops. */
static void sync_if_stale(struct proxy *proxy, uint64_t patience_ns)
{
    bool deaf = proxy->running && !proxy->held && !proxy->live;

    if (proxy->stale > 0 && !proxy->syncing && !deaf)
        start_sync(proxy, patience_ns);
}

static bool must_gdb_wait(const struct proxy *proxy)
{
    return proxy->turn || proxy->syncing || proxy->held;
}

/* From gdb to the server. */

static bool is_run(const struct proxy_frame *frame)
{
    return (proxy_starts(frame, "vCont") && !proxy_is(frame, "vCont?")) ||
           (frame->len > 0 && memchr("cCsSiIF", frame->body[0], 7) != NULL) ||
           proxy_is(frame, "bc") || proxy_is(frame, "bs");
}

/* Sent twice, a step goes too far and a signal comes twice. */
static bool is_plain_run(const struct proxy_frame *frame)
{
    size_t at = strlen("vCont");

    if (proxy_is(frame, "c"))
        return true;
    if (!proxy_starts(frame, "vCont;"))
        return false;
    for (; at < frame->len; at++) {
        if (frame->body[at] == ';' && (at + 1 == frame->len || frame->body[at + 1] != 'c'))
            return false;
    }
    return true;
}

static void note_run(struct proxy *proxy, const struct proxy_frame *frame)
{
    proxy->running = true;
    proxy->run_confirmed = false;
    proxy->gdb_interrupted = false;
    proxy->gdb_out = proxy->non_stop ? proxy->gdb_out + 1 : 0;
    proxy->run_plain = !proxy->non_stop && is_plain_run(frame);
    proxy_bytes_set(&proxy->run, frame->raw, frame->raw_len);
    proxy->spare_until_ns = proxy->spare ? proxy->now_ns + SPARE_NS : 0;
    proxy->spare = false;
}

/* Servers let the core run on after a detach; most of them would also end the connection, so they
 * are not told. OpenOCD does neither, but what its configuration says. */
static bool detach_here(struct proxy *proxy)
{
    struct proxy_bytes ok = {.data = NULL};

    if (proxy->server == RSP_SERVER_OPENOCD)
        return false;
    proxy_bytes_packet(&ok, "OK");
    tell_gdb(proxy, ok.data, ok.len);
    proxy_bytes_free(&ok);
    proxy->session = false;
    if (!proxy->running)
        send_text(proxy, proxy->resume, PROXY_OWNER_NOBODY);
    proxy->running = true;
    return true;
}

static void forward(struct proxy *proxy, const struct proxy_frame *frame)
{
    size_t len = frame->len < sizeof(proxy->gdb_last) ? frame->len : sizeof(proxy->gdb_last) - 1;

    memcpy(proxy->gdb_last, frame->body, len);
    proxy->gdb_last[len] = '\0';
    if (proxy_is(frame, "D") || proxy_starts(frame, "D;")) {
        if (detach_here(proxy))
            return;
    }
    send(proxy, frame->raw, frame->raw_len, PROXY_OWNER_GDB);
    if (is_run(frame))
        note_run(proxy, frame);
    else if (!proxy_is(frame, "k") && !proxy_starts(frame, "R"))
        proxy->gdb_out++;
}

static void forward_waiting(struct proxy *proxy)
{
    struct proxy_framer framer = {.taken = false};
    struct proxy_bytes waiting = proxy->waiting;
    struct proxy_frame frame;
    size_t at = 0;
    size_t used = 0;

    if (waiting.len == 0 || must_gdb_wait(proxy))
        return;
    proxy->waiting = (struct proxy_bytes){.data = NULL};
    while (proxy_framer_feed(&framer, waiting.data + at, waiting.len - at, &used, &frame) == 1) {
        at += used;
        if (proxy->session)
            forward(proxy, &frame);
    }
    proxy_framer_free(&framer);
    proxy_bytes_free(&waiting);
}

static void resume_held(struct proxy *proxy)
{
    proxy->held = false;
    proxy->run_confirmed = false;
    send(proxy, proxy->run.data, proxy->run.len, PROXY_OWNER_SEAT);
}

/* gdb asks for the stop that we hide from it. */
static void give_hold(struct proxy *proxy)
{
    proxy->held = false;
    proxy->running = false;
    tell_gdb(proxy, proxy->held_stop.data, proxy->held_stop.len);
}

static void take_gdb_interrupt(struct proxy *proxy)
{
    if (proxy->held) {
        give_hold(proxy);
        return;
    }
    proxy->gdb_interrupted = true;
    if (!proxy->interrupting)
        proxy_bytes_add(&proxy->to_server, CTRL_C, 1);
}

static void send_gdb_again(struct proxy *proxy)
{
    if (++proxy->gdb_resends > TRIES_MAX)
        proxy->gdb_broken = true;
    else
        proxy_bytes_add(&proxy->to_gdb, proxy->last_to_gdb.data, proxy->last_to_gdb.len);
}

static void take_gdb_packet(struct proxy *proxy, const struct proxy_frame *frame)
{
    struct proxy_bytes ok = {.data = NULL};

    if (!proxy->gdb_no_ack) {
        proxy_bytes_add(&proxy->to_gdb, frame->right ? "+" : "-", 1);
        if (!frame->right)
            return;
    }
    if (proxy_is(frame, "QStartNoAckMode")) {
        proxy_bytes_packet(&ok, "OK");
        tell_gdb(proxy, ok.data, ok.len);
        proxy_bytes_free(&ok);
        proxy->gdb_no_ack = true;
        return;
    }
    if (must_gdb_wait(proxy) || proxy->waiting.len > 0)
        proxy_bytes_add(&proxy->waiting, frame->raw, frame->raw_len);
    else
        forward(proxy, frame);
}

void proxy_feed_gdb(struct proxy *proxy, const void *bytes, size_t len, uint64_t now_ns)
{
    const char *in = bytes;
    struct proxy_frame frame;
    size_t used = 0;
    int result;

    proxy->now_ns = now_ns;
    while ((result = proxy_framer_feed(&proxy->from_gdb, in, len, &used, &frame)) == 1) {
        in += used;
        len -= used;
        if (frame.kind == PROXY_FRAME_PACKET)
            take_gdb_packet(proxy, &frame);
        else if (frame.kind == PROXY_FRAME_INTERRUPT)
            take_gdb_interrupt(proxy);
        else if (frame.kind == PROXY_FRAME_NAK && !proxy->gdb_no_ack)
            send_gdb_again(proxy);
    }
    proxy->gdb_broken = proxy->gdb_broken || result < 0;
}

/* From the seat to the server. */

/* The seat lets the core go that it halted: by what gdb had said. */
static void take_seat_run(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->held) {
        resume_held(proxy);
    } else if (proxy->eaten) {
        proxy->eaten = false;
        send(proxy, frame->raw, frame->raw_len, PROXY_OWNER_SEAT);
    } else {
        ack_seat(proxy);
    }
}

static void take_seat_packet(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->session && is_run(frame)) {
        take_seat_run(proxy, frame);
        return;
    }
    proxy->no_ack_asked = proxy_is(frame, "QStartNoAckMode");
    send(proxy, frame->raw, frame->raw_len, PROXY_OWNER_SEAT);
    if (is_run(frame))
        proxy->running = true;
    else
        proxy->seat_out++;
}

static void take_seat_interrupt(struct proxy *proxy)
{
    if (proxy->session) {
        if (!proxy_can_hold(proxy))
            return;
        proxy->interrupting = true;
    }
    proxy_bytes_add(&proxy->to_server, CTRL_C, 1);
}

void proxy_feed_seat(struct proxy *proxy, const void *bytes, size_t len, uint64_t now_ns)
{
    const char *in = bytes;
    struct proxy_frame frame;
    size_t used = 0;

    proxy->now_ns = now_ns;
    while (proxy_framer_feed(&proxy->from_seat, in, len, &used, &frame) == 1) {
        in += used;
        len -= used;
        if (frame.kind == PROXY_FRAME_PACKET)
            take_seat_packet(proxy, &frame);
        else if (frame.kind == PROXY_FRAME_INTERRUPT)
            take_seat_interrupt(proxy);
    }
}

/* From the server. */

/* The signal of an unknown server's stop on a Ctrl-C is not known, but it is not a breakpoint's. */
static bool is_of_interrupt(const struct proxy *proxy, const struct proxy_frame *frame)
{
    int signal = proxy_signal(frame);

    if (!proxy_starts(frame, "T") && !proxy_starts(frame, "S"))
        return false;
    return proxy->server == RSP_SERVER_UNKNOWN ? signal != RSP_SIGNAL_TRAP
                                               : signal == RSP_SIGNAL_INT;
}

static bool is_spare(const struct proxy *proxy, const struct proxy_frame *frame)
{
    return proxy->now_ns < proxy->spare_until_ns && proxy->run_plain && !proxy->gdb_interrupted &&
           is_of_interrupt(proxy, frame);
}

/* After our Ctrl-C. A stop that is not of it leaves the Ctrl-C behind: QEMU forgets it, others may
 * not. */
static bool take_hold(struct proxy *proxy, const struct proxy_frame *frame)
{
    bool ours = is_of_interrupt(proxy, frame);

    proxy->interrupting = false;
    if (ours && !proxy->gdb_interrupted) {
        proxy->held = true;
        proxy->hold_until_ns = proxy->now_ns + proxy->patience_ns;
        proxy_bytes_set(&proxy->held_stop, frame->raw, frame->raw_len);
        sync_if_stale(proxy, proxy->patience_ns);
        return true;
    }
    proxy->spare = !ours && !proxy->gdb_interrupted && proxy->server != RSP_SERVER_QEMU;
    return false;
}

static void take_stop(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->session && is_spare(proxy, frame)) {
        proxy->spare_until_ns = 0;
        send(proxy, proxy->run.data, proxy->run.len, PROXY_OWNER_NOBODY);
        return;
    }
    tell_seat(proxy, frame);
    if (proxy->session && proxy->interrupting && take_hold(proxy, frame))
        return;
    proxy->running = false;
    if (proxy->session)
        tell_gdb(proxy, frame->raw, frame->raw_len);
    sync_if_stale(proxy, proxy->patience_ns);
}

static void collect_doubtful(struct proxy *proxy, const struct proxy_frame *frame)
{
    proxy_bytes_add(&proxy->doubtful, frame->raw, frame->raw_len);
    proxy->doubt_count++;
}

static void begin_doubt(struct proxy *proxy, const struct proxy_frame *frame)
{
    proxy->doubt = true;
    proxy->doubtful.len = 0;
    proxy->doubt_count = 0;
    proxy->doubt_first = frame->raw_len;
    proxy->doubt_expected = proxy->seat_out;
    collect_doubtful(proxy, frame);
    start_sync(proxy, proxy->patience_ns);
}

/* One answer more than the seat's requests: then the first was to gdb's resume. */
static void end_doubt(struct proxy *proxy)
{
    size_t at = 0;

    proxy->doubt = false;
    proxy->seat_out = 0;
    proxy->run_confirmed = true;
    if (proxy->doubt_count > proxy->doubt_expected) {
        at = proxy->doubt_first;
        proxy->running = false;
        tell_gdb(proxy, proxy->doubtful.data, at);
    }
    proxy_bytes_add(&proxy->to_seat, proxy->doubtful.data + at, proxy->doubtful.len - at);
}

static void take_while_syncing(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (frame->len > 0) {
        if (proxy->doubt)
            collect_doubtful(proxy, frame);
        return;
    }
    proxy->syncing = false;
    proxy->stale = 0;
    if (proxy->doubt)
        end_doubt(proxy);
    forward_waiting(proxy);
}

static void take_seat_answer(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->session && proxy->running && !proxy->held && !proxy->run_confirmed &&
        !proxy->non_stop && proxy_is_error(frame)) {
        begin_doubt(proxy, frame);
        return;
    }
    proxy->run_confirmed = true;
    proxy->seat_out--;
    tell_seat(proxy, frame);
}

static void add_breakpoint(struct proxy *proxy, const char *text)
{
    if (proxy->breakpoint_count == PROXY_BREAKPOINTS_MAX)
        return;
    char *copy = calloc(1, strlen(text) + 1);
    if (copy == NULL)
        return;
    memcpy(copy, text, strlen(text));
    copy[strcspn(copy, ";")] = '\0';
    proxy->breakpoints[proxy->breakpoint_count++] = copy;
}

static void remove_breakpoint(struct proxy *proxy, const char *text)
{
    for (size_t i = proxy->breakpoint_count; i-- > 0;) {
        if (strcmp(proxy->breakpoints[i], text) != 0)
            continue;
        free(proxy->breakpoints[i]);
        proxy->breakpoints[i] = proxy->breakpoints[--proxy->breakpoint_count];
    }
}

/* gdb's last request was granted. */
static void note_granted(struct proxy *proxy)
{
    const char *request = proxy->gdb_last;

    if (strncmp(request, "QNonStop:", 9) == 0)
        proxy->non_stop = request[9] == '1';
    else if (request[0] == 'Z')
        add_breakpoint(proxy, request + 1);
    else if (request[0] == 'z')
        remove_breakpoint(proxy, request + 1);
    else if (strcmp(request, "D") == 0 || strncmp(request, "D;", 2) == 0)
        proxy->session = false;
}

static void take_gdb_answer(struct proxy *proxy, const struct proxy_frame *frame)
{
    tell_gdb(proxy, frame->raw, frame->raw_len);
    if (proxy_is_console(frame))
        return;
    if (proxy->gdb_out > 0 && --proxy->gdb_out == 0 && proxy_is(frame, "OK"))
        note_granted(proxy);
}

/* An answer to a resume says that it failed; a request of the target to gdb (file I/O) is gdb's to
 * answer, and lets the core run on then. */
static void take_while_running(struct proxy *proxy, const struct proxy_frame *frame)
{
    bool to_seat = !proxy_starts(frame, "F") || proxy_is_hex(frame);

    if (to_seat && proxy->seat_out > 0) {
        take_seat_answer(proxy, frame);
        return;
    }
    if (to_seat && proxy->stale > 0) {
        proxy->stale--;
        return;
    }
    if (proxy->gdb_out == 0)
        proxy->running = false;
    take_gdb_answer(proxy, frame);
}

/* What the seat sent halted a machine that gdb believed to be halted, and was lost; the seat knows
 * what to do. */
static bool was_eaten(const struct proxy *proxy, const struct proxy_frame *frame)
{
    return proxy->server == RSP_SERVER_QEMU && proxy->seat_out > 0 &&
           proxy_signal(frame) == RSP_SIGNAL_INT;
}

static void take_while_halted(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (was_eaten(proxy, frame)) {
        proxy->eaten = true;
        proxy->seat_out--;
        tell_seat(proxy, frame);
    } else if (proxy->seat_out == 0 || proxy_is_stop(frame)) {
        take_gdb_answer(proxy, frame);
    } else if (proxy_is_console(frame)) {
        tell_seat(proxy, frame);
    } else {
        take_seat_answer(proxy, frame);
    }
}

static bool has(const struct proxy_frame *frame, const char *text)
{
    size_t len = strlen(text);

    for (size_t at = 0; at + len <= frame->len; at++) {
        if (memcmp(frame->body + at, text, len) == 0)
            return true;
    }
    return false;
}

static void take_outside(struct proxy *proxy, const struct proxy_frame *frame)
{
    tell_seat(proxy, frame);
    if (proxy_is_console(frame))
        return;
    if (proxy->no_ack_asked && proxy_is(frame, "OK")) {
        proxy->server_no_ack = true;
        proxy->ack_owed = true;
    }
    proxy->no_ack_asked = false;
    if (has(frame, "QNonStop+"))
        proxy->non_stop_offered = true;
    if (proxy->seat_out > 0)
        proxy->seat_out--;
}

static void take_packet(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->running && proxy_is_stop(frame))
        take_stop(proxy, frame);
    else if (proxy->session && proxy->running && proxy_is_console(frame))
        tell_gdb(proxy, frame->raw, frame->raw_len);
    else if (proxy->syncing)
        take_while_syncing(proxy, frame);
    else if (!proxy->session)
        take_outside(proxy, frame);
    else if (proxy->running)
        take_while_running(proxy, frame);
    else
        take_while_halted(proxy, frame);
}

static void ask_server_again(struct proxy *proxy)
{
    proxy_bytes_add(&proxy->to_server, "-", 1);
    if (++proxy->naks > TRIES_MAX)
        gdbmi_error_set(&proxy->error, GDBMI_EPROTOCOL,
                        "%s: a gdb packet with a wrong checksum came: is this a gdb server?",
                        proxy->address);
}

/* Without acks nobody could ask again: whoever gets it sees the wrong checksum. */
static void take_server_packet(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (!proxy->server_no_ack) {
        if (!frame->right) {
            ask_server_again(proxy);
            return;
        }
        proxy->naks = 0;
        proxy->ack_owed = proxy->no_ack_asked && proxy_is(frame, "OK");
        if (!proxy->ack_owed)
            proxy_bytes_add(&proxy->to_server, "+", 1);
    }
    take_packet(proxy, frame);
}

static void send_server_again(struct proxy *proxy)
{
    if (proxy->last_to_server.len == 0 || proxy->server_no_ack)
        return;
    if (++proxy->server_resends > TRIES_MAX)
        gdbmi_error_set(&proxy->error, GDBMI_EPROTOCOL,
                        "%s: the server refuses our packets as damaged: is this a gdb server?",
                        proxy->address);
    else
        proxy_bytes_add(&proxy->to_server, proxy->last_to_server.data, proxy->last_to_server.len);
}

static void take_server_frame(struct proxy *proxy, const struct proxy_frame *frame)
{
    switch (frame->kind) {
    case PROXY_FRAME_PACKET:
        take_server_packet(proxy, frame);
        break;
    case PROXY_FRAME_NOTIFICATION:
        if (proxy->session)
            tell_gdb(proxy, frame->raw, frame->raw_len);
        else
            tell_seat(proxy, frame);
        break;
    case PROXY_FRAME_ACK:
        if (proxy->last_owner == PROXY_OWNER_SEAT)
            ack_seat(proxy);
        break;
    case PROXY_FRAME_NAK:
        send_server_again(proxy);
        break;
    case PROXY_FRAME_INTERRUPT:
        break;
    }
}

void proxy_feed_server(struct proxy *proxy, const void *bytes, size_t len, uint64_t now_ns)
{
    const char *in = bytes;
    struct proxy_frame frame;
    size_t used = 0;
    int result;

    proxy->now_ns = now_ns;
    while ((result = proxy_framer_feed(&proxy->from_server, in, len, &used, &frame)) == 1) {
        in += used;
        len -= used;
        take_server_frame(proxy, &frame);
    }
    if (result < 0)
        gdbmi_error_set(&proxy->error, GDBMI_EPROTOCOL,
                        "%s: what came is no gdb packet: is this a gdb server?", proxy->address);
}

/* Sessions, turns, time. */

static void restart(struct proxy_framer *framer)
{
    proxy_framer_free(framer);
    *framer = (struct proxy_framer){.taken = false};
}

void proxy_gdb_begin(struct proxy *proxy)
{
    proxy->session = true;
    proxy->gdb_out = 0;
    proxy->gdb_last[0] = '\0';
    proxy->non_stop = false;
    proxy->gdb_interrupted = false;
    proxy->eaten = false;
    sync_if_stale(proxy, proxy->patience_ns);
}

/* The answer to what it asked must not be taken for one to us. */
void proxy_gdb_gone(struct proxy *proxy)
{
    bool asked = proxy->gdb_out > 0;

    if (proxy->session && proxy->held)
        resume_held(proxy);
    proxy->session = false;
    proxy->gdb_broken = false;
    proxy->gdb_no_ack = false;
    proxy->to_gdb.len = 0;
    proxy->waiting.len = 0;
    proxy->stale += proxy->gdb_out;
    proxy->gdb_out = 0;
    restart(&proxy->from_gdb);
    sync_if_stale(proxy, proxy->patience_ns * (asked ? LONG_WORK : 1));
}

uint64_t proxy_deadline(const struct proxy *proxy)
{
    if (proxy->syncing)
        return proxy->sync_until_ns;
    return proxy->held ? proxy->hold_until_ns : UINT64_MAX;
}

void proxy_tick(struct proxy *proxy, uint64_t now_ns)
{
    proxy->now_ns = now_ns;
    if (proxy->syncing && now_ns >= proxy->sync_until_ns)
        gdbmi_error_set(&proxy->error, GDBMI_ETIMEOUT, "%s: the server does not answer any more",
                        proxy->address);
    if (proxy->held && now_ns >= proxy->hold_until_ns)
        resume_held(proxy);
    forward_waiting(proxy);
}

/* While gdb writes flash, nobody reads it. */
static bool is_flashing(const struct proxy *proxy)
{
    return strncmp(proxy->gdb_last, "vFlash", 6) == 0 &&
           strncmp(proxy->gdb_last, "vFlashDone", 10) != 0;
}

bool proxy_begin_turn(struct proxy *proxy)
{
    if (proxy->syncing || (proxy->stale > 0 && !(proxy->running && !proxy->live)))
        return false;
    if (proxy->session && (proxy->gdb_out > 0 || proxy->waiting.len > 0 || is_flashing(proxy)))
        return false;
    proxy->turn = true;
    return true;
}

void proxy_end_turn(struct proxy *proxy)
{
    proxy->turn = false;
    proxy->stale += proxy->seat_out;
    proxy->seat_out = 0;
    sync_if_stale(proxy, proxy->patience_ns);
    forward_waiting(proxy);
}

bool proxy_can_hold(const struct proxy *proxy)
{
    return proxy->running && proxy->run_plain && !proxy->gdb_interrupted && !proxy->interrupting &&
           !proxy->held;
}
