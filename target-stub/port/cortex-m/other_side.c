/* SPDX-License-Identifier: 0BSD */
/* Samples that a stub on one side of TrustZone takes of the other. */
#include "frame.h"
#include "table.h"

MPROF_CODE void mprof_count_other_side(void)
{
    struct mprof_prof *prof = MPROF_PROF;

    if (!mprof_is_open(prof) && mprof_gate(prof, MPROF_ENABLE_TIMER) == 0)
        return;
    mprof_port_add(prof, header.heartbeat, 1);
    mprof_port_add(prof, header.other_side, 1);
}
