/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the file twice, the second time for the longest time. */
#include <events/file_times.h>

#include <inttypes.h>
#include <stdlib.h>

#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <base/text.h>
#include <events/trace_file.h>

#include "times.h"

/* So often is asked whether a signal ends it. */
#define ASK_EVERY 65536

struct search {
    const struct options *options;
    struct trace_reader *reader; /* owned */
    struct event_times times;    /* points and about are the reader's */
};

static int open_reader(struct search *s)
{
    char text[TRACE_TEXT];

    s->reader = trace_reader_open(s->options->operands[0], text);
    if (!s->reader)
        return fail(text);
    s->times.points = trace_reader_points(s->reader);
    s->times.about = trace_reader_about(s->reader);
    return STATUS_DONE;
}

static void close_reader(struct search *s)
{
    trace_reader_close(s->reader);
    s->reader = NULL;
}

/* Adds up all times of the file. */
static int add_up(struct search *s)
{
    struct trace_event event;
    unsigned long events = 0;

    if (!event_times_begin(&s->times, s->options, s->times.points, s->times.about))
        return fail("out of memory");
    while (trace_reader_next(s->reader, &event)) {
        if (!latency_put(s->times.latency, &event))
            return fail("out of memory");
        if (++events % ASK_EVERY == 0 && signals_pending())
            return STATUS_DONE;
    }
    return event_times_end(&s->times, s->options->operands[0]);
}

static uint64_t most_of(const struct search *s)
{
    return s->options->iterations ? s->options->iterations : TIMES_EVENTS_SHOWN;
}

/* Writes the events of the longest time to a graph. */
static bool write_longest(struct search *s, struct longest *longest)
{
    const struct latency_worst worst = latency_state(s->times.latency).worst;
    struct trace_event event;
    bool good = longest_begin(longest, &s->times, most_of(s));

    for (uint64_t i = 0; good && i <= worst.last && trace_reader_next(s->reader, &event); i++)
        good = longest_put(longest, &s->times, &event, i >= worst.first);
    return longest_end(longest) && good;
}

/* Returns all that is printed, which the caller frees, or NULL if memory runs out. */
static char *text_of(const struct search *s, const struct longest *longest)
{
    const char *path = s->options->operands[0];
    const struct view_latency view = event_times_view(&s->times, path, path);
    struct text t = {.bytes = NULL};

    if (s->options->format == FORMAT_JSON)
        return view_latency_json(&view, longest->text, longest->more);
    char *text = view_latency_text(&view);
    text_printf(&t, "%s%s", text ? text : "", longest->text);
    if (longest->more != 0)
        text_printf(&t, "... %" PRIu64 " more events; -n %" PRIu64 " shows all\n", longest->more,
                    longest->more + most_of(s));
    t.failed |= !text;
    free(text);
    return text_end(&t);
}

static int print(struct search *s)
{
    struct longest longest = {.text = NULL};
    char *text = write_longest(s, &longest) ? text_of(s, &longest) : NULL;
    int status = text ? output_write(s->options->output, text) : fail("out of memory");

    longest_free(&longest);
    free(text);
    return status;
}

int file_times_print(const struct options *options)
{
    struct search s = {.options = options};
    int said = STATUS_DONE, status = open_reader(&s);

    if (status == STATUS_DONE)
        status = add_up(&s);
    if (s.reader && !signals_pending())
        said = trace_file_say(options->operands[0], s.reader);
    close_reader(&s);
    if (status == STATUS_DONE && !signals_pending())
        status = open_reader(&s);
    if (status == STATUS_DONE && s.reader)
        status = print(&s);
    close_reader(&s);
    event_times_free(&s.times);
    return status != STATUS_DONE ? status : said;
}
