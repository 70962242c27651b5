/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is made up, hits of its blocks, and what is made of them. */
#ifndef ANNOTATE_CHECKS_H
#define ANNOTATE_CHECKS_H

#include <annotate/annotate_frame.h>
#include <ranking/rows.h>

/* Functions that meet anywhere, with a hole between two. */
extern struct symtab_function made_functions[4];
extern const struct symbol_naming made_naming;

#define HITS_MAX 64

struct made {
    struct profile profile;
    struct profile_hit hits[HITS_MAX];
    struct annotation annotation;
    const struct profile *focus; /* as of annotate_input */
};

void init_made(struct made *m, unsigned block_size);
void add_hits(struct made *m, uint64_t addr, uint64_t hits);

/* The part's instructions have sizes that begin with those of the list, again and again. NULL: it
 * has none. */
void add_part(struct made *m, const struct symtab_function *function, const char *sizes);
void set_jump(struct made *m, uint64_t from, uint64_t to);

/* The caller frees m->annotation by annotate_free(). */
void build(struct made *m);
const struct annotate_step *step_at(const struct made *m, uint64_t addr);

#endif
