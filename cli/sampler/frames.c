/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds frames among bytes of which some are lost or damaged. */
#include "frames.h"

#include <string.h>

#include <zlib.h>

#include <mprof/layout.h>

#define SYNC_BYTES 2
#define HEAD_BYTES 6

uint32_t frame_word(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint8_t *frames_room(struct frames *frames, size_t *room)
{
    size_t len = frames->end - frames->begin;

    memmove(frames->bytes, frames->bytes + frames->begin, len);
    frames->begin = 0;
    frames->end = len;
    *room = sizeof(frames->bytes) - len;
    return frames->bytes + len;
}

void frames_add(struct frames *frames, size_t len)
{
    frames->end += len;
}

/* Where a frame may begin, as far as these bytes tell. */
static bool may_begin(const uint8_t *at, size_t len)
{
    return at[0] == (MPROF_FRAME_SYNC & 255) && (len < 2 || at[1] == MPROF_FRAME_SYNC >> 8) &&
           (len < 3 || at[2] == MPROF_FRAME_HEADER || at[2] == MPROF_FRAME_RECORDS);
}

static bool is_right(const uint8_t *at, size_t len)
{
    return crc32(0, at + SYNC_BYTES, (uInt)(len - SYNC_BYTES - 4)) == frame_word(at + len - 4);
}

bool frames_next(struct frames *frames, bool last, struct frame *frame)
{
    for (; frames->begin < frames->end; frames->begin++, frames->skipped++) {
        const uint8_t *at = frames->bytes + frames->begin;
        size_t there = frames->end - frames->begin;

        if (!may_begin(at, there))
            continue;
        size_t len = there < HEAD_BYTES ? HEAD_BYTES : FRAME_AROUND + 4 * (size_t)at[5];
        if (there < len && !last)
            return false;
        if (there < len || !is_right(at, len))
            continue;
        *frame = (struct frame){.kind = at[2],
                                .core = at[3],
                                .run = at[4],
                                .contents = at + HEAD_BYTES,
                                .len = len - FRAME_AROUND};
        frames->begin += len;
        return true;
    }
    return false;
}
