/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads the snapshots of a diff's two sides. */
#ifndef LOAD_DIFF_LOAD_H
#define LOAD_DIFF_LOAD_H

#include <load/files.h>
#include <options/options.h>
#include <ranking/change.h>

/* A snapshot to compare. All is borrowed for a call. */
struct diff_file {
    const struct snapshot *snapshot;
    const struct profile *profile; /* made of the snapshot's type */
    const struct file_names *names;
    uint32_t type, run;                    /* index in snapshot->types */
    const char *path;                      /* for messages */
    const char *elf;                       /* path of the ELF file, if names->symtab is one */
    const struct fingerprint *fingerprint; /* NULL: no other snapshot has the same hits */
};

/* Adds the rows of a snapshot to a side. Returns false as view_set_add() does, with one line in
 * text.
 */
bool diff_add(const struct diff_file *file, enum view_side side, struct view_set *set, char *text,
              size_t capacity) __attribute__((warn_unused_result));

/* Loads the operands of options one after another and adds their rows: the first base_count to
 * base, the remaining ones to new. Returns a status, and prints a message if it is not STATUS_DONE.
 */
int diff_load(const struct options *options, struct view_set *set);

#endif
