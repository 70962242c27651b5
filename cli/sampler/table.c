/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads s_prof over a link. */
#include "table_private.h"

#include <profile/decode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool resize(struct sampler_table *s, size_t size)
{
    uint8_t *bytes = realloc(s->bytes, size);

    if (!bytes)
        return false;
    s->bytes = bytes;
    s->size = size;
    return true;
}

struct sampler_table *sampler_table_new(struct gdbmi_link *link, uint64_t addr, uint64_t size,
                                        unsigned addr_size)
{
    struct sampler_table *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    *s = (struct sampler_table){.link = link, .addr = addr, .addr_size = addr_size};
    s->size_known = size >= DECODE_FIRST_READ && size <= DECODE_MAX_SIZE;
    if (!s->size_known)
        size = DECODE_FIRST_READ;
    if (!resize(s, size)) {
        free(s);
        return NULL;
    }
    return s;
}

void sampler_table_free(struct sampler_table *sampler)
{
    if (!sampler)
        return;
    plain_free(sampler->plain);
    free(sampler->bytes);
    free(sampler);
}

const char *sampler_table_text(const struct sampler_table *sampler)
{
    return sampler->text;
}

bool sampler_table_is_zero(const struct sampler_table *sampler)
{
    for (size_t i = 0; i < sampler->size; i++) {
        if (sampler->bytes[i] != 0)
            return false;
    }
    return true;
}

enum sampler_code sampler_read(struct sampler_table *sampler, uint64_t addr,
                               enum gdbmi_state *state)
{
    struct sampler_table *s = sampler;
    enum gdbmi_code code = gdbmi_link_poll(s->link, addr, s->bytes, s->size, state);

    if (code == GDBMI_OK)
        return SAMPLER_OK;
    snprintf(s->text, sizeof(s->text), "%s", gdbmi_link_error(s->link)->text);
    return code == GDBMI_ETARGET ? SAMPLER_EREAD : SAMPLER_ELINK;
}

static enum sampler_code read_once(struct sampler_table *s, struct decode_header *header,
                                   enum gdbmi_state *state, enum decode_code *decoded, size_t *need)
{
    enum sampler_code code = sampler_read(s, s->addr, state);

    if (code == SAMPLER_OK)
        *decoded = decode_header(s->bytes, s->size, header, need, s->text, sizeof(s->text));
    return code;
}

static enum sampler_code judge(struct sampler_table *s, const struct decode_header *header,
                               enum decode_code decoded)
{
    switch (decoded) {
    case DECODE_OK:
        break;
    case DECODE_EBLANK:
        return SAMPLER_WAIT;
    case DECODE_ESHORT: /* a damaged size must not make us read, and halt, for seconds */
    case DECODE_EABI:
    case DECODE_EDAMAGED:
    case DECODE_EKIND:
        return SAMPLER_ETABLE;
    }
    if (header->addr_size != s->addr_size) {
        snprintf(s->text, sizeof(s->text), "its addresses have %u bytes, the ELF's %u",
                 header->addr_size, s->addr_size);
        return SAMPLER_ETABLE;
    }
    return SAMPLER_OK;
}

/* Reads the table, whole, and judges its header. */
static enum sampler_code read_table(struct sampler_table *sampler, struct decode_header *header,
                                    enum gdbmi_state *state)
{
    enum decode_code decoded = DECODE_OK;
    size_t need = 0;
    enum sampler_code code = read_once(sampler, header, state, &decoded, &need);

    /* The first read may have been a guess of the size; then the next one is right. */
    if (code == SAMPLER_OK && decoded == DECODE_ESHORT && need > sampler->size &&
        !sampler->size_known) {
        if (!resize(sampler, need))
            return SAMPLER_ENOMEM;
        code = read_once(sampler, header, state, &decoded, &need);
    }
    return code == SAMPLER_OK ? judge(sampler, header, decoded) : code;
}

enum sampler_code sampler_table_poll(struct sampler_table *sampler, struct profile *profile,
                                     double now_s, enum gdbmi_state *state)
{
    struct decode_header header;

    if (sampler->plain)
        return plain_poll(sampler, profile, now_s, state);
    enum sampler_code code = read_table(sampler, &header, state);

    /* A header that is read while mprof_init() clears it looks damaged once. */
    if (code == SAMPLER_ETABLE)
        code = read_table(sampler, &header, state);
    if (code != SAMPLER_OK)
        return code;
    sampler->text[0] = '\0';
    if (*state == GDBMI_STATE_HALTED)
        profile_pause(profile);
    if (!profile_update(profile, &header, sampler->bytes, now_s))
        return SAMPLER_ENOMEM;
    if (*state == GDBMI_STATE_HALTED)
        profile_pause(profile);
    return SAMPLER_OK;
}
