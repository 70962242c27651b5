/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof: picks the verb. */
#define _POSIX_C_SOURCE 200809L

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <base/nearest.h>
#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <target/link_record.h>

#include "verbs.h"

static void print_help(FILE *to)
{
    fputs("usage: mprof COMMAND [OPTION]...\n"
          "\n"
          "mprof is a profiler for firmware. It shows which functions take the time while\n"
          "the target runs, through the debug server that you already use.\n"
          "\n",
          to);
    for (const struct command *c = commands; c->name; c++)
        fprintf(to, "  %-10s %s\n", c->name, c->summary);
    fputs("\n"
          "'mprof help COMMAND' shows the options of a command and three examples.\n"
          "'mprof --version' shows the version; 'man mprof' opens the manual.\n",
          to);
}

static int unknown(const char *name)
{
    char text[COMMAND_UNKNOWN];
    struct nearest near;

    bool is_file = access(name, F_OK) == 0;
    nearest_begin(&near, name, strlen(name));
    nearest_offer(&near, "help");
    command_unknown(&near,
                    is_file ? "a file comes after the command: see 'mprof --help'"
                            : "see 'mprof --help'",
                    text, sizeof(text));
    complain("%s", text);
    return STATUS_USAGE;
}

/* mprof help [COMMAND] */
static int help(int argc, char **argv)
{
    static char option[] = "--help";

    if (argc > 3) {
        complain("unexpected argument '%.200s'; use 'mprof help COMMAND'", argv[3]);
        return STATUS_USAGE;
    }
    if (argc == 2 || strcmp(argv[2], "help") == 0) {
        print_help(stdout);
        return STATUS_DONE;
    }
    const struct command *command = command_find(argv[2]);
    return command ? command->run(command, 2, (char *[]){argv[2], option, NULL}) : unknown(argv[2]);
}

/* An option in place of a command: one that all commands have, or a mistake. */
static int take_option(const char *option)
{
    if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
        print_help(stdout);
    } else if (strcmp(option, "--version") == 0 || strcmp(option, "-V") == 0) {
        puts("mprof " MPROF_VERSION);
    } else {
        complain("options come after the command: mprof COMMAND %.200s", option);
        return STATUS_USAGE;
    }
    return STATUS_DONE;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    signals_inherit();
    /* A limit of the size of files is an error like a full disk, and what was begun is removed. */
    signal(SIGXFSZ, SIG_IGN);
    commands = verbs;
    if (argc < 2) {
        print_help(stderr);
        return STATUS_USAGE;
    }
    if (argv[1][0] == '-')
        return take_option(argv[1]);
    if (strcmp(argv[1], "help") == 0)
        return help(argc, argv);
    const struct command *command = command_find(argv[1]);
    if (!command)
        return unknown(argv[1]);
    int status = command->run(command, argc - 1, argv + 1);
    status = link_record_end(status);
    if (output_is_left()) /* as other tools do, when all is cleaned up */
        signals_die(SIGPIPE);
    return status;
}
