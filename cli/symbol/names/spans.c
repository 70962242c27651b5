/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that overlap to spans that do not. */
#include <names/functions.h>

#include <stdlib.h>

#include <base/sorted.h>

/* Functions that were begun and may still own bytes; the one on top started last. */
struct sweep {
    struct functions *f;
    size_t *open;
    size_t depth;
    uint64_t at; /* up to here all is given away */
};

static uint64_t end_of(const struct functions *f, size_t index)
{
    return f->functions[index].addr + f->functions[index].size;
}

static void give(struct sweep *s, size_t owner, uint64_t end)
{
    struct functions *f = s->f;

    if (end <= s->at)
        return;
    f->spans[f->span_count++] = (struct span){.start = s->at, .end = end, .function = owner};
    s->at = end;
}

/* Gives the bytes below limit to the functions that are open. */
static void advance(struct sweep *s, uint64_t limit)
{
    while (s->depth > 0 && s->at < limit) {
        size_t owner = s->open[s->depth - 1];
        uint64_t end = end_of(s->f, owner);
        give(s, owner, end < limit ? end : limit);
        if (end > limit)
            break;
        s->depth--;
    }
}

bool spans_build(struct functions *functions)
{
    struct sweep s = {.f = functions};

    if (functions->count == 0)
        return true;
    /* Each function starts one span and, where it ends inside another, starts one more. */
    functions->spans = calloc(functions->count, 2 * sizeof(*functions->spans));
    s.open = calloc(functions->count, sizeof(*s.open));
    if (!functions->spans || !s.open) {
        free(s.open);
        return false;
    }
    for (size_t i = 0; i < functions->count; i++) {
        advance(&s, functions->functions[i].addr);
        s.at = functions->functions[i].addr;
        s.open[s.depth++] = i;
    }
    advance(&s, UINT64_MAX);
    free(s.open);
    return true;
}

const struct symtab_function *spans_find(const struct functions *functions, uint64_t addr)
{
    size_t behind =
        sorted_up_to(SORTED_BY(functions->spans, functions->span_count, struct span, start), addr);

    if (behind == 0 || addr >= functions->spans[behind - 1].end)
        return NULL;
    return &functions->functions[functions->spans[behind - 1].function];
}
