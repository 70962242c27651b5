/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of snapshots that a verb works on. */
#ifndef COMMAND_FILES_H
#define COMMAND_FILES_H

#include <snapshot/snapshot.h>

#include "options.h"

/* Loads the files (count of them, at least one) and adds them up. A status; what went wrong is
 * said, else *snapshot is to be freed by snapshot_free(). */
int files_load(char *const *paths, size_t count, struct snapshot **snapshot);

struct file_names {
    struct symbol_naming naming;
    struct symtab *symtab; /* of --elf; NULL: the snapshot has names of its own, or nobody has */
};

/* Where the snapshot's names come from: a file without any, like OpenOCD's gmon.out, takes those of
 * --elf. A status; *names, zeroed before, is to be freed in any case, before the snapshot is. */
int files_name(const struct options *options, const struct snapshot *snapshot,
               struct file_names *names);
void file_names_free(struct file_names *names);

#endif
