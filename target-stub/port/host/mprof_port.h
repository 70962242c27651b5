/* SPDX-License-Identifier: 0BSD */
/* The contract of src/port.h for a hosted gcc or clang: for unit tests and simulated firmware. */
#ifndef MPROF_PORT_H
#define MPROF_PORT_H

#include <stdint.h>

#include <mprof/mprof.h>

#define MPROF_PORT_NEAR     65535
#define MPROF_PORT_PARALLEL 1

/* With MPROF_THREADS, each object but the last one has one thread, whose signal handlers are all
 * that interrupts an event: one instruction is whole for them without being locked, which takes a
 * tenth of the time. */
#if MPROF_THREADS && defined(__x86_64__)
#define MPROF_PORT_IS_SHARED(object) ((uintptr_t)(object) >= (uintptr_t)&s_prof[MPROF_THREADS - 1])

static inline __attribute__((no_instrument_function, always_inline)) uint32_t
mprof_port_add_own(volatile uint32_t *word, uint32_t n)
{
    uint32_t was = n;

    __asm__ volatile("xaddl %0, %1" : "+r"(was), "+m"(*word) : : "cc");
    return was + n;
}

/* Writes the new number if *word is still *old; else sets *old to what it is, and returns 0. */
static inline __attribute__((no_instrument_function, always_inline)) int
mprof_port_exchange_own(volatile uint32_t *word, uint32_t *old, uint32_t number)
{
    unsigned char done;

    __asm__ volatile("cmpxchgl %3, %1\n\tsete %2"
                     : "+a"(*old), "+m"(*word), "=q"(done)
                     : "r"(number)
                     : "cc", "memory");
    return done;
}
#else
#define MPROF_PORT_IS_SHARED(object)               1
#define mprof_port_add_own(word, n)                0U
#define mprof_port_exchange_own(word, old, number) 0
#endif

/* There is no exclusive monitor: a store succeeds if the member still holds old_. Between threads
 * that leaves a gap which the cores do not have: a hit may be counted in a row that changes its
 * address just then. The sum stays exact. */
#define mprof_port_add(object, member, n)                                         \
    (MPROF_PORT_IS_SHARED(object)                                                 \
         ? __atomic_add_fetch(&(object)->member, (uint32_t)(n), __ATOMIC_RELAXED) \
         : mprof_port_add_own((volatile uint32_t *)&(object)->member, (uint32_t)(n)))

#define mprof_port_exchange(object, member, old, number)                                    \
    (MPROF_PORT_IS_SHARED(object)                                                           \
         ? __atomic_compare_exchange_n(&(object)->member, old, number, 0, __ATOMIC_RELAXED, \
                                       __ATOMIC_RELAXED)                                    \
         : mprof_port_exchange_own((volatile uint32_t *)&(object)->member, old, number))

#define mprof_port_add_if(object, member, n, condition, otherwise)                   \
    do {                                                                             \
        uint32_t old_ = __atomic_load_n(&(object)->member, __ATOMIC_RELAXED);        \
        do {                                                                         \
            if (!(condition)) {                                                      \
                otherwise;                                                           \
            }                                                                        \
        } while (!mprof_port_exchange(object, member, &old_, old_ + (uint32_t)(n))); \
    } while (0)

#define mprof_port_switch(word, byte, on, off)                                  \
    do {                                                                        \
        __atomic_fetch_or((byte), (uint8_t)((on) >> 24), __ATOMIC_RELAXED);     \
        __atomic_fetch_and((byte), (uint8_t) ~((off) >> 24), __ATOMIC_RELAXED); \
    } while (0)

#ifdef __x86_64__
#define mprof_port_time()       ((uint32_t)__builtin_ia32_rdtsc())
#define mprof_port_time_wide()  ((uint64_t)__builtin_ia32_rdtsc())
#define mprof_port_time_start() ((void)0)
#endif

#if MPROF_THREADS
/* The rate of mprof_port_time(), measured when it is first asked for: that takes a millisecond. */
uint32_t mprof_host_time_hz(void);
#define mprof_port_time_hz() mprof_host_time_hz()
#endif

/* This processor's stores are seen in their order: only the compiler must keep it. */
#ifdef __x86_64__
#define mprof_port_barrier() __asm__ volatile("" : : : "memory")
#else
#define mprof_port_barrier() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

#endif
