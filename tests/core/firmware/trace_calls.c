/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions whose calls a trace is compared with. */
#include "trace.h"

#include "work.h"

static step_t second, third, fourth;
step_t *const steps[4] = {first, second, third, fourth};

/* The note at the end keeps the call from becoming a jump. */
#define STEP(name, letter, next)            \
    KEEP_APART void name(uint32_t seed)     \
    {                                       \
        note(letter);                       \
        if (seed != 0)                      \
            (next)(seed >> 2);              \
        note((char)((letter) + 'a' - 'A')); \
    }

STEP(first, 'A', steps[seed & 3])
static STEP(second, 'B', steps[seed & 3]) static STEP(third, 'C',
                                                      steps[seed & 3]) static STEP(fourth, 'D',
                                                                                   steps[seed & 3])

    static STEP(below_interrupt, 'Y', below_interrupt) STEP(in_interrupt, 'X', below_interrupt)

        STEP(at_rest, 'R', at_rest)
