/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Firmware with the stub and a timer as its source, as a user links it, to be weighed. */
#include "sampling.h"

int main(void)
{
    mprof_init();
    sampling_start(1000);
    for (;;)
        ;
}
