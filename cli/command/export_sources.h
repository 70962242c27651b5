/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses what of its files an export contains. */
#ifndef COMMAND_EXPORT_SOURCES_H
#define COMMAND_EXPORT_SOURCES_H

#include <export/export.h>
#include <options/options.h>

/* Largest number of groups: files of samples, and files of calls. Files of a group are added up. */
#define EXPORT_GROUPS 2

/* What to export. Zeroed memory is empty. */
struct export_sources {
    struct snapshot *groups[2 * EXPORT_GROUPS]; /* owned; group_count of them, some NULL */
    size_t group_count;
    struct export_source sources[4 * EXPORT_GROUPS]; /* count of them; refer to groups */
    size_t count;
};

/* Loads the files of options->operands, names the addresses of those without names by --elf, and
 * chooses their values. *sources must be empty; the caller frees it with export_sources_free() in
 * any case. Returns a status of <base/say.h>; prints a message on failure. */
int export_sources_load(const struct options *options, struct export_sources *sources);
void export_sources_free(struct export_sources *sources);

#endif
