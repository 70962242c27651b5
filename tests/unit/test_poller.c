/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changes hands with the work of a poller: the data, what it complained of, its signals. */
#define _POSIX_C_SOURCE 200809L

#include <base/say.h>

#include "unit.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <base/signals.h>
#include <target/poller.h>

/* A work that begins and ends when the test says so. */
struct job {
    int begun[2], go[2]; /* pipes */
    int number;          /* of whoever has the job */
    bool stopped;        /* it was asked to give up */
};

static void wait_for(int fd)
{
    char byte;

    assert_int_equal(read(fd, &byte, 1), 1);
}

static void tell(int fd)
{
    assert_int_equal(write(fd, "", 1), 1);
}

static void add_one(void *context)
{
    struct job *job = context;

    tell(job->begun[1]);
    wait_for(job->go[0]);
    job->number++;
    job->stopped = signals_stop();
    complain("job %d\nis done", job->number);
    complain("really");
}

static void begin(struct job *job, struct poller *poller)
{
    *job = (struct job){.number = 0};
    assert_int_equal(pipe(job->begun), 0);
    assert_int_equal(pipe(job->go), 0);
    assert_true(poller_open(poller));
    complain_hold(true);
}

static void end(struct job *job, struct poller *poller)
{
    poller_close(poller);
    complain_hold(false);
    for (int i = 0; i < 2; i++) {
        close(job->begun[i]);
        close(job->go[i]);
    }
}

/* Neither is what two threads do at once mixed up, nor is anything locked. */
static void test_hand_over(void **state)
{
    struct poller poller;
    struct job job;

    begin(&job, &poller);
    assert_false(poller_is_busy(&poller));
    poller_finish(&poller); /* nothing to wait for */
    for (int i = 1; i <= 100; i++) {
        unsigned before = complaints();
        poller_start(&poller, add_one, &job);
        wait_for(job.begun[0]);
        assert_true(poller_is_busy(&poller));
        assert_false(poller_is_done(&poller));
        complain("of the screen");
        assert_string_equal(complained(), "of the screen");
        tell(job.go[1]);
        struct pollfd done = {.fd = poller_fd(&poller), .events = POLLIN};
        assert_int_equal(poll(&done, 1, -1), 1);
        assert_true(poller_is_done(&poller));
        assert_int_equal(complaints(), before + 1);
        poller_finish(&poller);
        assert_false(poller_is_busy(&poller));
        assert_int_equal(job.number, i);
        assert_int_equal(complaints(), before + 3);
        assert_string_equal(complained(), "really");
    }
    end(&job, &poller);
}

/* A second signal must not end us while the thread may hold the target halted; nor is it the thread
 * that takes them. */
static void test_signals(void **state)
{
    struct poller poller;
    struct job job;

    assert_true(signals_open() >= 0);
    begin(&job, &poller);
    poller_start(&poller, add_one, &job);
    wait_for(job.begun[0]);
    for (int i = 0; i < 3; i++)
        assert_int_equal(kill(getpid(), SIGINT), 0);
    assert_int_equal(signals_pending(), SIGINT);
    tell(job.go[1]);
    poller_finish(&poller);
    assert_true(job.stopped);
    signals_clear();
    assert_false(signals_stop());
    end(&job, &poller);
}

/* What nobody waits for may end early. */
static void test_give_up(void **state)
{
    struct poller poller;
    struct job job;

    begin(&job, &poller);
    poller_start(&poller, add_one, &job);
    wait_for(job.begun[0]);
    signals_give_up(true);
    tell(job.go[1]);
    poller_finish(&poller);
    signals_give_up(false);
    assert_true(job.stopped);
    assert_int_equal(signals_pending(), 0);
    end(&job, &poller);
}

/* Closing waits for the work. */
static void test_close(void **state)
{
    struct poller poller;
    struct job job;

    begin(&job, &poller);
    tell(job.go[1]);
    poller_start(&poller, add_one, &job);
    end(&job, &poller);
    assert_int_equal(job.number, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hand_over),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_give_up),
        cmocka_unit_test(test_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
