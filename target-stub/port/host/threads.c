/* SPDX-License-Identifier: 0BSD */
/* The threads of a process under Linux: which s_prof is whose, and what fork() leaves of them. */
#ifdef __linux__
#define _GNU_SOURCE

#include <pthread.h>
#include <signal.h>

#include "gate.h"
#include "threads.h"

#if MPROF_THREADS

#define LAST (MPROF_THREADS - 1)

__thread struct mprof_prof *mprof_thread_object __attribute__((tls_model("initial-exec")));

static uint32_t s_taken; /* objects that have a thread, LAST at most */

/* A thread that ends keeps its object: so a ring has one thread's calls, whose depth can be told,
 * and no events of a thread that ends after it has given the object back are counted twice. If a
 * signal handler takes one in the midst of this, the first one stays unused. */
MPROF_UNHOOKED struct mprof_prof *mprof_thread_take(void)
{
    uint32_t index = __atomic_load_n(&s_taken, __ATOMIC_RELAXED);

    while (index < LAST && !__atomic_compare_exchange_n(&s_taken, &index, index + 1, 0,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    if (!mprof_thread_object)
        mprof_thread_object = &s_prof[index];
    return mprof_thread_object;
}

MPROF_UNHOOKED static void init_object(struct mprof_prof *prof)
{
    struct mprof_prof *own = mprof_thread_object;

    mprof_thread_object = prof;
    mprof_init();
    mprof_thread_object = own;
}

MPROF_UNHOOKED void mprof_threads_init(void)
{
    for (uint32_t i = 0; i < MPROF_THREADS; i++)
        init_object(&s_prof[i]);
}

/* Handlers of signals must not record while this thread's object is not what it was. */
static __thread sigset_t s_mask;

MPROF_UNHOOKED void mprof_threads_quiet(void)
{
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &s_mask);
}

MPROF_UNHOOKED void mprof_threads_loud(void)
{
    pthread_sigmask(SIG_SETMASK, &s_mask, NULL);
}

/* boot becomes 1: to a reader this process has no past. What was never used is as it must be. */
MPROF_UNHOOKED static void clear_used(void)
{
    for (uint32_t i = 0; i < MPROF_THREADS; i++) {
        if (i < s_taken || i == LAST) {
            s_prof[i].header.magic = 0;
            init_object(&s_prof[i]);
        }
    }
}

/* What is switched off stays so. */
MPROF_UNHOOKED static void begin_child(void)
{
    uint32_t enable = s_prof[0].header.enable;
    uint32_t off = (MPROF_ENABLE_TRACING | MPROF_ENABLE_STARTED) & ~enable;

    if (!mprof_file_of_child())
        clear_used();
    __atomic_store_n(&s_taken, 0, __ATOMIC_RELAXED);
    mprof_thread_object = NULL;
    (void)mprof_thread_take();
    for (uint32_t i = 0; i < MPROF_THREADS; i++)
        mprof_switch(&s_prof[i], 0, off);
    mprof_threads_loud();
}

/* As the first constructor of all: others are traced. */
__attribute__((constructor(101))) MPROF_UNHOOKED static void begin(void)
{
    pthread_atfork(mprof_threads_quiet, mprof_threads_loud, begin_child);
    if (!mprof_file_of_environment())
        mprof_threads_init();
}

#endif
#endif
