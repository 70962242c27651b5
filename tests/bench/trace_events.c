/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a trace file of made calls: trace_events FILE EVENTS. Functions call each other at random,
 * up to 20 deep, and return; an interrupt calls some of them now and then. */
#include <stdio.h>
#include <stdlib.h>

#include <trace/writer.h>

#define FUNCTIONS 500
#define DEPTH     20

static uint64_t state = 1;

static unsigned below(unsigned limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % limit;
}

/* A call of a function that another one makes, or its exit. */
static uint32_t point_of(struct trace_points *points, unsigned function, unsigned caller,
                         unsigned exception, bool leaves)
{
    char name[40];
    struct trace_function f = {
        .addr = 0x8000000 + function * 96, .name = name, .file = "src/module.c", .line = function, .parameters = ""};
    struct trace_point p = {.callee = f.addr,
                            .caller = 0x8000000 + caller * 96 + 8 + function % 8,
                            .exception = exception,
                            .kind = leaves ? TRACE_EXIT : TRACE_ENTRY};
    uint32_t index;
    bool added;

    snprintf(name, sizeof(name), "module_function_%u", function);
    if (!trace_add_function(points, &f, &p.function))
        abort();
    snprintf(name, sizeof(name), "module_function_%u", caller);
    f.addr = 0x8000000 + caller * 96;
    f.line = caller;
    if (!trace_add_function(points, &f, &p.caller_function) ||
        !trace_add_point(points, &p, &index, &added))
        abort();
    return index;
}

/* Each function calls eight others. */
static unsigned callee_of(unsigned caller)
{
    return (caller * 7 + below(8) * 61 + 1) % FUNCTIONS;
}

static void put(struct trace_writer *w, struct trace_points *points, uint32_t point, int64_t ticks)
{
    const struct trace_event e = {.kind = TRACE_CALL, .ticks = ticks, .point = point};

    if (!trace_writer_put(w, points, &e))
        abort();
}

static void write_events(struct trace_writer *w, struct trace_points *points, unsigned long count)
{
    unsigned stack[DEPTH] = {0}, depth = 1;
    const struct trace_event clock = {.kind = TRACE_CLOCK, .timed = true, .hz = 100000000};
    int64_t ticks = 0;

    if (!trace_writer_put(w, points, &clock) || !trace_name_exception(points, 15, "SysTick"))
        abort();
    for (unsigned long i = 0; i < count; i++) {
        ticks += 50 + below(2000);
        if (below(100) == 0 && i + 1 < count) {
            unsigned handler = callee_of(3);
            put(w, points, point_of(points, handler, 3, 15, false), ticks);
            put(w, points, point_of(points, handler, 3, 15, true), ticks + 40);
            i++;
        } else if (depth == 1 || (depth < DEPTH && below(2) != 0)) {
            stack[depth] = callee_of(stack[depth - 1]);
            put(w, points, point_of(points, stack[depth], stack[depth - 1], 0, false), ticks);
            depth++;
        } else {
            depth--;
            put(w, points, point_of(points, stack[depth], stack[depth - 1], 0, true), ticks);
        }
    }
}

int main(int argc, char **argv)
{
    const struct trace_about about = {
        .build = "made", .elf = "made.elf", .addr_size = 4, .cores = 1};
    struct trace_points *points = trace_points_new();
    char text[TRACE_TEXT] = "usage: trace_events FILE EVENTS";
    struct trace_writer *w = argc == 3 && points ? trace_writer_open(argv[1], &about, text) : NULL;

    if (w) {
        write_events(w, points, strtoul(argv[2], NULL, 10));
        text[0] = '\0';
        (void)trace_writer_close(w, text);
    }
    trace_points_free(points);
    if (text[0])
        fprintf(stderr, "%s\n", text);
    return text[0] != '\0';
}
