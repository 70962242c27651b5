/* SPDX-License-Identifier: 0BSD */
/* The source of a process under Linux: a POSIX timer, whose signal takes the sample. */
#ifdef __linux__
#define _GNU_SOURCE

#include <signal.h>
#include <time.h>
#include <ucontext.h>

#include "timer.h"

#define NS_PER_S   1000000000U
#define PERIOD_MIN 100000U /* leaves the program some time */

static timer_t s_timer;
static uint64_t s_due; /* ns */

/* Set from when the last sample was due, so that nothing drifts; from now on, if that is over
 * already. */
MPROF_UNHOOKED static void ring_next(void)
{
    uint32_t period = mprof_timer_next(PERIOD_MIN);
    struct itimerspec wait = {.it_interval = {0}};
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t time = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;

    s_due = s_due + period > time ? s_due + period : time + period;
    wait.it_value.tv_sec = (time_t)(s_due / NS_PER_S);
    wait.it_value.tv_nsec = (long)(s_due % NS_PER_S);
    timer_settime(s_timer, TIMER_ABSTIME, &wait, NULL);
}

MPROF_UNHOOKED static void sample_context(const ucontext_t *context)
{
#if defined(__x86_64__)
    mprof_sample_from_isr((uintptr_t)context->uc_mcontext.gregs[REG_RIP], 0, 0);
#elif defined(__i386__)
    mprof_sample_from_isr((uintptr_t)context->uc_mcontext.gregs[REG_EIP], 0, 0);
#elif defined(__aarch64__)
    mprof_sample_from_isr(context->uc_mcontext.pc, context->uc_mcontext.regs[30], 0);
#elif defined(__riscv)
    mprof_sample_from_isr(context->uc_mcontext.__gregs[REG_PC],
                          context->uc_mcontext.__gregs[REG_RA], 0);
#else
#error "where does this machine keep the interrupted program counter?"
#endif
}

MPROF_UNHOOKED static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    ring_next();
    sample_context(context);
}

MPROF_UNHOOKED void mprof_timer_start(uint32_t sample_hz)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};

    mprof_timer_set(NS_PER_S, sample_hz, PERIOD_MIN, NS_PER_S);
    action.sa_sigaction = on_signal;
    if (sigaction(SIGPROF, &action, NULL) == 0 &&
        timer_create(CLOCK_MONOTONIC, &event, &s_timer) == 0)
        ring_next();
}
#endif
