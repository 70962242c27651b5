/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a table that says nothing of itself: its rows must prove that it is one. */
#include "table_private.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Readings until one without a row that is being moved: only where they halt nobody. */
#define TRIES 3

/* Fewer rows say nothing about what they are. */
#define ROWS_MIN 4

static struct headerless_shape shape_of(const struct symtab *symtab,
                                        const struct symtab_table *table)
{
    const struct symtab_elf *elf = symtab_elf(symtab);

    return (struct headerless_shape){
        .big_endian = elf->big_endian,
        .addr_mask = elf->machine == EM_ARM ? ~(uint64_t)1 : ~(uint64_t)0, /* Thumb */
        .count = (size_t)table->count,
        .stride = (size_t)table->stride,
        .addr_offset = table->addr_offset,
        .addr_size = table->addr_size,
        .hits_offset = table->hits_offset,
        .hits_size = table->hits_size,
    };
}

struct sampler_table *sampler_table_new_headerless(struct gdbmi_link *link,
                                                   const struct symtab *symtab,
                                                   const struct symtab_table *table,
                                                   enum decode_unit unit, unsigned block_size)
{
    if (table->count > DECODE_MAX_SIZE / table->stride)
        return NULL;
    struct sampler_table *s = calloc(1, sizeof(*s));
    struct headerless *headerless = calloc(1, sizeof(*headerless));
    size_t size = (size_t)(table->count * table->stride);
    uint8_t *bytes = calloc(1, size);
    struct headerless_hit *rows = calloc((size_t)table->count, sizeof(*rows));
    if (!s || !headerless || !bytes || !rows) {
        free(s);
        free(headerless);
        free(bytes);
        free(rows);
        return NULL;
    }
    *s = (struct sampler_table){
        .link = link, .addr = table->addr, .bytes = bytes, .size = size, .headerless = headerless};
    s->addr_size = symtab_elf(symtab)->addr_size;
    *headerless = (struct headerless){.symtab = symtab, .shape = shape_of(symtab, table)};
    headerless->shape.unit = unit;
    headerless->shape.block_size = block_size;
    headerless->rows.rows = rows;
    headerless->indirect = table->indirect;
    headerless->offset = table->offset;
    return s;
}

void headerless_free(struct headerless *headerless)
{
    if (headerless)
        free(headerless->rows.rows);
    free(headerless);
}

static uint64_t take_pointer(const struct sampler_table *s, const uint8_t *bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < s->addr_size; i++)
        value = value << 8 | bytes[s->headerless->shape.big_endian ? i : s->addr_size - 1 - i];
    return value;
}

/* Where the rows are now. */
static enum sampler_code follow(struct sampler_table *s, uint64_t *addr)
{
    uint8_t bytes[8];

    *addr = s->addr + s->headerless->offset;
    if (!s->headerless->indirect)
        return SAMPLER_OK;
    enum gdbmi_code code = gdbmi_link_read(s->link, s->addr, bytes, s->addr_size);
    if (code != GDBMI_OK)
        return sampler_fail(s, code);
    uint64_t pointer = take_pointer(s, bytes);
    *addr = pointer + s->headerless->offset;
    if (pointer != 0)
        return SAMPLER_OK;
    memset(s->bytes, 0, s->size); /* what was read before is not what it points to */
    snprintf(s->text, sizeof(s->text), "it is a null pointer");
    return SAMPLER_WAIT;
}

static enum sampler_code read_rows(struct sampler_table *s, enum gdbmi_state *state)
{
    unsigned tries = gdbmi_link_info(s->link)->live ? TRIES : 1;
    struct headerless *headerless = s->headerless;
    uint64_t addr;
    enum sampler_code code = follow(s, &addr);

    headerless->rows.doubles = 1;
    while (code == SAMPLER_OK && tries-- > 0 && headerless->rows.doubles != 0) {
        code = sampler_read(s, addr, state);
        if (code == SAMPLER_OK)
            headerless_decode(s->bytes, &headerless->shape, &headerless->rows);
    }
    return code;
}

/* A block may begin before the section that its last bytes are in. */
static bool is_code(const struct headerless *headerless, uint64_t addr)
{
    unsigned block_size =
        headerless->shape.block_size ? headerless->shape.block_size : HEADERLESS_BLOCK_SIZE_MAX;

    return symtab_is_code(headerless->symtab, addr) ||
           symtab_is_code(headerless->symtab, addr + block_size - 1);
}

/* There is no magic: rows whose addresses are code are what a table of this firmware has. Some may
 * be of a boot loader, of a chip's ROM, or of a library. */
static enum sampler_code judge(struct sampler_table *s)
{
    const struct headerless_rows *rows = &s->headerless->rows;
    uint64_t one = 0;
    size_t strange = 0;

    if (rows->count == 0) {
        snprintf(s->text, sizeof(s->text), "it has no hits yet");
        return SAMPLER_WAIT;
    }
    for (size_t i = rows->count; i-- > 0;) {
        if (!is_code(s->headerless, rows->rows[i].addr)) {
            one = rows->rows[i].addr;
            strange++;
        }
    }
    if (rows->count < ROWS_MIN || 4 * strange <= 3 * rows->count)
        return SAMPLER_OK;
    snprintf(s->text, sizeof(s->text),
             "%zu of its %zu rows have addresses without code in the ELF, like 0x%" PRIx64, strange,
             rows->count, one);
    return SAMPLER_WAIT;
}

enum sampler_code headerless_poll(struct sampler_table *sampler, struct profile *profile,
                                  double now_s, enum gdbmi_state *state)
{
    enum sampler_code code = read_rows(sampler, state);

    if (code == SAMPLER_OK)
        code = judge(sampler);
    if (code != SAMPLER_OK)
        return code;
    sampler->text[0] = '\0';
    if (*state == GDBMI_STATE_HALTED)
        profile_pause(profile);
    if (!profile_update_headerless(profile, &sampler->headerless->shape, &sampler->headerless->rows,
                                   now_s))
        return SAMPLER_ENOMEM;
    if (*state == GDBMI_STATE_HALTED)
        profile_pause(profile);
    return SAMPLER_OK;
}
