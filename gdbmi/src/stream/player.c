/* SPDX-License-Identifier: 0BSD */
/*
 * Plays a record. Each connection has two positions in it: that of sending and that of receiving.
 * What was received is given out when all was sent that was sent before it.
 */
#include "player.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define NS_PER_US 1000U
#define US_PER_S  1000000U
#define NS_PER_MS 1000000U
/* A request that was not recorded next may be a later one. Shorter ones are no requests. */
#define REQUEST_MIN 4
#define SHOWN_MAX   48

struct played {
    struct gdbmi_stream base;
    struct player *player;
    size_t in, in_done;   /* event to be received, RECORD_NONE at the end; bytes of it received */
    size_t out, out_done; /* event to be sent; bytes of it sent */
    char address[300];
};

void player_begin(struct player *player, const char *name, struct record_script *script)
{
    memset(player, 0, sizeof(*player));
    player->script = *script;
    snprintf(player->name, sizeof(player->name), "%.150s", name);
    player->since_ns = clock_system_ns();
    atomic_store(&player->read_system_ns, player->since_ns);
}

void player_free(struct player *player)
{
    record_free(&player->script);
}

/* Time never goes back. */
static uint64_t reach(struct player *p, uint64_t ns)
{
    uint64_t passed = atomic_load(&p->passed_ns);

    if (ns > passed)
        atomic_store(&p->passed_ns, passed = ns);
    atomic_store(&p->read_system_ns, clock_system_ns());
    return p->since_ns + passed;
}

uint64_t player_guess_ns(const struct player *player)
{
    uint64_t passed = atomic_load(&player->passed_ns);

    return player->since_ns + passed + clock_system_ns() - atomic_load(&player->read_system_ns);
}

uint64_t player_now_ns(struct player *player)
{
    const struct record_event *event = &player->script.events[player->current];

    if (player->times < event->clock_count)
        return reach(player,
                     player->script.times[event->clock + player->times++] * (uint64_t)NS_PER_US);
    return reach(player, player_guess_ns(player) - player->since_ns);
}

void player_skip(struct player *player, uint64_t ns)
{
    if (player->times >= player->script.events[player->current].clock_count)
        (void)reach(player, atomic_load(&player->passed_ns) + ns);
}

/* An event happens. One of another connection may have come before its turn. */
static void happen(struct player *p, size_t event)
{
    if (event <= p->current)
        return;
    p->current = event;
    p->times = 0;
    (void)reach(p, p->script.events[event].us * NS_PER_US);
}

void player_choose(struct player *player, void *bytes, size_t len)
{
    const struct record_script *s = &player->script;

    for (size_t i = player->chosen; i < s->count; i++) {
        if (s->events[i].kind != RECORD_CHOSEN)
            continue;
        player->chosen = i + 1;
        if (s->events[i].len == len)
            memcpy(bytes, s->events[i].text, len);
        happen(player, i);
        return;
    }
}

static enum gdbmi_code fail(struct player *p, struct gdbmi_error *error)
{
    return gdbmi_error_take(error, &p->failed);
}

/* More was wanted than is recorded. */
static enum gdbmi_code end(struct player *p, const char *what, struct gdbmi_error *error)
{
    const struct record_script *s = &p->script;
    uint64_t us = s->events[s->count - 1].us;
    bool whole = s->events[s->count - 1].kind == RECORD_END;

    if (p->failed.code == GDBMI_OK)
        gdbmi_error_set(&p->failed, GDBMI_EPLAY,
                        "%s: the record %s at %" PRIu64 ".%03" PRIu64 " s, and %s", p->name,
                        whole ? "ends" : "is cut short", us / US_PER_S, us % US_PER_S / 1000, what);
    return fail(p, error);
}

/* Writes the beginning of bytes as text that can be shown. */
static void show(const void *bytes, size_t len, char text[SHOWN_MAX + 8])
{
    struct buffer out = {.data = NULL};

    record_escape(&out, bytes, len < SHOWN_MAX ? len : SHOWN_MAX);
    snprintf(text, SHOWN_MAX + 8, "%.*s%s", SHOWN_MAX, out.data != NULL ? out.data : "",
             len > SHOWN_MAX || out.len > SHOWN_MAX ? "..." : "");
    buffer_free(&out);
}

/* What is sent is not what was recorded. */
static void misfit(struct player *p, const struct record_event *event, const void *bytes,
                   size_t len)
{
    char sent[SHOWN_MAX + 8];
    char recorded[SHOWN_MAX + 8];

    if (p->failed.code != GDBMI_OK)
        return;
    show(bytes, len, sent);
    show(event->text, event->len, recorded);
    gdbmi_error_set(&p->failed, GDBMI_EPLAY,
                    "%.80s does not fit this ELF file or these options: line %zu (%" PRIu64
                    ".%03" PRIu64 " s) has the request '%s', but '%s' was sent",
                    p->name, event->line, event->us / US_PER_S, event->us % US_PER_S / 1000,
                    recorded, sent);
}

static const struct record_event *event_of(const struct played *s, size_t event)
{
    return &s->player->script.events[event];
}

/* The next event of that kind, from this one on; RECORD_NONE: there is none. */
static size_t find(const struct played *s, size_t event, enum record_kind kind)
{
    while (event != RECORD_NONE && event_of(s, event)->kind != kind)
        event = event_of(s, event)->next;
    return event;
}

/* Sending is done with an event. */
static void sent(struct played *s, size_t event)
{
    s->out = find(s, event_of(s, event)->next, RECORD_SENT);
    s->out_done = 0;
    happen(s->player, event);
}

/* Whether the bytes are those that come next; they may have been written in other pieces. */
static bool send_next(struct played *s, const char *bytes, size_t len)
{
    size_t out = s->out;
    size_t done = s->out_done;

    for (size_t at = 0; at < len;) {
        if (out == RECORD_NONE)
            return false;
        const struct record_event *event = event_of(s, out);
        size_t some = event->len - done < len - at ? event->len - done : len - at;
        if (memcmp(event->text + done, bytes + at, some) != 0)
            return false;
        at += some;
        done += some;
        if (done == event->len) {
            out = find(s, event->next, RECORD_SENT);
            done = 0;
        }
    }
    while (s->out != out)
        sent(s, s->out);
    s->out_done = done;
    return true;
}

/* Whether the same was sent later: then nobody asks for what is between. */
static bool send_later(struct played *s, const char *bytes, size_t len)
{
    size_t out = len >= REQUEST_MIN && s->out_done == 0 ? s->out : RECORD_NONE;

    while (out != RECORD_NONE &&
           (event_of(s, out)->len != len || memcmp(event_of(s, out)->text, bytes, len) != 0))
        out = find(s, event_of(s, out)->next, RECORD_SENT);
    if (out == RECORD_NONE)
        return false;
    if (s->in < out) {
        s->in = event_of(s, out)->next;
        s->in_done = 0;
    }
    sent(s, out);
    return true;
}

/* After an error that lasts, all that a client still says is heard, so that it says the error. */
static int played_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                        struct gdbmi_error *error)
{
    struct played *s = (struct played *)base;
    size_t before = s->out;

    (void)timeout_ms;
    if (s->player->failed.code != GDBMI_OK || len == 0)
        return 0;
    if (s->out == RECORD_NONE)
        (void)end(s->player, "more was sent", error);
    else if (!send_next(s, bytes, len) && !send_later(s, bytes, len))
        misfit(s->player, event_of(s, before), bytes, len);
    if (s->player->failed.code != GDBMI_OK) {
        (void)fail(s->player, error);
        return -1;
    }
    size_t next = event_of(s, before)->next;
    if (s->out == before || next == RECORD_NONE || event_of(s, next)->kind != RECORD_UNSENT)
        return 0;
    happen(s->player, next);
    record_read_error(event_of(s, next)->text, s->address, error);
    return -1;
}

/* The event that can be received, or RECORD_NONE. */
static size_t next_in(struct played *s)
{
    while (s->in != RECORD_NONE &&
           (event_of(s, s->in)->kind == RECORD_SENT || event_of(s, s->in)->kind == RECORD_UNSENT)) {
        s->in = event_of(s, s->in)->next;
        s->in_done = 0;
    }
    return s->in;
}

static int receive(struct played *s, void *bytes, size_t capacity)
{
    const struct record_event *event = event_of(s, s->in);
    size_t len = event->len - s->in_done < capacity ? event->len - s->in_done : capacity;

    memcpy(bytes, event->text + s->in_done, len);
    s->in_done += len;
    happen(s->player, s->in);
    if (s->in_done == event->len) {
        s->in = event->next;
        s->in_done = 0;
    }
    return (int)len;
}

static int played_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                       struct gdbmi_error *error)
{
    struct played *s = (struct played *)base;
    size_t in = next_in(s);

    if (s->player->failed.code != GDBMI_OK || in == RECORD_NONE ||
        event_of(s, in)->kind == RECORD_CLOSED) {
        (void)end(s->player, "an answer is missing", error);
        return -1;
    }
    if (s->out < in) { /* not all was sent */
        player_skip(s->player, (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * NS_PER_MS);
        return 0;
    }
    if (event_of(s, in)->kind == RECORD_RECEIVED)
        return receive(s, bytes, capacity);
    happen(s->player, in);
    if (event_of(s, in)->kind == RECORD_LOST) {
        record_read_error(event_of(s, in)->text, s->address, error);
        return -1;
    }
    s->in = event_of(s, in)->next;
    return 0;
}

static void played_close(struct gdbmi_stream *base)
{
    struct played *s = (struct played *)base;

    size_t closed = find(s, s->in, RECORD_CLOSED);
    if (closed != RECORD_NONE)
        happen(s->player, closed);
    free(s);
}

static const struct gdbmi_stream_ops played_ops = {
    .read = played_read,
    .write = played_write,
    .close = played_close,
};

/* The label stands before the first space, and the rest is of a failure. */
static bool is_connection(const struct record_event *event, const char *label)
{
    size_t len = strlen(label);

    return (event->kind == RECORD_OPEN || event->kind == RECORD_FAILED) &&
           strncmp(event->text, label, len) == 0 &&
           (event->text[len] == '\0' || event->text[len] == ' ');
}

static enum gdbmi_code open_stream(struct player *p, size_t event, const char *address,
                                   struct gdbmi_stream **stream, struct gdbmi_error *error)
{
    struct played *made = calloc(1, sizeof(*made));

    if (made == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%.150s: out of memory", p->name);
    made->base.ops = &played_ops;
    made->player = p;
    made->in = p->script.events[event].next;
    made->out = find(made, made->in, RECORD_SENT);
    snprintf(made->address, sizeof(made->address), "%s", address);
    *stream = &made->base;
    return GDBMI_OK;
}

enum gdbmi_code player_connect(struct player *player, const char *label, const char *address,
                               struct gdbmi_stream **stream, struct gdbmi_error *error)
{
    const struct record_script *s = &player->script;
    size_t at = player->opened;

    while (at < s->count && !is_connection(&s->events[at], label))
        at++;
    if (at == s->count || player->failed.code != GDBMI_OK)
        return end(player, "one more connection was made", error);
    player->opened = at + 1;
    happen(player, at);
    if (s->events[at].kind == RECORD_OPEN)
        return open_stream(player, at, address, stream, error);
    const char *text = s->events[at].text + strlen(label);
    return record_read_error(text + (*text == ' '), address, error);
}
