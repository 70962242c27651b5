/* SPDX-License-Identifier: 0BSD */
/* Brings s_prof to life: everything cleared, the directory written, the magic last. */
#include <mprof/mprof.h>

#include "mprof_port.h"
#include "table.h"

/* Everything here is volatile, so that no compiler makes calls of memset out of it: there may be no
 * library to take it from. */

#if MPROF_CORES > 1
#define PROF_COUNT [MPROF_CORES]
#else
#define PROF_COUNT
#endif

struct mprof_prof s_prof PROF_COUNT __attribute__((section(MPROF_SECTION), aligned(32), used));

/* All but generation, which must never be seen to go back. */
static void clear(struct mprof_prof *prof, size_t len)
{
    volatile unsigned char *byte = (volatile unsigned char *)prof;
    const size_t kept = offsetof(struct mprof_header, generation);

    for (size_t i = 0; i < len; i++) {
        if (i - kept >= sizeof(uint32_t))
            byte[i] = 0;
    }
}

static void fill_header(volatile struct mprof_header *header, uint32_t boot)
{
    header->abi_major = MPROF_ABI_MAJOR;
    header->abi_minor = MPROF_ABI_MINOR;
    header->addr_size = sizeof(uintptr_t);
    header->block_count = MPROF_BLOCKS;
    header->header_size = sizeof(struct mprof_header);
    header->total_size = sizeof(struct mprof_prof);
    header->boot = boot;
    header->cores = MPROF_CORES;
#if MPROF_CORES > 1
    header->core = (uint8_t)(MPROF_CORE);
#endif
}

static volatile struct mprof_block *next_block(volatile struct mprof_block *block,
                                               const struct mprof_block *from)
{
    block->kind = from->kind;
    block->unit = from->unit;
    block->grain_shift = from->grain_shift;
    block->ways = from->ways;
    block->entry_size = from->entry_size;
    block->flags = from->flags;
    block->count = from->count;
    block->offset = from->offset;
    return block + 1;
}

#define ROW_FLAGS                                                    \
    (uint16_t)((MPROF_HITCNT_INC == 1 ? 0 : MPROF_HITCNT_INC << 8) | \
               (MPROF_DECAY ? MPROF_BLOCK_DECAYS : 0))

static void fill_directory(struct mprof_prof *prof)
{
    volatile struct mprof_block *block = prof->blocks;

#if MPROF_CNT
    block = next_block(block, &(struct mprof_block){.kind = MPROF_KIND_ITEMS,
                                                    .unit = MPROF_UNIT_SAMPLES,
                                                    .grain_shift = MPROF_GRAIN_SHIFT,
                                                    .ways = MPROF_WAYS,
                                                    .entry_size = sizeof(mprof_item_t),
                                                    .flags = ROW_FLAGS,
                                                    .count = MPROF_CNT,
                                                    .offset = offsetof(struct mprof_prof, items)});
#endif
#if MPROF_CALL_CNT
    block = next_block(
        block, &(struct mprof_block){.kind = MPROF_KIND_ITEMS,
                                     .unit = MPROF_UNIT_CALLS,
                                     .grain_shift = MPROF_LOG2(MPROF_CALL_ERR),
                                     .ways = MPROF_WAYS,
                                     .entry_size = sizeof(mprof_item_t),
                                     .flags = ROW_FLAGS | (MPROF_CALLS_LED ? MPROF_BLOCK_LED : 0),
                                     .count = MPROF_CALL_CNT,
                                     .offset = offsetof(struct mprof_prof, calls)});
#endif
#if MPROF_ARC_CNT
    block = next_block(
        block, &(struct mprof_block){.kind = MPROF_KIND_ARCS,
                                     .unit = MPROF_UNIT_CALLS,
                                     .ways = MPROF_WAYS,
                                     .entry_size = sizeof(mprof_arc_t),
                                     .flags = ROW_FLAGS | (MPROF_ARCS_LED ? MPROF_BLOCK_LED : 0),
                                     .count = MPROF_ARC_CNT,
                                     .offset = offsetof(struct mprof_prof, arcs)});
#endif
#if MPROF_STREAM_CNT
    block = next_block(block, &(struct mprof_block){.kind = MPROF_KIND_STREAM,
                                                    .unit = MPROF_UNIT_SAMPLES,
                                                    .entry_size = sizeof(mprof_record_t),
                                                    .flags = MPROF_BLOCK_LED,
                                                    .count = MPROF_STREAM_CNT,
                                                    .offset = offsetof(struct mprof_prof, stream)});
#endif
#if MPROF_HIST_CNT
    block =
        next_block(block, &(struct mprof_block){.kind = MPROF_KIND_HISTOGRAM,
                                                .unit = MPROF_UNIT_SAMPLES,
                                                .grain_shift = MPROF_LOG2(MPROF_HIST_ERR),
                                                .entry_size = sizeof(uint32_t),
                                                .flags = MPROF_BLOCK_LED,
                                                .count = MPROF_HIST_CNT,
                                                .offset = offsetof(struct mprof_prof, histogram)});
#endif
#if MPROF_IGNORE_CNT
    block = next_block(block, &(struct mprof_block){.kind = MPROF_KIND_FILTER,
                                                    .entry_size = sizeof(mprof_range_t),
                                                    .count = MPROF_IGNORE_CNT,
                                                    .offset = offsetof(struct mprof_prof, ignore)});
#endif
    (void)block;
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

#if MPROF_CNT
#define CLEAR_ITEMS(prof) clear_rows((prof)->items)
#else
#define CLEAR_ITEMS(prof) (void)(prof)
#endif

void mprof_init(void)
{
    struct mprof_prof *prof = MPROF_PROF;
    volatile struct mprof_header *header = &prof->header;
    uint32_t boot = header->magic == MPROF_MAGIC ? header->boot + 1 : 1;

    if (boot == 1) /* else it goes on: a reader may hold the former header against the new rows */
        header->generation = 0;
    header->enable = 0;
    header->magic = 0;
    mprof_port_barrier();
    clear(prof, offsetof(struct mprof_prof, blocks));
    fill_header(header, boot);
    fill_directory(prof);
    CLEAR_ITEMS(prof);
    mprof_port_barrier();
    header->magic = MPROF_MAGIC;
    mprof_port_barrier();
    header->enable = MPROF_ENABLE_ALL;
}

/* A reset at run time clears the same. */
int mprof_reset(struct mprof_prof *prof)
{
    (void)prof;
    return 0; /* to come */
}
