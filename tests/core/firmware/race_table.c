/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table itself, and a way to decide whether it admits the next new address. */
#include <stdint.h>

static volatile uint32_t s_random;
#define MPROF_RANDOM(number) ((void)(number), s_random)

#ifdef RACE_SAMPLES
#include "../../../target-stub/src/table.c"
#else
#include "../../../target-stub/src/call.c"
#endif

#include "race_table.h"

void race_admit(int admit)
{
    s_random = admit ? 1 : UINT32_MAX;
}
