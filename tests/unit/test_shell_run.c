/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A signal that comes between two commands, or before a line, is not lost. */
#include <base/say.h> /* before cmocka, which has a fail() too */

#include "unit.h"

#include <signal.h>
#include <string.h>

#include <base/signals.h>
#include <shell/shell.h>

/* "signal" sends itself one, and any other word counts. */
static bool take(void *context, int argc, char **argv, int *status)
{
    int *done = context;

    *status = STATUS_DONE;
    if (strcmp(argv[0], "signal") == 0)
        raise(SIGINT);
    else
        (*done)++;
    return true;
}

static void test_between_commands(void **state)
{
    int done = 0;

    assert_int_equal(shell_run("a; b", take, &done), STATUS_DONE);
    assert_int_equal(done, 2);
    assert_int_equal(shell_run("a; signal; b", take, &done), SHELL_SIGNAL + SIGINT);
    assert_int_equal(done, 3);
    assert_int_equal(signals_pending(), SIGINT);
    signals_clear();
}

/* As the next line of a script. */
static void test_between_lines(void **state)
{
    int done = 0;

    assert_int_equal(shell_run("a; signal", take, &done), STATUS_DONE);
    for (int i = 0; i < 2; i++)
        assert_int_equal(shell_run("b", take, &done), SHELL_SIGNAL + SIGINT);
    assert_int_equal(done, 1);
    signals_clear();
    assert_int_equal(shell_run("b", take, &done), STATUS_DONE);
    assert_int_equal(done, 2);
}

static int open_signals(void **state)
{
    return signals_open() < 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_between_commands),
        cmocka_unit_test(test_between_lines),
    };

    return cmocka_run_group_tests(tests, open_signals, NULL);
}
