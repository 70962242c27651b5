/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A real OpenOCD as a child, on the rig's JTAG port. */
#include "openocd.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dap.h"
#include "dtm.h"

#define HALT_MS 300000

static void add_command(struct child_args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_command(struct child_args *args, const char *format, ...)
{
    char text[300];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    child_args_add(args, "-c");
    child_args_add(args, "%s", text);
}

static void add_adapter(struct child_args *args, const char *jtag)
{
    add_command(args, "adapter driver remote_bitbang; remote_bitbang port 0");
    add_command(args, "remote_bitbang host {%s}", jtag);
    add_command(args, "adapter speed 10000; reset_config none");
}

static void add_tap(struct child_args *args, const struct openocd_target *target)
{
    const char *chip = target->board->chip;
    bool riscv = target->board->kind == BOARD_RISCV;

    add_command(args, "jtag newtap %s %s -irlen %u -expected-id 0x%x", chip,
                target->name + strlen(chip) + 1, riscv ? DTM_IR_BITS : DAP_IR_BITS,
                riscv ? DTM_IDCODE : DAP_IDCODE);
}

/* port: 0 where the general one is its own, or it has none. */
static void add_target(struct child_args *args, const struct openocd_target *target, unsigned port)
{
    const char *name = target->name;

    if (target->board->kind == BOARD_RISCV) {
        add_command(args, "target create %s riscv -chain-position %s", name, name);
    } else {
        add_command(args, "dap create %s.dap -chain-position %s", name, name);
        add_command(args, "target create %s cortex_m -dap %s.dap", name, name);
    }
    if (port != 0)
        add_command(args, "%s configure -gdb-port %u", name, port);
}

/* OpenOCD's own limits are for hardware, which never waits for its turn on a busy host: a halt at a
 * reset has 1 s, RISC-V's debug module 2 s for a command. */
static void lengthen_limits(struct child_args *args, bool riscv)
{
    add_command(args, "catch {proc ocd_process_reset_inner [info args ocd_process_reset_inner] "
                      "[string map {{halted 1000} {halted 300000}} "
                      "[info body ocd_process_reset_inner]]}");
    if (riscv)
        add_command(args, "riscv set_command_timeout_sec 300; riscv set_reset_timeout_sec 300");
}

/* All taps first: the chain is complete before anything uses it. */
static void add_targets(struct child_args *args, const struct openocd *openocd,
                        const struct options *options, const struct openocd_target *targets)
{
    char names[200] = "";

    for (unsigned i = 0; i < options->targets; i++)
        add_tap(args, &targets[i]);
    for (unsigned i = 0; i < options->targets; i++) {
        size_t len = strlen(names);
        snprintf(names + len, sizeof names - len, " %s", targets[i].name);
        add_target(args, &targets[i], i == 0 ? 0 : openocd->gdb_ports[i].number);
    }
    lengthen_limits(args, targets[0].board->kind == BOARD_RISCV);
    if (options->smp)
        add_command(args, "target smp%s", names);
    add_command(args, "targets %s", targets[0].name);
}

/* OpenOCD's limits of one second for a halt are for boards, not for a rig that may get no time. */
static void add_limits(struct child_args *args, const struct openocd_target *targets,
                       unsigned count)
{
    add_command(args,
                "proc ocd_process_reset_inner {MODE} [string map {{halted 1000} {halted %d}}"
                " [info body ocd_process_reset_inner]]",
                HALT_MS);
    for (unsigned i = 0; i < count; i++)
        add_command(args, "%s configure -event gdb-attach {halt %d}", targets[i].name, HALT_MS);
}

static void add_ports(struct child_args *args, const struct openocd *openocd)
{
    add_command(args, "gdb_port %u", openocd->gdb_ports[0].number);
    if (openocd->tcl_port.number == 0)
        add_command(args, "tcl_port disabled");
    else
        add_command(args, "tcl_port %u", openocd->tcl_port.number);
    add_command(args, "telnet_port disabled");
}

/* Unless the number is one of the gdb ports: two may hold the same one. */
static void reserve(struct openocd *openocd, struct port *port, unsigned preferred)
{
    for (int i = 0; i < TARGETS_MAX; i++)
        if (openocd->gdb_ports[i].number == preferred)
            preferred = 0;
    port_reserve(port, preferred);
}

/* A group is served on the first one's port only. */
static void reserve_ports(struct openocd *openocd, const struct options *options)
{
    unsigned count = options->smp ? 1 : options->targets;

    if (openocd->gdb_ports[0].number != 0)
        return;
    for (unsigned i = 0; i < count; i++)
        reserve(openocd, &openocd->gdb_ports[i],
                options->gdb_port == 0 ? 0 : options->gdb_port + i);
    if (!options->no_tcl)
        reserve(openocd, &openocd->tcl_port, options->tcl_port);
}

int openocd_start(struct openocd *openocd, const struct options *options,
                  const struct openocd_target *targets, const char *folder, const char *jtag,
                  struct fault *fault)
{
    struct child_args args = {0};

    reserve_ports(openocd, options);
    child_args_add(&args, "openocd");
    add_adapter(&args, jtag);
    add_targets(&args, openocd, options, targets);
    add_limits(&args, targets, options->targets);
    add_ports(&args, openocd);
    for (int i = 0; i < options->openocd.count; i++)
        child_args_add(&args, "%s", options->openocd.list[i]);
    add_command(&args, "init");
    int result = child_start(&openocd->child, &args, "openocd", folder, NULL, 0, fault);
    child_args_free(&args);
    openocd->state = OPENOCD_STARTING;
    return result;
}

/* How many ports of a service ("gdb", "tcl") are open. */
static unsigned count_ports(const char *log, const char *service)
{
    char line[512];
    char found[16];
    unsigned port;
    unsigned count = 0;
    FILE *file = fopen(log, "r");

    if (!file)
        return 0;
    while (fgets(line, sizeof line, file)) {
        const char *at = strstr(line, "Listening on port ");
        if (at && sscanf(at, "Listening on port %u for %15s", &port, found) == 2)
            count += strcmp(found, service) == 0;
    }
    fclose(file);
    return count;
}

void openocd_look(struct openocd *openocd, const struct options *options)
{
    const char *log = openocd->child.log;
    unsigned servers = options->smp ? 1 : options->targets;

    if (openocd->state == OPENOCD_STARTING && count_ports(log, "gdb") >= servers &&
        (openocd->tcl_port.number == 0 || count_ports(log, "tcl") == 1))
        openocd->state = OPENOCD_READY;
}

void openocd_kill(struct openocd *openocd)
{
    child_kill(&openocd->child);
    openocd->state = OPENOCD_NONE;
}

void openocd_init(struct openocd *openocd)
{
    *openocd = (struct openocd){.state = OPENOCD_NONE};
    for (int i = 0; i < TARGETS_MAX; i++)
        port_init(&openocd->gdb_ports[i]);
    port_init(&openocd->tcl_port);
}

void openocd_end(struct openocd *openocd)
{
    child_end(&openocd->child);
    for (int i = 0; i < TARGETS_MAX; i++)
        port_release(&openocd->gdb_ports[i]);
    port_release(&openocd->tcl_port);
}
