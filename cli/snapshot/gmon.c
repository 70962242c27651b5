/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gmon.out, as gprof reads it and OpenOCD writes it, to a snapshot. */
#include <string.h>

#include "build.h"
#include "wire.h"

/* The header: "gmon", the version, 12 bytes for later. Then records, each behind a tag. */
#define HEADER_LEN 20

enum { TAG_HISTOGRAM = 0, TAG_ARC = 1, TAG_BLOCKS = 2 };

/* Types of a gmon.out's snapshot. */
enum { SAMPLES, CALLS, GMON_TYPES };

/* Nothing in the file says how long an address is: so both are tried. */
struct reader {
    struct builder b;
    const uint8_t *bytes;
    size_t len, at;
    unsigned addr_size;
    bool big_endian;
    uint64_t block_size; /* 0: no histogram yet */
    bool overflow, no_memory;
    const char *wrong; /* what is */
};

bool gmon_has_magic(const uint8_t *bytes, size_t len)
{
    return len >= 4 && memcmp(bytes, "gmon", 4) == 0;
}

static bool fail(struct reader *r, const char *what)
{
    if (!r->wrong)
        r->wrong = what;
    return false;
}

static uint64_t number(const struct reader *r, size_t at, unsigned size)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)r->bytes[at + (r->big_endian ? size - 1 - i : i)] << 8 * i;
    return value;
}

static bool read_number(struct reader *r, unsigned size, uint64_t *value, const char *what)
{
    if (r->len - r->at < size)
        return fail(r, what);
    *value = number(r, r->at, size);
    r->at += size;
    return true;
}

static bool add_sample(struct reader *r, uint64_t addr, uint64_t caller, unsigned type,
                       uint64_t count)
{
    const struct snapshot_location leaf = {.addr = addr, .mapping = SNAPSHOT_NONE};
    const struct snapshot_location from = {.addr = naming_call(caller), .mapping = SNAPSHOT_NONE};
    struct snapshot_sample sample = {.depth = caller ? 2 : 1};
    int64_t values[GMON_TYPES] = {0};
    uint32_t frames[2];

    if (count == 0)
        return true;
    values[type] = (int64_t)count;
    frames[0] = build_location(&r->b, &leaf, NULL);
    frames[1] = caller ? build_location(&r->b, &from, NULL) : 0;
    r->no_memory |=
        frames[0] == SNAPSHOT_NONE || frames[1] == SNAPSHOT_NONE ||
        (!build_sample(&r->b, &sample, frames, NULL, values, &r->overflow) && !r->overflow);
    return !r->no_memory && !r->overflow;
}

/* The first address of a bucket. length * index fits: both are checked. */
static uint64_t bucket_start(uint64_t low, uint64_t length, uint64_t index, uint64_t buckets)
{
    return low + (length * index + buckets - 1) / buckets;
}

static bool take_buckets(struct reader *r, uint64_t low, uint64_t length, uint64_t buckets)
{
    uint64_t count;

    if (buckets > (r->len - r->at) / 2)
        return fail(r, "the histogram's buckets are cut short");
    for (uint64_t i = 0; i < buckets; i++) {
        if (!read_number(r, 2, &count, "histogram") ||
            !add_sample(r, bucket_start(low, length, i, buckets), 0, SAMPLES, count))
            return false;
    }
    return true;
}

static bool take_histogram(struct reader *r)
{
    uint64_t low, high, buckets, rate;

    if (!read_number(r, r->addr_size, &low, "low_pc is cut short") ||
        !read_number(r, r->addr_size, &high, "high_pc is cut short") ||
        !read_number(r, 4, &buckets, "hist_size is cut short") ||
        !read_number(r, 4, &rate, "prof_rate is cut short") || r->len - r->at < 16)
        return fail(r, "the histogram's header is cut short");
    /* What is counted in another unit has no rate. */
    bool timed = memcmp(r->bytes + r->at, "seconds", 7) == 0;
    r->at += 16;
    uint64_t length = high - low;
    if (high < low || buckets > SNAPSHOT_MAX_SAMPLES ||
        (buckets && length > UINT64_MAX / buckets - 1))
        return fail(r, "hist_size, low_pc or high_pc is impossible");
    if (buckets == 0)
        return true;
    uint64_t block_size = length / buckets + (length % buckets != 0);
    if (block_size == 0 || block_size > SNAPSHOT_MAX_BLOCK_SIZE)
        return fail(r, "the histogram's buckets are too wide");
    if (r->block_size && r->block_size != block_size)
        return fail(r, "two histograms have buckets of different sizes");
    r->block_size = block_size;
    r->b.s->conditions.sample_hz = timed ? rate : 0;
    return take_buckets(r, low, length, buckets);
}

static bool take_arc(struct reader *r)
{
    uint64_t from, self, count;

    return read_number(r, r->addr_size, &from, "an arc's from_pc is cut short") &&
           read_number(r, r->addr_size, &self, "an arc's self_pc is cut short") &&
           read_number(r, 4, &count, "an arc's count is cut short") &&
           add_sample(r, self, from, CALLS, count);
}

/* Counts of basic blocks: not for us. */
static bool skip_blocks(struct reader *r)
{
    uint64_t count;

    if (!read_number(r, 4, &count, "the number of basic blocks is cut short"))
        return false;
    if (count > (r->len - r->at) / (2 * r->addr_size))
        return fail(r, "the basic blocks are cut short");
    r->at += (size_t)count * 2 * r->addr_size;
    return true;
}

static bool take_records(struct reader *r)
{
    uint64_t tag;

    while (r->at < r->len) {
        if (!read_number(r, 1, &tag, "tag"))
            return false;
        if (tag == TAG_HISTOGRAM ? !take_histogram(r)
            : tag == TAG_ARC     ? !take_arc(r)
            : tag == TAG_BLOCKS  ? !skip_blocks(r)
                                 : !fail(r, "a record has an unknown tag: not 0, 1 or 2"))
            return false;
    }
    return true;
}

static bool prepare(struct reader *r)
{
    struct snapshot *s = r->b.s = snapshot_new();

    if (!s || !build_type(s, store_string(s, "samples"), store_string(s, "count")) ||
        !build_type(s, store_string(s, "calls"), store_string(s, "count")))
        return false;
    s->ours = true;
    s->conditions.headerless = true;
    s->conditions.addr_size = r->addr_size;
    s->conditions.big_endian = r->big_endian;
    s->default_type = s->types[SAMPLES].name;
    s->conditions.sampler = store_string(s, "gmon.out");
    return s->conditions.sampler != NULL;
}

static bool read_as(struct reader *r, const uint8_t *bytes, size_t len, unsigned addr_size)
{
    *r = (struct reader){.bytes = bytes, .len = len, .at = HEADER_LEN, .addr_size = addr_size};
    r->big_endian = number(r, 4, 4) != 1;
    r->no_memory = !prepare(r);
    if (r->no_memory || !take_records(r))
        return false;
    r->b.s->conditions.block_size = r->block_size ? r->block_size : 1;
    r->no_memory = !build_finish(&r->b);
    return !r->no_memory;
}

static void drop(struct reader *r)
{
    build_free(&r->b);
    snapshot_free(r->b.s);
}

enum snapshot_code gmon_read(const uint8_t *bytes, size_t len, const char *name,
                             struct snapshot **snapshot, char *text, size_t capacity)
{
    struct reader narrow, wide;
    static const uint8_t versions[2][4] = {{1, 0, 0, 0}, {0, 0, 0, 1}};

    if (len < HEADER_LEN ||
        (memcmp(bytes + 4, versions[0], 4) != 0 && memcmp(bytes + 4, versions[1], 4) != 0))
        return snapshot_say(text, capacity, SNAPSHOT_EFORMAT,
                            "%s: not a gmon.out of version 1, or cut short", name);
    if (read_as(&narrow, bytes, len, 4)) {
        *snapshot = narrow.b.s;
        return SNAPSHOT_OK;
    }
    bool done = !narrow.no_memory && read_as(&wide, bytes, len, 8);
    bool no_memory = narrow.no_memory || (!done && wide.no_memory);
    if (!narrow.no_memory && done)
        *snapshot = wide.b.s;
    else if (!narrow.no_memory)
        drop(&wide);
    drop(&narrow);
    if (done)
        return SNAPSHOT_OK;
    if (no_memory)
        return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "%s: out of memory", name);
    return snapshot_say(text, capacity, SNAPSHOT_EFORMAT, "%s: a damaged gmon.out: %s", name,
                        narrow.wrong ? narrow.wrong : "impossible counts");
}
