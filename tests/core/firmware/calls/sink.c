/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mprof_call() that keeps every arc, and leaves no register as it was that C code may change. */
#include "calls.h"

#include <mprof/mprof.h>

#include "hook.h"

enum { ARCS = 256 };

struct mprof_prof s_prof __attribute__((section(".bss.mprof"), used));

/* Addresses have 32 bits on all of our boards; on the host, so near to each other. */
static struct {
    volatile uint64_t key; /* callee, and caller in the upper half; 0: free */
    volatile uint32_t count;
} arcs[ARCS];
static volatile uint32_t overflows;
static volatile uint32_t entered;

static UNHOOKED bool take(volatile uint64_t *key, uint64_t wanted)
{
#ifdef __x86_64__
    uint64_t expected = 0;

    return __atomic_compare_exchange_n(key, &expected, wanted, 0, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED) ||
           expected == wanted;
#else
    if (*key == 0)
        *key = wanted;
    return *key == wanted;
#endif
}

static UNHOOKED void add(volatile uint32_t *count)
{
#ifdef __x86_64__
    __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
#else
    ++*count;
#endif
}

__attribute__((used)) UNHOOKED void sink(uintptr_t callee, uintptr_t caller)
{
    /* An item stands for two bytes. */
    uint64_t key = ((uint32_t)callee & ~1U) | (uint64_t)caller << 32;
    uint32_t i = ((uint32_t)callee ^ (uint32_t)caller * 0x9E3779B1U) * 0x85EBCA6BU >> 24;

    /* As the stub's gate does. */
    if (s_prof.header.magic != MPROF_MAGIC)
        return;
    unsigned long state = interrupts_mask();
    uint32_t tries = 0;

    add(&entered);
    while (tries < ARCS && !take(&arcs[(i + tries) % ARCS].key, key))
        tries++;
    add(tries < ARCS ? &arcs[(i + tries) % ARCS].count : &overflows);
    interrupts_unmask(state);
}

#if defined(__arm__)

#ifdef BREAK_FP
#define MORE "vmov s0, r0\n\tvmov s15, r0\n\t"
#else
#define MORE
#endif

__attribute__((naked)) UNHOOKED void mprof_call(uintptr_t callee, uintptr_t caller)
{
    __asm__("push {r4, lr}\n\t"
            "bl sink\n\t"
            "movs r0, #0xa5\n\t"
            "mvns r1, r0\n\t"
            "movs r2, #0x5a\n\t"
            "mvns r3, r2\n\t"
            "mov ip, r1\n\t" MORE "pop {r4, pc}");
}

#elif defined(__riscv)

/* t0 to t6, a0 to a7 */
__attribute__((naked)) UNHOOKED void mprof_call(uintptr_t callee, uintptr_t caller)
{
    __asm__("addi sp, sp, -16\n\t"
#if __riscv_xlen == 64
            "sd ra, 0(sp)\n\t"
            "call sink\n\t"
            "ld ra, 0(sp)\n\t"
#else
            "sw ra, 0(sp)\n\t"
            "call sink\n\t"
            "lw ra, 0(sp)\n\t"
#endif
            "addi sp, sp, 16\n\t"
            "li t0, -0x5a\n\tli t1, -0x5b\n\tli t2, -0x5c\n\tli t3, -0x5d\n\tli t4, -0x5e\n\t"
            "li t5, -0x5f\n\tli t6, -0x60\n\tli a0, -0x61\n\tli a1, -0x62\n\tli a2, -0x63\n\t"
            "li a3, -0x64\n\tli a4, -0x65\n\tli a5, -0x66\n\tli a6, -0x67\n\tli a7, -0x68\n\t"
            "ret");
}

#else

#ifdef BREAK_FP
#define MORE "xorps %xmm0, %xmm0\n\t"
#else
#define MORE
#endif

/* movaps finds out whether the stack is aligned. */
__attribute__((naked)) UNHOOKED void mprof_call(uintptr_t callee, uintptr_t caller)
{
    __asm__("push %rbp\n\t"
            "sub $16, %rsp\n\t"
            "movaps %xmm0, (%rsp)\n\t"
            "call sink\n\t"
            "add $16, %rsp\n\t" MORE "pop %rbp\n\t"
            "mov $0xa5a5a5a5a5a5a5a5, %rax\n\t"
            "mov %rax, %rcx\n\tmov %rax, %rdx\n\tmov %rax, %rsi\n\tmov %rax, %rdi\n\t"
            "mov %rax, %r8\n\tmov %rax, %r9\n\tmov %rax, %r10\n\tmov %rax, %r11\n\t"
            "ret");
}

#endif

UNHOOKED void mprof_call_open(uintptr_t callee, uintptr_t caller)
    __attribute__((alias("mprof_call")));

UNHOOKED void sink_init(void)
{
    volatile struct mprof_header *header = &s_prof.header;

    header->magic = MPROF_MAGIC;
    header->enable = MPROF_ENABLE_ALL;
}

UNHOOKED uint32_t sink_events(void)
{
    return entered;
}

UNHOOKED void sink_print(void)
{
    for (int i = 0; i < ARCS; i++) {
        if (arcs[i].key == 0)
            continue;
        put("arc ");
        put_hex((uint32_t)arcs[i].key, " ");
        put_hex(arcs[i].key >> 32, " ");
        put_hex(arcs[i].count, "\n");
    }
    put("dropped ");
    put_hex(overflows, "\n");
}
