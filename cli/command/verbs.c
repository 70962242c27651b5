/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of verbs. */
#include "verbs.h"

#include <live/live.h>
#include <options/options.h>
#include <shell/shell.h>

/* Of a target that is looked at. */
#define LIVE (OPTION_ELF | OPTION_TARGET | OPTION_SAMPLER)

/* Of a ranking that is printed. */
#define RANKING (OPTION_ROWS | OPTION_FORMAT | OPTION_OUTPUT)

const struct command verbs[] = {
    {.name = "top",
     .summary = "live ranking of where the time goes",
     .options = LIVE | RANKING | OPTION_REFRESH | OPTION_SCREEN | OPTION_STORE | OPTION_ANNOTATE,
     .run = command_top,
     .print_more = live_print_keys},
    {.name = "stat",
     .summary = "tasks, interrupts and idle time, one line a second",
     .options = LIVE | OPTION_FORMAT | OPTION_OUTPUT | OPTION_REFRESH | OPTION_CONTEXT,
     .run = command_stat},
    {.name = "report",
     .summary = "one ranking, of a target, a dump, or files of snapshots",
     .options = LIVE | RANKING | OPTION_TYPE | OPTION_STORE,
     .files = true,
     .operands = "{FILE... | --elf FILE --gdb HOST:PORT}",
     .run = command_report},
    {.name = "annotate",
     .summary = "a function's source lines and instructions with their hits",
     .options = LIVE | OPTION_FORMAT | OPTION_OUTPUT | OPTION_TYPE | OPTION_STORE | OPTION_ANNOTATE,
     .files = true,
     .subject = true,
     .operand = COMMAND_OPERAND_FUNCTION,
     .operands = "FUNC {FILE... | --elf FILE --gdb HOST:PORT}",
     .run = command_annotate},
    {.name = "diff",
     .summary = "what changed between two profiles, and what is only noise",
     .options = OPTION_ELF | OPTION_CHANGES | OPTION_FORMAT | OPTION_OUTPUT | OPTION_TYPE |
                OPTION_SIDES | OPTION_GATE | OPTION_STORE,
     .operands = "OLD NEW | --base FILE... --new FILE...",
     .run = command_diff},
    {.name = "snapshot",
     .alias = "record",
     .summary = "a profile into a file: now, or over a time",
     .options = LIVE | OPTION_OUTPUT | OPTION_RECORD | OPTION_STORE,
     .run = command_snapshot},
    {.name = "log",
     .summary = "the snapshots of a folder, or the trend of functions in them",
     .options = OPTION_STORE | OPTION_FORMAT | OPTION_OUTPUT | OPTION_LIMIT,
     .operands = "[FUNCTION]",
     .operand = COMMAND_OPERAND_FUNCTION,
     .run = command_log},
    {.name = "export",
     .summary = "files of snapshots in the formats of other tools",
     .options = OPTION_ELF | OPTION_TYPE | OPTION_EXPORT | OPTION_OUTPUT | OPTION_STORE,
     .operands = "--format NAME FILE...",
     .run = command_export},
    {.name = "control",
     .summary = "switch, reset and filter the stub, or say how it stands",
     .options = OPTION_ELF | OPTION_TARGET,
     .operand = COMMAND_OPERAND_CONTROL,
     .operands = "[status | on WHAT... | off WHAT... | reset | ignore WHAT... | phase NUMBER|all]",
     .run = command_control},
    {.name = "shell",
     .summary = "a prompt for these commands, with one connection for all of them",
     .options = LIVE | OPTION_ROWS | OPTION_FORMAT | OPTION_REFRESH | OPTION_SCREEN | OPTION_TYPE |
                OPTION_STORE | OPTION_ANNOTATE | OPTION_SHELL,
     .run = command_shell},
    {.name = NULL},
};
