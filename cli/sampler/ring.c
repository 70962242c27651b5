/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a ring of records while the target fills it: that of a stream or of a trace. */
#include "table_private.h"

/* Records of a target that runs over its ring while we read it. */
#define MOST_MIN 8

enum sampler_code ring_fetch_lead(struct sampler_table *s, size_t core)
{
    size_t base = core * s->headers[0].total_size + s->headers[core].item_offset;

    return sampler_fetch(s, base - DECODE_LEAD_SIZE, DECODE_LEAD_SIZE);
}

enum sampler_code ring_fetch(struct sampler_table *s, size_t core, size_t index, size_t count)
{
    const struct decode_header *h = &s->headers[core];
    size_t base = core * s->headers[0].total_size + h->item_offset;
    size_t straight = h->item_count - index < count ? h->item_count - index : count;
    enum sampler_code code = sampler_fetch(s, base + index * h->item_size, straight * h->item_size);

    if (code == SAMPLER_OK && straight < count)
        code = sampler_fetch(s, base, (count - straight) * h->item_size);
    return code;
}

uint32_t ring_most(const struct ring_pace *pace, const struct decode_header *h)
{
    return pace->most != 0 ? pace->most : (uint32_t)h->item_count;
}

/* Where the target overwrites most of them meanwhile, only the newest are read the next time: of
 * all of them, there may be none left each time. */
void ring_adapt(struct ring_pace *pace, const struct decode_header *h, uint32_t count,
                uint32_t lost)
{
    uint32_t most = ring_most(pace, h);

    if (lost > count / 2)
        most = count / 2 > MOST_MIN ? count / 2 : MOST_MIN;
    else if (lost == 0)
        most *= 2;
    pace->most = most < h->item_count ? most : 0;
}
