/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of the files an export is made from. */
#ifndef COMMAND_EXPORT_SOURCES_H
#define COMMAND_EXPORT_SOURCES_H

#include <export/export.h>
#include <options/options.h>

/* Samples of some files, calls of others, each with those that count the same added up. */
#define EXPORT_GROUPS 2

struct export_sources {
    struct snapshot *groups[2 * EXPORT_GROUPS]; /* some of them NULL */
    size_t group_count;
    struct export_source sources[4 * EXPORT_GROUPS];
    size_t count;
};

/* Loads the files of the operands, gives those that have no names the ones of --elf, and chooses
 * what of them is meant. A status; what went wrong is said. *sources, zeroed before, is to be freed
 * in any case. */
int export_sources_load(const struct options *options, struct export_sources *sources);
void export_sources_free(struct export_sources *sources);

#endif
