/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System bus access of a RISC-V debug module: memory while the hart runs. */
#ifndef RIG_SYSBUS_H
#define RIG_SYSBUS_H

#include <stdbool.h>
#include <stdint.h>

#include "bus.h"

struct sysbus {
    const struct bus *bus;
    struct bus_stats *stats;
    bool present; /* false: its registers read 0 */
    uint32_t control;
    uint32_t addr;
    uint32_t data;
};

/* Registers sbcs, sbaddress0 and sbdata0 of the debug module, by their addresses there. */
bool sysbus_owns(unsigned reg);
uint32_t sysbus_read(struct sysbus *sysbus, unsigned reg);
void sysbus_write(struct sysbus *sysbus, unsigned reg, uint32_t value);

#endif
