/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One profile, kept up to date by tables that are read again and again. */
#include <profile/profile.h>

#include <stdlib.h>

#include "profile_private.h"

void profile_init(struct profile *profile)
{
    *profile = (struct profile){.unit = DECODE_UNIT_SAMPLES, .grain = 1};
}

void profile_free(struct profile *profile)
{
    free(profile->rows);
    profile_init(profile);
}

static bool same_shape(const struct profile *p, const struct decode_header *h)
{
    return !p->plain && p->row_count == h->item_count && p->unit == h->unit && p->grain == h->grain;
}

/* Counters wrap, so "went back" is a signed difference. */
static bool went_back(uint32_t now, uint32_t before)
{
    return (int32_t)(now - before) < 0;
}

/* A stamp is given once in a run, so a row that has it is the same row, and only grows. */
static bool contradicts(const struct profile_hit *row, const struct decode_item *item)
{
    return row->stamp == item->stamp &&
           (row->addr != item->addr || row->inherited != item->inherited ||
            went_back(item->hits, row->hits));
}

/* RAM that start-up code clears keeps no boot counter: then the numbers themselves must tell. */
static bool same_run(const struct profile *p, const struct decode_header *h, const uint8_t *bytes)
{
    if (p->ended || p->boot != h->boot || went_back(h->heartbeat, p->heartbeat) ||
        went_back(h->generation, p->generation))
        return false;
    for (size_t i = 0; i < h->item_count; i++) {
        struct decode_item item;
        if (decode_item(bytes, h, i, &item) == DECODE_ROW_FRESH && contradicts(&p->rows[i], &item))
            return false;
    }
    return true;
}

/* A header that is read while the target starts may have the old boot number and new counters: what
 * the next one says is the same restart. */
static bool restart(struct profile *p, const struct decode_header *h)
{
    struct profile_hit *rows = calloc(h->item_count, sizeof(*rows));
    bool counted = p->halfway && h->boot == p->boot + 1;

    if (!rows)
        return false;
    p->restarts += p->row_count != 0 && !counted;
    p->halfway = p->row_count != 0 && !p->ended && h->boot == p->boot;
    free(p->rows);
    p->rows = rows;
    p->row_count = h->item_count;
    p->unit = h->unit;
    p->grain = h->grain;
    p->plain = false;
    p->recent_s = 0;
    p->updated_s = 0;
    p->ended = false;
    return true;
}

static void take_row(struct profile_hit *row, const struct decode_item *item, bool first)
{
    uint32_t base = item->stamp == row->stamp ? row->hits : item->inherited;

    row->recent = first ? 0 : item->hits - base;
    row->addr = item->addr;
    row->hits = item->hits;
    row->inherited = item->inherited;
    row->stamp = item->stamp;
    row->stale = false;
}

/* A row that was never read stays empty; one that was keeps what it had. */
static void keep_row(struct profile_hit *row)
{
    row->recent = 0;
    row->stale = row->stamp != 0;
}

void profile_add_up(struct profile *p)
{
    p->attributed = p->recent = 0;
    p->used = p->stale = 0;
    for (size_t i = 0; i < p->row_count; i++) {
        p->attributed += p->rows[i].hits;
        p->recent += p->rows[i].recent;
        p->used += p->rows[i].hits != 0;
        p->stale += p->rows[i].stale;
    }
}

bool profile_update(struct profile *profile, const struct decode_header *header,
                    const uint8_t *bytes, double now_s)
{
    bool known = same_shape(profile, header) && same_run(profile, header, bytes);

    if (known)
        profile->halfway = false;
    else if (!restart(profile, header))
        return false;
    bool first = profile->updated_s <= 0 || profile->paused;
    for (size_t i = 0; i < header->item_count; i++) {
        struct decode_item item;
        if (decode_item(bytes, header, i, &item) == DECODE_ROW_FRESH)
            take_row(&profile->rows[i], &item, first);
        else
            keep_row(&profile->rows[i]);
    }
    profile->sample_hz = header->sample_hz;
    profile->dropped = header->dropped;
    profile->ignored = header->ignored;
    profile->displaced = header->displaced;
    profile->events = first ? 0 : header->heartbeat - profile->heartbeat;
    profile->boot = header->boot;
    profile->heartbeat = header->heartbeat;
    profile->generation = header->generation;
    profile->recent_s = first ? 0 : now_s - profile->updated_s;
    profile->updated_s = now_s;
    profile->paused = false;
    profile_add_up(profile);
    return true;
}

void profile_end(struct profile *profile)
{
    profile->ended = true;
}

void profile_pause(struct profile *profile)
{
    profile->paused = true;
}
