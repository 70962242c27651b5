/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A snapshot: a profile with all names it needs, in memory and as a pprof file (docs/snapshot.md).
 */
#ifndef SNAPSHOT_SNAPSHOT_H
#define SNAPSHOT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/profile.h>
#include <symbol/naming.h>

/* The index of nothing. */
#define SNAPSHOT_NONE UINT32_MAX

/* Largest file that is read: bytes after unpacking, samples, and frames of all stacks. */
#define SNAPSHOT_MAX_BYTES   (256u << 20)
#define SNAPSHOT_MAX_SAMPLES (8u << 20)
#define SNAPSHOT_MAX_FRAMES  (32u << 20)

/* Largest block size that is accepted, bytes. */
#define SNAPSHOT_MAX_BLOCK_SIZE 65536

/* What failed. */
enum snapshot_code {
    SNAPSHOT_OK = 0,
    SNAPSHOT_EOPEN,   /* the file cannot be opened or read */
    SNAPSHOT_EFORMAT, /* it is not a profile, or is damaged */
    SNAPSHOT_EWRITE,  /* it cannot be written; an existing file is unchanged */
    SNAPSHOT_EMIX,    /* the snapshots cannot be added up */
    SNAPSHOT_ENOMEM,
    SNAPSHOT_ETAKEN, /* a file of this name exists */
};

/* Structs up to struct snapshot are messages of the pprof format (profile.proto in pprof), with
 * indexes instead of ids. Strings belong to the snapshot and are never NULL; "" is not known. */

/* The type of a value: "samples" "count", "time" "nanoseconds", "calls" "count". */
struct snapshot_type {
    const char *name, *unit;
};

/* A program in memory: start <= address < limit. */
struct snapshot_mapping {
    uint64_t start, limit, offset;
    const char *file, *build_id;
    bool has_functions, has_files, has_lines, has_inlined;
};

/* A function. */
struct snapshot_function {
    const char *name;        /* demangled */
    const char *system_name; /* as in the symbol table */
    const char *file;
    int64_t start_line; /* 0: not known */
    uint64_t addr;      /* its lowest address that is known, 0: none */
};

/* One frame of a location. */
struct snapshot_line {
    uint32_t function;    /* index in functions, or SNAPSHOT_NONE */
    int64_t line, column; /* 0: not known */
};

/*
 * The code at an address: frames from the innermost inlined function to the function that contains
 * it. In a snapshot of mprof it reaches up to the next location in the same block. A block with
 * several functions or lines is folded: its samples have one location, named after the function
 * with most of its bytes, and further locations without samples describe the parts.
 */
struct snapshot_location {
    uint64_t addr;       /* of a caller, the last byte of the call */
    uint32_t mapping;    /* index in mappings, or SNAPSHOT_NONE */
    uint32_t first_line; /* index in lines of the innermost frame */
    uint32_t line_count;
    bool folded;
};

/* A label of a sample: a text or a number. */
struct snapshot_label {
    const char *key;
    const char *text; /* "": the label is a number */
    int64_t number;
    const char *unit;
};

/* A sample: a stack, with its values in snapshot.values. */
struct snapshot_sample {
    uint32_t first_frame, depth;       /* its part of frames, the leaf first */
    uint32_t first_label, label_count; /* its part of labels */
    uint32_t run;                      /* of snapshot.runs, counted from 1; 0: none */
    uint64_t inherited;                /* of its hits, as in struct profile_hit */
    bool partial;                      /* some of its hits may be lost */
};

/* The hits of a task or an exception. */
struct snapshot_context {
    uint64_t hits;
    unsigned number;  /* that of the exception, 0: none; PROFILE_TASK_FIRST: a task; or
                       * PROFILE_OTHERS  (profile/tasks.h) */
    const char *name; /* "task blink", "SysTick_Handler (SysTick)" */
    uint32_t run;     /* of snapshot.runs, counted from 1; 0: of all together */
};

/* How the share of the code at one address wanders: struct wander, rounded. */
struct snapshot_wander {
    uint64_t addr; /* of its samples' locations */
    uint32_t run;  /* of snapshot.runs, counted from 1; 0: none */
    int64_t hits;
    int64_t cosine[WANDER_COSINES];
};

/* Most runs of one file. */
#define SNAPSHOT_RUNS_MAX 50

/* One of several runs that a file has; numbers as in struct snapshot_conditions. */
struct snapshot_run {
    int64_t time_ns, duration_ns;
    uint64_t dropped, ignored, sleeping, events, iterations;
    struct profile_rest rest; /* owned */
};

/* What a factor of variance is kept in. */
#define SNAPSHOT_SPREAD_UNIT 1000.0

/* How the hits were counted. Numbers without a comment are those of struct profile. */
struct snapshot_conditions {
    const char *tool;                    /* "mprof 0.1.0" */
    const char *elf;                     /* file name without folders */
    const char *identity;                /* whether the target ran the ELF file: "= flash" */
    const char *target, *arch;           /* as in struct gdbmi_info */
    const char *link, *server, *address; /* kind, server and address of struct gdbmi_info */
    const char *sampler;                 /* name of the block: "table" */
    uint64_t block_size;                 /* bytes, at least 1 */
    uint64_t sample_hz;                  /* 0: not known */
    uint64_t addr_size;                  /* bytes of an address, 0: not known */
    uint64_t linked_at; /* link address of the first mapping's start; 0: not relocated */
    uint64_t dropped, ignored, displaced, late, sleeping, other_side, iterations;
    uint64_t events;           /* all events */
    uint64_t halts, halted_ns; /* how often and how long mprof halted the target */
    uint64_t runs;             /* snapshots that were added up */
    uint64_t batches;          /* of samples that mprof took itself */
    uint64_t spread,
        task_spread; /* as in struct profile, in 1 / SNAPSHOT_SPREAD_UNIT; 0: not known */
    bool locked, jittered, fixed; /* as in struct profile */
    bool headerless;              /* lost hits are not known */
    bool decays;                  /* hits also went down */
    bool one_boot;                /* the runs of the file are times of one boot of the target */
    const char *unsure; /* why intervals are not known, "" if they are (profile/unsure.h) */
    bool big_endian;
};

/* A snapshot. It owns its arrays and strings; equal strings are the same pointer. Do not change it,
 * except through the functions below. */
struct snapshot {
    struct snapshot_conditions conditions;
    struct profile_rest rest; /* lost hits by region of code. Code that may have lost hits has a
                               * location, even if no sample has it. */
    bool ours;           /* made by mprof: the conditions are known, and folded blocks have parts */
    int64_t time_ns;     /* when counting began, since 1970; 0: not known */
    int64_t duration_ns; /* 0: not known; in a snapshot of mprof, all since the target's reset */
    int64_t end_ns;      /* if several were added up, the end of the last one; 0: not known */
    int64_t period;      /* of period_type between two samples; 0: not known */
    struct snapshot_type period_type;
    const char *default_type;              /* name of the type to show, or "" */
    const char *drop_frames, *keep_frames; /* as in pprof */

    struct snapshot_type *types;
    size_t type_count;
    struct snapshot_mapping *mappings; /* the program is the first one */
    size_t mapping_count;
    struct snapshot_function *functions;
    size_t function_count;
    struct snapshot_line *lines;
    size_t line_count;
    struct snapshot_location *locations;
    size_t location_count;
    struct snapshot_sample *samples;
    size_t sample_count;
    int64_t *values;  /* type_count for each sample, one after the other */
    uint32_t *frames; /* indexes in locations */
    size_t frame_count;
    struct snapshot_label *labels;
    size_t label_count;
    struct snapshot_run *runs; /* of mprof snapshot --runs, in the order of time */
    size_t run_count;          /* 0: the snapshot is one run, or several that were added up */
    struct snapshot_context *contexts; /* the same samples by task and exception */
    size_t context_count;              /* 0: not known */
    struct snapshot_wander *wanders;   /* in the order of runs and addresses */
    size_t wander_count;               /* 0: not known */
    unsigned cosines;                  /* that are known of each; the others are 0 */
    const char **comments;             /* of the file, without those that are conditions */
    size_t comment_count;

    struct snapshot_store *store; /* private: strings, and the capacity of the arrays */
    struct snapshot_index *index; /* private: locations by address */
};

/* Further arguments of snapshot_make(), in addition to the profile. Strings are copied. */
struct snapshot_about {
    struct snapshot_conditions conditions; /* members that the profile has too are ignored */
    const char *program;                   /* path of the ELF file */
    const char *build_id;                  /* as symtab_build() returns it */
    uint64_t program_start, program_end;   /* addresses of its first function, after its last one */
    int64_t time_ns, duration_ns;          /* as in struct snapshot */
    const struct snapshot_context *contexts; /* context_count of them; 0: not known */
    size_t context_count;
};

/*
 * Functions that make a snapshot: the caller frees it with snapshot_free(). On failure they leave
 * *snapshot unchanged and write one line to text, which has room for capacity bytes.
 */

/* Makes a snapshot of a profile. Names are copied. */
enum snapshot_code snapshot_make(const struct profile *profile, const struct symbol_naming *naming,
                                 const struct snapshot_about *about, struct snapshot **snapshot,
                                 char *text, size_t capacity) __attribute__((warn_unused_result));

/* Loads a regular file: any pprof profile, compressed by gzip or not, or a gmon.out. */
enum snapshot_code snapshot_load(const char *path, struct snapshot **snapshot, char *text,
                                 size_t capacity) __attribute__((warn_unused_result));

/* Reads the contents of such a file. name is its name for messages. */
enum snapshot_code snapshot_read(const uint8_t *bytes, size_t len, const char *name,
                                 struct snapshot **snapshot, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Adds up count snapshots, at least one; their order does not matter. Returns SNAPSHOT_EMIX if
 * types, block sizes or builds differ. names are their names for messages. */
enum snapshot_code snapshot_merge(const struct snapshot *const *snapshots, const char *const *names,
                                  size_t count, struct snapshot **merged, char *text,
                                  size_t capacity) __attribute__((warn_unused_result));

/* Puts count snapshots, at most SNAPSHOT_RUNS_MAX, together as the runs of one. It changes them;
 * the caller frees them nevertheless. Each has a time and a duration. Fails as snapshot_merge(). */
enum snapshot_code snapshot_join(struct snapshot *const *snapshots, size_t count,
                                 struct snapshot **joined, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Makes a snapshot with several runs one that has only their sum. On failure *snapshot is
 * unchanged. */
enum snapshot_code snapshot_forget_runs(struct snapshot **snapshot, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Returns when a snapshot ended, since 1970; 0: not known. Of snapshots that were added up this is
 * not always time_ns + duration_ns: there may have been gaps, or they ran at the same time. */
int64_t snapshot_end_ns(const struct snapshot *snapshot);

/* Frees a snapshot. NULL is allowed. */
void snapshot_free(struct snapshot *snapshot);

/* Writes a snapshot to a file, completely or not at all. An existing file is replaced after the new
 * one is on the disk. The same snapshot gives the same bytes. On failure writes one line to text.
 */
enum snapshot_code snapshot_save(const struct snapshot *snapshot, const char *path, char *text,
                                 size_t capacity) __attribute__((warn_unused_result));

/* The same, but returns SNAPSHOT_ETAKEN if the file exists. */
enum snapshot_code snapshot_save_new(const struct snapshot *snapshot, const char *path, char *text,
                                     size_t capacity) __attribute__((warn_unused_result));

/* Returns the contents of such a file, and sets *len. The caller frees them with free(). Returns
 * NULL if memory runs out. */
uint8_t *snapshot_bytes(const struct snapshot *snapshot, size_t *len);

/* Returns the index of the type to rank: that of a name, or if name is NULL samples, or calls with
 * arcs, or the default type. Returns SNAPSHOT_NONE if there is no type of this name. */
uint32_t snapshot_choose_type(const struct snapshot *snapshot, const char *name, bool arcs);

/*
 * Makes a profile of the hits of one type with their callers. If the snapshot has a duration, all
 * hits are recent. The caller frees *profile with profile_free(). Returns SNAPSHOT_EFORMAT if
 * values are negative or too large for counts. On failure *profile is unchanged, and one line is
 * written to text.
 */
enum snapshot_code snapshot_profile(const struct snapshot *snapshot, uint32_t type,
                                    struct profile *profile, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* The same for rows without callers. Much smaller if stacks are deep, because callers that do not
 * change a row are left out. */
enum snapshot_code snapshot_profile_flat(const struct snapshot *snapshot, uint32_t type,
                                         struct profile *profile, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* The same, with callers or without, for one run of snapshot.runs, counted from 1; 0: all hits. */
enum snapshot_code snapshot_run_profile(const struct snapshot *snapshot, uint32_t type,
                                        uint32_t run, bool callers, struct profile *profile,
                                        char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Returns the names for such a profile. The snapshot must live as long as they are used. */
struct symbol_naming snapshot_naming(const struct snapshot *snapshot);

/* Returns the index of the location that contains addr: the last one at or before it in the same
 * block, and not a folded one if the parts of the block are known. SNAPSHOT_NONE if there is none.
 */
uint32_t snapshot_find_location(const struct snapshot *snapshot, uint64_t addr);

/* Returns the number of bytes from addr on, at least 1, for which snapshot_find_location() and the
 * names have the same result. */
uint64_t snapshot_same(const struct snapshot *snapshot, uint64_t addr);

/* Returns the index of the function that gets the hits of a location in rows by function: the
 * function that contains it in a snapshot of mprof, the innermost one in other files. SNAPSHOT_NONE
 * if it has no name. */
uint32_t snapshot_owner(const struct snapshot *snapshot, uint32_t location);

/* Whether locations have addresses of the target, and not only numbers. */
bool snapshot_is_placed(const struct snapshot *snapshot);

/* Returns the load address minus the link address of the program, modulo 2^64; 0 if it was not
 * relocated. */
uint64_t snapshot_bias(const struct snapshot *snapshot);

/* Whether any location has a name. */
bool snapshot_has_names(const struct snapshot *snapshot);

#endif
