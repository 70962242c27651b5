/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One target: a board in QEMU, its core, and the debug port in front of them. */
#include "chip.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

void chip_init(struct chip *chip, struct fault *fault)
{
    memset(chip, 0, sizeof *chip);
    chip->fault = fault;
    qemu_init(&chip->qemu);
}

static const struct board *find_board(const char *core, const struct elf *elf, const char *path,
                                      struct fault *fault)
{
    const struct board *board = core ? board_by_core(core) : board_by_machine(elf->machine);

    if (!board && core)
        fault_set(fault, "--core: '%s' is none of %s", core, board_cores);
    else if (!board || board->elf_machine != elf->machine)
        fault_set(fault, "%s is for another core than %s", path, core ? core : board_cores);
    return fault->text[0] ? NULL : board;
}

static int check_places(const struct chip *chip, const struct elf *elf, const char *path,
                        struct fault *fault)
{
    for (unsigned i = 0; i < elf->segments; i++) {
        struct elf_segment segment = elf_segment(elf, i);
        if (!memory_is_ram(&chip->qemu.memory, segment.addr, segment.len))
            return fault_set(fault, "%s: there is no memory at 0x%" PRIx32, path, segment.addr);
    }
    return 0;
}

/* The machine must stand. */
static int write_segments(struct chip *chip, const struct elf *elf)
{
    for (unsigned i = 0; i < elf->segments; i++) {
        struct elf_segment segment = elf_segment(elf, i);
        if (memory_write_block(&chip->qemu.memory, segment.addr, segment.bytes, segment.len) != 0)
            return -1;
        breakpoints_forget_code(&chip->core.breakpoints, segment.addr, segment.len);
    }
    return 0;
}

static void name_it(struct chip *chip, unsigned index, const struct options *options)
{
    if (options->targets > 1)
        snprintf(chip->name, sizeof chip->name, "%s.cpu%u", chip->board->chip, index);
    else
        snprintf(chip->name, sizeof chip->name, "%s.cpu", chip->board->chip);
}

static int start_qemu(struct chip *chip, unsigned index, const struct options *options,
                      const char *folder)
{
    char name[32];

    snprintf(name, sizeof name, index == 0 ? "%s" : "%s-%u", chip->board->qemu, index);
    return qemu_start(&chip->qemu, chip->board, name, options, folder, chip->fault);
}

static int connect_arm(struct chip *chip, const struct options *options)
{
    struct bus bus;

    cortexm_init(&chip->arm.cortexm, &chip->core);
    bus = cortexm_bus(&chip->arm.cortexm);
    dap_init(&chip->arm.dap, &bus);
    if (!options->pcsr)
        return 0;
    return pcsample_open(&chip->arm.cortexm.pcsample, chip->qemu.child.pid, &chip->qemu.gdbstub,
                         chip->fault);
}

static int update_arm(struct chip *chip)
{
    return cortexm_update(&chip->arm.cortexm);
}

static int reset_arm(struct chip *chip)
{
    return cortexm_reset(&chip->arm.cortexm);
}

/* The open end takes away the request for debug power. A port that kept its state would let OpenOCD
 * 0.12, which knows what it wrote last, write to wherever it read before. */
static void unplugged_arm(struct chip *chip)
{
    dap_power_down(&chip->arm.dap);
}

static struct jtag_device device_arm(struct chip *chip)
{
    return dap_device(&chip->arm.dap);
}

static const struct bus_stats *stats_arm(const struct chip *chip)
{
    return &chip->arm.dap.stats;
}

static int connect_riscv(struct chip *chip, const struct options *options)
{
    struct dmi dmi;

    int result = dm_init(&chip->riscv.dm, &chip->core, !options->no_system_bus);
    dmi = dm_interface(&chip->riscv.dm);
    dtm_init(&chip->riscv.dtm, &dmi);
    return result;
}

static int update_riscv(struct chip *chip)
{
    return dm_update(&chip->riscv.dm);
}

static int reset_riscv(struct chip *chip)
{
    return dm_reset(&chip->riscv.dm);
}

/* OpenOCD 0.12 does not set up a debug module anew, so this one has to keep its state. */
static void unplugged_riscv(struct chip *chip)
{
    (void)chip;
}

static struct jtag_device device_riscv(struct chip *chip)
{
    return dtm_device(&chip->riscv.dtm);
}

static const struct bus_stats *stats_riscv(const struct chip *chip)
{
    return &chip->riscv.dm.stats;
}

/* The debug port and what is behind it, by the kind of board. */
static const struct wiring {
    int (*connect)(struct chip *chip, const struct options *options);
    int (*update)(struct chip *chip);
    int (*reset)(struct chip *chip);
    void (*unplugged)(struct chip *chip);
    struct jtag_device (*device)(struct chip *chip);
    const struct bus_stats *(*stats)(const struct chip *chip);
} wirings[] = {
    [BOARD_CORTEX_M] = {.connect = connect_arm,
                        .update = update_arm,
                        .reset = reset_arm,
                        .unplugged = unplugged_arm,
                        .device = device_arm,
                        .stats = stats_arm},
    [BOARD_RISCV] = {.connect = connect_riscv,
                     .update = update_riscv,
                     .reset = reset_riscv,
                     .unplugged = unplugged_riscv,
                     .device = device_riscv,
                     .stats = stats_riscv},
};

static const struct wiring *wiring_of(const struct chip *chip)
{
    return &wirings[chip->board->kind];
}

static int connect_parts(struct chip *chip, const struct options *options)
{
    struct qemu *qemu = &chip->qemu;

    core_init(&chip->core, &qemu->gdbstub, &qemu->memory, &qemu->monitor, chip->fault);
    return wiring_of(chip)->connect(chip, options);
}

/* The reset lets the core find the vectors that were written. */
static int start_firmware(struct chip *chip, const struct elf *elf, const char *path,
                          const struct options *options)
{
    if (check_places(chip, elf, path, chip->fault) != 0 || write_segments(chip, elf) != 0 ||
        monitor_reset(&chip->qemu.monitor, chip->fault) != 0 || connect_parts(chip, options) != 0)
        return -1;
    return core_resume(&chip->core);
}

int chip_open(struct chip *chip, unsigned index, const struct options *options, const char *folder)
{
    const char *path = options->elf[index];
    struct elf elf;

    int result = elf_read(&elf, path, chip->fault);
    if (result != 0)
        goto out;
    chip->plain = options->qemu_gdb;
    chip->board = find_board(options->core, &elf, path, chip->fault);
    result = -1;
    if (!chip->board)
        goto out;
    name_it(chip, index, options);
    result = start_qemu(chip, index, options, folder);
    if (result == 0 && !chip->plain)
        result = start_firmware(chip, &elf, path, options);
out:
    elf_free(&elf);
    return result;
}

void chip_close(struct chip *chip)
{
    qemu_end(&chip->qemu);
}

struct jtag_device chip_device(struct chip *chip)
{
    return wiring_of(chip)->device(chip);
}

void chip_unplugged(struct chip *chip)
{
    wiring_of(chip)->unplugged(chip);
}

int chip_update(struct chip *chip)
{
    if (!chip->plain)
        return core_poll(&chip->core) != 0 ? -1 : wiring_of(chip)->update(chip);
    if (monitor_poll(&chip->qemu.monitor) != 0)
        return fault_set(chip->fault, "QEMU's monitor has closed its connection");
    return 0;
}

int chip_sync(struct chip *chip)
{
    if (chip->plain && monitor_sync(&chip->qemu.monitor, chip->fault) != 0)
        return -1;
    return chip_update(chip);
}

int chip_reset(struct chip *chip)
{
    if (chip->plain)
        return monitor_reset(&chip->qemu.monitor, chip->fault);
    return wiring_of(chip)->reset(chip);
}

static int load_segments(struct chip *chip, const struct elf *elf)
{
    if (core_pause(&chip->core) != 0 || write_segments(chip, elf) != 0)
        return -1;
    return chip_reset(chip);
}

int chip_load(struct chip *chip, const char *path, struct fault *why)
{
    struct elf elf = {0};
    int result = 1;

    if (chip->plain)
        fault_set(why, "plain QEMU takes its firmware at its start only");
    else if (elf_read(&elf, path, why) == 0 && find_board(chip->board->core, &elf, path, why) &&
             check_places(chip, &elf, path, why) == 0)
        result = load_segments(chip, &elf);
    elf_free(&elf);
    return result;
}

/* Plain QEMU is watched through its events; its clock is the real-time one. */
static struct core_stats plain_stats(const struct monitor *monitor)
{
    struct timespec now;
    struct core_stats stats = {.halts = monitor->stops, .resets = monitor->resets};
    uint64_t stopped_us = monitor->stopped_us;

    clock_gettime(CLOCK_REALTIME, &now);
    if (!monitor->running)
        stopped_us +=
            (uint64_t)now.tv_sec * 1000000U + (uint64_t)now.tv_nsec / 1000U - monitor->stop_us;
    stats.halted_ns = stopped_us * 1000U;
    return stats;
}

struct chip_stats chip_stats_now(const struct chip *chip)
{
    const struct monitor *monitor = &chip->qemu.monitor;
    struct chip_stats stats = {.machine_stops = monitor->stops};

    if (chip->plain) {
        stats.core = plain_stats(monitor);
        stats.running = monitor->running;
    } else {
        stats.core = core_stats_now(&chip->core);
        stats.bus = *wiring_of(chip)->stats(chip);
        stats.running = !chip->core.halted;
    }
    return stats;
}
