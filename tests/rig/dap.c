/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arm's debug port over JTAG (JTAG-DP) with one memory access port (AHB-AP). */
#include "dap.h"

/* Registers of the debug port: ADIv5.2, chapters B2 and B3. */
enum ir { IR_ABORT = 0x8, IR_DPACC = 0xa, IR_APACC = 0xb, IR_IDCODE = 0xe };
enum dp_register { DP_CTRL_STAT = 0x4, DP_SELECT = 0x8 };

#define ACK_OK          2U
#define STICKY_OVERRUN  0x02U
#define STICKY_COMPARE  0x10U
#define STICKY_ERROR    0x20U
#define STICKY_BITS     (STICKY_OVERRUN | STICKY_COMPARE | STICKY_ERROR)
#define RESET_REQUEST   (1U << 26)
#define DEBUG_POWER_UP  (1U << 28)
#define SYSTEM_POWER_UP (1U << 30)
#define REQUESTS        (RESET_REQUEST | DEBUG_POWER_UP | SYSTEM_POWER_UP)

/* Registers of the access port: ADIv5.2, chapters C2 and D1. */
enum ap_register {
    AP_CSW = 0x00,
    AP_TAR = 0x04,
    AP_DRW = 0x0c,
    AP_BD0 = 0x10,
    AP_BD3 = 0x1c,
    AP_BASE = 0xf8,
    AP_IDR = 0xfc,
};

#define AHB_AP_IDR        0x24770011U
#define ROM_TABLE         0xe00ff003U
#define CSW_SIZE          0x07U
#define CSW_INCREMENT     0x30U
#define CSW_SINGLE        0x10U
#define CSW_DEVICE_ENABLE 0x40U
#define CSW_WRITABLE      0x7f000037U
/* The bits of the address that count on: 12 in the access port of a Cortex-M3. */
#define INCREMENT_MASK 0xfffU

void dap_init(struct dap *dap, const struct bus *bus)
{
    *dap = (struct dap){.bus = *bus, .csw = CSW_DEVICE_ENABLE | 2U};
}

void dap_power_down(struct dap *dap)
{
    struct bus_stats stats = dap->stats;
    struct bus bus = dap->bus;

    dap_init(dap, &bus);
    dap->stats = stats;
}

static unsigned access_size(const struct dap *dap)
{
    return 1U << (dap->csw & CSW_SIZE);
}

/* Data stand on the byte lanes of their address. */
static unsigned lane(uint32_t addr, unsigned size)
{
    return 8U * (addr & 3U & ~(size - 1U));
}

static uint32_t read_lanes(struct dap *dap, uint32_t addr, unsigned size)
{
    uint32_t value = 0;

    if (bus_read(&dap->bus, &dap->stats, addr & ~(size - 1U), size, &value) != 0) {
        dap->ctrl_stat |= STICKY_ERROR;
        return 0;
    }
    return value << lane(addr, size);
}

static void write_lanes(struct dap *dap, uint32_t addr, unsigned size, uint32_t value)
{
    value >>= lane(addr, size);
    if (size < 4)
        value &= (1U << 8U * size) - 1U;
    if (bus_write(&dap->bus, &dap->stats, addr & ~(size - 1U), size, value) != 0)
        dap->ctrl_stat |= STICKY_ERROR;
}

static void increment(struct dap *dap)
{
    if ((dap->csw & CSW_INCREMENT) == CSW_SINGLE)
        dap->tar = (dap->tar & ~INCREMENT_MASK) | ((dap->tar + access_size(dap)) & INCREMENT_MASK);
}

static uint32_t banked_address(const struct dap *dap, unsigned reg)
{
    return (dap->tar & ~0xfU) | (reg & 0xcU);
}

static uint32_t ap_read(struct dap *dap, unsigned reg)
{
    uint32_t value = 0;

    if (reg == AP_CSW) {
        value = dap->csw;
    } else if (reg == AP_TAR) {
        value = dap->tar;
    } else if (reg == AP_DRW) {
        value = read_lanes(dap, dap->tar, access_size(dap));
        increment(dap);
    } else if (reg >= AP_BD0 && reg <= AP_BD3) {
        value = read_lanes(dap, banked_address(dap, reg), 4);
    } else if (reg == AP_BASE) {
        value = ROM_TABLE;
    } else if (reg == AP_IDR) {
        value = AHB_AP_IDR;
    }
    return value;
}

/* Packed transfers and sizes over 32 bits are not there: what reads back says so. */
static uint32_t usable_csw(uint32_t value)
{
    value = (value & CSW_WRITABLE) | CSW_DEVICE_ENABLE;
    if ((value & CSW_SIZE) > 2U)
        value = (value & ~CSW_SIZE) | 2U;
    if ((value & CSW_INCREMENT) != CSW_SINGLE)
        value &= ~CSW_INCREMENT;
    return value;
}

static void ap_write(struct dap *dap, unsigned reg, uint32_t value)
{
    if (reg == AP_CSW) {
        dap->csw = usable_csw(value);
    } else if (reg == AP_TAR) {
        dap->tar = value;
    } else if (reg == AP_DRW) {
        write_lanes(dap, dap->tar, access_size(dap), value);
        increment(dap);
    } else if (reg >= AP_BD0 && reg <= AP_BD3) {
        write_lanes(dap, banked_address(dap, reg), 4, value);
    }
}

/* Each power-up request is acknowledged in the bit above it, at once. */
static uint32_t read_ctrl_stat(const struct dap *dap)
{
    return dap->ctrl_stat | (dap->ctrl_stat & REQUESTS) << 1;
}

static void write_ctrl_stat(struct dap *dap, uint32_t value)
{
    uint32_t sticky = dap->ctrl_stat & STICKY_BITS & ~value;
    dap->ctrl_stat = (value & (REQUESTS | 1U)) | sticky;
}

/* The fourth register is RDBUFF on a read: the result that is there anyway. */
static void dp_access(struct dap *dap, unsigned reg, bool read, uint32_t value)
{
    if (reg == DP_CTRL_STAT && read)
        dap->result = read_ctrl_stat(dap);
    else if (reg == DP_CTRL_STAT)
        write_ctrl_stat(dap, value);
    else if (reg == DP_SELECT && read)
        dap->result = dap->select;
    else if (reg == DP_SELECT)
        dap->select = value;
}

/* After an error that was not cleared all accesses are dropped; without power all are errors; other
 * ports than 0 are empty. */
static void ap_access(struct dap *dap, unsigned reg, bool read, uint32_t value)
{
    if (!(dap->ctrl_stat & DEBUG_POWER_UP))
        dap->ctrl_stat |= STICKY_ERROR;
    bool usable = !(dap->ctrl_stat & STICKY_BITS);
    bool present = dap->select >> 24 == 0;

    reg |= dap->select & 0xf0U;
    if (read)
        dap->result = usable && present ? ap_read(dap, reg) : 0;
    else if (usable && present)
        ap_write(dap, reg, value);
}

static uint64_t capture(void *context, unsigned ir, unsigned *bits)
{
    const struct dap *dap = context;

    switch (ir) {
    case IR_IDCODE:
        *bits = 32;
        return DAP_IDCODE;
    case IR_ABORT:
    case IR_DPACC:
    case IR_APACC:
        *bits = 35;
        return (uint64_t)dap->result << 3 | ACK_OK;
    default: /* BYPASS, and all that is not known */
        *bits = 1;
        return 0;
    }
}

static void update(void *context, unsigned ir, uint64_t value)
{
    struct dap *dap = context;
    unsigned reg = (unsigned)(value >> 1 & 3U) * 4U;
    bool read = value & 1U;
    uint32_t data = (uint32_t)(value >> 3);

    if (ir == IR_DPACC)
        dp_access(dap, reg, read, data);
    else if (ir == IR_APACC)
        ap_access(dap, reg, read, data);
}

struct jtag_device dap_device(struct dap *dap)
{
    return (struct jtag_device){.capture = capture,
                                .update = update,
                                .context = dap,
                                .ir_bits = DAP_IR_BITS,
                                .reset_ir = IR_IDCODE};
}
