/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes the samples of an export to its format, one part after another. */
#ifndef EXPORT_WALK_H
#define EXPORT_WALK_H

#include <export/export.h>

#include "function_table.h"

/* One frame of a stack. */
struct export_frame {
    uint32_t function; /* number in the function table */
    const char *file;  /* source file; "": not known */
    int64_t line;      /* of the file; 0: not known */
    uint64_t addr;     /* of the code; of a caller, the last byte of its call */
    bool inlined;      /* the function is inlined into that of the next frame */
};

/* A sample, or that part of it which one function of its block gets. Valid during the call that
 * gets it. */
struct export_part {
    const struct export_source *source;
    size_t sample; /* index in the snapshot */
    const struct export_frame *frames;
    size_t depth;          /* number of frames, at least 1; the leaf is the first */
    size_t owner;          /* index of the frame whose function counts it in a row by function */
    const int64_t *values; /* one for each type of the snapshot */
    uint64_t value;        /* of the source's type; may be 0 if another type's is not */
    uint64_t inherited;    /* hits that were inherited, see struct profile_hit */
    uint64_t addr, size;   /* the bytes of the block that this part covers */
};

/* One export while it is written. The format calls export_fail() to set text and code. */
struct export
{
    const struct export_source *sources;
    size_t source_count;
    const char *title;
    FILE *out;
    int (*stopped)(void);        /* see export_write(); NULL: never */
    struct function_table table; /* all functions so far */
    void *state;                 /* the format's own, state_size bytes, zeroed at first */
    char *text;                  /* capacity bytes for one line, if code is not EXPORT_OK */
    size_t capacity;
    enum export_code code;
};

/* What a format does. Each function that returns bool returns false after export_fail(). */
struct exporter_ops {
    size_t state_size; /* bytes of export.state */
    /* Called before the samples; NULL: nothing to do. */
    bool (*begin)(struct export *e);
    /* Called for each part of each sample. */
    bool (*sample)(struct export *e, const struct export_part *part);
    /* Called after the last sample; NULL: nothing to do. */
    bool (*end)(struct export *e);
    /* Frees what the state owns, also after a failure; NULL: nothing. */
    void (*clean)(struct export *e);
};

/* Calls sample() for each part of the samples of all sources. Returns false if a call did, or after
 * export_fail(). */
bool export_walk(struct export *e,
                 bool (*sample)(struct export *e, const struct export_part *part));

/* Sets e->code and writes one line to e->text. Returns false. */
bool export_fail(struct export *e, enum export_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, for memory that has run out. */
bool export_no_memory(struct export *e);

/* Whether the user ended the export. A format that writes much in end() checks it too, and may then
 * return true: the output is not used. */
static inline bool export_is_stopped(const struct export *e)
{
    return e->stopped && e->stopped() != 0;
}

/* Returns the name and the unit of a source's values. */
static inline const struct snapshot_type *source_type(const struct export_source *source)
{
    return &source->snapshot->types[source->type];
}

#endif
