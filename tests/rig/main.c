/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof-rig: firmware in QEMU behind a simulated debug port and a real OpenOCD. */
#include <stdio.h>
#include <stdlib.h>

#include "rig.h"

static void print_string(const char *name, const char *text)
{
    printf(", \"%s\": \"", name);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

static void print_number(const char *name, long value)
{
    if (value != 0)
        printf(", \"%s\": %ld", name, value);
    else
        printf(", \"%s\": null", name);
}

static void print_targets(const struct rig *rig)
{
    printf(", \"targets\": [");
    for (int i = 0; i < rig->chip_count; i++) {
        printf("%s{\"index\": %d", i > 0 ? ", " : "", i);
        print_string("name", rig->chips[i].name);
        print_number("gdb_port", (long)(rig->chips[i].plain ? rig->chips[i].qemu.gdb_port
                                                            : rig->openocd.gdb_ports[i].number));
        print_number("qemu_pid", (long)rig->chips[i].qemu.child.pid);
        printf("}");
    }
    printf("]");
}

static void print_ready(const struct rig *rig)
{
    printf("{\"ready\": true");
    print_number("gdb_port", (long)rig_gdb_port(rig));
    print_number("tcl_port", (long)rig->openocd.tcl_port.number);
    print_string("control", rig->control_path);
    print_string("jtag", rig->options->qemu_gdb ? "" : rig->jtag_path);
    print_number("qemu_pid", (long)rig->chips[0].qemu.child.pid);
    print_number("openocd_pid", (long)rig->openocd.child.pid);
    print_targets(rig);
    printf("}\n");
    fflush(stdout);
}

static int run_rig(const struct options *options)
{
    struct rig *rig = malloc(sizeof *rig);

    if (!rig) {
        fprintf(stderr, "mprof-rig: no memory\n");
        return 1;
    }
    int result = rig_open(rig, options);
    if (result == 0 && !rig->done) {
        print_ready(rig);
        result = rig_serve(rig);
    }
    rig_close(rig);
    if (result != 0)
        fprintf(stderr, "mprof-rig: %s\n", rig->fault.text);
    free(rig);
    return result == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct options options;
    struct fault fault = {.text = ""};
    int status;

    if (options_parse(&options, argc, argv, &fault) != 0) {
        fprintf(stderr, "mprof-rig: %s\n", fault.text);
        status = 2;
    } else if (options.help) {
        fputs(options_help, stdout);
        status = 0;
    } else {
        status = run_rig(&options);
    }
    options_free(&options);
    return status;
}
