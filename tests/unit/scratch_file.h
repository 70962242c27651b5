/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file in a new folder of its own, for a group of tests. */
#ifndef SCRATCH_FILE_H
#define SCRATCH_FILE_H

#include <stddef.h>

extern char scratch_folder[], scratch_path[];

/* Set up and tear down a group: they make the folder, and remove it and the file, if there is one.
 */
int scratch_make(void **state);
int scratch_remove(void **state);

/* Replaces the file's contents. */
void scratch_write(const char *bytes, size_t len);

#endif
