/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded signal ends what blocks, and is forgotten only if it may be. */
#define _POSIX_C_SOURCE 200809L

#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/signals.h>

/* A pipe that takes no more bytes. */
static void fill_pipe(int fds[2])
{
    static const char bytes[4096];

    assert_int_equal(pipe(fds), 0);
    assert_int_equal(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
    while (write(fds[1], bytes, sizeof(bytes)) > 0) {
    }
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(fcntl(fds[1], F_SETFL, 0), 0);
}

/* The signal comes before each write, so that the write itself is never interrupted by it. */
static bool ends_writes(int fds[2], int number)
{
    bool ended = signals_open() >= 0 && raise(number) == 0;

    close(fds[0]); /* it is the parent's, so that nobody is left when that ends */
    for (int writes = 0; writes < 2; writes++)
        ended = ended && write(fds[1], "x", 1) == -1 && errno == EINTR;
    return ended;
}

static void test_blocked_write(void **state)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    pid_t children[COUNT(numbers)];
    int fds[2];

    fill_pipe(fds);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(ends_writes(fds, numbers[i]) ? 0 : 1);
    }
    for (size_t i = 0; i < COUNT(numbers); i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    close(fds[0]);
    close(fds[1]);
}

/* While the target may be halted by us, and while a file is finished, nothing is interrupted. */
static void test_not_while_held(void **state)
{
    sigset_t blocked;

    for (int held = 0; held < 2; held++) {
        for (int finishing = 0; finishing < 2; finishing++) {
            signals_hold(held);
            signals_finish(finishing);
            assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &blocked), 0);
            assert_int_equal(sigismember(&blocked, SIGALRM), held || finishing);
            assert_int_equal(sigismember(&blocked, SIGTSTP), held);
        }
    }
    signals_hold(false);
    signals_finish(false);
}

/* What the user has ended is finished whole, until he is tired of it. */
static void test_again_while_finishing(void **state)
{
    assert_true(signals_open() >= 0);
    for (int i = 0; i < 2; i++) {
        raise(SIGINT);
        assert_true(signals_stop());
        signals_finish(true);
        assert_false(signals_stop());
        raise(SIGINT);
        assert_true(signals_stop());
        signals_finish(false);
        signals_clear();
        assert_false(signals_stop());
    }
}

static void test_clear(void **state)
{
    int fd = signals_open();
    char byte;

    (void)signals_outlive(true);
    for (int i = 0; i < 2; i++) {
        raise(i == 0 ? SIGINT : SIGQUIT);
        assert_true(signals_interrupted());
        signals_clear();
        assert_int_equal(signals_pending(), 0);
        assert_int_equal(read(fd, &byte, 1), -1);
        assert_int_equal(alarm(0), 0);
    }
    raise(SIGINT);
    raise(SIGTERM);
    signals_clear();
    assert_int_equal(signals_pending(), SIGTERM);
    assert_int_equal(read(fd, &byte, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocked_write),
        cmocka_unit_test(test_not_while_held),
        cmocka_unit_test(test_again_while_finishing),
        cmocka_unit_test(test_clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
