/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program whose functions know themselves how often they were called, and its surroundings. */
#ifndef CALLS_H
#define CALLS_H

#include <stdbool.h>
#include <stdint.h>

#define KEEP_APART __attribute__((noinline, noclone, noipa))
#define UNHOOKED   __attribute__((no_instrument_function, patchable_function_entry(0)))

/* The functions of program.c that note their calls. */
/* clang-format off */
#define FUNCTIONS(F) \
    F(leaf) F(nothing) F(small) F(sum64) F(pair) F(large) F(by_value) F(va_ints) F(va_doubles) \
    F(fib) F(even) F(odd) F(many) F(mixed) F(singles) F(doubles) F(quad) F(chained) F(inner) \
    F(registers) F(frame) F(dynamic) F(aligned) F(tail) F(tail_end) F(pointed) F(wide) \
    F(inlined) F(interrupted) F(round_of_calls)
/* clang-format on */

#define ID(name) ID_##name,
enum { FUNCTIONS(ID) ID_COUNT };

/* Calls as the functions see them, and the sum of their return addresses. */
struct noted {
    volatile uint32_t count[ID_COUNT];
    volatile uintptr_t callers[ID_COUNT];
};

/* Of the main program and of interrupts, with hooks on; of both, with hooks off. */
enum context { IN_MAIN, IN_INTERRUPT, HOOKS_OFF, CONTEXT_COUNT };

extern struct noted noted[CONTEXT_COUNT];
extern volatile int context;

#define NOTE(name)                                                                    \
    do {                                                                              \
        int context_ = context;                                                       \
        noted[context_].count[ID_##name]++;                                           \
        noted[context_].callers[ID_##name] += (uintptr_t)__builtin_return_address(0); \
    } while (0)

/* Calls everything once and puts the results into result; returns how many there are. */
enum { RESULTS_MAX = 48 };
int round_of_calls(uint64_t *result);

/* What an interrupt calls; returns a number that is always the same. */
uint32_t interrupted(uint32_t number);

/* Instrumented, called before RAM is set up. */
void early(void);

/* console.c */
void put(const char *text);
void put_hex(uint64_t number, const char *after);
void quit(void) __attribute__((noreturn));

/* machine.c */
/* From on to off, interrupts come that call handle(pc). */
void interrupts_on(void);
void interrupts_off(void);
void handle(uintptr_t pc);
uintptr_t interrupt_begin(void);
void interrupt_end(void);
unsigned long interrupts_mask(void);
void interrupts_unmask(unsigned long state);

/* registers.c: how many registers the hook did not preserve. */
unsigned registers_broken(void);

/* landed.c */
bool is_in_hook(uintptr_t pc);
void print_landed(void);

/* sink.c, stub_sink.c: what counts; how many events it saw. */
void sink_init(void);
uint32_t sink_events(void);
void sink_print(void);

#endif
