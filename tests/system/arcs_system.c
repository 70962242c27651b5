/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs with more than one flow of control: signals, threads, contexts, and what the C library
 * calls before and after main(). */
#define _GNU_SOURCE

#include "arcs.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define WORKERS     6
#define TURNS       25
#define STACK_BYTES 65536

APART static void leaf(void)
{
    KEPT;
}

APART static void inside(int levels)
{
    CALL(inside, leaf)();
    if (levels > 0)
        CALL(inside, inside)(levels - 1);
}

APART static void on_inner(int number)
{
    FROM_LIBRARY(on_inner);
    (void)number;
    CALL(on_inner, leaf)();
}

/* Is interrupted by another one. */
APART static void on_outer(int number)
{
    FROM_LIBRARY(on_outer);
    (void)number;
    CALL(on_outer, inside)(2);
    raise(SIGUSR2);
    CALL(on_outer, leaf)();
}

static sigjmp_buf left;

APART static void on_leave(int number)
{
    FROM_LIBRARY(on_leave);
    CALL(on_leave, leaf)();
    siglongjmp(left, number);
}

HIDDEN static void set_handler(int number, void (*handler)(int), int flags)
{
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    action.sa_flags = flags;
    if (sigaction(number, &action, NULL) != 0)
        abort();
}

APART void signals(void)
{
    static char stack[STACK_BYTES];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};

    sigaltstack(&other, NULL);
    set_handler(SIGUSR1, on_outer, SA_ONSTACK);
    set_handler(SIGUSR2, on_inner, 0);
    set_handler(SIGTERM, on_leave, 0);
    for (int i = 0; i < 10; i++) {
        raise(i % 3 == 0 ? SIGUSR2 : SIGUSR1);
        CALL(signals, inside)(i);
        if (sigsetjmp(left, 1) == 0)
            raise(SIGTERM);
    }
}

/* The trap flag sends SIGTRAP after each instruction: of the hooks, too. */
HIDDEN static void step(int on)
{
    uintptr_t flags;

    __asm__ volatile("sub $128, %%rsp\n\tpushf\n\tpop %0\n\tand $~0x100, %0\n\tor %1, %0\n\t"
                     "push %0\n\tpopf\n\tadd $128, %%rsp"
                     : "=&r"(flags)
                     : "r"(on ? (uintptr_t)0x100 : (uintptr_t)0)
                     : "memory", "cc");
}

APART void stepped(void)
{
    set_handler(SIGTRAP, on_inner, 0);
    step(1);
    CALL(stepped, inside)(0);
    step(0);
}

static pthread_key_t key;

APART static void on_thread_end(void *value)
{
    FROM_LIBRARY(on_thread_end);
    if (value != NULL)
        CALL(on_thread_end, leaf)();
}

APART static void end_thread(int levels)
{
    if (levels == 0)
        pthread_exit(NULL);
    CALL(end_thread, end_thread)(levels - 1);
}

/* The last ones leave from below. */
APART static void *worker(void *number)
{
    intptr_t own = (intptr_t)number;

    FROM_LIBRARY(worker);
    pthread_setspecific(key, &key);
    for (intptr_t i = 0; i < 20 * own; i++)
        CALL(worker, inside)((int)own);
    if (own > WORKERS / 2)
        CALL(worker, end_thread)((int)own);
    return NULL;
}

APART void threads(void)
{
    pthread_t all[WORKERS];

    if (pthread_key_create(&key, on_thread_end) != 0)
        abort();
    for (intptr_t i = 0; i < WORKERS; i++) {
        if (pthread_create(&all[i], NULL, worker, (void *)(i + 1)) != 0)
            abort();
    }
    CALL(threads, inside)(50);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(all[i], NULL);
}

static ucontext_t back, contexts[2];
static int turns[2];

APART static void yield(int from)
{
    turns[from]++;
    swapcontext(&contexts[from], &contexts[!from]);
}

/* Gives way from a depth that differs each time. */
APART static void descend(int own, int levels)
{
    if (levels == 0)
        CALL(descend, yield)(own);
    else
        CALL(descend, descend)(own, levels - 1);
    CALL(descend, leaf)();
}

APART static void coroutine(int own)
{
    FROM_LIBRARY(coroutine);
    while (turns[own] < TURNS)
        CALL(coroutine, descend)(own, (turns[own] * 7 + own) % 5);
}

/* One of them ends, the other one stays where it is. */
APART void coroutines(void)
{
    static char stacks[2][STACK_BYTES];

    for (int i = 0; i < 2; i++) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = stacks[i];
        contexts[i].uc_stack.ss_size = STACK_BYTES;
        contexts[i].uc_link = &back;
        makecontext(&contexts[i], (void (*)(void))coroutine, 1, i);
    }
    swapcontext(&back, &contexts[0]);
    CALL(coroutines, leaf)();
}

APART __attribute__((constructor)) static void before_main(void)
{
    FROM_LIBRARY(before_main);
    CALL(before_main, inside)(3);
}

APART __attribute__((destructor)) static void after_all(void)
{
    FROM_LIBRARY(after_all);
}

APART static void after_main(void)
{
    FROM_LIBRARY(after_main);
    CALL(after_main, inside)(4);
}

APART static void before_exit(int levels)
{
    if (levels == 0)
        exit(0);
    CALL(before_exit, before_exit)(levels - 1);
}

APART void outside_main(void)
{
    atexit(after_main);
    CALL(outside_main, before_exit)(5);
}
