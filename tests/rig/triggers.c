/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trigger registers of a RISC-V hart: breakpoints by address. */
#include "triggers.h"

/* RISC-V Debug Specification 0.13, chapter 5. */
#define TSELECT 0x7a0U
#define TDATA1  0x7a1U
#define TDATA2  0x7a2U
#define TINFO   0x7a4U
#define LAST    0x7a5U

#define TYPE_MATCH   (2U << 28)
#define DMODE        (1U << 27)
#define ACTION_DEBUG (1U << 12)
#define MACHINE_MODE (1U << 6)
#define USER_MODE    (1U << 3)
#define EXECUTE      (1U << 2)
#define WRITABLE     (DMODE | ACTION_DEBUG | MACHINE_MODE | USER_MODE | EXECUTE)
#define INFO_MATCH   (1U << 2)

static void tell(const struct triggers *triggers, struct breakpoints *points)
{
    uint32_t list[TRIGGERS];
    int count = 0;

    for (int i = 0; i < TRIGGERS; i++)
        if ((triggers->control[i] & EXECUTE) && (triggers->control[i] & ACTION_DEBUG))
            list[count++] = triggers->address[i];
    breakpoints_set_unit(points, list, count);
}

void triggers_init(struct triggers *triggers, struct breakpoints *points)
{
    *triggers = (struct triggers){0};
    for (int i = 0; i < TRIGGERS; i++)
        triggers->control[i] = TYPE_MATCH;
    tell(triggers, points);
}

bool triggers_own(unsigned csr)
{
    return csr >= TSELECT && csr <= LAST;
}

uint32_t triggers_read(const struct triggers *triggers, unsigned csr)
{
    switch (csr) {
    case TSELECT:
        return triggers->select;
    case TDATA1:
        return triggers->control[triggers->select];
    case TDATA2:
        return triggers->address[triggers->select];
    case TINFO:
        return INFO_MATCH;
    default:
        return 0;
    }
}

/* What can't be had reads back as it was left out: loads, stores, masks, chains. */
void triggers_write(struct triggers *triggers, unsigned csr, uint32_t value,
                    struct breakpoints *points)
{
    if (csr == TSELECT && value < TRIGGERS)
        triggers->select = value;
    else if (csr == TDATA1)
        triggers->control[triggers->select] = TYPE_MATCH | (value & WRITABLE);
    else if (csr == TDATA2)
        triggers->address[triggers->select] = value;
    tell(triggers, points);
}
