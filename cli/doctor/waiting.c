/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line on a terminal, for as long as something takes. */
#define _POSIX_C_SOURCE 200809L

#include "waiting.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_terminal(void)
{
    const char *term = getenv("TERM");

    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void waiting_for(const char *what)
{
    if (has_terminal())
        fprintf(stderr, "\r%s\033[K", what);
}

void waiting_end(void)
{
    if (has_terminal())
        fputs("\r\033[K", stderr);
}
