/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof instrument: writes calls of the hook into a copy of an ELF file. */
#define _POSIX_C_SOURCE 200809L

#include <instrument/instrument.h>

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/output.h>
#include <base/say.h>
#include <base/text.h>
#include <instrument/site.h>
#include <load/addr_ranges.h>
#include <load/elf_file.h>
#include <options/help.h>
#include <options/options.h>
#include <table/site_list.h>

#include "verbs.h"

#define TEXT_MAX 800

struct instrumenting {
    const struct options *options;
    const char *path;
    struct symtab *symtab;         /* owned */
    struct instrument *instrument; /* owned */
    struct addr_ranges wanted;     /* owned */
};

static bool is_wanted(const struct instrumenting *in, const struct instrument_site *site)
{
    return addr_ranges_have(&in->wanted, site->function->addr);
}

/* What --filter has and --not has not; without --filter all. */
static int want(struct instrumenting *in)
{
    const struct options *o = in->options;
    unsigned bits = 8 * symtab_elf(in->symtab)->addr_size;
    struct addr_ranges left_out = {.all = NULL};
    int status = STATUS_DONE;

    if (o->traced.count == 0 && !addr_ranges_add(&in->wanted, 0, UINT64_MAX))
        status = fail("out of memory");
    if (status == STATUS_DONE)
        status = addr_ranges_add_rules(&in->wanted, &o->traced, in->symtab, bits, in->path);
    if (status == STATUS_DONE)
        status = addr_ranges_add_rules(&left_out, &o->not_traced, in->symtab, bits, in->path);
    if (status == STATUS_DONE && !addr_ranges_remove(&in->wanted, &left_out))
        status = fail("out of memory");
    addr_ranges_free(&left_out);
    return status;
}

static int open_file(struct instrumenting *in)
{
    char text[TEXT_MAX];

    if (symtab_load(in->path, &in->symtab, text, sizeof(text)) != SYMTAB_OK)
        return fail(text);
    elf_say_trouble(in->symtab);
    in->instrument = instrument_open(in->path, in->symtab, text, sizeof(text));
    return in->instrument ? want(in) : fail(text);
}

/* Says why none of the wanted functions can be chosen, by the first one. */
static int fail_none(const struct instrumenting *in, const struct instrument_site *first)
{
    if (!first)
        complain("%s: no function is left to choose; drop --not", in->path);
    else if (first->state == INSTRUMENT_BARE)
        complain("%s: %s %s; compile it with %s", in->path, first->function->name, first->why,
                 instrument_option(in->instrument));
    else
        complain("%s: %s cannot be chosen: it %s", in->path, first->function->name, first->why);
    return STATUS_FAILED;
}

/* Chooses what is wanted and can be chosen. */
static int choose(struct instrumenting *in, size_t *chosen, size_t *refused)
{
    size_t count;
    struct instrument_site *sites = instrument_sites(in->instrument, &count);
    const struct instrument_site *first = NULL;

    *chosen = *refused = 0;
    for (size_t i = 0; i < count; i++) {
        bool wanted = is_wanted(in, &sites[i]);
        sites[i].chosen = wanted && !sites[i].why;
        *chosen += sites[i].chosen;
        *refused += wanted && sites[i].state == INSTRUMENT_REFUSED;
        if (wanted && sites[i].why && !first)
            first = &sites[i];
    }
    return *chosen != 0 || in->options->traced.count == 0 ? STATUS_DONE : fail_none(in, first);
}

static size_t count_sites(const struct instrumenting *in)
{
    size_t count, found = 0;
    const struct instrument_site *sites = instrument_sites(in->instrument, &count);

    for (size_t i = 0; i < count; i++)
        found += !sites[i].why;
    return found;
}

static int write_copy(struct instrumenting *in)
{
    const char *path = in->options->output;
    size_t chosen, refused;
    char text[TEXT_MAX];
    int status = choose(in, &chosen, &refused);

    if (status != STATUS_DONE)
        return status;
    if (!instrument_write(in->instrument, path, text, sizeof(text)))
        return fail(text);
    printf("%s: %zu of %zu functions call %s", path, chosen, count_sites(in), SITE_HOOK);
    if (refused != 0)
        printf("; %zu must be left alone ('mprof instrument --list %s' says why)", refused,
               in->path);
    putchar('\n');
    return STATUS_DONE;
}

static int check_copy(struct instrumenting *in)
{
    const char *path = in->options->check;
    size_t calls;
    char text[TEXT_MAX];

    if (!instrument_check(in->instrument, path, &calls, text, sizeof(text)))
        return fail(text);
    printf("%s: %zu of %zu functions call %s, all other bytes are those of %s\n", path, calls,
           count_sites(in), SITE_HOOK, in->path);
    return STATUS_DONE;
}

static struct view_site view_of(const struct instrumenting *in, const struct instrument_site *s)
{
    static const char *const sites[2][2] = {{"nops", "landing + nops"}, {"call", "landing + call"}};
    struct symtab_line line = {.file = NULL};
    bool calls = s->state == INSTRUMENT_CALLS;

    if (!symtab_find_line(in->symtab, s->function->addr, &line))
        line = (struct symtab_line){.file = NULL};
    return (struct view_site){
        .function = s->function->name,
        .file = line.file,
        .line = line.line,
        .addr = s->addr,
        .site = s->state == INSTRUMENT_BARE ? NULL : sites[calls][s->landing],
        .nops = s->nops,
        .calls = s->calls,
        .chosen = calls,
        .why = s->why,
    };
}

/* Functions without nops are in the list if --filter names them. */
static int list_sites(struct instrumenting *in)
{
    const struct options *o = in->options;
    const struct view_page page = {.width = o->output ? 0 : output_width(STDOUT_FILENO),
                                   .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};
    struct view_site_list list = {.elf = in->path,
                                  .hook = SITE_HOOK,
                                  .option = instrument_option(in->instrument),
                                  .addr_size = symtab_elf(in->symtab)->addr_size};
    size_t count;
    const struct instrument_site *sites = instrument_sites(in->instrument, &count);
    struct view_site *shown = calloc(count + 1, sizeof(*shown));

    if (!shown)
        return fail("out of memory");
    for (size_t i = 0; i < count; i++) {
        bool bare = sites[i].state == INSTRUMENT_BARE && o->traced.count == 0;
        if (!is_wanted(in, &sites[i]))
            continue;
        list.bare += bare;
        if (!bare)
            shown[list.count++] = view_of(in, &sites[i]);
    }
    list.sites = shown;
    char *text = view_site_list(&list, o->format, &page);
    free(shown);
    if (o->format == FORMAT_JSON)
        text = text_with_newline(text);
    int status = text ? output_write(NULL, text) : fail("out of memory");
    free(text);
    return status;
}

/* Prints a message if it is not clear what to do. */
static bool is_clear(const struct command *self, const struct options *o, int *status)
{
    int ways = (o->output != NULL) + (o->check != NULL) + o->list;

    *status = STATUS_USAGE;
    if (o->operand_count == 0)
        *status = help_missing(self, "missing ELF file");
    else if (o->operand_count > 1)
        complain("unexpected argument '%s'; see 'mprof instrument --help'", o->operands[1]);
    else if (ways != 1)
        *status = help_missing(self, "give one of -o COPY, --list and --check COPY");
    else if (o->format != FORMAT_TABLE && !o->list)
        complain("--format is for --list; see 'mprof instrument --help'");
    else if (o->check && (o->traced.count != 0 || o->not_traced.count != 0))
        complain("--check takes no --filter and no --not: it checks all of the copy");
    else if (o->output && output_is_same(o->output, o->operands[0]))
        complain("-o %s is the file that is read; give another name", o->output);
    else
        return true;
    return false;
}

int command_instrument(const struct command *self, int argc, char **argv)
{
    struct options options;
    int status;

    if (!options_parse(self, argc, argv, &options, &status) || !is_clear(self, &options, &status))
        return status;
    struct instrumenting in = {.options = &options, .path = options.operands[0]};
    status = open_file(&in);
    if (status == STATUS_DONE)
        status = options.output  ? write_copy(&in)
                 : options.check ? check_copy(&in)
                                 : list_sites(&in);
    instrument_free(in.instrument);
    symtab_free(in.symtab);
    addr_ranges_free(&in.wanted);
    return status;
}
