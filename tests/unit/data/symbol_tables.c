/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of hits in many shapes, and what is none. It never runs. */
#include <stdint.h>

typedef uint32_t count_t;
typedef volatile count_t shared_t;

/* The one naming style, behind a typedef and a qualifier. */
struct item {
    uintptr_t base_addr;
    shared_t hit_cnt;
    uint32_t hit_ratio;
};
typedef struct {
    uint32_t prof_cnt;
    uint32_t decay_ndx;
    struct item items[30];
} snake_t;
volatile snake_t snake_prof;

/* The other one; the members stand elsewhere. */
struct camel {
    struct {
        uint64_t profCnt;
        uint16_t decayNdx;
    } head;
    struct {
        struct {
            float hitRatio;
            uint16_t hitCnt;
            void *baseAddr;
        } items[4][5];
    } table;
};
volatile struct camel camelProf;

/* No struct around it. */
volatile struct item bare_items[7];

/* As long as the object. */
struct open {
    uint32_t total;
    struct item rows[];
};
volatile struct open open_prof = {.total = 1,
                                  .rows = {{.base_addr = 1}, {.base_addr = 2}, {.base_addr = 3}}};

snake_t *volatile pointed_prof;
volatile int other_object;

/* The better name of two, and no number that is none. */
struct choosy {
    float count;
    uint32_t pc;
    uint8_t hits;
    uint64_t addr;
    uint32_t cnt : 3;
    uint32_t cntr;
};
volatile struct choosy choosy_prof[2];

/* Records of calls, with and without all that there may be. */
struct calls {
    uint32_t size;
    struct {
        uint8_t cpu;
        uint32_t timeStamp;
        void *from, *call_site;
        uint16_t arg0;
        uintptr_t arg1;
        void (*fn)(void);
    } rows[5];
};
volatile struct calls calls_ring;
volatile struct {
    uintptr_t callee, caller;
    uint16_t time;
    float arg0;
    uintptr_t args[6];
} bare_ring[3];
volatile struct {
    uintptr_t callee;
    uint32_t time;
} half_ring[3];

/* Rings and what may be their counters. */
typedef volatile struct {
    uintptr_t callee, caller;
} guess_t[4];
guess_t ring, calls_buf, both_ring, lone_ring;
volatile uint16_t ring_head, count, head, cur;
volatile void *calls_buf_next;
volatile unsigned calls_head, calls_buf_head[2];
volatile float calls_buf_pos;
volatile uint32_t both_ring_head, both_ring_count;
volatile uint8_t lone_idx;

struct own {
    struct {
        uint32_t magic;
        uint32_t version;
    } header;
    struct item items[8];
};
volatile struct own own_prof;

/* Nothing that could be read. */
struct bad {
    uint32_t length;
    struct {
        float hits;
        uint32_t address;
    } rows[4];
    uint32_t addr[4], cnt[4];
    snake_t two[2];
};
volatile struct bad bad_prof;

/* Dropped by the linker, while its debug information stays. */
snake_t dropped_prof;

struct unknown;
extern struct unknown unknown_prof;
struct unknown *volatile unknown_pointer;

void _start(void);

void _start(void)
{
    static volatile snake_t hidden_prof;

    for (;;) {
        hidden_prof.prof_cnt++;
        snake_prof.prof_cnt += hidden_prof.items[1].hit_cnt + bare_items[1].hit_cnt;
        camelProf.head.profCnt += open_prof.total + own_prof.header.magic + bad_prof.length;
        calls_ring.size += (uint32_t)(bare_ring[1].time + half_ring[1].time);
        ring_head += (uint16_t)(count + head + cur + ring[1].callee + calls_buf[1].callee);
        both_ring_head += both_ring_count + calls_head + calls_buf_head[1] + lone_idx;
        other_object += (calls_buf_next != 0) + (both_ring[1].callee + lone_ring[1].callee != 0);
        calls_buf_pos = 1;
        other_object += choosy_prof[1].hits + (pointed_prof != 0) + (unknown_pointer != 0);
    }
}
