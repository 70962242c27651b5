/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls all functions of a generated program again and again, with a point at which they may be
 * patched between two rounds. Prints nothing, and never ends. */
#ifdef __x86_64__
#define _GNU_SOURCE
#include <time.h>
#endif

#include <mprof/mprof.h>
#include <mprof/patch.h>

#include "functions.h"

uint32_t called[FUNCTIONS];

/* A pointer to a function, as stacks have it; a pointer to a Thumb function is odd. */
#ifdef __x86_64__
#define ODD 0U
#else
#define ODD 1U
#endif
static volatile uintptr_t pointers[1];

/* The results of a round, which depend on nothing else; and whether one ever was another one. */
volatile uint32_t result, has_changed;

/* Written by the test: 1: without a pause. */
volatile uint32_t in_a_hurry;

#ifdef __x86_64__

static void pause_round(void)
{
    const struct timespec pause = {.tv_nsec = 200000};

    if (!in_a_hurry)
        nanosleep(&pause, NULL);
}

#else

#ifdef __riscv
#include "../mtimer.h"
#endif

/* 200 us of QEMU's clock. Interrupts are off, so the timer only ends the wait. */
static void pause_round(void)
{
#ifdef __riscv
    if (in_a_hurry)
        return;
    mtimer_start(2000);
    __asm__ volatile("csrs mie, %0\n\twfi" : : "r"(0x80) : "memory");
#endif
}

/* There is no library. */
void *memset(void *to, int value, size_t len);

void *memset(void *to, int value, size_t len)
{
    for (size_t i = 0; i < len; i++)
        ((volatile char *)to)[i] = (char)value;
    return to;
}

#endif

int main(void)
{
    mprof_init();
    for (;;) {
        uint32_t now = 0;

        forget();
        for (uint32_t i = 0; i < OF_THREAD; i++)
            now = now * 31 + functions[i](i);
        has_changed |= result != 0 && result != now;
        result = now;
        pointers[0] = (uintptr_t)functions[0] | ODD;
        mprof_patch_point((const void *)pointers, (const void *)(pointers + 1));
        pause_round();
    }
}
