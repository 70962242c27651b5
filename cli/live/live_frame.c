/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is on the screen: the frame of the mode, and what lies over its last lines. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>
#include <target/watch_status.h>

#include "live_private.h"

/* Keys in the footer, the most that any mode has. */
#define HINTS_MAX 16
#define KEY_MAX   16

/* Cells from which on the help screen has room for names of commands. */
#define HELP_NAMES_MIN 70

/* A menu, or what is said, takes at most so much of the screen. */
#define MENU_PART 2

/* The label of a key that switches between two panels names the one that is not shown. */
static const char *label_of(const struct live *l, const struct live_key *k)
{
    return k->act == live_panel && l->zoom ? zoom_next_panel_name(l->zoom) : k->hint;
}

/* keys: room for the names of the keys. */
static size_t take_hints(const struct live *l, struct view_key_hint hints[HINTS_MAX],
                         char keys[HINTS_MAX][KEY_MAX])
{
    size_t count = 0;

    for (const struct live_key *k = l->keys; k->help && count < HINTS_MAX; k++) {
        if (!k->hint || !(k->modes & l->mode))
            continue;
        /* Only the first way to write it. */
        snprintf(keys[count], sizeof(keys[count]), "%.*s", (int)strcspn(k->shown, " "), k->shown);
        hints[count] = (struct view_key_hint){.key = keys[count], .label = label_of(l, k)};
        count++;
    }
    return count;
}

static size_t count_fitting(const struct live *l)
{
    size_t count = 0;

    for (size_t i = 0; i < l->model.all.count; i++)
        count += live_filter_fits(l, &l->model.all.rows[i]);
    return count;
}

/* What was chosen is said unless something is wrong with the target. */
static void put_message(const struct live *l, const char *instead, struct view_status *s)
{
    static char filtered[LIVE_TEXT];

    if (instead) {
        s->message = instead;
        s->answer = true;
        s->alarm = s->warning = false;
    } else if (l->model.frozen.on && !s->alarm) {
        s->message = "paused; p continues";
        s->warning = true;
    } else if (l->model.filter.pattern[0] && !s->alarm && !s->warning) {
        snprintf(filtered, sizeof(filtered), "%zu of %zu rows match %s; Esc shows all",
                 count_fitting(l), l->model.all.count, l->model.filter.pattern);
        s->message = filtered;
        s->chosen = true;
    } else if (l->shown.session.ignore.some_contexts && !s->alarm && !s->warning) {
        s->message = "showing only one context; Esc shows all";
        s->chosen = true;
    } else if (time_range_restarts(l->model.range) && !s->alarm && !s->warning) {
        s->message = "counts restart at each resume of the target; r turns this off";
        s->chosen = true;
    }
}

static struct view_status status_of(const struct live *l, const char *instead)
{
    struct view_status status = watch_status(&l->shown, "top", l->start_s);

    put_message(l, instead, &status);
    return status;
}

/* The cursor of a list is where its frame has put it. */
static void take_place(struct live_cursor *c, const struct view_frame *frame)
{
    c->first = frame->first;
    c->shown = frame->shown;
    c->total = frame->total;
    if (c->total && (c->selected == VIEW_NO_ROW || c->selected >= c->total))
        c->selected = c->total - 1;
}

/* instead: said in place of the message; NULL: nothing. */
static bool build_ranking(struct live *l, const char *instead, struct view_layout *layout,
                          struct view_frame *frame)
{
    struct view_status status = status_of(l, instead);
    struct live_cursor *c = &l->cursors.ranking;

    if (c->selected < l->model.rows.count)
        layout->selected = c->selected;
    layout->first = c->first;
    if (!view_frame_build(layout, &status, l->model.profile, &l->model.rows, frame))
        return false;
    take_place(c, frame);
    return true;
}

/* If nothing can be compared, or not yet, the ranking is shown and says why. */
static bool build_changes(struct live *l, struct view_layout *layout, struct view_frame *frame)
{
    char text[LIVE_TEXT];
    const struct watch *watch = l->model.frozen.on ? &l->model.frozen.watch : &l->shown;

    if (baseline_frame(l->baseline, watch, l->model.profile, l->options, layout, frame, text,
                       sizeof(text))) {
        take_place(live_cursor(l), frame);
        return true;
    }
    return build_ranking(l, text, layout, frame);
}

static bool add_line(struct view_frame *frame, enum view_style style, bool selected,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

static bool add_line(struct view_frame *frame, enum view_style style, bool selected,
                     const char *format, ...)
{
    struct text t = {.bytes = NULL};
    char line[LIVE_TEXT + LIVE_PATTERN];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    text_add(&t, line, strlen(line));
    if (t.failed || !view_frame_add(frame, style, t.bytes, VIEW_NO_ROW)) {
        free(t.bytes);
        return false;
    }
    frame->lines[frame->count - 1].selected = selected;
    return true;
}

/* A line that is too long ends in the sign of what is cut. */
static bool add_item(struct view_frame *frame, bool selected, const char *item, size_t width)
{
    struct text t = {.bytes = NULL};

    text_printf(&t, " %s", item);
    char *line = text_end_line(&t, (unsigned)width);
    if (!line || !view_frame_add(frame, VIEW_STYLE_NORMAL, line, VIEW_NO_ROW))
        return false;
    frame->lines[frame->count - 1].selected = selected;
    return true;
}

static bool add_menu(const struct live *l, struct view_frame *frame, size_t height, size_t width)
{
    const struct live_menu *m = &l->over.menu;
    size_t room = height / MENU_PART > 2 ? height / MENU_PART : 2;
    size_t shown = m->count < room ? m->count : room;
    size_t first = m->selected < shown ? 0 : m->selected - shown + 1;
    bool added = add_line(frame, VIEW_STYLE_HEADING, false, "%s", m->title);

    for (size_t i = first; added && i < first + shown; i++)
        added = add_item(frame, i == m->selected, m->items[i], width);
    return added && add_line(frame, VIEW_STYLE_FOOTER, false, "Enter choose  Esc cancel%s",
                             shown < m->count ? "  Down more" : "");
}

/* As many as fit into a line; dots stand for the rest. */
static bool add_matches(const struct live *l, struct view_frame *frame, size_t width)
{
    char line[LIVE_TEXT] = "";
    size_t count, len = 0;
    const char *const *matches = prompt_matches(l->over.prompt, &count);
    size_t room = width < sizeof(line) ? width : sizeof(line) - 1;

    for (size_t i = 0; i < count; i++) {
        size_t more = strlen(matches[i]) + (i ? 2 : 0);
        bool fits = len + more + (i + 1 < count ? strlen("  ...") : 0) <= room;
        const char *between = i ? "  " : "";
        len += (size_t)snprintf(line + len, sizeof(line) - len, "%s%s", between,
                                fits ? matches[i] : "...");
        if (!fits)
            break;
    }
    return count < 2 || add_line(frame, VIEW_STYLE_DIM, false, "%s", line);
}

/* Of a line that is too long, so that the cursor is on the screen. */
static size_t hidden_cells(const struct live *l, size_t width)
{
    size_t before = text_cells(prompt_label(l->over.prompt)) + prompt_cursor(l->over.prompt);

    return before + 1 > width ? before + 1 - width : 0;
}

size_t live_prompt_column(const struct live *live, size_t width)
{
    return text_cells(prompt_label(live->over.prompt)) + prompt_cursor(live->over.prompt) -
           hidden_cells(live, width);
}

static bool add_question(const struct live *l, struct view_frame *frame, int height, int width)
{
    char question[LIVE_TEXT + 10];

    snprintf(question, sizeof(question), "(y/n) %s", l->over.question);
    return view_frame_wrap(frame, VIEW_STYLE_WARNING, question, (unsigned)width,
                           (size_t)height / MENU_PART);
}

/* What is typed, asked or said is read where the eye is: in the last lines. */
bool live_build_overlay(struct live *live, struct view_frame *frame)
{
    int height, width;

    term_size(live->term, &height, &width);
    if (live->over.prompt)
        return add_matches(live, frame, (size_t)width) &&
               add_line(frame, VIEW_STYLE_NORMAL, false, "%s%s", prompt_label(live->over.prompt),
                        text_skip_cells(prompt_text(live->over.prompt),
                                        (unsigned)hidden_cells(live, (size_t)width)));
    if (live->over.menu.chosen)
        return add_menu(live, frame, (size_t)height, (size_t)width);
    if (live->over.yes)
        return add_question(live, frame, height, width);
    if (live->over.notice[0])
        return view_frame_wrap(frame,
                               live->over.notice_bad ? VIEW_STYLE_WARNING : VIEW_STYLE_SECTION,
                               live->over.notice, (unsigned)width, (size_t)height / MENU_PART);
    return true;
}

/* Commands that have no key are behind ':'. */
static void format_key(const struct live_key *k, bool narrow, char *line, size_t capacity)
{
    char command[40];

    if (!k->name) {
        snprintf(line, capacity, "%s", k->help);
        return;
    }
    snprintf(command, sizeof(command), "%s%s%s", k->name, k->takes ? " " : "",
             k->takes ? k->takes : "");
    if (narrow)
        snprintf(line, capacity, "  %-8s %s", k->shown[0] ? k->shown : k->name, k->help);
    else
        snprintf(line, capacity, "  %-8s %-17s %s", k->shown, command, k->help);
}

static bool add_help_line(const struct live_key *k, bool narrow, struct view_frame *frame)
{
    char line[200];

    format_key(k, narrow, line, sizeof(line));
    if (!add_line(frame, k->name ? VIEW_STYLE_NORMAL : VIEW_STYLE_SECTION, false, "%s", line))
        return false;
    return !k->name || view_frame_span(frame, 2, 8, VIEW_STYLE_KEY);
}

/* Has no cursor: what is selected is the line on top, so every key that moves it scrolls. */
static bool build_help(struct live *live, const struct view_layout *layout,
                       struct view_frame *frame)
{
    struct live_cursor *c = live_cursor(live);
    size_t total = 0;
    size_t room = layout->height > 4 ? layout->height - 3 : 1;

    while (live->keys[total].help)
        total++;
    size_t last = total > room ? total - room : 0;
    size_t first = c->selected < last ? c->selected : last;
    c->selected = first;
    bool added =
        add_line(frame, VIEW_STYLE_TITLE, false, "mprof top: keys, and commands to type after ':'");
    for (size_t i = first; added && i < total && i < first + room; i++)
        added = add_help_line(&live->keys[i], layout->width < HELP_NAMES_MIN, frame);
    while (added && frame->count + 2 < layout->height)
        added = add_line(frame, VIEW_STYLE_NORMAL, false, "%s", "");
    added = added &&
            add_line(
                frame, VIEW_STYLE_NORMAL, false,
                "mouse: click selects, double-click annotates, a title sorts; the wheel scrolls") &&
            add_line(frame, VIEW_STYLE_FOOTER, false, "Up Down PgUp PgDn scroll  Esc ? q back");
    frame->first = first;
    frame->shown = room < total - first ? room : total - first;
    frame->total = total;
    return added;
}

bool live_build(struct live *live, struct view_frame *frame)
{
    struct view_key_hint hints[HINTS_MAX];
    char keys[HINTS_MAX][KEY_MAX];
    struct live_cursor *c = live_cursor(live);
    int height, width;

    term_size(live->term, &height, &width);
    struct view_layout layout = {
        .width = (unsigned)width,
        .height = (unsigned)height,
        .limit = live->options->limit,
        .fields = live->options->fields_given ? &live->options->fields : NULL,
        .by = live->options->by,
        .screen = true,
        .ascii = !term_is_utf8(live->term),
        .first = c->first,
        .selected = c->selected,
        .sort = live->options->sort,
        .reversed = live->model.reversed,
        .search = live->model.filter.pattern[0] && !live->model.filter.is_regex
                      ? live->model.filter.pattern
                      : NULL,
        .pattern = live->model.filter.is_regex ? &live->model.filter.regex : NULL,
        .sparklines = time_range_recent_window(live->model.range) ? live->model.sparklines : NULL,
        .usage = &live->model.usage,
        .time_range = live->model.frozen.on ? live->model.frozen.time_range
                                            : time_range_name(live->model.range),
        .hints = hints,
        .hint_count = take_hints(live, hints, keys),
    };
    switch (live->mode) {
    case LIVE_CHANGES:
        return build_changes(live, &layout, frame);
    case LIVE_ZOOM:
        if (!zoom_frame(live->zoom, &layout, frame))
            return false;
        take_place(c, frame);
        return true;
    case LIVE_HELP:
        if (!build_help(live, &layout, frame))
            return false;
        take_place(c, frame);
        return true;
    case LIVE_RANKING:
        break;
    }
    return build_ranking(live, NULL, &layout, frame);
}
