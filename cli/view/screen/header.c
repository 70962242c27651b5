/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines above a ranking on a screen, and the keys below it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/text.h>
#include <ranking/build.h>
#include <table/interval.h>

#include "frame_lines.h"
#include "parts.h"

/* Screens below that have one line for all of it. */
#define HEIGHT_SHORT 13

/* From here on a message has a line also when there is none. */
#define HEIGHT_ROOMY 20

/* A message takes this part of a screen at most, so that there is room for rows. */
#define MESSAGE_PART 3

/* Hints that are left out last: how to leave, and where all keys are listed. */
#define KEPT_HINTS 2

/* What is halted beyond that is said in another colour. */
#define HALTED_MUCH 0.01

#define NORMAL VIEW_STYLE_NORMAL

static void add_elf(struct parts *parts, const struct view_status *s)
{
    char build[24] = "", identity[60] = "";

    if (s->build_id[0])
        snprintf(build, sizeof(build), " %.*s", view_build_len(s->build_id), s->build_id);
    if (s->identity[0])
        snprintf(identity, sizeof(identity), " (%s)", s->identity);
    parts_add(parts, 0, NORMAL, "%s%s%s", s->elf, build, identity);
}

static void add_state(struct parts *parts, const struct view_status *s)
{
    bool runs = s->state == VIEW_STATE_UNKNOWN || s->state == VIEW_STATE_RUNNING;

    parts_add(parts, 1, runs ? NORMAL : VIEW_STYLE_WARNING, "%s", view_state_word(s->state));
}

static bool add_identity(const struct view_layout *l, const struct view_status *s,
                         struct view_frame *frame)
{
    struct parts parts = {.count = 0};

    parts_add(&parts, 3, NORMAL, "mprof %s", s->command);
    add_elf(&parts, s);
    parts_add(&parts, 2, NORMAL, "%s%s%s", s->target, s->target[0] && s->arch[0] ? " " : "",
              s->arch);
    add_state(&parts, s);
    return parts_line(&parts, VIEW_STYLE_TITLE, l->width, frame);
}

static void add_age(struct parts *parts, const struct view_status *s)
{
    char age[40];

    if (isnan(s->age_s))
        return;
    frame_show_age(fabs(s->age_s), s->origin ? 0 : 1, age, sizeof(age));
    if (s->age_s < 0)
        parts_add(parts, 2, NORMAL, "dated %s in the future", age);
    else
        parts_add(parts, 2, NORMAL, s->origin ? "%s old" : "updated %s ago", age);
}

/* Files in place of a link. */
static void add_origin(struct parts *parts, const struct view_status *s)
{
    parts_add(parts, 0, NORMAL, "%s", s->origin);
    if (s->time_s > 0)
        parts_add(parts, 3, NORMAL, "over %.1f s", s->time_s);
    add_age(parts, s);
    if (s->kind[0])
        parts_add(parts, 4, NORMAL, "by %s, halts %" PRIu64, s->kind, s->halts);
}

/* With how long we halted the target, or without. */
static void add_server(struct parts *parts, const struct view_status *s, bool with_ms)
{
    bool much = !s->once && s->halted_share > HALTED_MUCH;
    char halts[100];

    frame_show_halts(s, !with_ms, halts, sizeof(halts));
    parts_add(parts, 0, NORMAL, "%s %s", s->kind, s->address);
    parts_add(parts, 1, much ? VIEW_STYLE_WARNING : NORMAL, "%s", halts);
    if (s->poll_ms >= 0)
        parts_add(parts, 4, NORMAL, "poll %.1f ms", s->poll_ms);
    if (s->period_s > 0)
        parts_add(parts, 2, NORMAL, "every %.1f s: slow link", s->period_s);
    add_age(parts, s);
}

static void make_link(const struct view_layout *l, const struct view_status *s, bool with_ms,
                      struct parts *parts)
{
    if (s->origin)
        add_origin(parts, s);
    else
        add_server(parts, s, with_ms);
    /* No number below can be read without it. */
    parts_add(parts, 1, NORMAL, "%s", l->time_range ? l->time_range : "");
}

static bool add_link(const struct view_layout *l, const struct view_status *s,
                     struct view_frame *frame)
{
    struct parts parts = {.count = 0};

    make_link(l, s, true, &parts);
    if (parts_cells(&parts) > l->width) {
        parts = (struct parts){.count = 0};
        make_link(l, s, false, &parts);
    }
    if (!s->origin)
        parts_add(&parts, 6, VIEW_STYLE_DIM, "%s", s->server);
    return parts_line(&parts, VIEW_STYLE_NORMAL, l->width, frame);
}

static void add_rate(struct parts *parts, const struct profile *p)
{
    char text[80];

    frame_show_rate(p, text, sizeof(text));
    parts_add(parts, 2, NORMAL, "%s", text);
}

static void add_lost(struct parts *parts, const struct profile *p)
{
    bool much = view_lost_share(p) >= VIEW_LOST_MUCH;
    char text[80];

    frame_show_lost(p, text, sizeof(text));
    if (!p->headerless)
        parts_add(parts, 1, much ? VIEW_STYLE_WARNING : NORMAL, "%s", text);
}

static void add_set_apart(struct parts *parts, const struct profile *p, uint64_t ignored)
{
    double late = frame_late_percent(p);

    if (ignored)
        parts_add(parts, 4, NORMAL, "ignored %" PRIu64, ignored);
    if (late >= 0)
        parts_add(parts, 3, NORMAL, "late %.1f%%", late);
    if (p->lockup)
        parts_add(parts, 3, VIEW_STYLE_WARNING, "locked up %" PRIu32, p->lockup);
    if (p->sleeping)
        parts_add(parts, 4, NORMAL, "asleep %" PRIu32, p->sleeping);
    if (p->other_side)
        parts_add(parts, 4, NORMAL, "other TrustZone side %" PRIu32, p->other_side);
    if (p->stale)
        parts_add(parts, 5, NORMAL, "stale %zu", p->stale);
    if (p->restarts)
        parts_add(parts, 3, NORMAL, "restarted %u", p->restarts);
}

static uint64_t attributed(const struct profile *p, const struct view_rows *rows)
{
    return rows ? rows->attributed : p->attributed;
}

static bool add_counts(const struct view_layout *l, const struct view_status *s,
                       const struct profile *p, const struct view_rows *rows,
                       struct view_frame *frame)
{
    struct parts parts = {.count = 0};
    char used[80], cut[40], without[VIEW_WITHOUT_TEXT] = "";

    if (!s->sampler_chosen)
        parts_add(&parts, decode_is_taken(p->source) ? 1 : 4, NORMAL, "%s", s->sampler);
    parts_add(&parts, 0, NORMAL, "%" PRIu64 " %s", attributed(p, rows), view_unit(s, p));
    add_rate(&parts, p);
    add_lost(&parts, p);
    frame_show_rows(p, used, sizeof(used));
    parts_add(&parts, 6, NORMAL, "%s", used);
    if (rows)
        view_without_text(rows, without);
    parts_add(&parts, 3, NORMAL, "%s", without);
    if (rows && view_counting_only(rows))
        parts_add(&parts, 5, NORMAL, "%s counting only", view_plus_minus(!l->ascii));
    add_set_apart(&parts, p, p->ignored + (rows ? rows->ignored : 0));
    frame_show_cut(p, cut, sizeof(cut));
    parts_add(&parts, 3, NORMAL, "%s", cut);
    return parts_line(&parts, VIEW_STYLE_NORMAL, l->width, frame);
}

/* What samples mprof takes itself, and why. */
static bool add_sampler(const struct view_layout *l, const struct view_status *s,
                        struct view_frame *frame)
{
    struct text t = {.bytes = NULL};

    if (!s->sampler_chosen || !s->sampler_why)
        return true;
    text_printf(&t, "sampler %s: %s", s->sampler, s->sampler_why);
    return frame_add_text(frame, VIEW_STYLE_NORMAL, &t, l->width, VIEW_NO_ROW);
}

static void add_share(struct parts *parts, unsigned rank, const char *word, double share)
{
    if (share < 0)
        parts_add(parts, rank, NORMAL, "%s -", word);
    else
        parts_add(parts, rank, NORMAL, "%s %.1f%%", word, 100 * share);
}

/* Of time where that is known of all of it, with what is not; of samples they say so. */
static void add_total(struct parts *parts, const struct view_usage *u)
{
    char unknown[40] = "";

    if (u->total_tasks < 0)
        return;
    if (u->total_unknown >= 0)
        snprintf(unknown, sizeof(unknown), "  unknown %.1f%%", 100 * u->total_unknown);
    parts_add(parts, 5, VIEW_STYLE_DIM, "overall%s: tasks %.1f%%  irq %.1f%%  idle %.1f%%%s",
              u->wall && !u->total_wall ? ", of samples" : "", 100 * u->total_tasks,
              100 * fmax(u->total_interrupts, 0), 100 * fmax(u->total_idle, 0), unknown);
}

/* The last interval, and what it has been since the start where there is room. */
static bool add_usage(const struct view_layout *l, const struct view_status *s,
                      const struct profile *p, struct view_frame *frame)
{
    const struct view_usage *u = l->usage;
    struct parts parts = {.count = 0};
    char stub[40];

    parts_add(&parts, 3, NORMAL, u->wall ? "CPU time" : "of samples");
    add_share(&parts, 0, "tasks", u->tasks);
    add_share(&parts, 1, "irq", u->interrupts);
    add_share(&parts, 1, "idle", u->idle);
    add_share(&parts, 2, "unknown", u->unknown);
    frame_show_stub(s, p, stub, sizeof(stub));
    parts_add(&parts, 3, NORMAL, "%s", stub);
    add_total(&parts, u);
    return parts_line(&parts, VIEW_STYLE_NORMAL, l->width, frame);
}

static enum view_style message_style(const struct view_status *s)
{
    return s->alarm ? VIEW_STYLE_ALARM : s->warning ? VIEW_STYLE_WARNING : VIEW_STYLE_DIM;
}

/* What rows lack, unless something else is wrong, or was asked for. */
static bool has_advice(const struct view_status *s, const struct view_rows *rows,
                       char advice[VIEW_REMEDY_TEXT])
{
    return rows && !s->warning && !s->alarm && !s->answer && !s->chosen &&
           frame_advice(s, rows, advice);
}

static bool add_message(const struct view_layout *l, const struct view_status *s,
                        const struct view_rows *rows, struct view_frame *frame)
{
    char advice[VIEW_REMEDY_TEXT];
    bool advised = has_advice(s, rows, advice);
    size_t lines = l->height / MESSAGE_PART;

    return view_frame_wrap(frame, advised ? VIEW_STYLE_WARNING : message_style(s),
                           advised ? advice : s->message, l->width, lines);
}

/* What matters most, in a line; and what is wrong, in another. */
static bool add_short(const struct view_layout *l, const struct view_status *s,
                      const struct profile *p, const struct view_rows *rows,
                      struct view_frame *frame)
{
    struct parts parts = {.count = 0};
    char lost[80];

    parts_add(&parts, 3, NORMAL, "%s", s->elf[0] ? s->elf : s->command);
    add_state(&parts, s);
    parts_add(&parts, 0, NORMAL, "%" PRIu64, attributed(p, rows));
    if (p->recent_s > 0)
        parts_add(&parts, 2, NORMAL, "%.0f/s", frame_rate(p));
    parts_add(&parts, 4, NORMAL, "%s", l->time_range ? l->time_range : "");
    frame_show_lost(p, lost, sizeof(lost));
    /* A rate without what was lost must not stand alone. */
    if (p->dropped)
        parts_add(&parts, p->missed ? 2 : 5, NORMAL, "%s", lost);
    return parts_line(&parts, VIEW_STYLE_TITLE, l->width, frame) &&
           (!(s->alarm || s->warning || s->answer) || !s->message[0] ||
            add_message(l, s, rows, frame));
}

bool view_frame_header(const struct view_layout *layout, const struct view_status *status,
                       const struct profile *profile, const struct view_rows *rows,
                       struct view_frame *frame)
{
    char advice[VIEW_REMEDY_TEXT];

    if (layout->height && layout->height < HEIGHT_SHORT)
        return add_short(layout, status, profile, rows, frame);
    if (!add_identity(layout, status, frame) || !add_link(layout, status, frame) ||
        !add_sampler(layout, status, frame) || !add_counts(layout, status, profile, rows, frame))
        return false;
    if (layout->usage && !add_usage(layout, status, profile, frame))
        return false;
    if (status->message[0] || layout->height >= HEIGHT_ROOMY || has_advice(status, rows, advice))
        return add_message(layout, status, rows, frame);
    return true;
}

/* Cells of "s sort" and what is before the next one. */
static size_t hint_cells(const struct view_key_hint *hint)
{
    return text_cells(hint->key) + 1 + text_cells(hint->label);
}

/* The last ones have the first choice, and then the others from the left as far as they fit. */
static void choose_hints(const struct view_layout *l, bool *chosen)
{
    size_t room = l->width + FRAME_GAP;

    for (size_t i = 0; i < l->hint_count; i++) {
        size_t at = i < KEPT_HINTS ? l->hint_count - 1 - i : i - KEPT_HINTS;
        size_t cells = hint_cells(&l->hints[at]) + FRAME_GAP;
        chosen[at] = cells <= room;
        if (!chosen[at] && i >= KEPT_HINTS)
            break;
        room -= chosen[at] ? cells : 0;
    }
}

static bool add_hints(const struct view_layout *l, const bool *chosen, struct view_frame *frame)
{
    struct text t = {.bytes = NULL};
    unsigned column = 0;
    bool done;

    text_add(&t, "", 0);
    for (size_t i = 0; i < l->hint_count; i++)
        if (chosen[i])
            text_printf(&t, "%s%s %s", t.len ? "  " : "", l->hints[i].key, l->hints[i].label);
    done = frame_add_text(frame, VIEW_STYLE_FOOTER, &t, l->width, VIEW_NO_ROW);
    for (size_t i = 0; done && i < l->hint_count; i++) {
        if (!chosen[i])
            continue;
        done =
            view_frame_span(frame, column, (unsigned)text_cells(l->hints[i].key), VIEW_STYLE_KEY);
        column += (unsigned)hint_cells(&l->hints[i]) + FRAME_GAP;
    }
    return done;
}

bool view_frame_footer(const struct view_layout *layout, struct view_frame *frame)
{
    struct text t = {.bytes = NULL};

    if (!layout->hints) {
        text_printf(&t, "%s", layout->footer ? layout->footer : "");
        return frame_add_text(frame, VIEW_STYLE_FOOTER, &t, layout->width, VIEW_NO_ROW);
    }
    bool *chosen = calloc(layout->hint_count + 1, sizeof(*chosen));
    if (!chosen)
        return false;
    choose_hints(layout, chosen);
    bool done = add_hints(layout, chosen, frame);
    free(chosen);
    return done;
}
