/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a trace file of made calls:
 *
 *   made-trace FILE BUILD HZ|0 STEP...
 *
 * A step is FUNCTION[@FILE]=N[xTICKS]: so many calls, each of that many ticks and as many ticks
 * after it; without ticks they have no exits. "lost=N" loses events, "wait=N" lets time pass. HZ 0:
 * events have no times. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trace/writer.h>

struct made {
    struct trace_writer *writer;
    struct trace_points *points;
    int64_t ticks;
};

static void put(struct made *m, const struct trace_event *event)
{
    if (!trace_writer_put(m->writer, m->points, event))
        exit(1);
}

static void put_call(struct made *m, uint32_t function, enum trace_point_kind kind)
{
    const struct trace_point point = {.kind = kind,
                                      .callee = 0x1000 + 16 * function,
                                      .caller = 0x9000,
                                      .function = function,
                                      .caller_function = TRACE_NO_FUNCTION};
    struct trace_event event = {.kind = TRACE_CALL, .ticks = m->ticks};
    bool added;

    if (!trace_add_point(m->points, &point, &event.point, &added))
        exit(1);
    put(m, &event);
}

static void put_calls(struct made *m, char *name, const char *what)
{
    char *file = strchr(name, '@');
    const char *ticks = strchr(what, 'x');
    uint32_t index;

    if (file)
        *file++ = '\0';
    for (index = 0; index < trace_functions_count(m->points); index++) {
        if (strcmp(trace_function_at(m->points, index)->name, name) == 0)
            break;
    }
    const struct trace_function function = {.addr = 0x1000 + 16 * index,
                                            .name = name,
                                            .file = file ? file : "/src/made.c",
                                            .line = 7,
                                            .parameters = ""};
    if (!trace_add_function(m->points, &function, &index))
        exit(1);
    for (long i = strtol(what, NULL, 10); i > 0; i--) {
        put_call(m, index, TRACE_ENTRY);
        if (!ticks)
            continue;
        m->ticks += strtol(ticks + 1, NULL, 10);
        put_call(m, index, TRACE_EXIT);
        m->ticks += strtol(ticks + 1, NULL, 10);
    }
}

static void step(struct made *m, char *word)
{
    char *value = strrchr(word, '=');

    *value++ = '\0';
    if (strcmp(word, "lost") == 0)
        put(m,
            &(struct trace_event){.kind = TRACE_OVERWRITTEN, .count = strtoull(value, NULL, 10)});
    else if (strcmp(word, "wait") == 0)
        m->ticks += strtol(value, NULL, 10);
    else
        put_calls(m, word, value);
}

int main(int argc, char **argv)
{
    const struct trace_about about = {
        .build = argv[2], .elf = "made.elf", .addr_size = 4, .cores = 1};
    char text[TRACE_TEXT];
    struct made m = {.writer = trace_writer_open(argv[1], &about, text),
                     .points = trace_points_new()};
    uint32_t hz = (uint32_t)strtoul(argv[3], NULL, 10);

    if (!m.writer || !m.points) {
        fprintf(stderr, "%s\n", text);
        return 1;
    }
    put(&m, &(struct trace_event){.kind = TRACE_CLOCK, .hz = hz, .timed = hz != 0});
    for (int i = 4; i < argc; i++)
        step(&m, argv[i]);
    bool done = trace_writer_close(m.writer, text);
    trace_points_free(m.points);
    return !done;
}
