/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of source files, found by the paths that the debug information has. */
#ifndef CODE_SOURCE_H
#define CODE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* A larger file is not read, in bytes; a longer line is cut. */
#define SOURCE_MAX      (16U << 20)
#define SOURCE_LINE_MAX 1000

/* Cells from one tab stop to the next. */
#define SOURCE_TAB 8

struct source_file {
    char *path;      /* where it was found; NULL: it was not */
    time_t modified; /* when it was written last */
    char **lines;    /* UTF-8, tabs expanded, what a terminal obeys replaced by '?' */
    size_t count;
};

/*
 * Reads the file that debug information calls name: as it is; under each of the folders (ends with
 * NULL), by all of its path or as much of its end as is there, the longest one first. Where nothing
 * was found, or nothing that can be read, *file has no path and no lines. false: no memory. To be
 * freed by source_free() in any case.
 */
bool source_read(const char *name, char *const *folders, struct source_file *file)
    __attribute__((warn_unused_result));
void source_free(struct source_file *file);

/* The text of a line, from 1; NULL: there is none. */
const char *source_line(const struct source_file *file, unsigned line);

#endif
