/* SPDX-License-Identifier: 0BSD */
/* The machine timer as a source: starts it and takes the interrupted program counter. */
#include "timer.h"

/* The entry must stay in this file: who links an archive gets it with mprof_mtimer_start(). */

/* RISC-V Privileged Architecture, 3.2.1, and where the CLINT of most parts has them. */
#ifndef MPROF_MTIME
#define MPROF_MTIME 0x0200bff8U
#endif
#ifndef MPROF_MTIMECMP
#define MPROF_MTIMECMP 0x02004000U
#endif

#define MIE_MTIE   0x80U
#define PERIOD_MIN 64U /* leaves the firmware some time, also if mtime_hz is wrongly 0 */
#define PERIOD_MAX (MPROF_JITTER ? MPROF_PERIOD_JITTERED : 0x40000000U)

#define WORD(address, n) (((volatile uint32_t *)(uintptr_t)(address))[n])

/* Each hart has a mtimecmp of its own, 8 bytes apart. */
MPROF_INLINE uintptr_t mtimecmp(void)
{
    uintptr_t hart;

    __asm__ volatile("csrr %0, mhartid" : "=r"(hart));
    return (uintptr_t)(MPROF_MTIMECMP) + 8 * hart;
}

MPROF_INLINE uint64_t now(void)
{
    uint32_t high;
    uint32_t low;

    do {
        high = WORD(MPROF_MTIME, 1);
        low = WORD(MPROF_MTIME, 0);
    } while (high != WORD(MPROF_MTIME, 1));
    return (uint64_t)high << 32 | low;
}

/* The high word goes up first, so that no time between is in the past. */
MPROF_INLINE void ring_at(uintptr_t compare, uint64_t time)
{
    WORD(compare, 1) = UINT32_MAX;
    WORD(compare, 0) = (uint32_t)time;
    WORD(compare, 1) = (uint32_t)(time >> 32);
}

MPROF_UNHOOKED void mprof_mtimer_start(uint32_t mtime_hz, uint32_t sample_hz)
{
    mprof_timer_set(mtime_hz, sample_hz, PERIOD_MIN, PERIOD_MAX);
    ring_at(mtimecmp(), now() + mprof_timer_next(PERIOD_MIN));
    __asm__ volatile("csrs mie, %0" : : "r"(MIE_MTIE) : "memory");
}

/* The next sample is set from when this one was due, so that nothing drifts; from now on, if that
 * is over already. */
__attribute__((used)) MPROF_CODE static void on_timer(uintptr_t pc, uintptr_t lr)
{
    uintptr_t compare = mtimecmp();
    uint64_t due = (uint64_t)WORD(compare, 1) << 32 | WORD(compare, 0);
    uint32_t period = mprof_timer_next(PERIOD_MIN);
    uint64_t late = now() - due;

    if (late >= period)
        due += late;
    ring_at(compare, due + period);
#if MPROF_LATE_TICKS
    if (late >= MPROF_LATE_TICKS) {
        mprof_sample_from_isr(pc, lr, MPROF_STREAM_LATE);
        return;
    }
#endif
    mprof_sample_in_time(pc, lr, 0);
}

#if __riscv_xlen == 64
#define SAVE(n, reg)    "sd " #reg ", 8*" #n "(sp)\n\t"
#define RESTORE(n, reg) "ld " #reg ", 8*" #n "(sp)\n\t"
#define FRAME           "128"
#else
#define SAVE(n, reg)    "sw " #reg ", 4*" #n "(sp)\n\t"
#define RESTORE(n, reg) "lw " #reg ", 4*" #n "(sp)\n\t"
#define FRAME           "64"
#endif

#ifdef __riscv_32e
#define FOR_OTHERS(each)
#else
#define FOR_OTHERS(each) \
    each(10, a6) each(11, a7) each(12, t3) each(13, t4) each(14, t5) each(15, t6)
#endif

/* What a call may change; the stub uses no floating point. */
#define FOR_REGISTERS(each)                                                             \
    each(0, ra) each(1, t0) each(2, t1) each(3, t2) each(4, a0) each(5, a1) each(6, a2) \
        each(7, a3) each(8, a4) each(9, a5) FOR_OTHERS(each)

__attribute__((naked, aligned(4))) MPROF_CODE void mprof_mtimer_entry(void)
{
    __asm__("addi sp, sp, -" FRAME "\n\t" /* aligned as calls need it, where the ABI is kept */
            FOR_REGISTERS(SAVE) "csrr a0, mepc\n\t"
                                "mv a1, ra\n\t"
                                "call %0\n\t" FOR_REGISTERS(RESTORE) "addi sp, sp, " FRAME "\n\t"
                                                                     "mret"
            :
            : "i"(on_timer));
}
