/* SPDX-License-Identifier: 0BSD */
/* Brings s_prof to life: everything cleared, the directory written, the magic last. */
#include <mprof/mprof.h>

#include "clear.h"
#include "cost.h"
#include "gate.h"
#include "hook.h"
#include "table.h"
#include "trace.h"

/* Everything here is volatile, so that no compiler makes calls of memset or memcpy out of it: there
 * may be no library to take them from. */

#define ROW_FLAGS                                                    \
    (uint16_t)((MPROF_HITCNT_INC == 1 ? 0 : MPROF_HITCNT_INC << 8) | \
               (MPROF_DECAY ? MPROF_BLOCK_DECAYS : 0))

#ifdef MPROF_CALL_SINK
#define HAS_SINK MPROF_FLAG_SINK
#else
#define HAS_SINK 0
#endif

#ifdef MPROF_TASK
#define HAS_TASK MPROF_BLOCK_TASK
#else
#define HAS_TASK 0
#endif

/* What is written behind the magic, as it is in memory. */
static const struct {
    uint8_t abi_major, abi_minor, addr_size, block_count;
    uint16_t header_size, flags;
    uint32_t total_size;
} s_head = {
    .abi_major = MPROF_ABI_MAJOR,
    .abi_minor = MPROF_ABI_MINOR,
    .addr_size = sizeof(uintptr_t),
    .block_count = MPROF_BLOCKS,
    .header_size = sizeof(struct mprof_header),
    .flags =
        (MPROF_SMALL ? MPROF_FLAG_SMALL : 0) | (MPROF_THREADS ? MPROF_FLAG_THREADS : 0) | HAS_SINK,
    .total_size = sizeof(struct mprof_prof),
};

static const struct mprof_block s_directory[MPROF_BLOCKS] = {
#if MPROF_CNT
    {.kind = MPROF_KIND_ROWS,
     .unit = MPROF_UNIT_SAMPLES,
     .grain_shift = MPROF_GRAIN_SHIFT,
     .entry_size = sizeof(mprof_row_t),
     .flags = ROW_FLAGS,
     .count = MPROF_CNT,
     .offset = offsetof(struct mprof_prof, items)},
#endif
#if MPROF_CALL_CNT
    {.kind = MPROF_KIND_ROWS,
     .unit = MPROF_UNIT_CALLS,
     .grain_shift = MPROF_LOG2(MPROF_CALL_ERR),
     .entry_size = sizeof(mprof_row_t),
     .flags = ROW_FLAGS | (MPROF_CALLS_LED ? MPROF_BLOCK_LED : 0),
     .count = MPROF_CALL_CNT,
     .offset = offsetof(struct mprof_prof, calls)},
#endif
#if MPROF_ARC_CNT
    {.kind = MPROF_KIND_ARC_ROWS,
     .unit = MPROF_UNIT_CALLS,
     .entry_size = sizeof(mprof_arc_row_t),
     .flags = ROW_FLAGS | (MPROF_ARCS_LED ? MPROF_BLOCK_LED : 0),
     .count = MPROF_ARC_CNT,
     .offset = offsetof(struct mprof_prof, arcs)},
#endif
#if MPROF_STREAM_CNT
    {.kind = MPROF_KIND_STREAM,
     .unit = MPROF_UNIT_SAMPLES,
     .entry_size = sizeof(mprof_record_t),
     .flags = MPROF_BLOCK_LED,
     .count = MPROF_STREAM_CNT,
     .offset = offsetof(struct mprof_prof, stream)},
#endif
#if MPROF_TRACE_CNT
    {.kind = MPROF_KIND_TRACE,
     .unit = MPROF_UNIT_CALLS,
     .entry_size = sizeof(mprof_event_t),
     .flags = MPROF_BLOCK_LED | (MPROF_TIME_SHARED ? MPROF_BLOCK_CLOCK : 0) |
              (MPROF_TRACE_WIDE ? MPROF_BLOCK_WIDE : 0) | HAS_TASK |
              (MPROF_TRACE_RESULTS ? MPROF_BLOCK_RESULT : 0),
     .count = MPROF_TRACE_CNT,
     .offset = offsetof(struct mprof_prof, trace)},
#endif
#if MPROF_COSTS
    {.kind = MPROF_KIND_COST,
     .entry_size = sizeof(struct mprof_trace_cost),
     .count = 1,
     .offset = offsetof(struct mprof_prof, trace_cost)},
#endif
#if MPROF_HIST_CNT
    {.kind = MPROF_KIND_HISTOGRAM,
     .unit = MPROF_UNIT_SAMPLES,
     .grain_shift = MPROF_LOG2(MPROF_HIST_ERR),
     .entry_size = sizeof(uint32_t),
     .flags = MPROF_BLOCK_LED,
     .count = MPROF_HIST_CNT,
     .offset = offsetof(struct mprof_prof, histogram)},
#endif
#if MPROF_TASK_CNT
    {.kind = MPROF_KIND_TASKS,
     .unit = MPROF_UNIT_SAMPLES,
     .entry_size = sizeof(mprof_task_t),
     .flags = MPROF_BLOCK_LED,
     .count = MPROF_TASK_CNT,
     .offset = offsetof(struct mprof_prof, tasks)},
#endif
#if MPROF_FOCUS_CNT
    {.kind = MPROF_KIND_FOCUS,
     .unit = MPROF_UNIT_SAMPLES,
     .grain_shift = MPROF_LOG2(MPROF_FOCUS_ERR),
     .entry_size = sizeof(uint32_t),
     .flags = MPROF_BLOCK_LED,
     .count = MPROF_FOCUS_CNT,
     .offset = offsetof(struct mprof_prof, focus)},
#endif
#if MPROF_COVERAGE_SIZE
    {.kind = MPROF_KIND_COVERAGE,
     .grain_shift = MPROF_LOG2(MPROF_COVERAGE_ERR),
     .ways = MPROF_COVERAGE_FIELDS,
     .entry_size = sizeof(uint32_t),
     .flags = MPROF_BLOCK_LED,
     .count = MPROF_COVERAGE_WORDS,
     .offset = offsetof(struct mprof_prof, coverage)},
#endif
#if MPROF_IGNORE_CNT
    {.kind = MPROF_KIND_FILTER,
     .entry_size = sizeof(mprof_range_t),
     .count = MPROF_IGNORE_CNT,
     .offset = offsetof(struct mprof_prof, ignore)},
#endif
#if MPROF_TRACED_CNT
    {.kind = MPROF_KIND_TRACED,
     .entry_size = sizeof(mprof_range_t),
     .count = MPROF_TRACED_ENTRIES,
     .offset = offsetof(struct mprof_prof, traced)},
#endif
};

#if MPROF_IGNORE_CNT && defined(MPROF_IGNORE_LIST)
static const mprof_range_t s_ignore[] = {MPROF_IGNORE_LIST};
MPROF_STATIC_ASSERT(sizeof(s_ignore) <= MPROF_IGNORE_CNT * sizeof(s_ignore[0]),
                    "MPROF_IGNORE_LIST is longer than MPROF_IGNORE_CNT: write a larger one");
#endif

/* All sizes are multiples of 4. */
MPROF_UNHOOKED static void fill(volatile void *to, const void *from, size_t len)
{
    volatile uint32_t *word = (volatile uint32_t *)to;
    const volatile uint32_t *source = (const volatile uint32_t *)from;

    for (; len > 0; len -= 4)
        *word++ = from != NULL ? *source++ : 0;
}

/* All but generation, which must never be seen to go back, and boot. In small code,
 * mprof_empty_tables() does the larger part. */
MPROF_UNHOOKED static void clear_header(volatile struct mprof_header *header)
{
    fill(&header->heartbeat, NULL, 4);
    if (!MPROF_SMALL)
        fill(&header->dropped, NULL, sizeof(*header) - offsetof(struct mprof_header, dropped));
}

MPROF_UNHOOKED static void fill_ignored(struct mprof_prof *prof)
{
    (void)prof;
#if MPROF_IGNORE_CNT
    fill(prof->ignore, NULL, sizeof(prof->ignore));
#ifdef MPROF_IGNORE_LIST
    fill(prof->ignore, s_ignore, sizeof(s_ignore));
#endif
#endif
}

#if MPROF_TRACE_CNT
#ifndef mprof_port_time_hz
#define mprof_port_time_hz() 0U
#endif

/* A counter may be missing, or locked, or stopped by a debugger. */
#define CLOCK_LOOKS 1000U

/* Starts the clock, and is its rate. */
MPROF_UNHOOKED static uint32_t start_clock(void)
{
#if defined(MPROF_TIME) || MPROF_TIME_SYSTICK /* which is started later */
    return MPROF_TIME_HZ;
#elif defined(mprof_port_time)
    mprof_port_time_start();
    uint32_t before = mprof_port_time();

    for (unsigned i = 0; i < CLOCK_LOOKS; i++) {
        if (mprof_port_time() != before)
            return MPROF_TIME_HZ != 0 ? MPROF_TIME_HZ : mprof_port_time_hz();
    }
    return MPROF_TRACE_NO_TIME;
#else
    return MPROF_TRACE_NO_TIME;
#endif
}
#endif

MPROF_UNHOOKED static void fill_leads(struct mprof_prof *prof)
{
    (void)prof;
#if MPROF_STREAM_CNT
    prof->stream_lead.head = MPROF_STREAM_VALID;
    prof->stream_lead.time_hz = MPROF_TIME_HZ;
    fill(prof->stream, NULL, sizeof(prof->stream));
#endif
#if MPROF_TRACE_CNT
    uint32_t time_hz = start_clock();

    if (prof->header.frozen == 0) {
        fill(&prof->trace_lead, NULL, sizeof(prof->trace_lead));
        prof->trace_lead.time_hz = time_hz;
#if MPROF_COSTS
        fill(&prof->trace_cost, NULL, sizeof(prof->trace_cost));
#endif
    }
#endif
#if MPROF_FOCUS_CNT
    fill(&prof->focus_lead, NULL, sizeof(prof->focus_lead));
#endif
#if MPROF_TASK_CNT
    fill(&prof->tasks_lead, NULL, sizeof(prof->tasks_lead));
#endif
#if MPROF_COVERAGE_SIZE
    mprof_coverage_begin(prof);
#endif
#if MPROF_HIST_CNT
    prof->histogram_lead.base_low = (uint32_t)(uintptr_t)(MPROF_HIST_BASE);
    prof->histogram_lead.base_high = (uint32_t)((uint64_t)(uintptr_t)(MPROF_HIST_BASE) >> 32);
#endif
}

#if MPROF_TRACE_CNT && MPROF_TRACE_STOP
#define ENABLE_FIRST (MPROF_ENABLE_ALL & ~MPROF_ENABLE_OVERWRITE)
#else
#define ENABLE_FIRST MPROF_ENABLE_ALL
#endif

#if MPROF_TRACE_CNT

MPROF_UNHOOKED static int is_same(const volatile void *one, const void *other, size_t len)
{
    const volatile uint32_t *word = (const volatile uint32_t *)one;
    const volatile uint32_t *same = (const volatile uint32_t *)other;

    for (; len > 0; len -= 4) {
        if (*word++ != *same++)
            return 0;
    }
    return 1;
}

/* What the header is to say of a trace that was frozen before, 0: there is none. RAM may hold
 * anything: it is a trace only if each word that describes it is as this build writes it. */
MPROF_UNHOOKED static uint32_t frozen_before(struct mprof_prof *prof)
{
    volatile struct mprof_header *header = &prof->header;
    uint32_t frozen = header->frozen;

    if (header->magic != MPROF_MAGIC || !(frozen & MPROF_FROZEN) ||
        (header->enable & (0xffU | MPROF_ENABLE_UNFROZEN)) != MPROF_ENABLE_ALIVE ||
        header->header_size != s_head.header_size || header->total_size != s_head.total_size ||
        !is_same(&header->abi_major, &s_head, 4) ||
        !is_same(prof->blocks, s_directory, sizeof(s_directory)))
        return 0;
    return (frozen & MPROF_FROZEN_BOOTS) == MPROF_FROZEN_BOOTS ? frozen
                                                               : frozen + MPROF_FROZEN_BOOT;
}

#else
#define frozen_before(prof) 0U
#endif

#if MPROF_TRACE_COST
/* Leaves nothing of what is recorded for it. The magic is not set yet, so that no host reads that.
 */
MPROF_UNHOOKED static void measure_cost(struct mprof_prof *prof)
{
    volatile struct mprof_header *header = &prof->header;

    header->enable = ENABLE_FIRST;
    struct mprof_trace_cost cost = mprof_cost_measure(prof);
    header->enable = 0;
    mprof_port_barrier();
    clear_header(header);
    fill_leads(prof);
    mprof_empty_tables(prof);
    mprof_clear(prof);
    prof->trace_cost = cost;
}
#endif

/* The linker would leave out what nothing calls. */
#if MPROF_PATCHED
#define keep_patched_entry() __asm__ volatile("" : : "r"(mprof_patched_entry))
#else
#define keep_patched_entry() ((void)0)
#endif

MPROF_UNHOOKED void mprof_init(void)
{
    struct mprof_prof *prof = MPROF_PROF;
    volatile struct mprof_header *header = &prof->header;
    uint32_t boot = header->magic == MPROF_MAGIC ? header->boot + 1 : 1;
    uint32_t frozen = frozen_before(prof);

    if (boot == 1) /* else it goes on: a reader may hold the former header against the new rows */
        header->generation = 0;
    header->generation |= 1;
    header->enable = 0;
    header->magic = 0;
    keep_patched_entry();
    mprof_port_barrier();
    clear_header(header);
    if (MPROF_SMALL) /* before what it would clear */
        mprof_empty_tables(prof);
    if (frozen != 0)
        header->frozen = (uint16_t)frozen;
    fill(&header->abi_major, &s_head, sizeof(s_head));
    fill(prof->blocks, s_directory, sizeof(s_directory));
    fill_ignored(prof);
    fill_leads(prof);
    if (MPROF_SMALL) {
        header->generation += 0x10000; /* as much as clearing at run time */
    } else {
        mprof_empty_tables(prof);
        mprof_clear(prof);
    }
#if MPROF_TRACE_COST
    if (frozen == 0)
        measure_cost(prof);
#endif
    header->boot = boot;
    header->cores = MPROF_CORES;
#if MPROF_CORES > 1
    header->core = (uint8_t)(MPROF_CORE);
#endif
    mprof_port_barrier();
    header->magic = MPROF_MAGIC;
    mprof_port_barrier();
    header->enable = frozen != 0 ? ENABLE_FIRST & ~MPROF_ENABLE_UNFROZEN : ENABLE_FIRST;
}
