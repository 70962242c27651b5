/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads whose stacks are switched by an interrupt, as FreeRTOS does it on these cores: anywhere
 * in hooked functions, in their hooks and in what they return to. Each thread counts the entries
 * and exits of its functions. */
#include "calls.h"

#include <mprof/mprof.h>

/* With stacks of 1024 bytes, calls of the same depth have the same place in the table of returns.
 */
enum { THREADS = 3, SWITCHES = 4000, STACK_WORDS = 256 };

static volatile uint32_t entered[THREADS], left[THREADS], wrong[THREADS];
static volatile bool ended[THREADS];
static uintptr_t stacks[THREADS][STACK_WORDS] __attribute__((aligned(16)));
static uintptr_t *tops[THREADS];
static volatile uint32_t current, switches, in_hooks;

static UNHOOKED uint32_t random_number(void)
{
    static uint32_t state = 88172645;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* What is saved of a thread is at top; the word at AT_PC is where it goes on. Returns the same of
 * the thread that goes on now. */
__attribute__((used)) static UNHOOKED uintptr_t *change_thread(uintptr_t *top);

#ifdef __arm__
enum { FRAME = 16, AT_PC = 14, AT_ARGUMENT = 8 };

#define SYST_CSR (*(volatile uint32_t *)0xE000E010U)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014U)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018U)
#define ICSR     (*(volatile uint32_t *)0xE000ED04U)
#define SHPR3    (*(volatile uint32_t *)0xE000ED20U)

#define CSR_START      0x7U
#define ICSR_PENDSVSET 0x10000000U
#define ICSR_PENDSTCLR 0x02000000U
#define PENDSV_LOWEST  0x00ff0000U

/* Under -icount shift=10 an instruction takes 16 to 26 cycles. */
static UNHOOKED void set_timer(uint32_t instructions)
{
    SYST_RVR = 20 * instructions;
    SYST_CVR = 0;
    SYST_CSR = CSR_START;
}

static UNHOOKED void stop_timer(void)
{
    SYST_CSR = 0;
    ICSR = ICSR_PENDSTCLR;
}

static UNHOOKED void on_tick(void)
{
    stop_timer();
    ICSR = ICSR_PENDSVSET;
}

__attribute__((naked)) static UNHOOKED void switch_threads(void)
{
    __asm__("mrs r0, psp\n\tsubs r0, #32\n\tstmia r0!, {r4-r7}\n\t"
            "mov r4, r8\n\tmov r5, r9\n\tmov r6, r10\n\tmov r7, r11\n\tstmia r0!, {r4-r7}\n\t"
            "subs r0, #32\n\tpush {r3, lr}\n\tbl change_thread\n\t"
            "adds r0, #16\n\tldmia r0!, {r4-r7}\n\t"
            "mov r8, r4\n\tmov r9, r5\n\tmov r10, r6\n\tmov r11, r7\n\t"
            "msr psp, r0\n\tsubs r0, #32\n\tldmia r0!, {r4-r7}\n\tpop {r3, pc}");
}

extern uintptr_t stack_top[];
void Reset_Handler(void);

/* Linked before the board's vectors. */
static const union {
    const uintptr_t *stack;
    void (*handler)(void);
} vectors[16] __attribute__((section(".vectors"), used)) = {
    [0] = {.stack = stack_top},
    [1] = {.handler = Reset_Handler},
    [14] = {.handler = switch_threads},
    [15] = {.handler = on_tick},
};

/* Goes on as a thread, on its stack. */
static UNHOOKED void become_thread(uintptr_t *stack)
{
    SHPR3 |= PENDSV_LOWEST;
    __asm__ volatile("msr psp, %0\n\tmsr control, %1\n\tisb" : : "r"(stack), "r"(2) : "memory");
}

#else
#include "../mtimer.h"

enum { FRAME = 32, AT_PC = 0, AT_ARGUMENT = 10 };

/* Under -icount shift=10 an instruction takes 10 ticks. */
static UNHOOKED void set_timer(uint32_t instructions)
{
    mtimer_start(10 * instructions);
}

static UNHOOKED void stop_timer(void)
{
    __asm__ volatile("csrci mstatus, 8" : : : "memory");
}

/* All threads run with interrupts on, so that mstatus is the same. Nothing uses tp; gp does not
 * change. */
#define ALL(op)                                                                                  \
    ".irp n, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, " \
    "26, 27, 28, 29, 30, 31\n\t" op " x\\n, 4*\\n(sp)\n\t.endr\n\t"

__attribute__((naked, aligned(4))) UNHOOKED void mprof_mtimer_entry(void)
{
    __asm__("addi sp, sp, -128\n\t" ALL("sw") "csrr a1, mepc\n\tsw a1, 0(sp)\n\t"
                                              "mv a0, sp\n\tcall change_thread\n\tmv sp, a0\n\t"
                                              "lw a1, 0(sp)\n\tcsrw mepc, a1\n\t" ALL(
                                                  "lw") "addi sp, sp, 128\n\tmret");
}

/* It keeps the stack that it has. */
static UNHOOKED void become_thread(uintptr_t *stack)
{
    (void)stack;
    __asm__ volatile("csrs mie, %0\n\tcsrsi mstatus, 8" : : "r"(0x80) : "memory");
}
#endif

static UNHOOKED uintptr_t *change_thread(uintptr_t *top)
{
    in_hooks += is_in_hook(top[AT_PC]);
    switches++;
    tops[current] = top;
    current = (current + 1 + random_number() % (THREADS - 1)) % THREADS;
    set_timer(60 + random_number() % 200);
    return tops[current];
}

KEEP_APART uint32_t deep(uint32_t thread, uint32_t depth)
{
    entered[thread]++;
    uint32_t result = depth == 0 ? 1 : deep(thread, depth - 1) + 1;
    left[thread]++;
    return result;
}

/* Ends by a jump to deep(), if the compiler makes one of it. */
KEEP_APART uint32_t pass_on(uint32_t thread, uint32_t depth)
{
    entered[thread]++;
    left[thread]++;
    return deep(thread, depth);
}

static UNHOOKED void run_thread(uint32_t thread)
{
    for (uint32_t turn = 0; switches < SWITCHES; turn++) {
        wrong[thread] += deep(thread, turn % 7) != turn % 7 + 1;
        wrong[thread] += pass_on(thread, turn % 3) != turn % 3 + 1;
    }
    ended[thread] = true;
    while (thread != 0)
        ;
}

static UNHOOKED void make_thread(uint32_t thread)
{
    uintptr_t *top = &stacks[thread][STACK_WORDS - FRAME];

    top[AT_PC] = (uintptr_t)run_thread;
    top[AT_ARGUMENT] = thread;
#ifdef __arm__
    top[15] = 0x01000000U; /* xPSR: Thumb */
#endif
    tops[thread] = top;
}

UNHOOKED int main(void)
{
    mprof_init();
    for (uint32_t thread = 1; thread < THREADS; thread++)
        make_thread(thread);
    become_thread(stacks[0] + STACK_WORDS);
    set_timer(100);
    run_thread(0);
    while (!ended[1] || !ended[2])
        ;
    stop_timer();
    mprof_trace_disable();
    put_hex(s_prof.trace_lead.head, " ");
    put_hex(entered[0] + entered[1] + entered[2], " ");
    put_hex(left[0] + left[1] + left[2], " ");
    put_hex(wrong[0] + wrong[1] + wrong[2], " ");
    put_hex(switches, " ");
    put_hex(in_hooks, " ");
    put_hex(s_prof.trace_cost.unhooked, "\n");
    quit();
}
