/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between which places the plugin counts what is executed. Included once by a program. */
#ifndef MARKS_H
#define MARKS_H

#include "work.h"

KEEP_APART void mark_begin(void)
{
    __asm__ volatile("");
}

KEEP_APART void mark_end(void)
{
    __asm__ volatile("");
}

/* 10 instructions, its return among them. */
__attribute__((naked, noinline)) void control(void)
{
    __asm__("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"
#ifdef __arm__
            "bx lr"
#else
            "ret"
#endif
    );
}

#endif
