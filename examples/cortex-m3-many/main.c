/* SPDX-License-Identifier: 0BSD */
/* More functions than the table has items for, in orders that chance decides. */
#include <mprof/mprof.h>

#include "functions.h"

#define SAMPLE_HZ 1000U

/* Prime to the number of functions: each of them is a way through all. */
static const uint8_t strides[8] = {1, 7, 11, 13, 17, 19, 23, 29};

/* Runs every function once, about 20 million instructions in all, so that calling them is 0.05 % of
 * it. */
static void one_round(uint32_t random)
{
    uint32_t next = (random >> 8) % FUNCTIONS;
    uint32_t stride = strides[random & 7];

    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        functions[next]();
        next += stride;
        if (next >= FUNCTIONS)
            next -= FUNCTIONS;
    }
}

int main(void)
{
    uint32_t random = 2463534242U;

    mprof_init();
    mprof_systick_start(CPU_HZ, SAMPLE_HZ);
    for (;;) {
        random = next_random(random);
        one_round(random);
    }
}
