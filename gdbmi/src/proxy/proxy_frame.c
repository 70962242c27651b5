/* SPDX-License-Identifier: 0BSD */
/* GDB remote packets as they stand on the wire, for passing them on unchanged; without any I/O. */
#include "proxy_frame.h"

#include <stdio.h>
#include <string.h>

#include <gdbmi/rsp.h>

#include "hex.h"
#include "rsp_exchange.h"

/* A packet with every byte of it escaped, and more than any server takes. */
#define FRAME_MAX (4 * (size_t)GDBMI_RSP_MAX)

#define CTRL_C 0x03

void proxy_packet_add(struct buffer *bytes, const char *text)
{
    unsigned char sum = 0;
    char tail[4];

    for (const char *at = text; *at != '\0'; at++)
        sum = (unsigned char)(sum + *at);
    snprintf(tail, sizeof(tail), "#%02x", sum);
    buffer_add(bytes, "$", 1);
    buffer_add(bytes, text, strlen(text));
    buffer_add(bytes, tail, 3);
}

/* What two digits stand for; -1: they are none. */
static int hex_pair(const char *text)
{
    unsigned char byte;

    return hex_read(text, 2, &byte, 1) == 1 ? byte : -1;
}

static int lone(struct proxy_frame *frame, enum proxy_frame_kind kind)
{
    *frame = (struct proxy_frame){.kind = kind, .raw = "", .body = "", .right = true};
    return 1;
}

static int start_frame(struct proxy_framer *framer, char c)
{
    framer->sum = 0;
    framer->sum_digits = -1;
    return buffer_set(&framer->raw, &c, 1) ? 0 : -1;
}

static int feed_outside(struct proxy_framer *framer, char c, struct proxy_frame *frame)
{
    switch (c) {
    case '$':
    case '%':
        return start_frame(framer, c);
    case '+':
        return lone(frame, PROXY_FRAME_ACK);
    case '-':
        return lone(frame, PROXY_FRAME_NAK);
    case CTRL_C:
        return lone(frame, PROXY_FRAME_INTERRUPT);
    default:
        return 0;
    }
}

static int finish(struct proxy_framer *framer, struct proxy_frame *frame)
{
    struct buffer *raw = &framer->raw;
    const char *sum = raw->data + raw->len - 2;

    *frame = (struct proxy_frame){
        .kind = raw->data[0] == '%' ? PROXY_FRAME_NOTIFICATION : PROXY_FRAME_PACKET,
        .raw = raw->data,
        .raw_len = raw->len,
        .body = raw->data + 1,
        .len = raw->len - 4,
        .right = hex_pair(sum) == framer->sum,
    };
    framer->taken = true;
    return 1;
}

static int feed_inside(struct proxy_framer *framer, char c, struct proxy_frame *frame)
{
    if (framer->sum_digits < 0 && c == '$')
        return start_frame(framer, c);
    if (!buffer_add(&framer->raw, &c, 1) || framer->raw.len > FRAME_MAX)
        return -1;
    if (framer->sum_digits >= 0)
        return ++framer->sum_digits == 2 ? finish(framer, frame) : 0;
    if (c == '#')
        framer->sum_digits = 0;
    else
        framer->sum = (unsigned char)(framer->sum + c);
    return 0;
}

int proxy_framer_feed(struct proxy_framer *framer, const void *bytes, size_t len, size_t *used,
                      struct proxy_frame *frame)
{
    const char *in = bytes;
    int result = 0;

    *used = 0;
    if (framer->taken)
        framer->raw.len = 0;
    framer->taken = false;
    while (result == 0 && *used < len) {
        char c = in[(*used)++];
        result =
            framer->raw.len == 0 ? feed_outside(framer, c, frame) : feed_inside(framer, c, frame);
    }
    return result;
}

bool proxy_framer_take(struct proxy_framer *framer, const void *bytes, size_t len,
                       proxy_taker *take, void *context)
{
    struct proxy_frame frame;
    const char *in = bytes;
    size_t used = 0;
    int result;

    while ((result = proxy_framer_feed(framer, in, len, &used, &frame)) == 1) {
        in += used;
        len -= used;
        take(context, &frame);
    }
    return result == 0;
}

void proxy_framer_free(struct proxy_framer *framer)
{
    buffer_free(&framer->raw);
    *framer = (struct proxy_framer){.taken = false};
}

bool proxy_starts(const struct proxy_frame *frame, const char *text)
{
    size_t len = strlen(text);

    return frame->len >= len && memcmp(frame->body, text, len) == 0;
}

bool proxy_is(const struct proxy_frame *frame, const char *text)
{
    return frame->len == strlen(text) && proxy_starts(frame, text);
}

bool proxy_is_console(const struct proxy_frame *frame)
{
    return proxy_starts(frame, "O") && !proxy_is(frame, "OK");
}

bool proxy_is_hex(const struct proxy_frame *frame)
{
    for (size_t i = 0; i < frame->len; i++) {
        if (hex_value((unsigned char)frame->body[i]) < 0)
            return false;
    }
    return frame->len % 2 == 0;
}

bool proxy_is_stop(const struct proxy_frame *frame)
{
    return rsp_stop_signal(frame->body, frame->len) >= 0 || proxy_is(frame, "N");
}

bool proxy_is_error(const struct proxy_frame *frame)
{
    return proxy_starts(frame, "E.") ||
           (frame->len == 3 && frame->body[0] == 'E' && hex_pair(frame->body + 1) >= 0);
}
