/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen, by ncurses. */
#include "term_private.h"
#include "terminfo.h"

#include <curses.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
        snprintf(text, capacity, "the terminal is %dx%d: at least %dx%d is needed", columns, rows,
                 min_columns, min_rows);
        return TERM_ESIZE;
    }
    if (!terminfo_can_draw()) {
        const char *name = getenv("TERM");
        snprintf(text, capacity, "the terminal \"%s\" (TERM) is unknown or cannot move the cursor",
                 name ? name : "");
        return TERM_EUNKNOWN;
    }
    return TERM_OK;
}

/* A number in the environment while ncurses looks; what was there is to be put back. */
static char *swap_env(const char *name, int number)
{
    const char *before = getenv(name);
    char *kept = before ? strdup(before) : NULL;
    char text[16];

    snprintf(text, sizeof(text), "%d", number);
    setenv(name, text, 1);
    return kept;
}

static void put_env(const char *name, char *kept)
{
    if (kept)
        setenv(name, kept, 1);
    else
        unsetenv(name);
    free(kept);
}

/*
 * ncurses' output buffer is as large as the screen that it begins with, a byte for a cell, and
 * stays so. A frame with colours takes more, and the screen may grow: it begins with a large one.
 */
static SCREEN *begin_large(int rows, int columns)
{
    char *lines = swap_env("LINES", rows > 50 ? 2 * rows : 100);
    char *cols = swap_env("COLUMNS", columns > 200 ? 2 * columns : 400);

    use_env(TRUE);
    use_tioctl(FALSE);
    SCREEN *screen = newterm(NULL, stdout, stdin);
    put_env("LINES", lines);
    put_env("COLUMNS", cols);
    return screen;
}

static SCREEN *begin(void)
{
    int rows;
    int columns;
    bool known = ask_size(&rows, &columns);
    SCREEN *screen = known ? begin_large(rows, columns) : newterm(NULL, stdout, stdin);

    /* The size is the terminal's own, not that of LINES and COLUMNS in the environment. */
    use_env(FALSE);
    use_tioctl(TRUE);
    if (screen && known)
        resize_term(rows, columns);
    return screen;
}

/* What terminals send that are not quite what TERM says: without its meaning, a part of it would be
 * taken for other keys. */
static void know_more_keys(void)
{
    static const struct {
        const char *bytes;
        int key;
    } more[] = {
        {"\033[1~", KEY_HOME}, {"\033[7~", KEY_HOME}, {"\033[H", KEY_HOME},  {"\033OH", KEY_HOME},
        {"\033[4~", KEY_END},  {"\033[8~", KEY_END},  {"\033[F", KEY_END},   {"\033OF", KEY_END},
        {"\033[A", KEY_UP},    {"\033[B", KEY_DOWN},  {"\033[C", KEY_RIGHT}, {"\033[D", KEY_LEFT},
        {"\033OA", KEY_UP},    {"\033OB", KEY_DOWN},  {"\033OC", KEY_RIGHT}, {"\033OD", KEY_LEFT},
    };

    for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
        if (key_defined(more[i].bytes) == 0)
            (void)define_key(more[i].bytes, more[i].key);
}

static bool start(struct term *term)
{
    signals_note(term->found);
    stop_catch();
    term->screen = begin();
    signals_put(term->found, 2);
    if (!term->screen)
        return false;
    emergency_prepare(term);
    cbreak();
    noecho();
    nonl();
    /* Ctrl-Z and Ctrl-C do not drop what was typed before: ncurses would wait for the rest of a
     * key, and a terminal that is readable without anything to read is one that was closed. */
    intrflush(stdscr, FALSE);
    curs_set(0);
    /* Up to its first endwin() ncurses 6.4 writes at each movement of the cursor (_nc_mvcur()). */
    def_prog_mode();
    endwin();
    term_flush(term);
    palette_start(term);
    /* Keys that wait do not cut a frame short. */
    typeahead(-1);
    mouseinterval(0);
    /* Reading from a pad never shows a frame that is half drawn, as reading from stdscr would. */
    term->keys = newpad(1, 1);
    if (!term->keys)
        return false;
    keypad(term->keys, TRUE);
    know_more_keys();
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
        snprintf(text, capacity, "out of memory for a screen");
        free(t);
        return TERM_ENOMEM;
    }
    t->cursor_row = -1;
    t->press_ms = -1;
    t->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (!start(t)) {
        snprintf(text, capacity, "out of memory for a screen");
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
        if (!term->away)
            endwin();
        delscreen(term->screen);
    }
    if (!term->away) {
        signals_put(term->found, OUR_SIGNALS);
        tcsetattr(STDIN_FILENO, TCSANOW, &term->settings);
    }
    free(term);
}

void term_size(const struct term *term, int *rows, int *columns)
{
    (void)term;
    getmaxyx(stdscr, *rows, *columns);
}

bool term_begin_row(struct term *term, int row, uint64_t content)
{
    bool known = row >= 0 && row < ROWS_KNOWN;

    if (known && term->contents[row] == content)
        return false;
    if (known)
        term->contents[row] = content;
    if (move(row, 0) == OK)
        clrtoeol();
    return true;
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

/* A character of two cells that stands across the left edge of a cell goes away as a whole: half of
 * it would move all that follows. */
static void split(int row, int column)
{
    wchar_t text[CCHARW_MAX + 1] = {L'\0'};
    cchar_t cell;
    attr_t attributes;
    short pair;

    if (column < 1 || column >= getmaxx(stdscr) || mvin_wch(row, column - 1, &cell) != OK ||
        getcchar(&cell, text, &attributes, &pair, NULL) != OK || wcwidth(text[0]) < 2)
        return;
    setcchar(&cell, L" ", attributes, pair, NULL);
    mvadd_wch(row, column - 1, &cell);
    mvadd_wch(row, column, &cell);
}

/* Cells of the text, at most room: what does not fit whole is none of it. */
static int measure(const struct term *term, const char *text, int room)
{
    wchar_t one;
    int used = 0;

    for (;;) {
        int cells = clean_next(&text, term->utf8, &one);
        if (cells < 0 || used + cells > room)
            return used;
        used += cells;
    }
}

/* Characters go to ncurses in runs: one by one most of a frame's time would be spent in it. */
#define CELLS_AT_ONCE 64

/* A cell of a style, into which a character is to be put. */
static cchar_t blank_of(const struct term *term, enum term_style style)
{
    cchar_t blank;
    attr_t attributes;
    short pair;

    palette_set(term, style);
    attr_get(&attributes, &pair, NULL);
    setcchar(&blank, L" ", attributes, pair, NULL);
    return blank;
}

int term_put(struct term *term, int row, int column, int width, enum term_style style,
             const char *text)
{
    int used = measure(term, text, clip(row, column, width));
    cchar_t cells[CELLS_AT_ONCE];

    if (used == 0)
        return 0;
    split(row, column);
    split(row, column + used);
    cchar_t blank = blank_of(term, style);
    for (int at = 0; at < used;) {
        int begin = at, count = 0;
        while (at < used && count < CELLS_AT_ONCE) {
            cells[count] = blank;
            int width_here = clean_next(&text, term->utf8, &cells[count].chars[0]);
            count += width_here > 0;
            at += width_here;
        }
        mvadd_wchnstr(row, column + begin, cells, count);
    }
    return used;
}

void term_fill(struct term *term, int row, int column, int width, enum term_style style)
{
    int room = clip(row, column, width);

    if (room == 0)
        return;
    split(row, column);
    split(row, column + room);
    cchar_t blank = blank_of(term, style);
    mvhline_set(row, column, &blank, room);
}

/* The cursor appears behind the frame and goes away before it. */
static bool place_cursor(struct term *term)
{
    bool shown = clip(term->cursor_row, term->cursor_column, 1) > 0;

    if (shown)
        move(term->cursor_row, term->cursor_column);
    else if (term->cursor_shown)
        curs_set(0);
    return shown;
}

void term_flush(struct term *term)
{
    if (term->away)
        return;
    bool shown = place_cursor(term);
    wnoutrefresh(stdscr);
    doupdate();
    if (shown && !term->cursor_shown)
        curs_set(1);
    term->cursor_shown = shown;
}

void term_redraw(struct term *term)
{
    memset(term->contents, 0, sizeof(term->contents));
    clearok(curscr, TRUE);
}

void term_cursor(struct term *term, int row, int column)
{
    term->cursor_row = row;
    term->cursor_column = column;
}

bool term_is_utf8(const struct term *term)
{
    return term->utf8;
}
