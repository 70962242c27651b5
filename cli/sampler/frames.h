/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the frames that mprof_trace_send() has sent among bytes of which some are lost or damaged
 * (docs/records.md). Does no I/O. */
#ifndef SAMPLER_FRAMES_H
#define SAMPLER_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a frame has around its contents, and all of the largest one, bytes. */
#define FRAME_AROUND 10
#define FRAME_MAX    (FRAME_AROUND + 4 * 255)

/* A frame whose checksum is right. */
struct frame {
    unsigned kind; /* MPROF_FRAME_HEADER or _RECORDS */
    unsigned core;
    uint8_t run;             /* low byte of boot */
    const uint8_t *contents; /* len of them, until the next frames_room() */
    size_t len;
};

/* The bytes that came and were not used yet. Zeroed memory: none. */
struct frames {
    uint8_t bytes[16 * FRAME_MAX];
    size_t begin, end;
    uint64_t skipped; /* bytes that were no part of a frame */
};

/* Returns where bytes that come are to be stored, and sets *room to how many fit, at least
 * FRAME_MAX; if some were stored, call frames_add(). */
uint8_t *frames_room(struct frames *frames, size_t *room);
void frames_add(struct frames *frames, size_t len);

/* Takes the next frame. last: no more bytes will come. Returns false if there is none, or it is not
 * complete yet. */
bool frames_next(struct frames *frames, bool last, struct frame *frame);

/* A number of 4 bytes around the contents, or in them. */
uint32_t frame_word(const uint8_t *bytes);

#endif
