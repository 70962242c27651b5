/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two tasks with stacks of their own, which are switched amid hooked functions, some of which are
 * left by a jump; among interrupts. Functions count their entries and exits. With MPROF_CORES each
 * switch is to another core, as far as the stub knows. */
#include "calls.h"

#include <mprof/mprof.h>

#ifdef __x86_64__ /* each instruction is a signal, with all registers */
enum { TURNS = 15, STACK_WORDS = 4000 };
#elif defined(__riscv)
enum { TURNS = 150, STACK_WORDS = 1000 };
#else
enum { TURNS = 150, STACK_WORDS = 500 };
#endif

/* Of thread mode and of interrupts, which nest. */
static volatile uint32_t entered, left, jumps, sum;
static volatile uint32_t entered_interrupt, left_interrupt;
static uintptr_t stacks[2][STACK_WORDS] __attribute__((aligned(16)));
static uintptr_t *saved[3]; /* the stack pointers of the tasks, and of main() */
static volatile unsigned current = 2;
static void *volatile place[2][5];

#if defined(__arm__)
enum { FRAME = 9, AT_PC = 8 };
__attribute__((naked)) static UNHOOKED void swap(uintptr_t **from, uintptr_t *to)
{
    __asm__(".syntax unified\n\tpush {r4-r7, lr}\n\tmov r4, r8\n\tmov r5, r9\n\tmov r6, r10\n\t"
            "mov r7, r11\n\tpush {r4-r7}\n\tmov r2, sp\n\tstr r2, [r0]\n\tmov sp, r1\n\t"
            "pop {r4-r7}\n\tmov r8, r4\n\tmov r9, r5\n\tmov r10, r6\n\tmov r11, r7\n\t"
            "pop {r4-r7, pc}");
}
#elif defined(__riscv)
enum { FRAME = 16, AT_PC = 0 };
#if __riscv_xlen == 64
#define MOVE(op, reg, n) op "d " reg ", 8*" #n "(sp)\n\t"
#define STORE            "addi sp, sp, -128\n\t"
#define DONE             "sd sp, (a0)\n\tmv sp, a1\n\t"
#define LOAD             "addi sp, sp, 128\n\t"
#else
#define MOVE(op, reg, n) op "w " reg ", 4*" #n "(sp)\n\t"
#define STORE            "addi sp, sp, -64\n\t"
#define DONE             "sw sp, (a0)\n\tmv sp, a1\n\t"
#define LOAD             "addi sp, sp, 64\n\t"
#endif
#define ALL(op)                                                                               \
    MOVE(op, "ra", 0)                                                                         \
    MOVE(op, "s0", 1)                                                                         \
    MOVE(op, "s1", 2)                                                                         \
    MOVE(op, "s2", 3) MOVE(op, "s3", 4) MOVE(op, "s4", 5) MOVE(op, "s5", 6) MOVE(op, "s6", 7) \
        MOVE(op, "s7", 8) MOVE(op, "s8", 9) MOVE(op, "s9", 10) MOVE(op, "s10", 11)            \
            MOVE(op, "s11", 12)
__attribute__((naked)) static UNHOOKED void swap(uintptr_t **from, uintptr_t *to)
{
    __asm__(STORE ALL("s") DONE ALL("l") LOAD "ret");
}
#else
enum { FRAME = 8, AT_PC = 6 };
__attribute__((naked)) static UNHOOKED void swap(uintptr_t **from, uintptr_t *to)
{
    __asm__("push %rbx\n\tpush %rbp\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\t"
            "mov %rsp, (%rdi)\n\tmov %rsi, %rsp\n\t"
            "pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbp\n\tpop %rbx\n\tret");
}
#endif

#if MPROF_CORES > 1
volatile uint32_t this_core;
#define CORE(i) s_prof[i]
#else
static uint32_t this_core;
#define CORE(i) s_prof
#endif

static UNHOOKED void go_to(unsigned next)
{
    unsigned before = current;

    current = next;
    this_core = (this_core + 1) % MPROF_CORES;
    swap(&saved[before], saved[next]);
}

KEEP_APART uint32_t deep(uint32_t depth)
{
    entered++;
    uint32_t result = depth == 0 ? 1 : deep(depth - 1) + 1;
    if (depth % 3 == 1)
        go_to(1 - current);
    left++;
    return result;
}

/* Ends by a jump to deep(), if the compiler makes one of it: on another core than it began. */
KEEP_APART uint32_t pass_on(uint32_t depth)
{
    entered++;
    go_to(1 - current);
#ifdef TAIL_CALLS
    left++;
    return deep(depth);
#else
    uint32_t result = deep(depth);
    left++;
    return result;
#endif
}

KEEP_APART void jump(uint32_t depth)
{
    entered++;
    if (depth == 0) {
        jumps++;
        __builtin_longjmp((void **)place[current], 1);
    }
    jump(depth - 1);
    left++;
}

KEEP_APART void try(uint32_t depth)
{
    entered++;
    if (__builtin_setjmp((void **)place[current]) == 0)
        jump(depth);
    left++;
}

/* Its caller knows that it does not return. */
KEEP_APART __attribute__((noreturn)) void leave(void)
{
    entered++;
    go_to(2);
    __builtin_trap();
}

KEEP_APART void task(void)
{
    entered++;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        sum += deep(turn % 7) + pass_on(turn % 2);
        try(turn % 5);
    }
    leave();
}

KEEP_APART uint32_t below(uint32_t depth)
{
    entered_interrupt++;
    uint32_t result = depth == 0 ? 1 : below(depth - 1) + 1;
    left_interrupt++;
    return result;
}

UNHOOKED void handle(uintptr_t pc)
{
    (void)pc;
    sum += below(3) - 4;
}

#ifdef __riscv
#ifdef HANDLER_HOOKED
#define HANDLER
#else
#define HANDLER UNHOOKED
#endif
/* Its entry is recorded if it is hooked, and its exit is not. */
__attribute__((interrupt("machine"), aligned(4))) HANDLER void mprof_mtimer_entry(void)
{
#ifdef HANDLER_HOOKED
    entered_interrupt++;
    left_interrupt++;
#endif
    handle(interrupt_begin());
    interrupt_end();
}
#endif

UNHOOKED void early(void)
{
}

UNHOOKED int main(void)
{
    for (this_core = 0; this_core < MPROF_CORES; this_core++)
        mprof_init();
    this_core = 0;
    for (unsigned i = 0; i < 2; i++) {
        saved[i] = &stacks[i][STACK_WORDS - FRAME - 8];
        saved[i][AT_PC] = (uintptr_t)task;
    }
    interrupts_on();
    go_to(0);
    interrupts_off();
    uint32_t events = 0, unhooked = 0;
    for (this_core = 0; this_core < MPROF_CORES; this_core++) {
        mprof_trace_disable();
        events += CORE(this_core).trace_lead.head;
        unhooked += CORE(this_core).trace_cost.unhooked;
    }
    put_hex(events, " ");
    put_hex(entered + entered_interrupt, " ");
    put_hex(left + left_interrupt, " ");
    put_hex(jumps, " ");
    put_hex(sum, " ");
    put_hex(entered_interrupt, " ");
    put_hex(unhooked, "\n");
    quit();
}
