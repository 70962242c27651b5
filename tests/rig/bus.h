/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a debug port reaches memory and peripherals by, and a count of what it did there. */
#ifndef RIG_BUS_H
#define RIG_BUS_H

#include <stdint.h>

/* size is 1, 2 or 4 bytes and addr is a multiple of it; *value has the bytes in its low bits. 0, or
 * -1 for a bus fault, after which *value means nothing. */
struct bus {
    int (*read)(void *context, uint32_t addr, unsigned size, uint32_t *value);
    int (*write)(void *context, uint32_t addr, unsigned size, uint32_t value);
    void *context;
};

struct bus_stats {
    uint64_t reads; /* of any size */
    uint64_t writes;
    uint64_t faults; /* those that the bus refused */
};

/* Access that is counted; as in struct bus. */
int bus_read(const struct bus *bus, struct bus_stats *stats, uint32_t addr, unsigned size,
             uint32_t *value);
int bus_write(const struct bus *bus, struct bus_stats *stats, uint32_t addr, unsigned size,
              uint32_t value);

#endif
