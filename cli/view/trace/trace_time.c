/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes ticks from the end. */
#include "trace_time.h"

#include <stdio.h>

#include <table/time.h>

/* Room for a time and the keys before it. */
#define TIME_MAX 96

/* Writes a number before end, with at least some digits. Returns where it begins. */
static char *put_digits(char *end, uint64_t number, unsigned least)
{
    for (; number != 0 || least != 0; number /= 10, least -= least != 0)
        *--end = (char)('0' + number % 10);
    return end;
}

/* Writes seconds with some decimals before end. */
static char *put_seconds(char *end, uint64_t ticks, uint32_t hz, unsigned decimals, uint64_t scale)
{
    uint64_t seconds = ticks / hz, part = (ticks % hz * scale + hz / 2) / hz;

    end = put_digits(end, part % scale, decimals);
    *--end = '.';
    return put_digits(end, seconds + part / scale, 1);
}

/* Writes ticks, or with decimals seconds, with their sign. */
static char *put_time(char *end, const struct trace_clock *clock, int64_t ticks, unsigned decimals,
                      uint64_t scale)
{
    uint64_t size = ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks;
    char *begin = decimals != 0 ? put_seconds(end, size, clock->hz, decimals, scale)
                                : put_digits(end, size, 1);

    if (ticks < 0)
        *--begin = '-';
    return begin;
}

/* Where only numbers are known, the clock's; "-" where it has none. */
void trace_time_add(struct line_buffer *to, const struct trace_clock *clock, int64_t ticks)
{
    char room[TIME_MAX], *end = room + sizeof(room), *begin = end;

    *--begin = ' ';
    *--begin = ' ';
    const char *right = begin;
    if (!clock->timed)
        *--begin = '-';
    else
        begin = put_time(begin, clock, ticks, clock->hz != 0 ? 6 : 0, 1000000);
    while (right - begin < TRACE_TIME_CELLS)
        *--begin = ' ';
    line_buffer_add(to, begin, (size_t)(end - begin));
}

#define ADD_CONSTANT(to, text) line_buffer_add(to, text, sizeof(text) - 1)

void trace_time_add_json(struct line_buffer *to, const struct trace_clock *clock, int64_t ticks)
{
    char room[TIME_MAX], *end = room + sizeof(room), *begin;

    if (!clock->timed) {
        ADD_CONSTANT(to, "{\"time\":null,\"ticks\":null,");
        return;
    }
    if (clock->hz == 0) {
        ADD_CONSTANT(to, "{\"time\":null,\"ticks\":");
    } else {
        begin = put_time(end, clock, ticks, 9, 1000000000);
        ADD_CONSTANT(to, "{\"time\":");
        line_buffer_add(to, begin, (size_t)(end - begin));
        ADD_CONSTANT(to, ",\"ticks\":");
    }
    begin = put_time(end, clock, ticks, 0, 1);
    line_buffer_add(to, begin, (size_t)(end - begin));
    ADD_CONSTANT(to, ",");
}

void trace_time_add_duration_json(struct line_buffer *to, const struct trace_clock *clock,
                                  int64_t ticks)
{
    char room[TIME_MAX], *end = room + sizeof(room), *begin;

    ADD_CONSTANT(to, ",\"duration\":");
    if (!clock->timed || clock->hz == 0) {
        ADD_CONSTANT(to, "null");
    } else {
        begin = put_time(end, clock, ticks, 9, 1000000000);
        line_buffer_add(to, begin, (size_t)(end - begin));
    }
    ADD_CONSTANT(to, ",\"duration_ticks\":");
    if (!clock->timed) {
        ADD_CONSTANT(to, "null");
        return;
    }
    begin = put_time(end, clock, ticks, 0, 1);
    line_buffer_add(to, begin, (size_t)(end - begin));
}

/* As ftrace has them. */
static char sign_of(double seconds)
{
    static const struct {
        double above;
        char sign;
    } signs[] = {{1, '$'}, {0.1, '@'}, {0.01, '*'}, {1e-3, '#'}, {1e-4, '!'}, {1e-5, '+'}};

    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
        if (seconds > signs[i].above)
            return signs[i].sign;
    return ' ';
}

void trace_duration_text(const struct span *span, char text[TRACE_DURATION_TEXT])
{
    char number[TRACE_DURATION_TEXT - 10];
    double time = (double)span->duration / (span->hz != 0 ? span->hz : 1);

    text[0] = '\0';
    if (!span->timed)
        return;
    view_duration(time, span->hz != 0, number, sizeof(number));
    snprintf(text, TRACE_DURATION_TEXT, "%c %*s", span->hz != 0 ? sign_of(time) : ' ',
             TRACE_DURATION_CELLS - 2, number);
}
