/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a diff's two sides. */
#ifndef LOAD_DIFF_LOAD_H
#define LOAD_DIFF_LOAD_H

#include <load/files.h>
#include <options/options.h>
#include <ranking/change.h>

/* A snapshot that is compared, and the profile that is one of its types. All is borrowed. */
struct diff_file {
    const struct snapshot *snapshot;
    const struct profile *profile;
    const struct file_names *names;
    uint32_t type;
    const char *path;
    const char *elf;                       /* the file that names are from, where it has none */
    const struct fingerprint *fingerprint; /* NULL: nobody else has the same hits */
};

/* Takes its rows. false: text says why it cannot be. */
bool diff_add(const struct diff_file *file, enum view_side side, struct view_set *set, char *text,
              size_t capacity) __attribute__((warn_unused_result));

/* Loads the files one after the other and takes their rows: the first base_count operands for base,
 * the others for new. A status; what went wrong is said. */
int diff_load(const struct options *options, struct view_set *set);

#endif
