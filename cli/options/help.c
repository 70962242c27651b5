/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints --help of a verb: everything stands in the tables of verbs, options and columns. */
#define _POSIX_C_SOURCE 200809L

#include <options/help.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <base/output.h>
#include <base/say.h>
#include <base/text.h>
#include <options/option_table.h>

#define WIDTH        80
#define WIDTH_MIN    40
#define OPTION_WIDTH 23
#define COLUMNS      "Columns for --fields and --sort"
#define USAGE_MAX    400
#define USAGE        "usage: "

static const char *const headings[HEADING_COUNT] = {
    [HEADING_TARGET] = "Target",   [HEADING_SYMBOLS] = "Symbols and table",
    [HEADING_ROWS] = "Rows",       [HEADING_COMPARISON] = "Comparison",
    [HEADING_GATE] = "Gate",       [HEADING_RECORDING] = "Recording",
    [HEADING_REFRESH] = "Refresh", [HEADING_SOURCE] = "Source code",
    [HEADING_SHELL] = "Shell",     [HEADING_OUTPUT] = "Output",
    [HEADING_GENERAL] = "General",
};

/* Breaks lines between words; the cursor stands at indent, and further lines begin there. */
static void print_wrapped(const char *text, unsigned indent)
{
    unsigned width = output_width(STDOUT_FILENO);

    width = width ? width : WIDTH;
    width = (width < WIDTH_MIN ? WIDTH_MIN : width) - indent;
    while (*text) {
        const char *rest = text_next_line(text, width);
        printf("%.*s\n%*s", (int)text_line_len(text, width), text, *rest ? (int)indent : 0, "");
        text = rest;
    }
}

void help_row(const char *name, unsigned name_width, const char *text)
{
    unsigned indent = name_width + 3;

    if (strlen(name) >= name_width)
        printf("  %s\n%*s", name, (int)indent, "");
    else
        printf("  %-*s ", (int)name_width, name);
    print_wrapped(text, indent);
}

static void print_option(const struct command *command, const struct option_spec *s)
{
    char left[48], help[OPTION_TEXT];
    const char *value = s->value ? s->value : "";
    const char *between = s->value && value[0] != '[' ? " " : "";

    if (s->letter < OPTION_ONLY_LONG)
        snprintf(left, sizeof(left), "-%c, --%s%s%s", s->letter, s->name, between, value);
    else
        snprintf(left, sizeof(left), "    --%s%s%s", s->name, between, value);
    option_help(command, s, help, sizeof(help));
    help_row(left, OPTION_WIDTH, help);
}

static bool is_listed(const struct command *command, const struct option_spec *s, bool common)
{
    return s->common == common && option_is_taken(command, s);
}

static void print_common(const struct command *command)
{
    puts("Common options:");
    for (const struct option_spec *s = option_specs; s->name; s++) {
        if (is_listed(command, s, true))
            print_option(command, s);
    }
}

static void print_heading(const struct command *command, enum option_heading heading)
{
    bool any = false;

    for (const struct option_spec *s = option_specs; s->name; s++) {
        if (s->heading != heading || !is_listed(command, s, false))
            continue;
        if (!any)
            printf("\n%s:\n", headings[heading]);
        any = true;
        print_option(command, s);
    }
}

void help_columns(const char *heading, const struct view_columns *columns)
{
    size_t width = 0;

    for (size_t i = 0; i < columns->count; i++)
        width = strlen(columns->column[i].name) > width ? strlen(columns->column[i].name) : width;
    printf("\n%s:\n", heading);
    for (size_t i = 0; i < columns->count; i++)
        help_row(columns->column[i].name, (unsigned)width + 1, columns->column[i].help);
}

static void print_formats(void)
{
    puts("\nFormats of snapshots:");
    for (const struct exporter *x = exporters; x->name; x++)
        if (x->ops)
            help_row(x->name, 11, x->help);
    puts("\nFormats of trace files:");
    for (const struct exporter *x = exporters; x->name; x++)
        if (x->traces)
            help_row(x->name, 11, x->help);
}

static void print_examples(const struct command *command)
{
    if (!command->examples[0].line)
        return;
    puts("\nExamples:");
    for (size_t i = 0; i < COMMAND_EXAMPLES && command->examples[i].line; i++)
        printf("  %s\n      %s\n", command->examples[i].line, command->examples[i].text);
}

/* What stands in the operands need not be said twice. */
static bool needs_target(const struct command *command)
{
    return (command->options & OPTION_TARGET) && !(command->options & OPTION_SHELL) &&
           !command->files;
}

static void format_usage(const struct command *command, char *text, size_t capacity)
{
    const char *operands = command->operands ? command->operands : "";

    if (command->program)
        snprintf(text, capacity, USAGE "mprof %s [OPTION]... %s", command->name, operands);
    else
        snprintf(text, capacity, USAGE "mprof %s%s%s%s [OPTION]...", command->name,
                 operands[0] ? " " : "", operands,
                 needs_target(command) ? " --elf FILE --gdb HOST:PORT" : "");
}

void help_print(const struct command *command)
{
    char usage[USAGE_MAX];

    format_usage(command, usage, sizeof(usage));
    fputs(USAGE, stdout);
    print_wrapped(usage + strlen(USAGE), (unsigned)strlen(USAGE));
    snprintf(usage, sizeof(usage), "%s.", command->summary);
    putchar('\n');
    print_wrapped(usage, 0);
    putchar('\n');
    print_common(command);
    for (int heading = 0; heading < HEADING_COUNT; heading++)
        print_heading(command, (enum option_heading)heading);
    if (command->options & OPTION_CHANGES)
        help_columns(COLUMNS, &view_change_columns);
    if (command->options & OPTION_EXPORT)
        print_formats();
    if (command->options & OPTION_ROWS)
        help_columns(COLUMNS, &view_ranking_columns);
    if (command->print_more)
        command->print_more();
    print_examples(command);
}

int help_missing(const struct command *command, const char *what)
{
    char usage[USAGE_MAX];

    complain("%s", what);
    if (!command->examples[0].line)
        return STATUS_USAGE;
    format_usage(command, usage, sizeof(usage));
    complain_more(usage);
    snprintf(usage, sizeof(usage), "example: %s", command->examples[0].line);
    complain_more(usage);
    return STATUS_USAGE;
}
