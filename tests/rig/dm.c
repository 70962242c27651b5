/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug module of a RISC-V chip with one hart: run control and abstract commands. */
#include "dm.h"

#include "abstract.h"

/* RISC-V Debug Specification 0.13, section 3.12. */
enum dm_register {
    DATA0 = 0x04,
    DMCONTROL = 0x10,
    DMSTATUS = 0x11,
    ABSTRACTCS = 0x16,
    COMMAND = 0x17,
    HALTSUM0 = 0x40,
};

#define HALT_REQUEST      (1U << 31)
#define RESUME_REQUEST    (1U << 30)
#define ACK_HAVE_RESET    (1U << 28)
#define SET_HALT_ON_RESET (1U << 3)
#define CLR_HALT_ON_RESET (1U << 2)
#define NDM_RESET         2U
#define DM_ACTIVE         1U

#define STATUS_BASE       (2U | 1U << 5 | 1U << 7) /* version 0.13, can halt on reset, no password */
#define STATUS_HALTED     (3U << 8)
#define STATUS_RUNNING    (3U << 10)
#define STATUS_RESUME_ACK (3U << 16)
#define STATUS_HAVE_RESET (3U << 18)

#define ERROR_SHIFT 8U
#define ERROR_MASK  7U

/* dcsr: section 4.8.1. */
#define DCSR_STEP  (1U << 2)
#define DCSR_IRQS  (1U << 11)
#define CAUSE(why) ((uint32_t)(why) << 6)
enum cause { CAUSE_EBREAK = 1, CAUSE_TRIGGER, CAUSE_HALT, CAUSE_STEP, CAUSE_RESET };

#define EBREAK     0x00100073U
#define EBREAK_LOW 0x0073U
#define EBREAK_TOP 0x0010U
#define C_EBREAK   0x9002U

static void forget(void *context)
{
    struct dm *dm = context;
    hart_forget(&dm->hart);
}

static int read_pc(void *context, uint32_t *pc)
{
    struct dm *dm = context;
    return hart_read_pc(&dm->hart, pc);
}

static int prepare_step(void *context, bool *done)
{
    struct dm *dm = context;
    return hart_prepare_step(&dm->hart, done);
}

/* EBREAK at an address that is no multiple of 4 comes as two halves, the lower one first. */
static bool makes_breakpoint(void *context, uint32_t addr, unsigned size, uint32_t value,
                             struct breakpoint_code *code)
{
    struct dm *dm = context;
    struct memory *memory = dm->core->memory;
    uint32_t below;

    *code = (struct breakpoint_code){.addr = addr, .len = size};
    if ((size == 2 && value == C_EBREAK) || (size == 4 && value == EBREAK))
        return true;
    *code = (struct breakpoint_code){.addr = addr - 2U, .len = 4};
    return size == 2 && value == EBREAK_TOP && memory_is_ram(memory, addr - 2U, 4) &&
           memory_read(memory, addr - 2U, 2, &below) == 0 && below == EBREAK_LOW;
}

static const struct core_kind kind = {
    .forget = forget,
    .read_pc = read_pc,
    .prepare_step = prepare_step,
    .makes_breakpoint = makes_breakpoint,
};

static int read_memory(void *context, uint32_t addr, unsigned size, uint32_t *value)
{
    struct dm *dm = context;
    return memory_read(dm->core->memory, addr, size, value);
}

static int write_memory(void *context, uint32_t addr, unsigned size, uint32_t value)
{
    struct dm *dm = context;
    return core_write(dm->core, addr, size, value);
}

int dm_init(struct dm *dm, struct core *core, bool system_bus)
{
    *dm = (struct dm){.core = core};
    dm->bus = (struct bus){.read = read_memory, .write = write_memory, .context = dm};
    dm->sysbus = (struct sysbus){.bus = &dm->bus, .stats = &dm->stats, .present = system_bus};
    triggers_init(&dm->triggers, &core->breakpoints);
    core->kind = &kind;
    core->context = dm;
    return hart_open(&dm->hart, core->stub, core->memory);
}

/* dmactive is cleared: all but the counts starts anew, and the hart runs or stands as it did. */
static void deactivate(struct dm *dm)
{
    dm->active = dm->resume_ack = dm->halt_on_reset = false;
    dm->error = 0;
    dm->sysbus =
        (struct sysbus){.bus = &dm->bus, .stats = &dm->stats, .present = dm->sysbus.present};
}

static void set_cause(struct dm *dm, enum cause cause)
{
    dm->core->just_stopped = false;
    dm->dcsr = (dm->dcsr & ~DCSR_CAUSE) | CAUSE(cause);
}

static int note_stop(struct dm *dm)
{
    uint32_t pc;

    if (dm->core->cause == CORE_HALT) {
        set_cause(dm, CAUSE_HALT);
        return 0;
    }
    if (hart_read_pc(&dm->hart, &pc) != 0)
        return -1;
    bool trigger = breakpoints_in_unit(&dm->core->breakpoints, pc);
    set_cause(dm, trigger ? CAUSE_TRIGGER : CAUSE_EBREAK);
    return 0;
}

int dm_update(struct dm *dm)
{
    struct core *core = dm->core;

    if (core->just_stopped && note_stop(dm) != 0)
        return -1;
    if (!core->was_reset)
        return 0;
    core->was_reset = false;
    dm->have_reset = true;
    /* The firmware reset itself: late by some instructions here. */
    if (!dm->halt_on_reset || core->halted)
        return 0;
    if (core_halt(core) != 0)
        return -1;
    set_cause(dm, CAUSE_RESET);
    return 0;
}

static int reset(struct dm *dm, bool halt)
{
    dm->dcsr = 0;
    triggers_init(&dm->triggers, &dm->core->breakpoints);
    if (core_reset(dm->core, halt) != 0)
        return -1;
    set_cause(dm, CAUSE_RESET);
    return dm_update(dm);
}

int dm_reset(struct dm *dm)
{
    return reset(dm, dm->halt_on_reset);
}

static uint32_t read_status(struct dm *dm)
{
    struct core *core = dm->core;

    if (core_poll(core) != 0 || dm_update(dm) != 0)
        return 0;
    return STATUS_BASE | (core->halted ? STATUS_HALTED : STATUS_RUNNING) |
           (dm->resume_ack ? STATUS_RESUME_ACK : 0U) | (dm->have_reset ? STATUS_HAVE_RESET : 0U);
}

static int step_core(struct dm *dm)
{
    bool hit;

    if (core_step(dm->core, !(dm->dcsr & DCSR_IRQS), &hit) != 0)
        return -1;
    set_cause(dm, hit ? CAUSE_EBREAK : CAUSE_STEP);
    return 0;
}

static void resume(struct dm *dm)
{
    int result = dm->dcsr & DCSR_STEP ? step_core(dm) : core_resume(dm->core);
    dm->resume_ack = result == 0;
}

static void write_control(struct dm *dm, uint32_t value)
{
    struct core *core = dm->core;
    bool in_reset = value & NDM_RESET;

    if (!(value & DM_ACTIVE)) {
        deactivate(dm);
        return;
    }
    dm->active = true;
    if (value & ACK_HAVE_RESET)
        dm->have_reset = false;
    if (value & SET_HALT_ON_RESET)
        dm->halt_on_reset = true;
    else if (value & CLR_HALT_ON_RESET)
        dm->halt_on_reset = false;
    /* The chip is reset when the signal ends; what it does until then nobody is to see. */
    if (dm->in_reset && !in_reset)
        reset(dm, (value & HALT_REQUEST) || dm->halt_on_reset);
    else if (!in_reset && (value & HALT_REQUEST) && core_halt(core) == 0)
        dm_update(dm);
    else if (!in_reset && (value & RESUME_REQUEST) && core->halted)
        resume(dm);
    dm->in_reset = in_reset;
}

/* Registers that are not there read 0; QEMU's end shows in the fault. */
static uint32_t dmi_read(void *context, unsigned reg)
{
    struct dm *dm = context;

    if (reg == DMCONTROL)
        return (dm->active ? DM_ACTIVE : 0U) | (dm->in_reset ? NDM_RESET : 0U);
    if (!dm->active)
        return 0;
    if (sysbus_owns(reg))
        return sysbus_read(&dm->sysbus, reg);
    if (reg - DATA0 < DM_DATA)
        return dm->data[reg - DATA0];
    switch (reg) {
    case DMSTATUS:
        return read_status(dm);
    case ABSTRACTCS:
        return dm->error << ERROR_SHIFT | DM_DATA;
    case HALTSUM0:
        return dm->core->halted;
    default:
        return 0;
    }
}

static void dmi_write(void *context, unsigned reg, uint32_t value)
{
    struct dm *dm = context;

    if (reg == DMCONTROL)
        write_control(dm, value);
    else if (!dm->active)
        return;
    else if (sysbus_owns(reg))
        sysbus_write(&dm->sysbus, reg, value);
    else if (reg - DATA0 < DM_DATA)
        dm->data[reg - DATA0] = value;
    else if (reg == ABSTRACTCS)
        dm->error &= ~(value >> ERROR_SHIFT & ERROR_MASK);
    else if (reg == COMMAND)
        abstract_run(dm, value);
    core_breakpoints_changed(dm->core);
}

struct dmi dm_interface(struct dm *dm)
{
    return (struct dmi){.read = dmi_read, .write = dmi_write, .context = dm};
}
