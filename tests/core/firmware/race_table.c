/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table itself, and a way to decide whether it admits the next new address. */
#include "../../../target-stub/src/table.c"

#include "race_table.h"

/* x with x * HASH == 1 modulo 2^32: each step of Newton's doubles the digits that are right. */
static uint32_t inverse(void)
{
    uint32_t x = HASH;

    for (int i = 0; i < 4; i++)
        x *= 2 - HASH * x;
    return x;
}

void race_admit(int admit)
{
    uint32_t next = admit ? 1 : UINT32_MAX;

    s_random = (next - HASH) * inverse();
}
