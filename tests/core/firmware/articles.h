/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as firmware of the first articles on this idea carries them: no magic, rows that rise. */
#ifndef ARTICLES_H
#define ARTICLES_H

#include <stdint.h>

#define ARTICLES_CNT   30
#define ARTICLES_GRAIN 16

/* Once in so many hits one row, each in its turn, loses one. */
#define ARTICLES_DECAY 64

/* The one naming style. */
struct prof_item {
    uintptr_t base_addr;
    uint32_t hit_cnt;
    uint32_t hit_ratio; /* tenths of a percent */
};

struct prof {
    uint32_t prof_cnt;
    uint32_t decay_ndx;
    struct prof_item items[ARTICLES_CNT];
};

extern struct prof s_prof;

/* The other one. */
typedef struct {
    uint16_t hitRatio;
    uint32_t hitCnt;
    void *baseAddr;
} CallItem;

typedef struct {
    struct {
        uint32_t profCnt, decayNdx;
    } head;
    CallItem items[ARTICLES_CNT];
} CallProf;

extern volatile CallProf call_prof;

/* A ring of calls. Its times are their numbers. */
#define ARTICLES_CALLS 512

struct trace_record {
    uint32_t time;
    uintptr_t caller, callee;
};

extern volatile struct trace_record tbuf[ARTICLES_CALLS];
extern volatile uint32_t tcur;

/* A call for the ring. */
void articles_trace(uintptr_t caller, uintptr_t callee);

/* A hit of the block that holds pc. */
void articles_sample(uintptr_t pc);

/* A hit of a function. */
void articles_call(void *function);

#endif
