/* SPDX-License-Identifier: 0BSD */
/* mprof_selfcheck_a(), _b() and _c() take 50, 30 and 20 % of the time. */
#include <mprof/mprof.h>

#include "sampling.h"

#define SAMPLE_HZ 1000U

int main(void)
{
    mprof_init();
    sampling_start(SAMPLE_HZ);
    for (;;)
        mprof_selfcheck(500);
}
