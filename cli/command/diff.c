/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof diff: what changed between two sides of snapshots, and whether it may. */
#include <view/change.h>

#include "diff_load.h"
#include "diff_print.h"

#define TEXT_MAX 600

static int usage(const char *text)
{
    complain("%s; mprof diff --help lists the options", text);
    return STATUS_USAGE;
}

/* How many of the operands are base's. */
static int find_sides(const struct options *o, size_t *base_count)
{
    if (o->base_count == 0 && o->new_count == 0) {
        *base_count = 1;
        if (o->operand_count == 2)
            return STATUS_DONE;
        return usage(o->operand_count < 2
                         ? "two files are needed, OLD and NEW"
                         : "more than two files: --base FILE... --new FILE... say whose they are");
    }
    if (o->base_count + o->new_count != o->operand_count)
        return usage("with --base and --new, each file stands behind one of them");
    if (o->base_count == 0 || o->new_count == 0)
        return usage(o->base_count ? "--new is missing: what it is now"
                                   : "--base is missing: what it is compared with");
    *base_count = o->base_count;
    return STATUS_DONE;
}

static int compare(const struct options *o, struct view_set *set)
{
    struct view_changes changes;
    char text[TEXT_MAX];

    if (!view_changes_make(set, &o->change, &changes, text, sizeof(text))) {
        complain("%s", text);
        return STATUS_FAILED;
    }
    view_changes_sort(&changes, o->change_sort);
    int status = diff_print(o, &changes);
    view_changes_free(&changes);
    return status;
}

int command_diff(const struct command *self, int argc, char **argv)
{
    struct options options;
    size_t base_count;
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    status = find_sides(&options, &base_count);
    if (status != STATUS_DONE)
        return status;
    struct view_set *set = view_set_new(options.by, &options.ignore);
    if (!set) {
        complain("out of memory");
        return STATUS_FAILED;
    }
    status = diff_load(&options, base_count, set);
    if (status == STATUS_DONE)
        status = compare(&options, set);
    view_set_free(set);
    return status;
}
