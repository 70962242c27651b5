/* SPDX-License-Identifier: 0BSD */
/* Brings s_prof to life: everything cleared, the directory written, the magic last. */
#include <mprof/mprof.h>

#include "mprof_port.h"
#include "table.h"

/* Everything here is volatile, so that no compiler makes calls of memset out of it: there may be no
 * library to take it from. */

/* All but generation, which must never be seen to go back. */
static void clear_header(void)
{
    volatile unsigned char *byte = (volatile unsigned char *)&s_prof;
    const size_t kept = offsetof(struct mprof_header, generation);

    for (size_t i = 0; i < offsetof(struct mprof_prof, items); i++) {
        if (i - kept >= sizeof(uint32_t))
            byte[i] = 0;
    }
}

static void fill_header(volatile struct mprof_header *header, uint32_t boot)
{
    header->abi_major = MPROF_ABI_MAJOR;
    header->abi_minor = MPROF_ABI_MINOR;
    header->addr_size = sizeof(uintptr_t);
    header->block_count = sizeof(s_prof.blocks) / sizeof(s_prof.blocks[0]);
    header->header_size = sizeof(struct mprof_header);
    header->total_size = sizeof(s_prof);
    header->boot = boot;
}

static void fill_block(volatile struct mprof_block *block)
{
    block->kind = MPROF_KIND_ITEMS;
    block->unit = MPROF_UNIT_SAMPLES;
    block->grain_shift = MPROF_GRAIN_SHIFT;
    block->ways = MPROF_WAYS;
    block->entry_size = sizeof(mprof_item_t);
    block->count = MPROF_CNT;
    block->offset = offsetof(struct mprof_prof, items);
}

/* The stamp goes first: a reader on its way up must not find it behind what is cleared already. */
static void clear_rows(volatile mprof_item_t *row)
{
    for (unsigned i = 0; i < MPROF_CNT; i++, row++) {
        row->stamp = 0;
        mprof_port_barrier();
        row->addr = MPROF_EMPTY;
        row->hits = 0;
        row->inherited = 0;
    }
}

void mprof_init(void)
{
    volatile struct mprof_header *header = &s_prof.header;
    uint32_t boot = header->magic == MPROF_MAGIC ? header->boot + 1 : 1;

    if (boot == 1) /* else it goes on: a reader may hold the former header against the new rows */
        header->generation = 0;
    header->magic = 0;
    mprof_port_barrier();
    clear_header();
    fill_header(header, boot);
    fill_block(s_prof.blocks);
    clear_rows(s_prof.items);
    mprof_port_barrier();
    header->magic = MPROF_MAGIC;
}
