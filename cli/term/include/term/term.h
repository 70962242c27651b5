/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A terminal: writes cells, reads keys and the mouse. */
#ifndef TERM_TERM_H
#define TERM_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The terminal of the process. There is one at a time. */
struct term;

/* Why a terminal cannot be used. */
enum term_code {
    TERM_OK = 0,
    TERM_ENOTTY,   /* standard input or output is not a terminal */
    TERM_ESIZE,    /* it is too small */
    TERM_EUNKNOWN, /* the terminal that TERM names is not known, or lacks what is needed */
    TERM_ENOMEM,
};

/*
 * Styles of text. Colours are used if the terminal has them and NO_COLOR is unset or empty: of 256
 * colours those that are readable on a dark and on a light background, else 8 colours. Without
 * colours, headings are underlined, hot rows are bold, and matches are in reverse video.
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
    TERM_SECTION,     /* title of a group of lines */
    TERM_MATCH,       /* what was searched */
    TERM_SOURCE,      /* source lines */
    TERM_INLINE,      /* inlined functions */
    TERM_KEY_NAME,    /* name of a key */
    TERM_STYLE_COUNT, /* their number */
};

/* Or-ed to a style: the text is in the line of the cursor, which has another background (with 256
 * colours) or is in reverse video. */
#define TERM_SELECTED 0x100u

/*
 * Results of term_key(): one of these, or the Unicode number of a character (27: Escape, 10:
 * Enter). Alt with a key is Escape and then the key. A single Escape is returned 25 ms after it was
 * typed.
 */
enum term_key {
    TERM_KEY_NONE = 0,        /* the time is over, or a signal came */
    TERM_KEY_WAKE = 0x110000, /* wake_fd is readable; nothing was read from it */
    TERM_KEY_DONE,            /* done_fd is readable; nothing was read from it */
    TERM_KEY_RESIZE,          /* the size has changed: call term_size() and draw again */
    TERM_KEY_GONE,            /* the terminal has hung up, and does not come back */
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
    TERM_KEY_MOUSE, /* see term_mouse() */
    TERM_KEY_OTHER, /* a key without a name here */
};

/* What the mouse did. */
enum term_mouse_what {
    TERM_MOUSE_PRESS,  /* of the first button */
    TERM_MOUSE_DOUBLE, /* a second press on the same cell within 400 ms, after a PRESS */
    TERM_MOUSE_WHEEL_UP,
    TERM_MOUSE_WHEEL_DOWN,
};

/* An event of the mouse. */
struct term_mouse {
    enum term_mouse_what what;
    int row, column; /* of the cell, from 0 on */
};

/*
 * Opens the terminal on standard input and output, which must have at least min_rows and
 * min_columns (0: any). The program must have called setlocale(LC_ALL, ""). On success *term
 * belongs to the caller, who calls term_close(). On failure *term is unchanged, nothing was written
 * to the terminal, and one line is written to text.
 *
 * The caller handles signals: Ctrl-C is SIGINT, and handlers of SIGINT and SIGTERM are not changed.
 * SIGTSTP and SIGWINCH are handled until term_close() if they had their default actions. term_key()
 * then does what Ctrl-Z asks for: at once, or, if the caller has blocked SIGTSTP, when it is not
 * blocked any more.
 */
enum term_code term_open(struct term **term, int min_rows, int min_columns, char *text,
                         size_t capacity) __attribute__((warn_unused_result));

/* Restores the terminal as it was found, and frees term. NULL is allowed and does nothing. */
void term_close(struct term *term);

/*
 * Restores screen, cursor, mouse and line settings in a handler of SIGSEGV, SIGABRT and similar
 * signals: it calls only write() and tcsetattr(). Frees nothing; term must not be used afterwards.
 * Does nothing if term is NULL or suspended.
 */
void term_restore_emergency(const struct term *term);

/* Sets the size in cells, at least 1 by 1. It changes only with TERM_KEY_RESIZE. */
void term_size(const struct term *term, int *rows, int *columns);

/*
 * Starts a row of a new frame. content is a hash of all that the row will show, not 0. Returns true
 * if the row must be drawn; it is blank then. Returns false if it shows the same as in the frame
 * before: do not draw it. After term_redraw() and a change of the size all rows must be drawn.
 */
bool term_begin_row(struct term *term, int row, uint64_t content);

/*
 * Writes UTF-8 text from a cell on, at most width cells (< 0: up to the right edge), and returns
 * the number of cells used. Text outside of the screen is left out. Control characters, bytes that
 * are not UTF-8, and characters that the locale cannot show become '?'. Characters without a width,
 * such as combining marks, are left out.
 */
int term_put(struct term *term, int row, int column, int width, enum term_style style,
             const char *text);

/* Writes width blanks like term_put(), for a background. */
void term_fill(struct term *term, int row, int column, int width, enum term_style style);

/*
 * Shows the frame. Writes only cells that have changed, with one write(), or nothing if none has. A
 * cursor that appears or disappears, and a frame of more than about 40,000 bytes, need several.
 */
void term_flush(struct term *term);

/* Makes the next flush write all cells (Ctrl-L). */
void term_redraw(struct term *term);

/* Shows the cursor at a cell from the next flush on. If row < 0 or the cell is outside of the
 * screen, hides it, as it is after term_open(). */
void term_cursor(struct term *term, int row, int column);

/* Whether the locale is UTF-8. If not, all characters except for ASCII are shown as '?'. */
bool term_is_utf8(const struct term *term);

/*
 * Restores the terminal as it was found, for another program, until term_resume() or term_close().
 * Do not call term_key() meanwhile; a flush shows nothing. If this program waits in the foreground,
 * it gets Ctrl-C too: ignore SIGINT and SIGQUIT, as system() does. Returns false if the terminal is
 * gone.
 */
bool term_suspend(struct term *term);

/* Takes the terminal back and shows the last frame. If the size has changed, the next term_key()
 * returns that. Returns false if the terminal is gone; it then stays suspended. */
bool term_resume(struct term *term);

/*
 * Makes term_key() report the mouse, or not, which is the default. Does nothing if the terminal has
 * no mouse. While it is on, users select text with Shift. Of clicks between two calls of term_key()
 * at most four are reported.
 */
void term_mouse_enable(struct term *term, bool enable);

/* Returns the event of the last TERM_KEY_MOUSE. */
struct term_mouse term_mouse(const struct term *term);

/*
 * Waits for a key for at most timeout_ms (< 0: without a limit), or until wake_fd or done_fd is
 * readable (< 0: none); keys and wake_fd come first. A caller that handles SIGWINCH itself should
 * write to the pipe of wake_fd in its handler: the change of the size is then returned first.
 */
int term_key(struct term *term, int timeout_ms, int wake_fd, int done_fd);

#endif
