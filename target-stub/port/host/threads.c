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

static uint32_t s_taken; /* objects that have a thread */

/* What the program has switched off, and stays so in a process that fork() makes. */
static uint32_t s_off; /* MPROF_ENABLE_... */

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

MPROF_UNHOOKED static void init_object(struct mprof_prof *prof, int unused)
{
    struct mprof_prof *own = mprof_thread_object;

    mprof_thread_object = prof;
    mprof_init();
    mprof_thread_object = own;
    if (unused)
        prof->header.flags |= MPROF_FLAG_UNUSED;
    mprof_switch(prof, 0, s_off);
}

MPROF_UNHOOKED void mprof_threads_init(void)
{
    for (uint32_t i = 0; i < MPROF_THREADS; i++)
        init_object(&s_prof[i], i >= s_taken);
}

/* There is nothing to reset in what was not used. */
MPROF_UNHOOKED static void use(struct mprof_prof *prof)
{
    volatile struct mprof_header *header = &prof->header;
    uint16_t flags =
        __atomic_fetch_and(&prof->header.flags, (uint16_t)~MPROF_FLAG_UNUSED, __ATOMIC_RELAXED);

    if (!(flags & MPROF_FLAG_UNUSED))
        return;
    header->reset_done = header->reset_request;
    __atomic_fetch_or((volatile uint8_t *)&header->enable + 2, (uint8_t)(MPROF_ENABLE_CALM >> 16),
                      __ATOMIC_RELAXED);
}

/* A thread more in the last object: a reader is told how many have one trace. */
MPROF_UNHOOKED static void share(struct mprof_prof *prof)
{
    for (uint32_t i = 0; i < MPROF_BLOCKS; i++) {
        uint8_t *more = &prof->blocks[i].ways;
        uint8_t count = __atomic_load_n(more, __ATOMIC_RELAXED);

        while (prof->blocks[i].kind == MPROF_KIND_TRACE && count < UINT8_MAX &&
               !__atomic_compare_exchange_n(more, &count, count + 1, 0, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
            ;
    }
}

MPROF_UNHOOKED static void take(void)
{
    uint32_t index = __atomic_load_n(&s_taken, __ATOMIC_RELAXED);

    while (index < MPROF_THREADS &&
           !__atomic_compare_exchange_n(&s_taken, &index, index + 1, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
    mprof_thread_object = &s_prof[index < LAST ? index : LAST];
    if (index > LAST)
        share(mprof_thread_object);
    use(mprof_thread_object);
}

/* A thread that ends keeps its object: so a ring has the calls of one thread, whose depth can be
 * told, and nothing is lost of a function that is called after the thread's last destructor. */
MPROF_UNHOOKED struct mprof_prof *mprof_thread_take(void)
{
    sigset_t all;
    sigset_t before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (!mprof_thread_object) /* a handler may have taken one */
        take();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return mprof_thread_object;
}

MPROF_UNHOOKED void mprof_threads_switch(uint32_t on, uint32_t off)
{
    s_off = (s_off | off) & ~on;
    for (uint32_t i = 0; i < MPROF_THREADS; i++) {
        if (((volatile struct mprof_header *)&s_prof[i].header)->magic == MPROF_MAGIC)
            mprof_switch(&s_prof[i], on, off);
    }
}

/* boot becomes 1: to a reader this process has no past. What was never used is as it must be. */
MPROF_UNHOOKED static void clear_used(uint32_t taken)
{
    for (uint32_t i = 0; i < taken && i < MPROF_THREADS; i++) {
        s_prof[i].header.magic = 0;
        init_object(&s_prof[i], 1);
    }
}

/* The other threads are not here. */
MPROF_UNHOOKED static void begin_child(void)
{
    uint32_t taken = s_taken;

    s_taken = 0;
    if (!mprof_file_of_child())
        clear_used(taken);
    take();
    mprof_threads_loud();
}

/* As the first constructor of all: others are traced. */
__attribute__((constructor(101))) MPROF_UNHOOKED static void begin(void)
{
    pthread_atfork(mprof_threads_quiet, mprof_threads_loud, begin_child);
    if (!mprof_file_of_environment())
        mprof_threads_init();
    (void)MPROF_PROF; /* the first one is the first thread's */
}

#endif
#endif
