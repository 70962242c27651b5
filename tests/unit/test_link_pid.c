/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the link to a process: this one, children of it, and one that takes a dead one's number.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "link_checks.h"

/* The children are forks: what stands here stands at the same address in them. */
static uint32_t word = 0x12345678;

static pid_t start_child(void)
{
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        pause();
}

static void end_child(pid_t pid)
{
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static enum gdbmi_code try_open(long pid, struct gdbmi_link **link, struct gdbmi_error *error)
{
    struct gdbmi_options options = {.pid = pid};

    *link = NULL;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    return gdbmi_link_open(&options, link, error);
}

static struct gdbmi_link *must_open(long pid)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    enum gdbmi_code code = try_open(pid, &link, &error);
    return check_opened(code, link, &error);
}

static uint64_t address_of_word(void)
{
    return (uint64_t)(uintptr_t)&word;
}

static void test_this_process(void **state)
{
    char address[32];
    uint32_t seen = 0;
    enum gdbmi_state is = GDBMI_STATE_UNKNOWN;

    struct gdbmi_link *link = must_open(getpid());
    const struct gdbmi_info *info = gdbmi_link_info(link);
    snprintf(address, sizeof(address), "PID %ld", (long)getpid());
    assert_string_equal(info->kind, "process");
    assert_string_equal(info->address, address);
    assert_string_equal(info->target, "test-link-pid");
    assert_true(info->live && info->simulator);
    assert_int_equal(info->entry, getauxval(AT_ENTRY));
#if defined(__x86_64__)
    assert_string_equal(info->arch, "i386");
#endif
    assert_int_equal(gdbmi_link_poll(link, address_of_word(), &seen, sizeof(seen), &is), GDBMI_OK);
    assert_int_equal(seen, word);
    assert_int_equal(is, GDBMI_STATE_RUNNING);
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
}

static void test_write(void **state)
{
    uint32_t other = 0xfeedbeef, seen = 0;
    pid_t pid = start_child();

    struct gdbmi_link *link = must_open(pid);
    assert_int_equal(gdbmi_link_write(link, address_of_word(), &other, sizeof(other)), GDBMI_OK);
    assert_int_equal(gdbmi_link_read(link, address_of_word(), &seen, sizeof(seen)), GDBMI_OK);
    assert_int_equal(seen, other);
    assert_int_equal(word, 0x12345678);
    assert_int_equal(gdbmi_link_write(link, 8, &other, sizeof(other)), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "cannot be written");
    gdbmi_link_close(link, NULL);
    end_child(pid);
}

/* Some bytes behind the first page are not there: none is given. */
static void test_memory_that_is_not_there(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char bytes[16];

    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(pages, MAP_FAILED);
    assert_int_equal(munmap(pages + page, page), 0);
    memset(pages, 0x11, page);
    memset(bytes, 0xee, sizeof(bytes));
    struct gdbmi_link *link = must_open(getpid());
    uint64_t end = (uint64_t)(uintptr_t)pages + page;
    assert_int_equal(gdbmi_link_read(link, end - 8, bytes, 16), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "16 bytes at 0x");
    for (size_t i = 0; i < sizeof(bytes); i++)
        assert_int_equal((unsigned char)bytes[i], 0xee);
    assert_int_equal(gdbmi_link_read(link, end - 16, bytes, 16), GDBMI_OK);
    assert_int_equal(bytes[15], 0x11);
    gdbmi_link_close(link, NULL);
    munmap(pages, page);
}

static void test_stopped(void **state)
{
    enum gdbmi_state is = GDBMI_STATE_UNKNOWN;
    uint64_t pc;
    uint32_t seen;
    char *answer;
    int status;
    pid_t pid = start_child();

    struct gdbmi_link *link = must_open(pid);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_EUNSUPPORTED);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    assert_int_equal(gdbmi_link_command(link, "reset", &answer), GDBMI_EUNSUPPORTED);
    kill(pid, SIGSTOP);
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_int_equal(gdbmi_link_poll(link, address_of_word(), &seen, sizeof(seen), &is), GDBMI_OK);
    assert_int_equal(is, GDBMI_STATE_HALTED);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_EUNSUPPORTED);
    assert_int_equal(gdbmi_link_resume(link), GDBMI_EUNSUPPORTED);
    check_text(gdbmi_link_error(link)->text, "kill -CONT");
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    assert_int_equal(waitpid(pid, &status, WNOHANG | WCONTINUED), 0);
    end_child(pid);
}

static void check_ended(struct gdbmi_link *link)
{
    enum gdbmi_state is;
    uint32_t seen = 0xeeeeeeee;

    assert_int_equal(gdbmi_link_poll(link, address_of_word(), &seen, sizeof(seen), &is),
                     GDBMI_ECLOSED);
    check_text(gdbmi_link_error(link)->text, "the process has ended");
    assert_int_equal(seen, 0xeeeeeeee);
    assert_int_equal(gdbmi_link_read(link, address_of_word(), &seen, sizeof(seen)), GDBMI_ECLOSED);
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
}

static void test_zombie_and_gone(void **state)
{
    siginfo_t info;
    struct gdbmi_link *none;
    struct gdbmi_error error;
    pid_t pid = start_child();

    struct gdbmi_link *first = must_open(pid);
    struct gdbmi_link *second = must_open(pid);
    kill(pid, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    check_ended(first);
    assert_int_equal(try_open(pid, &none, &error), GDBMI_ECLOSED);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    check_ended(second);
    assert_int_equal(try_open(pid, &none, &error), GDBMI_ECONNECT);
    check_text(error.text, "no such process");
    assert_int_equal(try_open(2, &none, &error), GDBMI_ECONNECT); /* a kernel thread, or nobody */
}

/* A fork that gets a chosen number: clone3(2) with set_tid. */
static pid_t start_child_as(pid_t pid)
{
    struct {
        uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
        uint64_t set_tid, set_tid_size;
    } args = {.exit_signal = SIGCHLD, .set_tid = (uint64_t)(uintptr_t)&pid, .set_tid_size = 1};

    long made = syscall(435 /* clone3 */, &args, sizeof(args));
    if (made != 0)
        return (pid_t)made;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        pause();
}

static void test_number_of_another(void **state)
{
    pid_t pid = start_child();

    struct gdbmi_link *link = must_open(pid);
    usleep(30000); /* the kernel's clock has 10 ms */
    end_child(pid);
    pid_t other = start_child_as(pid);
    if (other < 0) {
        assert_true(errno == EPERM || errno == ENOSYS || errno == EEXIST);
        gdbmi_link_close(link, NULL);
        print_message("no process gets a chosen number here: %s\n", strerror(errno));
        skip();
    }
    assert_int_equal(other, pid);
    check_ended(link);
    end_child(other);
}

static void test_another_program(void **state)
{
    int ready[2], go[2];
    char byte;
    uint32_t seen;

    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(go), 0);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ready[1], STDOUT_FILENO);
        (void)!read(go[0], &byte, 1);
        execl("/bin/sh", "sh", "-c", "echo; exec sleep 1000", (char *)NULL);
        _exit(1);
    }
    struct gdbmi_link *link = must_open(pid);
    assert_int_equal(write(go[1], "x", 1), 1);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(gdbmi_link_read(link, address_of_word(), &seen, sizeof(seen)), GDBMI_ECLOSED);
    check_text(gdbmi_link_error(link)->text, "runs another program now");
    gdbmi_link_close(link, NULL);
    end_child(pid);
    for (int i = 0; i < 2; i++) {
        close(ready[i]);
        close(go[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_this_process),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_memory_that_is_not_there),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_zombie_and_gone),
        cmocka_unit_test(test_number_of_another),
        cmocka_unit_test(test_another_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
