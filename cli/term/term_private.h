/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this folder share. */
#ifndef TERM_PRIVATE_H
#define TERM_PRIVATE_H

#include <term/term.h>

#include <signal.h>
#include <stdbool.h>
#include <termios.h>

/* The signals that ncurses takes for itself. */
enum { OUR_SIGNALS = 4 };

struct term {
    struct screen *screen; /* ncurses' SCREEN */
    void *keys;            /* ncurses' window for input, never shown */
    bool utf8;             /* the locale's characters are UTF-8 */
    bool colours;
    struct sigaction signals[OUR_SIGNALS];
    struct termios settings; /* as they were */
    char restore[256];       /* what to write in an emergency */
    size_t restore_len;
};

/* Prepares term_restore_emergency(), after ncurses has read what the terminal can do. */
void emergency_prepare(struct term *term);

/*
 * Takes one character of UTF-8 text, as something that may be shown. Returns its width in cells: 0
 * is to be passed over, *out is then not set. *text goes on behind it; at the end of text: -1.
 */
int clean_next(const char **text, bool utf8, wchar_t *out);

/* Rows and columns as the terminal says; false: it does not know. */
bool ask_size(int *rows, int *columns);

#endif
