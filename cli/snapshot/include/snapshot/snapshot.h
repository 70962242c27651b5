/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile at rest: complete by itself, a pprof profile in a file (docs/snapshot.md). */
#ifndef SNAPSHOT_SNAPSHOT_H
#define SNAPSHOT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/profile.h>
#include <symbol/naming.h>

/* An index that leads nowhere. */
#define SNAPSHOT_NONE UINT32_MAX

/* What is believed of a file: bytes when it is unpacked, samples, frames of all their stacks. */
#define SNAPSHOT_MAX_BYTES   (256u << 20)
#define SNAPSHOT_MAX_SAMPLES (8u << 20)
#define SNAPSHOT_MAX_FRAMES  (32u << 20)

/* The widest block that is believed. */
#define SNAPSHOT_MAX_BLOCK_SIZE 65536

enum snapshot_code {
    SNAPSHOT_OK = 0,
    SNAPSHOT_EOPEN,   /* the file cannot be opened or read */
    SNAPSHOT_EFORMAT, /* it is no profile, or a damaged one */
    SNAPSHOT_EWRITE,  /* the file could not be written: what stood there is as before */
    SNAPSHOT_EMIX,    /* these do not go together */
    SNAPSHOT_ENOMEM,
    SNAPSHOT_ETAKEN, /* there is a file of that name */
};

/* What a value counts: "samples" "count", "time" "nanoseconds", "calls" "count". */
struct snapshot_type {
    const char *name, *unit;
};

struct snapshot_mapping {
    uint64_t start, limit, offset;
    const char *file, *build_id;
    bool has_functions, has_files, has_lines, has_inlined;
};

struct snapshot_function {
    const char *name, *system_name, *file; /* "": not known */
    int64_t start_line;                    /* 0: not known */
    uint64_t addr;                         /* its first place that is known, 0: none */
};

/* One frame of a location. */
struct snapshot_line {
    uint32_t function; /* or SNAPSHOT_NONE */
    int64_t line, column;
};

/*
 * What stands at an address: frames from the innermost inlined function to the one that it all
 * stands in. In a snapshot of ours, up to the next location in the same block. folded: a block that
 * several share, named after the one with most of its bytes; locations that no sample has tell them
 * apart.
 */
struct snapshot_location {
    uint64_t addr;    /* of a caller: the last byte of the call */
    uint32_t mapping; /* or SNAPSHOT_NONE */
    uint32_t first_line, line_count;
    bool folded;
};

struct snapshot_label {
    const char *key;
    const char *text; /* "": it is a number */
    int64_t number;
    const char *unit;
};

struct snapshot_sample {
    uint32_t first_frame, depth; /* in frames: locations, the leaf first */
    uint32_t first_label, label_count;
    uint64_t inherited; /* of its hits, see struct profile_hit */
};

/* Under what conditions the hits were counted. Texts are never NULL, "": not known. */
struct snapshot_conditions {
    const char *tool;     /* "mprof 0.1.0" */
    const char *elf;      /* file name without folders */
    const char *identity; /* how the ELF and the target stood: "= flash" */
    const char *target, *arch;
    const char *link, *server, *address;
    const char *sampler;
    uint64_t block_size; /* bytes of addresses of a block, at least 1 */
    uint64_t sample_hz;  /* 0: not known */
    uint64_t addr_size;  /* bytes, 0: not known */
    uint64_t linked_at;  /* in the ELF, what stands where the first mapping starts; 0: the same */
    uint64_t dropped, ignored, displaced, late, sleeping, other_side, events;
    uint64_t halts, halted_ns;
    uint64_t runs; /* snapshots that were added up */
    bool locked, jittered;
    bool headerless; /* what was dropped is not known */
    bool decays;     /* hits also went down */
    bool big_endian;
};

/* The strings belong to the snapshot, the same text is the same pointer. */
struct snapshot {
    struct snapshot_conditions conditions;
    bool ours;           /* made by mprof: the conditions are known, and folded blocks told apart */
    int64_t time_ns;     /* when it was begun, since 1970; 0: not known */
    int64_t duration_ns; /* 0: not known */
    int64_t end_ns;      /* of several that were added up, when the last one ended; 0: not known */
    int64_t period;
    struct snapshot_type period_type;
    const char *default_type;
    const char *drop_frames, *keep_frames;

    struct snapshot_type *types;
    size_t type_count;
    struct snapshot_mapping *mappings;
    size_t mapping_count;
    struct snapshot_function *functions;
    size_t function_count;
    struct snapshot_line *lines;
    size_t line_count;
    struct snapshot_location *locations;
    size_t location_count;
    struct snapshot_sample *samples;
    size_t sample_count;
    int64_t *values; /* type_count for each sample */
    uint32_t *frames;
    size_t frame_count;
    struct snapshot_label *labels;
    size_t label_count;
    const char **comments; /* that are not conditions */
    size_t comment_count;

    struct snapshot_store *store; /* of the texts, and how much room the arrays have */
    struct snapshot_index *index; /* of the locations by address */
};

/* What a snapshot is made under beside the profile itself. Texts are copied. */
struct snapshot_about {
    struct snapshot_conditions conditions; /* what the profile has too is taken from there */
    const char *program;                   /* the ELF file's path */
    const char *build_id;                  /* as of symtab_build() */
    uint64_t program_start, program_end;
    int64_t time_ns, duration_ns;
};

/*
 * Each of these gives a new snapshot, to be freed by snapshot_free(), or leaves *snapshot untouched
 * and says in one line of text (at most capacity bytes, NUL-terminated) what is wrong.
 */

/* Of a profile; naming's names are copied. */
enum snapshot_code snapshot_make(const struct profile *profile, const struct symbol_naming *naming,
                                 const struct snapshot_about *about, struct snapshot **snapshot,
                                 char *text, size_t capacity) __attribute__((warn_unused_result));

/* Of a regular file: any pprof profile, packed by gzip or not, or a gmon.out. */
enum snapshot_code snapshot_load(const char *path, struct snapshot **snapshot, char *text,
                                 size_t capacity) __attribute__((warn_unused_result));

/* Of the bytes of such a file; name is what text calls it. */
enum snapshot_code snapshot_read(const uint8_t *bytes, size_t len, const char *name,
                                 struct snapshot **snapshot, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Of several (at least one), in whatever order: what is the same is added up. Those that count
 * other things, blocks of another size, or another build are SNAPSHOT_EMIX; names has what text
 * calls each. */
enum snapshot_code snapshot_merge(const struct snapshot *const *snapshots, const char *const *names,
                                  size_t count, struct snapshot **merged, char *text,
                                  size_t capacity) __attribute__((warn_unused_result));

/* When it ended, since 1970; 0: not known. Runs that were added up may have gaps between them, or
 * have run at the same time, so that this is not always time_ns plus duration_ns. */
int64_t snapshot_end_ns(const struct snapshot *snapshot);

void snapshot_free(struct snapshot *snapshot);

/* Writes it whole or not at all: the file at path is replaced when the new one is on the disk. The
 * same snapshot gives the same bytes. */
enum snapshot_code snapshot_save(const struct snapshot *snapshot, const char *path, char *text,
                                 size_t capacity) __attribute__((warn_unused_result));

/* The same, as a file that is not there yet: SNAPSHOT_ETAKEN leaves alone what is. */
enum snapshot_code snapshot_save_new(const struct snapshot *snapshot, const char *path, char *text,
                                     size_t capacity) __attribute__((warn_unused_result));

/* The file's bytes, to be freed; NULL: no memory. */
uint8_t *snapshot_bytes(const struct snapshot *snapshot, size_t *len);

/* The type that a ranking is of, unless another one is asked for by its name: SNAPSHOT_NONE: there
 * is none of that name. arcs: calls are wanted. */
uint32_t snapshot_choose_type(const struct snapshot *snapshot, const char *name, bool arcs);

/*
 * The hits of one type, and the caller of each, as a profile; to be freed by profile_free(). A
 * profile that was taken over a time has it as its last interval. Values that are no counts of
 * anything (below 0, or absurd) are SNAPSHOT_EFORMAT. *profile is untouched on failure.
 */
enum snapshot_code snapshot_profile(const struct snapshot *snapshot, uint32_t type,
                                    struct profile *profile, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* The same for rows that are not of arcs: much smaller where stacks are deep, for callers are left
 * out where that does not change a row. */
enum snapshot_code snapshot_profile_flat(const struct snapshot *snapshot, uint32_t type,
                                         struct profile *profile, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* The names for that profile; the snapshot must outlive it. */
struct symbol_naming snapshot_naming(const struct snapshot *snapshot);

/* What is looked up when a block is divided: the location that stands at addr, which is the last
 * one at or before it in the same block, and no folded one where the block's parts are known.
 * SNAPSHOT_NONE: nothing is known of it. */
uint32_t snapshot_find_location(const struct snapshot *snapshot, uint64_t addr);

/* For how many bytes from addr on, at least 1, the answer of snapshot_find_location() and of the
 * snapshot's names is what it is at addr. */
uint64_t snapshot_same(const struct snapshot *snapshot, uint64_t addr);

/* The function that rows by function give a location's hits to: of ours the one that it all stands
 * in, of others the innermost one. SNAPSHOT_NONE: it has no name. */
uint32_t snapshot_owner(const struct snapshot *snapshot, uint32_t location);

/* Whether addresses of locations are addresses, and not only numbers of places. */
bool snapshot_is_placed(const struct snapshot *snapshot);

/* From the ELF's addresses to those of the snapshot, modulo 2^64: of a program that was loaded
 * somewhere else than it was linked to. */
uint64_t snapshot_bias(const struct snapshot *snapshot);

/* Whether it has any name. */
bool snapshot_has_names(const struct snapshot *snapshot);

#endif
