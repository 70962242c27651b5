/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this folder share. */
#ifndef TERM_PRIVATE_H
#define TERM_PRIVATE_H

#include <term/term.h>

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

/* The signals that ncurses takes for itself. */
enum { OUR_SIGNALS = 4 };

/* Events of the mouse that ncurses keeps at a time. */
enum { MOUSE_EVENTS = 8 };

/* Rows whose content is remembered; those below are drawn each time. */
enum { ROWS_KNOWN = 256 };

enum term_colours { COLOURS_NONE, COLOURS_BASIC, COLOURS_256 };

struct term {
    struct screen *screen; /* ncurses' SCREEN */
    void *keys;            /* ncurses' window for input, never shown */
    bool utf8;             /* the locale's characters are UTF-8 */
    enum term_colours colours;
    int cursor_row, cursor_column; /* < 0: hidden */
    bool cursor_shown;
    uint64_t contents[ROWS_KNOWN]; /* of term_begin_row(); 0: not known */
    bool resized;                  /* by term_resume(), not told yet */
    bool mouse_wanted;
    struct term_mouse mouse;                /* the last event */
    struct term_mouse events[MOUSE_EVENTS]; /* those that wait, the first one at the end */
    int event_count;
    long events_ms;                      /* when they came */
    struct term_mouse press;             /* the last press that may become a double one */
    long press_ms;                       /* when that was; < 0: there is none */
    volatile sig_atomic_t away;          /* suspended */
    struct sigaction found[OUR_SIGNALS]; /* as they were */
    struct sigaction ours[OUR_SIGNALS];  /* while suspended: as ncurses had them */
    struct termios settings;             /* as they were */
    char restore[256];                   /* what to write in an emergency */
    size_t restore_len;
};

/* Prepares term_restore_emergency(), after ncurses has read what the terminal can do. */
void emergency_prepare(struct term *term);

/*
 * Takes one character of UTF-8 text, in a form that may be shown, and moves *text past it. Returns
 * its width in cells, or -1 at the end of text. If it is 0, the caller skips it; *out is not set.
 */
int clean_next(const char **text, bool utf8, wchar_t *out);

/* Rows and columns as the terminal says; false: it does not know. */
bool ask_size(int *rows, int *columns);

/* Adapts the screen to the terminal's size; says whether that changed. */
bool adapt_size(void);

/* Notes how signals are handled; handles the first count of them as noted. */
void signals_note(struct sigaction *actions);
void signals_put(const struct sigaction *actions, int count);

/*
 * Makes Ctrl-Z a wish that stop_take() returns once, unless SIGTSTP is ignored or has a handler.
 * Must be called before ncurses begins, which leaves the signal alone then: its own handler drops
 * each one that comes while a frame is written.
 */
void stop_catch(void);
bool stop_take(void);

/* Keeps a Ctrl-Z back, or lets it in; sets the mask of signals as it was. */
void stop_block(sigset_t *before);
void stop_unblock(sigset_t *before);

/* Gives the terminal back and stops the process as Ctrl-Z does; returns when it goes on. Returns
 * false if the terminal is gone. */
bool stop_now(struct term *term);

/* Finds the colours that there are to be, once ncurses has begun; sets the style of what is put. */
void palette_start(struct term *term);
void palette_set(const struct term *term, unsigned style);

/* Switches the mouse on or off as is wanted. */
void mouse_apply(const struct term *term);

/* After KEY_MOUSE: takes the events from ncurses. */
void mouse_collect(struct term *term);

/* Makes the first event that waits the last one; false: none does. */
bool mouse_take(struct term *term);

#endif
