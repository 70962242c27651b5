/* SPDX-License-Identifier: 0BSD */
/* What the table needs of RV32 with atomic instructions: a reservation and a barrier. */
#ifndef MPROF_PORT_H
#define MPROF_PORT_H

#include <stdint.h>

#if !defined(__riscv_atomic) || __riscv_xlen != 32
#error "this port of the mprof stub is for RV32 with the A extension: -march=rv32imac"
#endif

/* All members are 32 bits wide. An interrupt that counts a hit between a load and its store makes
 * the store fail, because its own store ends the reservation; others don't touch the table. */

/* Loads object->member and reserves it. */
#define mprof_port_load(object, member)                                                       \
    __extension__({                                                                           \
        uint32_t value_;                                                                      \
        __asm__ volatile("lr.w %0, (%1)" : "=r"(value_) : "r"(&(object)->member) : "memory"); \
        value_;                                                                               \
    })

/* Stores value and is 0; not 0 if the reservation is gone. */
#define mprof_port_store(object, member, old, value)          \
    __extension__({                                           \
        uint32_t failed_;                                     \
        __asm__ volatile("sc.w %0, %1, (%2)"                  \
                         : "=&r"(failed_)                     \
                         : "r"(value), "r"(&(object)->member) \
                         : "memory");                         \
        failed_;                                              \
    })

/* Adds 1, whatever interrupts; is the new number. */
#define mprof_port_count(object, member)                  \
    __extension__({                                       \
        uint32_t before_;                                 \
        __asm__ volatile("amoadd.w %0, %1, (%2)"          \
                         : "=&r"(before_)                 \
                         : "r"(1), "r"(&(object)->member) \
                         : "memory");                     \
        before_ + 1U;                                     \
    })

/* What was stored before is seen before what is stored behind, by a debugger too. */
#define mprof_port_barrier() __asm__ volatile("fence" : : : "memory")

#endif
