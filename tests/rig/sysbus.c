/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System bus access of a RISC-V debug module: memory while the hart runs. */
#include "sysbus.h"

/* RISC-V Debug Specification 0.13, section 3.12. */
#define SBCS       0x38U
#define SBADDRESS0 0x39U
#define SBDATA0    0x3cU
#define SBDATA3    0x3fU

#define VERSION         (1U << 29)
#define BUSY_ERROR      (1U << 22)
#define READ_ON_ADDRESS (1U << 20)
#define ACCESS          (7U << 17)
#define ACCESS_SHIFT    17U
#define AUTO_INCREMENT  (1U << 16)
#define READ_ON_DATA    (1U << 15)
#define ERROR           (7U << 12)
#define ERROR_ADDRESS   (2U << 12)
#define ERROR_ALIGNMENT (3U << 12)
#define ERROR_SIZE      (4U << 12)
#define CAPABLE         (VERSION | 32U << 5 | 7U) /* addresses of 32 bits; 8, 16, 32 at once */
#define WRITABLE        (READ_ON_ADDRESS | ACCESS | AUTO_INCREMENT | READ_ON_DATA)
#define CLEARABLE       (BUSY_ERROR | ERROR)

bool sysbus_owns(unsigned reg)
{
    return reg >= SBCS && reg <= SBDATA3;
}

/* 0: what was asked for can't be, and sberror says why. */
static unsigned usable_size(struct sysbus *sysbus)
{
    unsigned access = (sysbus->control & ACCESS) >> ACCESS_SHIFT;
    unsigned size = 1U << access;

    if (sysbus->control & ERROR)
        return 0;
    if (access > 2)
        sysbus->control |= ERROR_SIZE;
    else if (sysbus->addr & (size - 1U))
        sysbus->control |= ERROR_ALIGNMENT;
    return sysbus->control & ERROR ? 0 : size;
}

static void finish(struct sysbus *sysbus, unsigned size, int result)
{
    if (result != 0)
        sysbus->control |= ERROR_ADDRESS;
    else if (sysbus->control & AUTO_INCREMENT)
        sysbus->addr += size;
}

static void load_data(struct sysbus *sysbus)
{
    unsigned size = usable_size(sysbus);

    if (size > 0)
        finish(sysbus, size,
               bus_read(sysbus->bus, sysbus->stats, sysbus->addr, size, &sysbus->data));
}

static void store(struct sysbus *sysbus)
{
    unsigned size = usable_size(sysbus);
    uint32_t mask = size == 4 ? UINT32_MAX : (1U << 8U * size) - 1U;

    if (size > 0)
        finish(sysbus, size,
               bus_write(sysbus->bus, sysbus->stats, sysbus->addr, size, sysbus->data & mask));
}

uint32_t sysbus_read(struct sysbus *sysbus, unsigned reg)
{
    uint32_t value = sysbus->data;

    if (!sysbus->present)
        return 0;
    if (reg == SBCS)
        return CAPABLE | sysbus->control;
    if (reg == SBADDRESS0)
        return sysbus->addr;
    if (reg != SBDATA0)
        return 0;
    if (sysbus->control & READ_ON_DATA)
        load_data(sysbus);
    return value;
}

void sysbus_write(struct sysbus *sysbus, unsigned reg, uint32_t value)
{
    if (!sysbus->present)
        return;
    if (reg == SBCS) {
        uint32_t kept = sysbus->control & CLEARABLE & ~value;
        sysbus->control = (value & WRITABLE) | kept;
    } else if (reg == SBADDRESS0) {
        sysbus->addr = value;
        if (sysbus->control & READ_ON_ADDRESS)
            load_data(sysbus);
    } else if (reg == SBDATA0) {
        sysbus->data = value;
        store(sysbus);
    }
}
