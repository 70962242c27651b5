/* SPDX-License-Identifier: GPL-3.0-or-later */
/* s_prof from bytes: every field is taken by its offset, in the target's byte order, and checked.
 */
#include <profile/decode.h>

#include <mprof/layout.h>
#include <stdarg.h>
#include <stdio.h>

/* Bytes of the header in ABI 1.0; later ones only add to it. */
#define HEADER_SIZE_1_0 96

struct cursor {
    const uint8_t *bytes;
    bool big_endian;
};

static uint64_t take(const struct cursor *c, size_t offset, size_t size)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++) {
        size_t at = c->big_endian ? offset + i : offset + size - 1 - i;
        value = value << 8 | c->bytes[at];
    }
    return value;
}

#define TAKE(c, base, type, field) \
    take((c), (base) + offsetof(struct type, field), sizeof(((struct type *)0)->field))

struct report {
    char *text;
    size_t capacity;
};

static enum decode_code refuse(const struct report *r, enum decode_code code, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));

static enum decode_code refuse(const struct report *r, enum decode_code code, const char *format,
                               ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(r->text, r->capacity, format, args);
    va_end(args);
    return code;
}

static enum decode_code find_byte_order(struct cursor *c, const struct report *r)
{
    c->big_endian = false;
    uint32_t magic = (uint32_t)take(c, 0, sizeof(magic));
    if (magic == MPROF_MAGIC)
        return DECODE_OK;
    c->big_endian = true;
    if (take(c, 0, sizeof(magic)) == MPROF_MAGIC)
        return DECODE_OK;
    return refuse(r, DECODE_EBLANK, "its magic is 0x%08x, not 0x%08x", (unsigned)magic,
                  (unsigned)MPROF_MAGIC);
}

static void take_counters(const struct cursor *c, struct decode_header *h)
{
    h->boot = (uint32_t)TAKE(c, 0, mprof_header, boot);
    h->heartbeat = (uint32_t)TAKE(c, 0, mprof_header, heartbeat);
    h->generation = (uint32_t)TAKE(c, 0, mprof_header, generation);
    h->dropped = (uint32_t)TAKE(c, 0, mprof_header, dropped);
    h->ignored = (uint32_t)TAKE(c, 0, mprof_header, ignored);
    h->displaced = (uint32_t)TAKE(c, 0, mprof_header, displaced);
    h->sample_hz = (uint32_t)TAKE(c, 0, mprof_header, sample_hz);
    h->tick_hz = (uint32_t)TAKE(c, 0, mprof_header, tick_hz);
}

static enum decode_code take_block(const struct cursor *c, size_t at, struct decode_header *h,
                                   const struct report *r)
{
    size_t smallest = h->addr_size == 4 ? sizeof(struct mprof_item32) : sizeof(struct mprof_item64);
    uint64_t unit = TAKE(c, at, mprof_block, unit);
    uint64_t shift = TAKE(c, at, mprof_block, grain_shift);

    h->item_size = (size_t)TAKE(c, at, mprof_block, entry_size);
    h->item_count = (size_t)TAKE(c, at, mprof_block, count);
    h->item_offset = (size_t)TAKE(c, at, mprof_block, offset);
    if (unit != MPROF_UNIT_SAMPLES && unit != MPROF_UNIT_CALLS)
        return refuse(r, DECODE_EDAMAGED, "the unit of its items is %u", (unsigned)unit);
    if (shift > 16)
        return refuse(r, DECODE_EDAMAGED, "its items cover 2^%u bytes", (unsigned)shift);
    if (h->item_size < smallest)
        return refuse(r, DECODE_EDAMAGED, "its items have %zu bytes, not %zu", h->item_size,
                      smallest);
    if (h->item_count == 0 || h->item_offset > h->total_size ||
        h->item_count > (h->total_size - h->item_offset) / h->item_size)
        return refuse(r, DECODE_EDAMAGED, "%zu items at offset %zu do not fit into its %zu bytes",
                      h->item_count, h->item_offset, h->total_size);
    h->unit = unit == MPROF_UNIT_CALLS ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES;
    h->grain = 1u << shift;
    return DECODE_OK;
}

static enum decode_code find_items(const struct cursor *c, size_t directory, size_t count,
                                   struct decode_header *h, const struct report *r)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = directory + i * sizeof(struct mprof_block);
        if (TAKE(c, at, mprof_block, kind) == MPROF_KIND_ITEMS)
            return take_block(c, at, h, r);
    }
    return refuse(r, DECODE_EKIND, "it has no item table among its %zu blocks", count);
}

static enum decode_code check_sizes(const struct cursor *c, size_t len, struct decode_header *h,
                                    size_t *need, const struct report *r)
{
    size_t header_size = (size_t)TAKE(c, 0, mprof_header, header_size);
    size_t blocks = (size_t)TAKE(c, 0, mprof_header, block_count);
    size_t directory_end = header_size + blocks * sizeof(struct mprof_block);

    h->addr_size = (unsigned)TAKE(c, 0, mprof_header, addr_size);
    h->total_size = (size_t)TAKE(c, 0, mprof_header, total_size);
    if (h->addr_size != 4 && h->addr_size != 8)
        return refuse(r, DECODE_EDAMAGED, "its addresses have %u bytes", h->addr_size);
    if (header_size < HEADER_SIZE_1_0)
        return refuse(r, DECODE_EDAMAGED, "its header has %zu bytes, at least %zu are needed",
                      header_size, (size_t)HEADER_SIZE_1_0);
    if (h->total_size < directory_end || h->total_size > DECODE_MAX_SIZE)
        return refuse(r, DECODE_EDAMAGED, "its total size is %zu bytes", h->total_size);
    *need = h->total_size;
    if (len < directory_end)
        return refuse(r, DECODE_ESHORT, "only %zu of its %zu bytes are there", len, h->total_size);
    return find_items(c, header_size, blocks, h, r);
}

enum decode_code decode_header(const uint8_t *bytes, size_t len, struct decode_header *header,
                               size_t *need, char *text, size_t capacity)
{
    struct cursor c = {.bytes = bytes};
    struct report r = {.text = text, .capacity = capacity};
    struct decode_header h = {0};

    *need = 0;
    if (len < HEADER_SIZE_1_0)
        return refuse(&r, DECODE_ESHORT, "only %zu bytes of its header are there", len);
    enum decode_code code = find_byte_order(&c, &r);
    if (code != DECODE_OK)
        return code;
    h.big_endian = c.big_endian;
    h.abi_major = (unsigned)TAKE(&c, 0, mprof_header, abi_major);
    h.abi_minor = (unsigned)TAKE(&c, 0, mprof_header, abi_minor);
    if (h.abi_major != MPROF_ABI_MAJOR)
        return refuse(&r, DECODE_EABI, "its layout is version %u.%u, this mprof reads version %u",
                      h.abi_major, h.abi_minor, MPROF_ABI_MAJOR);
    take_counters(&c, &h);
    code = check_sizes(&c, len, &h, need, &r);
    if (code == DECODE_OK && len < h.total_size)
        code = refuse(&r, DECODE_ESHORT, "only %zu of its %zu bytes are there", len, h.total_size);
    if (code == DECODE_OK)
        *header = h;
    return code;
}

enum decode_row decode_item(const uint8_t *bytes, const struct decode_header *header, size_t index,
                            struct decode_item *item)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    size_t at = header->item_offset + index * header->item_size;

    if (header->addr_size == 4) {
        item->addr = TAKE(&c, at, mprof_item32, addr);
        item->hits = (uint32_t)TAKE(&c, at, mprof_item32, hits);
        item->inherited = (uint32_t)TAKE(&c, at, mprof_item32, inherited);
        item->stamp = (uint32_t)TAKE(&c, at, mprof_item32, stamp);
    } else {
        item->addr = TAKE(&c, at, mprof_item64, addr);
        item->hits = (uint32_t)TAKE(&c, at, mprof_item64, hits);
        item->inherited = (uint32_t)TAKE(&c, at, mprof_item64, inherited);
        item->stamp = (uint32_t)TAKE(&c, at, mprof_item64, stamp);
    }
    if (item->stamp == 0)
        return DECODE_ROW_EMPTY;
    uint32_t ahead = item->stamp - header->generation;
    return ahead != 0 && ahead <= MPROF_STAMP_AHEAD ? DECODE_ROW_TORN : DECODE_ROW_FRESH;
}
