/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a target sends of its trace: any bytes, or frames of them whose checksums are right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <link_ops.h>
#include <mprof/layout.h>
#include <sampler/trace.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* A link to bytes that come in pieces. */
struct sender {
    struct gdbmi_link link;
    const uint8_t *bytes;
    size_t left, piece;
};

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "this does not hold: %s\n", what);
    abort();
}

static enum gdbmi_code receive(struct gdbmi_link *link, void *bytes, size_t capacity,
                               int timeout_ms, size_t *len, bool *ended)
{
    struct sender *s = (struct sender *)link;

    (void)timeout_ms;
    *len = s->piece < s->left ? s->piece : s->left;
    *len = capacity < *len ? capacity : *len;
    memcpy(bytes, s->bytes, *len);
    s->bytes += *len;
    s->left -= *len;
    *ended = *len == 0;
    return GDBMI_OK;
}

static const struct gdbmi_link_ops ops = {.receive = receive};

/* Frames of the input: kind, core, run, words, and the contents. */
static size_t make_frames(const uint8_t *bytes, size_t len, uint8_t *made)
{
    size_t end = 0;

    while (len > 4) {
        size_t there = (len - 4) / 4, words = bytes[3] < there ? bytes[3] : there;
        uint8_t *frame = made + end;
        const uint8_t head[] = {MPROF_FRAME_SYNC & 255,   MPROF_FRAME_SYNC >> 8,
                                (uint8_t)(bytes[0] % 4),  bytes[1] % 20,
                                (uint8_t)(bytes[2] % 4u), (uint8_t)words};
        memcpy(frame, head, sizeof(head));
        memcpy(frame + sizeof(head), bytes + 4, 4 * words);
        uint32_t sum = (uint32_t)crc32(0, frame + 2, (uInt)(4 + 4 * words));
        for (unsigned i = 0; i < 4; i++)
            frame[sizeof(head) + 4 * words + i] = (uint8_t)(sum >> 8 * i);
        end += sizeof(head) + 4 * words + 4;
        bytes += 4 + 4 * words;
        len -= 4 + 4 * words;
    }
    return end;
}

static size_t take(struct sampler_table *sampler, bool last)
{
    size_t count, calls = 0;
    const struct sampler_event *events = sampler_table_events(sampler, last, &count);

    must(events != NULL, "there is memory");
    for (size_t i = 0; i < count; i++) {
        must(events[i].core < DECODE_MAX_CORES, "a core is known");
        must(events[i].kind == SAMPLER_EVENT_CALL || events[i].kind == SAMPLER_EVENT_BEGIN ||
                 events[i].count != 0,
             "a loss has a number");
        calls += events[i].kind == SAMPLER_EVENT_CALL;
    }
    return calls;
}

static void read_all(struct sender *sender, unsigned addr_size)
{
    struct sampler_table *sampler =
        sampler_table_new(&sender->link, 0, 0, addr_size, SAMPLER_TRACE);
    enum sampler_code code = SAMPLER_OK;
    struct profile profile;
    enum gdbmi_state state;
    uint64_t left_out = 0;
    size_t calls = 0, sent = sender->left;

    must(sampler && sampler_table_receive(sampler, NULL), "there is memory");
    profile_init(&profile);
    while ((code == SAMPLER_OK || code == SAMPLER_WAIT) &&
           !sampler_table_has_ended(sampler, &left_out)) {
        code = sampler_table_poll(sampler, &profile, 1, &state);
        calls += take(sampler, false);
    }
    calls += take(sampler, true);
    (void)sampler_table_has_ended(sampler, &left_out);
    must(left_out <= sent, "no byte is left out twice");
    must(calls <= sent / 16, "each event was sent");
    must(!getenv("MPROF_SOUND") || calls != 0, "a sound seed has calls");
    sampler_table_free(sampler);
    profile_free(&profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static uint8_t frames[1 << 16];
    struct sender sender = {.piece = 1000};

    if (len < 2 || len > sizeof(frames) / 4)
        return 0;
    link_init(&sender.link, &ops, "fuzz", "", 0);
    sender.piece = bytes[1] + 1u;
    sender.bytes = bytes + 2;
    sender.left = len - 2;
    if (bytes[0] & 1) {
        sender.left = make_frames(bytes + 2, len - 2, frames);
        sender.bytes = frames;
    }
    read_all(&sender, bytes[0] & 2 ? 8 : 4);
    return 0;
}
