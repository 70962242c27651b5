/* SPDX-License-Identifier: 0BSD */
/* What host and firmware ask of the stub at run time. */
#include <mprof/mprof.h>

#include "gate.h"
#include "table.h"

#define FIRMWARE_SHIFT 24

/* The byte of enable that the firmware writes, and nobody else. */
static volatile uint8_t *firmware_byte(void)
{
    volatile uint8_t *bytes = (volatile uint8_t *)&MPROF_PROF->header.enable;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return bytes;
#else
    return bytes + FIRMWARE_SHIFT / 8;
#endif
}

static void switch_on(uint32_t bit)
{
    *firmware_byte() |= (uint8_t)(bit >> FIRMWARE_SHIFT);
}

static void switch_off(uint32_t bit)
{
    *firmware_byte() &= (uint8_t) ~(bit >> FIRMWARE_SHIFT);
}

static int is_alive(void)
{
    return ((volatile struct mprof_header *)&MPROF_PROF->header)->magic == MPROF_MAGIC;
}

void mprof_start(void)
{
    if (is_alive())
        switch_on(MPROF_ENABLE_STARTED);
}

void mprof_stop(void)
{
    if (is_alive())
        switch_off(MPROF_ENABLE_STARTED);
}

static void compare_phase(volatile struct mprof_header *header)
{
    if (header->phase_only == 0 || header->phase_only == header->phase)
        switch_on(MPROF_ENABLE_IN_PHASE);
    else
        switch_off(MPROF_ENABLE_IN_PHASE);
}

void mprof_phase(uint32_t phase)
{
    if (!is_alive())
        return;
    MPROF_PROF->header.phase = phase;
    compare_phase(&MPROF_PROF->header);
}

void mprof_sleep_enter(void)
{
    if (is_alive())
        switch_off(MPROF_ENABLE_AWAKE);
}

void mprof_sleep_exit(uint32_t missed)
{
    if (!is_alive())
        return;
    for (; missed != 0; missed--) {
        mprof_port_count(MPROF_PROF, header.heartbeat);
        mprof_port_count(MPROF_PROF, header.sleeping);
    }
    switch_on(MPROF_ENABLE_AWAKE);
}

static void look_at_requests(struct mprof_prof *prof)
{
    volatile struct mprof_header *header = &prof->header;
    uint32_t request = header->reset_request;

    compare_phase(header);
    if (request != header->reset_done && mprof_reset(prof))
        header->reset_done = request;
    header->nonce_echo = header->nonce;
}

MPROF_CODE uint32_t mprof_gate(struct mprof_prof *prof, uint32_t feeder)
{
    volatile struct mprof_header *header = &prof->header;

    if (header->magic != MPROF_MAGIC)
        return 0;
    if (!(header->enable & MPROF_ENABLE_CALM))
        look_at_requests(prof);
    uint32_t enable = header->enable;

    if (!(enable & feeder) || !(enable & MPROF_ENABLE_STARTED))
        return 0;
    if ((enable & MPROF_ENABLE_AWAKE) && (enable & MPROF_ENABLE_IN_PHASE))
        return enable;
    mprof_port_count(prof, header.heartbeat);
    if (enable & MPROF_ENABLE_AWAKE)
        mprof_port_count(prof, header.ignored);
    else
        mprof_port_count(prof, header.sleeping);
    return 0;
}
