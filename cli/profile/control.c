/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of requests to the stub. */
#include <profile/control.h>

#include <string.h>

#include <mprof/layout.h>

static const struct {
    const char *word;
    uint32_t bit;
} switches[] = {
    {"timer", MPROF_ENABLE_TIMER},         {"hooks", MPROF_ENABLE_CALLS},
    {"table", MPROF_ENABLE_ITEMS},         {"calls", MPROF_ENABLE_CALLED},
    {"arcs", MPROF_ENABLE_ARCS},           {"stream", MPROF_ENABLE_STREAM},
    {"histogram", MPROF_ENABLE_HISTOGRAM}, {"trace", MPROF_ENABLE_TRACE},
    {"sink", MPROF_ENABLE_SINK},
};

#define SWITCHES (sizeof(switches) / sizeof(switches[0]))

uint32_t control_switch(const char *word)
{
    for (size_t i = 0; i < SWITCHES; i++) {
        if (strcmp(switches[i].word, word) == 0)
            return switches[i].bit;
    }
    return 0;
}

bool control_has(const struct decode_header *header, const char *word)
{
    for (int source = 0; source < DECODE_SOURCES; source++) {
        if (strcmp(word, decode_source_name((enum decode_source)source)) == 0)
            return header->blocks[source].count != 0;
    }
    return strcmp(word, "sink") != 0 || header->sink; /* a source may start at any time */
}

const char *control_word(size_t index)
{
    return index < SWITCHES ? switches[index].word : NULL;
}

bool control_is_on(const struct decode_header *header, uint32_t bits)
{
    return (header->enable & bits) == bits;
}

const char *control_off(uint32_t enable, enum decode_source source)
{
    bool calls = decode_source_unit(source) == DECODE_UNIT_CALLS;
    const char *words[] = {calls ? "hooks" : "timer", decode_source_name(source)};

    for (size_t i = 0;
         enable != 0 && !decode_is_taken(source) && i < sizeof(words) / sizeof(words[0]); i++) {
        if ((enable & control_switch(words[i])) != control_switch(words[i]))
            return words[i];
    }
    return NULL;
}

static void encode_value(const struct decode_header *h, struct control_write *w, uint64_t value,
                         size_t len)
{
    w->len = len;
    for (size_t i = 0; i < len; i++)
        w->bytes[h->big_endian ? len - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

static struct control_write word(const struct decode_header *h, size_t offset, uint32_t value)
{
    struct control_write w = {.offset = offset};

    encode_value(h, &w, value, sizeof(value));
    return w;
}

/* The byte of enable that bits are in. */
static unsigned byte_of(uint32_t bits)
{
    unsigned byte = 0;

    while (byte < 3 && (bits >> 8 * byte & 0xff) == 0)
        byte++;
    return byte;
}

static struct control_write enable_byte(const struct decode_header *h, uint32_t enable,
                                        unsigned byte)
{
    return (struct control_write){
        .offset = offsetof(struct mprof_header, enable) + (h->big_endian ? 3 - byte : byte),
        .len = 1,
        .bytes = {(uint8_t)(enable >> 8 * byte)},
    };
}

struct control_write control_set(const struct decode_header *header, uint32_t bits, bool on)
{
    return enable_byte(header, on ? header->enable | bits : header->enable & ~bits, byte_of(bits));
}

size_t control_tracer(const struct decode_header *header, const char *tracer,
                      struct control_write writes[CONTROL_TRACER_WRITES])
{
    static const uint32_t tracers =
        MPROF_ENABLE_CALLED | MPROF_ENABLE_ARCS | MPROF_ENABLE_TRACE | MPROF_ENABLE_SINK;
    uint32_t enable =
        (header->enable & ~tracers) | MPROF_ENABLE_CALLS | (control_switch(tracer) & tracers);

    if (strcmp(tracer, "none") == 0) {
        writes[0] = control_set(header, MPROF_ENABLE_CALLS, false);
        return 1;
    }
    writes[0] = enable_byte(header, enable, byte_of(MPROF_ENABLE_TRACE));
    writes[1] = enable_byte(header, enable, byte_of(MPROF_ENABLE_CALLS));
    return CONTROL_TRACER_WRITES;
}

struct control_write control_attention(const struct decode_header *header, bool wanted)
{
    return control_set(header, MPROF_ENABLE_CALM, !wanted);
}

struct control_write control_request_reset(const struct decode_header *header, uint32_t request)
{
    return word(header, offsetof(struct mprof_header, reset_request), request);
}

struct control_write control_nonce(const struct decode_header *header, uint32_t nonce)
{
    return word(header, offsetof(struct mprof_header, nonce), nonce);
}

struct control_write control_phase_only(const struct decode_header *header, uint32_t phase)
{
    return word(header, offsetof(struct mprof_header, phase_only), phase);
}

void control_focus(const struct decode_header *header, uint64_t base, uint32_t request,
                   struct control_write writes[CONTROL_FOCUS_WRITES])
{
    writes[0] = word(header, offsetof(struct mprof_header, focus_low), (uint32_t)base);
    writes[1] = word(header, offsetof(struct mprof_header, focus_high), (uint32_t)(base >> 32));
    writes[2] = word(header, offsetof(struct mprof_header, focus_request), request);
}

bool control_focus_stays(uint32_t request)
{
    return request % 2 == 0;
}

bool control_is_focused(uint32_t enable)
{
    return enable != 0 && !(enable & MPROF_ENABLE_UNFOCUSED);
}

struct control_write control_focus_switch(const struct decode_header *header, bool on)
{
    return on ? control_set(header, MPROF_ENABLE_UNFOCUSED | MPROF_ENABLE_CALM, false)
              : control_set(header, MPROF_ENABLE_UNFOCUSED, true);
}

void control_focus_withdraw(const struct decode_header *header, uint32_t done,
                            struct control_write writes[CONTROL_WITHDRAW_WRITES])
{
    writes[0] = control_set(header, MPROF_ENABLE_UNFOCUSED | MPROF_ENABLE_CALM, true);
    writes[1] = word(header, offsetof(struct mprof_header, focus_request), done);
}

void control_range(const struct decode_header *header, size_t index, uint64_t start, uint64_t end,
                   struct control_write writes[CONTROL_RANGE_WRITES])
{
    const struct decode_block *b = &header->blocks[DECODE_FILTER];
    size_t at = b->offset + index * b->size;
    size_t len = header->addr_size;

    if (start == end)
        start = end = 0;
    else if (end == 0 || (len < 8 && end >> 8 * len != 0))
        end = UINT64_MAX; /* behind the last address: up to it */
    writes[0] = (struct control_write){.offset = at + len};
    writes[1] = (struct control_write){.offset = at};
    writes[2] = (struct control_write){.offset = at + len};
    encode_value(header, &writes[0], 0, len);
    encode_value(header, &writes[1], start, len);
    encode_value(header, &writes[2], end, len);
}

/* The first entry of the list that is not in use. */
static size_t other_list(const struct decode_header *h)
{
    size_t half = h->blocks[DECODE_TRACED].count / 2;

    return (h->traced & MPROF_TRACED_FIRST) < half ? half : 0;
}

size_t control_traced_most(const struct decode_header *header)
{
    size_t half = header->blocks[DECODE_TRACED].count / 2;

    return half != 0 ? half - 1 : 0;
}

void control_traced(const struct decode_header *header, size_t index, uint64_t start, uint64_t end,
                    struct control_write writes[CONTROL_TRACED_WRITES])
{
    const struct decode_block *b = &header->blocks[DECODE_TRACED];
    size_t len = header->addr_size, at = b->offset + (other_list(header) + index) * b->size;

    writes[0] = (struct control_write){.offset = at};
    writes[1] = (struct control_write){.offset = at + len};
    encode_value(header, &writes[0], start, len);
    encode_value(header, &writes[1], end, len);
}

struct control_write control_choose_traced(const struct decode_header *header, uint32_t *traced)
{
    uint32_t step = (header->traced & ~MPROF_TRACED_FIRST) + MPROF_TRACED_STEP;

    step += step == 0 ? MPROF_TRACED_STEP : 0;
    *traced = step + (uint32_t)other_list(header);
    return word(header, offsetof(struct mprof_header, traced), *traced);
}

struct control_write control_filter_switch(const struct decode_header *header, bool on)
{
    return control_set(header, MPROF_ENABLE_UNFILTERED, !on);
}

bool control_is_traced(const struct decode_header *header)
{
    return control_is_on(header, MPROF_ENABLE_TRACING);
}

const char *control_firmware_state(const struct decode_header *header)
{
    if (!control_is_on(header, MPROF_ENABLE_STARTED))
        return "stopped";
    if (!control_is_on(header, MPROF_ENABLE_AWAKE))
        return "asleep";
    return control_is_on(header, MPROF_ENABLE_IN_PHASE) ? NULL : "out of phase";
}
