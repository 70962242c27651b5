/* SPDX-License-Identifier: 0BSD */
/* Start of firmware for RISC-V, 32 and 64 bits wide, in machine mode. */

#define STACK_SHIFT 14 /* 16 KB a hart */
#define MIP_MSIP    0x8

#if __riscv_xlen == 64
#define LOAD  ld
#define STORE sd
#else
#define LOAD  lw
#define STORE sw
#endif

        .option arch, +zicsr
/* Binutils 2.40 writes the ranges of its debug information as long as they were before the linker
 * shortens them: they overlap main.c's, and gdb 13 fails on a backtrace. So nothing is shortened. */
        .option norelax

        .section .start, "ax"
        .globl  _start
        .type   _start, @function
_start:
        la      t0, mprof_mtimer_entry
        csrw    mtvec, t0
        csrr    a0, mhartid
        la      sp, stack_top
        slli    t0, a0, STACK_SHIFT
        sub     sp, sp, t0
        bnez    a0, another_hart

        la      t0, data_start
        la      t1, data_end
        la      t2, data_load
        j       2f
1:      LOAD    t3, 0(t2)
        STORE   t3, 0(t0)
        addi    t2, t2, __riscv_xlen / 8
        addi    t0, t0, __riscv_xlen / 8
2:      bltu    t0, t1, 1b

        la      t0, bss_start
        la      t1, bss_end
        j       4f
3:      STORE   zero, 0(t0)
        addi    t0, t0, __riscv_xlen / 8
4:      bltu    t0, t1, 3b

        call    main
5:      j       5b

/* The others wait for a software interrupt, which is not taken, and then run hart_main(hart). */
another_hart:
        csrwi   mie, MIP_MSIP
6:      wfi
        csrr    t0, mip
        andi    t0, t0, MIP_MSIP
        beqz    t0, 6b
        csrwi   mie, 0
        call    hart_main
7:      j       7b
        .size   _start, . - _start

/* Stand-ins: for the interrupt entry of mprof's timer, and for what other harts do. */
        .text
        .weak   mprof_mtimer_entry
        .weak   hart_main
        .balign 4
mprof_mtimer_entry:
hart_main:
        j       hart_main
