/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first reading of a large s_prof: enough of it to know which parts the next one needs. */
#include "table_private.h"

#include <string.h>

#include <profile/decode.h>

/* Header and directory, and in most tables the lead of the first block. */
#define FIRST_PART 512

static bool is_worth_it(const struct sampler_table *s)
{
    return s->cores == 0 && s->size_known && gdbmi_link_info(s->link)->live &&
           s->size > FIRST_PART + gdbmi_link_gap(s->link);
}

/* A core that has not called mprof_init() yet is taken for one that has: its header tells. */
static void expect_cores(struct sampler_table *s, const struct decode_header *header)
{
    if (header->cores * header->total_size > s->size)
        return;
    s->headers[0] = *header;
    if (sampler_select(s, 0) != SAMPLER_OK)
        return;
    for (size_t core = 0; core < header->cores; core++) {
        s->headers[core] = s->headers[0];
        s->there[core] = true;
    }
    s->cores = header->cores;
}

enum sampler_code sampler_learn(struct sampler_table *sampler, enum gdbmi_state *state)
{
    struct sampler_table *s = sampler;
    struct decode_header header;
    size_t need;

    if (!is_worth_it(s))
        return SAMPLER_OK;
    memset(s->bytes, 0, s->size);
    enum gdbmi_code code = gdbmi_link_poll(s->link, s->addr, s->bytes, FIRST_PART, state);
    if (code != GDBMI_OK)
        return sampler_fail(s, code);
    if (decode_header(s->bytes, s->size, &header, &need, s->text, sizeof(s->text)) == DECODE_OK)
        expect_cores(s, &header);
    return SAMPLER_OK;
}
