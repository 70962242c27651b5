/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A signal that comes while a program is started is the program's. */
#define _GNU_SOURCE

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "unit.h"

#include <base/child.h>
#include <base/signals.h>

pid_t __real_fork(void);
pid_t __wrap_fork(void);

/* The program has told somebody that it runs before this process goes on. */
pid_t __wrap_fork(void)
{
    pid_t pid = __real_fork();

    if (pid > 0)
        kill(getpid(), SIGTERM);
    return pid;
}

static void end_with_us(void *context)
{
    (void)context;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void test_signal_during_the_start(void **state)
{
    char name[] = "sleep", seconds[] = "600";
    char *arguments[] = {name, seconds, NULL};
    struct child child;

    assert_true(child_start(&child, "/bin/sleep", arguments, -1, end_with_us, NULL));
    assert_true(child_wait(&child, -1));
    assert_int_equal(child.status, CHILD_SIGNAL + SIGTERM);
    child_default();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signal_during_the_start),
    };

    signals_inherit();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
