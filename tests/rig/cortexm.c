/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the debug port's bus reaches: the debug registers of a Cortex-M3, and memory behind them. */
#include "cortexm.h"

#include <stdbool.h>
#include <stddef.h>

/* ARMv7-M manual, C1.6 and B3.2. */
#define AIRCR 0xe000ed0cU
#define DFSR  0xe000ed30U
#define PCSR  0xe000101cU
#define DHCSR 0xe000edf0U
#define DCRSR 0xe000edf4U
#define DCRDR 0xe000edf8U
#define DEMCR 0xe000edfcU

#define AIRCR_KEY       0x05faU
#define AIRCR_RESETS    5U /* SYSRESETREQ and VECTRESET */
#define DFSR_HALTED     1U
#define DFSR_BKPT       2U
#define DFSR_VCATCH     8U
#define DHCSR_KEY       0xa05fU
#define C_DEBUGEN       1U
#define C_HALT          2U
#define C_STEP          4U
#define C_MASKINTS      8U
#define C_WRITABLE      0x2fU
#define S_REGRDY        (1U << 16)
#define S_HALT          (1U << 17)
#define S_RETIRE_ST     (1U << 24)
#define S_RESET_ST      (1U << 25)
#define DCRSR_WRITE     (1U << 16)
#define DEMCR_CORERESET 1U
#define DEMCR_WRITABLE  0x010f07f1U
#define DEMCR_TRCENA    (1U << 24)
#define PCSR_NONE       0xffffffffU

#define ROM_BASE  0xe00ff000U
#define PAGE_MASK 0xfffU

#define PC          15U
#define BKPT_MASK   0xff00U
#define BKPT_OPCODE 0xbe00U
#define BKPT_LEN    2U

static void forget(void *context)
{
    struct cortexm *cortexm = context;
    registers_forget(&cortexm->registers);
}

static int read_pc(void *context, uint32_t *pc)
{
    struct cortexm *cortexm = context;
    return registers_read(&cortexm->registers, PC, pc);
}

static int prepare_step(void *context, bool *done)
{
    struct cortexm *cortexm = context;
    return registers_prepare_step(&cortexm->registers, done);
}

/* Debuggers write it alone; in a longer write these bytes may be data. */
static bool makes_breakpoint(void *context, uint32_t addr, unsigned size, uint32_t value,
                             struct breakpoint_code *code)
{
    (void)context;
    *code = (struct breakpoint_code){.addr = addr, .len = BKPT_LEN};
    return size == BKPT_LEN && (value & BKPT_MASK) == BKPT_OPCODE;
}

static const struct core_kind kind = {
    .forget = forget,
    .read_pc = read_pc,
    .prepare_step = prepare_step,
    .makes_breakpoint = makes_breakpoint,
};

void cortexm_init(struct cortexm *cortexm, struct core *core)
{
    *cortexm = (struct cortexm){
        .core = core,
        .registers = {.stub = core->stub, .memory = core->memory},
    };
    core->kind = &kind;
    core->context = cortexm;
}

int cortexm_update(struct cortexm *cortexm)
{
    struct core *core = cortexm->core;

    if (core->just_stopped) {
        core->just_stopped = false;
        cortexm->control |= C_HALT;
        cortexm->dfsr |= core->cause == CORE_BREAKPOINT ? DFSR_BKPT : DFSR_HALTED;
    }
    /* The firmware reset itself under a vector catch: late by some instructions here. */
    if (core->was_reset && !core->halted && (cortexm->control & C_DEBUGEN) &&
        (cortexm->demcr & DEMCR_CORERESET)) {
        cortexm->dfsr |= DFSR_VCATCH;
        return core_halt(core);
    }
    return 0;
}

static int read_dhcsr(struct cortexm *cortexm, uint32_t *value)
{
    struct core *core = cortexm->core;

    if (core_poll(core) != 0 || cortexm_update(cortexm) != 0)
        return -1;
    *value = cortexm->control | S_REGRDY;
    if (core->halted)
        *value |= S_HALT;
    if (core->has_run || !core->halted)
        *value |= S_RETIRE_ST;
    if (core->was_reset)
        *value |= S_RESET_ST;
    core->has_run = false;
    core->was_reset = false;
    return 0;
}

static int write_dhcsr(struct cortexm *cortexm, uint32_t value)
{
    struct core *core = cortexm->core;
    uint32_t control = value & C_DEBUGEN ? value & C_WRITABLE : 0;
    bool hit;

    if (value >> 16 != DHCSR_KEY)
        return 0;
    cortexm->control = control;
    if (control & C_HALT)
        return core_halt(core) != 0 ? -1 : cortexm_update(cortexm);
    if (!core->halted)
        return 0;
    if (!(control & C_STEP))
        return core_resume(core);
    if (core_step(core, control & C_MASKINTS, &hit) != 0)
        return -1;
    /* A step ends as a halt, whatever the core was stopped by before. */
    core->just_stopped = false;
    cortexm->control |= C_HALT;
    cortexm->dfsr |= hit ? DFSR_BKPT : DFSR_HALTED;
    return 0;
}

/* A core that runs answers with what it had at its last halt. */
static int write_dcrsr(struct cortexm *cortexm, uint32_t value)
{
    struct registers *registers = &cortexm->registers;
    unsigned selector = value & 0x7fU;

    if (!cortexm->core->halted)
        return 0;
    if (value & DCRSR_WRITE)
        return registers_write(registers, selector, cortexm->dcrdr);
    return registers_read(registers, selector, &cortexm->dcrdr);
}

int cortexm_reset(struct cortexm *cortexm)
{
    bool catch_it = (cortexm->control & C_DEBUGEN) && (cortexm->demcr & DEMCR_CORERESET);

    if (core_reset(cortexm->core, catch_it) != 0)
        return -1;
    cortexm->core->just_stopped = false;
    cortexm->control &= C_DEBUGEN;
    if (catch_it) {
        cortexm->control |= C_HALT;
        cortexm->dfsr |= DFSR_VCATCH;
    }
    return 0;
}

static int write_aircr(struct cortexm *cortexm, uint32_t value)
{
    if (value >> 16 != AIRCR_KEY || !(value & AIRCR_RESETS))
        return memory_write(cortexm->core->memory, AIRCR, 4, value);
    return cortexm_reset(cortexm);
}

/* C1.8.5: nothing without TRCENA, no address while the core is halted. */
static int read_pcsr(struct cortexm *cortexm, uint32_t *value)
{
    *value = 0;
    if (cortexm->pcsample.host == 0 || !(cortexm->demcr & DEMCR_TRCENA))
        return 0;
    *value = PCSR_NONE;
    return cortexm->core->halted ? 0 : pcsample_read(&cortexm->pcsample, value);
}

/* The table of components, and of each the identification that says what kind it is: ADIv5.2, D3.
 */
static bool rom_table(uint32_t addr, uint32_t *value)
{
    static const uint32_t entries[] = {0xfff0f003U, 0xfff02003U, 0xfff03003U};
    static const uint32_t identity[] = {0x0d, 0x10, 0x05, 0xb1};
    uint32_t offset = addr - ROM_BASE;

    if (offset > PAGE_MASK)
        return false;
    *value = offset == 0xfcc ? 1U : 0U; /* system memory can be reached too */
    if (offset / 4 < sizeof entries / sizeof *entries)
        *value = entries[offset / 4];
    else if (offset >= 0xff0)
        *value = identity[(offset - 0xff0) / 4];
    return true;
}

static int read_bus(void *context, uint32_t addr, unsigned size, uint32_t *value)
{
    struct cortexm *cortexm = context;

    if (addr - FPB_BASE <= PAGE_MASK && addr - FPB_BASE < 0xfd0U) {
        *value = fpb_read(&cortexm->fpb, addr - FPB_BASE);
        return 0;
    }
    if (rom_table(addr, value))
        return 0;
    switch (addr) {
    case DHCSR:
        return read_dhcsr(cortexm, value);
    case DFSR:
        *value = cortexm->dfsr;
        return 0;
    case DCRDR:
        *value = cortexm->dcrdr;
        return 0;
    case DEMCR:
        *value = cortexm->demcr;
        return 0;
    case PCSR:
        return read_pcsr(cortexm, value);
    default:
        return memory_read(cortexm->core->memory, addr, size, value);
    }
}

static int write_bus(void *context, uint32_t addr, unsigned size, uint32_t value)
{
    struct cortexm *cortexm = context;

    if (addr - FPB_BASE <= PAGE_MASK) {
        fpb_write(&cortexm->fpb, addr - FPB_BASE, value, &cortexm->core->breakpoints);
        return core_breakpoints_changed(cortexm->core);
    }
    switch (addr) {
    case DHCSR:
        return write_dhcsr(cortexm, value);
    case DCRSR:
        return write_dcrsr(cortexm, value);
    case AIRCR:
        return write_aircr(cortexm, value);
    case DFSR:
        cortexm->dfsr &= ~value;
        return 0;
    case DCRDR:
        cortexm->dcrdr = value;
        return 0;
    case DEMCR:
        cortexm->demcr = value & DEMCR_WRITABLE;
        return 0;
    default:
        return core_write(cortexm->core, addr, size, value);
    }
}

struct bus cortexm_bus(struct cortexm *cortexm)
{
    return (struct bus){.read = read_bus, .write = write_bus, .context = cortexm};
}
