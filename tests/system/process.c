/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated firmware for --pid: three functions that take 50, 30 and 20 % of its time, sampled by a
 * timer's signal. It says "ready" and ends with its parent; by SIGUSR1 it becomes another program.
 */
#define _GNU_SOURCE

#include <mprof/mprof.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define SAMPLE_NS 1003009 /* 997 Hz */
#define PERCENT   2000U

/* No two of them in one block of addresses. */
#define KEEP_APART __attribute__((noinline, aligned(64)))

/* Each turn waits for the store of the one before, so that a turn takes the same time everywhere.
 */
static inline __attribute__((always_inline)) void work(unsigned turns)
{
    volatile unsigned left = turns;

    while (left > 0)
        left = left - 1;
}

KEEP_APART static void work_a(void)
{
    work(50 * PERCENT);
}

KEEP_APART static void work_b(void)
{
    work(30 * PERCENT);
}

KEEP_APART static void work_c(void)
{
    work(20 * PERCENT);
}

static uintptr_t interrupted(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__i386__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_EIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#elif defined(__riscv)
    return (uintptr_t)context->uc_mcontext.__gregs[REG_PC];
#else
#error "where does this machine keep the interrupted program counter?"
#endif
}

static void on_timer(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    mprof_sample(interrupted(context));
}

static void on_exec(int number)
{
    (void)number;
    execl("/bin/sleep", "sleep", "1000", (char *)NULL);
    _exit(1);
}

static void start_timer(void)
{
    struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
    const struct itimerspec period = {.it_value = {.tv_nsec = SAMPLE_NS},
                                      .it_interval = {.tv_nsec = SAMPLE_NS}};
    timer_t timer;

    if (sigaction(SIGPROF, &action, NULL) != 0 ||
        timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 ||
        timer_settime(timer, 0, &period, NULL) != 0)
        exit(1);
}

int main(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGUSR1, on_exec);
    mprof_init();
    start_timer();
    puts("ready");
    fflush(stdout);
    for (;;) {
        work_a();
        work_b();
        work_c();
    }
}
