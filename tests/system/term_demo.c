/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program for test_term.py: shows what it is told by the terminal, in all styles. */
#define _POSIX_C_SOURCE 200809L

#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <term/term.h>

/* Handlers can reach nothing else. */
static int wake_pipe[2];
static struct term *the_term;

static void on_signal(int number)
{
    unsigned char byte = (unsigned char)number;

    if (write(wake_pipe[1], &byte, 1) != 1)
        _exit(9);
}

static void on_crash(int number)
{
    term_restore_emergency(the_term);
    signal(number, SIG_DFL);
    raise(number);
}

static int set_signals(void)
{
    struct sigaction soft = {.sa_handler = on_signal};
    struct sigaction hard = {.sa_handler = on_crash};

    return pipe(wake_pipe) || sigaction(SIGINT, &soft, NULL) || sigaction(SIGTERM, &soft, NULL) ||
           sigaction(SIGUSR1, &soft, NULL) || sigaction(SIGSEGV, &hard, NULL) ||
           sigaction(SIGABRT, &hard, NULL) || signal(SIGHUP, SIG_IGN) == SIG_ERR;
}

/* What keys have changed. */
struct demo {
    char news[80];
    bool mouse, cursor;
    unsigned events; /* of the mouse */
    unsigned full;   /* cells are filled, in other styles each time; 0: they are not */
};

static void draw_styles(struct term *term)
{
    static const char *const names[TERM_STYLE_COUNT] = {
        [TERM_NORMAL] = "normal",   [TERM_DIM] = "dim",         [TERM_BOLD] = "bold",
        [TERM_TITLE] = "title",     [TERM_REVERSE] = "reverse", [TERM_GOOD] = "good",
        [TERM_WARN] = "warn",       [TERM_BAD] = "bad",         [TERM_BAR] = "bar",
        [TERM_HOT] = "hot",         [TERM_WARM] = "warm",       [TERM_SECTION] = "section",
        [TERM_MATCH] = "match",     [TERM_SOURCE] = "source",   [TERM_INLINE] = "inline",
        [TERM_KEY_NAME] = "keyname"};

    term_fill(term, 7, 0, -1, TERM_NORMAL | TERM_SELECTED);
    for (int i = 0; i < TERM_STYLE_COUNT; i++) {
        term_put(term, 4, 9 * i, 8, (enum term_style)i, names[i]);
        term_put(term, 7, 9 * i, 8, (enum term_style)i | TERM_SELECTED, names[i]);
    }
}

/* Characters that take two cells, and others over a half of them. */
static void draw_wide(struct term *term)
{
    term_put(term, 8, 0, -1, TERM_NORMAL, "\xe6\xbc\xa2\xe5\xad\x97|");
    term_put(term, 8, 1, 1, TERM_NORMAL, "x");
    term_put(term, 8, 10, -1, TERM_NORMAL, "\xe6\xbc\xa2|");
    term_put(term, 8, 10, 1, TERM_NORMAL, "y");
    term_put(term, 8, 20, -1, TERM_NORMAL, "\xe6\xbc\xa2|");
    term_put(term, 8, 21, -1, TERM_NORMAL, "\xe5\xad\x97|");
    term_put(term, 8, 30, 3, TERM_NORMAL, "\xe6\xbc\xa2\xe5\xad\x97");
}

static void draw_full(struct term *term, const struct demo *demo)
{
    int rows;
    int columns;

    term_size(term, &rows, &columns);
    for (int row = 1; demo->full && row < rows - 1; row++)
        for (int column = 0; column < columns; column++)
            term_put(term, row, column, 1,
                     (enum term_style)((unsigned)(row + column / 20) + demo->full) %
                         TERM_STYLE_COUNT,
                     demo->full % 2 ? "\xe2\x96\x88" : "\xe2\x96\x91");
}

static void draw(struct term *term, const struct demo *demo)
{
    static uint64_t drawn; /* so that no row has the content of the frame before */
    char text[80];
    int rows;
    int columns;

    term_size(term, &rows, &columns);
    for (int row = 0; row < rows; row++)
        (void)term_begin_row(term, row, ++drawn);
    term_fill(term, 0, 0, -1, TERM_REVERSE);
    snprintf(text, sizeof(text), "demo %d rows %d columns", rows, columns);
    term_put(term, 0, 0, -1, TERM_REVERSE, text);
    term_put(term, 1, 0, -1, TERM_NORMAL, demo->news);
    term_put(term, 2, 0, -1, TERM_NORMAL,
             "[\033[2J\a\xc2\x9b"
             "31m\xff\xc0\xaf\x7f\t\n\xe2\x80\xae]");
    term_put(term, 3, 0, -1, TERM_NORMAL, "[\xc3\xa4\xe2\x96\x88\xe6\xbc\xa2]");
    draw_styles(term);
    term_put(term, 5, columns - 3, -1, TERM_NORMAL, "clipped");
    term_put(term, 5, 0, 3, TERM_NORMAL, "clipped");
    term_put(term, 6, columns - 1, -1, TERM_NORMAL, "\xe6\xbc\xa2");
    draw_wide(term);
    draw_full(term, demo);
    term_put(term, rows, 0, -1, TERM_NORMAL, "below");
    term_put(term, -1, 0, -1, TERM_NORMAL, "above");
    term_put(term, rows - 1, columns - 6, -1, TERM_NORMAL, "corner");
    term_cursor(term, demo->cursor ? 1 : -1, 3);
    term_flush(term);
}

static bool is_default(int number)
{
    struct sigaction action;

    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_DFL;
}

/* What another program on the terminal would do: it writes, and reads a line. */
static bool go_away(struct term *term)
{
    char line[80];

    bool gone = !term_suspend(term);
    term_flush(term);
    printf("away %d %d\n", is_default(SIGTSTP), is_default(SIGWINCH));
    fflush(stdout);
    if (gone || !term_suspend(term) || read(STDIN_FILENO, line, sizeof(line)) < 1)
        return false;
    return term_resume(term) && term_resume(term);
}

static void tell_mouse(const struct term *term, struct demo *demo)
{
    struct term_mouse mouse = term_mouse(term);

    snprintf(demo->news, sizeof(demo->news), "mouse %d at %d %d, event %u", (int)mouse.what,
             mouse.row, mouse.column, ++demo->events);
}

/* false: it ends. */
static bool on_key(struct term *term, struct demo *demo, int key)
{
    switch (key) {
    case 'q':
    case TERM_KEY_GONE:
        return false;
    case TERM_KEY_NONE:
    case 'i':
        break;
    case 's':
        return go_away(term);
    case 'm':
        demo->mouse = !demo->mouse;
        term_mouse_enable(term, demo->mouse);
        break;
    case 'c':
        demo->cursor = !demo->cursor;
        break;
    case 'f':
        demo->full++;
        break;
    case 'w':
        term_redraw(term);
        break;
    case TERM_KEY_MOUSE:
        tell_mouse(term, demo);
        break;
    default:
        snprintf(demo->news, sizeof(demo->news), "key %x", (unsigned)key);
    }
    return true;
}

/* Returns 0, or the signal that ended it. */
static int run(struct term *term)
{
    struct demo demo = {.news = "begun"};

    for (;;) {
        unsigned char number;
        draw(term, &demo);
        int key = term_key(term, 60000, wake_pipe[0], -1);
        if (key == TERM_KEY_WAKE) {
            if (read(wake_pipe[0], &number, 1) != 1)
                return 1;
            if (number != SIGUSR1)
                return number;
            snprintf(demo.news, sizeof(demo.news), "woken");
        } else if (!on_key(term, &demo, key)) {
            return 0;
        }
    }
}

int main(int argc, char **argv)
{
    char text[200];

    setlocale(LC_ALL, "");
    if (argc != 3 || set_signals())
        return 2;
    enum term_code code = term_open(&the_term, atoi(argv[1]), atoi(argv[2]), text, sizeof(text));
    if (code != TERM_OK) {
        printf("refused %d: %s\n", (int)code, text);
        return 1;
    }
    int number = run(the_term);
    struct term *term = the_term;
    the_term = NULL;
    term_close(term);
    printf("ended by %d\n", number);
    return 0;
}
