/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One function from inside: its source lines and instructions with their hits. */
#ifndef RANKING_ANNOTATE_H
#define RANKING_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <code/listing.h>
#include <code/source.h>
#include <profile/profile.h>
#include <profile/stats.h>
#include <symbol/naming.h>

/* A function and the parts of it that stand elsewhere (".cold"). */
#define ANNOTATE_PARTS_MAX 8

/* Lines that say what is missing or doubtful. */
#define ANNOTATE_NOTES_MAX 12
#define ANNOTATE_NOTE_SIZE 400

/* Borrowed, but for the listing, as long as the annotation lives. */
struct annotate_part {
    const struct symtab_function *function; /* as names give it */
    struct listing listing;                 /* what stands in it; empty: not known */
    uint64_t hits;                          /* worked out */
};

/* One source line, whatever instructions it has, and wherever they stand. */
struct annotate_line {
    const char *file; /* NULL: not known, and so is the line */
    unsigned line;
    const char *text; /* of the source; NULL: not found */
    uint64_t addr;    /* of its first instruction */
    uint64_t hits, inherited;
    uint64_t least, most;     /* of blocks that are its own; of all that it has a part of */
    struct stats_share share; /* of the function's hits, from the least to the most that these may
                               * be; low < 0: not known */
    bool shared;              /* some of them are shares of blocks */
};

/* One instruction, or a piece of data. */
struct annotate_step {
    const struct listing_item *item;
    uint64_t hits, inherited, least, most; /* as of a line */
    struct stats_share share;
    bool shared;                     /* they are shares of blocks that others stand in, too */
    size_t part;                     /* it stands in */
    size_t line;                     /* of annotation.lines */
    size_t first_frame, frame_count; /* of annotation.frames, the innermost one first; where it is
                                      * the same as of the step before, so is first_frame */
};

struct annotation {
    struct annotate_part parts[ANNOTATE_PARTS_MAX]; /* the function first */
    size_t part_count;
    struct symtab_line start;    /* where the function begins; file NULL: not known */
    struct annotate_step *steps; /* part by part, by address; none without listings */
    size_t step_count, step_room;
    struct annotate_line *lines; /* by file and line */
    size_t line_count, line_room;
    struct symtab_inlined *frames;
    size_t frame_count, frame_room;
    struct annotate_source {
        const char *name; /* as in the lines */
        struct source_file file;
    } * sources;
    size_t source_count, source_room;
    uint64_t hits, inherited;
    uint64_t attributed;      /* of all functions */
    struct stats_share share; /* of hits in attributed */
    unsigned block_size;      /* bytes of a block: finer than this nothing is known */
    unsigned addr_size;       /* bytes */
    const char *unit;         /* "samples", "calls" */
    char notes[ANNOTATE_NOTES_MAX][ANNOTATE_NOTE_SIZE];
    size_t note_count, kept_notes; /* those before it was built */
    bool built;
};

struct annotate_input {
    const struct profile *profile;
    const struct symbol_naming *names;
    unsigned addr_size;
    const char *unit;     /* what is counted */
    char *const *folders; /* where source files are looked for beside their own paths; ends with
                           * NULL, or is NULL */
    bool all_lines;       /* of parts without a listing, those without hits too */
    time_t built;         /* when the ELF file was written; 0: not known */
};

/*
 * Works out lines and steps of the parts that are in the annotation (nothing else of it is set but
 * these and notes). The hits of a block are given to its instructions by their bytes; the sum is
 * what a ranking by function gives these functions, to the last hit. Without a listing there are
 * lines only. Strings of names are borrowed. May be called again with another profile: steps and
 * sources are kept, and only the hits are new. false: no memory, and nothing is to be done with it
 * but annotate_free(), which is due in any case and frees the parts' listings too.
 */
bool annotate_build(struct annotation *annotation, const struct annotate_input *input)
    __attribute__((warn_unused_result));
void annotate_free(struct annotation *annotation);

/* Adds a note; those that are too many are dropped. */
void annotate_note(struct annotation *annotation, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The source of that name, or NULL. */
const struct source_file *annotate_source(const struct annotation *annotation, const char *name);

#endif
