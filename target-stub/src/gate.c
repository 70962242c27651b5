/* SPDX-License-Identifier: 0BSD */
/* What an event does when not everything is on: the host may have asked for something. */
#include "gate.h"

#include "clear.h"

MPROF_CODE static void look_at_requests(struct mprof_prof *prof)
{
    volatile struct mprof_header *header = &prof->header;
    uint32_t request = header->reset_request;

    mprof_switch(prof, 0, 0);
    if (request != header->reset_done && mprof_reset(prof))
        header->reset_done = request;
#if MPROF_FOCUS_CNT
    if (header->focus_request != prof->focus_lead.done)
        mprof_focus_move(prof);
#endif
    header->nonce_echo = header->nonce;
}

MPROF_CODE uint32_t mprof_gate(struct mprof_prof *prof, uint32_t source)
{
    volatile struct mprof_header *header = &prof->header;

    if (header->magic != MPROF_MAGIC || !mprof_is_ours(prof) || (header->flags & MPROF_CLEARING))
        return 0;
    if (!(header->enable & MPROF_ENABLE_CALM))
        look_at_requests(prof);
    uint32_t enable = header->enable;

    if (!(enable & source) || !(enable & MPROF_ENABLE_STARTED))
        return 0;
    if ((enable & MPROF_ENABLE_AWAKE) && (enable & MPROF_ENABLE_IN_PHASE))
        return enable;
    mprof_port_add(prof, header.heartbeat, 1);
    if (enable & MPROF_ENABLE_AWAKE)
        mprof_port_add(prof, header.ignored, 1);
    else
        mprof_port_add(prof, header.sleeping, 1);
    return 0;
}

/* An event may come between load and store, and have found another phase asked for. */
MPROF_CODE void mprof_switch(struct mprof_prof *prof, uint32_t on, uint32_t off)
{
    volatile struct mprof_header *header = &prof->header;
    volatile uint8_t *byte = (volatile uint8_t *)&header->enable;
    uint32_t only;
    uint32_t phase;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    byte += 3;
#endif
    do {
        only = header->phase_only;
        phase = header->phase;
        uint32_t in_phase = only == 0 || only == phase ? MPROF_ENABLE_IN_PHASE : 0;

        mprof_port_switch(&header->enable, byte, on | in_phase,
                          off | (MPROF_ENABLE_IN_PHASE - in_phase));
        on = off = 0; /* an interrupt may have asked for the opposite since */
    } while (header->phase_only != only || header->phase != phase);
}
