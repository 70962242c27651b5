/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local time with its offset; durations. */
#define _POSIX_C_SOURCE 200809L

#include <table/time.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

void view_time(int64_t time_ns, bool program, char *text, size_t capacity)
{
    time_t seconds = (time_t)(time_ns / 1000000000);
    struct tm local;
    size_t len;

    text[0] = '\0';
    if (time_ns <= 0 || !localtime_r(&seconds, &local))
        return;
    len =
        strftime(text, capacity, program ? "%Y-%m-%dT%H:%M:%S%z" : "%Y-%m-%d %H:%M:%S %z", &local);
    if (len < 5 || len + 2 > capacity)
        return;
    /* ISO 8601 has a colon there. */
    memmove(text + len - 1, text + len - 2, 3);
    text[len - 2] = ':';
}

void view_duration(double time, bool seconds, char *text, size_t capacity)
{
    static const struct {
        double least, scale;
        const char *unit;
    } units[] = {{1, 1, " s"}, {1e-3, 1e3, " ms"}, {0, 1e6, " us"}};
    size_t i = 0;

    if (time < 0) {
        snprintf(text, capacity, "-");
    } else if (!seconds) {
        snprintf(text, capacity, "%.0f", time);
    } else {
        while (time < units[i].least)
            i++;
        snprintf(text, capacity, "%.3f%s", time * units[i].scale, units[i].unit);
    }
}
