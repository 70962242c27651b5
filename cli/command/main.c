/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof: picks the verb. */
#define _POSIX_C_SOURCE 200809L

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>

#include "verbs.h"

static void print_help(void)
{
    puts("usage: mprof COMMAND [OPTION]...\n"
         "\n"
         "Where firmware spends its time, seen through the debugger that is already plugged in.\n");
    for (const struct command *c = commands; c->name; c++)
        printf("  %-10s %s\n", c->name, c->summary);
    puts("\n"
         "mprof COMMAND --help   says what a command takes\n"
         "mprof --version        says which version this is\n"
         "man mprof              is the manual");
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    /* A limit of the size of files is an error like a full disk, and what was begun is removed. */
    signal(SIGXFSZ, SIG_IGN);
    commands = verbs;
    if (argc < 2) {
        complain("no command; mprof --help lists them");
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return STATUS_DONE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("mprof " MPROF_VERSION);
        return STATUS_DONE;
    }
    const struct command *command = command_find(argv[1]);
    if (!command) {
        complain("no command '%s'; mprof --help lists them", argv[1]);
        return STATUS_USAGE;
    }
    int status = command->run(command, argc - 1, argv + 1);
    if (output_is_left()) /* as other tools do, when all is cleaned up */
        signals_die(SIGPIPE);
    return status;
}
