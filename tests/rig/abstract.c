/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Abstract commands of a RISC-V debug module: a halted hart's registers and memory. */
#include "abstract.h"

/* RISC-V Debug Specification 0.13, sections 3.6 and 3.12.6. */
enum command_type { ACCESS_REGISTER = 0, ACCESS_MEMORY = 2 };
enum command_error {
    ERROR_NOT_SUPPORTED = 2,
    ERROR_EXCEPTION = 3,
    ERROR_STATE = 4,
    ERROR_BUS = 5,
};

#define SIZE_SHIFT     20U
#define SIZE_MASK      7U
#define SIZE_WORD      2U
#define POST_INCREMENT (1U << 19)
#define POST_EXECUTE   (1U << 18)
#define TRANSFER       (1U << 17)
#define WRITE          (1U << 16)
#define NUMBER         0xffffU

/* Section 4.8. */
#define DCSR          0x7b0U
#define DPC           0x7b1U
#define DSCRATCH0     0x7b2U
#define DSCRATCH1     0x7b3U
#define DCSR_VERSION  (4U << 28)
#define DCSR_MACHINE  3U
#define DCSR_WRITABLE 0x9e04U /* ebreakm, s, u; stepie, stopcount, stoptime; step */

static int read_register(struct dm *dm, unsigned number, uint32_t *value)
{
    switch (number) {
    case DCSR:
        *value = DCSR_VERSION | dm->dcsr | DCSR_MACHINE;
        return 0;
    case DPC:
        return hart_read_pc(&dm->hart, value);
    case DSCRATCH0:
    case DSCRATCH1:
        *value = dm->dscratch[number - DSCRATCH0];
        return 0;
    default:
        break;
    }
    if (!triggers_own(number))
        return hart_read(&dm->hart, number, value);
    *value = triggers_read(&dm->triggers, number);
    return 0;
}

static int write_register(struct dm *dm, unsigned number, uint32_t value)
{
    switch (number) {
    case DCSR:
        dm->dcsr = (dm->dcsr & DCSR_CAUSE) | (value & DCSR_WRITABLE);
        return 0;
    case DPC:
        return hart_write_pc(&dm->hart, value);
    case DSCRATCH0:
    case DSCRATCH1:
        dm->dscratch[number - DSCRATCH0] = value;
        return 0;
    default:
        break;
    }
    if (!triggers_own(number))
        return hart_write(&dm->hart, number, value);
    triggers_write(&dm->triggers, number, value, &dm->core->breakpoints);
    return 0;
}

static unsigned access_register(struct dm *dm, uint32_t command)
{
    unsigned number = command & NUMBER;

    if ((command >> SIZE_SHIFT & SIZE_MASK) != SIZE_WORD ||
        (command & (POST_INCREMENT | POST_EXECUTE)))
        return ERROR_NOT_SUPPORTED;
    if (!(command & TRANSFER))
        return 0;
    int result = command & WRITE ? write_register(dm, number, dm->data[0])
                                 : read_register(dm, number, &dm->data[0]);
    return result == 0 ? 0 : ERROR_EXCEPTION;
}

static unsigned access_memory(struct dm *dm, uint32_t command)
{
    unsigned size = 1U << (command >> SIZE_SHIFT & SIZE_MASK);
    uint32_t addr = dm->data[1];
    int result;

    if (size > 4)
        return ERROR_NOT_SUPPORTED;
    if (addr & (size - 1U))
        return ERROR_EXCEPTION;
    if (command & WRITE) {
        uint32_t mask = size == 4 ? UINT32_MAX : (1U << 8U * size) - 1U;
        result = bus_write(&dm->bus, &dm->stats, addr, size, dm->data[0] & mask);
    } else {
        result = bus_read(&dm->bus, &dm->stats, addr, size, &dm->data[0]);
    }
    if (result == 0 && (command & POST_INCREMENT))
        dm->data[1] += size;
    return result == 0 ? 0 : ERROR_BUS;
}

void abstract_run(struct dm *dm, uint32_t command)
{
    unsigned type = command >> 24;

    if (dm->error != 0)
        return;
    if (type != ACCESS_REGISTER && type != ACCESS_MEMORY)
        dm->error = ERROR_NOT_SUPPORTED;
    else if (!dm->core->halted)
        dm->error = ERROR_STATE;
    else
        dm->error =
            type == ACCESS_REGISTER ? access_register(dm, command) : access_memory(dm, command);
}
