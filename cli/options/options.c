/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of a verb: takes what the table of options has for it. */
#define _POSIX_C_SOURCE 200809L

#include <options/options.h>

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/nearest.h>
#include <base/say.h>
#include <options/help.h>
#include <options/option_defaults.h>
#include <options/option_table.h>
#include <table/change_columns.h>
#include <table/ranking_output.h>

/* getopt's answer for what is no option. */
#define OPERAND 1

/* One command line on its way. */
struct parse {
    const struct command *command;
    struct options *options;
    const struct option_spec *taken[OPTION_SPECS_MAX]; /* as in longs */
    struct option longs[OPTION_SPECS_MAX + 1];
    char shorts[2 * OPTION_SPECS_MAX + 3];
    int status;
};

/* A shell's own options are not those of its commands. */
static bool is_for_others(const struct parse *p, const struct option_spec *spec)
{
    return (p->command->options & OPTION_SHELL) && !(spec->group & OPTION_SHELL);
}

/* What getopt is to know: the options of this verb. */
static void list_options(struct parse *p)
{
    char *shorts = p->shorts;
    size_t count = 0;

    *shorts++ = p->command->program ? '+' : '-'; /* operands come in their order */
    *shorts++ = ':';                             /* a missing value is told from a wrong option */
    for (const struct option_spec *s = option_specs; s->name && count < OPTION_SPECS_MAX; s++) {
        bool optional = s->value && s->value[0] == '[';
        if (!option_is_taken(p->command, s))
            continue;
        p->longs[count] = (struct option){
            .name = s->name,
            .has_arg = optional   ? optional_argument
                       : s->value ? required_argument
                                  : no_argument,
            .val = OPTION_ONLY_LONG + (int)count,
        };
        p->taken[count++] = s;
        if (s->letter < OPTION_ONLY_LONG) {
            *shorts++ = (char)s->letter;
            if (s->value)
                *shorts++ = ':';
        }
    }
    p->longs[count] = (struct option){.name = NULL};
    *shorts = '\0';
}

static const struct option_spec *find_spec(const struct parse *p, int got)
{
    if (got >= OPTION_ONLY_LONG)
        return p->taken[got - OPTION_ONLY_LONG];
    for (size_t i = 0; p->longs[i].name; i++) {
        if (got == p->taken[i]->letter)
            return p->taken[i];
    }
    return NULL;
}

/* Says what is wrong, and where help is unless the text ends with a question that helps. */
static bool usage(struct parse *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool usage(struct parse *p, const char *format, ...)
{
    char text[2 * OPTION_TEXT];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    size_t len = strlen(text);
    if (len && text[len - 1] == '?')
        complain("%s", text);
    else
        complain("%s; see 'mprof %s --help'", text, p->command->name);
    p->status = STATUS_USAGE;
    return false;
}

static bool missing(struct parse *p, const char *what)
{
    p->status = help_missing(p->command, what);
    return false;
}

/* The name in "--NAME" or "--NAME=VALUE", *len bytes; NULL: it is no long option. */
static const char *long_name(const char *word, size_t *len)
{
    if (strncmp(word, "--", 2) != 0)
        return NULL;
    *len = strcspn(word + 2, "=");
    return word + 2;
}

static bool has_name(const struct option_spec *s, const char *name, size_t len)
{
    return name && strlen(s->name) == len && strncmp(s->name, name, len) == 0;
}

/* A verb that has the option, by its letter or its name; or NULL. */
static const char *verb_with(int letter, const char *name, size_t len)
{
    for (const struct option_spec *s = option_specs; s->name; s++) {
        if (letter ? s->letter != letter : !has_name(s, name, len))
            continue;
        for (const struct command *c = commands; c->name; c++) {
            if (option_is_taken(c, s))
                return c->name;
        }
    }
    return NULL;
}

/* The names that begin so, if there are several; "": there are not. */
static const char *list_ambiguous(const struct parse *p, const char *name, size_t len, char *text,
                                  size_t capacity)
{
    size_t used = 0, count = 0;

    text[0] = '\0';
    for (size_t i = 0; p->longs[i].name && used < capacity; i++) {
        if (strncmp(p->longs[i].name, name, len) != 0)
            continue;
        used += (size_t)snprintf(text + used, capacity - used, "%s--%s", count++ ? ", " : "",
                                 p->longs[i].name);
    }
    return count > 1 ? text : "";
}

static bool refuse_long(struct parse *p, const char *word)
{
    char text[OPTION_TEXT];
    struct nearest near;
    size_t len = 0;
    const char *name = long_name(word, &len);
    const char *verb = verb_with(0, name, len);

    if (!name)
        return usage(p, "unknown option '%s'", word);
    if (verb)
        return usage(p, "--%.*s is an option of 'mprof %s'", (int)len, name, verb);
    if (list_ambiguous(p, name, len, text, sizeof(text))[0])
        return usage(p, "--%.*s is ambiguous: %s", (int)len, name, text);
    nearest_begin(&near, name, len);
    for (size_t i = 0; p->longs[i].name; i++)
        nearest_offer(&near, p->longs[i].name);
    nearest_hint(&near, "--", text, sizeof(text));
    return usage(p, "unknown option '--%.*s'%s", (int)(len < 200 ? len : 200), name, text);
}

/* What getopt does not take: word is what it has read last. */
static bool refuse(struct parse *p, const char *word)
{
    if (optopt >= OPTION_ONLY_LONG)
        return usage(p, "--%s takes no value", p->taken[optopt - OPTION_ONLY_LONG]->name);
    if (optopt == 0)
        return refuse_long(p, word);
    const char *verb = verb_with(optopt, NULL, 0);
    if (verb)
        return usage(p, "-%c is an option of 'mprof %s'", optopt, verb);
    return usage(p, "unknown option '-%c'", optopt);
}

/* An option that ends the line and has no value. */
static bool refuse_without_value(struct parse *p)
{
    const struct option_spec *spec = find_spec(p, optopt);

    if (optopt < OPTION_ONLY_LONG)
        return usage(p, "-%c needs a value: -%c %s", optopt, optopt, spec->value);
    return usage(p, "--%s needs a value: --%s %s", spec->name, spec->name, spec->value);
}

/* The file may be a trace, which has other columns: then its list is the one that helps. */
static bool is_left_to_file(const struct parse *p)
{
    const struct command *c = p->command;

    return p->options->unknown_columns &&
           ((c->files && !c->subject) || (c->options & OPTION_CHANGES));
}

static bool take_one(struct parse *p, const struct option_spec *spec)
{
    char text[OPTION_TEXT];

    if (!spec->set) {
        if (spec->letter == 'h')
            help_print(p->command);
        else
            puts("mprof " MPROF_VERSION);
        p->status = STATUS_DONE;
        return false;
    }
    if (optarg && optarg[0] == '\0')
        return usage(p, "--%s has an empty value", spec->name);
    if (spec->set(p->options, optarg, text) || is_left_to_file(p)) {
        p->options->given[spec - option_specs] = true;
        if (!is_for_others(p, spec) || option_default_add(spec, optarg))
            return true;
        snprintf(text, sizeof(text), "out of memory");
    }
    if (strncmp(text, "--", 2) == 0)
        return usage(p, "%s", text);
    return usage(p, "--%s: %s", spec->name, text);
}

/* Operands are kept at the beginning of argv, which getopt is done with; those of the base come
 * first. */
static void add_operand(struct parse *p, char *word)
{
    struct options *o = p->options;
    size_t at = o->side == OPTION_SIDE_BASE ? o->base_count : o->operand_count;

    memmove(o->operands + at + 1, o->operands + at, (o->operand_count - at) * sizeof(*o->operands));
    o->operands[at] = word;
    o->operand_count++;
    o->base_count += o->side == OPTION_SIDE_BASE;
    o->new_count += o->side == OPTION_SIDE_NEW;
}

/* An ELF file may well be given without its option. */
static bool unexpected(struct parse *p, const char *word)
{
    const char *dot = strrchr(word, '.');
    bool elf = dot && (strcmp(dot, ".elf") == 0 || strcmp(dot, ".axf") == 0);

    return usage(p, "unexpected argument '%s'%s%s", word, elf ? ": give it as --elf " : "",
                 elf ? word : "");
}

/* What an option or operand is; its value, if it has one, is in optarg. */
static bool parse_argument(struct parse *p, int got)
{
    const struct option_spec *spec = got == OPERAND ? NULL : find_spec(p, got);

    if (spec && spec->group == OPTION_SIDES)
        (void)spec->set(p->options, optarg, NULL);
    else if (spec)
        return take_one(p, spec);
    if (!p->command->operands)
        return unexpected(p, optarg);
    if (optarg[0] == '\0' && (!p->command->program || p->options->operand_count == 0))
        return usage(p, "empty argument ''");
    add_operand(p, optarg);
    return true;
}

static bool take_all(struct parse *p, int argc, char **argv)
{
    int got;

    opterr = 0;
    optind = 0; /* a new line, whatever the last one has left */
    while ((got = getopt_long(argc, argv, p->shorts, p->longs, NULL)) != -1) {
        const char *word = argv[optind - 1];
        if (got == '?')
            return refuse(p, word);
        if (got == ':')
            return refuse_without_value(p);
        if (!parse_argument(p, got))
            return false;
    }
    for (; optind < argc; optind++) { /* behind "--" */
        optarg = argv[optind];
        if (!parse_argument(p, OPERAND))
            return false;
    }
    p->options->operands[p->options->operand_count] = NULL;
    return true;
}

/* Empty is as good as not set. */
static const char *environment(const char *name)
{
    const char *value = getenv(name);

    return value && value[0] ? value : NULL;
}

static bool has_link(const struct gdbmi_options *o)
{
    return gdbmi_way_of(o) != NULL;
}

/* The time limit of the environment, where the command line has none. */
static bool finish_timeout(struct parse *p)
{
    const char *value = environment("MPROF_TIMEOUT");
    char text[OPTION_TEXT];

    if (p->options->link.timeout_ms > 0 || !value)
        return true;
    const struct option_spec *spec = option_specs;
    while (strcmp(spec->name, "timeout") != 0)
        spec++;
    return spec->set(p->options, value, text) || usage(p, "MPROF_TIMEOUT: %s", text);
}

/* Whether a server is named, on the command line or in the environment. */
static bool has_server(const struct options *o)
{
    return has_link(&o->link) || environment("MPROF_GDB");
}

/* What a target needs, where there is to be one. */
static bool finish_target(struct parse *p)
{
    struct options *o = p->options;
    size_t before = p->command->subject ? 1 : 0;

    if (o->operand_count < before)
        return missing(p, "missing argument: FUNC");
    if (p->command->files && o->operand_count > before) {
        if (!has_link(&o->link))
            return finish_timeout(p); /* of the gdb that annotate asks */
        return usage(p, "give either a target or files, not both: %s%s", o->operands[before],
                     p->command->options & OPTION_TRACE ? "; --filter chooses functions" : "");
    }
    if (!o->elf && !(p->command->partial && has_server(o)))
        return missing(p, "missing ELF file: give --elf FILE or set MPROF_ELF");
    /* OpenOCD's Tcl port is named with and without a gdb port. */
    struct gdbmi_options without_tcl = o->link;
    without_tcl.tcl = NULL;
    if (!has_link(&without_tcl))
        o->link.gdb = environment("MPROF_GDB");
    if (!has_link(&o->link) && !p->command->partial)
        return missing(p, "missing debug server: give --gdb HOST:PORT or set MPROF_GDB");
    return finish_timeout(p);
}

static bool finish_changes(struct parse *p)
{
    struct options *o = p->options;
    const char *all = o->by == VIEW_BY_ARC ? VIEW_CHANGE_FIELDS_ALL_ARCS : VIEW_CHANGE_FIELDS_ALL;

    if (o->by == VIEW_BY_INLINE) /* what is inlined where, each build decides anew */
        return usage(p, "--by inline does not work for a diff: use --by function");
    if (o->by == VIEW_BY_TOTAL)
        return usage(p, "--by total does not work for a diff: use --by function");
    if (o->change_fields.count == 0 && o->format == FORMAT_CSV)
        o->change_fields = view_fields_of(&view_change_columns, all);
    return true;
}

/* "-o -" is stdout, for all verbs that write there without an -o. */
static bool finish_output(struct parse *p)
{
    struct options *o = p->options;

    if (!o->output || strcmp(o->output, "-") != 0)
        return true;
    if (p->command->options & OPTION_RECORD)
        return usage(p, "-o -: a snapshot needs a file; use -o ./- for one named '-'");
    o->output = NULL;
    return true;
}

/* What was said to the shell, as far as the line itself says nothing else. */
static bool take_defaults(struct parse *p)
{
    struct options *o = p->options;
    bool files = p->command->files && o->operand_count > (p->command->subject ? 1 : 0);
    bool other = files || has_link(&o->link);
    bool inherits = option_inherits() && (p->command->options & OPTION_TARGET);
    size_t count;
    const struct option_default *defaults = option_defaults_all(&count);
    char text[OPTION_TEXT];

    for (size_t i = 0; i < count; i++) {
        const struct option_spec *spec = defaults[i].spec;
        bool passed_over = (other || inherits) && option_is_link(spec);
        passed_over |= inherits && (spec->group & OPTION_ELF);
        if (!option_is_taken(p->command, spec) || o->given[spec - option_specs] || passed_over)
            continue;
        /* A format that the shell accepts may be none of this verb. */
        if (!spec->set(o, defaults[i].value, text))
            return usage(p, "--%s: %s", spec->name, text);
    }
    if (inherits)
        option_inherit(o, other);
    return true;
}

static bool are_columns(const struct view_columns *of, const char *name, const char *typed,
                        char text[OPTION_TEXT])
{
    struct view_fields fields;
    char why[OPTION_TEXT];

    if (!typed || view_fields_parse(of, typed, &fields, why, sizeof(why)))
        return true;
    snprintf(text, OPTION_TEXT, "--%s: %.380s", name, why);
    return false;
}

static bool has_ranking_columns(const struct options *o, char text[OPTION_TEXT])
{
    return are_columns(&view_ranking_columns, "sort", o->sort_typed, text) &&
           are_columns(&view_ranking_columns, "fields", o->fields_typed, text);
}

static bool is_listed(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

const char *options_other_than(const struct options *options, const char *const *names)
{
    const struct option_spec *s = option_specs;

    while (s->name && (!options->given[s - option_specs] || is_listed(s->name, names)))
        s++;
    return s->name;
}

const char *options_of_groups(const struct options *options, unsigned groups)
{
    const struct option_spec *s = option_specs;

    while (s->name && !(options->given[s - option_specs] && (s->group & groups)))
        s++;
    return s->name;
}

bool options_are_of_ranking(const struct command *command, const struct options *options)
{
    char text[OPTION_TEXT];

    if (has_ranking_columns(options, text))
        return true;
    complain("%s; see 'mprof %s --help'", text, command->name);
    return false;
}

bool options_are_of_changes(const struct command *command, const struct options *options)
{
    const struct options *o = options;
    char text[OPTION_TEXT];

    if (are_columns(&view_change_columns, "sort", o->change_sort_typed, text) &&
        are_columns(&view_change_columns, "fields", o->change_fields_typed, text))
        return true;
    complain("%s; see 'mprof %s --help'", text, command->name);
    return false;
}

/* Of a file it is not known yet what it has. */
static bool finish_columns(struct parse *p)
{
    char text[OPTION_TEXT];
    bool file = p->command->files && !p->command->subject && p->options->operand_count != 0;

    return file || has_ranking_columns(p->options, text) || usage(p, "%s", text);
}

static bool finish(struct parse *p)
{
    struct options *o = p->options;
    const char *all = o->by == VIEW_BY_ARC ? VIEW_CSV_ARCS : VIEW_CSV_FIELDS;
    const char *fields = o->format == FORMAT_CSV ? all : view_fields_default(o->by);

    if (!finish_output(p) || ((p->command->options & OPTION_TARGET) && !finish_target(p)) ||
        !finish_columns(p))
        return false;
    if (o->stacks && o->sampler != SAMPLER_HALT && o->sampler != SAMPLER_AUTO)
        return usage(p, "--stacks is of samples by halts: give no --sampler, or --sampler halt");
    if (p->command->options & OPTION_CHANGES)
        return finish_changes(p);
    if (o->fields.count != 0)
        return true;
    o->fields = view_fields_of(&view_ranking_columns, fields);
    if (!(p->command->options & OPTION_REFRESH)) /* there is no interval that it could be of */
        view_fields_drop(&o->fields, COLUMN_LIVE);
    return true;
}

bool options_parse(const struct command *command, int argc, char **argv, struct options *options,
                   int *status)
{
    struct parse p = {.command = command, .options = options};

    option_defaults(options);
    options->elf = environment("MPROF_ELF");
    options->store = environment("MPROF_STORE");
    options->operands = argv + 1;
    options->formats = command->formats;
    options->can_sample = (command->options & (OPTION_SAMPLER | OPTION_SHELL)) != 0;
    list_options(&p);
    option_defaults_begin();
    if (take_all(&p, argc, argv)) {
        if (command->options & OPTION_SHELL)
            return true;
        if (take_defaults(&p) && finish(&p))
            return true;
    }
    *status = p.status;
    return false;
}
