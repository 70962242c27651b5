/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls all functions of a generated program among interrupts, and writes down how often each was
 * called (to the file "called") and what the stub counted (to "prof"). */
#ifdef __x86_64__
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
#endif

#include <mprof/mprof.h>

#include "functions.h"

/* Instructions between two interrupts. On RISC-V some 30 of them are the way back from the first
 * one, and a hook that finds no 20 without an interrupt does not end: what LR reserves is lost. */
#ifdef __riscv
#define APART 80
#else
#define APART 50
#endif

uint32_t called[FUNCTIONS];
static volatile uint32_t is_done, interrupts;

/* An interrupt calls the last functions, which call no others. */
static __attribute__((noinline)) void interrupt(void)
{
    uint32_t number = interrupts++;

    (void)functions[OF_THREAD + number % (FUNCTIONS - OF_THREAD)](number);
}

#ifdef __x86_64__

static uint32_t steps;

static void on_step(int number, siginfo_t *info, void *data)
{
    ucontext_t *user = data;

    (void)number, (void)info;
    if (is_done)
        user->uc_mcontext.gregs[REG_EFL] &= ~0x100;
    else if (++steps % APART == 0)
        interrupt();
}

static void begin(void)
{
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};

    sigaction(SIGTRAP, &action, NULL);
    __asm__ volatile("sub $128, %%rsp\n\t"
                     "pushfq\n\t"
                     "orq $0x100, (%%rsp)\n\t"
                     "popfq\n\t"
                     "add $128, %%rsp"
                     :
                     :
                     : "memory", "cc");
}

static void save(const char *name, const void *bytes, size_t len)
{
    FILE *file = fopen(name, "wb");

    if (file && fwrite(bytes, 1, len, file) == len)
        fclose(file);
}

static void finish(uint32_t result)
{
    printf("%u %u\n", (unsigned)result, (unsigned)interrupts);
}

#else

#include "alarm.h"
#include "semihost.h"

void on_alarm(uintptr_t pc)
{
    (void)pc;
    interrupt();
    if (!is_done)
        alarm_set(APART * ALARM_STEP);
}

static void begin(void)
{
    alarm_set(APART * ALARM_STEP);
}

static void finish(uint32_t result)
{
    print_number(result, " ");
    print_number(interrupts, "\n");
    quit();
}

/* There is no library. */
void *memset(void *to, int value, size_t len);

void *memset(void *to, int value, size_t len)
{
    for (size_t i = 0; i < len; i++)
        ((volatile char *)to)[i] = (char)value;
    return to;
}

#endif

int main(void)
{
    uint32_t result = 0;

    mprof_init();
    begin();
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < OF_THREAD; i++)
            result = result * 31 + functions[i](i + round);
    }
    is_done = 1;
    while (interrupts < FUNCTIONS - OF_THREAD) /* all of them are called */
        interrupt();
    save("called", called, sizeof(called));
    save("prof", &s_prof, sizeof(s_prof));
    finish(result);
    return 0;
}
