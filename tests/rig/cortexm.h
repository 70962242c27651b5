/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the debug port's bus reaches: the debug registers of a Cortex-M3, and memory behind them. */
#ifndef RIG_CORTEXM_H
#define RIG_CORTEXM_H

#include <stdint.h>

#include "core.h"
#include "dap.h"
#include "memory.h"

struct cortexm {
    struct core *core;
    struct memory *memory;
    uint32_t control; /* the bits of DHCSR that the debugger writes */
    uint32_t dfsr;
    uint32_t dcrdr;
    uint32_t demcr;
};

void cortexm_init(struct cortexm *cortexm, struct core *core, struct memory *memory);

/* What to give to dap_init(); it points to cortexm. */
struct dap_bus cortexm_bus(struct cortexm *cortexm);

/* Takes over what the core did by itself. To be called after core_poll(). 0, or -1: QEMU is gone.
 */
int cortexm_update(struct cortexm *cortexm);

#endif
