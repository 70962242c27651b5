/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table says how each option is called, what it takes, and what --help says of it. */
#define _POSIX_C_SOURCE 200809L

#include <options/option_table.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/nearest.h>
#include <base/number.h>

#define DELAY_MIN      0.01
#define DELAY_MAX      86400.0
#define TIMEOUT_MIN    0.01
#define TIMEOUT_MAX    3600.0
#define DUTY_NORMAL    0.05
#define BLOCK_SIZE_MAX 65536
#define EXPORTERS_MAX  16  /* more than there are formats */
#define LIMIT_MAX      1e4 /* of a change, 1000000 % */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool wrong(char *text, const char *what, const char *value)
{
    snprintf(text, OPTION_TEXT, "'%s' is not %s", value, what);
    return false;
}

static bool refuse(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(char *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(text, OPTION_TEXT, format, args);
    va_end(args);
    return false;
}

/* The value is none of the names, count of them. */
static bool not_one_of(char *text, const char *value, const char *const *names, size_t count)
{
    char list[OPTION_TEXT / 2] = "", hint[NEAREST_HINT];
    struct nearest near;
    size_t used = 0;

    nearest_begin(&near, value, strlen(value));
    for (size_t i = 0; i < count && used < sizeof(list); i++) {
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", names[i]);
        nearest_offer(&near, names[i]);
    }
    snprintf(text, OPTION_TEXT, "'%.60s' is not one of %s%s", value, list,
             nearest_hint(&near, "", hint, sizeof(hint)));
    return false;
}

static bool take_time(const char *value, double low, double high, double *seconds, char *text)
{
    if (number_parse_duration(value, low, high, seconds))
        return true;
    snprintf(text, OPTION_TEXT, "'%.60s' is not a time from %gs to %gh, like 500ms, 10s or 2min",
             value, low, high / 3600);
    return false;
}

static bool take_count(const char *value, unsigned long *count)
{
    double n;

    if (!number_parse(value, 1, 1e9, &n) || fabs(n - floor(n)) > 0)
        return false;
    *count = (unsigned long)n;
    return true;
}

/* Options whose value is taken as it is. */
#define TAKE(name, member)                                                   \
    static bool set_##name(struct options *o, const char *value, char *text) \
    {                                                                        \
        (void)text;                                                          \
        o->member = value;                                                   \
        return true;                                                         \
    }
TAKE(gdb, link.gdb)
TAKE(tcl, link.tcl)
TAKE(target, link.target)
TAKE(serve, link.serve)
TAKE(qmp, link.qmp)
TAKE(mi, link.mi)
TAKE(raw, link.raw)
TAKE(symbol, symbol)
TAKE(budgets, budgets)
TAKE(junit, junit)
TAKE(type, type)
TAKE(context, context)
TAKE(output, output)
TAKE(script, script)

/* Options without one. */
#define SWITCH(name)                                                         \
    static bool set_##name(struct options *o, const char *value, char *text) \
    {                                                                        \
        (void)value, (void)text;                                             \
        o->name = true;                                                      \
        return true;                                                         \
    }
SWITCH(force)
SWITCH(reset)
SWITCH(restart_on_resume)
SWITCH(batch)
SWITCH(verbose)
SWITCH(keep_going)

static bool set_elf(struct options *o, const char *value, char *text)
{
    bool again = o->elf_given && strcmp(value, o->elf) == 0;
    for (size_t i = 0; i < o->map.more_count; i++)
        again |= strcmp(value, o->map.more[i]) == 0;
    if (again)
        return refuse(text, "--elf %s was given twice", value);
    if (o->elf_given)
        return elf_map_add(&o->map, value) ||
               refuse(text, "--elf %s is one too many: 8 ELF files at most", value);
    o->elf_given = true;
    o->elf = value;
    return true;
}

static bool set_alias(struct options *o, const char *value, char *text)
{
    return elf_map_alias(&o->map, value, text, OPTION_TEXT);
}

static bool set_region(struct options *o, const char *value, char *text)
{
    return elf_map_region(&o->map, value, text, OPTION_TEXT);
}

static bool set_mi_attach(struct options *o, const char *value, char *text)
{
    (void)text;
    o->link.mi_attach = true;
    o->link.mi_link = value;
    return true;
}

static bool set_pid(struct options *o, const char *value, char *text)
{
    unsigned long pid;

    if (!take_count(value, &pid))
        return wrong(text, "a process ID", value);
    o->link.pid = (long)pid;
    return true;
}

static bool set_block_size(struct options *o, const char *value, char *text)
{
    unsigned long bytes;

    if (!take_count(value, &bytes) || bytes > BLOCK_SIZE_MAX || (bytes & (bytes - 1)) != 0)
        return wrong(text, "a power of two from 1 to 65536", value);
    o->block_size = (unsigned)bytes;
    return true;
}

static const char *const samplers[] = {"auto", "table", "calls", "arcs", "stream", "histogram"};

/* The sources of the profile have the same order. */
static bool set_sampler(struct options *o, const char *value, char *text)
{
    if (strcmp(value, "auto") == 0) {
        o->sampler = SAMPLER_AUTO;
        return true;
    }
    for (int i = SAMPLER_TABLE; i <= SAMPLER_HISTOGRAM; i++) {
        if (strcmp(value, decode_source_name((enum decode_source)(i - SAMPLER_TABLE))) == 0) {
            o->sampler = (enum sampler_kind)i;
            return true;
        }
    }
    return not_one_of(text, value, samplers, COUNT(samplers));
}

static bool set_allow_halt(struct options *o, const char *value, char *text)
{
    o->link.allow_halt = true;
    o->duty = DUTY_NORMAL;
    return !value || number_parse_part(value, 1e-300, 1, &o->duty) ||
           wrong(text, "a fraction of the time, like 0.05 or 5%", value);
}

static bool set_link_share(struct options *o, const char *value, char *text)
{
    return number_parse_part(value, 0.001, 1, &o->link_share) ||
           wrong(text, "a part of the link's time, like 0.25 or 25%", value);
}

static const char *const bys[] = {"function", "line",   "file",   "address",
                                  "arc",      "inline", "context"};

/* Of these a diff has the first. */
#define CHANGE_BYS 5

static bool set_by(struct options *o, const char *value, char *text)
{
    return view_by_parse(value, &o->by) || not_one_of(text, value, bys, COUNT(bys));
}

static bool set_change_by(struct options *o, const char *value, char *text)
{
    return view_by_parse(value, &o->by) || not_one_of(text, value, bys, CHANGE_BYS);
}

static bool set_ignore(struct options *o, const char *value, char *text)
{
    return view_ignore_parse(value, &o->ignore, text, OPTION_TEXT);
}

static bool set_idle(struct options *o, const char *value, char *text)
{
    return view_ignore_parse(value, &o->idle, text, OPTION_TEXT);
}

static bool set_fields(struct options *o, const char *value, char *text)
{
    o->fields_given = true;
    return view_fields_parse(&view_ranking_columns, value, &o->fields, text, OPTION_TEXT);
}

static bool take_column(const struct view_columns *of, const struct view_column **column,
                        const char *value, char *text)
{
    struct view_fields one;

    if (!view_fields_parse(of, value, &one, text, OPTION_TEXT))
        return false;
    *column = one.column[0];
    return one.count == 1 || wrong(text, "one column", value);
}

static bool set_sort(struct options *o, const char *value, char *text)
{
    return take_column(&view_ranking_columns, &o->sort, value, text);
}

static bool set_change_fields(struct options *o, const char *value, char *text)
{
    return view_fields_parse(&view_change_columns, value, &o->change_fields, text, OPTION_TEXT);
}

static bool set_change_sort(struct options *o, const char *value, char *text)
{
    return take_column(&view_change_columns, &o->change_sort, value, text);
}

static bool set_per(struct options *o, const char *value, char *text)
{
    static const char prefix[] = "function:";
    static const char *const names[] = {"median", "second", "function:NAME"};
    struct diff_options *d = &o->change.diff;

    o->change.per_function = NULL;
    if (strcmp(value, "median") == 0) {
        d->per = DIFF_PER_MEDIAN;
    } else if (strcmp(value, "second") == 0) {
        d->per = DIFF_PER_SECOND;
    } else if (strncmp(value, prefix, strlen(prefix)) == 0 && value[strlen(prefix)]) {
        d->per = DIFF_PER_FUNCTION;
        o->change.per_function = value + strlen(prefix);
    } else {
        return not_one_of(text, value, names, COUNT(names));
    }
    return true;
}

static bool set_fdr(struct options *o, const char *value, char *text)
{
    return number_parse_part(value, 1e-9, 0.5, &o->change.diff.fdr) ||
           wrong(text, "a fraction above 0 and up to 0.5, like 0.05 or 5%", value);
}

static bool set_noise(struct options *o, const char *value, char *text)
{
    return number_parse_part(value, 0, 1, &o->change.diff.noise) ||
           wrong(text, "a relative standard deviation like 2% or 0.02", value);
}

static bool set_fail_above(struct options *o, const char *value, char *text)
{
    if (o->threshold_count == OPTION_THRESHOLDS)
        return refuse(text, "--fail-above %s is one too many: 64 limits at most", value);
    struct gate_threshold *t = &o->thresholds[o->threshold_count];
    if (!gate_parse(value, t))
        return wrong(text, "a limit like +2pp, +5%, -1pp or 'fir_*=+5%'", value);
    if (t->limit <= -1)
        return refuse(text, "'%s' can never be exceeded: nothing falls by more than 100 %%", value);
    if (t->limit > LIMIT_MAX)
        return refuse(text, "'%s' is above the largest limit, 1000000 %%", value);
    o->threshold_texts[o->threshold_count++] = value;
    return true;
}

static bool set_iterations(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->iterations) ||
           wrong(text, "a number of refreshes, 1 or more", value);
}

static bool set_delay(struct options *o, const char *value, char *text)
{
    return take_time(value, DELAY_MIN, DELAY_MAX, &o->delay_s, text);
}

static bool set_wait(struct options *o, const char *value, char *text)
{
    return take_time(value, 0, DELAY_MAX, &o->wait_s, text);
}

static bool set_timeout(struct options *o, const char *value, char *text)
{
    double seconds;

    if (!take_time(value, TIMEOUT_MIN, TIMEOUT_MAX, &seconds, text))
        return false;
    o->link.timeout_ms = (int)(seconds * 1e3);
    return true;
}

static bool set_limit(struct options *o, const char *value, char *text)
{
    unsigned long limit;

    if (!take_count(value, &limit))
        return wrong(text, "a number of rows, 1 or more", value);
    o->limit = limit;
    return true;
}

static const char *const formats[] = {
    [FORMAT_TABLE] = "table",
    [FORMAT_JSON] = "json",
    [FORMAT_CSV] = "csv",
    [FORMAT_MARKDOWN] = "markdown",
};

/* Stores the formats that a verb accepts, and returns how many these are. */
static size_t list_formats(unsigned accepted, const char *names[COUNT(formats)])
{
    size_t count = 0;

    for (size_t i = 0; i < COUNT(formats); i++) {
        if (accepted == 0 || (accepted & 1U << i))
            names[count++] = formats[i];
    }
    return count;
}

static bool set_format(struct options *o, const char *value, char *text)
{
    const char *names[COUNT(formats)];
    size_t count = list_formats(o->formats, names);

    for (size_t i = 0; i < COUNT(formats); i++) {
        if (strcmp(value, formats[i]) == 0 && (o->formats == 0 || (o->formats & 1U << i))) {
            o->format = (enum view_format)i;
            return true;
        }
    }
    return not_one_of(text, value, names, count);
}

static bool set_exporter(struct options *o, const char *value, char *text)
{
    const char *names[EXPORTERS_MAX];
    size_t count = 0;

    o->exporter = exporter_find(value);
    for (const struct exporter *x = exporters; x->name && count < EXPORTERS_MAX; x++)
        names[count++] = x->name;
    return o->exporter || not_one_of(text, value, names, count);
}

static bool set_duration(struct options *o, const char *value, char *text)
{
    return take_time(value, DELAY_MIN, DELAY_MAX, &o->duration_s, text);
}

static bool set_focus(struct options *o, const char *value, char *text)
{
    o->focus_s = 1;
    return !value || take_time(value, DELAY_MIN, DELAY_MAX, &o->focus_s, text);
}

static bool set_hits(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->hits) || wrong(text, "a number of hits, 1 or more", value);
}

static bool set_precision(struct options *o, const char *value, char *text)
{
    return (number_parse(value, 0, 1, &o->precision) && o->precision > 0) ||
           wrong(text, "a share above 0, like 0.01", value);
}

static bool set_repeat(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->repeat) || wrong(text, "a number of snapshots, 1 or more", value);
}

static bool set_store(struct options *o, const char *value, char *text)
{
    (void)text;
    o->store_given = true;
    o->store = value;
    return true;
}

/* The value is the first of the side's operands, which the parser collects. */
static bool set_base(struct options *o, const char *value, char *text)
{
    (void)value, (void)text;
    o->side = OPTION_SIDE_BASE;
    return true;
}

static bool set_new(struct options *o, const char *value, char *text)
{
    (void)value, (void)text;
    o->side = OPTION_SIDE_NEW;
    return true;
}

static bool set_source(struct options *o, const char *value, char *text)
{
    size_t count = 0;

    while (o->sources[count])
        count++;
    if (count == OPTION_SOURCES_MAX)
        return refuse(text, "--source %s is one too many: 16 folders at most", value);
    union {
        const char *given;
        char *kept;
    } folder = {.given = value};
    o->sources[count] = folder.kept;
    return true;
}

static bool set_min(struct options *o, const char *value, char *text)
{
    return number_parse_part(value, 0, 1, &o->min_share) ||
           wrong(text, "a share like 0.005 or 0.5%", value);
}

static bool set_disassembler(struct options *o, const char *value, char *text)
{
    (void)text;
    o->disassembler = value;
    return true;
}

#define COMMON .common = true
#define MORE   .common = false

/* Rows of one heading stand together; of common options the order is theirs, too. */
const struct option_spec option_specs[] = {
    {OPTION_ELF, HEADING_TARGET, COMMON, 'e', "elf", "FILE", set_elf,
     "ELF file with the firmware's symbols [MPROF_ELF]; repeatable", VALUE_PATH},
    {OPTION_TARGET, HEADING_TARGET, COMMON, 'g', "gdb", "HOST:PORT", set_gdb,
     "Connect to the debug server's gdb port or serial line [MPROF_GDB]"},
    {OPTION_SAMPLER, HEADING_TARGET, COMMON, OPTION_ONLY_LONG, "sampler", "KIND", set_sampler,
     "Data to read: auto, table, calls, arcs, stream, histogram [default: auto]", VALUE_SAMPLER},
    {OPTION_TARGET, HEADING_TARGET, COMMON, OPTION_ONLY_LONG, "allow-halt", "[=DUTY]",
     set_allow_halt, "Allow halting the target, up to this fraction of time [default: 0.05]"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "link-share", "SHARE", set_link_share,
     "Read for at most this part of the time [default: 25%]"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "tcl", "HOST:PORT", set_tcl,
     "OpenOCD's Tcl port; 'none' disables it [default: 6666]", VALUE_TCL},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "target", "NAME", set_target,
     "Name of OpenOCD's target, or number of QEMU's CPU"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "serve", "HOST:PORT", set_serve,
     "Share the debug server: let your own gdb connect here"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "qmp", "HOST:PORT", set_qmp,
     "Read QEMU without halting it, through its QMP port or socket"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "mi", "COMMAND", set_mi,
     "Start a gdb with this command and read through it"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "mi-attach", "[=LINK]", set_mi_attach,
     "Read through a gdb that is already debugging the target"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "pid", "PID", set_pid,
     "Read a process on this machine that contains the stub"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "raw", "FILE", set_raw,
     "Read a memory dump of the table instead of a target", VALUE_PATH},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "timeout", "TIME", set_timeout,
     "Time limit for one answer of the server [default: 2s, gdb 10s]"},
    {OPTION_REFRESH, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "wait", "TIME", set_wait,
     "Time to wait for a lost target [default: 60s; screen: forever]"},
    {OPTION_TARGET, HEADING_TARGET, MORE, OPTION_ONLY_LONG, "force", NULL, set_force,
     "Show names even if the target runs another build"},
    {OPTION_TARGET, HEADING_TARGET, MORE, 'v', "verbose", NULL, set_verbose,
     "Print how the connection was made"},

    {OPTION_TARGET, HEADING_SYMBOLS, MORE, OPTION_ONLY_LONG, "symbol", "NAME", set_symbol,
     "Name of the table in the firmware [default: s_prof]"},
    {OPTION_TARGET, HEADING_SYMBOLS, MORE, OPTION_ONLY_LONG, "block-size", "BYTES", set_block_size,
     "Bytes per block of a table without a header [default: detected]"},
    {OPTION_ELF, HEADING_SYMBOLS, MORE, OPTION_ONLY_LONG, "alias", "FROM=TO+SIZE", set_alias,
     "Map target address FROM to ELF address TO, like 0=0x08000000+1M; repeatable"},
    {OPTION_ELF, HEADING_SYMBOLS, MORE, OPTION_ONLY_LONG, "region", "NAME=START+SIZE", set_region,
     "Show this address range as one row named [NAME]; repeatable"},

    {OPTION_CHANGES, HEADING_ROWS, COMMON, OPTION_ONLY_LONG, "by", "WHAT", set_change_by,
     "Rows: function, line, file, address or arc [default: function]", VALUE_BY},
    {OPTION_ROWS, HEADING_ROWS, COMMON, OPTION_ONLY_LONG, "by", "WHAT", set_by,
     "Rows: function, line, file, address, arc, inline or context [default: function]", VALUE_BY},
    {OPTION_ROWS, HEADING_ROWS, COMMON, 's', "sort", "COLUMN", set_sort,
     "Column to sort by [default: share]", VALUE_COLUMNS},
    {OPTION_CHANGES, HEADING_ROWS, COMMON, 's', "sort", "COLUMN", set_change_sort,
     "Column to sort by [default: impact]", VALUE_CHANGE_COLUMNS},
    {OPTION_ROWS | OPTION_CHANGES, HEADING_ROWS, COMMON, OPTION_ONLY_LONG, "ignore", "LIST",
     set_ignore, "Leave out functions, files or addresses, like 'HAL_*,startup.c'; repeatable",
     VALUE_FUNCTIONS},
    {OPTION_ROWS | OPTION_CHANGES | OPTION_LIMIT, HEADING_ROWS, COMMON, OPTION_ONLY_LONG, "limit",
     "ROWS", set_limit, "Show at most this many rows [default: all]"},
    {OPTION_ROWS, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "context", "NAME", set_context,
     "Show only samples of this exception, like SysTick_Handler, IRQ7 or thread"},
    {OPTION_ROWS | OPTION_CONTEXT, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "idle", "LIST", set_idle,
     "Count these functions as idle too, like 'my_idle,sleep_*'; repeatable", VALUE_FUNCTIONS},
    {OPTION_TYPE, HEADING_ROWS, MORE, OPTION_ONLY_LONG, "type", "NAME", set_type,
     "Sample type of a pprof file, like inuse_space [default: its first]"},

    {OPTION_SIDES, HEADING_COMPARISON, COMMON, OPTION_ONLY_LONG, "base", "FILE...", set_base,
     "Snapshots from before the change", VALUE_PATH},
    {OPTION_SIDES, HEADING_COMPARISON, COMMON, OPTION_ONLY_LONG, "new", "FILE...", set_new,
     "Snapshots from after the change", VALUE_PATH},
    {OPTION_CHANGES, HEADING_COMPARISON, MORE, OPTION_ONLY_LONG, "per", "WHAT", set_per,
     "Reference for changes: median, second or function:NAME [default: median]", VALUE_PER},
    {OPTION_CHANGES, HEADING_COMPARISON, MORE, OPTION_ONLY_LONG, "fdr", "FRACTION", set_fdr,
     "Limit of the false discovery rate of marked rows [default: 0.05]"},
    {OPTION_CHANGES, HEADING_COMPARISON, MORE, OPTION_ONLY_LONG, "noise", "FRACTION", set_noise,
     "Minimum noise between runs (standard deviation), like 2% [default: 0]"},

    {OPTION_GATE, HEADING_GATE, COMMON, OPTION_ONLY_LONG, "fail-above", "LIMIT", set_fail_above,
     "Exit 3 if a change exceeds +2pp, +5% or 'fir_*=+5%'; repeatable"},
    {OPTION_GATE, HEADING_GATE, COMMON, OPTION_ONLY_LONG, "budgets", "FILE", set_budgets,
     "Exit 3 if a function exceeds its share in this file", VALUE_PATH},
    {OPTION_GATE, HEADING_GATE, MORE, OPTION_ONLY_LONG, "junit", "FILE", set_junit,
     "Write the gate's result to this file as JUnit XML", VALUE_PATH},

    {OPTION_RECORD, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "duration", "TIME", set_duration,
     "Record only this long, like 10s or 2min [default: since reset]"},
    {OPTION_RECORD, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "hits", "N", set_hits,
     "Record until N hits were counted"},
    {OPTION_RECORD, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "precision", "SHARE",
     set_precision, "Record until intervals of the top ten rows are below SHARE"},
    {OPTION_RECORD, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "repeat", "N", set_repeat,
     "Record N snapshots: run-1.pb.gz, run-2.pb.gz, ... [default: 1]"},
    {OPTION_RECORD, HEADING_RECORDING, COMMON, OPTION_ONLY_LONG, "reset", NULL, set_reset,
     "Clear the counters in the target first"},

    {OPTION_REFRESH, HEADING_REFRESH, COMMON, 'd', "delay", "TIME", set_delay,
     "Time between two refreshes or lines [default: 1s]"},
    {OPTION_REFRESH, HEADING_REFRESH, COMMON, 'n', "iterations", "N", set_iterations,
     "Stop after N refreshes or lines [default: unlimited; top --batch: 3]"},
    {OPTION_REFRESH, HEADING_REFRESH, MORE, 'r', "restart-on-resume", NULL, set_restart_on_resume,
     "Restart counting each time the target resumes"},

    {OPTION_FOCUS, HEADING_SOURCE, COMMON, OPTION_ONLY_LONG, "focus", "[=TIME]", set_focus,
     "Count single instructions this long; needs MPROF_FOCUS_CNT [default: 1s]"},
    {OPTION_ANNOTATE, HEADING_SOURCE, MORE, OPTION_ONLY_LONG, "source", "DIR", set_source,
     "Folder to search for source files; repeatable", VALUE_PATH},
    {OPTION_ANNOTATE, HEADING_SOURCE, MORE, OPTION_ONLY_LONG, "min", "SHARE", set_min,
     "Hide instructions below this share of the function, like 0.5%"},
    {OPTION_ANNOTATE, HEADING_SOURCE, MORE, OPTION_ONLY_LONG, "disassembler", "COMMAND",
     set_disassembler, "gdb that disassembles the ELF file [default: gdb-multiarch, then gdb]"},

    {OPTION_SHELL, HEADING_SHELL, COMMON, 'c', "command", "COMMANDS", set_script,
     "Run these commands, separated by ';', then exit"},
    {OPTION_SHELL, HEADING_SHELL, MORE, 'k', "keep-going", NULL, set_keep_going,
     "Continue after a command that fails"},

    {OPTION_SCREEN, HEADING_OUTPUT, COMMON, 'b', "batch", NULL, set_batch,
     "Print plain text instead of the live screen"},
    {OPTION_FORMAT, HEADING_OUTPUT, COMMON, OPTION_ONLY_LONG, "format", "NAME", set_format,
     "Output format: %s [default: table]", VALUE_FORMAT},
    {OPTION_EXPORT, HEADING_OUTPUT, COMMON, OPTION_ONLY_LONG, "format", "NAME", set_exporter,
     "Output format; see Formats below", VALUE_EXPORTER},
    {OPTION_OUTPUT, HEADING_OUTPUT, COMMON, 'o', "output", "FILE", set_output,
     "Write to this file instead of standard output", VALUE_PATH},
    {OPTION_SAVE, HEADING_OUTPUT, COMMON, 'o', "output", "FILE", set_output,
     "Write the snapshot to this file", VALUE_PATH},
    {OPTION_STORE, HEADING_OUTPUT, COMMON, OPTION_ONLY_LONG, "store", "DIR", set_store,
     "Folder to keep snapshots in; @0 is the newest [MPROF_STORE]", VALUE_PATH},
    {OPTION_ROWS, HEADING_OUTPUT, MORE, 'f', "fields", "LIST", set_fields,
     "Columns to show, like share,error,hits,function", VALUE_COLUMNS},
    {OPTION_CHANGES, HEADING_OUTPUT, MORE, 'f', "fields", "LIST", set_change_fields,
     "Columns to show, like significant,change,ratio,function", VALUE_CHANGE_COLUMNS},

    {0, HEADING_GENERAL, COMMON, 'h', "help", NULL, NULL, "Show this help"},
    {0, HEADING_GENERAL, MORE, 'V', "version", NULL, NULL, "Show the version"},
    {.name = NULL},
};

static const char *word_at(const char *const *words, size_t count, size_t index)
{
    return index < count ? words[index] : NULL;
}

const char *option_word(enum option_value type, size_t index)
{
    static const char *const pers[] = {"median", "second", "function:"};
    static const char *const tcls[] = {GDBMI_TCL_NONE};

    switch (type) {
    case VALUE_BY:
        return word_at(bys, COUNT(bys), index);
    case VALUE_PER:
        return word_at(pers, COUNT(pers), index);
    case VALUE_SAMPLER:
        return word_at(samplers, COUNT(samplers), index);
    case VALUE_FORMAT:
        return word_at(formats, COUNT(formats), index);
    case VALUE_EXPORTER:
        return exporters[index].name;
    case VALUE_TCL:
        return word_at(tcls, COUNT(tcls), index);
    case VALUE_OTHER:
    case VALUE_PATH:
    case VALUE_FUNCTIONS:
    case VALUE_COLUMNS:
    case VALUE_CHANGE_COLUMNS:
        break;
    }
    return NULL;
}

bool option_is_taken(const struct command *command, const struct option_spec *spec)
{
    return !spec->set || (command->options & spec->group) != 0;
}

/* Writes "table", "table or json", "table, json or csv". */
static void join_formats(unsigned accepted, char *text, size_t capacity)
{
    const char *names[COUNT(formats)];
    size_t count = list_formats(accepted, names), used = 0;

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
        .duty = DUTY_NORMAL,
        .delay_s = 1,
        .wait_s = -1,
        .sort = view_ranking_columns.column, /* by share */
        .change.diff = DIFF_OPTIONS_DEFAULT,
    };
}
