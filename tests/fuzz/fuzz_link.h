/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A link that is opened and used while the input says what its server does: the script, the clock,
 * and what must hold whatever the server does. The clock moves when the link waits. */
#ifndef FUZZ_LINK_H
#define FUZZ_LINK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_clock.h"
#include "fake_stream.h"
#include "link_ops.h"

#define TIMEOUT_MS 40
#define LATE_MS    2000 /* for what has arrived when the time is over */
#define READ_MAX   600
#define USES_MAX   16

/* What is left of the input; where it ends it goes on with zeros, which are a sound server. */
struct script {
    const uint8_t *bytes;
    size_t left;
};

static inline uint8_t take(struct script *script)
{
    if (script->left == 0)
        return 0;
    script->left--;
    return *script->bytes++;
}

static inline void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "this does not hold: %s\n", what);
    abort();
}

/* Whether an operation that began then is in time. What lets the target go has time of its own. */
static inline void must_be_in_time(uint64_t since_ms, uint64_t limit_ms)
{
    must(fake_clock_passed_ms() - since_ms <=
             limit_ms + (uint64_t)LINK_OPERATION_ANSWERS * TIMEOUT_MS + LATE_MS,
         "each operation ends in time");
}

/* Bytes out of the script, as they are. */
static inline void put_raw(struct fake_stream *stream, struct script *script)
{
    size_t len = take(script);

    if (len > script->left)
        len = script->left;
    fake_stream_put(stream, (const char *)script->bytes, len);
    script->bytes += len;
    script->left -= len;
}

/* Changes a byte of what was put since then. */
static inline void damage(struct fake_stream *stream, struct script *script, size_t since)
{
    size_t at = (size_t)take(script) | (size_t)take(script) << 8;
    uint8_t bits = take(script);

    if (stream->queue_len > since)
        stream->queue[since + at % (stream->queue_len - since)] ^= (char)bits;
}

static inline void start_stream(struct fake_stream *stream, struct script *script)
{
    stream->pass = fake_clock_pass;
    stream->piece_ms = 1;
    stream->flood_len = 64;
    stream->drips = take(script) & 1;
    stream->split = take(script);
    if (stream->split == 0)
        stream->split = FAKE_NEVER;
    fake_clock_start();
}

static inline void use_memory(struct gdbmi_link *link, struct script *script, bool poll)
{
    unsigned char bytes[READ_MAX];
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;
    size_t len = ((size_t)take(script) | (size_t)take(script) << 8) % READ_MAX + 1;
    uint64_t addr = RAM + take(script);
    uint64_t since_ms = fake_clock_passed_ms();

    memset(bytes, 0xee, sizeof(bytes));
    enum gdbmi_code code = poll ? gdbmi_link_poll(link, addr, bytes, len, &state)
                                : gdbmi_link_read(link, addr, bytes, len);
    must_be_in_time(since_ms,
                    (uint64_t)LINK_OPERATION_ANSWERS * TIMEOUT_MS + (uint64_t)LINK_BYTE_MS * len);
    for (size_t i = 0; code != GDBMI_OK && i < len; i++)
        must(bytes[i] == 0xee, "a read that fails stores nothing");
    must(code == GDBMI_OK || gdbmi_link_error(link)->text[0] != '\0', "an error has a text");
}

static inline void use_once(struct gdbmi_link *link, struct script *script)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;
    uint64_t since_ms = fake_clock_passed_ms();
    char *answer = NULL;
    uint64_t pc = 0;

    switch (take(script) % 8) {
    case 0:
        (void)!gdbmi_link_halt(link);
        break;
    case 1:
        (void)!gdbmi_link_state(link, &state);
        break;
    case 2:
        (void)!gdbmi_link_resume(link);
        break;
    case 3:
        (void)!gdbmi_link_release(link);
        break;
    case 4:
        (void)!gdbmi_link_pc(link, &pc);
        break;
    case 5:
        if (gdbmi_link_command(link, "info registers", &answer) == GDBMI_OK)
            must(answer != NULL, "a command has an answer");
        free(answer);
        break;
    case 6:
        (void)!gdbmi_link_write(link, RAM, "12345678", 8);
        break;
    default:
        break;
    }
    must_be_in_time(since_ms, (uint64_t)LINK_OPERATION_ANSWERS * TIMEOUT_MS + 8 * LINK_BYTE_MS);
}

/* between() is what the server does unasked. */
static inline void use_link(struct gdbmi_link *link, struct script *script,
                            void (*between)(void *server), void *server)
{
    for (int i = 0; i < USES_MAX && script->left > 0; i++) {
        uint8_t kind = take(script) % 3;
        between(server);
        if (kind == 0)
            use_once(link, script);
        else
            use_memory(link, script, kind == 2);
    }
    uint64_t since_ms = fake_clock_passed_ms();
    struct gdbmi_error error;
    (void)gdbmi_link_close(link, &error);
    must_be_in_time(since_ms, (uint64_t)LINK_OPERATION_ANSWERS * TIMEOUT_MS);
}

#endif
