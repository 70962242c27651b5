/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the debug port's bus reaches: the debug registers of a Cortex-M3, and memory behind them. */
#ifndef RIG_CORTEXM_H
#define RIG_CORTEXM_H

#include <stdint.h>

#include "bus.h"
#include "core.h"
#include "fpb.h"
#include "pcsample.h"
#include "registers.h"

struct cortexm {
    struct core *core;
    struct registers registers;
    struct fpb fpb;
    uint32_t control; /* the bits of DHCSR that the debugger writes */
    uint32_t dfsr;
    uint32_t dcrdr;
    uint32_t demcr;
    struct pcsample pcsample; /* for DWT_PCSR; host 0: there is none */
};

/* Makes core one of this kind. */
void cortexm_init(struct cortexm *cortexm, struct core *core);

/* What to give to dap_init(); it points to cortexm. */
struct bus cortexm_bus(struct cortexm *cortexm);

/* Takes over what the core did by itself. To be called after core_poll(). 0, or -1: QEMU is gone.
 */
int cortexm_update(struct cortexm *cortexm);

/* Resets the chip, whoever asks for it; the core runs, or stands under a vector catch. 0 or -1. */
int cortexm_reset(struct cortexm *cortexm);

#endif
