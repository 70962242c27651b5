/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile that a test updates by hand, and the last minute of it. */
#include "recent_window_checks.h"

#include "unit.h"

void source_init(struct source *s)
{
    *s = (struct source){.profile = {.unit = DECODE_UNIT_SAMPLES,
                                     .block_size = 16,
                                     .sample_hz = 1000,
                                     .cores = 1,
                                     .updated_s = 100}};
    s->profile.rows = s->rows;
    s->profile.row_count = BLOCKS;
    for (size_t i = 0; i < BLOCKS; i++)
        s->rows[i].addr = 0x1000 + 0x10 * i;
}

void count_hits(struct source *s, double seconds, bool interval, uint32_t first, uint32_t second)
{
    struct profile *p = &s->profile;

    p->updated_s += seconds;
    p->recent_s = interval ? seconds : 0;
    for (size_t i = 0; i < BLOCKS; i++)
        s->rows[i].recent = 0;
    s->rows[0].recent = interval ? first : 0;
    s->rows[5].recent = interval ? second : 0;
    s->rows[0].hits += first;
    s->rows[5].hits += second;
    p->attributed += first + second;
    p->recent = s->rows[0].recent + s->rows[5].recent;
    p->events = interval ? first + second + 1 : 0;
    p->heartbeat += first + second + 1;
    p->dropped += 1;
}

struct recent_window *window_of(struct source *s)
{
    struct recent_window *window = recent_window_new();

    assert_non_null(window);
    assert_true(recent_window_add(window, &s->profile));
    return window;
}

void add_interval(struct recent_window *window, struct source *s, double seconds, uint32_t first,
                  uint32_t second)
{
    count_hits(s, seconds, true, first, second);
    assert_true(recent_window_add(window, &s->profile));
}

static uint32_t draw(uint32_t below)
{
    static uint32_t seed = 1;

    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

uint64_t add_at_any_pace(struct recent_window *window, struct source *s)
{
    double most_s = 0.05 * (1 + draw(20)), begun_s = s->profile.updated_s;
    uint64_t all = 0;

    while (s->profile.updated_s - begun_s < 50) {
        uint32_t first = draw(100), second = draw(100);
        add_interval(window, s, most_s * (1 + draw(10)) / 10, first, second);
        all += first + second;
    }
    return all;
}
