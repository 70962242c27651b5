/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A Linux program that carries the stub, to be debugged by gdbserver.
 *
 *   gdbserver-program [timer] [threads] [leaderless]
 *
 * It counts in s_rounds for ever, and samples the first of them. timer: SIGALRM counts in s_ticks,
 * a thousand times a second. threads: a second thread counts in s_others. leaderless: the first
 * thread ends when a byte comes on stdin, a second one goes on. No thread begins later: gdbserver
 * 13.1 itself ends by SIGSEGV, now and then, when one does while it attaches or halts. */
#define _DEFAULT_SOURCE

#include <mprof/mprof.h>

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Then the numbers stand still and are known. */
#define SAMPLED_ROUNDS 250000U

extern volatile uint64_t s_rounds, s_ticks, s_others;
extern unsigned char s_known[1U << 18];
void half(void);
void quarter(void);

volatile uint64_t s_rounds, s_ticks, s_others;
unsigned char s_known[1U << 18];

static void sample(uintptr_t address)
{
    if (s_rounds <= SAMPLED_ROUNDS)
        mprof_sample(address);
}

/* Aligned, so that no item holds two functions. */
__attribute__((noinline, aligned(64))) void half(void)
{
    sample((uintptr_t)half);
    sample((uintptr_t)half);
}

__attribute__((noinline, aligned(64))) void quarter(void)
{
    sample((uintptr_t)quarter);
}

__attribute__((noinline, aligned(64))) static void rest(void)
{
    sample((uintptr_t)rest);
}

static void tick(int number)
{
    (void)number;
    s_ticks++;
}

static void start_timer(void)
{
    const struct itimerval period = {.it_interval = {.tv_usec = 1000},
                                     .it_value = {.tv_usec = 1000}};

    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &period, NULL);
}

static void *others(void *nothing)
{
    for (;;) {
        s_others++;
        usleep(50);
    }
    return nothing;
}

static bool has(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], word) == 0)
            return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    bool leaderless = has(argc, argv, "leaderless");
    pthread_t thread;
    char byte;

    for (size_t i = 0; i < sizeof(s_known); i++)
        s_known[i] = (unsigned char)(i % 64 < 32 ? 0 : i * 7 + i / 256);
    mprof_init();
    MPROF_PROF->header.flags |= MPROF_FLAG_JITTERED; /* of what is fed */
    if ((leaderless || has(argc, argv, "threads")) && pthread_create(&thread, NULL, others, NULL))
        return 1;
    if (has(argc, argv, "timer"))
        start_timer();
    while (leaderless) {
        if (read(STDIN_FILENO, &byte, 1) == 1)
            pthread_exit(NULL);
    }
    for (;;) {
        s_rounds++;
        half();
        quarter();
        rest();
    }
}
