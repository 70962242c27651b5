/* SPDX-License-Identifier: 0BSD */
/* Reads and builds packets of the GDB remote serial protocol, without any I/O. */
#include <gdbmi/rsp.h>

#include <stdlib.h>
#include <string.h>

#include "hex.h"

/* A repeat count n is sent as the character n + 29, so that it is printable. */
#define RUN_BIAS 29
#define RUN_LOW  ' '
#define RUN_HIGH '~'

enum rsp_phase {
    RSP_IDLE,
    RSP_BODY,
    RSP_ESCAPED, /* '}' was read */
    RSP_RUN,     /* '*' was read */
    RSP_SUM_HIGH,
    RSP_SUM_LOW,
    RSP_BROKEN,
};

struct gdbmi_rsp_reader {
    enum rsp_phase phase;
    bool notification;
    bool malformed; /* an error only if the checksum turns out to be right */
    bool repeatable;
    unsigned char last; /* as it stood on the wire: what a run length repeats */
    unsigned char sum;
    unsigned char sum_high;
    size_t skipped;
    bool damaged;
    size_t len;
    char data[GDBMI_RSP_MAX + 1];
};

struct gdbmi_rsp_reader *gdbmi_rsp_reader_new(void)
{
    return calloc(1, sizeof(struct gdbmi_rsp_reader));
}

void gdbmi_rsp_reader_free(struct gdbmi_rsp_reader *reader)
{
    free(reader);
}

size_t gdbmi_rsp_skipped(const struct gdbmi_rsp_reader *reader)
{
    return reader->skipped;
}

bool gdbmi_rsp_damaged(const struct gdbmi_rsp_reader *reader)
{
    return reader->damaged;
}

bool gdbmi_rsp_inside(const struct gdbmi_rsp_reader *reader)
{
    return reader->phase != RSP_IDLE && reader->phase != RSP_BROKEN;
}

static int broken(struct gdbmi_rsp_reader *reader)
{
    reader->phase = RSP_BROKEN;
    return -1;
}

static void start_packet(struct gdbmi_rsp_reader *reader, bool notification)
{
    reader->phase = RSP_BODY;
    reader->notification = notification;
    reader->malformed = false;
    reader->repeatable = false;
    reader->sum = 0;
    reader->len = 0;
}

static int append(struct gdbmi_rsp_reader *reader, unsigned char c, size_t count)
{
    if (count > GDBMI_RSP_MAX - reader->len)
        return broken(reader);
    memset(reader->data + reader->len, c, count);
    reader->len += count;
    return 0;
}

static int deliver(struct gdbmi_rsp_reader *reader, enum gdbmi_rsp_kind kind,
                   struct gdbmi_rsp_message *message)
{
    if (kind == GDBMI_RSP_ACK || kind == GDBMI_RSP_NAK)
        reader->len = 0;
    reader->data[reader->len] = '\0';
    *message = (struct gdbmi_rsp_message){.kind = kind, .data = reader->data, .len = reader->len};
    return 1;
}

static int feed_idle(struct gdbmi_rsp_reader *reader, unsigned char c,
                     struct gdbmi_rsp_message *message)
{
    switch (c) {
    case '$':
    case '%':
        start_packet(reader, c == '%');
        return 0;
    case '+':
        return deliver(reader, GDBMI_RSP_ACK, message);
    case '-':
        return deliver(reader, GDBMI_RSP_NAK, message);
    default:
        reader->skipped++;
        reader->damaged = true;
        return 0;
    }
}

static int feed_body(struct gdbmi_rsp_reader *reader, unsigned char c)
{
    switch (c) {
    case '$':
        reader->damaged = true;
        start_packet(reader, false);
        return 0;
    case '#':
        reader->phase = RSP_SUM_HIGH;
        return 0;
    case '}':
        reader->phase = RSP_ESCAPED;
        break;
    case '*':
        reader->phase = RSP_RUN;
        break;
    default:
        reader->last = c;
        reader->repeatable = true;
        reader->sum = (unsigned char)(reader->sum + c);
        return append(reader, c, 1);
    }
    reader->sum = (unsigned char)(reader->sum + c);
    return 0;
}

static int feed_escaped(struct gdbmi_rsp_reader *reader, unsigned char c)
{
    reader->phase = RSP_BODY;
    reader->last = c;
    reader->repeatable = true;
    reader->sum = (unsigned char)(reader->sum + c);
    return append(reader, c ^ 0x20, 1);
}

static int feed_run(struct gdbmi_rsp_reader *reader, unsigned char c)
{
    reader->phase = RSP_BODY;
    reader->sum = (unsigned char)(reader->sum + c);
    if (!reader->repeatable || c < RUN_LOW || c > RUN_HIGH) {
        reader->malformed = true;
        return 0;
    }
    return append(reader, reader->last, (size_t)(c - RUN_BIAS));
}

static int feed_sum(struct gdbmi_rsp_reader *reader, unsigned char c,
                    struct gdbmi_rsp_message *message)
{
    if (reader->phase == RSP_SUM_HIGH) {
        reader->sum_high = c;
        reader->phase = RSP_SUM_LOW;
        return 0;
    }
    int high = hex_value(reader->sum_high);
    int low = hex_value(c);
    bool right = high >= 0 && low >= 0 && high * 16 + low == reader->sum;
    reader->phase = RSP_IDLE;
    reader->damaged = reader->damaged || !right;
    if (right && reader->malformed)
        return broken(reader);
    if (reader->notification)
        return right ? deliver(reader, GDBMI_RSP_NOTIFICATION, message) : 0;
    return deliver(reader, right ? GDBMI_RSP_PACKET : GDBMI_RSP_BAD, message);
}

static int feed_byte(struct gdbmi_rsp_reader *reader, unsigned char c,
                     struct gdbmi_rsp_message *message)
{
    switch (reader->phase) {
    case RSP_IDLE:
        return feed_idle(reader, c, message);
    case RSP_BODY:
        return feed_body(reader, c);
    case RSP_ESCAPED:
        return feed_escaped(reader, c);
    case RSP_RUN:
        return feed_run(reader, c);
    case RSP_SUM_HIGH:
    case RSP_SUM_LOW:
        return feed_sum(reader, c, message);
    case RSP_BROKEN:
        break;
    }
    return -1;
}

int gdbmi_rsp_feed(struct gdbmi_rsp_reader *reader, const void *bytes, size_t len, size_t *used,
                   struct gdbmi_rsp_message *message)
{
    const unsigned char *in = bytes;
    int result = reader->phase == RSP_BROKEN ? -1 : 0;

    *used = 0;
    while (result == 0 && *used < len)
        result = feed_byte(reader, in[(*used)++], message);
    return result;
}

static bool needs_escape(unsigned char c)
{
    return c == '$' || c == '#' || c == '}' || c == '*';
}

size_t gdbmi_rsp_build(const void *payload, size_t len, char *out, size_t capacity)
{
    const unsigned char *in = payload;
    unsigned char sum = 0;
    size_t at = 0;

    if (capacity < 4)
        return 0;
    out[at++] = '$';
    for (size_t i = 0; i < len; i++) {
        bool escape = needs_escape(in[i]);
        if (capacity - at < 3U + (escape ? 2U : 1U))
            return 0;
        if (escape) {
            out[at++] = '}';
            sum = (unsigned char)(sum + '}');
        }
        unsigned char c = escape ? in[i] ^ 0x20 : in[i];
        out[at++] = (char)c;
        sum = (unsigned char)(sum + c);
    }
    out[at++] = '#';
    out[at++] = hex_digits[sum >> 4];
    out[at++] = hex_digits[sum & 15];
    return at;
}

void gdbmi_rsp_hex(const void *bytes, size_t len, char *out)
{
    hex_write(bytes, len, out);
}

long gdbmi_rsp_unhex(const char *text, size_t len, void *out, size_t capacity)
{
    return hex_read(text, len, out, capacity);
}
