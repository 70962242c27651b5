/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof diff: what changed between two sides of snapshots or traces, and whether it may. */
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <base/output.h>
#include <base/say.h>
#include <events/diff_traces.h>
#include <gate/diff_gate.h>
#include <load/diff_load.h>
#include <load/files.h>
#include <options/help.h>
#include <ranking/change.h>
#include <table/call_diff.h>

#include "diff_print.h"
#include "verbs.h"

#define TEXT_MAX 600

static int usage(const char *text)
{
    complain("%s; see 'mprof diff --help'", text);
    return STATUS_USAGE;
}

/* Which operands are base's, and which are new's. */
static int find_sides(const struct command *self, struct options *o)
{
    if (o->base_count == 0 && o->new_count == 0) {
        o->base_count = o->new_count = 1;
        if (o->operand_count == 2)
            return STATUS_DONE;
        if (o->operand_count < 2)
            return help_missing(self, o->operand_count ? "missing argument: NEW"
                                                       : "missing arguments: OLD NEW");
        return usage("more than two files: give --base FILE... --new FILE...");
    }
    if (o->base_count + o->new_count != o->operand_count)
        return usage("give each file after --base or --new");
    if (o->base_count == 0 || o->new_count == 0)
        return help_missing(self, o->base_count ? "missing option: --new FILE..."
                                                : "missing option: --base FILE...");
    return STATUS_DONE;
}

static int check_gate(const struct options *o)
{
    if (o->junit && o->threshold_count + o->call_limit_count == 0 && !o->budgets)
        return usage("--junit needs --fail-above or --budgets");
    if (o->junit && strcmp(o->junit, "-") == 0 && !o->output)
        return usage(
            "--junit - and the diff both go to standard output; give a file with -o or --junit");
    if (o->junit && output_is_same(o->output, o->junit))
        return usage("--junit and -o name the same file");
    return STATUS_DONE;
}

/* What one file took is given back before the next: large arrays are not to end up between small
 * ones that stay. */
static void keep_heap_small(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
}

static int compare(const struct options *o, const struct budgets *budgets, struct view_set *set,
                   bool *judged)
{
    struct view_change_options how = o->change;
    struct view_changes changes;
    char text[TEXT_MAX];

    how.idle = &o->idle;
    if (!view_changes_make(set, &how, &changes, text, sizeof(text))) {
        complain("%s", text);
        return STATUS_FAILED;
    }
    view_changes_sort(&changes, o->change_sort);
    /* An output that cannot be written opens no gate. */
    int printed = diff_print(o, &changes);
    int status = diff_gate(o, budgets, &changes);
    *judged = true;
    view_changes_free(&changes);
    return status == STATUS_DONE ? printed : status;
}

static int load_and_compare(const struct options *o, const struct budgets *budgets, bool *judged)
{
    struct view_set *set = view_set_new(o->by, &o->ignore);

    if (!set) {
        complain("out of memory");
        return STATUS_FAILED;
    }
    int status = diff_load(o, set);
    if (status == STATUS_DONE)
        status = compare(o, budgets, set, judged);
    view_set_free(set);
    return status;
}

static int run(const struct command *self, struct options *options, bool *judged)
{
    struct budgets budgets = {.all = NULL};
    struct file_list files = {.paths = NULL};
    int status = find_sides(self, options);

    if (status == STATUS_DONE && diff_is_of_traces(options))
        return diff_traces(options, judged);
    if (status == STATUS_DONE && !options_are_of_changes(self, options))
        status = STATUS_USAGE;
    if (status == STATUS_DONE)
        status = files_expand(options, &files);
    if (status == STATUS_DONE && options->budgets)
        status = budgets_load(options->budgets, &budgets);
    if (status == STATUS_DONE)
        status = load_and_compare(options, &budgets, judged);
    budgets_free(&budgets);
    file_list_free(&files);
    return status;
}

void command_diff_columns(void)
{
    help_columns("Columns of two traces for --fields and --sort", &view_call_diff_columns);
}

int command_diff(const struct command *self, int argc, char **argv)
{
    struct options options;
    bool judged = false;
    char why[1024];
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    keep_heap_small();
    status = check_gate(&options);
    if (status != STATUS_DONE)
        return status;
    status = run(self, &options, &judged);
    snprintf(why, sizeof(why), "%s", complained());
    if (!judged)
        (void)diff_gate_error(&options, why);
    return status;
}
