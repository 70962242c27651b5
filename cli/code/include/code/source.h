/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source files, found by the paths in the debug information. */
#ifndef CODE_SOURCE_H
#define CODE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* Largest file that is read, and longest line, bytes. A longer line is cut. */
#define SOURCE_MAX      (16U << 20)
#define SOURCE_LINE_MAX 1000

/* Cells from one tab stop to the next. */
#define SOURCE_TAB 8

/* A file that was read; source_free() frees it. */
struct source_file {
    char *path;      /* where it was found; NULL: it was not found */
    time_t modified; /* time of its last write */
    char **lines;    /* count of them; tabs expanded, control characters replaced by '?' */
    size_t count;
};

/*
 * Reads the source file with the name that debug information gives it: at this path, or in one of
 * the folders (the last one NULL; or NULL) by its whole path or the longest end of it that exists.
 * If it is not found or cannot be read, *file has no path and no lines. The caller calls
 * source_free() in any case. Returns false if memory runs out.
 */
bool source_read(const char *name, char *const *folders, struct source_file *file)
    __attribute__((warn_unused_result));
void source_free(struct source_file *file);

/* Returns the text of a line, from 1 on, which the file owns; NULL if there is no such line. */
const char *source_line(const struct source_file *file, unsigned line);

#endif
