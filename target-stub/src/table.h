/* SPDX-License-Identifier: 0BSD */
/* What the tables and their initialisation share. */
#ifndef MPROF_TABLE_H
#define MPROF_TABLE_H

#include <mprof/mprof.h>

/* Address of a row that nobody took yet: odd, so that no block of addresses starts there. */
#define MPROF_EMPTY 1U

/* For powers of two. */
#define MPROF_LOG2(n)     ((unsigned)__builtin_ctz(n))
#define MPROF_GRAIN_SHIFT MPROF_LOG2(MPROF_ERR)

/* A counter of the rest is for regions of that size; see layout.h. */
#define MPROF_REGION_SHIFT(err) \
    (MPROF_LOG2(err) > MPROF_REST_SHIFT ? MPROF_LOG2(err) : (unsigned)MPROF_REST_SHIFT)

/* A link of 16 bits is the place of a row in s_prof, in bytes; where s_prof, up to the end of the
 * rows, is too large for that, it is the place among the rows, in units of what divides a row. */
#define MPROF_IS_NEAR(end)          ((end) <= 0x10000U)
#define MPROF_LINK_UNIT(end, size)  (MPROF_IS_NEAR(end) ? 0U : MPROF_LOG2(size))
#define MPROF_LINK_BASE(end, first) (MPROF_IS_NEAR(end) ? 0U : (first))

/* Calls are counted by function: an item's address is the place of the hook, whose bit 0 says
 * "Thumb". */
#define MPROF_CALL_ERR 2

/* Whether a record of the stream is all that becomes of a sample: then the stream's head counts it,
 * and header.heartbeat only what never came there. */
#define MPROF_STREAM_ONLY                                                    \
    ((MPROF_STREAM_CNT) != 0 && (MPROF_CNT) == 0 && (MPROF_CALL_CNT) == 0 && \
     (MPROF_ARC_CNT) == 0 && (MPROF_HIST_CNT) == 0)

/* Whether samples are counted in header.heartbeat: not if its counters belong to calls. */
#define MPROF_SAMPLES_BEAT ((MPROF_CNT) != 0 || ((MPROF_CALL_CNT) == 0 && (MPROF_ARC_CNT) == 0))

/* s_prof as the words that it is made of, for what is smaller than a word. */
struct mprof_words {
    uint32_t word[28];
} __attribute__((may_alias));
#define MPROF_WORDS(prof) ((volatile struct mprof_words *)(prof))
#define MPROF_WORD_FLAGS  2 /* header_size, flags */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MPROF_HALF_WORD(n)     ((uint32_t)(n) << 16)
#define MPROF_HALF_SHIFT(half) (((uintptr_t)(half)&2) * 8)
#define MPROF_LOW_WORD         0
#else
#define MPROF_HALF_WORD(n)     ((uint32_t)(n))
#define MPROF_HALF_SHIFT(half) (16 - ((uintptr_t)(half)&2) * 8)
#define MPROF_LOW_WORD         (sizeof(uintptr_t) / 4 - 1)
#endif

#endif
