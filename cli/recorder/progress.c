/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bar on stderr. */
#define _POSIX_C_SOURCE 200809L

#include <recorder/progress.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CELLS 24

struct progress progress_begin(const char *unit)
{
    const char *term = getenv("TERM");
    bool dumb = !term || strcmp(term, "dumb") == 0;

    return (struct progress){.terminal = isatty(STDERR_FILENO) && !dumb, .unit = unit};
}

void progress_show(struct progress *progress, double part, double seconds, uint64_t count,
                   double width)
{
    char bar[CELLS + 1];
    int filled = (int)(part * CELLS);

    if (!progress->terminal)
        return;
    memset(bar, ' ', CELLS);
    memset(bar, '#', (size_t)(filled < 0 ? 0 : filled > CELLS ? CELLS : filled));
    bar[CELLS] = '\0';
    fprintf(stderr, "\r[%s] %.1f s  %" PRIu64 " %s", bar, seconds, count, progress->unit);
    if (width >= 0)
        fprintf(stderr, "  +/- %.1f%%", 50 * width);
    fputs("\033[K", stderr);
    fflush(stderr);
    progress->shown = true;
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
