/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated firmware for --pid: three functions that take 50, 30 and 20 % of its time, in an order
 * by chance, so that no timer meets the same one again and again, sampled by a timer's signal. It
 * says "ready" and ends with its parent; by SIGUSR1 it becomes another program.
 *
 * With an argument nothing is sampled, and every hit is made by what stands on its standard input.
 * Each line is answered by "done":
 *   OFFSET COUNT   so many hits so many bytes from work_a
 *   run, rest      one hit a millisecond from now on, in the proportions of all before; no more
 *   sleep, wake    as firmware does before and after "wfi"
 */
#define _GNU_SOURCE

#include <mprof/mprof.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define SAMPLE_NS 200609 /* 4985 Hz */
#define TURNS     2000U
#define PLACES    128U

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
    work(TURNS);
}

KEEP_APART static void work_b(void)
{
    work(TURNS);
}

KEEP_APART static void work_c(void)
{
    work(TURNS);
}

/* Each turn takes as long as any other: by how often each comes, they share the time. */
static void work_for_ever(void)
{
    uint32_t chance = 1;

    for (;;) {
        chance = chance * 1664525U + 1013904223U;
        unsigned ten = (unsigned)((uint64_t)chance * 10 >> 32);
        if (ten < 5)
            work_a();
        else if (ten < 8)
            work_b();
        else
            work_c();
    }
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

/* Where hits were made, how many, and how many of these are owed while it runs. */
struct place {
    intptr_t offset;
    long count;
    long owed;
};

static struct place places[PLACES];
static unsigned used;
static long made;

static void feed(intptr_t offset, long count)
{
    unsigned i = 0;

    while (i < used && places[i].offset != offset)
        i++;
    if (i == PLACES)
        exit(1);
    used = i < used ? used : i + 1;
    places[i].offset = offset;
    places[i].count += count;
    made += count;
    while (count-- > 0)
        mprof_sample((uintptr_t)work_a + (uintptr_t)offset);
}

/* The next hit of those that go round, so that any few of them are in proportion. */
static void go_on(void)
{
    struct place *next = places;

    for (unsigned i = 0; i < used; i++) {
        places[i].owed += places[i].count;
        if (places[i].owed > next->owed)
            next = &places[i];
    }
    next->owed -= made;
    mprof_sample((uintptr_t)work_a + (uintptr_t)next->offset);
}

static void obey(const char *line, int *running)
{
    long offset, count;

    if (strcmp(line, "run\n") == 0)
        *running = 1;
    else if (strcmp(line, "rest\n") == 0)
        *running = 0;
    else if (strcmp(line, "sleep\n") == 0)
        mprof_sleep_enter();
    else if (strcmp(line, "wake\n") == 0)
        mprof_sleep_exit(0);
    else if (sscanf(line, "%ld %ld", &offset, &count) == 2)
        feed(offset, count);
    else
        exit(1);
    puts("done");
}

/* Standard input has no buffer, so that poll() knows of all that is left. */
static void be_fed(void)
{
    struct pollfd input = {.fd = 0, .events = POLLIN};
    char line[80];
    int running = 0;

    setvbuf(stdin, NULL, _IONBF, 0);
    for (;;) {
        if (poll(&input, 1, running ? 1 : -1) == 0)
            go_on();
        else if (fgets(line, sizeof(line), stdin))
            obey(line, &running);
        else
            exit(0);
        fflush(stdout);
    }
}

KEEP_APART int main(int argc, char **argv)
{
    (void)argv;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGUSR1, on_exec);
    mprof_init();
    /* What is fed is as if a timer with jitter had taken it. */
    MPROF_PROF->header.flags |= MPROF_FLAG_JITTERED;
    if (argc == 1)
        start_timer();
    puts("ready");
    fflush(stdout);
    if (argc > 1)
        be_fed();
    work_for_ever();
}
