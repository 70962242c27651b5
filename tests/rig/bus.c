/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a debug port reaches memory and peripherals by, and a count of what it did there. */
#include "bus.h"

int bus_read(const struct bus *bus, struct bus_stats *stats, uint32_t addr, unsigned size,
             uint32_t *value)
{
    int result = bus->read(bus->context, addr, size, value);

    stats->reads++;
    stats->faults += result != 0;
    return result;
}

int bus_write(const struct bus *bus, struct bus_stats *stats, uint32_t addr, unsigned size,
              uint32_t value)
{
    int result = bus->write(bus->context, addr, size, value);

    stats->writes++;
    stats->faults += result != 0;
    return result;
}
