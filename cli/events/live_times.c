/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the latest events, of which the longest time is shown as soon as it has ended. */
#include "live_times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/output.h>
#include <base/say.h>
#include <base/text.h>
#include <base/vec.h>
#include <events/limits.h>

#include "times.h"

/* Events that are kept. */
#define KEPT ((size_t)1 << 16)

/* If the terminal does not tell its size. */
#define COLUMNS 80
#define ROWS    24

struct live_times {
    struct event_times times;
    struct trace_event clocks[TRACE_CORES]; /* the latest ones */
    bool has_clock[TRACE_CORES];
    struct trace_event *kept; /* owned; a ring: event n is at n modulo KEPT */
    size_t count, capacity;
    uint64_t next;        /* number of the next event */
    struct longest shown; /* of the longest time so far */
    uint64_t unknown;     /* its events, if they were more than are kept; else 0 */
    unsigned lines;       /* on the terminal, above the cursor */
    unsigned said;        /* messages when they were written */
};

struct live_times *live_times_new(const struct options *options, const struct trace_points *points,
                                  const struct trace_about *about)
{
    struct live_times *l = calloc(1, sizeof(*l));

    if (!l || event_times_begin(&l->times, options, points, about))
        return l;
    live_times_free(l);
    return NULL;
}

void live_times_free(struct live_times *times)
{
    if (!times)
        return;
    event_times_free(&times->times);
    longest_free(&times->shown);
    free(times->kept);
    free(times);
}

static bool keep(struct live_times *l, const struct trace_event *event)
{
    if (event->kind == TRACE_CLOCK) {
        l->clocks[event->core] = *event;
        l->has_clock[event->core] = true;
    }
    if (l->count < KEPT && !VEC_ROOM(l->kept, l->capacity, l->count, 1))
        return false;
    l->count += l->count < KEPT;
    l->kept[l->next++ % KEPT] = *event;
    return true;
}

/* The longest time so far has just ended. */
static bool draw_longest(struct live_times *l, const struct latency_worst *worst)
{
    uint64_t oldest = l->next > KEPT ? l->next - KEPT : 0;

    longest_free(&l->shown);
    l->unknown = worst->first < oldest ? worst->last - worst->first + 1 : 0;
    bool good = longest_begin(&l->shown, &l->times, TIMES_EVENTS_SHOWN);
    for (unsigned core = 0; good && core < TRACE_CORES; core++)
        good = !l->has_clock[core] || longest_put(&l->shown, &l->times, &l->clocks[core], false);
    for (uint64_t i = worst->first; good && l->unknown == 0 && i <= worst->last; i++)
        good = longest_put(&l->shown, &l->times, &l->kept[i % KEPT], true);
    return longest_end(&l->shown) && good;
}

bool live_times_put(struct live_times *times, const struct trace_event *event)
{
    struct live_times *l = times;
    uint64_t number = l->next;

    if (!keep(l, event) || !latency_put(l->times.latency, event))
        return false;
    const struct latency_state state = latency_state(l->times.latency);
    bool longest = state.durations->count != 0 && state.worst.last == number;
    return !longest || draw_longest(l, &state.worst);
}

bool live_times_end_run(struct live_times *times)
{
    static const struct trace_event end = {.kind = TRACE_END}, run = {.kind = TRACE_RUN};
    bool good = live_times_put(times, &end) && live_times_put(times, &run);

    memset(times->has_clock, 0, sizeof(times->has_clock));
    return good;
}

bool live_times_has_any(const struct live_times *times)
{
    return latency_state(times->times.latency).durations->count != 0;
}

int live_times_check(const struct live_times *times)
{
    return event_limits_refuse(event_times_option(times->times.options),
                               latency_check(times->times.latency));
}

/* Returns the histogram, which the caller frees, or NULL if memory runs out. */
static char *histogram(const struct live_times *l, const char *origin)
{
    const struct view_latency view = event_times_view(&l->times, NULL, origin);
    struct text t = {.bytes = NULL};

    if (view.state.durations->count != 0) {
        char *text = view_latency_text(&view);
        text_printf(&t, "%.*s\nCtrl-C ends it, and shows what happened then\n",
                    text ? (int)(strlen(text) - 2) : 0, text ? text : "");
        t.failed |= !text;
        free(text);
        return text_end(&t);
    }
    text_printf(&t, "%s: nothing yet %s %s", origin, view.to ? "from" : "of", view.from);
    text_printf(&t, view.to ? " to %s\n" : "\n", view.to);
    return text_end(&t);
}

/* Goes back to where the lines begin, unless messages came after them. */
static void remove_lines(struct live_times *l)
{
    if (l->lines != 0 && l->said == complaints())
        printf("\r\033[%uA\033[J", l->lines);
    l->lines = 0;
}

/* Writes as many lines of text as there is room for. */
static void write_lines(struct live_times *l, const char *text)
{
    unsigned columns = output_width(STDOUT_FILENO), rows = output_height(STDOUT_FILENO);

    columns = columns > 1 ? columns : COLUMNS;
    rows = rows > 1 ? rows : ROWS;
    for (const char *at = text; *at && l->lines + 1 < rows; l->lines++) {
        struct text line = {.bytes = NULL};
        size_t len = strcspn(at, "\n");
        text_add(&line, at, len);
        char *shown = text_end_line(&line, columns - 1);
        printf("%s\n", shown ? shown : "");
        free(shown);
        at += len + (at[len] == '\n');
    }
    l->said = complaints();
    fflush(stdout);
}

void live_times_show(struct live_times *times, const char *origin)
{
    const struct options *o = times->times.options;

    if (o->output || o->format != FORMAT_TABLE || !isatty(STDOUT_FILENO))
        return;
    char *text = histogram(times, origin);
    remove_lines(times);
    if (text)
        write_lines(times, text);
    free(text);
}

/* Returns all that is printed, which the caller frees, or NULL if memory runs out. */
static char *text_of(const struct live_times *l, const char *origin)
{
    const struct view_latency view = event_times_view(&l->times, NULL, origin);
    uint64_t more = l->unknown + l->shown.more;
    struct text t = {.bytes = NULL};

    if (l->times.options->format == FORMAT_JSON)
        return view_latency_json(&view, l->shown.text, more);
    char *text = view_latency_text(&view);
    text_printf(&t, "%s%s", text ? text : "", l->shown.text);
    if (more != 0)
        text_printf(&t, "... %" PRIu64 "%s events%s\n", more, l->unknown != 0 ? "" : " more",
                    l->unknown != 0 ? ", too many to keep: --record writes all to a file" : "");
    t.failed |= !text;
    free(text);
    return text_end(&t);
}

int live_times_print(struct live_times *times, const char *origin)
{
    remove_lines(times);
    int status = event_times_end(&times->times, origin);
    if (status != STATUS_DONE)
        return status;
    char *text = text_of(times, origin);
    status = text ? output_write(times->times.options->output, text) : fail("out of memory");
    free(text);
    return status;
}
