/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of the profile is shown, and in which order. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include <options/option_table.h>

#include "live_private.h"

/* Looking less often than this is no live view, more often is no use. */
static const double delays_s[] = {0.1, 0.2, 0.5, 1, 2, 5, 10};

/* Least cells of a name in a menu. */
#define MENU_NAME_MIN 10

static void sort_by(struct live *l, const struct view_column *column)
{
    l->model.reversed = l->options->sort == column && !l->model.reversed;
    l->options->sort = column;
    live_retake(l);
}

static void choose_column(struct live *l, size_t item)
{
    sort_by(l, &view_ranking_columns.column[item]);
}

static void choose_change_column(struct live *l, size_t item)
{
    l->options->change_sort = item ? &view_change_columns.column[item - 1] : NULL;
}

static void open_menu(struct live *l, const char *title, size_t selected,
                      void (*chosen)(struct live *, size_t))
{
    l->over.menu.title = title;
    l->over.menu.selected = selected;
    l->over.menu.chosen = chosen;
}

static void add_item(struct live *l, size_t name_width, const char *name, const char *help)
{
    struct live_menu *m = &l->over.menu;

    if (m->count < sizeof(m->items) / sizeof(m->items[0]))
        snprintf(m->items[m->count++], sizeof(m->items[0]), "%-*s %s", (int)name_width, name, help);
}

static size_t longest_name(const struct view_columns *of)
{
    size_t longest = MENU_NAME_MIN;

    for (size_t i = 0; i < of->count; i++) {
        size_t len = strlen(of->column[i].name);
        longest = len > longest ? len : longest;
    }
    return longest;
}

/* Adds the columns to the menu; which item is the one that is sorted by. */
static size_t add_columns(struct live *l, const struct view_columns *of,
                          const struct view_column *sort)
{
    size_t selected = 0, width = longest_name(of);

    for (size_t i = 0; i < of->count; i++) {
        if (&of->column[i] == sort)
            selected = l->over.menu.count;
        add_item(l, width, of->column[i].name, of->column[i].help);
    }
    return selected;
}

/* NULL: text says what is wrong. */
static const struct view_column *find_column(struct live *l, const struct view_columns *of,
                                             const char *name)
{
    struct view_fields fields;
    char text[LIVE_TEXT];

    if (!view_fields_parse(of, name, &fields, text, sizeof(text)))
        live_say(l, true, "%s", text);
    else if (fields.count > 1)
        live_say(l, true, "sort '%s': give one column", name);
    else
        return fields.column[0];
    return NULL;
}

static void sort_changes(struct live *l, const char *name)
{
    const struct view_column *column = name ? find_column(l, &view_change_columns, name) : NULL;

    if (column)
        l->options->change_sort = column;
    if (name)
        return;
    l->over.menu.count = 0;
    add_item(l, longest_name(&view_change_columns), "default",
             "marked rows first, then by the size of the change");
    size_t selected = add_columns(l, &view_change_columns, l->options->change_sort);
    open_menu(l, "SORT BY", selected, choose_change_column);
}

static void sort_rows(struct live *l, const char *name)
{
    const struct view_column *column = name ? find_column(l, &view_ranking_columns, name) : NULL;

    if (column)
        sort_by(l, column);
    if (name)
        return;
    l->over.menu.count = 0;
    size_t selected = add_columns(l, &view_ranking_columns, l->options->sort);
    open_menu(l, "SORT BY", selected, choose_column);
}

void live_sort(struct live *live, const char *argument)
{
    if (live->mode == LIVE_CHANGES)
        sort_changes(live, argument);
    else
        sort_rows(live, argument);
}

/* The columns as they stand on the screen. */
static void sort_beside(struct live *l, size_t step)
{
    const struct view_frame *f = &l->frame;

    for (size_t i = 0; i < f->title_count; i++) {
        if (f->titles[i].what == l->options->sort) {
            l->options->sort = f->titles[(i + step) % f->title_count].what;
            l->model.reversed = false;
            live_retake(l);
            return;
        }
    }
    if (f->title_count)
        sort_by(l, f->titles[0].what);
}

void live_sort_left(struct live *live, const char *argument)
{
    (void)argument;
    sort_beside(live, live->frame.title_count ? live->frame.title_count - 1 : 0);
}

void live_sort_right(struct live *live, const char *argument)
{
    (void)argument;
    sort_beside(live, 1);
}

void live_reverse(struct live *live, const char *argument)
{
    (void)argument;
    live->model.reversed = !live->model.reversed;
    live_retake(live);
}

static void choose_by(struct live *l, enum view_by by)
{
    l->options->by = by;
    if (!l->options->fields_given)
        l->options->fields = view_fields_of(&view_ranking_columns, view_fields_default(by));
    l->model.row.known = false;
    live_retake(l);
}

void live_by_function(struct live *live, const char *argument)
{
    (void)argument;
    choose_by(live, VIEW_BY_FUNCTION);
}

void live_by_line(struct live *live, const char *argument)
{
    (void)argument;
    choose_by(live, VIEW_BY_LINE);
}

void live_by_file(struct live *live, const char *argument)
{
    (void)argument;
    choose_by(live, VIEW_BY_FILE);
}

void live_by_address(struct live *live, const char *argument)
{
    (void)argument;
    choose_by(live, VIEW_BY_ADDRESS);
}

void live_by_context(struct live *live, const char *argument)
{
    (void)argument;
    choose_by(live, VIEW_BY_CONTEXT);
}

void live_by_inline(struct live *live, const char *argument)
{
    (void)argument;
    choose_by(live, VIEW_BY_INLINE);
}

void live_by(struct live *live, const char *argument)
{
    enum view_by by;

    if (argument && view_by_parse(argument, &by))
        choose_by(live, by);
    else
        live_say(live, true, "by '%s': use function, line, file, address, context or inline",
                 argument ? argument : "");
}

void live_per(struct live *live, const char *argument)
{
    struct view_change_options *change = &live->options->change;
    const struct view_change_options before = *change;
    char *kept = argument ? strdup(argument) : NULL, text[OPTION_TEXT] = "out of memory";

    if (argument && (!kept || !option_set_per(live->options, kept, text))) {
        *change = before;
        free(kept);
        live_say(live, true, "per: %s", text);
        return;
    }
    if (!argument) {
        change->diff.per = DIFF_PER_AUTO;
        change->per_function = NULL;
    }
    free(live->per);
    live->per = kept;
}

void live_fields(struct live *live, const char *argument)
{
    char text[LIVE_TEXT];
    const char *list = argument ? argument : view_fields_default(live->options->by);

    if (view_fields_parse(&view_ranking_columns, list, &live->options->fields, text, sizeof(text)))
        live->options->fields_given = argument != NULL;
    else
        live_say(live, true, "%s", text);
}

void live_others(struct live *live, const char *argument)
{
    (void)argument;
    live->model.filter.show_all = !live->model.filter.show_all;
    live_retake(live);
}

/* Of the ranking, a row that fits; everywhere else the next one. */
static void go_on(struct live *l, bool back)
{
    size_t count = l->model.rows.count;
    size_t at = l->cursors.ranking.selected;

    for (size_t i = 1; i <= count; i++) {
        size_t place = (at + (back ? count - i : i)) % count;
        if (live_filter_fits(l, &l->model.rows.rows[place])) {
            live_move_to(l, place);
            return;
        }
    }
}

static void go_hot(struct live *l)
{
    size_t line = zoom_hottest(l->zoom, live_cursor(l)->selected);

    if (line != VIEW_NO_ROW)
        live_move_to(l, line);
}

void live_next(struct live *live, const char *argument)
{
    if (live->mode == LIVE_RANKING)
        go_on(live, false);
    else if (live->mode == LIVE_ZOOM)
        go_hot(live);
    else
        live_down(live, argument);
}

void live_previous(struct live *live, const char *argument)
{
    if (live->mode == LIVE_RANKING)
        go_on(live, true);
    else
        live_up(live, argument);
}

static void change_delay(struct live *l, bool longer)
{
    double *delay = &l->options->delay_s;
    size_t count = sizeof(delays_s) / sizeof(delays_s[0]);
    double next = *delay;

    for (size_t i = 0; i < count; i++) {
        size_t at = longer ? i : count - 1 - i;
        if (longer ? delays_s[at] > *delay : delays_s[at] < *delay) {
            next = delays_s[at];
            break;
        }
    }
    *delay = next;
    live_say(l, false, "refresh: %g s", *delay);
}

void live_faster(struct live *live, const char *argument)
{
    (void)argument;
    change_delay(live, false);
}

void live_slower(struct live *live, const char *argument)
{
    (void)argument;
    change_delay(live, true);
}
