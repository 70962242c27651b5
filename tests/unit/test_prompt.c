/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line editing by keys: text, cursor, history, completion; and that readline leaves the terminal
 * and the signals alone. */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include "unit.h"

#include <readline/readline.h>
#include <term/term.h>

#include "shell_inner.h"
#include <shell/prompt.h>

#define CONTROL(c) ((c)&0x1f)

void shell_use_readline(void)
{
    static char breaks[] = " ;";

    rl_readline_name = "mprof-test";
    rl_change_environment = 0;
    rl_completer_word_break_characters = breaks;
}

static enum prompt_state type(struct prompt *p, const char *text)
{
    enum prompt_state state = PROMPT_OPEN;

    for (; *text; text++)
        state = prompt_key(p, *text);
    return state;
}

static void is(const struct prompt *p, const char *text, size_t cursor)
{
    assert_string_equal(prompt_text(p), text);
    assert_int_equal(prompt_cursor(p), cursor);
}

static void test_editing(void **state)
{
    struct prompt *p = prompt_open(":", NULL, NULL, "editing");

    assert_string_equal(prompt_label(p), ":");
    is(p, "", 0);
    type(p, "report");
    is(p, "report", 6);
    prompt_key(p, TERM_KEY_HOME);
    is(p, "report", 0);
    prompt_key(p, TERM_KEY_RIGHT);
    prompt_key(p, TERM_KEY_DELETE);
    is(p, "rport", 1);
    prompt_key(p, TERM_KEY_BACKSPACE);
    is(p, "port", 0);
    prompt_key(p, TERM_KEY_BACKSPACE);
    is(p, "port", 0);
    prompt_key(p, TERM_KEY_END);
    prompt_key(p, TERM_KEY_DELETE); /* Ctrl-D is the end of input, this is not */
    is(p, "port", 4);
    prompt_key(p, TERM_KEY_LEFT);
    prompt_key(p, CONTROL('U'));
    is(p, "t", 0);
    prompt_key(p, CONTROL('Y'));
    is(p, "port", 3);
    prompt_key(p, CONTROL('A'));
    prompt_key(p, CONTROL('K'));
    is(p, "", 0);
    type(p, "a b");
    prompt_key(p, CONTROL('W'));
    prompt_key(p, 0x7f);
    is(p, "a", 1);
    prompt_key(p, CONTROL('A'));
    prompt_key(p, CONTROL('D'));
    is(p, "", 0);
    prompt_close(p);
}

static void test_wide_characters(void **state)
{
    struct prompt *p = prompt_open("/", "x", NULL, "wide");

    is(p, "x", 1);
    prompt_key(p, 0xe9);
    is(p, "x\xc3\xa9", 2);
    prompt_key(p, 0x4e2d);
    is(p, "x\xc3\xa9\xe4\xb8\xad", 4);
    prompt_key(p, 0x1f600);
    is(p, "x\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80", 6);
    prompt_key(p, TERM_KEY_LEFT);
    prompt_key(p, TERM_KEY_LEFT);
    is(p, "x\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80", 2);
    prompt_key(p, TERM_KEY_BACKSPACE);
    is(p, "x\xe4\xb8\xad\xf0\x9f\x98\x80", 1);
    prompt_key(p, TERM_KEY_DELETE);
    is(p, "x\xf0\x9f\x98\x80", 1);
    prompt_close(p);
}

static void test_ends(void **state)
{
    static const int cancelling[] = {0x1b, CONTROL('G'), CONTROL('C')};
    struct prompt *p;

    for (size_t i = 0; i < COUNT(cancelling); i++) {
        p = prompt_open(":", "abc", NULL, "ends");
        assert_int_equal(prompt_key(p, cancelling[i]), PROMPT_CANCELLED);
        assert_int_equal(prompt_key(p, 'x'), PROMPT_CANCELLED);
        prompt_close(p);
    }
    p = prompt_open(":", NULL, NULL, "ends");
    assert_int_equal(prompt_key(p, CONTROL('D')), PROMPT_CANCELLED);
    prompt_close(p);
    p = prompt_open(":", "abc", NULL, "ends");
    assert_int_equal(prompt_key(p, 10), PROMPT_DONE);
    is(p, "abc", 3);
    assert_int_equal(prompt_key(p, 'x'), PROMPT_DONE);
    is(p, "abc", 3);
    assert_null(prompt_open(":", NULL, NULL, "ends")); /* one at a time */
    prompt_close(p);
    prompt_close(NULL);
}

static void enter(const char *line, const char *history)
{
    struct prompt *p = prompt_open(":", NULL, NULL, history);

    type(p, line);
    assert_int_equal(prompt_key(p, 13), PROMPT_DONE);
    assert_string_equal(prompt_text(p), line);
    prompt_close(p);
}

static void test_history(void **state)
{
    enter("one", "first");
    enter("two", "first");
    enter("two", "first");
    enter("  ", "first");
    enter("other", "second");
    struct prompt *p = prompt_open(":", NULL, NULL, "first");
    type(p, "new");
    prompt_key(p, TERM_KEY_UP);
    is(p, "two", 3);
    prompt_key(p, TERM_KEY_UP);
    is(p, "one", 3);
    prompt_key(p, TERM_KEY_UP);
    is(p, "one", 3);
    prompt_key(p, TERM_KEY_DOWN);
    prompt_key(p, TERM_KEY_DOWN);
    is(p, "new", 3);
    prompt_close(p);
    p = prompt_open(":", NULL, NULL, "second");
    prompt_key(p, TERM_KEY_UP);
    is(p, "other", 5);
    prompt_close(p);
}

/* A line that was changed and left must not be what the next prompt begins with, or finds. */
static void test_closed_in_the_middle(void **state)
{
    enter("kept", "middle");
    struct prompt *p = prompt_open(":", NULL, NULL, "middle");
    prompt_key(p, TERM_KEY_UP);
    type(p, " changed");
    prompt_close(p);
    p = prompt_open(":", NULL, NULL, "middle");
    is(p, "", 0);
    type(p, "x");
    prompt_close(p);
    p = prompt_open(":", NULL, NULL, "middle");
    is(p, "", 0);
    type(p, "y");
    is(p, "y", 1);
    prompt_key(p, TERM_KEY_UP);
    is(p, "kept", 4);
    prompt_close(p);
}

static char *next_word(const char *text, int state)
{
    static const char *const words[] = {"report", "reset", "top", NULL};
    static size_t at;

    for (at = state ? at : 0; words[at]; at++) {
        if (strncmp(words[at], text, strlen(text)) == 0)
            return strdup(words[at++]);
    }
    return NULL;
}

static char **complete(const char *text, int start, int end)
{
    rl_attempted_completion_over = 1;
    return rl_completion_matches(text, next_word);
}

static void test_completion(void **state)
{
    struct prompt *p = prompt_open(":", NULL, complete, "completion");
    size_t count;

    type(p, "t\t");
    is(p, "top ", 4);
    (void)prompt_matches(p, &count);
    assert_int_equal(count, 0);
    type(p, "r\t");
    const char *const *matches = prompt_matches(p, &count);
    is(p, "top re", 6);
    if (count == 0) { /* at the second one, where the person's settings say so */
        prompt_key(p, '\t');
        matches = prompt_matches(p, &count);
    }
    assert_int_equal(count, 2);
    assert_string_equal(matches[0], "report");
    assert_string_equal(matches[1], "reset");
    type(p, "p");
    (void)prompt_matches(p, &count);
    assert_int_equal(count, 0);
    prompt_close(p);
    p = prompt_open("/", NULL, NULL, "completion");
    type(p, "te\t");
    is(p, "te", 2);
    prompt_close(p);
}

static uint32_t seed = 11;

static uint32_t draw(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static int draw_key(void)
{
    static const int special[] = {TERM_KEY_UP,        TERM_KEY_DOWN,   TERM_KEY_LEFT,
                                  TERM_KEY_RIGHT,     TERM_KEY_HOME,   TERM_KEY_END,
                                  TERM_KEY_BACKSPACE, TERM_KEY_DELETE, TERM_KEY_PAGE_UP,
                                  TERM_KEY_OTHER,     TERM_KEY_RESIZE, 0xd812};

    switch (draw() % 6) {
    case 0:
        return (int)(draw() % 32);
    case 1:
        return special[draw() % (COUNT(special))];
    case 2:
        return (int)(draw() % 0x110000);
    default:
        return (int)(' ' + draw() % 96);
    }
}

/* Whatever is typed, in one prompt after the other. */
static void test_random_keys(void **state)
{
    struct prompt *p = NULL;

    for (int i = 0; i < 20000; i++) {
        if (!p)
            p = prompt_open(":", draw() % 2 ? "begun" : NULL, complete, "random");
        assert_non_null(p);
        enum prompt_state now = prompt_key(p, draw_key());
        assert_true(prompt_cursor(p) <= strlen(prompt_text(p)));
        if (now != PROMPT_OPEN || draw() % 100 == 0) {
            prompt_close(p);
            p = NULL;
        }
    }
    prompt_close(p);
}

/* The whole test on a terminal of its own: nothing may be written to it, or changed. */
static void test_leaves_terminal_alone(void **state)
{
    struct termios before = {0}, after = {0};
    struct sigaction old, now;
    int saved[3], master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    char bytes[64];

    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    fflush(stdout);
    for (int fd = 0; fd < 3; fd++) {
        saved[fd] = dup(fd);
        dup2(terminal, fd);
    }
    tcgetattr(terminal, &before);
    sigaction(SIGINT, NULL, &old);
    test_editing(state);
    enter("one", "first");
    test_completion(state);
    struct prompt *p = prompt_open(":", "abc", complete, "random");
    for (int key = 1; key < 32; key++) {
        if (key != '\r' && key != '\n' && key != 0x1b && key != CONTROL('C') && key != CONTROL('G'))
            prompt_key(p, key);
    }
    sigaction(SIGINT, NULL, &now);
    tcgetattr(terminal, &after);
    prompt_close(p);
    test_random_keys(state);
    fflush(stdout);
    for (int fd = 0; fd < 3; fd++) {
        dup2(saved[fd], fd);
        close(saved[fd]);
    }
    ssize_t written = read(master, bytes, sizeof(bytes));
    close(terminal);
    close(master);
    assert_true(written <= 0);
    assert_memory_equal(&before, &after, sizeof(before));
    assert_true(now.sa_handler == old.sa_handler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_editing),
        cmocka_unit_test(test_wide_characters),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_history),
        cmocka_unit_test(test_closed_in_the_middle),
        cmocka_unit_test(test_completion),
        cmocka_unit_test(test_random_keys),
        cmocka_unit_test(test_leaves_terminal_alone),
    };

    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("INPUTRC", "/dev/null", 1);
    unsetenv("MPROF_HISTORY");
    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
