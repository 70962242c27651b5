/* SPDX-License-Identifier: 0BSD */
/* The contract of src/port.h for a hosted gcc or clang: for unit tests and simulated firmware. */
#ifndef MPROF_PORT_H
#define MPROF_PORT_H

#include <stdint.h>

#define MPROF_PORT_NEAR     65535
#define MPROF_PORT_PARALLEL 1

/* There is no exclusive monitor: a store succeeds if the member still holds old_. Between threads
 * that leaves a gap which the cores do not have: a hit may be counted in a row that changes its
 * address just then. The sum stays exact. */
#define mprof_port_add(object, member, n) \
    __atomic_add_fetch(&(object)->member, (uint32_t)(n), __ATOMIC_RELAXED)

#define mprof_port_add_if(object, member, n, condition, otherwise)                               \
    do {                                                                                         \
        uint32_t old_ = __atomic_load_n(&(object)->member, __ATOMIC_RELAXED);                    \
        do {                                                                                     \
            if (!(condition)) {                                                                  \
                otherwise;                                                                       \
            }                                                                                    \
        } while (!__atomic_compare_exchange_n(&(object)->member, &old_, old_ + (uint32_t)(n), 0, \
                                              __ATOMIC_RELAXED, __ATOMIC_RELAXED));              \
    } while (0)

#define mprof_port_switch(word, byte, on, off)                                  \
    do {                                                                        \
        __atomic_fetch_or((byte), (uint8_t)((on) >> 24), __ATOMIC_RELAXED);     \
        __atomic_fetch_and((byte), (uint8_t) ~((off) >> 24), __ATOMIC_RELAXED); \
    } while (0)

#ifdef __x86_64__
#define mprof_port_time()       ((uint32_t)__builtin_ia32_rdtsc())
#define mprof_port_time_start() ((void)0)
#endif

#define mprof_port_barrier() __atomic_thread_fence(__ATOMIC_SEQ_CST)

#endif
