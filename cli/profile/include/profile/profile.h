/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile: hits by address, and the conditions under which they were counted. */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/decode.h>
#include <profile/tally.h>

/* One block of addresses and its hits. Several may have the same address; their hits add up. */
struct profile_hit {
    uint64_t addr;   /* first byte; the block has profile.block_size bytes */
    uint64_t caller; /* of an arc, else 0 */
    uint64_t hits;   /* since the last reset, what was inherited among them; 0: the row is empty */
    uint32_t inherited; /* of them, taken over from another address */
    uint32_t recent;    /* new ones since the update before */
    uint32_t stamp;     /* the identity that the row had when it was read */
    uint32_t lost;      /* it has so many fewer than before (decay), and recent is 0 */
    uint32_t late;      /* of the hits, those that came late; 0 unless from a stream */
    uint16_t exception; /* in which they came, 0: in none; see profile.exceptions */
    bool stale;         /* not readable this time, the numbers are from an earlier update */
};

/* What tells one run of a core from the next. */
struct profile_run {
    uint32_t boot, heartbeat, generation, reset_done, sleeping;
};

struct profile {
    enum decode_source source; /* what block it comes from */
    enum decode_unit unit;
    unsigned block_size;   /* bytes of addresses of a block */
    bool headerless;       /* the table says nothing of itself: what was dropped is not known */
    uint32_t sample_hz;    /* rate of the feeder, 0: not known */
    bool locked, jittered; /* the feeder's timer, see struct decode_header */
    bool lateness;         /* each row says how many of its hits came late */
    bool exceptions;       /* each row says in which exception its hits came */

    struct profile_hit *rows; /* row_count of them, in the target's order, core by core */
    size_t row_count;
    size_t used; /* rows with hits */
    size_t stale;

    uint64_t attributed; /* sum of the rows' hits */
    uint64_t recent;     /* sum of the rows' recent */
    uint32_t events;     /* presented since the update before, whatever became of them */
    uint32_t missed;     /* of them, those that were dropped; 0 where that is not known */
    uint32_t slept;      /* of them, those that came, or were missed, while the firmware slept */
    uint32_t dropped, ignored, displaced;
    uint32_t late, sleeping, other_side;
    uint32_t heartbeat; /* events presented since the target started, modulo 2^32 */
    uint32_t enable;    /* what is switched on, on any core (docs/layout.md); 0: not known */
    struct profile_run runs[DECODE_MAX_CORES];
    unsigned cores;
    bool ended;        /* the next update begins a new baseline */
    bool paused;       /* the next update measures no interval */
    bool halfway;      /* the last update may have met the target amid its start */
    double updated_s;  /* the caller's clock at the last update */
    double from_s;     /* when its counts began, on that clock; 0: with the target's last reset */
    double recent_s;   /* seconds between the last two updates; 0: that is no interval of the run */
    unsigned restarts; /* times that the target's counts began anew under our eyes */
};

/* One core's s_prof: its bytes, as decode_header() accepted them, and the block that was selected.
 */
struct profile_object {
    const uint8_t *bytes;
    const struct decode_header *header;
};

void profile_init(struct profile *profile);
void profile_free(struct profile *profile);

/*
 * Takes the tables of all cores (count of them, of the same shape), as read at now_s (a monotonic
 * clock in seconds). Rows that cannot be believed this time keep their last numbers and are marked
 * stale. A target that started anew (another boot, a reset that was asked for, counters that went
 * back, a row that contradicts what it was under the same stamp, another shape of table) begins a
 * new baseline. false: out of memory, the profile is as before.
 */
bool profile_update(struct profile *profile, const struct profile_object *objects, size_t count,
                    double now_s) __attribute__((warn_unused_result));

/* What was drained from a stream. */
struct profile_drained {
    struct tally tally;
    uint32_t lost;   /* counts as dropped */
    uint32_t begun;  /* records begun since the last update that the header does not count */
    bool alone;      /* the header counts no samples, the stream's head does */
    bool exceptions; /* the core has numbers of exceptions, and the samples have them */
    bool restarted;  /* the tally began anew since then */
};

/* The same for samples that were drained; begun and restarted are taken. */
bool profile_update_drained(struct profile *profile, const struct profile_object *objects,
                            size_t count, struct profile_drained *drained, double now_s)
    __attribute__((warn_unused_result));

/* What comes next is another run: the table was seen without its magic, or is another one. */
void profile_end(struct profile *profile);

/* For a while nothing could be read, or the target stood still: the counts go on, but what came
 * since the last update is no rate, and the next update shows none. */
void profile_pause(struct profile *profile);

#endif
