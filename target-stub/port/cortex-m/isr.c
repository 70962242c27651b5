/* SPDX-License-Identifier: 0BSD */
/* The sample of a timer that is not ours; see mprof/isr.h. */
#include <mprof/isr.h>

#include "frame.h"

#define SYSTICK 15U /* its exception number */

/* Kept for the entries in assembly, which link-time optimisation does not see. */
MPROF_ENTRY void mprof_isr_sample(const uint32_t *frame, uint32_t exc_return)
{
#if MPROF_TIME_SYSTICK
    if (mprof_port_exception() == SYSTICK)
        mprof_systick_add();
#endif
    mprof_sample_frame(frame, exc_return, 0);
}
