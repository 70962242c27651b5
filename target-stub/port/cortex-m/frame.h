/* SPDX-License-Identifier: 0BSD */
/* Takes a sample from what the core stacked when it entered an interrupt. */
#ifndef MPROF_FRAME_H
#define MPROF_FRAME_H

#include "stream.h"

/* Words of an exception frame, with or without floating point registers after them. */
enum { FRAME_LR = 5, FRAME_PC = 6, FRAME_XPSR = 7 };

/* A sample of the TrustZone side that we are not on. */
void mprof_count_other_side(void);

/* Bits 0 and 6 of EXC_RETURN tell the security state of the handler and that of what it
 * interrupted; without TrustZone they are equal, as they are in secure firmware that knows nothing
 * of it. The frame of the other side is not ours to read. */
MPROF_INLINE void mprof_sample_frame(const uint32_t *frame, uint32_t exc_return, uint32_t flags)
{
#if __ARM_ARCH >= 8
    if ((exc_return ^ exc_return >> 6) & 1) {
        mprof_count_other_side();
        return;
    }
#else
    (void)exc_return;
#endif
    uint32_t exception = (frame[FRAME_XPSR] & MPROF_STREAM_EXCEPTION) | flags;

#if MPROF_STREAM_ONLY && !MPROF_IGNORE_CNT && !defined(MPROF_CUSTOM_SINK)
    if (flags == 0 && mprof_is_open(MPROF_PROF)) { /* as short as it gets */
        mprof_stream_write(MPROF_PROF, frame[FRAME_PC], frame[FRAME_LR], exception);
        return;
    }
#endif
#if !MPROF_STREAM_CNT && !defined(MPROF_CUSTOM_SINK)
    if (flags == 0) { /* lr and exception are not read then */
        uintptr_t lr;

        __asm__("" : "=r"(lr), "=r"(exception));
        mprof_sample_in_time(frame[FRAME_PC], lr, exception);
        return;
    }
#endif
    if (flags == 0)
        mprof_sample_in_time(frame[FRAME_PC], frame[FRAME_LR], exception);
    else
        mprof_sample_from_isr(frame[FRAME_PC], frame[FRAME_LR], exception);
}

/* Bit 2 of EXC_RETURN tells the stack of the interrupted code. Leaves the frame in r0, EXC_RETURN
 * in r1. */
#ifdef __thumb2__
#if __ARM_ARCH >= 8
#define MPROF_EXC_RETURN "mov r1, lr\n\t"
#else
#define MPROF_EXC_RETURN
#endif
#define MPROF_FIND_FRAME \
    "tst lr, #4\n\t"     \
    "ite eq\n\t"         \
    "mrseq r0, msp\n\t"  \
    "mrsne r0, psp\n\t" MPROF_EXC_RETURN
#else
#define MPROF_FIND_FRAME   \
    ".syntax unified\n\t"  \
    "mov r1, lr\n\t"       \
    "mrs r0, msp\n\t"      \
    "lsls r2, r1, #29\n\t" \
    "bpl 1f\n\t"           \
    "mrs r0, psp\n"        \
    "1:\n\t"
#endif

#endif
