/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every format is made from: the parts of all samples, one after another. */
#ifndef EXPORT_WALK_H
#define EXPORT_WALK_H

#include <export/export.h>

#include "function_table.h"

/* One frame of a stack. */
struct export_frame {
    uint32_t function; /* number in the function table */
    const char *file;  /* in which the line is, "": not known */
    int64_t line;      /* 0: not known */
    uint64_t addr;     /* of what stands there; of a caller, the last byte of the call */
    bool inlined;      /* into the next frame */
};

/* A sample, or the part of it that one place of its block has. Lives as long as the call that it is
 * given to. */
struct export_part {
    const struct export_source *source;
    size_t sample; /* number in the snapshot */
    const struct export_frame *frames;
    size_t depth;          /* at least 1; the leaf is the first */
    size_t owner;          /* the frame whose function a row by function counts it for */
    const int64_t *values; /* of all types of the snapshot */
    uint64_t value;        /* of the source's type; may be 0 where another type's is not */
    uint64_t inherited;    /* of the sample's, see struct profile_hit */
    uint64_t addr, size;   /* the bytes of the block that are meant */
};

/* One export on its way. */
struct export
{
    const struct export_source *sources;
    size_t source_count;
    const char *title;
    FILE *out;
    int (*stopped)(void);        /* NULL: never */
    struct function_table table; /* of all functions that were met */
    void *state;                 /* the format's own, zeroed at first */
    char *text;                  /* what went wrong */
    size_t capacity;
    enum export_code code;
};

/* A format: each returns false when export_fail() was called. */
struct exporter_ops {
    size_t state_size;
    /* Before the samples; NULL: nothing is to be done. */
    bool (*begin)(struct export *e);
    bool (*sample)(struct export *e, const struct export_part *part);
    /* Behind the last one; NULL: nothing is to be done. */
    bool (*end)(struct export *e);
    /* What the state holds, also after a failure; NULL: nothing. */
    void (*clean)(struct export *e);
};

/* Gives each part of each source to sample(). */
bool export_walk(struct export *e,
                 bool (*sample)(struct export *e, const struct export_part *part));

/* Says in one line what is wrong; returns false. */
bool export_fail(struct export *e, enum export_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool export_no_memory(struct export *e);

/* Whether it is to end early. A format that writes much in end() asks too, and may return true
 * then: what it wrote is not used. */
static inline bool export_is_stopped(const struct export *e)
{
    return e->stopped && e->stopped() != 0;
}

/* What the source's type is called, and its unit. */
static inline const struct snapshot_type *source_type(const struct export_source *source)
{
    return &source->snapshot->types[source->type];
}

#endif
