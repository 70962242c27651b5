/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two tables: a linear search, a row that is hit rises, and a newcomer takes the last one; and
 * the ring. */
#include "articles.h"

struct prof s_prof;
volatile CallProf call_prof;
volatile struct trace_record tbuf[ARTICLES_CALLS];
volatile uint32_t tcur;

static void swap_items(struct prof_item *a, struct prof_item *b)
{
    struct prof_item c = *a;

    *a = *b;
    *b = c;
}

static void decay(void)
{
    struct prof_item *item = &s_prof.items[s_prof.decay_ndx];

    if (s_prof.prof_cnt % ARTICLES_DECAY != 0)
        return;
    if (item->hit_cnt != 0)
        item->hit_cnt--;
    s_prof.decay_ndx = (s_prof.decay_ndx + 1) % ARTICLES_CNT;
}

void articles_trace(uintptr_t caller, uintptr_t callee)
{
    volatile struct trace_record *one = &tbuf[tcur % ARTICLES_CALLS];

    one->time = tcur;
    one->caller = caller;
    one->callee = callee;
    tcur++;
}

void articles_sample(uintptr_t pc)
{
    uintptr_t base = pc & ~(uintptr_t)(ARTICLES_GRAIN - 1);
    struct prof_item *items = s_prof.items;
    uint32_t at = 0;

    s_prof.prof_cnt++;
    while (at < ARTICLES_CNT - 1 && items[at].base_addr != base)
        at++;
    if (items[at].base_addr != base)
        items[at] = (struct prof_item){.base_addr = base};
    items[at].hit_cnt++;
    items[at].hit_ratio = (uint32_t)((uint64_t)items[at].hit_cnt * 1000 / s_prof.prof_cnt);
    for (; at > 0 && items[at - 1].hit_cnt < items[at].hit_cnt; at--)
        swap_items(&items[at - 1], &items[at]);
    decay();
}

void articles_call(void *function)
{
    uint32_t at = 0;

    call_prof.head.profCnt++;
    while (at < ARTICLES_CNT - 1 && call_prof.items[at].baseAddr != function)
        at++;
    if (call_prof.items[at].baseAddr != function) {
        call_prof.items[at].baseAddr = function;
        call_prof.items[at].hitCnt = 0;
    }
    call_prof.items[at].hitCnt++;
    if (at > 0 && call_prof.items[at - 1].hitCnt < call_prof.items[at].hitCnt) {
        CallItem lower = call_prof.items[at - 1];
        call_prof.items[at - 1] = call_prof.items[at];
        call_prof.items[at] = lower;
    }
}
