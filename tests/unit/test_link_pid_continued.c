/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process that is continued between the look at its state and the reading of its memory. */
#define _GNU_SOURCE

#include <signal.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "link_checks.h"

/* The child is a fork: what stands here stands at the same address in it. */
static uint32_t word = 0x12345678;

ssize_t __real_process_vm_readv(pid_t pid, const struct iovec *to, unsigned long to_count,
                                const struct iovec *from, unsigned long from_count,
                                unsigned long flags);
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *to, unsigned long to_count,
                                const struct iovec *from, unsigned long from_count,
                                unsigned long flags);
static pid_t to_continue;

ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *to, unsigned long to_count,
                                const struct iovec *from, unsigned long from_count,
                                unsigned long flags)
{
    int status;

    if (to_continue != 0) {
        kill(to_continue, SIGCONT);
        assert_int_equal(waitpid(to_continue, &status, WCONTINUED), to_continue);
        to_continue = 0;
    }
    return __real_process_vm_readv(pid, to, to_count, from, from_count, flags);
}

/* What is read is not of when it stood still. */
static void test_continued_meanwhile(void **state)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    enum gdbmi_state is = GDBMI_STATE_UNKNOWN;
    struct gdbmi_link *link = NULL;
    uint32_t seen;
    int status;

    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    if (gdbmi_link_open(&(struct gdbmi_options){.pid = pid}, &link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    kill(pid, SIGSTOP);
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    to_continue = pid;
    assert_int_equal(gdbmi_link_poll(link, (uintptr_t)&word, &seen, sizeof(seen), &is), GDBMI_OK);
    assert_int_equal(to_continue, 0);
    assert_int_equal(is, GDBMI_STATE_RUNNING);
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_continued_meanwhile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
