/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells on a terminal and keys from it. */
#ifndef TERM_TERM_H
#define TERM_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct term;

enum term_code {
    TERM_OK = 0,
    TERM_ENOTTY,   /* standard input or output is no terminal */
    TERM_ESIZE,    /* it is smaller than asked for */
    TERM_EUNKNOWN, /* TERM names a terminal that nothing is known of, or that cannot do it */
    TERM_ENOMEM,
};

/*
 * Colours appear where the terminal has them and NO_COLOR is unset or empty: of 256 those that are
 * as readable on a dark ground as on a light one, else the 8 that all terminals with colours share.
 * Without colours headings are underlined, hot rows bold, and what matches is in reverse video.
 */
enum term_style {
    TERM_NORMAL,
    TERM_DIM,
    TERM_BOLD,
    TERM_TITLE, /* headings of columns */
    TERM_REVERSE,
    TERM_GOOD,
    TERM_WARN,
    TERM_BAD,
    TERM_BAR,
    TERM_HOT,
    TERM_WARM,
    TERM_SECTION,  /* the title of a group of lines */
    TERM_MATCH,    /* what was searched for */
    TERM_SOURCE,   /* lines of a source file */
    TERM_INLINE,   /* frames that were inlined */
    TERM_KEY_NAME, /* what is to be typed */
    TERM_STYLE_COUNT,
};

/* Or-ed to a style: it stands on the cursor's line, whose ground is another one (of 256 colours),
 * or which is in reverse video; the style is still told apart. */
#define TERM_SELECTED 0x100u

/*
 * What term_key() returns: one of these, or a character's Unicode number (27: Escape, 10: Enter).
 * Alt and a key are two: Escape, then the key; a lone Escape is told 25 ms after it was typed.
 */
enum term_key {
    TERM_KEY_NONE = 0,        /* the time is over, or a signal came */
    TERM_KEY_WAKE = 0x110000, /* the other file descriptor is readable; nothing was read from it */
    TERM_KEY_RESIZE,          /* the size changed: ask for it and draw again */
    TERM_KEY_GONE,            /* the terminal hung up; it will not come back */
    TERM_KEY_UP,
    TERM_KEY_DOWN,
    TERM_KEY_LEFT,
    TERM_KEY_RIGHT,
    TERM_KEY_HOME,
    TERM_KEY_END,
    TERM_KEY_PAGE_UP,
    TERM_KEY_PAGE_DOWN,
    TERM_KEY_BACKSPACE,
    TERM_KEY_DELETE,
    TERM_KEY_F1,
    TERM_KEY_F2,
    TERM_KEY_F3,
    TERM_KEY_F4,
    TERM_KEY_F5,
    TERM_KEY_F6,
    TERM_KEY_F7,
    TERM_KEY_F8,
    TERM_KEY_F9,
    TERM_KEY_F10,
    TERM_KEY_F11,
    TERM_KEY_F12,
    TERM_KEY_BACKTAB, /* Shift-Tab */
    TERM_KEY_INSERT,
    TERM_KEY_MOUSE, /* term_mouse() says what */
    TERM_KEY_OTHER, /* a key that has no name here */
};

enum term_mouse_what {
    TERM_MOUSE_PRESS,  /* of the first button */
    TERM_MOUSE_DOUBLE, /* the second press on one cell within 400 ms; the first was told as such */
    TERM_MOUSE_WHEEL_UP,
    TERM_MOUSE_WHEEL_DOWN,
};

struct term_mouse {
    enum term_mouse_what what;
    int row, column; /* of the cell, from 0, 0 */
};

/*
 * Takes over the terminal on standard input and output. Both must be one, with at least that many
 * rows and columns (0: any). The program has called setlocale(LC_ALL, "") before. On success *term
 * is the caller's, to be given back by term_close(). Otherwise it is untouched, nothing was written
 * to the terminal, and text (at most capacity bytes) says why in one line.
 *
 * Signals are the caller's: Ctrl-C arrives as SIGINT, and SIGINT and SIGTERM have the handlers that
 * they had. SIGTSTP and SIGWINCH are handled until term_close() where they were at their defaults.
 * One at a time.
 */
enum term_code term_open(struct term **term, int min_rows, int min_columns, char *text,
                         size_t capacity) __attribute__((warn_unused_result));

/* Leaves the terminal as it was found and frees term; NULL does nothing. */
void term_close(struct term *term);

/*
 * For the handler of SIGSEGV, SIGABRT and their like: restores screen, cursor, mouse and line
 * settings with nothing but write() and tcsetattr(), from texts that term_open() prepared. Frees
 * nothing; term is not to be used afterwards. The handler finds term where its program keeps it;
 * NULL does nothing, nor does a term that is suspended.
 */
void term_restore_emergency(const struct term *term);

/* The size in cells as it is now, at least 1 by 1; it changes with TERM_KEY_RESIZE only. */
void term_size(const struct term *term, int *rows, int *columns);

/*
 * Begins a row of a frame that is much like the one before. content is a number for all that is to
 * stand in it, not 0. true: the row is blank now and is to be drawn; false: it has that already, of
 * the frame before, and nothing is to be put into it. After term_redraw() and a
 * change of size all rows are drawn again.
 */
bool term_begin_row(struct term *term, int row, uint64_t content);

/*
 * Puts UTF-8 text at a cell (from 0, 0), at most width cells of it (< 0: up to the right edge), and
 * returns how many were used. What lies outside of the screen is left out. Control characters,
 * bytes that are not UTF-8 and what the locale cannot show become '?'; characters without a width
 * of their own (accents to be combined, changes of direction) are left out.
 */
int term_put(struct term *term, int row, int column, int width, enum term_style style,
             const char *text);

/* As term_put() for width blanks: the ground of a title, a cursor's line. */
void term_fill(struct term *term, int row, int column, int width, enum term_style style);

/*
 * Shows the frame: only cells that changed are written, by one write(), and nothing where none did.
 * A cursor that appears or goes away, and a frame of more than some 40,000 bytes, take more.
 */
void term_flush(struct term *term);

/* Writes all cells at the next flush, whatever the screen is believed to show (Ctrl-L). */
void term_redraw(struct term *term);

/* The cursor is shown there after the next flush and those that follow; row < 0 or a cell outside
 * of the screen: hidden, as it is at first. */
void term_cursor(struct term *term, int row, int column);

/* Whether the locale's characters are UTF-8; if not, all but ASCII is shown as '?'. */
bool term_is_utf8(const struct term *term);

/*
 * Gives the terminal to another program: line settings, screen, cursor, mouse and the handling of
 * signals are as they were found, until term_resume() or term_close(). Meanwhile term_key() is not
 * to be called, and a flush shows nothing. Ctrl-C reaches this program, too, if it waits in the
 * foreground: it ignores SIGINT and SIGQUIT as system() does. false: the terminal is gone.
 */
bool term_suspend(struct term *term);

/*
 * Takes the terminal back and shows all cells of the last frame again. Where the size changed, the
 * next term_key() says so. false: the terminal is gone, and it stays suspended.
 */
bool term_resume(struct term *term);

/*
 * From now on term_key() tells of the mouse, or no longer; off at first. A terminal without one
 * does nothing. While it is on, text is marked with Shift held down. Of clicks that came while
 * nobody waited for keys four are told.
 */
void term_mouse_enable(struct term *term, bool enable);

/* What the last TERM_KEY_MOUSE was. */
struct term_mouse term_mouse(const struct term *term);

/*
 * Waits for a key, for at most timeout_ms (< 0: for ever), or until wake_fd is readable (< 0: there
 * is none). A caller that handles SIGWINCH itself has its handler write to the pipe behind wake_fd;
 * the change of size is then returned first.
 */
int term_key(struct term *term, int timeout_ms, int wake_fd);

#endif
