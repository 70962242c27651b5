/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JTAG debug transport module of a RISC-V chip. */
#include "dtm.h"

/* RISC-V Debug Specification 0.13, section 6.1. */
enum ir { IR_IDCODE = 0x01, IR_DTMCS = 0x10, IR_DMI = 0x11 };
enum op { OP_READ = 1, OP_WRITE = 2 };

#define DMI_BITS  7U /* of an address */
#define DTMCS     (1U | DMI_BITS << 4)
#define OP_BITS   2U
#define DATA_BITS 32U

void dtm_init(struct dtm *dtm, const struct dmi *dmi)
{
    *dtm = (struct dtm){.dmi = *dmi};
}

static uint64_t capture(void *context, unsigned ir, unsigned *bits)
{
    const struct dtm *dtm = context;

    *bits = 32;
    switch (ir) {
    case IR_IDCODE:
        return DTM_IDCODE;
    case IR_DTMCS:
        return DTMCS;
    case IR_DMI: /* the low bits say that the access went well: it is never slow, and never fails */
        *bits = DMI_BITS + DATA_BITS + OP_BITS;
        return dtm->result;
    default: /* BYPASS, and all that is not known */
        *bits = 1;
        return 0;
    }
}

static void update(void *context, unsigned ir, uint64_t value)
{
    struct dtm *dtm = context;
    unsigned op = (unsigned)value & 3U;
    unsigned reg = (unsigned)(value >> (DATA_BITS + OP_BITS));
    uint32_t data = (uint32_t)(value >> OP_BITS);

    if (ir != IR_DMI)
        return;
    if (op == OP_READ)
        data = dtm->dmi.read(dtm->dmi.context, reg);
    else if (op == OP_WRITE)
        dtm->dmi.write(dtm->dmi.context, reg, data);
    dtm->result = (uint64_t)reg << (DATA_BITS + OP_BITS) | (uint64_t)data << OP_BITS;
}

struct jtag_device dtm_device(struct dtm *dtm)
{
    return (struct jtag_device){.capture = capture,
                                .update = update,
                                .context = dtm,
                                .ir_bits = DTM_IR_BITS,
                                .reset_ir = IR_IDCODE};
}
