/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Braces and durations of calls. */
#include <trace_view/trace_graph.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>
#include <base/vec.h>
#include <trace/sleep.h>
#include <trace/spans.h>
#include <trace_view/trace_lines.h>

#include "graph_names.h"
#include "trace_other.h"
#include "trace_time.h"
#include "trace_words.h"

/* The widest name of a context that others are aligned to. */
#define CONTEXT_CELLS 32

/* A track. */
struct lane {
    char *name; /* owned; as it is printed; NULL: not made yet */
    size_t cells;
    size_t base; /* levels of what an exception has interrupted */
};

/* The last event of a core, if it is an entry whose line is not written yet. */
struct pending {
    bool is;
    struct trace_event entry;
    const struct span_track *track;
    size_t level, depth;
};

struct core {
    struct trace_clock clock;
    struct pending pending;
    size_t level; /* of the next line */
};

struct trace_graph {
    struct line_buffer to;
    const struct trace_points *points;
    const struct trace_about *about;
    struct spans *spans;       /* owned */
    struct trace_lines *lines; /* owned; objects; NULL: text */
    struct graph_names names;
    struct lane *lanes; /* owned; of each track */
    size_t count, capacity;
    size_t context_cells; /* of the widest context so far */
    struct core cores[TRACE_CORES];
    unsigned runs, turn; /* turn: of the points */
};

static bool name_lane(const struct trace_graph *g, unsigned exception, const char *name,
                      struct lane *lane)
{
    lane->name = graph_context(g->points, exception, name);
    lane->cells = lane->name ? text_cells(lane->name) : 0;
    return lane->name != NULL;
}

static struct lane *lane_of(struct trace_graph *g, const struct span_track *track)
{
    if (track->index >= g->count) {
        if (!VEC_ROOM(g->lanes, g->capacity, g->count, track->index + 1 - g->count))
            return NULL;
        while (g->count <= track->index)
            g->lanes[g->count++] = (struct lane){.name = NULL};
    }
    struct lane *lane = &g->lanes[track->index];
    return lane->name || name_lane(g, track->exception, track->name, lane) ? lane : NULL;
}

static void add_blanks(struct trace_graph *g, size_t count)
{
    static const char blanks[] = "                                ";

    for (size_t part; count != 0; count -= part) {
        part = count < sizeof(blanks) - 1 ? count : sizeof(blanks) - 1;
        line_buffer_add(&g->to, blanks, part);
    }
}

/* Begins a line, up to the call. event: that has the time, NULL: it is not known. */
static void begin_line(struct trace_graph *g, unsigned core, const struct trace_event *event,
                       const struct lane *lane, const char *duration, size_t level)
{
    if (event)
        trace_time_add(&g->to, &g->cores[core].clock, event->ticks);
    else
        add_blanks(g, TRACE_TIME_CELLS + 2);
    line_buffer_text(&g->to, lane->name);
    if (lane->cells > g->context_cells)
        g->context_cells = lane->cells < CONTEXT_CELLS ? lane->cells : CONTEXT_CELLS;
    if (lane->cells < g->context_cells)
        add_blanks(g, g->context_cells - lane->cells);
    add_blanks(g, 2);
    size_t len = strlen(duration);
    add_blanks(g, len < TRACE_DURATION_CELLS ? TRACE_DURATION_CELLS - len : 0);
    line_buffer_text(&g->to, duration);
    line_buffer_text(&g->to, " |  ");
    add_blanks(g, 2 * (level < GRAPH_LEVELS ? level : GRAPH_LEVELS));
}

/* Adds a name between two texts. */
static bool add_name(struct trace_graph *g, const char *before, uint32_t function, uint64_t addr,
                     const char *after)
{
    const char *name = graph_name(&g->names, g->points, function, addr);

    line_buffer_text(&g->to, before);
    line_buffer_text(&g->to, name ? name : "");
    line_buffer_text(&g->to, after);
    return name != NULL;
}

/* exit: NULL if the call has not returned. */
static bool add_call(struct trace_graph *g, const struct trace_event *entry,
                     const struct trace_event *exit, const char *after)
{
    const struct trace_point *p = trace_point_at(g->points, entry->point);
    bool words = entry->argument_count != 0;

    bool added = add_name(g, "", p->function, p->callee, words ? "" : "()") &&
                 (!words || trace_words_add_arguments(&g->to, false, g->points, g->about, entry));
    added &= !exit || trace_words_add_arguments(&g->to, false, g->points, g->about, exit);
    line_buffer_text(&g->to, after);
    return added;
}

/* Writes the line of an entry that has called something, or may yet. */
static bool open_pending(struct trace_graph *g, unsigned core)
{
    struct pending *pending = &g->cores[core].pending;

    if (!pending->is)
        return true;
    pending->is = false;
    const struct lane *lane = lane_of(g, pending->track);
    if (!lane)
        return false;
    begin_line(g, core, &pending->entry, lane, "", pending->level);
    return add_call(g, &pending->entry, NULL, " {\n");
}

static bool enter(void *graph, const struct span *span)
{
    struct trace_graph *g = graph;
    struct core *core = &g->cores[span->track->core];
    struct lane *lane = lane_of(g, span->track);

    if (!lane)
        return false;
    if (g->lines)
        return trace_lines_put_span(g->lines, span);
    if (!open_pending(g, span->track->core))
        return false;
    if (span->depth == 0)
        lane->base = span->track->exception != 0 ? core->level : 0;
    core->level = lane->base + span->depth + 1;
    core->pending = (struct pending){.is = true,
                                     .entry = *span->event,
                                     .track = span->track,
                                     .level = core->level - 1,
                                     .depth = span->depth};
    core->pending.entry.chain = NULL;
    return true;
}

/* The line of a call that has called nothing. */
static bool put_leaf(struct trace_graph *g, const struct span *span, const struct lane *lane)
{
    struct pending *pending = &g->cores[span->track->core].pending;
    char duration[TRACE_DURATION_TEXT];

    pending->is = false;
    trace_duration_text(span, duration);
    begin_line(g, span->track->core, &pending->entry, lane, duration, pending->level);
    return add_call(g, &pending->entry, span->end == SPAN_RETURNED ? span->event : NULL,
                    span->end == SPAN_RETURNED ? ";\n" : ";  /* no exit was seen */\n");
}

/* A brace, and the result if it is known: like "} = 5;", before its name. */
static bool add_end(struct trace_graph *g, const struct trace_event *exit, uint32_t function,
                    uint64_t addr, const char *after)
{
    struct line_buffer *to = &g->to;

    line_buffer_text(to, "}");
    size_t before = to->used;
    bool added = !exit || trace_words_add_arguments(to, false, g->points, g->about, exit);
    return add_name(g, to->used != before ? ";  /* " : "  /* ", function, addr, after) && added;
}

static bool put_end(struct trace_graph *g, const struct span *span, const struct lane *lane)
{
    char duration[TRACE_DURATION_TEXT];

    trace_duration_text(span, duration);
    begin_line(g, span->track->core, span->event, lane, duration, lane->base + span->depth);
    return add_end(g, span->end == SPAN_RETURNED ? span->event : NULL, span->function,
                   trace_function_at(g->points, span->function)->addr,
                   span->end == SPAN_RETURNED ? " */\n" : ": no exit was seen */\n");
}

static bool leave(void *graph, const struct span *span)
{
    struct trace_graph *g = graph;
    struct core *core = &g->cores[span->track->core];
    const struct pending *pending = &core->pending;
    const struct lane *lane = lane_of(g, span->track);

    if (g->lines)
        return span->end != SPAN_RETURNED || trace_lines_put_span(g->lines, span);
    if (!lane)
        return false;
    bool leaf = pending->is && pending->track == span->track && pending->depth == span->depth;
    core->level = lane->base + span->depth;
    if (span->end == SPAN_LOST || span->end == SPAN_OPEN)
        return open_pending(g, span->track->core);
    if (leaf)
        return put_leaf(g, span, lane);
    return open_pending(g, span->track->core) && put_end(g, span, lane);
}

/* An exit without its entry, which may have been before the trace. */
static bool put_stray(void *graph, const struct trace_event *event)
{
    struct trace_graph *g = graph;
    const struct trace_point *p = trace_point_at(g->points, event->point);
    struct core *core = &g->cores[event->core];
    char name[TRACE_CONTEXT_TEXT];
    struct lane lane;

    if (g->lines)
        return trace_lines_put(g->lines, event);
    trace_context_name(name, g->about, g->points, event, p->exception);
    if (!name_lane(g, p->exception, name, &lane) || !open_pending(g, event->core))
        return false;
    if (p->exception == 0)
        core->level = 0;
    begin_line(g, event->core, event, &lane, "", core->level);
    free(lane.name);
    return add_end(g, event, p->function, p->callee, " */\n");
}

static bool put_mark(void *graph, const struct span_track *track, const struct trace_event *event,
                     int64_t ns)
{
    struct trace_graph *g = graph;
    char text[40];

    (void)ns;
    if (g->lines)
        return trace_lines_put(g->lines, event);
    const struct lane *lane = lane_of(g, track);
    if (!lane || !open_pending(g, event->core))
        return false;
    begin_line(g, event->core, event, lane, "", g->cores[event->core].level);
    snprintf(text, sizeof(text), "/* mark %" PRIu64,
             trace_point_at(g->points, event->point)->callee);
    line_buffer_text(&g->to, text);
    bool added = event->argument_count == 0 ||
                 trace_words_add_arguments(&g->to, false, g->points, g->about, event);
    line_buffer_text(&g->to, " */\n");
    return added;
}

static bool put_sleep(void *graph, const struct span_sleep *sleep)
{
    struct trace_graph *g = graph;
    unsigned core = sleep->event->core;
    char text[TRACE_SLEEP_TEXT];

    if (g->lines)
        return trace_lines_put(g->lines, sleep->event);
    const struct lane *lane = lane_of(g, sleep->track);
    if (!lane || !open_pending(g, core))
        return false;
    begin_line(g, core, sleep->event, lane, "", g->cores[core].level);
    trace_sleep_text(text, sleep->what, sleep->seconds);
    line_buffer_text(&g->to, "/* ");
    line_buffer_text(&g->to, text);
    line_buffer_text(&g->to, " */\n");
    return true;
}

static bool put_line(struct trace_graph *g, const struct trace_event *event)
{
    char *line = trace_other_line(false, g->about, event);

    if (line)
        line_buffer_text(&g->to, line);
    free(line);
    return line != NULL;
}

static bool put_other(void *graph, const struct trace_event *event, int64_t ns)
{
    struct trace_graph *g = graph;
    bool all = event->kind == TRACE_RUN || event->kind == TRACE_DAMAGED || event->kind == TRACE_END;
    bool good = true;

    (void)ns;
    if (g->lines)
        return trace_lines_put(g->lines, event);
    if (event->kind == TRACE_CLOCK) {
        good = open_pending(g, event->core);
        g->cores[event->core].clock = (struct trace_clock){event->timed, event->hz};
        return good;
    }
    for (unsigned core = 0; core < TRACE_CORES; core++) {
        if (!all && core != event->core)
            continue;
        good &= open_pending(g, core);
        g->cores[core].level = 0;
        if (event->kind == TRACE_RUN)
            g->cores[core].clock = (struct trace_clock){.timed = false};
    }
    if (event->kind == TRACE_END || (event->kind == TRACE_RUN && g->runs++ == 0))
        return good;
    return good && put_line(g, event);
}

struct trace_graph *trace_graph_new(FILE *file, enum view_format format,
                                    const struct trace_points *points,
                                    const struct trace_about *about)
{
    static const struct spans_ops ops = {.enter = enter,
                                         .leave = leave,
                                         .stray = put_stray,
                                         .mark = put_mark,
                                         .sleep = put_sleep,
                                         .other = put_other};
    struct trace_graph *g = calloc(1, sizeof(*g));
    bool json = format == FORMAT_JSON;

    if (!g)
        return NULL;
    g->to.file = file;
    g->points = points;
    g->about = about;
    g->turn = trace_points_turn(points);
    g->spans = spans_new(&ops, about, g);
    g->lines = json ? trace_lines_new(file, format, points, about) : NULL;
    if (g->spans && (g->lines || !json))
        return g;
    trace_graph_free(g);
    return NULL;
}

void trace_graph_free(struct trace_graph *graph)
{
    if (!graph)
        return;
    for (size_t i = 0; i < graph->count; i++)
        free(graph->lanes[i].name);
    free(graph->lanes);
    graph_names_free(&graph->names);
    spans_free(graph->spans);
    trace_lines_free(graph->lines);
    free(graph);
}

/* The functions of calls that have begun are none of the points any more. */
static bool forget_calls(struct trace_graph *g)
{
    g->turn = trace_points_turn(g->points);
    for (unsigned core = 0; core < TRACE_CORES; core++) {
        g->cores[core].pending.is = false;
        g->cores[core].level = 0;
    }
    return spans_end(g->spans);
}

bool trace_graph_put(struct trace_graph *graph, const struct trace_event *event)
{
    int *error = &graph->to.error;
    bool good = graph->turn == trace_points_turn(graph->points) || forget_calls(graph);

    if ((!good || !spans_put(graph->spans, graph->points, event)) && *error == 0)
        *error = graph->lines && errno != 0 ? errno : ENOMEM;
    errno = *error;
    return *error == 0;
}

bool trace_graph_flush(struct trace_graph *graph)
{
    struct trace_graph *g = graph;
    int *error = &g->to.error;
    bool good = true;

    if (g->lines)
        return trace_lines_flush(g->lines);
    for (unsigned core = 0; core < TRACE_CORES; core++)
        good &= open_pending(g, core);
    line_buffer_write(&g->to);
    if (*error == 0 && !good)
        *error = ENOMEM;
    if (*error == 0 && fflush(g->to.file) != 0)
        *error = errno ? errno : EIO;
    errno = *error;
    return *error == 0;
}
