/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Firmware that uses as many rows of its table as it is told to, and counts on in these. */
#include <mprof/mprof.h>

#define TURN 20000U /* instructions, about */

/* Written by the test: rows to use. */
volatile uint32_t fill_rows;

int main(void)
{
    mprof_init();
    for (uint32_t i = 0;; i = i + 1 < fill_rows ? i + 1 : 0) {
        if (fill_rows != 0)
            mprof_sample(0x1000 + MPROF_ERR * i);
        for (volatile uint32_t turns = 0; turns < TURN / 8; turns++)
            ;
    }
}
