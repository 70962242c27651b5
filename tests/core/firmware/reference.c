/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference table of the benchmark. */
#include "reference.h"

struct reference_prof reference_prof;

static void rise(struct reference_item *items, uint32_t index)
{
    while (index > 0 && items[index - 1].hit_cnt < items[index].hit_cnt) {
        struct reference_item lower = items[index - 1];

        items[index - 1] = items[index];
        items[index] = lower;
        index--;
    }
}

void reference_sample(uint32_t pc)
{
    struct reference_item *items = reference_prof.items;
    uint32_t base_addr = pc & ~15U;
    uint32_t index = 0;

    reference_prof.prof_cnt++;
    while (index < REFERENCE_CNT && items[index].base_addr != base_addr)
        index++;
    if (index == REFERENCE_CNT) {
        index--;
        items[index] = (struct reference_item){.base_addr = base_addr};
    }
    items[index].hit_cnt++;
    items[index].hit_ratio = items[index].hit_cnt * 1000U / reference_prof.prof_cnt;
    rise(items, index);
}
