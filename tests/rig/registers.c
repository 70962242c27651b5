/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registers of a Cortex-M that stands, by the numbers that DCRSR selects them with. */
#include "registers.h"

#include <string.h>

enum selector { SELECT_PC = 15, SELECT_XPSR, SELECT_MSP, SELECT_PSP, SELECT_MASKS = 20 };

#define XPSR_NUMBER  25U
#define SCRATCH      0x01003fe0U
#define SCRATCH_MAX  6
#define XPSR_IT_BITS 0x0600fc00U
#define WFI          0xbf30U
#define NOP_W        0x8000f3afU /* a no-operation of 4 bytes */
#define STEP_TRIES   4
#define STAY         0xe7fee7feU /* "b ." twice */
#define ICSR         0xe000ed04U
#define ICSR_SET     (1U << 28) /* PendSV */
#define ICSR_CLEAR   (1U << 27)

/* SYSm of the MRS and MSR instructions: ARMv7-M manual, B5.1.1. */
static const uint32_t sysm[SPECIAL_COUNT] = {
    [SPECIAL_MSP] = 8,      [SPECIAL_PSP] = 9,        [SPECIAL_PRIMASK] = 16,
    [SPECIAL_BASEPRI] = 17, [SPECIAL_FAULTMASK] = 19, [SPECIAL_CONTROL] = 20,
};

void registers_forget(struct registers *registers)
{
    registers->plain_known = false;
    registers->special_known = false;
}

static int fetch_plain(struct registers *registers)
{
    if (registers->plain_known)
        return 0;
    registers->plain_known = true;
    return gdbstub_read_registers(registers->stub, registers->plain, REGISTERS_PLAIN);
}

/* xPSR has number 25 in QEMU's M-profile registers, but follows pc in the answer to 'g'. */
static int write_register(struct registers *registers, unsigned index, uint32_t value)
{
    return gdbstub_write_register(registers->stub, index == SELECT_XPSR ? XPSR_NUMBER : index,
                                  value);
}

static bool is_wfi(const struct registers *registers, uint32_t addr)
{
    uint32_t opcode = 0;
    return memory_read(registers->memory, addr, 2, &opcode) == 0 && opcode == WFI;
}

static bool may_sleep(const struct registers *registers)
{
    return is_wfi(registers, registers->plain[SELECT_PC] - 2U);
}

/* QEMU's sleeping core executes nothing, not even a step, until an interrupt is pending. As steps
 * are masked here, one that is pending for a moment only wakes it. */
static int first_step(struct registers *registers)
{
    struct memory *memory = registers->memory;
    uint32_t icsr = ICSR_SET;

    bool kick = may_sleep(registers) && memory_read(memory, ICSR, 4, &icsr) == 0 &&
                !(icsr & ICSR_SET) && memory_write(memory, ICSR, 4, ICSR_SET) == 0;
    int result = gdbstub_step(registers->stub, true);
    if (kick)
        memory_write(memory, ICSR, 4, ICSR_CLEAR);
    return result;
}

/* Executes the code from SCRATCH up to end. QEMU's first step after a stop now and then executes
 * nothing, and under -icount two instructions in one step (1 halt in 10,000), so the core is asked
 * how far it came, and does not come beyond the end. */
static int step_until(struct registers *registers, uint32_t end, uint32_t after[REGISTERS_PLAIN])
{
    uint32_t pc = SCRATCH;

    if (first_step(registers) != 0)
        return -1;
    for (int tries = 0; tries < STEP_TRIES && pc < end; tries++) {
        for (uint32_t at = pc + (tries == 0 ? 4U : 0U); at < end; at += 4)
            if (gdbstub_step(registers->stub, true) != 0)
                return -1;
        if (gdbstub_read_registers(registers->stub, after, REGISTERS_PLAIN) != 0)
            return -1;
        pc = after[SELECT_PC];
    }
    return pc == end ? 0 : fault_set(registers->stub->fault, "QEMU does not step as it should");
}

/* Lets the core execute count instructions elsewhere, of 4 bytes each, and gives what is in its low
 * registers then. Its place and flags, and these registers, are put back. */
static int execute(struct registers *registers, const uint32_t *code, unsigned count,
                   uint32_t result[SCRATCH_MAX])
{
    uint32_t after[REGISTERS_PLAIN];
    const uint32_t *before = registers->plain;

    for (unsigned i = 0; i < count; i++)
        if (memory_write(registers->memory, SCRATCH + 4U * i, 4, code[i]) != 0)
            return -1;
    if (memory_write(registers->memory, SCRATCH + 4U * count, 4, STAY) != 0 ||
        write_register(registers, SELECT_PC, SCRATCH) != 0 ||
        write_register(registers, SELECT_XPSR, before[SELECT_XPSR] & ~XPSR_IT_BITS) != 0 ||
        step_until(registers, SCRATCH + 4U * count, after) != 0)
        return -1;
    for (unsigned i = 0; i < SCRATCH_MAX; i++) {
        result[i] = after[i];
        if (write_register(registers, i, before[i]) != 0)
            return -1;
    }
    if (write_register(registers, SELECT_PC, before[SELECT_PC]) != 0)
        return -1;
    return write_register(registers, SELECT_XPSR, before[SELECT_XPSR]);
}

static int fetch_special(struct registers *registers)
{
    uint32_t code[SPECIAL_COUNT];

    if (registers->special_known)
        return 0;
    if (fetch_plain(registers) != 0)
        return -1;
    for (uint32_t i = 0; i < SPECIAL_COUNT; i++)
        code[i] = 0x8000f3efU | sysm[i] << 16 | i << 24;
    registers->special_known = true;
    return execute(registers, code, SPECIAL_COUNT, registers->special);
}

/* From count specials on, their values move to the core through r0 and up. */
static int store_special(struct registers *registers, unsigned first, unsigned count,
                         const uint32_t *values)
{
    uint32_t code[SPECIAL_COUNT];
    uint32_t ignored[SCRATCH_MAX];

    if (fetch_plain(registers) != 0)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        code[i] = 0x8800f380U | sysm[first + i] << 16 | i;
        if (write_register(registers, i, values[i]) != 0)
            return -1;
    }
    int result = execute(registers, code, count, ignored);
    registers_forget(registers);
    return result;
}

int registers_prepare_step(struct registers *registers, bool *done)
{
    static const uint32_t code[] = {NOP_W};
    uint32_t ignored[SCRATCH_MAX];

    *done = false;
    if (fetch_plain(registers) != 0)
        return -1;
    if (is_wfi(registers, registers->plain[SELECT_PC])) {
        *done = true;
        return write_register(registers, SELECT_PC, registers->plain[SELECT_PC] + 2U);
    }
    return may_sleep(registers) ? execute(registers, code, 1, ignored) : 0;
}

int registers_read(struct registers *registers, unsigned selector, uint32_t *value)
{
    const uint32_t *special = registers->special;

    *value = 0;
    if (selector <= SELECT_XPSR) {
        if (fetch_plain(registers) != 0)
            return -1;
        *value = registers->plain[selector];
    } else if (selector <= SELECT_MASKS) {
        if (fetch_special(registers) != 0)
            return -1;
        if (selector == SELECT_MSP || selector == SELECT_PSP)
            *value = special[selector - SELECT_MSP + SPECIAL_MSP];
        else if (selector == SELECT_MASKS)
            *value = special[SPECIAL_CONTROL] << 24 | special[SPECIAL_FAULTMASK] << 16 |
                     special[SPECIAL_BASEPRI] << 8 | special[SPECIAL_PRIMASK];
    }
    return 0;
}

int registers_write(struct registers *registers, unsigned selector, uint32_t value)
{
    if (selector <= SELECT_XPSR) {
        registers_forget(registers);
        return write_register(registers, selector, value);
    }
    if (selector == SELECT_MSP || selector == SELECT_PSP)
        return store_special(registers, SPECIAL_MSP + selector - SELECT_MSP, 1, &value);
    if (selector == SELECT_MASKS) {
        const uint32_t masks[] = {value & 0xffU, value >> 8 & 0xffU, value >> 16 & 0xffU,
                                  value >> 24};
        return store_special(registers, SPECIAL_PRIMASK, 4, masks);
    }
    return 0;
}
