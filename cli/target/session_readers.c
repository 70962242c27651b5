/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What names the contexts of rows, for the ELF that is there now. */
#include "session_parts.h"

#include <string.h>

#include <base/say.h>

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
    session_find_kernel(s);
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
