/* SPDX-License-Identifier: 0BSD */
/* A port's changes of one word where interrupts have to be masked for them; port.h says what each
 * does. */
#ifndef MPROF_MASKED_H
#define MPROF_MASKED_H

/*
 * The port has defined:
 *   mprof_port_mask()         masks all interrupts; returns, as an integer, how that was before
 *   mprof_port_unmask(mask)   makes it so again: they may have been masked already
 * Neither must let the compiler move a load or store across it.
 */
#include "unhooked.h"

#define MPROF_PORT_MASKS 1

/* The file that includes this has masked interrupts for the whole of an event. */
#ifdef MPROF_MASKED_ONCE

#define mprof_port_add(object, member, n) \
    (((volatile __typeof__(*(object)) *)(object))->member += (uint32_t)(n))

#define mprof_port_add_if(object, member, n, condition, otherwise) \
    do {                                                           \
        if (!(condition)) {                                        \
            otherwise;                                             \
        }                                                          \
        mprof_port_add(object, member, n);                         \
    } while (0)

#else

#ifdef __OPTIMIZE_SIZE__
MPROF_CODE __attribute__((noinline, unused)) static uint32_t
mprof_port_add_word(volatile uint32_t *word, uint32_t n)
#else
static inline __attribute__((always_inline, no_instrument_function)) uint32_t
mprof_port_add_word(volatile uint32_t *word, uint32_t n)
#endif
{
    __typeof__(mprof_port_mask()) mask = mprof_port_mask();
    uint32_t value = *word + n;

    *word = value;
    mprof_port_unmask(mask);
    return value;
}
#define mprof_port_add(object, member, n) mprof_port_add_word(&(object)->member, (uint32_t)(n))

#define mprof_port_add_if(object, member, n, condition, otherwise) \
    do {                                                           \
        __typeof__(mprof_port_mask()) mask_ = mprof_port_mask();   \
        if (!(condition)) {                                        \
            mprof_port_unmask(mask_);                              \
            otherwise;                                             \
        }                                                          \
        (object)->member += (uint32_t)(n);                         \
        mprof_port_unmask(mask_);                                  \
    } while (0)

#endif

/* See port.h. */
static inline __attribute__((always_inline, no_instrument_function, unused)) int
mprof_port_take(uintptr_t *word, uintptr_t value)
{
    __typeof__(mprof_port_mask()) mask = mprof_port_mask();
    int free = *(volatile uintptr_t *)word == 0;

    if (free)
        *(volatile uintptr_t *)word = value;
    mprof_port_unmask(mask);
    return free;
}
#define mprof_port_take mprof_port_take

#define mprof_port_switch(word, byte, on, off)                        \
    do {                                                              \
        __typeof__(mprof_port_mask()) mask_ = mprof_port_mask();      \
        *(byte) = (uint8_t)((*(byte) | (on) >> 24) & ~((off) >> 24)); \
        mprof_port_unmask(mask_);                                     \
    } while (0)

#endif
