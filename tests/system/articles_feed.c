/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of the stub, the simulated firmware's hits go to the articles' table. */
#include "articles.h"

/* As the stub's header has them, which cannot be included: it has an s_prof of its own. */
void mprof_init(void);
void mprof_sample(uintptr_t pc);
void mprof_sleep_enter(void);
void mprof_sleep_exit(uint32_t missed);

extern struct prof *volatile prof_pointer;
struct prof *volatile prof_pointer;

void mprof_init(void)
{
    prof_pointer = &s_prof;
}

void mprof_sample(uintptr_t pc)
{
    articles_sample(pc);
}

/* The articles' table knows nothing of sleep. */
void mprof_sleep_enter(void)
{
}

void mprof_sleep_exit(uint32_t missed)
{
    (void)missed;
}
