/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile: hits by address, and how they were counted. Updated by each reading of a target. */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/decode.h>
#include <profile/rest.h>
#include <profile/stacks.h>
#include <profile/tally.h>
#include <profile/tasks.h>
#include <wander/wander.h>

/* One row: a block of code and its hits. Several rows may have the same address; add them up. */
struct profile_hit {
    uint64_t addr;      /* first byte of the block, which has profile.block_size bytes */
    uint64_t caller;    /* of an arc, the address that it returns to; else 0 */
    uint64_t hits;      /* since the last reset, inherited ones included; 0: the row is empty */
    uint32_t inherited; /* how many of them may belong to an earlier address of the row */
    uint32_t recent;    /* hits since the update before */
    uint32_t stamp;     /* of the row in the target; another one: another address */
    uint32_t lost;      /* by how much hits is smaller than before (decay); then recent is 0 */
    uint32_t late;      /* samples among the hits that came late; 0 unless profile.lateness */
    uint16_t exception; /* what was interrupted, a number of profile/tasks.h; see
                         * profile.exceptions */
    bool complete;      /* no hit of its address is in profile.rest */
    bool stale;         /* could not be read this time: the numbers are of an earlier update */
};

static inline struct wander_place profile_place(const struct profile_hit *hit)
{
    return (struct wander_place){
        .addr = hit->addr, .caller = hit->caller, .exception = hit->exception};
}

/* Counters of one core by which a restart is recognised; see struct decode_header. */
struct profile_run {
    uint32_t boot, heartbeat, generation, reset_done, sleeping;
};

/* The profile. profile_init() makes an empty one, profile_free() frees its rows. */
struct profile {
    enum decode_source source; /* the block that was read */
    enum decode_unit unit;
    unsigned block_size;          /* bytes of code that a row stands for */
    bool headerless;              /* the table has no header: lost hits and rates are not known */
    uint32_t sample_hz;           /* samples a second, 0: not known */
    uint32_t tick_hz;             /* ticks a second of the timer that takes them, 0: not known */
    bool locked, jittered, fixed; /* as in struct decode_header */
    bool lateness;                /* late is known for each row */
    bool exceptions;              /* exception is known for each row */
    bool decays;                  /* hits also go down; hits that faded are in rest */

    /* Of a headerless table. */
    unsigned unsure;  /* bits of enum profile_unsure (profile/unsure.h) */
    unsigned falls;   /* updates in which a row had fewer hits than before */
    uint64_t hit;     /* the number that one hit adds, if rows prove it; else 1 */
    uint64_t divisor; /* of the hits of all updates, the greatest one that they have in common */

    struct profile_hit *rows; /* owned; in the target's order, core by core */
    size_t row_count;
    struct profile_rest rest; /* hits that were lost, by region of code */
    size_t used;              /* rows with hits */
    size_t stale;             /* rows that are stale */
    size_t capacity;          /* rows that the target's table has room for; 0: not known */

    uint64_t attributed; /* sum of the rows' hits */
    uint64_t recent;     /* sum of the rows' recent */
    /* Since the update before. */
    uint32_t events; /* all events, also those that are in no row */
    uint32_t missed; /* events that were lost; 0 if not known */
    uint32_t slept;  /* events in sleep, and samples missed in sleep */
    /* Since the last reset, over all cores, modulo 2^32; as in struct mprof_header. */
    uint32_t dropped, ignored, displaced;
    uint32_t late, sleeping, other_side;
    uint32_t iterations; /* of the firmware's main loop; 0: not counted */
    uint32_t heartbeat;  /* all events */
    uint32_t enable;     /* bits that are set on any core (docs/layout.md); 0: not known */

    /* What a firmware with MPROF_TASK knows of tasks. */
    struct profile_tasks *tasks; /* owned; NULL: nothing */
    struct profile *by_context;  /* owned; the same samples with one row for each task and each
                                  * exception, whose rows have no addresses; exact. NULL: rows
                                  * have their task and exception, or nothing is known */

    struct slices *slices;     /* owned; of the updates since the last restart. NULL: none */
    struct wander_list wander; /* what they tell, or what a snapshot says; owned */
    /* Of samples that mprof takes itself: decode_is_taken(source). */
    uint32_t batches;              /* samples of one batch follow each other closely */
    uint32_t halted, lockup;       /* looks that found the core halted, or locked up */
    double spread;                 /* how many times larger the variance of shares is than that of
                                    * independent samples, by the batches; 0: not known, taken as 1 */
    double task_spread;            /* the same of shares of tasks and exceptions */
    struct profile_stacks *stacks; /* owned; the same samples with their callers; NULL: not known */

    struct profile_run runs[DECODE_MAX_CORES]; /* one for each core */
    unsigned cores;
    bool ended;        /* profile_end() was called: the next update starts a run */
    bool paused;       /* profile_pause() was called: the next update has no recent hits */
    bool halfway;      /* the last update may have been read while the target started */
    double updated_s;  /* time of the last update, by the caller's clock; 0: none */
    double from_s;     /* when counting began, by that clock; 0: at the target's last reset */
    double recent_s;   /* seconds from the update before to the last one; 0: recent is not known */
    unsigned restarts; /* how often the target's counts restarted between two updates */
};

/* What was read of one core. Both pointers are borrowed for the call. */
struct profile_object {
    const uint8_t *bytes; /* header->total_size bytes of s_prof */
    const struct decode_header
        *header; /* what decode_header() made of them, with a block selected */
};

/* Makes an empty profile. */
void profile_init(struct profile *profile);
/* Frees the rows; the profile is empty and can be used again. */
void profile_free(struct profile *profile);

/*
 * Updates a profile with a reading of all cores. objects has count entries, at least one, in the
 * order of the cores, all with the same block selected. now_s is the time of the reading, seconds
 * of a monotonic clock. Rows that were being written while they were read keep their earlier
 * numbers and are marked stale.
 *
 * The target has restarted if boot or reset_done has changed, a counter went back, a row
 * contradicts its stamp, or the table has another shape. Then restarts increases and there are no
 * recent hits.
 *
 * Returns false if memory runs out; the profile is unchanged then.
 */
bool profile_update(struct profile *profile, const struct profile_object *objects, size_t count,
                    double now_s) __attribute__((warn_unused_result));

/* Samples that were read from streams since the last reset. The caller owns it. */
struct profile_drained {
    struct tally tally; /* hits by address and exception */
    uint32_t lost;      /* records that were overwritten before they were read */
    uint32_t begun;     /* records since the last update that header.heartbeat does not count */
    bool alone;         /* the stream is the only block, so heartbeat counts no samples */
    bool exceptions;    /* the samples have numbers of exceptions */
    struct profile_tasks *tasks; /* owned; those of the samples. NULL: not known */
    bool restarted;              /* the tally was cleared since the last update */
};

/* Updates a profile with the samples of streams, like profile_update(). Sets begun to 0 and
 * restarted to false, and records in the tally which hits the profile has. */
bool profile_update_drained(struct profile *profile, const struct profile_object *objects,
                            size_t count, struct profile_drained *drained, double now_s)
    __attribute__((warn_unused_result));

/* Works out the sums over the rows: attributed, recent, used and stale. */
void profile_add_up(struct profile *profile);

/* Makes the next update start another run: the magic was missing, or the table is another one. */
void profile_end(struct profile *profile);

/* Adds the recent hits of a profile as one poll. Hits that are no samples, or that fade, do not
 * tell how shares wander: they are not added. */
void profile_add_slice(const struct profile *profile, struct slices *slices);

/* Counting begins at the last update: earlier updates do not tell any more how shares wander. */
void profile_begin(struct profile *profile);

/* Makes the next update have no recent hits, because the target could not be read for a while or
 * was halted, so that hits since the last update are no rate. The counts continue. */
void profile_pause(struct profile *profile);

#endif
