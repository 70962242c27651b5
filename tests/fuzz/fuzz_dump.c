/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of a target: s_prof of one to three cores, or a table that says nothing of itself. */
#include <profile/decode.h>
#include <profile/headerless.h>
#include <profile/profile.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void read_stream(const uint8_t *bytes, const struct decode_header *header)
{
    struct decode_sample sample;
    uint32_t place = decode_stream_head(bytes, header);
    uint32_t records = (uint32_t)header->item_count;

    for (uint32_t i = 0; records && i < records && i < 300; i++) {
        if (decode_stream_index(place, header) >= records)
            abort();
        (void)decode_stream_record(bytes, header, place, &sample);
        place = decode_stream_next(place, records);
    }
}

static void read_trace(const uint8_t *bytes, const struct decode_header *header)
{
    struct decode_event event;
    uint32_t first = decode_trace(bytes, header).head, records = (uint32_t)header->item_count;

    for (uint32_t i = 0; i < records && i < 300; i++) {
        if (decode_trace_index(first + i, header) >= records)
            abort();
        (void)decode_trace_event(bytes, header, first + i, &event);
    }
}

static void read_focus(const uint8_t *bytes, const struct decode_header *header)
{
    const struct decode_block *b = &header->blocks[DECODE_FOCUS];
    const struct decode_focus focus = decode_focus(bytes, header);

    for (size_t i = 0; i < b->count; i++)
        (void)decode_focus_hits(bytes, header, focus.base + i * b->block_size);
}

static bool has_rows(const struct decode_header *header)
{
    return header->source != DECODE_STREAM && header->source != DECODE_TRACE &&
           header->source != DECODE_FILTER && header->source != DECODE_FOCUS &&
           header->source != DECODE_TRACED && header->source != DECODE_TASKS &&
           header->source != DECODE_COST;
}

static void read_block(const uint8_t *bytes, const struct decode_header *header)
{
    struct decode_item item;
    struct decode_task task;
    uint64_t start, end;

    for (size_t i = 0; i < header->blocks[DECODE_TASKS].count; i++)
        (void)decode_task(bytes, header, i, &task);
    if (header->source == DECODE_STREAM)
        read_stream(bytes, header);
    if (header->source == DECODE_TRACE)
        read_trace(bytes, header);
    if (header->source == DECODE_FOCUS)
        read_focus(bytes, header);
    for (size_t i = 0; has_rows(header) && i < header->item_count; i++)
        (void)decode_item(bytes, header, i, &item);
    for (size_t i = 0; decode_traced(bytes, header, i, &start, &end); i++)
        continue;
    for (size_t i = 0; i < header->blocks[DECODE_FILTER].count; i++)
        (void)decode_range(bytes, header, i, &start, &end);
}

static void update(struct profile *profile, const uint8_t *bytes,
                   const struct decode_header *header, double now_s)
{
    const struct profile_object object = {.bytes = bytes, .header = header};
    uint64_t sum = 0;

    if (!has_rows(header) || !profile_update(profile, &object, 1, now_s))
        return;
    for (size_t i = 0; i < profile->row_count; i++)
        sum += profile->rows[i].hits;
    if (sum != profile->attributed)
        abort();
}

/* Each byte that is read is one of len. */
static void try_object(struct profile *profile, const uint8_t *bytes, size_t len, double now_s)
{
    struct decode_header header;
    char text[300] = "";
    size_t need;
    uint8_t *copy = malloc(len + 1);

    if (!copy)
        return;
    memcpy(copy, bytes, len);
    if (decode_header(copy, len, &header, &need, text, sizeof(text)) == DECODE_OK &&
        header.total_size <= len) {
        for (int source = 0; source < DECODE_SOURCES; source++) {
            if (!decode_select(copy, &header, (enum decode_source)source))
                continue;
            read_block(copy, &header);
            update(profile, copy, &header, now_s + source);
        }
    }
    free(copy);
}

static void try_plain(struct profile *profile, const uint8_t *bytes, size_t len)
{
    struct headerless_shape shape = {.big_endian = bytes[0] & 2,
                                     .unit = bytes[0] & 4 ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES,
                                     .block_size = bytes[0] & 8 ? 16 : 0,
                                     .addr_mask = bytes[0] & 16 ? ~(uint64_t)1 : UINT64_MAX,
                                     .addr_size = bytes[1] % 8 + 1,
                                     .hits_size = bytes[2] % 8 + 1};

    shape.addr_offset = bytes[1] / 8 % 4;
    shape.hits_offset = bytes[2] / 8 % 16;
    shape.stride = bytes[3] % 32 + 20 + shape.hits_size;
    bytes += 4;
    len -= 4;
    /* Two readings, one behind the other. */
    shape.count = len / 2 / shape.stride;
    if (shape.count == 0)
        return;
    struct headerless_rows rows = {.rows = malloc(shape.count * sizeof(*rows.rows))};
    for (size_t reading = 0; rows.rows && reading < 2; reading++) {
        headerless_decode(bytes + reading * shape.count * shape.stride, &shape, &rows);
        if (rows.count + rows.doubles > shape.count)
            abort();
        if (!profile_update_headerless(profile, &shape, &rows, (double)reading))
            break;
    }
    free(rows.rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct profile profile;

    if (len < 5)
        return 0;
    profile_init(&profile);
    if (bytes[0] & 1) {
        try_plain(&profile, bytes, len);
    } else {
        size_t half = (len - 1) / 2;
        try_object(&profile, bytes + 1, half, 0);
        try_object(&profile, bytes + 1 + half, half, 20);
        try_object(&profile, bytes + 1, len - 1, 40);
    }
    profile_free(&profile);
    return 0;
}
