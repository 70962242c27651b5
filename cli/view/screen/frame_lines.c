/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of frames, and what headers of screens and of pipes share. */
#include "frame_lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* What happened to hits that have no row: a histogram covers only a part of the addresses. */
static const char *lost_word(const struct profile *profile)
{
    return profile->source == DECODE_HISTOGRAM ? "outside" : "lost";
}

/* Events a second of the last interval that were lost; < 0: not known. */
static double lost_rate(const struct profile *profile)
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

void frame_show_lost(const struct profile *profile, char *text, size_t capacity)
{
    double rate = lost_rate(profile);
    char recent[40] = "";

    if (rate > 0)
        snprintf(recent, sizeof(recent), rate < 1 ? ", <1/s" : ", %.0f/s", rate);
    snprintf(text, capacity, "%s %" PRIu32 "%s", lost_word(profile), profile->dropped, recent);
}

void frame_show_rows(const struct profile *profile, char *text, size_t capacity)
{
    text[0] = '\0';
    if (profile->source == DECODE_STREAM || profile->source == DECODE_HISTOGRAM ||
        decode_is_taken(profile->source))
        return;
    if (profile->capacity)
        snprintf(text, capacity, "rows %zu of %zu", profile->used, profile->capacity);
    else
        snprintf(text, capacity, "rows %zu", profile->used);
}

void frame_show_rate(const struct profile *profile, char *text, size_t capacity)
{
    bool timed = profile->unit == DECODE_UNIT_SAMPLES && profile->sample_hz;
    const char *jittered = profile->jittered ? ", jittered"
                           : profile->fixed  ? ", fixed period"
                                             : "";

    text[0] = '\0';
    if (profile->recent_s > 0 && timed)
        snprintf(text, capacity, "%.0f/s of %" PRIu32 " Hz%s", frame_rate(profile),
                 profile->sample_hz, jittered);
    else if (profile->recent_s > 0)
        snprintf(text, capacity, "%.0f/s", frame_rate(profile));
    else if (timed)
        snprintf(text, capacity, "%" PRIu32 " Hz%s", profile->sample_hz, jittered);
}

void frame_show_cut(const struct profile *profile, char *text, size_t capacity)
{
    const struct profile_stacks *stacks = profile->stacks;

    text[0] = '\0';
    if (stacks && profile_stacks_hits(stacks) != 0)
        snprintf(text, capacity, "stacks cut %.1f%%",
                 100.0 * (double)stacks->cut / (double)profile_stacks_hits(stacks));
}

void frame_show_halts(const struct view_status *status, bool brief, char *text, size_t capacity)
{
    double connected_ms = status->halted_share > 0 ? status->halted_ms / status->halted_share : 0;
    char took[40] = "", share[60] = "", longest[40] = "";

    if (status->halts && !brief)
        snprintf(took, sizeof(took), ", %.1f ms", status->halted_ms);
    /* The first read halts the target for nearly all of the time so far: no share to judge by. */
    if (status->halts && status->once && took[0] && connected_ms > 0)
        snprintf(share, sizeof(share), " of %.1f ms connected", connected_ms);
    else if (status->halts && !status->once)
        snprintf(share, sizeof(share), " (%.1f%% of time)", 100 * status->halted_share);
    if (status->halts > 1 && !brief && status->longest_ms > 0)
        snprintf(longest, sizeof(longest), ", longest %.1f ms", status->longest_ms);
    snprintf(text, capacity, "halts %" PRIu64 "%s%s%s", status->halts, took, share, longest);
}

/* Also before the first hit. */
static bool has_callers(const struct view_rows *rows)
{
    bool found = rows->profile && rows->profile->source == DECODE_ARCS;

    for (size_t i = 0; i < rows->count && !found; i++)
        found = rows->rows[i].caller || rows->rows[i].caller_addr;
    return found;
}

/* Samples that mprof takes itself are of firmware that may have no stub, so no stream. */
static const char *exception_advice(const struct view_rows *rows)
{
    return rows->profile && decode_is_taken(rows->profile->source)
               ? "this data does not say in which exception a sample came: what a handler calls "
                 "counts as thread; --sampler halt tells on a Cortex-M"
               : "this data does not say in which exception a sample came: what a handler calls "
                 "counts as thread; --sampler stream tells";
}

/* Why rows do not have what they are grouped by; NULL: they have. */
static const char *grouping_advice(const struct view_status *status, const struct view_rows *rows)
{
    bool file = status->origin != NULL;

    if (rows->by == VIEW_BY_ARC && !has_callers(rows))
        return file
                   ? "no callers in this file: take a snapshot with --sampler arcs"
                   : "no callers in this data: --sampler arcs reads them, from firmware built with "
                     "MPROF_ARC_CNT and call hooks";
    if (rows->by == VIEW_BY_TOTAL && !rows->stacks && rows->count != 0)
        return file
                   ? "no call stacks in this file, so these are the functions' own samples: take a "
                     "snapshot with --sampler halt --stacks"
                   : "no call stacks in this data, so these are the functions' own samples: "
                     "--sampler halt --stacks reads them";
    if (rows->by == VIEW_BY_CONTEXT && !rows->numbered)
        return file ? "a file does not say in which exception a sample came: use --by context on a "
                      "target, with --sampler stream"
                    : exception_advice(rows);
    return NULL;
}

bool frame_advice(const struct view_status *status, const struct view_rows *rows,
                  char text[VIEW_REMEDY_TEXT])
{
    const char *advice = grouping_advice(status, rows);

    if (!advice)
        return rows->profile && view_remedy(&status->remedy, rows->profile, text);
    snprintf(text, VIEW_REMEDY_TEXT, "%s", advice);
    return true;
}

bool frame_add_section(struct view_frame *frame, const struct view_layout *layout, size_t section,
                       double share, const char *unit, const char *rest)
{
    static const char *const words[] = {"tasks", "interrupts", "idle"};
    const char *dash = layout->ascii ? "-" : "\u2500";
    struct text t = {.bytes = NULL};

    text_printf(&t, "%s%s %s %.1f%% of %s%s ", dash, dash, words[section], 100 * share, unit, rest);
    for (size_t cells = t.bytes ? text_cells(t.bytes) : 0; cells < layout->width; cells++)
        text_add(&t, dash, strlen(dash));
    return frame_add_clean(frame, VIEW_STYLE_SECTION, &t, layout->width, VIEW_NO_ROW);
}

bool view_frame_wrap(struct view_frame *frame, enum view_style style, const char *text,
                     unsigned width, size_t lines)
{
    do {
        bool last = lines == 1;
        size_t len = last ? strlen(text) : text_line_len(text, width);
        struct text t = {.bytes = NULL};
        text_add(&t, text, len);
        if (!frame_add_text(frame, style, &t, width, VIEW_NO_ROW))
            return false;
        text = last ? "" : text_next_line(text, width);
        lines -= lines > 0;
    } while (*text);
    return true;
}

void frame_show_stub(const struct view_status *status, const struct profile *profile, char *text,
                     size_t capacity)
{
    double part = 100 * view_stub_share(status, profile);

    text[0] = '\0';
    if (part >= 0)
        snprintf(text, capacity, part < 0.05 ? "stub <0.1%%" : "stub ~%.1f%%", part);
}

double frame_late_percent(const struct profile *profile)
{
    /* What comes while it is read may be in the one number and not yet in the other. */
    double late = profile->heartbeat ? fmin(100.0 * profile->late / profile->heartbeat, 100) : 0;

    return profile->unit == DECODE_UNIT_SAMPLES && late >= LATE_MIN ? late : -1;
}

double frame_top_share(const struct view_rows *rows)
{
    double top = 0.01;

    for (size_t i = 0; i < rows->count; i++)
        top = rows->rows[i].share.value > top ? rows->rows[i].share.value : top;
    return top;
}
