/* SPDX-License-Identifier: 0BSD */
/* What the table needs of a hosted gcc or clang: for unit tests and simulated firmware. */
#ifndef MPROF_PORT_H
#define MPROF_PORT_H

/* There is no exclusive monitor: a store succeeds if the member still holds old. Between threads
 * that leaves a gap which the cores do not have: a hit may be counted in a row that changes its
 * address just then. The sum stays exact. Members may have any size. */

/* Loads object->member. */
#define mprof_port_load(object, member) __atomic_load_n(&(object)->member, __ATOMIC_RELAXED)

/* Stores value and is 0; not 0 if the member no longer holds old. */
#define mprof_port_store(object, member, old, value)                                              \
    __extension__({                                                                               \
        __typeof__((object)->member + 0) expected_ = (old);                                       \
        !__atomic_compare_exchange_n(&(object)->member, &expected_, (value), 0, __ATOMIC_RELAXED, \
                                     __ATOMIC_RELAXED);                                           \
    })

/* Adds 1, whatever interrupts; is the new number. */
#define mprof_port_count(object, member) __atomic_add_fetch(&(object)->member, 1, __ATOMIC_RELAXED)

/* What was stored before is seen before what is stored behind. */
#define mprof_port_barrier() __atomic_thread_fence(__ATOMIC_SEQ_CST)

#endif
