/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads bytes of a table over its link. */
#include "table_private.h"

#include <stdio.h>

enum sampler_code sampler_fail(struct sampler_table *s, enum gdbmi_code code)
{
    snprintf(s->text, sizeof(s->text), "%s", gdbmi_link_error(s->link)->text);
    return code == GDBMI_ETARGET ? SAMPLER_EREAD : SAMPLER_ELINK;
}

enum sampler_code sampler_read(struct sampler_table *sampler, uint64_t addr,
                               enum gdbmi_state *state)
{
    struct sampler_table *s = sampler;
    enum gdbmi_code code = gdbmi_link_poll(s->link, addr, s->bytes, s->size, state);

    return code == GDBMI_OK ? SAMPLER_OK : sampler_fail(s, code);
}

enum sampler_code sampler_fetch(struct sampler_table *sampler, size_t offset, size_t len)
{
    struct sampler_table *s = sampler;
    enum gdbmi_code code = gdbmi_link_read(s->link, s->addr + offset, s->bytes + offset, len);

    return code == GDBMI_OK ? SAMPLER_OK : sampler_fail(s, code);
}
