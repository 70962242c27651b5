/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program whose functions end by calls, which the compiler makes jumps if it may. */
#include "arcs.h"

#include <stdlib.h>

APART static int last(int n)
{
    KEPT;
    return n;
}

APART static int jump(int n)
{
    return TAIL(jump, tails, last)(n + 1);
}

APART static int long_jump(int n)
{
    return TAIL(long_jump, tails, jump)(n + 1);
}

/* Jumps to itself, which makes it a loop, or to another function. */
APART static int jump_or_call(int n)
{
    return n % 2 ? TAIL(jump_or_call, tails, last)(n)
                 : CALL(jump_or_call, last)(n) + CALL(jump_or_call, last)(n);
}

APART void tails(void)
{
    for (int i = 0; i < 20; i++) {
        if (CALL(tails, long_jump)(i) != i + 2)
            abort();
        CALL(tails, jump_or_call)(i);
    }
}
