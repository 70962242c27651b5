/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table says how each option is called, what it takes, and what --help says of it. */
#define _POSIX_C_SOURCE 200809L

#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <view/csv.h>

#define DELAY_MIN   0.01
#define DELAY_MAX   86400.0
#define TEXT_MAX    400
#define DUTY_NORMAL 0.05
#define GRAIN_MAX   65536

/* false: text says why value is not one. */
typedef bool set_option(struct options *o, const char *value, char *text);

struct spec {
    int letter; /* what getopt returns: a letter, or above CHAR_MAX for none */
    const char *name;
    const char *value; /* what it takes, NULL: nothing, "[=X]": X or nothing */
    set_option *set;
    const char *help;
};

static bool wrong(char *text, const char *what, const char *value)
{
    snprintf(text, TEXT_MAX, "'%s' is not %s", value, what);
    return false;
}

static bool take_number(const char *value, double low, double high, double *number)
{
    char *end;

    errno = 0;
    double n = strtod(value, &end);
    if (end == value || *end || errno || !(n >= low && n <= high))
        return false;
    *number = n;
    return true;
}

static bool take_count(const char *value, unsigned long *count)
{
    double n;

    if (!take_number(value, 1, 1e9, &n) || fabs(n - floor(n)) > 0)
        return false;
    *count = (unsigned long)n;
    return true;
}

static bool set_elf(struct options *o, const char *value, char *text)
{
    /* Given twice it would mean two images at once, which this version does not read. */
    if (o->elf_given)
        return wrong(text, "to be added: one ELF file at a time", value);
    o->elf_given = true;
    o->elf = value;
    return true;
}

static bool set_gdb(struct options *o, const char *value, char *text)
{
    (void)text;
    o->link.gdb = value;
    return true;
}

static bool set_tcl(struct options *o, const char *value, char *text)
{
    (void)text;
    o->link.tcl = value;
    return true;
}

static bool set_target(struct options *o, const char *value, char *text)
{
    (void)text;
    o->link.target = value;
    return true;
}

static bool set_serve(struct options *o, const char *value, char *text)
{
    (void)text;
    o->link.serve = value;
    return true;
}

static bool set_qmp(struct options *o, const char *value, char *text)
{
    (void)text;
    o->link.qmp = value;
    return true;
}

static bool set_mi(struct options *o, const char *value, char *text)
{
    (void)text;
    o->link.mi = value;
    return true;
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

static bool set_raw(struct options *o, const char *value, char *text)
{
    (void)text;
    o->link.raw = value;
    return true;
}

static bool set_force(struct options *o, const char *value, char *text)
{
    (void)value, (void)text;
    o->force = true;
    return true;
}

static bool set_symbol(struct options *o, const char *value, char *text)
{
    (void)text;
    o->symbol = value;
    return true;
}

static bool set_grain(struct options *o, const char *value, char *text)
{
    unsigned long grain;

    if (!take_count(value, &grain) || grain > GRAIN_MAX || (grain & (grain - 1)) != 0)
        return wrong(text, "a power of two from 1 to 65536", value);
    o->grain = (unsigned)grain;
    return true;
}

/* The sources of the profile have the same order. */
static bool set_sampler(struct options *o, const char *value, char *text)
{
    if (strcmp(value, "auto") == 0 || strcmp(value, "kept") == 0) {
        o->sampler = value[0] == 'a' ? SAMPLER_AUTO : SAMPLER_KEPT;
        return true;
    }
    for (int i = SAMPLER_TABLE; i <= SAMPLER_HISTOGRAM; i++) {
        if (strcmp(value, decode_source_name((enum decode_source)(i - SAMPLER_TABLE))) == 0) {
            o->sampler = (enum sampler_kind)i;
            return true;
        }
    }
    return wrong(text, "one of auto, kept, table, calls, arcs, stream, histogram", value);
}

static bool set_allow_halt(struct options *o, const char *value, char *text)
{
    size_t len = value ? strlen(value) : 0;
    char number[32];
    double duty = DUTY_NORMAL;

    o->link.allow_halt = true;
    if (value) {
        bool percent = len > 1 && value[len - 1] == '%';
        snprintf(number, sizeof(number), "%.*s", (int)(percent ? len - 1 : len), value);
        if (len >= sizeof(number) || !take_number(number, 0, percent ? 100 : 1, &duty) || duty <= 0)
            return wrong(text, "a part of the time like 0.05 or 5%", value);
        duty /= percent ? 100 : 1;
    }
    o->duty = duty;
    return true;
}

static bool set_by(struct options *o, const char *value, char *text)
{
    return view_by_parse(value, &o->by) ||
           wrong(text, "one of function, line, file, address, arc", value);
}

static bool set_ignore(struct options *o, const char *value, char *text)
{
    return view_ignore_parse(value, &o->ignore, text, TEXT_MAX);
}

static bool set_fields(struct options *o, const char *value, char *text)
{
    return view_fields_parse(value, &o->fields, text, TEXT_MAX);
}

static bool set_sort(struct options *o, const char *value, char *text)
{
    struct view_fields one;

    if (!view_fields_parse(value, &one, text, TEXT_MAX))
        return false;
    o->sort = one.column[0];
    return one.count == 1 || wrong(text, "one field", value);
}

static bool set_iterations(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->iterations) || wrong(text, "a number of refreshes", value);
}

static bool set_delay(struct options *o, const char *value, char *text)
{
    return take_number(value, DELAY_MIN, DELAY_MAX, &o->delay_s) ||
           wrong(text, "a number of seconds from 0.01 to 86400", value);
}

static bool set_wait(struct options *o, const char *value, char *text)
{
    if (take_number(value, 0, DELAY_MAX, &o->wait_s))
        return true;
    return wrong(text, "a number of seconds from 0 to 86400", value);
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

static bool set_type(struct options *o, const char *value, char *text)
{
    (void)text;
    o->type = value;
    return true;
}

static bool set_duration(struct options *o, const char *value, char *text)
{
    return take_number(value, DELAY_MIN, DELAY_MAX, &o->duration_s) ||
           wrong(text, "a number of seconds from 0.01 to 86400", value);
}

static bool set_hits(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->hits) || wrong(text, "a number of hits", value);
}

static bool set_precision(struct options *o, const char *value, char *text)
{
    return (take_number(value, 0, 1, &o->precision) && o->precision > 0) ||
           wrong(text, "a share above 0, like 0.01", value);
}

static bool set_repeat(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->repeat) || wrong(text, "a number of snapshots", value);
}

static bool set_reset(struct options *o, const char *value, char *text)
{
    (void)value, (void)text;
    o->reset = true;
    return true;
}

static bool set_output(struct options *o, const char *value, char *text)
{
    (void)text;
    o->output = value;
    return true;
}

static bool set_batch(struct options *o, const char *value, char *text)
{
    (void)value, (void)text;
    o->batch = true;
    return true;
}

static bool set_verbose(struct options *o, const char *value, char *text)
{
    (void)value, (void)text;
    o->verbose = true;
    return true;
}

enum { ONLY_LONG = CHAR_MAX + 1 };

static const struct spec specs[] = {
    {'e', "elf", "FILE", set_elf, "firmware with its symbols (or MPROF_ELF)"},
    {'g', "gdb", "HOST:PORT", set_gdb,
     "the debug server's gdb port; :3333 is localhost; or a serial line, /dev/ttyACM0 (or "
     "MPROF_GDB)"},
    {ONLY_LONG, "tcl", "HOST:PORT", set_tcl,
     "OpenOCD's Tcl port, when it is not 6666; none: use the gdb port"},
    {ONLY_LONG, "target", "NAME", set_target,
     "which of OpenOCD's targets, or the number of QEMU's CPU"},
    {ONLY_LONG, "serve", "HOST:PORT", set_serve,
     "where your own gdb connects, to share a server that takes one client"},
    {ONLY_LONG, "qmp", "HOST:PORT", set_qmp, "QEMU's QMP port or socket: read without a halt"},
    {ONLY_LONG, "mi", "COMMAND", set_mi, "a gdb to start, like 'gdb-multiarch -q fw.elf'"},
    {ONLY_LONG, "mi-attach", "[=LINK]", set_mi_attach,
     "join the gdb in which you debug: mprof says what to type there"},
    {ONLY_LONG, "pid", "PID", set_pid, "a process on this machine that carries the stub"},
    {ONLY_LONG, "raw", "FILE", set_raw,
     "a dump of the table: in gdb, dump binary value FILE s_prof"},
    {ONLY_LONG, "symbol", "NAME", set_symbol,
     "the table, normally s_prof: the stub's, or an array of addresses and hits"},
    {ONLY_LONG, "grain", "BYTES", set_grain,
     "bytes of code that a row of a table without a header stands for (as its addresses are "
     "aligned, at most 16)"},
    {ONLY_LONG, "sampler", "KIND", set_sampler,
     "the block to read: table, calls, arcs, stream, histogram; kept: what the target adds up; "
     "auto: "
     "the stream where reading it halts nobody, else as kept"},
    {ONLY_LONG, "allow-halt", "[=DUTY]", set_allow_halt,
     "hardware that can only be read while halted may be halted for that part of the time "
     "(0.05)"},
    {ONLY_LONG, "force", NULL, set_force, "show names although the target does not hold this ELF"},
    {ONLY_LONG, "by", "WHAT", set_by,
     "a row is a function, line, file, address, or an arc: a function and its caller"},
    {ONLY_LONG, "ignore", "LIST", set_ignore,
     "leave out functions, files (*.c) or addresses (0x1000-0x2000, 0x1000+0x400); repeatable"},
    {'f', "fields", "LIST", set_fields, "columns, like share,error,bar,function"},
    {'s', "sort", "FIELD", set_sort, "the column that ranks (share)"},
    {'n', "iterations", "N", set_iterations,
     "end after N refreshes (3 where the output is no terminal)"},
    {'d', "delay", "SECONDS", set_delay, "between two refreshes (1)"},
    {ONLY_LONG, "wait", "SECONDS", set_wait,
     "how long a server that is lost, or a target that cannot be read, is waited for (60; for ever "
     "on a live screen)"},
    {ONLY_LONG, "limit", "ROWS", set_limit, "at most so many rows"},
    {ONLY_LONG, "format", "NAME", set_format,
     "table; json: one object a refresh and line; csv: one line a row; or markdown"},
    {'o', "output", "FILE", set_output, "write there, not to the terminal"},
    {ONLY_LONG, "type", "NAME", set_type,
     "what of a profile of others is ranked, like inuse_space"},
    {ONLY_LONG, "duration", "SECONDS", set_duration, "count for so long, and only what comes then"},
    {ONLY_LONG, "hits", "N", set_hits, "count until so many came"},
    {ONLY_LONG, "precision", "SHARE", set_precision,
     "count until none of the first ten rows has a wider interval, like 0.01"},
    {ONLY_LONG, "repeat", "N", set_repeat,
     "so many snapshots in a row: of a.pb.gz, a-1.pb.gz, a-2.pb.gz, ..."},
    {ONLY_LONG, "reset", NULL, set_reset, "let the stub's counts begin anew before"},
    {'b', "batch", NULL, set_batch, "plain text, no live screen"},
    {'v', "verbose", NULL, set_verbose, "say on stderr how the connection was made"},
    {'h', "help", NULL, NULL, "this text"},
    {'V', "version", NULL, NULL, "which version this is"},
};

#define SPECS (sizeof(specs) / sizeof(specs[0]))

/* The verb that alone has it; NULL: all have it. */
static const char *verb_of(const struct spec *spec)
{
    bool of_snapshot = spec->set == set_duration || spec->set == set_hits ||
                       spec->set == set_precision || spec->set == set_repeat ||
                       spec->set == set_reset;

    if (spec->set == set_type)
        return "report";
    return of_snapshot ? "snapshot" : NULL;
}

/* A command that looks once has no refreshes. */
static bool takes(const struct command *command, const struct spec *spec)
{
    const char *verb = verb_of(spec);

    if (verb && strcmp(verb, command->name) != 0)
        return false;
    return !command->once || (spec->set != set_iterations && spec->set != set_delay &&
                              spec->set != set_batch && spec->set != set_wait);
}

static void print_spec(const struct spec *s)
{
    char left[48];
    const char *value = s->value ? s->value : "";
    const char *between = s->value && value[0] != '[' ? " " : "";

    if (s->letter < ONLY_LONG)
        snprintf(left, sizeof(left), "-%c, --%s%s%s", s->letter, s->name, between, value);
    else
        snprintf(left, sizeof(left), "    --%s%s%s", s->name, between, value);
    printf("  %-23s %s\n", left, s->help);
}

static void print_help(const struct command *command)
{
    size_t count;
    const struct view_column *columns = view_columns(&count);

    printf("usage: mprof %s%s%s --elf FILE --gdb HOST:PORT [OPTION]...\n\n%s\n\n", command->name,
           command->operands ? " " : "", command->operands ? command->operands : "",
           command->summary);
    for (size_t i = 0; i < SPECS; i++) {
        if (takes(command, &specs[i]))
            print_spec(&specs[i]);
    }
    puts("\nfields:");
    for (size_t i = 0; i < count; i++)
        printf("  %-10s %s\n", columns[i].name, columns[i].help);
}

static void list_options(struct option *longs, char *shorts)
{
    *shorts++ = ':'; /* a missing value is told from a wrong option */
    for (size_t i = 0; i < SPECS; i++) {
        const struct spec *s = &specs[i];
        bool optional = s->value && s->value[0] == '[';
        longs[i] = (struct option){
            .name = s->name,
            .has_arg = optional   ? optional_argument
                       : s->value ? required_argument
                                  : no_argument,
            .val = s->letter < ONLY_LONG ? s->letter : (int)(ONLY_LONG + i),
        };
        if (s->letter < ONLY_LONG) {
            *shorts++ = (char)s->letter;
            if (s->value)
                *shorts++ = ':';
        }
    }
    longs[SPECS] = (struct option){.name = NULL};
    *shorts = '\0';
}

static const struct spec *find_spec(int got)
{
    for (size_t i = 0; i < SPECS; i++) {
        if (got == (specs[i].letter < ONLY_LONG ? specs[i].letter : (int)(ONLY_LONG + i)))
            return &specs[i];
    }
    return NULL;
}

static bool usage(const struct command *command, int *status, const char *what, const char *text)
{
    complain("%s%s; mprof %s --help lists the options", what, text, command->name);
    *status = STATUS_USAGE;
    return false;
}

static bool take_one(const struct command *command, const struct spec *spec, struct options *o,
                     int *status)
{
    char text[TEXT_MAX];
    char what[64];

    if (!spec->set) {
        if (spec->letter == 'h')
            print_help(command);
        else
            puts("mprof " MPROF_VERSION);
        *status = STATUS_DONE;
        return false;
    }
    if (!takes(command, spec)) {
        const char *verb = verb_of(spec);
        snprintf(text, sizeof(text), "%s%s%s", spec->name,
                 verb ? " here, it is one of " : ": it prints one profile and ends",
                 verb ? verb : "");
        return usage(command, status, "no option --", text);
    }
    if (optarg && optarg[0] == '\0') {
        snprintf(what, sizeof(what), "--%s", spec->name);
        return usage(command, status, what, " needs a value, and got an empty one");
    }
    if (spec->set(o, optarg, text))
        return true;
    snprintf(what, sizeof(what), "--%s: ", spec->name);
    return usage(command, status, what, text);
}

/* Empty is as good as not set. */
static const char *environment(const char *name)
{
    const char *value = getenv(name);

    return value && value[0] ? value : NULL;
}

/* Beside OpenOCD's Tcl port, which is named with and without a gdb port. */
static bool has_link(const struct gdbmi_options *o)
{
    return o->gdb || o->qmp || o->mi || o->mi_attach || o->pid || o->raw;
}

static bool finish(const struct command *command, struct options *o, int *status)
{
    const char *all = o->by == VIEW_BY_ARC ? VIEW_CSV_ARCS : VIEW_CSV_FIELDS;
    const char *fields = o->format == FORMAT_CSV ? all : view_fields_default(o->by);
    bool files = command->files && o->operands[0];
    char text[TEXT_MAX];

    if (files && (has_link(&o->link) || o->link.tcl))
        return usage(command, status, "either a target or files: ", o->operands[0]);
    if (!o->elf && !files)
        return usage(command, status, "no firmware: ", "name its ELF file with --elf or MPROF_ELF");
    if (!has_link(&o->link) && !files)
        o->link.gdb = environment("MPROF_GDB");
    if (!has_link(&o->link) && !o->link.tcl && !files)
        return usage(command, status, "no debug server: ",
                     "name its gdb port with --gdb (OpenOCD: --gdb :3333) or MPROF_GDB");
    if (o->fields.count == 0) {
        if (!view_fields_parse(fields, &o->fields, text, sizeof(text)))
            return usage(command, status, "", text);
        if (command->once) /* there is no interval that it could be of */
            view_fields_drop(&o->fields, view_column_find("recent", strlen("recent")));
    }
    return true;
}

bool options_parse(const struct command *command, int argc, char **argv, struct options *options,
                   int *status)
{
    struct option longs[SPECS + 1];
    char shorts[2 * SPECS + 2];
    int got;

    *options = (struct options){
        .elf = environment("MPROF_ELF"),
        .symbol = "s_prof",
        .duty = DUTY_NORMAL,
        .delay_s = 1,
        .wait_s = -1,
        .sort = view_column_find("share", strlen("share")),
    };
    list_options(longs, shorts);
    opterr = 0;
    while ((got = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        const char *word = argv[optind - 1];
        const char letter[] = {'-', (char)optopt, '\0'};
        if (got == '?')
            return usage(command, status, "no option ",
                         optopt > 0 && optopt < ONLY_LONG ? letter : word);
        if (got == ':')
            return usage(command, status, word, " needs a value");
        if (!take_one(command, find_spec(got), options, status))
            return false;
    }
    options->operands = argv + optind;
    if (optind < argc && !command->operands)
        return usage(command, status, "what is meant by ", argv[optind]);
    return finish(command, options, status);
}
