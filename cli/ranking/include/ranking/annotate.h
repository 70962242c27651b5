/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Annotates a function: its source lines and instructions with their hits. */
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

/* Largest number of parts: the function, and pieces of it elsewhere (".cold"). */
#define ANNOTATE_PARTS_MAX 8

/* Largest number of notes, and bytes of one with the NUL. */
#define ANNOTATE_NOTES_MAX 12
#define ANNOTATE_NOTE_SIZE 400

/* One part. The annotation owns the listing and borrows the function. */
struct annotate_part {
    const struct symtab_function *function; /* as the source of names returns it */
    struct listing listing;                 /* its instructions and data; empty: not known */
    uint64_t hits;                          /* set by annotate_build() */
};

/* The hits that some code of the function may have. A block of the profile does not tell which of
 * its instructions were hit, so code that shares a block with other code has a range of hits. */
struct annotate_range {
    uint64_t hits;            /* certainly its own: of blocks that it does not share */
    uint64_t most;            /* hits, and all hits of the blocks that it shares */
    uint64_t split;           /* of most: blocks that it shares with other functions */
    uint64_t inherited;       /* of most, as in struct profile_hit */
    struct wander wander;     /* of most: how its share wanders; see annotation.cosines */
    struct stats_share share; /* of the function's hits: that of hits, and an interval from hits to
                               * most; low < 0: the interval is not known */
};

/* A block of the profile that has hits. Blocks that overlap are one. */
struct annotate_block {
    uint64_t addr;       /* of the block, or of the first instruction in it */
    size_t part;         /* index in annotation.parts */
    size_t first, count; /* the steps from its first to its last instruction; 0: no listing */
    size_t instructions; /* among those */
    size_t lines;        /* source lines that have code in it */
    size_t first_line, last_line; /* of those, indices in annotation.lines */
    uint64_t hits;                /* as a ranking by function divides them: of this function */
    bool split;                   /* other functions have code in it, too */
    struct annotate_range range;
};

/* One source line, with the hits of all its instructions. */
struct annotate_line {
    const char *file; /* NULL: neither file nor line is known */
    unsigned line;    /* from 1 on */
    const char *text; /* the line in the source file; NULL: not found */
    uint64_t addr;    /* of its first instruction */
    struct annotate_range range;
};

#define ANNOTATE_NO_BLOCK SIZE_MAX

/* One instruction, or a piece of data between instructions. */
struct annotate_step {
    const struct listing_item *item; /* in the listing of the part */
    struct annotate_range range;
    size_t block;                    /* index in annotation.blocks, or ANNOTATE_NO_BLOCK: no hits */
    size_t part;                     /* index in annotation.parts */
    size_t line;                     /* index in annotation.lines */
    size_t first_frame, frame_count; /* inlined calls in annotation.frames, the innermost one first;
                                      * steps with the same calls have the same first_frame */
};

/* An annotated function. Zeroed memory is an empty one; the caller sets parts and part_count, and
 * frees it with annotate_free(). Arrays are owned. Strings of lines and frames belong to the source
 * of names. */
struct annotation {
    struct annotate_part parts[ANNOTATE_PARTS_MAX]; /* the function is the first one */
    size_t part_count;
    struct symtab_line start;    /* where the function begins; file NULL: not known */
    struct annotate_step *steps; /* sorted by part and address; none without listings */
    size_t step_count, step_room;
    struct annotate_block *blocks; /* sorted by first, those without a listing by addr */
    size_t block_count, block_room;
    struct annotate_line *lines; /* sorted by file and line */
    size_t line_count, line_room;
    struct symtab_inlined *frames;
    size_t frame_count, frame_room;
    /* The source files of the lines. */
    struct annotate_source {
        const char *name; /* as in the lines */
        struct source_file file;
    } * sources;
    size_t source_count, source_room;
    uint64_t hits, inherited; /* of all parts */
    /* What blocks, lines and steps add up to: hits, or those of annotate_input.focus; with bounds,
     * if other functions share blocks. */
    uint64_t divided, least, most;
    struct stats_unseen divided_unseen; /* private */
    struct wander wander;               /* private: of all blocks */
    unsigned cosines; /* how many coefficients of the wander of lines and steps are known; 0: their
                       * intervals cover counting only, or batches if whole.spread is above 1 */
    bool sampled;     /* shares have a sampling error: hits are no calls */
    struct stats_unseen unseen;
    struct stats_whole whole; /* private: of the profile */
    bool no_intervals;        /* private: of shares */
    uint64_t attributed;      /* hits of all functions of the profile */
    struct stats_share share; /* of hits in attributed */
    unsigned block_size;      /* bytes of code that one row of the profile stands for */
    unsigned addr_size;       /* bytes of an address */
    const char *unit;         /* "samples", "calls" */
    /* Lines about what is missing or doubtful. */
    char notes[ANNOTATE_NOTES_MAX][ANNOTATE_NOTE_SIZE];
    size_t note_count;
    size_t kept_notes; /* private: notes from before annotate_build() */
    bool built;        /* annotate_build() has succeeded */
};

/* Arguments of annotate_build(). All is borrowed for the call; names and unit as long as the
 * annotation lives. */
struct annotate_input {
    const struct profile *profile;
    const struct symbol_naming *names;
    unsigned addr_size;
    const char *unit;     /* what the profile counts: "samples", "calls" */
    char *const *folders; /* further folders in which to search source files, the last one NULL; or
                           * NULL */
    bool all_lines;       /* of parts without a listing, show lines without hits too */
    time_t built;         /* when the ELF file was written; 0: not known */
    /* Hits by instruction of the same function, counted in another time. If it is not NULL, lines
     * and steps have these hits, and profile has only those of the function. */
    const struct profile *focus;
    const char *focus_text; /* a note about focus; NULL or "": none */
};

/*
 * Computes blocks, lines and steps of the parts in an annotation. The hits of the blocks add up to
 * what a ranking by function shows for these parts. A part without a listing has lines but no
 * steps. Can be called again with another profile: it then computes only the hits again, and keeps
 * steps and source files.
 *
 * Returns false if memory runs out; the annotation can then only be freed.
 */
bool annotate_build(struct annotation *annotation, const struct annotate_input *input)
    __attribute__((warn_unused_result));

/* Returns the range of the steps from first on, before end. */
struct annotate_range annotate_range_of(const struct annotation *annotation, size_t first,
                                        size_t end);

/* Returns what the intervals of blocks, lines and steps cover, as wander_intervals() does; NULL:
 * they have none, or no sampling error. */
const char *annotate_intervals(const struct annotation *annotation);

/* Returns whether it shares hits with other code, so that they are a range and not a number. */
static inline bool annotate_is_shared(const struct annotate_range *range)
{
    return range->most > range->hits;
}

/* Frees all that an annotation owns, with the listings of its parts. */
void annotate_free(struct annotation *annotation);

/* Adds a note, cut to ANNOTATE_NOTE_SIZE. Does nothing if there are ANNOTATE_NOTES_MAX. */
void annotate_note(struct annotation *annotation, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the source file of a name as in the lines, which the annotation owns, or NULL. */
const struct source_file *annotate_source(const struct annotation *annotation, const char *name);

#endif
