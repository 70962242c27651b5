/* SPDX-License-Identifier: 0BSD */
/* Reads of one word, again and again. */
#include "clock.h"
#include "link_ops.h"

static uint32_t word_of(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* One request for each, with room for others between them. */
static enum gdbmi_code repeat_reads(struct gdbmi_link *link, const struct gdbmi_repeat *repeat,
                                    uint32_t *values, size_t *count, enum gdbmi_state *state)
{
    uint64_t end = clock_now_ns() + (uint64_t)repeat->longest_ms * 1000000;
    unsigned char bytes[4];
    enum gdbmi_code code = link->ops->state(link, state);

    for (size_t i = 0; code == GDBMI_OK && i < repeat->times; i++) {
        code = link->ops->read(link, repeat->addr, bytes, sizeof(bytes));
        if (code == GDBMI_OK)
            values[(*count)++] = word_of(bytes);
        if (clock_now_ns() >= end)
            break;
    }
    return code;
}

enum gdbmi_code gdbmi_link_repeat(struct gdbmi_link *link, const struct gdbmi_repeat *repeat,
                                  uint32_t *values, size_t *count, enum gdbmi_state *state)
{
    uint64_t outer = link_limit_operation(link->timeout_ms, 4 * repeat->times);
    enum gdbmi_code code = link_clear_error(link);

    *count = 0;
    if (code == GDBMI_OK && !link->info.live)
        code = gdbmi_error_set(&link->error, GDBMI_EUNSUPPORTED,
                               "%s: memory cannot be read while the target runs", link->address);
    if (code == GDBMI_OK && link->ops->repeat)
        code = link->ops->repeat(link, repeat, values, count, state);
    else if (code == GDBMI_OK)
        code = repeat_reads(link, repeat, values, count, state);
    code = link_end(link, code);
    clock_limit_end(outer);
    return code;
}
