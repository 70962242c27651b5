/* SPDX-License-Identifier: 0BSD */
/* Three functions that take 50, 30 and 20 % of the time, in an order that chance decides. */
#include <mprof/mprof.h>

#include "sampling.h"
#include "work.h"

#define SAMPLE_HZ 1000U

/* Turns for one percent of a round: a round is 100 * 4 * 500 instructions, 8 ms at 25 MHz. */
#define PERCENT 500U

KEEP_APART static void work_a(void)
{
    work(50 * PERCENT);
}

KEEP_APART static void work_b(void)
{
    work(30 * PERCENT);
}

KEEP_APART static void work_c(void)
{
    work(20 * PERCENT);
}

typedef void (*work_t)(void);

/* Ends of the six orders of three. */
static void run(work_t first, work_t second, work_t third)
{
    first();
    second();
    third();
}

/* Keeps a floating point unit busy, so that interrupts find its registers in use. */
static inline void use_fpu(void)
{
#ifdef __ARM_FP
    static volatile float rounds;

    rounds += 1.0F;
#endif
}

static void one_round(uint32_t random)
{
    switch ((random >> 8) % 6) {
    case 0:
        run(work_a, work_b, work_c);
        break;
    case 1:
        run(work_a, work_c, work_b);
        break;
    case 2:
        run(work_b, work_a, work_c);
        break;
    case 3:
        run(work_b, work_c, work_a);
        break;
    case 4:
        run(work_c, work_a, work_b);
        break;
    default:
        run(work_c, work_b, work_a);
        break;
    }
}

int main(void)
{
    uint32_t random = 2463534242U;

    mprof_init();
    sampling_start(SAMPLE_HZ);
    for (;;) {
        random = next_random(random);
        one_round(random);
        use_fpu();
    }
}
