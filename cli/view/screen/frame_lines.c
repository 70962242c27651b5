/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of frames, and what headers of screens and of pipes share. */
#include "frame_lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/text.h>
#include <base/vec.h>

bool view_frame_add(struct view_frame *frame, enum view_style style, char *text, size_t row)
{
    if (!VEC_ROOM(frame->lines, frame->capacity, frame->count, 1)) {
        free(text);
        return false;
    }
    frame->lines[frame->count++] = (struct view_line){.style = style, .text = text, .row = row};
    return true;
}

bool view_frame_span(struct view_frame *frame, unsigned column, unsigned cells,
                     enum view_style style)
{
    struct view_line *line = &frame->lines[frame->count - 1];

    if (cells == 0)
        return true;
    if (!VEC_ROOM(line->spans, line->span_capacity, line->span_count, 1))
        return false;
    line->spans[line->span_count++] =
        (struct view_span){.column = column, .cells = cells, .style = style};
    return true;
}

bool frame_add_clean(struct view_frame *frame, enum view_style style, struct text *text,
                     unsigned width, size_t row)
{
    if (text->failed || !text->bytes || text_cells(text->bytes) > width)
        return frame_add_text(frame, style, text, width, row);
    while (text->len && text->bytes[text->len - 1] == ' ')
        text->bytes[--text->len] = '\0';
    char *line = text->bytes;
    *text = (struct text){.bytes = NULL};
    return view_frame_add(frame, style, line, row);
}

bool frame_add_text(struct view_frame *frame, enum view_style style, struct text *text,
                    unsigned width, size_t row)
{
    char *line = text_end_line(text, width);

    return line && view_frame_add(frame, style, line, row);
}

void view_frame_free(struct view_frame *frame)
{
    for (size_t i = 0; i < frame->count; i++) {
        free(frame->lines[i].text);
        free(frame->lines[i].spans);
    }
    free(frame->lines);
    *frame = (struct view_frame){.lines = NULL};
}

void frame_show_age(double age_s, int digits, char *text, size_t capacity)
{
    static const struct {
        double seconds;
        const char *word;
    } units[] = {{365.25 * 86400, "years"}, {86400, "days"}, {3600, "h"}, {60, "min"}};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (age_s >= 2 * units[i].seconds) {
            snprintf(text, capacity, "%.0f %s", floor(age_s / units[i].seconds), units[i].word);
            return;
        }
    }
    snprintf(text, capacity, "%.*f s", digits, age_s);
}

/* What became of those that no row has. */
static const char *dropped_word(const struct profile *profile)
{
    switch (profile->source) {
    case DECODE_STREAM:
        return "lost";
    case DECODE_HISTOGRAM:
        return "outside";
    default:
        return "dropped";
    }
}

/* Events a second of the last interval that were dropped; < 0: not known. */
static double missed_rate(const struct profile *profile)
{
    return profile->recent_s > 0 ? profile->missed / profile->recent_s : -1;
}

double frame_rate(const struct profile *profile)
{
    if (!(profile->recent_s > 0))
        return -1;
    /* Counters are not read at one instant. */
    return fmax((double)profile->events - profile->missed, 0) / profile->recent_s;
}

void frame_show_dropped(const struct profile *profile, char *text, size_t capacity)
{
    double missed = missed_rate(profile);
    int len = snprintf(text, capacity, "%s %" PRIu32, dropped_word(profile), profile->dropped);

    if (missed > 0 && len > 0 && (size_t)len < capacity)
        snprintf(text + len, capacity - (size_t)len, missed < 1 ? ", <1/s" : ", %.0f/s", missed);
}

double frame_late_percent(const struct profile *profile)
{
    /* What comes while it is read may be in the one number and not yet in the other. */
    double late = profile->heartbeat ? fmin(100.0 * profile->late / profile->heartbeat, 100) : 0;

    return profile->unit == DECODE_UNIT_SAMPLES && late >= LATE_MIN ? late : -1;
}

size_t frame_first_line(const char *text, unsigned width)
{
    size_t room = (size_t)(text_skip_cells(text, width) - text), blank = 0;

    for (size_t at = 0; at <= room && text[room]; at++)
        blank = text[at] == ' ' ? at : blank;
    return text[room] ? blank : room;
}

double frame_top_share(const struct view_rows *rows)
{
    double top = 0.01;

    for (size_t i = 0; i < rows->count; i++)
        top = rows->rows[i].share.value > top ? rows->rows[i].share.value : top;
    return top;
}
