/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that can call the hook, and such as must not. */
#include <stdint.h>

#define KEEP  __attribute__((used, noinline))
#define BARE  __attribute__((patchable_function_entry(0)))
#define NAKED __attribute__((used, naked)) void

volatile uint32_t x;

/* What the hook runs: one directly, one by its address, one by a jump. */
KEEP static uint32_t below(uint32_t a)
{
    x++;
    return a + x;
}

KEEP uint32_t clock_of_board(void)
{
    return below(7) ^ x;
}

static uint32_t (*volatile taken)(void) = clock_of_board;

void mprof_patched_entry(void);
KEEP BARE void mprof_patched_entry(void)
{
    taken = clock_of_board;
    x = below(3);
}

/* Of the stub, although the hook does not run it. */
KEEP uint32_t mprof_other(void)
{
    return x;
}

KEEP uint32_t spi_send(uint32_t a)
{
    x = a;
    return x * 3;
}

uint32_t spi_again(uint32_t a) __attribute__((alias("spi_send")));

KEEP static uint32_t spi_receive(uint32_t a, uint32_t b)
{
    return spi_send(a) + spi_send(b);
}

KEEP BARE uint32_t bare(uint32_t a)
{
    return a - x;
}

KEEP __attribute__((section(".far"))) uint32_t far_away(uint32_t a)
{
    return a + x;
}

#if defined(__arm__)

NAKED switch_stacks(void)
{
    __asm__("mrs r0, psp\n\tbx lr");
}

NAKED look_at_lr(void)
{
    __asm__("mov r0, lr\n\tbx lr");
}

NAKED pass_frame(void)
{
    __asm__("mov r0, sp\n\tb spi_send");
}

NAKED move_stack(void)
{
    __asm__("mov sp, r0\n\tbx lr");
}

#elif defined(__riscv)

/* Both jump to code that knows nothing of t0. */
__attribute__((aligned(4))) NAKED trap(void)
{
    __asm__("csrrw a0, mscratch, a0\n\tj spi_send");
}

__attribute__((used)) void set_trap(void)
{
    __asm__ volatile("csrw mtvec, %0" : : "r"(trap));
}

__attribute__((used, interrupt("machine"))) void on_interrupt(void)
{
    x++;
}

NAKED save_t0(void)
{
    __asm__("addi sp, sp, -16\n\tsw t0, 0(sp)\n\tj spi_send");
}

NAKED move_stack(void)
{
    __asm__("lui sp, 0x80000\n\tj spi_send");
}

#else

NAKED pop_return(void)
{
    __asm__("pop %rax\n\tjmp *%rax");
}

NAKED on_interrupt(void)
{
    __asm__("push %rax\n\tpop %rax\n\tiretq");
}

#endif

/* Nops that no compiler made: at a label, and with a second function in them. */
__asm__(".pushsection .text.odd, \"ax\"\n"
        ".globl label\n"
        "label: nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
#if !defined(__riscv) || defined(__riscv_compressed) /* else a site is one nop */
        ".globl outer\n"
        ".type outer, %function\n"
        "outer: nop\n"
#endif
        ".globl inner\n"
        ".type inner, %function\n"
        "inner: nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
#if !defined(__riscv) || defined(__riscv_compressed)
        ".size outer, . - outer\n"
#endif
        ".size inner, . - inner\n"
        ".popsection\n");

int main(void)
{
    return (int)spi_receive(x, far_away(x));
}
