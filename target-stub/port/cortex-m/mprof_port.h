/* SPDX-License-Identifier: 0BSD */
/* What the table needs of ARMv7-M and ARMv8-M mainline: exclusive access and a barrier. */
#ifndef MPROF_PORT_H
#define MPROF_PORT_H

#include <stddef.h>
#include <stdint.h>

#if !defined(__thumb2__) || __ARM_ARCH < 7 || __ARM_ARCH_PROFILE != 'M'
#error "this port of the mprof stub is for Cortex-M3 and up: -mcpu=cortex-m3, m4, m7 or m33"
#endif

/* These are macros so that the offset of a member becomes part of the instruction. All members are
 * 32 bits wide. An exception between a load and its store makes the store fail, because entry and
 * return clear the exclusive monitor. */

/* Loads object->member and watches it. */
#define mprof_port_load(object, member)                                              \
    __extension__({                                                                  \
        uint32_t value_;                                                             \
        __asm__ volatile("ldrex %0, [%1, %2]"                                        \
                         : "=r"(value_)                                              \
                         : "r"(object), "i"(offsetof(__typeof__(*(object)), member)) \
                         : "memory");                                                \
        value_;                                                                      \
    })

/* Stores value and is 0; not 0 if an exception came since the load, whose result old is. */
#define mprof_port_store(object, member, old, value)                                             \
    __extension__({                                                                              \
        uint32_t failed_;                                                                        \
        __asm__ volatile("strex %0, %1, [%2, %3]"                                                \
                         : "=&r"(failed_)                                                        \
                         : "r"(value), "r"(object), "i"(offsetof(__typeof__(*(object)), member)) \
                         : "memory");                                                            \
        failed_;                                                                                 \
    })

/* Adds 1, whatever interrupts; is the new number. The branch forward saves a comparison. */
#define mprof_port_count(object, member)                                             \
    __extension__({                                                                  \
        uint32_t value_;                                                             \
        uint32_t failed_;                                                            \
        __asm__ volatile("1: ldrex %0, [%2, %3]\n\t"                                 \
                         "add %0, %0, #1\n\t"                                        \
                         "strex %1, %0, [%2, %3]\n\t"                                \
                         "cbz %1, 2f\n\t"                                            \
                         "b 1b\n"                                                    \
                         "2:"                                                        \
                         : "=&r"(value_), "=&l"(failed_)                             \
                         : "r"(object), "i"(offsetof(__typeof__(*(object)), member)) \
                         : "memory");                                                \
        value_;                                                                      \
    })

/* What was stored before is seen before what is stored behind, by a debugger too. */
#define mprof_port_barrier() __asm__ volatile("dmb" : : : "memory")

#endif
