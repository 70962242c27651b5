/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trends that a question is about, program by program. */
#include <history/trend.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "follow.h"

static int order_trends(const void *a, const void *b)
{
    const struct view_trend *x = a, *y = b;
    double p = x->points[0].share.value, q = y->points[0].share.value;
    int order = (p < q) - (p > q);

    order = order ? order : strcmp(x->function, y->function);
    return order ? order : strcmp(x->file, y->file);
}

static void search_series(struct search *s, const struct series *series)
{
    size_t limit = s->question->limit;

    s->series = series;
    s->shown = limit && limit < series->count ? limit : series->count;
    s->first = s->trends->count;
    s->common_count = 0;
    s->common = calloc(s->shown, sizeof(*s->common));
    s->set = view_set_new(VIEW_BY_FUNCTION, NULL);
    s->failed = !s->common || !s->set;
    if (!s->failed)
        follow_series(s);
    if (!s->failed && s->trends->count > s->first)
        qsort(&s->trends->trends[s->first], s->trends->count - s->first, sizeof(struct view_trend),
              order_trends);
    free(s->common);
    view_set_free(s->set);
}

static void search_all(struct search *s, const struct series_list *list)
{
    for (size_t i = 0; !s->failed && i < list->count; i++)
        search_series(s, &list->series[i]);
}

bool history_trend(const struct history *history, const struct history_question *question,
                   struct view_trends *trends, char *text, size_t capacity)
{
    struct view_trends found = {.folder = history->folder};
    struct search s = {.history = history, .question = question, .trends = &found};
    struct series_list list = {.series = NULL};
    char hint[NEAREST_HINT];

    nearest_begin(&s.near, question->pattern, strlen(question->pattern));
    s.failed = !series_make(history, &list);
    search_all(&s, &list);
    s.unqualified = !s.failed && found.count == 0 && !follow_is_stopped(&s);
    if (s.unqualified)
        search_all(&s, &list);
    series_free(&list);
    if (!s.failed && (found.count || follow_is_stopped(&s))) {
        *trends = found;
        return true;
    }
    history_trend_free(&found);
    if (s.failed)
        snprintf(text, capacity, "out of memory");
    else
        snprintf(text, capacity, "the snapshots of %s have no function named '%s'%s",
                 history->folder, question->pattern, nearest_hint(&s.near, "", hint, sizeof(hint)));
    return false;
}

void history_trend_free(struct view_trends *trends)
{
    for (size_t i = 0; i < trends->count; i++) {
        free(trends->trends[i].function);
        free(trends->trends[i].file);
        free(trends->trends[i].points);
    }
    free(trends->trends);
    *trends = (struct view_trends){.folder = NULL};
}
