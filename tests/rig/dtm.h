/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JTAG debug transport module of a RISC-V chip. */
#ifndef RIG_DTM_H
#define RIG_DTM_H

#include <stdint.h>

#include "jtag.h"

#define DTM_IDCODE  0x1e0f3001U
#define DTM_IR_BITS 5U

/* The debug module's registers, by their addresses. */
struct dmi {
    uint32_t (*read)(void *context, unsigned reg);
    void (*write)(void *context, unsigned reg, uint32_t value);
    void *context;
};

struct dtm {
    struct dmi dmi;
    uint64_t result; /* of the last access, captured by the next scan */
};

void dtm_init(struct dtm *dtm, const struct dmi *dmi);

/* What to give to jtag_add(); it points to dtm. */
struct jtag_device dtm_device(struct dtm *dtm);

#endif
