/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program for test_term.py: shows what it is told by the terminal, in all styles. */
#define _POSIX_C_SOURCE 200809L

#include <locale.h>
#include <signal.h>
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

static void draw(struct term *term, const char *news)
{
    static const char *const names[TERM_STYLE_COUNT] = {
        [TERM_NORMAL] = "normal", [TERM_DIM] = "dim",         [TERM_BOLD] = "bold",
        [TERM_TITLE] = "title",   [TERM_REVERSE] = "reverse", [TERM_GOOD] = "good",
        [TERM_WARN] = "warn",     [TERM_BAD] = "bad",         [TERM_BAR] = "bar",
    };
    char text[80];
    int rows;
    int columns;

    term_clear(term);
    term_size(term, &rows, &columns);
    term_fill(term, 0, 0, -1, TERM_REVERSE);
    snprintf(text, sizeof(text), "demo %d rows %d columns", rows, columns);
    term_put(term, 0, 0, -1, TERM_REVERSE, text);
    term_put(term, 1, 0, -1, TERM_NORMAL, news);
    term_put(term, 2, 0, -1, TERM_NORMAL,
             "[\033[2J\a\xc2\x9b"
             "31m\xff\xc0\xaf\x7f\t\n\xe2\x80\xae]");
    term_put(term, 3, 0, -1, TERM_NORMAL, "[\xc3\xa4\xe2\x96\x88\xe6\xbc\xa2]");
    for (int i = 0; i < TERM_STYLE_COUNT; i++)
        term_put(term, 4, 9 * i, 8, (enum term_style)i, names[i]);
    term_put(term, 5, columns - 3, -1, TERM_NORMAL, "clipped");
    term_put(term, 5, 0, 3, TERM_NORMAL, "clipped");
    term_put(term, 6, columns - 1, -1, TERM_NORMAL, "\xe6\xbc\xa2");
    term_put(term, rows, 0, -1, TERM_NORMAL, "below");
    term_put(term, -1, 0, -1, TERM_NORMAL, "above");
    term_put(term, rows - 1, columns - 6, -1, TERM_NORMAL, "corner");
    term_flush(term);
}

/* Returns 0, or the signal that ended it. */
static int run(struct term *term)
{
    char news[80] = "begun";

    for (;;) {
        unsigned char number;
        draw(term, news);
        int key = term_key(term, 60000, wake_pipe[0]);
        switch (key) {
        case 'q':
        case TERM_KEY_GONE:
            return 0;
        case TERM_KEY_WAKE:
            if (read(wake_pipe[0], &number, 1) != 1)
                return 1;
            if (number != SIGUSR1)
                return number;
            snprintf(news, sizeof(news), "woken");
            break;
        case TERM_KEY_NONE:
            break;
        default:
            snprintf(news, sizeof(news), "key %x", (unsigned)key);
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
