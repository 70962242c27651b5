/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reads the table and names the contexts of its rows, for the ELF that is there now. */
#define _GNU_SOURCE /* strcasestr */
#include "session_parts.h"

#include <string.h>

#include <base/say.h>
#include <sampler/trace.h>

/* What a table without a header counts, its name must tell. */
static enum decode_unit unit_of(const char *symbol)
{
    return strcasestr(symbol, "call") ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES;
}

/* In a dump the counter is after the ring. */
static struct sampler_table *make_ring(const struct session *s)
{
    const struct elf_file *elf = &s->elf;
    bool dump = target_is_dump(s->options);
    struct symtab_counter counter = elf->counter;

    if (dump)
        counter.addr = elf->table.addr + elf->table.size;
    return sampler_table_new_ring(s->link, elf->symtab, &elf->table, &counter, dump,
                                  s->options->sampler);
}

bool session_make_sampler(struct session *s)
{
    const struct elf_file *elf = &s->elf;

    sampler_table_free(s->sampler);
    if (elf->kind == SYMTAB_TABLE_HEADERLESS)
        s->sampler = sampler_table_new_headerless(
            s->link, elf->symtab, &elf->table, unit_of(s->options->symbol), s->options->block_size);
    else if (elf->kind == SYMTAB_TABLE_RING)
        s->sampler = make_ring(s);
    else
        s->sampler = sampler_table_new(s->link, elf->table_addr, elf->table_size,
                                       symtab_elf(elf->symtab)->addr_size, s->options->sampler);
    if (s->sampler && s->options->link.records &&
        !sampler_table_receive(s->sampler, s->options->force ? NULL : elf->symtab)) {
        sampler_table_free(s->sampler);
        s->sampler = NULL;
    }
    if (s->sampler && s->options->started)
        sampler_table_from_start(s->sampler);
    if (s->sampler && strcmp(symtab_elf(elf->symtab)->arch, "arm") == 0)
        sampler_table_has_exceptions(s->sampler);
    return s->sampler != NULL;
}

/* They are those of the ELF that is there now. false: said why not. */
bool session_make_contexts(struct session *s)
{
    const char *context = s->options->context;

    view_contexts_free(s->contexts);
    s->contexts = view_contexts_new(s->elf.symtab);
    if (!s->unnamed)
        s->unnamed = view_contexts_new(NULL);
    if (!s->contexts || !s->unnamed) {
        complain("out of memory");
        return false;
    }
    view_contexts_set_idle(s->contexts, &s->options->idle);
    session_find_task_types(s);
    s->ignore = s->options->ignore;
    s->context_is_task = false;
    if (!context)
        return true;
    const struct vectors *vectors = view_contexts_vectors(s->contexts);
    bool chosen[VECTORS_MAX];
    s->ignore.some_contexts = true;
    s->context_is_task = !vectors || !vectors_choose(vectors, context, chosen);
    for (unsigned i = 0; !s->context_is_task && i < VECTORS_MAX; i++)
        s->ignore.contexts[i] = chosen[i];
    return true;
}
