/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen, by ncurses. */
#include <term/colour.h>

#include "term_private.h"
#include "terminfo.h"

#include <curses.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int our_signals[OUR_SIGNALS] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};

static void save_signals(struct term *term)
{
    for (int i = 0; i < OUR_SIGNALS; i++)
        sigaction(our_signals[i], NULL, &term->signals[i]);
}

static void restore_signals(const struct term *term, int count)
{
    for (int i = 0; i < count; i++)
        sigaction(our_signals[i], &term->signals[i], NULL);
}

/* Pairs of colours have the numbers of their styles. */
static void start_colours(struct term *term)
{
    if (!term_wants_colour() || !has_colors() || start_color() != OK)
        return;
    short ground = use_default_colors() == OK ? -1 : COLOR_BLACK;
    init_pair(TERM_TITLE, COLOR_CYAN, ground);
    init_pair(TERM_GOOD, COLOR_GREEN, ground);
    init_pair(TERM_WARN, COLOR_YELLOW, ground);
    init_pair(TERM_BAD, COLOR_RED, ground);
    init_pair(TERM_BAR, COLOR_BLUE, ground);
    term->colours = true;
}

static void set_style(const struct term *term, unsigned style)
{
    static const struct {
        attr_t attributes;
        bool coloured;
    } styles[TERM_STYLE_COUNT] = {
        [TERM_NORMAL] = {.attributes = A_NORMAL},
        [TERM_DIM] = {.attributes = A_DIM},
        [TERM_BOLD] = {.attributes = A_BOLD},
        [TERM_TITLE] = {.attributes = A_BOLD, .coloured = true},
        [TERM_REVERSE] = {.attributes = A_REVERSE},
        [TERM_GOOD] = {.attributes = A_NORMAL, .coloured = true},
        [TERM_WARN] = {.attributes = A_BOLD, .coloured = true},
        [TERM_BAD] = {.attributes = A_BOLD, .coloured = true},
        [TERM_BAR] = {.attributes = A_NORMAL, .coloured = true},
    };
    attr_t selected = style & TERM_SELECTED ? A_REVERSE : A_NORMAL;

    style &= ~TERM_SELECTED;
    attr_set(styles[style].attributes | selected,
             (short)(term->colours && styles[style].coloured ? (int)style : 0), NULL);
}

static enum term_code check(int min_rows, int min_columns, char *text, size_t capacity)
{
    int rows;
    int columns;

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        snprintf(text, capacity, "standard %s is not a terminal",
                 isatty(STDIN_FILENO) ? "output" : "input");
        return TERM_ENOTTY;
    }
    if (ask_size(&rows, &columns) && (rows < min_rows || columns < min_columns)) {
        snprintf(text, capacity, "the terminal is %dx%d, at least %dx%d are needed", columns, rows,
                 min_columns, min_rows);
        return TERM_ESIZE;
    }
    if (!terminfo_can_draw()) {
        const char *name = getenv("TERM");
        snprintf(text, capacity, "the terminal \"%s\" (TERM) is not known or cannot place a cursor",
                 name ? name : "");
        return TERM_EUNKNOWN;
    }
    return TERM_OK;
}

static bool start(struct term *term)
{
    /* The size is the terminal's own, not that of LINES and COLUMNS in the environment. */
    use_env(FALSE);
    use_tioctl(TRUE);
    save_signals(term);
    term->screen = newterm(NULL, stdout, stdin);
    restore_signals(term, 2);
    if (!term->screen)
        return false;
    emergency_prepare(term);
    cbreak();
    noecho();
    nonl();
    curs_set(0);
    start_colours(term);
    /* Reading from a pad never shows a frame that is half drawn, as reading from stdscr would. */
    term->keys = newpad(1, 1);
    if (!term->keys)
        return false;
    keypad(term->keys, TRUE);
    nodelay(term->keys, TRUE);
    set_escdelay(25);
    return true;
}

enum term_code term_open(struct term **term, int min_rows, int min_columns, char *text,
                         size_t capacity)
{
    enum term_code code = check(min_rows, min_columns, text, capacity);
    struct term *t;

    if (code != TERM_OK)
        return code;
    t = calloc(1, sizeof(*t));
    if (!t || tcgetattr(STDIN_FILENO, &t->settings) != 0) {
        snprintf(text, capacity, "no memory for a screen");
        free(t);
        return TERM_ENOMEM;
    }
    t->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (!start(t)) {
        snprintf(text, capacity, "no memory for a screen");
        term_close(t);
        return TERM_ENOMEM;
    }
    *term = t;
    return TERM_OK;
}

void term_close(struct term *term)
{
    if (!term)
        return;
    if (term->screen) {
        if (term->keys)
            delwin(term->keys);
        endwin();
        delscreen(term->screen);
    }
    restore_signals(term, OUR_SIGNALS);
    tcsetattr(STDIN_FILENO, TCSANOW, &term->settings);
    free(term);
}

void term_size(const struct term *term, int *rows, int *columns)
{
    (void)term;
    getmaxyx(stdscr, *rows, *columns);
}

void term_clear(struct term *term)
{
    set_style(term, TERM_NORMAL);
    erase();
}

/* How many of width cells are on the screen; a column left of it takes none. */
static int clip(int row, int column, int width)
{
    int rows = getmaxy(stdscr);
    int columns = getmaxx(stdscr);

    if (row < 0 || row >= rows || column < 0 || column >= columns)
        return 0;
    return width < 0 || width > columns - column ? columns - column : width;
}

int term_put(struct term *term, int row, int column, int width, enum term_style style,
             const char *text)
{
    int room = clip(row, column, width);
    int used = 0;
    wchar_t one[2] = {L'\0', L'\0'};

    set_style(term, style);
    for (;;) {
        int cells = clean_next(&text, term->utf8, one);
        if (cells < 0 || used + cells > room)
            return used;
        if (cells > 0)
            mvaddnwstr(row, column + used, one, 1);
        used += cells;
    }
}

void term_fill(struct term *term, int row, int column, int width, enum term_style style)
{
    int room = clip(row, column, width);

    set_style(term, style);
    for (int i = 0; i < room; i++)
        mvaddnwstr(row, column + i, L" ", 1);
}

void term_flush(struct term *term)
{
    (void)term;
    wnoutrefresh(stdscr);
    doupdate();
}

void term_redraw(struct term *term)
{
    (void)term;
    clearok(curscr, TRUE);
}
