/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A link through GDB/MI, and a gdb at the other end that does what the input says. */
#include "fake_mi.h"
#include "fuzz_link.h"
#include "mi_link.h"

/* The waits for a gdb's first prompt: ours, the user's. */
#define PROMPT_MS 30000
#define ATTACH_MS 60000

struct server {
    struct fake_mi mi;
    struct script *script;
    void (*serve)(void *server, const char *bytes, size_t len); /* a sound gdb's */
};

static void say_odd(struct server *s)
{
    static const char *const odd[] = {
        "^running",
        "~\"text \\\"\\303\\n\"",
        "@\"Open On-Chip Debugger 0.12.0\\n\"",
        "*stopped,reason=\"breakpoint-hit\",signal-name=\"SIGTRAP\"",
        "*running,thread-id=\"all\"",
        "=thread-group-exited,id=\"i1\"",
        "=breakpoint-created,bkpt={number=\"1\"}",
        "=breakpoint-deleted,id=\"1\"",
        "=cmd-param-changed,param=\"mi-async\",value=\"off\"",
        "&\"Packet received: T02\\n\"",
        "&\"[remote] Sending packet: $?#3f\"",
        "5^done,threads=[{state=\"stopped\"}]",
        "2^done,value=",
        "(gdb) ",
        "what a program prints",
        "=thread-group-started,id=\"i1\",pid=\"1\"",
    };

    fake_mi_say(&s->mi, odd[take(s->script) % 16]);
}

static void set_faults(struct server *s)
{
    uint8_t bits = take(s->script);

    s->mi.noise = bits & 1;
    s->mi.crlf = (bits & 2) != 0;
    s->mi.short_read = (bits & 4) != 0;
    s->mi.shifted_read = (bits & 8) != 0;
    s->mi.breaks = (bits & 16) != 0;
    s->mi.never_stops = (bits & 32) != 0;
    s->mi.async = (bits & 64) != 0;
    s->mi.no_target = (bits & 128) != 0;
}

/* A command has come: how it is taken is said by one byte; most values are a sound gdb. */
static void serve(void *server, const char *bytes, size_t len)
{
    static const char *const floods[] = {"=library-loaded,id=\"x\"\n", "\n", "~\"x", "(gdb) \n"};
    struct server *s = server;
    struct fake_stream *stream = &s->mi.stream;
    size_t since = stream->queue_len;

    switch (take(s->script) % 24) {
    case 10:
        return; /* it says nothing */
    case 11:
        put_raw(stream, s->script);
        return;
    case 12:
        s->serve(&s->mi, bytes, len);
        damage(stream, s->script, since);
        return;
    case 13:
        s->serve(&s->mi, bytes, len);
        stream->queue_len -= (stream->queue_len - since) * take(s->script) / 255;
        return;
    case 14:
        stream->closed = true;
        return;
    case 15:
        stream->flood = floods[take(s->script) % 4];
        return;
    case 16:
        set_faults(s);
        break;
    case 17:
        say_odd(s);
        break;
    case 18:
        fake_mi_stop(&s->mi, "signal-received", take(s->script) & 1 ? "SIGINT" : "SIGSEGV");
        break;
    case 19:
        s->mi.running = take(s->script) & 1;
        break;
    case 20:
        put_raw(stream, s->script);
        fake_stream_put(stream, "\n", 1);
        break;
    case 21:
        s->mi.left = true;
        break;
    default:
        break;
    }
    s->serve(&s->mi, bytes, len);
}

static void between(void *server)
{
    struct server *s = server;

    switch (take(s->script) % 8) {
    case 1:
        say_odd(s);
        break;
    case 2:
        put_raw(&s->mi.stream, s->script);
        break;
    case 3:
        set_faults(s);
        break;
    case 4:
        s->mi.stream.flood = NULL;
        break;
    default:
        break;
    }
}

/* The sound one's words up to its first prompt are in the queue. */
static void greet(struct server *s)
{
    struct fake_stream *stream = &s->mi.stream;

    switch (take(s->script) % 8) {
    case 1:
        damage(stream, s->script, 0);
        break;
    case 2:
        stream->queue_len = 0;
        put_raw(stream, s->script);
        break;
    case 3:
        stream->queue_len = 0;
        stream->flood = "&\"Packet received: T02\\n\"\n";
        stream->piece_ms = 200; /* of the 30 s or more that a prompt may take */
        break;
    case 4:
        stream->queue_len = stream->queue_len * take(s->script) / 255;
        stream->closed = take(s->script) & 1;
        break;
    default:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static struct server s;
    struct script script = {.bytes = bytes, .left = len};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link = NULL;
    uint8_t kind = take(&script);
    bool ours = (kind & 8) == 0;
    const struct gdbmi_options options = {
        .timeout_ms = TIMEOUT_MS, .allow_halt = (kind & 16) == 0, .held = (kind & 32) != 0};

    fake_mi_init(&s.mi, (enum fake_mi_server)(kind & 3), (kind & 4) == 0);
    s.script = &script;
    s.serve = s.mi.stream.serve;
    s.mi.stream.serve = serve;
    s.mi.stream.server = &s;
    s.mi.non_stop = (kind & 64) != 0;
    s.mi.always_non_stop = (kind & 128) != 0;
    start_stream(&s.mi.stream, &script);
    greet(&s);
    uint64_t since_ms = fake_clock_passed_ms();
    enum gdbmi_code code =
        mi_link_on_stream(&s.mi.stream.base, ours, "fuzz", &options, &link, &error);
    must_be_in_time(since_ms,
                    (ours ? PROMPT_MS : ATTACH_MS) + (uint64_t)LINK_OPENING_ANSWERS * TIMEOUT_MS);
    must((code == GDBMI_OK) == (link != NULL), "a link is there if opening says so");
    must(code == GDBMI_OK || error.text[0] != '\0', "an error has a text");
    if (link != NULL)
        use_link(link, &script, between, &s);
    must(s.mi.stream.closed_by_client, "the stream is closed");
    fake_mi_free(&s.mi);
    return 0;
}
