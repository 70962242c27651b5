/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table says how each option is called, what it takes, and what --help says of it. */
#define _POSIX_C_SOURCE 200809L

#include <options/option_table.h>

#include <stdio.h>
#include <string.h>

#include "option_set.h"
#include "option_words.h"

#define COMMON .common = true
#define MORE   .common = false

/* Rows of one heading stand together; of common options the order is theirs, too. */
const struct option_spec option_specs[] = {
    {OPTION_ELF, HEADING_TARGET, COMMON, 'e', "elf", "FILE", option_set_elf,
     "ELF file with the firmware's symbols [MPROF_ELF]; repeatable", VALUE_PATH},
    {OPTION_TARGET, HEADING_TARGET, COMMON, 'g', "gdb", "HOST:PORT", option_set_gdb,
     "Connect to the debug server's gdb port or serial line [MPROF_GDB]"},
    {OPTION_SAMPLER, HEADING_TARGET, COMMON, OPTION_ONLY_LONG, "sampler", "KIND",
     option_set_sampler,
     "Read auto, table, calls, arcs, stream, histogram, pcsr or halt [default: auto]",
     VALUE_SAMPLER},
    {OPTION_TARGET, HEADING_TARGET, COMMON, OPTION_ONLY_LONG, "allow-halt", "[=DUTY]",
     option_set_allow_halt,
     "Allow halting the target, up to this fraction of time [default: 0.05]"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "link-share", "SHARE",
     option_set_link_share, "Read for at most this part of the time [default: 25%]"},
    {OPTION_SAMPLER, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "stacks", "[=N]", option_set_stacks,
     "Sample by halts, with the callers, N functions deep [default: 64]"},
    {OPTION_SAMPLER, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "burst", NULL, option_set_burst,
     "Sample by OpenOCD's fast 'profile', which makes its other clients wait"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "tcl", "HOST:PORT", option_set_tcl,
     "OpenOCD's Tcl port; 'none' disables it [default: 6666]", VALUE_TCL},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "target", "NAME", option_set_target,
     "Name of OpenOCD's target, or number of QEMU's CPU"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "serve", "HOST:PORT", option_set_serve,
     "Share the debug server: let your own gdb connect here"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "qmp", "HOST:PORT", option_set_qmp,
     "Read QEMU without halting it, through its QMP port or socket"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "mi", "COMMAND", option_set_mi,
     "Start a gdb with this command and read through it"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "mi-attach", "[=LINK]",
     option_set_mi_attach, "Read through a gdb that is already debugging the target"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "pid", "PID", option_set_pid,
     "Read a process on this machine that contains the stub"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "raw", "FILE", option_set_raw,
     "Read a memory dump of the table instead of a target", VALUE_PATH},
    {OPTION_EVENTS, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "records", "FILE", option_set_records,
     "Read what mprof_trace_send() has sent, from a file or serial line", VALUE_PATH},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "record-link", "FILE",
     option_set_record_link, "Record what goes over the link, for a bug report", VALUE_PATH},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "play-link", "FILE",
     option_set_play_link, "Play a record of a link instead of reading a target", VALUE_PATH},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "timeout", "TIME", option_set_timeout,
     "Time limit for one answer of the server [default: 2s, gdb 10s]"},
    {OPTION_REFRESH | OPTION_EVENTS, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "wait", "TIME",
     option_set_wait, "Time to wait for a lost target [default: 60s; screen: forever]"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "force", NULL, option_set_force,
     "Show names even if the target runs another build"},
    {OPTION_TARGET, HEADING_TARGET, MORE, 'v', "verbose", NULL, option_set_verbose,
     "Print how the connection was made"},

    {OPTION_TARGET, HEADING_SYMBOLS, MORE, OPTION_ONLY_LONG, "symbol", "NAME", option_set_symbol,
     "Name of the table; for trace also a ring: NAME[,COUNTER] [default: s_prof]"},
    {OPTION_TARGET, HEADING_SYMBOLS, MORE, OPTION_ONLY_LONG, "block-size", "BYTES",
     option_set_block_size, "Bytes per block of a table without a header [default: detected]"},
    {OPTION_ELF, HEADING_SYMBOLS, MORE, OPTION_ONLY_LONG, "alias", "FROM=TO+SIZE", option_set_alias,
     "Map target address FROM to ELF address TO, like 0=0x08000000+1M; repeatable"},
    {OPTION_ELF, HEADING_SYMBOLS, MORE, OPTION_ONLY_LONG, "region", "NAME=START+SIZE",
     option_set_region, "Show this address range as one row named [NAME]; repeatable"},

    {OPTION_CHANGES, HEADING_ROWS, COMMON, OPTION_ONLY_LONG, "by", "WHAT", option_set_change_by,
     "Rows: function, line, file, address, arc or context [default: function]", VALUE_BY},
    {OPTION_ROWS, HEADING_ROWS, COMMON, OPTION_ONLY_LONG, "by", "WHAT", option_set_by,
     "Rows: function, line, file, address, arc, inline, context or total [default: function]",
     VALUE_BY},
    {OPTION_ROWS, HEADING_ROWS, COMMON, 's', "sort", "COLUMN", option_set_sort,
     "Column to sort by [default: share]", VALUE_COLUMNS},
    {OPTION_CHANGES, HEADING_ROWS, COMMON, 's', "sort", "COLUMN", option_set_change_sort,
     "Column to sort by [default: impact]", VALUE_CHANGE_COLUMNS},
    {OPTION_ROWS | OPTION_CHANGES, HEADING_ROWS, COMMON, OPTION_ONLY_LONG, "ignore", "LIST",
     option_set_ignore,
     "Leave out functions, files or addresses, like 'HAL_*,startup.c'; repeatable",
     VALUE_FUNCTIONS},
    {OPTION_ROWS | OPTION_CHANGES | OPTION_LIMIT, HEADING_ROWS, COMMON, OPTION_ONLY_LONG, "limit",
     "ROWS", option_set_limit, "Show at most this many rows [default: all]"},
    {OPTION_ROWS, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "context", "NAME", option_set_context,
     "Show only samples of this exception or task, like IRQ7 or blink"},
    {OPTION_ROWS | OPTION_CONTEXT | OPTION_CHANGES, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "idle",
     "LIST", option_set_idle,
     "Count these functions as idle too, like 'my_idle,sleep_*'; repeatable", VALUE_FUNCTIONS},
    {OPTION_TYPE, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "type", "NAME", option_set_type,
     "Sample type of a pprof file, like inuse_space [default: its first]"},
    {OPTION_PICK, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "filter", "LIST", option_set_filter,
     "Count only these functions, files or addresses of a trace file; repeatable", VALUE_FUNCTIONS},
    {OPTION_PICK, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "not", "LIST", option_set_not,
     "Do not count these; repeatable", VALUE_FUNCTIONS},
    {OPTION_EXPORT, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "start-at", "LIST", option_set_start_at,
     "Leave out events before these functions: F, 'F%return' or 'F>200us'", VALUE_FUNCTIONS},
    {OPTION_EXPORT, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "stop-at", "LIST", option_set_stop_at,
     "End at one of these; with --start-at, only pause", VALUE_FUNCTIONS},
    {OPTION_CALLS, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "depth", "N", option_set_depth,
     "Show (or record) only calls with fewer than N callers"},
    {OPTION_CALLS, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "below", "LIST", option_set_below,
     "Show (or record) only calls of these functions and those within; repeatable",
     VALUE_FUNCTIONS},
    {OPTION_CALLS, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "min", "TIME", option_set_shortest,
     "Show (or record) only calls at least this long, like 20us"},

    {OPTION_SIDES, HEADING_COMPARISON, COMMON, OPTION_ONLY_LONG, "base", "FILE...", option_set_base,
     "Snapshots from before the change", VALUE_PATH},
    {OPTION_SIDES, HEADING_COMPARISON, COMMON, OPTION_ONLY_LONG, "new", "FILE...", option_set_new,
     "Snapshots from after the change", VALUE_PATH},
    {OPTION_CHANGES, HEADING_COMPARISON, MORE, OPTION_ONLY_LONG, "per", "WHAT", option_set_per,
     "Reference: iteration, second, median or function:NAME [default: chosen]", VALUE_PER},
    {OPTION_CHANGES, HEADING_COMPARISON, MORE, OPTION_ONLY_LONG, "fdr", "FRACTION", option_set_fdr,
     "Chance of any false mark in a diff [default: 0.05]"},
    {OPTION_CHANGES, HEADING_COMPARISON, MORE, OPTION_ONLY_LONG, "noise", "FRACTION",
     option_set_noise, "Least noise between runs (standard deviation), like 2%"},

    {OPTION_GATE, HEADING_GATE, COMMON, OPTION_ONLY_LONG, "fail-above", "LIMIT",
     option_set_fail_above,
     "Exit 3 if proven above +5%, 'fir_*=+2pp'; of traces 'f=120us@max'; repeatable"},
    {OPTION_GATE, HEADING_GATE, COMMON, OPTION_ONLY_LONG, "budgets", "FILE", option_set_budgets,
     "Exit 3 if a function exceeds its share in this file", VALUE_PATH},
    {OPTION_GATE, HEADING_GATE, MORE, OPTION_ONLY_LONG, "strict", NULL, option_set_strict,
     "Exit 1 if more runs must decide whether a limit holds"},
    {OPTION_GATE, HEADING_GATE, MORE, OPTION_ONLY_LONG, "junit", "FILE", option_set_junit,
     "Write the gate's result to this file as JUnit XML", VALUE_PATH},

    {OPTION_COVERAGE, HEADING_GATE, COMMON, OPTION_ONLY_LONG, "fail-under", "SHARE",
     option_set_fail_under, "Exit 3 if a smaller part was reached, like 80%"},

    {OPTION_RECORD, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "duration", "TIME",
     option_set_duration, "Record only this long, like 10s or 2min [default: since reset]"},
    {OPTION_TRACE, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "filter", "LIST", option_set_filter,
     "Record only these functions, files or addresses, like 'spi_*,uart.c'; repeatable",
     VALUE_FUNCTIONS},
    {OPTION_TRACE, HEADING_RECORDING, MORE, OPTION_ONLY_LONG, "not", "LIST", option_set_not,
     "Do not record these; repeatable", VALUE_FUNCTIONS},
    {OPTION_EVENTS, HEADING_RECORDING, MORE, OPTION_ONLY_LONG, "patch", NULL, option_set_patch,
     "Make these functions call the hook meanwhile; needs code in RAM"},
    {OPTION_TRACE, HEADING_RECORDING, MORE, OPTION_ONLY_LONG, "start-at", "LIST",
     option_set_start_at, "Leave out events before these functions: F, 'F%return' or 'F>200us'",
     VALUE_FUNCTIONS},
    {OPTION_TRACE, HEADING_RECORDING, MORE, OPTION_ONLY_LONG, "stop-at", "LIST", option_set_stop_at,
     "End at one of these; with --start-at, only pause", VALUE_FUNCTIONS},
    {OPTION_TRACE, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "duration", "TIME",
     option_set_duration, "Stop after this time, like 10s or 2min [default: unlimited]"},
    {OPTION_EVENTS, HEADING_RECORDING, COMMON, 'A', "arguments", NULL, option_set_arguments,
     "Also read strings and structures that arguments point to in the target"},
    {OPTION_CONTENT, HEADING_RECORDING, MORE, 'A', "arguments", NULL, option_set_arguments,
     "Also read strings and structures that arguments point to"},
    {OPTION_TRACE, HEADING_RECORDING, MORE, OPTION_ONLY_LONG, "stack", "LIST", option_set_stack,
     "Print all callers where one of these functions is entered; repeatable", VALUE_FUNCTIONS},
    {OPTION_EVENTS, HEADING_RECORDING, MORE, OPTION_ONLY_LONG, "between", "A,B", option_set_between,
     "Histogram of times between two events: F, 'F%return' or mark:N", VALUE_FUNCTIONS},
    {OPTION_EVENTS, HEADING_RECORDING, MORE, OPTION_ONLY_LONG, "worst", "LIST", option_set_worst,
     "Histogram of these functions' calls, and the longest one", VALUE_FUNCTIONS},
    {OPTION_EVENTS | OPTION_CONTENT, HEADING_RECORDING, MORE, 'R', "results", NULL,
     option_set_results, "Require results of functions, and read strings that they point to"},
    {OPTION_TRACE, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "graph", NULL, option_set_graph,
     "Print nested calls with their durations"},
    {OPTION_TRACE, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "record", NULL, option_set_record,
     "Write a trace file to -o FILE, or add to it"},
    {OPTION_SITES, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "filter", "LIST", option_set_filter,
     "Choose these functions, files or addresses [default: all]; repeatable", VALUE_FUNCTIONS},
    {OPTION_SITES, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "not", "LIST", option_set_not,
     "Do not choose these; repeatable", VALUE_FUNCTIONS},
    {OPTION_SITES, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "list", NULL, option_set_list,
     "List what can be chosen, and what it costs"},
    {OPTION_SITES, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "check", "COPY", option_set_check,
     "Check that COPY differs from the file only in chosen sites", VALUE_PATH},
    {OPTION_RECORD, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "hits", "N", option_set_hits,
     "Record until N hits were counted"},
    {OPTION_RECORD, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "precision", "SHARE",
     option_set_precision, "Record until intervals of the top ten rows are below SHARE"},
    {OPTION_RECORD, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "runs", "N", option_set_runs,
     "Record N runs into one file, for diff [default: 1]"},
    {OPTION_RECORD, HEADING_RECORDING, MORE, OPTION_ONLY_LONG, "reset-target", NULL,
     option_set_reset_target, "Reset the target before each run"},
    {OPTION_RECORD, HEADING_RECORDING, MORE, OPTION_ONLY_LONG, "settle", "TIME", option_set_settle,
     "Let the firmware run this long before the first run [default: 2s]"},
    {OPTION_RECORD, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "reset", NULL, option_set_reset,
     "Clear the counters in the target first"},

    {OPTION_REFRESH, HEADING_REFRESH, COMMON, 'd', "delay", "TIME", option_set_delay,
     "Time between two refreshes or lines [default: 1s]"},
    {OPTION_REFRESH, HEADING_REFRESH, COMMON, 'n', "iterations", "N", option_set_iterations,
     "Stop after N refreshes or lines [default: unlimited; top --batch: 3]"},
    {OPTION_TRACE, HEADING_RECORDING, COMMON, 'n', "events", "N", option_set_events,
     "Stop after N events [default: unlimited]"},
    {OPTION_REFRESH, HEADING_REFRESH, MORE, 'r', "restart-on-resume", NULL,
     option_set_restart_on_resume, "Restart counting each time the target resumes"},

    {OPTION_FOCUS, HEADING_SOURCE, COMMON, OPTION_ONLY_LONG, "focus", "[=TIME]", option_set_focus,
     "Count single instructions this long; needs MPROF_FOCUS_CNT [default: 1s]"},
    {OPTION_ANNOTATE, HEADING_SOURCE, MORE, OPTION_ONLY_LONG, "source", "DIR", option_set_source,
     "Folder to search for source files; repeatable", VALUE_PATH},
    {OPTION_ANNOTATE, HEADING_SOURCE, MORE, OPTION_ONLY_LONG, "min", "SHARE", option_set_min,
     "Hide instructions below this share of the function, like 0.5%"},
    {OPTION_ANNOTATE, HEADING_SOURCE, MORE, OPTION_ONLY_LONG, "disassembler", "COMMAND",
     option_set_disassembler,
     "gdb that disassembles the ELF file [default: gdb-multiarch, then gdb]"},

    {OPTION_RUN, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "trace", NULL, option_set_trace,
     "Print which function calls which, as it happens"},
    {OPTION_RUN, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "live", NULL, option_set_live,
     "Show the live screen; the program's output follows it"},

    {OPTION_SHELL, HEADING_SHELL, COMMON, 'c', "command", "COMMANDS", option_set_script,
     "Run these commands, separated by ';', then exit"},
    {OPTION_SHELL, HEADING_SHELL, MORE, 'k', "keep-going", NULL, option_set_keep_going,
     "Continue after a command that fails"},

    {OPTION_SCREEN, HEADING_OUTPUT, COMMON, 'b', "batch", NULL, option_set_batch,
     "Print plain text instead of the live screen"},
    {OPTION_FORMAT, HEADING_OUTPUT, COMMON, OPTION_ONLY_LONG, "format", "NAME", option_set_format,
     "Output format: %s [default: table]", VALUE_FORMAT},
    {OPTION_COVERAGE, HEADING_ROWS, COMMON, OPTION_ONLY_LONG, "not-seen", NULL, option_set_not_seen,
     "Show only rows of which something was not reached or seen"},
    {OPTION_COVERAGE, HEADING_OUTPUT, COMMON, OPTION_ONLY_LONG, "format", "NAME",
     option_set_coverage_format,
     "Output format: table, json, csv, markdown or lcov [default: table]", VALUE_FORMAT},
    {OPTION_EXPORT, HEADING_OUTPUT, COMMON, OPTION_ONLY_LONG, "format", "NAME", option_set_exporter,
     "Output format; see Formats below", VALUE_EXPORTER},
    {OPTION_OUTPUT, HEADING_OUTPUT, COMMON, 'o', "output", "FILE", option_set_output,
     "Write to this file instead of standard output", VALUE_PATH},
    {OPTION_SAVE, HEADING_OUTPUT, COMMON, 'o', "output", "FILE", option_set_output,
     "Write the snapshot to this file", VALUE_PATH},
    {OPTION_RUN, HEADING_OUTPUT, COMMON, 'o', "output", "FILE", option_set_output,
     "Write the snapshot to this file; with --trace, the calls", VALUE_PATH},
    {OPTION_SITES, HEADING_OUTPUT, COMMON, 'o', "output", "COPY", option_set_output,
     "Write the copy with calls of the hook to this file", VALUE_PATH},
    {OPTION_DOCTOR, HEADING_REFRESH, COMMON, OPTION_ONLY_LONG, "cross-check", NULL,
     option_set_cross_check, "Also check samples, up to 50 s; a fixed SysTick runs faster"},
    {OPTION_DOCTOR, HEADING_OUTPUT, COMMON, OPTION_ONLY_LONG, "anonymous", NULL,
     option_set_anonymous, "Hide names of files, hosts, targets and symbols"},
    {OPTION_STORE, HEADING_OUTPUT, COMMON, OPTION_ONLY_LONG, "store", "DIR", option_set_store,
     "Folder to keep snapshots in; @0 is the newest [MPROF_STORE]", VALUE_PATH},
    {OPTION_ROWS, HEADING_OUTPUT, MORE, 'f', "fields", "LIST", option_set_fields,
     "Columns to show, like share,error,hits,function", VALUE_COLUMNS},
    {OPTION_CHANGES, HEADING_OUTPUT, MORE, 'f', "fields", "LIST", option_set_change_fields,
     "Columns to show, like verdict,base,new,change,function", VALUE_CHANGE_COLUMNS},

    {0, HEADING_GENERAL, COMMON, 'h', "help", NULL, NULL, "Show this help"},
    {0, HEADING_GENERAL, MORE, 'V', "version", NULL, NULL, "Show the version"},
    {.name = NULL},
};

_Static_assert(sizeof(option_specs) / sizeof(option_specs[0]) <= OPTION_SPECS_MAX,
               "options.given has a place for each option");

bool option_is_taken(const struct command *command, const struct option_spec *spec)
{
    return !spec->set || (command->options & spec->group) != 0;
}

/* Writes "table", "table or json", "table, json or csv". */
static void join_formats(unsigned accepted, char *text, size_t capacity)
{
    const char *names[OPTION_FORMATS];
    size_t count = option_list_formats(accepted, names), used = 0;

    for (size_t i = 0; i < count && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s%s",
                                 i == 0 ? "" : (i + 1 < count ? ", " : " or "), names[i]);
}

void option_help(const struct command *command, const struct option_spec *spec, char *text,
                 size_t capacity)
{
    const char *at = strstr(spec->help, "%s");
    char list[60] = "";

    join_formats(command->formats, list, sizeof(list));
    if (at)
        snprintf(text, capacity, "%.*s%s%s", (int)(at - spec->help), spec->help, list, at + 2);
    else
        snprintf(text, capacity, "%s", spec->help);
}

void option_defaults(struct options *o)
{
    *o = (struct options){
        .symbol = "s_prof",
        .duty = OPTION_DUTY_NORMAL,
        .delay_s = 1,
        .wait_s = -1,
        .settle_s = 2,
        .sort = view_ranking_columns.column, /* by share */
        .change.diff = DIFF_OPTIONS_DEFAULT,
    };
}
