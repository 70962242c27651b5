/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A real OpenOCD as a child, on the rig's JTAG port. */
#include "openocd.h"

#include <stdio.h>
#include <string.h>

#include "dap.h"
#include "port.h"

static void add_command(struct child_args *args, const char *text)
{
    child_args_add(args, "-c");
    child_args_add(args, "%s", text);
}

static void add_adapter(struct child_args *args, const char *jtag)
{
    add_command(args, "adapter driver remote_bitbang; remote_bitbang port 0");
    child_args_add(args, "-c");
    child_args_add(args, "remote_bitbang host {%s}", jtag);
    add_command(args, "adapter speed 10000; reset_config none");
}

static void add_chip(struct child_args *args)
{
    child_args_add(args, "-c");
    child_args_add(args, "jtag newtap mps2 cpu -irlen 4 -expected-id 0x%x", DAP_IDCODE);
    add_command(args, "dap create mps2.dap -chain-position mps2.cpu");
    add_command(args, "target create mps2.cpu cortex_m -dap mps2.dap");
}

static void add_ports(struct child_args *args, const struct options *options)
{
    child_args_add(args, "-c");
    child_args_add(args, "gdb_port %u", port_usable(options->gdb_port));
    child_args_add(args, "-c");
    if (options->no_tcl)
        child_args_add(args, "tcl_port disabled");
    else
        child_args_add(args, "tcl_port %u", port_usable(options->tcl_port));
    add_command(args, "telnet_port disabled");
}

int openocd_start(struct openocd *openocd, const struct options *options, const char *folder,
                  const char *jtag, struct fault *fault)
{
    struct child_args args = {0};

    child_args_add(&args, "openocd");
    add_adapter(&args, jtag);
    add_chip(&args);
    add_ports(&args, options);
    for (int i = 0; i < options->openocd.count; i++)
        child_args_add(&args, "%s", options->openocd.list[i]);
    add_command(&args, "init");
    int result = child_start(&openocd->child, &args, folder, NULL, 0, fault);
    child_args_free(&args);
    return result;
}

bool openocd_ready(struct openocd *openocd, const struct options *options)
{
    char line[512];
    char service[16];
    unsigned port;
    FILE *log = fopen(openocd->child.log, "r");

    if (!log)
        return false;
    while (fgets(line, sizeof line, log)) {
        const char *at = strstr(line, "Listening on port ");
        if (!at || sscanf(at, "Listening on port %u for %15s", &port, service) != 2)
            continue;
        if (strcmp(service, "gdb") == 0)
            openocd->gdb_port = port;
        else if (strcmp(service, "tcl") == 0)
            openocd->tcl_port = port;
    }
    fclose(log);
    return openocd->gdb_port != 0 && (options->no_tcl || openocd->tcl_port != 0);
}

void openocd_end(struct openocd *openocd)
{
    child_end(&openocd->child);
}
