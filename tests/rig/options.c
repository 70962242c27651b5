/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of mprof-rig. */
#include "options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

const char options_help[] =
    "usage: mprof-rig --elf FILE [option]...\n"
    "Runs firmware in QEMU behind a simulated JTAG port and a real OpenOCD, and counts its halts.\n"
    "\n"
    "  --elf FILE          firmware for the core below; repeatable, one a target\n"
    "  --core NAME         cortex-m3 (QEMU's mps2-an385), rv32 (virt); without it the ELF file "
    "tells\n"
    "  --no-system-bus     RISC-V: memory is reached through the halted core only\n"
    "  --pcsr              Cortex-M: DWT_PCSR says where the core is; QEMU is slower then\n"
    "  --targets N         1 to 4 chips of that kind on one JTAG chain, under one OpenOCD\n"
    "  --smp               they are one group ('target smp') on one gdb port\n"
    "  --gdb-port N        preferred port; a free one when it is taken, and without the option\n"
    "  --tcl-port N        the same for OpenOCD's Tcl port; 'disabled' for none\n"
    "  --control PATH      unix socket that takes commands, one a line: see tests/rig/README.md\n"
    "  --probe SPEC        a slow one, LATENCY_US[:PACKET[:BYTES_PER_S]]: see tests/rig/README.md\n"
    "  --icount SHIFT      an instruction takes 2^SHIFT ns of QEMU's time\n"
    "  --qemu-arg ARG      one more argument for QEMU; repeatable\n"
    "  --openocd-arg ARG   one more argument for openocd, before 'init'; repeatable\n"
    "  --no-openocd        stop at the JTAG port: start your own OpenOCD on its socket\n"
    "  --qemu-gdb          plain QEMU with a gdb port of its own; no JTAG, no OpenOCD\n"
    "  --keep-logs FOLDER  write the logs of QEMU and OpenOCD there\n"
    "  --until-eof         end when stdin ends\n"
    "\n"
    "Prints one line of JSON when all answers, and serves until SIGINT, SIGTERM, SIGHUP or "
    "'quit'.\n";

enum option_id {
    OPT_ELF = 256,
    OPT_CORE,
    OPT_TARGETS,
    OPT_SMP,
    OPT_NO_SYSTEM_BUS,
    OPT_PCSR,
    OPT_GDB_PORT,
    OPT_TCL_PORT,
    OPT_CONTROL,
    OPT_PROBE,
    OPT_ICOUNT,
    OPT_QEMU_ARG,
    OPT_OPENOCD_ARG,
    OPT_NO_OPENOCD,
    OPT_QEMU_GDB,
    OPT_KEEP_LOGS,
    OPT_UNTIL_EOF,
    OPT_HELP,
};

static const struct option table[] = {
    {.name = "elf", .has_arg = required_argument, .val = OPT_ELF},
    {.name = "core", .has_arg = required_argument, .val = OPT_CORE},
    {.name = "targets", .has_arg = required_argument, .val = OPT_TARGETS},
    {.name = "smp", .val = OPT_SMP},
    {.name = "no-system-bus", .val = OPT_NO_SYSTEM_BUS},
    {.name = "pcsr", .val = OPT_PCSR},
    {.name = "gdb-port", .has_arg = required_argument, .val = OPT_GDB_PORT},
    {.name = "tcl-port", .has_arg = required_argument, .val = OPT_TCL_PORT},
    {.name = "control", .has_arg = required_argument, .val = OPT_CONTROL},
    {.name = "probe", .has_arg = required_argument, .val = OPT_PROBE},
    {.name = "icount", .has_arg = required_argument, .val = OPT_ICOUNT},
    {.name = "qemu-arg", .has_arg = required_argument, .val = OPT_QEMU_ARG},
    {.name = "openocd-arg", .has_arg = required_argument, .val = OPT_OPENOCD_ARG},
    {.name = "no-openocd", .val = OPT_NO_OPENOCD},
    {.name = "qemu-gdb", .val = OPT_QEMU_GDB},
    {.name = "keep-logs", .has_arg = required_argument, .val = OPT_KEEP_LOGS},
    {.name = "until-eof", .val = OPT_UNTIL_EOF},
    {.name = "help", .val = OPT_HELP},
    {.name = NULL},
};

static int parse_number(const char *name, const char *text, unsigned long max, unsigned *value,
                        struct fault *fault)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);

    if (end == text || *end != '\0' || text[0] == '-' || number > max)
        return fault_set(fault, "--%s: '%s' is no number up to %lu", name, text, max);
    *value = (unsigned)number;
    return 0;
}

static int add_elf(struct options *options, const char *text, struct fault *fault)
{
    if (options->elf_count == TARGETS_MAX)
        return fault_set(fault, "--elf: there are %d targets at most", TARGETS_MAX);
    options->elf[options->elf_count++] = text;
    return 0;
}

static int parse_valued(struct options *options, int id, char *text, struct fault *fault)
{
    unsigned shift;

    switch (id) {
    case OPT_ELF:
        return add_elf(options, text, fault);
    case OPT_TARGETS:
        return parse_number("targets", text, TARGETS_MAX, &options->targets, fault);
    case OPT_GDB_PORT:
        return parse_number("gdb-port", text, 65535, &options->gdb_port, fault);
    case OPT_TCL_PORT:
        options->no_tcl = strcmp(text, "disabled") == 0;
        return options->no_tcl ? 0
                               : parse_number("tcl-port", text, 65535, &options->tcl_port, fault);
    case OPT_PROBE:
        return probe_set(&options->probe, text) ? 0 : fault_set(fault, "--probe: " PROBE_FORM);
    case OPT_ICOUNT:
        if (parse_number("icount", text, 10, &shift, fault) != 0)
            return -1;
        options->icount = (int)shift;
        return 0;
    case OPT_QEMU_ARG:
        child_args_add(&options->qemu, "%s", text);
        return 0;
    case OPT_OPENOCD_ARG:
        child_args_add(&options->openocd, "%s", text);
        return 0;
    default:
        return fault_set(fault, "unknown option; --help lists them");
    }
}

static int parse_one(struct options *options, int id, char *text, struct fault *fault)
{
    switch (id) {
    case OPT_CORE:
        options->core = text;
        return 0;
    case OPT_SMP:
        options->smp = true;
        return 0;
    case OPT_NO_SYSTEM_BUS:
        options->no_system_bus = true;
        return 0;
    case OPT_PCSR:
        options->pcsr = true;
        return 0;
    case OPT_CONTROL:
        options->control = text;
        return 0;
    case OPT_KEEP_LOGS:
        options->keep_logs = text;
        return 0;
    case OPT_NO_OPENOCD:
        options->no_openocd = true;
        return 0;
    case OPT_QEMU_GDB:
        options->qemu_gdb = true;
        return 0;
    case OPT_UNTIL_EOF:
        options->until_eof = true;
        return 0;
    case OPT_HELP:
        options->help = true;
        return 0;
    default:
        return parse_valued(options, id, text, fault);
    }
}

static int check_needed(struct options *options, struct fault *fault)
{
    if (options->elf_count == 0)
        return fault_set(fault, "which firmware? --elf FILE");
    if (options->targets == 0 || options->elf_count > options->targets)
        return fault_set(fault, "--targets: there are %u --elf", options->elf_count);
    if (options->targets > 1 && options->qemu_gdb)
        return fault_set(fault, "--qemu-gdb is for one target");
    for (unsigned i = options->elf_count; i < options->targets; i++)
        options->elf[i] = options->elf[options->elf_count - 1];
    if (options->qemu.full || options->openocd.full)
        return fault_set(fault, "too many --qemu-arg or --openocd-arg");
    return 0;
}

int options_parse(struct options *options, int argc, char **argv, struct fault *fault)
{
    int id;

    *options = (struct options){.icount = -1, .targets = 1};
    opterr = 0;
    while ((id = getopt_long(argc, argv, "", table, NULL)) != -1)
        if (parse_one(options, id, optarg, fault) != 0)
            return -1;
    if (optind < argc)
        return fault_set(fault, "'%s' is no option; --help lists them", argv[optind]);
    return options->help ? 0 : check_needed(options, fault);
}

void options_free(struct options *options)
{
    child_args_free(&options->qemu);
    child_args_free(&options->openocd);
}
