/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local time with its offset. */
#define _POSIX_C_SOURCE 200809L

#include <table/time.h>

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
