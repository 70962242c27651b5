/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pprof profile as its file has it: texts and parts are numbers that nobody has checked. */
#ifndef SNAPSHOT_RESOLVE_H
#define SNAPSHOT_RESOLVE_H

#include <snapshot/snapshot.h>

/* What is believed: sample types; functions, locations, mappings or texts; comments. */
#define RAW_TYPES     64
#define RAW_PARTS_MAX (4u << 20)
#define RAW_COMMENTS  10000

struct raw_type {
    int64_t name, unit;
};

struct raw_sample {
    uint32_t first_frame, depth;
    uint32_t first_label, label_count;
    uint32_t value_count;
};

struct raw_label {
    int64_t key, text, number, unit;
};

struct raw_mapping {
    uint64_t id, start, limit, offset;
    int64_t file, build_id;
    bool has_functions, has_files, has_lines, has_inlined;
};

struct raw_location {
    uint64_t id, mapping, addr;
    uint32_t first_line, line_count;
    bool folded;
};

struct raw_line {
    uint64_t function;
    int64_t line, column;
};

struct raw_function {
    uint64_t id;
    int64_t name, system_name, file, start_line;
};

struct raw_string {
    const char *bytes; /* of the file */
    size_t len;
};

struct raw {
    struct raw_type types[RAW_TYPES], period_type;
    size_t type_count;
    struct raw_sample *samples;
    size_t sample_count, samples_room;
    uint64_t *frames; /* ids */
    size_t frame_count, frames_room;
    int64_t *values;
    size_t value_count, values_room;
    struct raw_label *labels;
    size_t label_count, labels_room;
    struct raw_mapping *mappings;
    size_t mapping_count, mappings_room;
    struct raw_location *locations;
    size_t location_count, locations_room;
    struct raw_line *lines;
    size_t line_count, lines_room;
    struct raw_function *functions;
    size_t function_count, functions_room;
    struct raw_string *strings;
    size_t string_count, strings_room;
    int64_t *comments;
    size_t comment_count, comments_room;
    int64_t drop_frames, keep_frames, time_ns, duration_ns, period, default_type;
};

/* RAW_GROW(raw, lines, line_count, 3): room behind line_count. */
#define RAW_GROW(r, array, counter, more) \
    store_grow((void **)&(r)->array, &(r)->array##_room, (r)->counter, more, sizeof(*(r)->array))

/* Checks every number. As snapshot_read(). */
enum snapshot_code raw_resolve(struct raw *raw, const char *name, struct snapshot **snapshot,
                               char *text, size_t capacity);
void raw_free(struct raw *raw);

#endif
