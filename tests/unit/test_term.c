/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text on its way to a terminal, and terminals that are refused. */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "unit.h"

#include <term/colour.h>

#include "term_private.h"

/* text becomes wanted, which takes that many cells. */
static void becomes(const char *text, bool utf8, const wchar_t *wanted, int wanted_cells)
{
    wchar_t got[64];
    size_t count = 0;
    int cells = 0;
    int width;

    while ((width = clean_next(&text, utf8, &got[count])) >= 0) {
        cells += width;
        count += width > 0;
        assert_in_range(count, 0, 60);
    }
    got[count] = L'\0';
    if (wcscmp(got, wanted) != 0)
        fail_msg("became \"%ls\" and not \"%ls\"", got, wanted);
    assert_int_equal(cells, wanted_cells);
    assert_int_equal(*text, '\0');
}

static void passes_text(void **state)
{
    becomes("", true, L"", 0);
    becomes(" fir_filter~", true, L" fir_filter~", 12);
    becomes("\xc3\xa4\xe2\x96\x88\xf0\x9f\x98\x80", true, L"\xe4\x2588\x1f600", 4);
    becomes("\xe6\xbc\xa2", true, L"\x6f22", 2);
    becomes("\xc3\xa4.", false, L"?.", 2);
}

static void replaces_controls(void **state)
{
    becomes("\033[2J\a\t\r\n\x01\x7f", true, L"?[2J??????", 10);
    /* C1: the one-byte forms of escape sequences, as UTF-8. */
    becomes("\xc2\x9b"
            "1m\xc2\x80\xc2\x9f",
            true, L"?1m??", 5);
    becomes("\xc2\xa0", true, L"\xa0", 1);
    /* Right-to-left override, combining acute accent, zero width space. */
    becomes("a\xe2\x80\xae\xcc\x81\xe2\x80\x8b"
            "b",
            true, L"ab", 2);
}

/* Each byte, as text_cells() counts them. */
static void replaces_what_is_not_utf8(void **state)
{
    becomes("\xff\xfe.", true, L"??.", 3);
    becomes("\x80\xbf.", true, L"??.", 3);
    becomes("\xc0\xaf.", true, L"??.", 3);           /* a long form of '/' */
    becomes("\xe0\x80\xaf.", true, L"???.", 4);      /* and a longer one */
    becomes("\xed\xa0\x80.", true, L"???.", 4);      /* a surrogate */
    becomes("\xf4\x90\x80\x80.", true, L"????.", 5); /* behind the last character */
    /* Cut off at the end of the text: nothing behind it is read. */
    becomes("\xc3", true, L"?", 1);
    becomes("\xe2\x96", true, L"??", 2);
    becomes("\xf0\x9f\x98", true, L"???", 3);
    /* A tail that is none is a character of its own. */
    becomes("\xe2\x96.", true, L"??.", 3);
}

/* A pseudo terminal on standard input and output. */
struct pty {
    int master, saved[2];
};

static struct pty open_pty(int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    struct pty p = {.master = posix_openpt(O_RDWR | O_NOCTTY)};

    assert_true(p.master >= 0);
    assert_int_equal(grantpt(p.master), 0);
    assert_int_equal(unlockpt(p.master), 0);
    int slave = open(ptsname(p.master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
    for (int fd = 0; fd < 2; fd++) {
        p.saved[fd] = dup(fd);
        dup2(slave, fd);
    }
    close(slave);
    return p;
}

/* Returns whether anything was written to the terminal. */
static bool close_pty(const struct pty *p)
{
    struct pollfd out = {.fd = p->master, .events = POLLIN};
    bool written = poll(&out, 1, 0) > 0 && (out.revents & POLLIN);

    for (int fd = 0; fd < 2; fd++) {
        dup2(p->saved[fd], fd);
        close(p->saved[fd]);
    }
    close(p->master);
    return written;
}

static void refuses(int rows, int columns, const char *name, enum term_code wanted,
                    const char *word)
{
    struct term *term = NULL;
    struct termios before;
    struct termios after;
    char text[200] = "";

    setenv("TERM", name, 1);
    struct pty p = open_pty(rows, columns);
    int got_before = tcgetattr(0, &before);
    enum term_code code = term_open(&term, 10, 40, text, sizeof(text));
    int got_after = tcgetattr(0, &after);
    bool written = close_pty(&p);
    assert_int_equal(code, wanted);
    assert_null(term);
    assert_non_null(strstr(text, word));
    assert_false(written);
    assert_int_equal(got_before, 0);
    assert_int_equal(got_after, 0);
    assert_int_equal(before.c_lflag, after.c_lflag);
    assert_int_equal(before.c_iflag, after.c_iflag);
}

static void refuses_terminals(void **state)
{
    refuses(5, 20, "vt100", TERM_ESIZE, "20x5");
    refuses(9, 80, "vt100", TERM_ESIZE, "40x10");
    refuses(24, 39, "vt100", TERM_ESIZE, "39x24");
    refuses(24, 80, "dumb", TERM_EUNKNOWN, "dumb");
    refuses(24, 80, "no-such-terminal", TERM_EUNKNOWN, "no-such-terminal");
}

static bool is_default(int number)
{
    struct sigaction action;

    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_DFL;
}

/* What happened is kept until the standard streams are back, where a failure can be printed. */
static void gives_back(void **state)
{
    struct term *term = NULL;
    struct termios before;
    struct termios during;
    struct termios after;
    char text[200] = "";
    int used[5] = {0};
    int rows = 0;
    int columns = 0;
    bool defaults = true;

    /* A script starts what runs in its background with it ignored. */
    signal(SIGINT, SIG_DFL);
    setenv("TERM", "vt100", 1);
    struct pty p = open_pty(24, 80);
    int failed = tcgetattr(0, &before);
    enum term_code code = term_open(&term, 24, 80, text, sizeof(text));
    if (code == TERM_OK) {
        failed |= tcgetattr(0, &during);
        defaults = is_default(SIGINT) && is_default(SIGTERM);
        term_size(term, &rows, &columns);
        used[0] = term_put(term, 0, 78, -1, TERM_BOLD, "abc");
        used[1] = term_put(term, 0, 0, 2, TERM_BOLD, "abc");
        used[2] = term_put(term, 0, 79, -1, TERM_BOLD, "\xe6\xbc\xa2");
        used[3] = term_put(term, 24, 0, -1, TERM_BOLD, "abc");
        used[4] = term_put(term, 0, -1, -1, TERM_BOLD, "abc");
        term_flush(term);
        term_close(term);
    }
    failed |= tcgetattr(0, &after);
    close_pty(&p);
    assert_int_equal(code, TERM_OK);
    assert_int_equal(failed, 0);
    assert_true(defaults && is_default(SIGTSTP) && is_default(SIGWINCH));
    assert_int_equal(rows * 1000 + columns, 24080);
    assert_int_equal(used[0], 2);
    assert_int_equal(used[1], 2);
    assert_int_equal(used[2] + used[3] + used[4], 0);
    assert_true((during.c_lflag & ISIG) && !(during.c_lflag & (ICANON | ECHO)));
    assert_int_equal(before.c_lflag, after.c_lflag);
    assert_int_equal(before.c_iflag, after.c_iflag);
    assert_int_equal(before.c_oflag, after.c_oflag);
}

/* Away the terminal is as it was found; closing it there writes nothing more. */
static void is_suspended(void **state)
{
    struct term *term = NULL;
    struct termios before;
    struct termios away;
    struct termios back;
    char text[200] = "";
    bool done = false;
    bool defaults = false;
    bool handled = false;
    bool utf8 = false;
    int failed = 0;

    setenv("TERM", "vt100", 1);
    struct pty p = open_pty(24, 80);
    failed |= tcgetattr(0, &before);
    enum term_code code = term_open(&term, 24, 80, text, sizeof(text));
    if (code == TERM_OK) {
        utf8 = term_is_utf8(term);
        term_mouse_enable(term, true);
        done = term_suspend(term) && term_suspend(term);
        failed |= tcgetattr(0, &away);
        defaults = is_default(SIGTSTP) && is_default(SIGWINCH);
        done = done && term_resume(term) && term_resume(term);
        failed |= tcgetattr(0, &back);
        handled = !is_default(SIGTSTP);
        done = done && term_suspend(term);
        tcflush(p.master, TCIFLUSH);
        term_restore_emergency(term);
        term_close(term);
    }
    bool written = close_pty(&p);
    assert_int_equal(code, TERM_OK);
    assert_int_equal(failed, 0);
    assert_true(done && utf8 && defaults && handled);
    assert_false(written);
    assert_int_equal(before.c_lflag, away.c_lflag);
    assert_int_equal(before.c_iflag, away.c_iflag);
    assert_int_not_equal(before.c_lflag, back.c_lflag);
}

static void colours_have_texts(void **state)
{
    assert_string_equal(term_colour(TERM_NORMAL), "\033[0m");
    assert_string_equal(term_colour(TERM_HOT), term_colour(TERM_BAD));
    for (int i = TERM_HOT; i < TERM_STYLE_COUNT; i++)
        assert_string_not_equal(term_colour((enum term_style)i), "");
}

static void closes_nothing(void **state)
{
    term_close(NULL);
    term_restore_emergency(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_text),
        cmocka_unit_test(replaces_controls),
        cmocka_unit_test(replaces_what_is_not_utf8),
        cmocka_unit_test(refuses_terminals),
        cmocka_unit_test(gives_back),
        cmocka_unit_test(is_suspended),
        cmocka_unit_test(colours_have_texts),
        cmocka_unit_test(closes_nothing),
    };

    if (!setlocale(LC_ALL, "C.UTF-8"))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
