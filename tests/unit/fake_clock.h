/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A clock that moves only when it is told to. The program that has it is linked with
 * --wrap=clock_gettime,--wrap=nanosleep. */
#ifndef FAKE_CLOCK_H
#define FAKE_CLOCK_H

#include <stdint.h>

/* From now on time stands still; or it is the system's again. */
void fake_clock_start(void);
void fake_clock_stop(void);

void fake_clock_pass(int ms);

/* What has passed since the start. */
uint64_t fake_clock_passed_ms(void);

#endif
