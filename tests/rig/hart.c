/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registers of a RISC-V hart that stands, by the numbers that abstract commands give them. */
#include "hart.h"

#define PC      HART_GPR_COUNT
#define MSTATUS 0x300U
#define MIE     0x304U
#define WFI     0x10500073U

/* The software interrupt, and the word of QEMU's virt that makes it pending. */
#define MIE_SOFTWARE 8U
#define MSIP         0x02000000U

int hart_open(struct hart *hart, struct gdbstub *stub, struct memory *memory)
{
    unsigned number;

    *hart = (struct hart){.stub = stub, .memory = memory};
    if (gdbstub_number(stub, "riscv-csr.xml", "mstatus", &number) != 0)
        return -1;
    hart->csr_base = number - MSTATUS;
    return 0;
}

void hart_forget(struct hart *hart)
{
    hart->known = false;
}

static int fetch(struct hart *hart)
{
    if (hart->known)
        return 0;
    hart->known = true;
    return gdbstub_read_registers(hart->stub, hart->values, HART_GPR_COUNT + 1);
}

static int read_plain(struct hart *hart, unsigned index, uint32_t *value)
{
    if (fetch(hart) != 0)
        return -1;
    *value = hart->values[index];
    return 0;
}

static int write_plain(struct hart *hart, unsigned index, uint32_t value)
{
    hart->known = false;
    return gdbstub_write_register(hart->stub, index, value);
}

int hart_read(struct hart *hart, unsigned number, uint32_t *value)
{
    if (number < HART_CSR_COUNT)
        return gdbstub_read_register(hart->stub, hart->csr_base + number, value);
    return number - HART_GPR < HART_GPR_COUNT ? read_plain(hart, number - HART_GPR, value) : 1;
}

/* QEMU says OK to a write to what it does not have. */
int hart_write(struct hart *hart, unsigned number, uint32_t value)
{
    uint32_t ignored;
    int result = hart_read(hart, number, &ignored);

    if (result != 0)
        return result;
    if (number < HART_CSR_COUNT)
        return gdbstub_write_register(hart->stub, hart->csr_base + number, value);
    return write_plain(hart, number - HART_GPR, value);
}

int hart_read_pc(struct hart *hart, uint32_t *pc)
{
    return read_plain(hart, PC, pc);
}

int hart_write_pc(struct hart *hart, uint32_t pc)
{
    return write_plain(hart, PC, pc);
}

static bool is_wfi(const struct hart *hart, uint32_t addr)
{
    uint32_t low;
    uint32_t high;

    return memory_is_ram(hart->memory, addr, 4) && memory_read(hart->memory, addr, 2, &low) == 0 &&
           memory_read(hart->memory, addr + 2, 2, &high) == 0 && (high << 16 | low) == WFI;
}

/* An interrupt that is pending for a moment wakes the hart. Steps are masked here, so it is not
 * taken. */
static int step_awake(struct hart *hart)
{
    uint32_t enabled;

    if (hart_read(hart, MIE, &enabled) != 0 || hart_write(hart, MIE, enabled | MIE_SOFTWARE) != 0 ||
        memory_write(hart->memory, MSIP, 4, 1) != 0)
        return -1;
    int result = gdbstub_step(hart->stub, true);
    if (memory_write(hart->memory, MSIP, 4, 0) != 0)
        return -1;
    return result == 0 ? hart_write(hart, MIE, enabled) : -1;
}

int hart_prepare_step(struct hart *hart, bool *done)
{
    uint32_t pc;

    *done = false;
    if (fetch(hart) != 0)
        return -1;
    pc = hart->values[PC];
    if (is_wfi(hart, pc)) {
        *done = true;
        return write_plain(hart, PC, pc + 4U);
    }
    if (!is_wfi(hart, pc - 4U))
        return 0;
    *done = true;
    return step_awake(hart);
}
