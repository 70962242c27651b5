/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table says how each option is called, what it takes, and what --help says of it. */
#define _POSIX_C_SOURCE 200809L

#include <options/option_table.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/number.h>

#define DELAY_MIN      0.01
#define DELAY_MAX      86400.0
#define TIMEOUT_MIN    0.01
#define TIMEOUT_MAX    3600.0
#define DUTY_NORMAL    0.05
#define BLOCK_SIZE_MAX 65536
#define LIMIT_MAX      1e4 /* of a change, 1000000 % */

static bool wrong(char *text, const char *what, const char *value)
{
    snprintf(text, OPTION_TEXT, "'%s' is not %s", value, what);
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
        return wrong(text, "to be added: it was named already", value);
    if (o->elf_given)
        return elf_map_add(&o->map, value) ||
               wrong(text, "to be added: 8 ELF files at most", value);
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
        return wrong(text, "the number of a process", value);
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
    return wrong(text, "one of auto, table, calls, arcs, stream, histogram", value);
}

static bool set_allow_halt(struct options *o, const char *value, char *text)
{
    o->link.allow_halt = true;
    o->duty = DUTY_NORMAL;
    return !value || number_parse_part(value, 1e-300, 1, &o->duty) ||
           wrong(text, "a part of the time like 0.05 or 5%", value);
}

static bool set_by(struct options *o, const char *value, char *text)
{
    return view_by_parse(value, &o->by) ||
           wrong(text, "one of function, line, file, address, arc, inline, context", value);
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
    return one.count == 1 || wrong(text, "one field", value);
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
        return wrong(text, "one of median, second, function:NAME", value);
    }
    return true;
}

static bool set_fdr(struct options *o, const char *value, char *text)
{
    return number_parse_part(value, 1e-9, 0.5, &o->change.diff.fdr) ||
           wrong(text, "a part of 1 above 0 and up to 0.5, like 0.05 or 5%", value);
}

static bool set_noise(struct options *o, const char *value, char *text)
{
    return number_parse_part(value, 0, 1, &o->change.diff.noise) ||
           wrong(text, "a relative standard deviation like 2% or 0.02", value);
}

static bool set_fail_above(struct options *o, const char *value, char *text)
{
    if (o->threshold_count == OPTION_THRESHOLDS)
        return wrong(text, "to be added: there are 64 thresholds", value);
    struct gate_threshold *t = &o->thresholds[o->threshold_count];
    if (!gate_parse(value, t))
        return wrong(text, "a threshold like +2pp, +5%, -1pp or 'fir_*=+5%'", value);
    if (t->limit <= -1)
        return wrong(text, "a threshold that can be broken: nothing falls by more than 100 %",
                     value);
    if (t->limit > LIMIT_MAX)
        return wrong(text, "a threshold that can be broken: it is beyond 1000000 %", value);
    o->threshold_texts[o->threshold_count++] = value;
    return true;
}

static bool set_iterations(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->iterations) || wrong(text, "a number of refreshes", value);
}

static bool set_delay(struct options *o, const char *value, char *text)
{
    return number_parse(value, DELAY_MIN, DELAY_MAX, &o->delay_s) ||
           wrong(text, "a number of seconds from 0.01 to 86400", value);
}

static bool set_wait(struct options *o, const char *value, char *text)
{
    if (number_parse(value, 0, DELAY_MAX, &o->wait_s))
        return true;
    return wrong(text, "a number of seconds from 0 to 86400", value);
}

static bool set_timeout(struct options *o, const char *value, char *text)
{
    double seconds;

    if (!number_parse(value, TIMEOUT_MIN, TIMEOUT_MAX, &seconds))
        return wrong(text, "a number of seconds from 0.01 to 3600", value);
    o->link.timeout_ms = (int)(seconds * 1e3);
    return true;
}

static bool set_limit(struct options *o, const char *value, char *text)
{
    unsigned long limit;

    if (!take_count(value, &limit))
        return wrong(text, "a number of rows", value);
    o->limit = limit;
    return true;
}

static bool set_format(struct options *o, const char *value, char *text)
{
    if (strcmp(value, "table") == 0)
        o->format = FORMAT_TABLE;
    else if (strcmp(value, "json") == 0)
        o->format = FORMAT_JSON;
    else if (strcmp(value, "csv") == 0)
        o->format = FORMAT_CSV;
    else if (strcmp(value, "markdown") == 0)
        o->format = FORMAT_MARKDOWN;
    else
        return wrong(text, "one of table, json, csv, markdown", value);
    return true;
}

static bool set_exporter(struct options *o, const char *value, char *text)
{
    char names[OPTION_TEXT / 2] = "one of";
    size_t at = strlen(names);

    o->exporter = exporter_find(value);
    for (const struct exporter *x = exporters; x->name; x++)
        at += (size_t)snprintf(names + at, sizeof(names) - at, "%s %s", x == exporters ? "" : ",",
                               x->name);
    return o->exporter || wrong(text, names, value);
}

static bool set_duration(struct options *o, const char *value, char *text)
{
    return number_parse(value, DELAY_MIN, DELAY_MAX, &o->duration_s) ||
           wrong(text, "a number of seconds from 0.01 to 86400", value);
}

static bool set_hits(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->hits) || wrong(text, "a number of hits", value);
}

static bool set_precision(struct options *o, const char *value, char *text)
{
    return (number_parse(value, 0, 1, &o->precision) && o->precision > 0) ||
           wrong(text, "a share above 0, like 0.01", value);
}

static bool set_repeat(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->repeat) || wrong(text, "a number of snapshots", value);
}

static bool set_store(struct options *o, const char *value, char *text)
{
    (void)text;
    o->store_given = true;
    o->store = value;
    return true;
}

/* The parser knows whose the files are. */
static bool set_side(struct options *o, const char *value, char *text)
{
    (void)o, (void)value, (void)text;
    return true;
}

static bool set_source(struct options *o, const char *value, char *text)
{
    size_t count = 0;

    while (o->sources[count])
        count++;
    if (count == OPTION_SOURCES_MAX)
        return wrong(text, "to be added: 16 folders at most", value);
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

const struct option_spec option_specs[] = {
    {OPTION_ELF, 'e', "elf", "FILE", set_elf,
     "firmware with its symbols (or MPROF_ELF); repeatable: the first has the table, more add "
     "names"},
    {OPTION_ELF, OPTION_ONLY_LONG, "alias", "FROM=TO+SIZE", set_alias,
     "the target reports at FROM what the ELF has at TO: 0=0x08000000+1M; repeatable"},
    {OPTION_ELF, OPTION_ONLY_LONG, "region", "NAME=START+SIZE", set_region,
     "what stands there is one row, [NAME], as ROM=0x1fff0000+32k; repeatable"},
    {OPTION_TARGET, 'g', "gdb", "HOST:PORT", set_gdb,
     "the debug server's gdb port; :3333 is localhost; or a serial line, /dev/ttyACM0 (or "
     "MPROF_GDB)"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "tcl", "HOST:PORT", set_tcl,
     "OpenOCD's Tcl port, when it is not 6666; none: use the gdb port"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "target", "NAME", set_target,
     "which of OpenOCD's targets, or the number of QEMU's CPU"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "serve", "HOST:PORT", set_serve,
     "where your own gdb connects, to share a server that takes one client"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "qmp", "HOST:PORT", set_qmp,
     "QEMU's QMP port or socket: read without a halt"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "mi", "COMMAND", set_mi,
     "a gdb to start, like 'gdb-multiarch -q fw.elf'"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "mi-attach", "[=LINK]", set_mi_attach,
     "join the gdb in which you debug: mprof says what to type there"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "pid", "PID", set_pid,
     "a process on this machine that carries the stub"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "raw", "FILE", set_raw,
     "a dump of the table: in gdb, dump binary value FILE s_prof"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "symbol", "NAME", set_symbol,
     "the table, normally s_prof: the stub's, or an array of addresses and hits"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "block-size", "BYTES", set_block_size,
     "bytes of code that a row of a table without a header stands for (as its addresses are "
     "aligned, at most 16)"},
    {OPTION_SAMPLER, OPTION_ONLY_LONG, "sampler", "KIND", set_sampler,
     "the block to read: table, calls, arcs, stream, histogram; auto: the stream where reading it "
     "halts nobody, else the first of the others"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "allow-halt", "[=DUTY]", set_allow_halt,
     "hardware that can only be read while halted may be halted for that part of the time "
     "(0.05)"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "timeout", "SECONDS", set_timeout,
     "time limit for one answer of the debug server (2; of a gdb 10; of the stub 0.5; or "
     "MPROF_TIMEOUT)"},
    {OPTION_TARGET, OPTION_ONLY_LONG, "force", NULL, set_force,
     "show names although the target does not hold this ELF"},
    {OPTION_CHANGES, OPTION_ONLY_LONG, "by", "WHAT", set_by,
     "a row is a function, line, file, address; arc: a function and its caller"},
    {OPTION_ROWS, OPTION_ONLY_LONG, "by", "WHAT", set_by,
     "a row is a function, line, file, address; arc: a function and its caller; inline: inlined "
     "functions apart, with their callers; context: an exception, or thread"},
    {OPTION_ROWS | OPTION_CHANGES, OPTION_ONLY_LONG, "ignore", "LIST", set_ignore,
     "leave out functions, files (*.c) or addresses (0x1000-0x2000, 0x1000+0x400); repeatable"},
    {OPTION_ROWS, OPTION_ONLY_LONG, "context", "NAME", set_context,
     "only what came in that exception, of a stream: its handler, its number, IRQ7, or thread"},
    {OPTION_ROWS | OPTION_CONTEXT, OPTION_ONLY_LONG, "idle", "LIST", set_idle,
     "functions that wait, beside those known by name, as for --ignore; repeatable"},
    {OPTION_ROWS, 'f', "fields", "LIST", set_fields, "columns, like share,error,bar,function"},
    {OPTION_ROWS, 's', "sort", "FIELD", set_sort, "the column that ranks (share)"},
    {OPTION_REFRESH, 'n', "iterations", "N", set_iterations,
     "end after N refreshes, or lines (top: after 3 where the output is no terminal)"},
    {OPTION_REFRESH, 'd', "delay", "SECONDS", set_delay, "between two refreshes, or lines (1)"},
    {OPTION_REFRESH, 'r', "restart-on-resume", NULL, set_restart_on_resume,
     "count anew each time that the target is let go: what ran between two breakpoints"},
    {OPTION_REFRESH, OPTION_ONLY_LONG, "wait", "SECONDS", set_wait,
     "how long a server that is lost, or a target that cannot be read, is waited for (60; for ever "
     "on a live screen)"},
    {OPTION_ROWS | OPTION_CHANGES | OPTION_LIMIT, OPTION_ONLY_LONG, "limit", "ROWS", set_limit,
     "at most so many rows"},
    {OPTION_FORMAT, OPTION_ONLY_LONG, "format", "NAME", set_format,
     "table; json: objects, one a line; csv: a line of names, then one a row; markdown, of what is "
     "printed once"},
    {OPTION_EXPORT, OPTION_ONLY_LONG, "format", "NAME", set_exporter, "what to write, see below"},
    {OPTION_OUTPUT, 'o', "output", "FILE", set_output, "write there, not to standard output"},
    {OPTION_STORE, OPTION_ONLY_LONG, "store", "DIR", set_store,
     "a folder of snapshots, where @0 is the newest, @1 the one before, @BUILD all of a build (or "
     "MPROF_STORE)"},
    {OPTION_TYPE, OPTION_ONLY_LONG, "type", "NAME", set_type,
     "what of a profile of others is meant, like inuse_space"},
    {OPTION_RECORD, OPTION_ONLY_LONG, "duration", "SECONDS", set_duration,
     "count for so long, and only what comes then"},
    {OPTION_RECORD, OPTION_ONLY_LONG, "hits", "N", set_hits, "count until so many came"},
    {OPTION_RECORD, OPTION_ONLY_LONG, "precision", "SHARE", set_precision,
     "count until none of the first ten rows has a wider interval, like 0.01"},
    {OPTION_RECORD, OPTION_ONLY_LONG, "repeat", "N", set_repeat,
     "so many snapshots in a row: of a.pb.gz, a-1.pb.gz, a-2.pb.gz, ..."},
    {OPTION_RECORD, OPTION_ONLY_LONG, "reset", NULL, set_reset,
     "let the stub's counts begin anew before"},
    {OPTION_ANNOTATE, OPTION_ONLY_LONG, "source", "DIR", set_source,
     "where source files are that are not at their own paths; repeatable"},
    {OPTION_ANNOTATE, OPTION_ONLY_LONG, "min", "SHARE", set_min,
     "leave out instructions below that share of the function, like 0.5%"},
    {OPTION_ANNOTATE, OPTION_ONLY_LONG, "disassembler", "COMMAND", set_disassembler,
     "the gdb that reads the ELF's instructions (gdb-multiarch, or gdb)"},
    {OPTION_SCREEN, 'b', "batch", NULL, set_batch, "plain text, no live screen"},
    {OPTION_TARGET, 'v', "verbose", NULL, set_verbose, "say on stderr how the connection was made"},
    {OPTION_SIDES, OPTION_ONLY_LONG, "base", "FILE...", set_side, "what it is compared with"},
    {OPTION_SIDES, OPTION_ONLY_LONG, "new", "FILE...", set_side, "what it is now"},
    {OPTION_CHANGES, 'f', "fields", "LIST", set_change_fields,
     "columns, like significant,change,ratio,function"},
    {OPTION_CHANGES, 's', "sort", "FIELD", set_change_sort, "the column that ranks (impact)"},
    {OPTION_CHANGES, OPTION_ONLY_LONG, "per", "WHAT", set_per,
     "a change is relative to: median (what most rows agree on), second, or function:NAME"},
    {OPTION_CHANGES, OPTION_ONLY_LONG, "fdr", "PART", set_fdr,
     "in how many diffs any row may be called significant falsely (0.05)"},
    {OPTION_CHANGES, OPTION_ONLY_LONG, "noise", "PART", set_noise,
     "by how much runs of one firmware differ at least, like 2%"},
    {OPTION_GATE, OPTION_ONLY_LONG, "fail-above", "LIMIT", set_fail_above,
     "exit 3 if a significant change is more: '+2pp' of the whole, '+5%' of the row, 'fir_*=+5%'; "
     "repeatable"},
    {OPTION_GATE, OPTION_ONLY_LONG, "budgets", "FILE", set_budgets,
     "exit 3 if a row takes surely more than its line 'FUNCTION MAX_SHARE' says"},
    {OPTION_GATE, OPTION_ONLY_LONG, "junit", "FILE", set_junit, "what of that held, as JUnit XML"},
    {OPTION_SHELL, 'c', "command", "COMMANDS", set_script,
     "run these, with ; between them, and end"},
    {OPTION_SHELL, 'k', "keep-going", NULL, set_keep_going,
     "a command of a script that fails does not end it"},
    {0, 'h', "help", NULL, NULL, "this text"},
    {0, 'V', "version", NULL, NULL, "which version this is"},
    {.name = NULL},
};

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
