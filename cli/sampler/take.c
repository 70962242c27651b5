/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samplers that take samples themselves. */
#include "table_private.h"

#include <stdio.h>
#include <stdlib.h>

static const struct taken_ops *ops_of(enum sampler_kind kind)
{
    return kind == SAMPLER_PCSR ? &taken_pcsr : &taken_halt;
}

struct sampler_table *sampler_table_new_taken(struct gdbmi_link *link, const struct symtab *symtab,
                                              enum sampler_kind kind,
                                              const struct sampler_taking *how,
                                              enum sampler_code *code, char *text, size_t capacity)
{
    const struct taken_ops *ops = ops_of(kind);
    struct sampler_table *s = calloc(1, sizeof(*s));

    *code = SAMPLER_ENOMEM;
    snprintf(text, capacity, "out of memory");
    if (!s)
        return NULL;
    *s = (struct sampler_table){
        .link = link, .kind = kind, .taken = taken_new(ops, link, symtab, how)};
    if (s->taken)
        *code = ops->probe(s->taken);
    if (*code == SAMPLER_OK || *code == SAMPLER_WAIT)
        return s;
    if (s->taken && s->taken->text[0] != '\0')
        snprintf(text, capacity, "%s", s->taken->text);
    sampler_table_free(s);
    return NULL;
}

bool sampler_table_is_taken(const struct sampler_table *sampler)
{
    return sampler->taken != NULL;
}

void sampler_table_use_names(struct sampler_table *sampler, const struct symtab *symtab)
{
    if (sampler->taken)
        sampler->taken->symtab = symtab;
}
