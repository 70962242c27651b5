/* SPDX-License-Identifier: 0BSD */
/* The contract of src/port.h for RISC-V, 32 and 64 bits wide: changes of one word that no interrupt
 * can spoil. */
#ifndef MPROF_PORT_H
#define MPROF_PORT_H

#include <stdint.h>

#ifndef __riscv
#error "this port of the mprof stub is for RISC-V"
#endif

/* Offsets that an instruction can hold. */
#define MPROF_PORT_NEAR 2047

#define mprof_port_barrier() __asm__ volatile("fence" : : : "memory")

/* It counts from the reset on. */
#define mprof_port_time()                                  \
    __extension__({                                        \
        uintptr_t time_;                                   \
        __asm__ volatile("csrr %0, mcycle" : "=r"(time_)); \
        (uint32_t) time_;                                  \
    })
#define mprof_port_time_start() ((void)0)

/* Whether interrupts are not masked in machine mode. */
#define mprof_port_unmasked()                                 \
    __extension__({                                           \
        uintptr_t status_;                                    \
        __asm__ volatile("csrr %0, mstatus" : "=r"(status_)); \
        (int)(status_ & 8);                                   \
    })

#ifdef __riscv_atomic

/* A store fails if another conditional store was executed since the load. Whatever changes a row or
 * its address executes one. */
#define MPROF_PORT_LOAD_(object, member)                                                      \
    __extension__({                                                                           \
        uint32_t value_;                                                                      \
        __asm__ volatile("lr.w %0, (%1)" : "=r"(value_) : "r"(&(object)->member) : "memory"); \
        value_;                                                                               \
    })

#define MPROF_PORT_STORE_(object, member, value)               \
    __extension__({                                            \
        uint32_t failed_;                                      \
        __asm__ volatile("sc.w %0, %z1, (%2)"                  \
                         : "=&r"(failed_)                      \
                         : "rJ"(value), "r"(&(object)->member) \
                         : "memory");                          \
        failed_;                                               \
    })

#define mprof_port_add(object, member, n)                        \
    __extension__({                                              \
        uint32_t before_;                                        \
        uint32_t added_n_ = (uint32_t)(n);                       \
        __asm__ volatile("amoadd.w %0, %1, (%2)"                 \
                         : "=&r"(before_)                        \
                         : "r"(added_n_), "r"(&(object)->member) \
                         : "memory");                            \
        before_ + added_n_;                                      \
    })

#define mprof_port_switch(word, byte, on, off)                \
    do {                                                      \
        __atomic_fetch_or((word), (on), __ATOMIC_RELAXED);    \
        __atomic_fetch_and((word), ~(off), __ATOMIC_RELAXED); \
    } while (0)

#include "exclusive.h"

#else

/* Interrupts are masked for as many instructions as a change takes, in machine mode. */
static inline __attribute__((always_inline, no_instrument_function)) uintptr_t mprof_port_mask(void)
{
    uintptr_t before;

    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before) : : "memory");
    return before;
}

static inline __attribute__((always_inline, no_instrument_function)) void
mprof_port_unmask(uintptr_t before)
{
    __asm__ volatile("csrw mstatus, %0" : : "r"(before) : "memory");
}

#include "masked.h"

#endif

#endif
