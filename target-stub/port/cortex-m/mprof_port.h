/* SPDX-License-Identifier: 0BSD */
/* The contract of src/port.h for a Cortex-M: changes of one word that no interrupt can spoil. */
#ifndef MPROF_PORT_H
#define MPROF_PORT_H

#include <stddef.h>
#include <stdint.h>

#include <mprof/config.h>

#if !defined(__thumb__) || __ARM_ARCH < 6 || __ARM_ARCH_PROFILE != 'M'
#error \
    "this port of the mprof stub is for Cortex-M: -mthumb -mcpu=cortex-m0, m0plus, m3, m4, m7, m33"
#endif

/* Cortex-M0, M0+ and M3 store in the order of the program (Arm's application note 321, 4.1). */
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__)
#define mprof_port_barrier() __asm__ volatile("" : : : "memory")
#else
#define mprof_port_barrier() __asm__ volatile("dmb" : : : "memory")
#endif

#define mprof_port_exception()                      \
    __extension__({                                 \
        uint32_t exception_;                        \
        __asm__("mrs %0, ipsr" : "=r"(exception_)); \
        exception_;                                 \
    })

#if MPROF_TIME_SYSTICK
#include "systick_time.h"
#define mprof_port_time() mprof_systick_time()

/* DWT_CYCCNT (ARMv7-M Architecture Reference Manual, C1.8), which needs DEMCR.TRCENA. A Cortex-M7
 * has a lock on it. Cortex-M0 and M23 have no such counter. */
#elif defined(__thumb2__)
#define MPROF_PORT_REGISTER_(address) (*(volatile uint32_t *)(address))
#define mprof_port_time()             MPROF_PORT_REGISTER_(0xE0001004U)
#define mprof_port_time_start()                           \
    do {                                                  \
        MPROF_PORT_REGISTER_(0xE000EDFCU) |= 0x01000000U; \
        MPROF_PORT_REGISTER_(0xE0001FB0U) = 0xC5ACCE55U;  \
        MPROF_PORT_REGISTER_(0xE0001000U) |= 1U;          \
    } while (0)
#endif

#if defined(__ARM_FEATURE_LDREX) && (__ARM_FEATURE_LDREX & 4)

/* These are macros so that the offset of a member becomes part of the instruction: 1020 at most.
 * An exception between a load and its store makes the store fail, because entry and return clear
 * the exclusive monitor. */
#define MPROF_PORT_NEAR 1020

#define MPROF_PORT_AT_(object, member)     offsetof(__typeof__(*(object)), member)
#define MPROF_PORT_IS_FAR_(object, member) (MPROF_PORT_AT_(object, member) > MPROF_PORT_NEAR)

/* The operands of an instruction that accesses the member. */
#define MPROF_PORT_MEMBER_(object, member)                                          \
    "r"((volatile char *)(object) +                                                 \
        (MPROF_PORT_IS_FAR_(object, member) ? MPROF_PORT_AT_(object, member) : 0)), \
        "i"(MPROF_PORT_IS_FAR_(object, member) ? 0 : MPROF_PORT_AT_(object, member))

#define MPROF_PORT_LOAD_(object, member)                      \
    __extension__({                                           \
        uint32_t value_;                                      \
        __asm__ volatile("ldrex %0, [%1, %2]"                 \
                         : "=r"(value_)                       \
                         : MPROF_PORT_MEMBER_(object, member) \
                         : "memory");                         \
        value_;                                               \
    })

/* Not 0 if an exception came since the load. */
#define MPROF_PORT_STORE_(object, member, value)                          \
    __extension__({                                                       \
        uint32_t failed_;                                                 \
        __asm__ volatile("strex %0, %1, [%2, %3]"                         \
                         : "=&r"(failed_)                                 \
                         : "r"(value), MPROF_PORT_MEMBER_(object, member) \
                         : "memory");                                     \
        failed_;                                                          \
    })

/* What an addition can have: Cortex-M23 adds in low registers only. */
#ifdef __thumb2__
#define MPROF_PORT_SUM_     "=&r"
#define MPROF_PORT_SUMMAND_ "rI"
#else
#define MPROF_PORT_SUM_     "=&l"
#define MPROF_PORT_SUMMAND_ "lI"
#endif

/* The branch forward saves a comparison. */
#define mprof_port_add(object, member, n)                                             \
    __extension__({                                                                   \
        uint32_t value_;                                                              \
        uint32_t failed_;                                                             \
        __asm__ volatile("1: ldrex %0, [%2, %3]\n\t"                                  \
                         "add %0, %0, %4\n\t"                                         \
                         "strex %1, %0, [%2, %3]\n\t"                                 \
                         "cbz %1, 2f\n\t"                                             \
                         "b 1b\n"                                                     \
                         "2:"                                                         \
                         : MPROF_PORT_SUM_(value_), "=&l"(failed_)                    \
                         : MPROF_PORT_MEMBER_(object, member), MPROF_PORT_SUMMAND_(n) \
                         : "cc", "memory");                                           \
        value_;                                                                       \
    })

#ifdef __thumb2__
#define mprof_port_take(word, value)             \
    __extension__({                              \
        uint32_t taken_;                         \
        __asm__ volatile("ldrex %0, [%1]\n\t"    \
                         "cbnz %0, 1f\n\t"       \
                         "strex %0, %2, [%1]\n"  \
                         "1:"                    \
                         : "=&l"(taken_)         \
                         : "r"(word), "r"(value) \
                         : "memory");            \
        taken_ == 0;                             \
    })
#endif

#define mprof_port_switch(word, byte, on, off)                                  \
    do {                                                                        \
        __atomic_fetch_or((byte), (uint8_t)((on) >> 24), __ATOMIC_RELAXED);     \
        __atomic_fetch_and((byte), (uint8_t) ~((off) >> 24), __ATOMIC_RELAXED); \
    } while (0)

#include "exclusive.h"

#else

/* ARMv6-M has no exclusive access. Interrupts are masked for as many instructions as a change
 * takes: fifteen at most, but with MPROF_SMALL for a whole sample. Code that runs unprivileged
 * cannot mask them. */
#define MPROF_PORT_NEAR 0

static inline __attribute__((always_inline, no_instrument_function)) uint32_t mprof_port_mask(void)
{
    uint32_t before;

    __asm__ volatile("mrs %0, primask\n\t"
                     "cpsid i"
                     : "=r"(before)
                     :
                     : "memory");
    return before;
}

static inline __attribute__((always_inline, no_instrument_function)) void
mprof_port_unmask(uint32_t before)
{
    __asm__ volatile("msr primask, %0" : : "r"(before) : "memory");
}

#include "masked.h"

#endif

#endif
