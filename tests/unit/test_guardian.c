/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guardian as a process: when it wakes, what it holds, and that nobody notices it. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "guardian.h"
#include "link_ops.h"
#include "process.h"

/* Only bounds a failure. */
#define PATIENCE_MS 300000

/* Writes what the page and the context say, to the last descriptor. */
static void report(const struct guardian_page *page, const int *fds, size_t count, void *context)
{
    char text[64];

    int len = snprintf(text, sizeof(text), "%d %zu %s %s", atomic_load(&page->state), count,
                       page->resumes[atomic_load(&page->resume)].bytes, (const char *)context);
    (void)!write(fds[count - 1], text, (size_t)len);
}

/* What comes until the other side is closed by all who hold it. */
static void check_heard(int fd, const char *expected)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    char text[128] = "";
    size_t len = 0;

    for (;;) {
        assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
        ssize_t more = read(fd, text + len, sizeof(text) - 1 - len);
        assert_true(more >= 0);
        if (more == 0)
            break;
        len += (size_t)more;
    }
    assert_string_equal(text, expected);
    close(fd);
}

/* A program that uses a guardian, in a child process of its own that waits to be killed. */
struct program {
    pid_t pid;
    pid_t guardian;
    int far; /* of the connection that is lent */
};

/* What the program does with its guardian; near is the connection. */
typedef void act(struct guardian *guardian, int near);

static void start(struct program *program, act *what)
{
    int ends[2];
    int tell[2];
    char context[] = "known";

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    assert_int_equal(pipe(tell), 0);
    program->pid = fork();
    assert_true(program->pid >= 0);
    if (program->pid == 0) {
        signal(SIGSEGV, SIG_DFL); /* cmocka's handlers would go on with the tests */
        signal(SIGABRT, SIG_DFL);
        struct guardian *guardian = guardian_start(GUARDIAN_OPENING, report, context);
        context[0] = 'X'; /* the guardian has a copy */
        what(guardian, ends[0]);
        (void)!write(tell[1], &guardian->pid, sizeof(guardian->pid));
        alarm(PATIENCE_MS / 1000); /* should the test fail before it kills us */
        for (;;)
            pause();
    }
    close(ends[0]);
    close(tell[1]);
    assert_int_equal(read(tell[0], &program->guardian, sizeof(program->guardian)),
                     sizeof(program->guardian));
    close(tell[0]);
    program->far = ends[1];
}

static void kill_program(struct program *program, int number)
{
    assert_int_equal(kill(program->pid, number), 0);
    assert_int_equal(waitpid(program->pid, NULL, 0), program->pid);
}

static void hold(struct guardian *guardian, int near)
{
    guardian_lend(guardian, &near, 1);
    guardian_resume_by(guardian, "first", sizeof("first"));
    guardian_resume_by(guardian, "c", sizeof("c"));
    guardian_say(guardian, GUARDIAN_HELD);
}

static void test_wakes_however_we_die(void **state)
{
    static const int numbers[] = {SIGKILL, SIGSEGV, SIGTERM, SIGABRT};
    struct program program;

    for (size_t i = 0; i < COUNT(numbers); i++) {
        start(&program, hold);
        kill_program(&program, numbers[i]);
        check_heard(program.far, "4 1 c known");
    }
}

static void hold_and_let_go(struct guardian *guardian, int near)
{
    hold(guardian, near);
    guardian_say(guardian, GUARDIAN_FREE);
}

static void lend_nothing(struct guardian *guardian, int near)
{
    hold(guardian, near);
    guardian_lend(guardian, NULL, 0);
}

static void write_something(struct guardian *guardian, int near)
{
    hold_and_let_go(guardian, near);
    guardian_write_by(guardian, "w", 1);
}

static void write_and_undo(struct guardian *guardian, int near)
{
    write_something(guardian, near);
    guardian_write_by(guardian, NULL, 0);
}

/* A write is undone in any state. */
static void test_undoes_a_write(void **state)
{
    struct program program;

    start(&program, write_something);
    kill_program(&program, SIGKILL);
    check_heard(program.far, "0 1 c known");
    start(&program, write_and_undo);
    kill_program(&program, SIGKILL);
    check_heard(program.far, "");
}

static void test_nothing_to_undo(void **state)
{
    struct program program;

    start(&program, hold_and_let_go);
    kill_program(&program, SIGKILL);
    check_heard(program.far, "");
    start(&program, lend_nothing);
    kill_program(&program, SIGKILL);
    check_heard(program.far, "");
}

static void send_away(struct guardian *guardian, int near)
{
    struct guardian was = *guardian;

    hold(guardian, near);
    guardian_dismiss(guardian);
    /* Nothing is left of it, not even a zombie. */
    if (kill(was.pid, 0) == 0 || waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
        _exit(1);
    close(near);
    _exit(0);
}

static void test_sent_away_it_does_nothing(void **state)
{
    int ends[2];
    int status;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    pid_t pid = fork();
    if (pid == 0)
        send_away(guardian_start(GUARDIAN_OPENING, report, NULL), ends[0]);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check_heard(ends[1], "");
}

/* Nobody knows yet what opening did to the target, so the guardian finds out without us, however
 * late it is. */
static void give_up_opening(bool late)
{
    char context[] = "known";
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    struct guardian *guardian = guardian_start(GUARDIAN_OPENING, report, context);
    pid_t pid = guardian->pid;
    guardian_lend(guardian, ends, 1);
    close(ends[0]);
    if (late)
        assert_int_equal(kill(pid, SIGSTOP), 0);
    guardian_dismiss(guardian);
    if (late)
        assert_int_equal(kill(pid, SIGCONT), 0);
    check_heard(ends[1], "1 1  known");
    if (kill(pid, 0) == 0) /* it was late, and nobody else waits for it */
        assert_int_equal(waitpid(pid, NULL, __WCLONE), pid);
}

static void test_opening_given_up(void **state)
{
    give_up_opening(false);
    give_up_opening(true);
}

static void lend_two_after_one(struct guardian *guardian, int near)
{
    int null = open("/dev/null", O_RDWR);
    int pair[] = {null, near};

    guardian_lend(guardian, &null, 1);
    guardian_lend(guardian, pair, 2);
    guardian_say(guardian, GUARDIAN_RESUMING);
}

static unsigned count_files(pid_t pid)
{
    char path[64];
    unsigned count = 0;

    snprintf(path, sizeof(path), "/proc/%ld/fd", (long)pid);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* And nothing of its program's. */
static void test_holds_what_was_lent_last(void **state)
{
    struct program program;
    int spare = open("/dev/null", O_RDONLY);

    start(&program, lend_two_after_one);
    for (int i = 0; i < PATIENCE_MS && count_files(program.guardian) != 6; i++)
        poll(NULL, 0, 1);
    assert_int_equal(count_files(program.guardian), 6); /* 0, 1, 2, the socket, two lent */
    assert_int_equal(getsid(program.guardian), program.guardian);
    kill_program(&program, SIGKILL);
    check_heard(program.far, "5 2  known");
    close(spare);
}

static void stop_program(const struct program *program)
{
    int status;

    assert_int_equal(kill(program->pid, SIGSTOP), 0);
    assert_int_equal(waitpid(program->pid, &status, WUNTRACED), program->pid);
    assert_true(WIFSTOPPED(status));
    assert_true(process_is_stopped(program->pid));
}

/* Twice as long as a guardian takes to end the halt of a program that is stopped. */
static void let_halts_end(void)
{
    struct program program;

    for (int i = 0; i < 2; i++) {
        start(&program, hold);
        stop_program(&program);
        check_heard(program.far, "4 1 c known");
        kill_program(&program, SIGKILL);
    }
}

static void hold_as_asked(struct guardian *guardian, int near)
{
    hold(guardian, near);
    guardian_announce(guardian, GUARDIAN_NO_LIMIT);
}

static void hold_for_long(struct guardian *guardian, int near)
{
    hold(guardian, near);
    guardian_announce(guardian, 20 * PATIENCE_MS);
}

/* With nothing to end, no limit, a later one, or without being stopped. */
static void test_halts_that_are_not_ended(void **state)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGTSTP};
    act *const acts[] = {hold_and_let_go, hold_as_asked, hold_for_long, hold};
    struct program programs[COUNT(acts)];
    struct pollfd ready[COUNT(acts)];

    for (size_t i = 0; i < COUNT(acts); i++) {
        start(&programs[i], acts[i]);
        ready[i] = (struct pollfd){.fd = programs[i].far, .events = POLLIN};
        if (acts[i] != hold)
            stop_program(&programs[i]);
        for (size_t k = 0; k < COUNT(numbers); k++)
            assert_int_equal(kill(programs[i].guardian, numbers[k]), 0);
    }
    let_halts_end();
    assert_int_equal(poll(ready, COUNT(acts), 0), 0);
    for (size_t i = 0; i < COUNT(acts); i++) {
        assert_int_equal(kill(programs[i].pid, SIGCONT), 0);
        kill_program(&programs[i], SIGKILL);
        check_heard(programs[i].far, i == 0 ? "" : "4 1 c known");
    }
}

/* It goes on when its guardian has ended the halt, and can do no harm. */
static _Noreturn void be_stopped(struct guardian *guardian, int near)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    size_t room = 1;
    unsigned halted_ms = 0;

    hold(guardian, near);
    raise(SIGSTOP);
    bool done = guardian_has_acted(guardian) && guardian_await_done(guardian, &halted_ms) &&
                halted_ms >= GUARDIAN_HALT_MIN_MS;
    guardian_say(guardian, GUARDIAN_OPENING);
    bool silent = guardian_heard(guardian, &room) == NULL &&
                  atomic_load(&guardian->page->state) == GUARDIAN_HELD &&
                  send(near, "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE;
    bool says = guardian_explain("here:1", &error) == GDBMI_ESTOPPED &&
                strncmp(error.text, "here:1: ", 8) == 0;
    guardian_dismiss(guardian);
    bool gone = waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
    _exit(done && silent && says && gone ? 0 : 1);
}

static void test_ends_the_halt_of_a_stopped_program(void **state)
{
    char context[] = "known";
    int ends[2];
    int status;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    pid_t pid = fork();
    if (pid == 0)
        be_stopped(guardian_start(GUARDIAN_OPENING, report, context), ends[0]);
    close(ends[0]);
    check_heard(ends[1], "4 1 c known");
    assert_int_equal(kill(pid, SIGCONT), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Writes what report() does when the connection is made, or fails if it is made too late for it. */
static void test_waits_for_a_connection(void **state)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);
    char context[] = "known";

    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, len), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &len), 0);
    int near = socket(AF_INET, SOCK_STREAM, 0);
    pid_t pid = fork();
    if (pid == 0) {
        guardian_lend(guardian_start(GUARDIAN_OPENING, report, context), &near, 1);
        raise(SIGSTOP);
        _exit(0);
    }
    let_halts_end();
    assert_int_equal(connect(near, (struct sockaddr *)&at, len), 0);
    close(near);
    int far = accept(listener, NULL, NULL);
    check_heard(far, "1 1  known");
    close(listener);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* The kernel puts the name before the state. */
static void test_process_with_an_odd_name(void **state)
{
    assert_false(process_is_stopped(getpid()));
    assert_int_equal(prctl(PR_SET_NAME, "x) T (", 0, 0, 0), 0);
    assert_false(process_is_stopped(getpid()));
    assert_int_equal(prctl(PR_SET_NAME, "test-guardian", 0, 0, 0), 0);
    assert_false(process_is_stopped(0));
}

static volatile sig_atomic_t children_that_ended;

static void note_child(int number)
{
    children_that_ended++;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
}

/* Programs that wait for their children in one of the usual ways. */
static void test_programs_with_children(void **state)
{
    void (*const handlers[])(int) = {note_child, SIG_IGN, SIG_DFL};

    for (size_t i = 0; i < COUNT(handlers); i++) {
        signal(SIGCHLD, handlers[i]);
        struct guardian *guardian = guardian_start(GUARDIAN_OPENING, report, NULL);
        assert_non_null(guardian);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        assert_int_equal(errno, ECHILD);
        guardian_dismiss(guardian);
        assert_int_equal(children_that_ended, 0);
    }
}

static void test_goes_on_when_it_was_killed(void **state)
{
    struct guardian *guardian = guardian_start(GUARDIAN_OPENING, report, NULL);
    int fd = open("/dev/null", O_RDONLY);

    assert_int_equal(kill(guardian->pid, SIGKILL), 0);
    guardian_lend(guardian, &fd, 1);
    guardian_say(guardian, GUARDIAN_HELD);
    guardian_lend(guardian, NULL, 0);
    guardian_dismiss(guardian);
    close(fd);
}

static void test_one_that_is_stopped_is_ended(void **state)
{
    struct guardian *guardian = guardian_start(GUARDIAN_FREE, report, NULL);
    pid_t pid = guardian->pid;

    assert_int_equal(kill(pid, SIGSTOP), 0);
    guardian_dismiss(guardian);
    assert_int_equal(kill(pid, 0), -1);
}

static void send_bytes(struct guardian *guardian, int near)
{
    struct guardian *own = guardian_start(GUARDIAN_HELD, NULL, NULL);
    guardian_resume_by(own, "-exec-continue\n", 15);
    guardian_lend(own, &near, 1);
}

static void send_write(struct guardian *guardian, int near)
{
    struct guardian *own = guardian_start(GUARDIAN_FREE, NULL, NULL);
    guardian_resume_by(own, "-exec-continue\n", 15);
    guardian_write_by(own, "-data-write\n", 12);
    guardian_lend(own, &near, 1);
}

static void test_bytes_without_a_function(void **state)
{
    struct program program;

    start(&program, send_bytes);
    kill_program(&program, SIGKILL);
    check_heard(program.far, "-exec-continue\n");
    start(&program, send_write); /* and a target that others have halted stays so */
    kill_program(&program, SIGKILL);
    check_heard(program.far, "-data-write\n");
}

static void test_what_comes_is_kept(void **state)
{
    struct guardian *guardian = guardian_start(GUARDIAN_OPENING, report, NULL);
    size_t room = GUARDIAN_HEARD_MAX + 1;

    assert_null(guardian_heard(NULL, &room));
    char *heard = guardian_heard(guardian, &room);
    assert_int_equal(room, GUARDIAN_HEARD_MAX);
    memset(heard, 'x', room);
    guardian_keep(guardian, 5);
    assert_ptr_equal(guardian_heard(guardian, &room), heard + 5);
    guardian_keep(guardian, GUARDIAN_HEARD_MAX - 5);
    assert_null(guardian_heard(guardian, &room));
    guardian_say(guardian, GUARDIAN_HELD);
    assert_null(guardian_heard(guardian, &room));
    guardian_say(guardian, GUARDIAN_HALTING);
    assert_ptr_equal(guardian_heard(guardian, &room), heard);
    assert_string_equal(heard, "");
    guardian_dismiss(guardian);
}

/* One descriptor is left: enough for a connection, not for a guardian. */
static void test_link_without_a_guardian(void **state)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);
    struct rlimit before;
    char address[32];

    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, len), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &len), 0);
    snprintf(address, sizeof(address), "127.0.0.1:%u", (unsigned)ntohs(at.sin_port));
    pid_t server = fork();
    if (server == 0) {
        static const char all[] = "+$#00+$#00+$T02#b6+$#00+$#00+$#00+$#00+$#00+$#00+$#00";
        int fd = accept(listener, NULL, NULL);
        (void)!write(fd, all, sizeof(all) - 1);
        alarm(PATIENCE_MS / 1000);
        for (;;)
            pause();
    }
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    struct rlimit low = {.rlim_cur = (rlim_t)listener + 2, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    struct gdbmi_options options = {.gdb = address, .tcl = "none", .allow_halt = true};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link = NULL;
    enum gdbmi_code code = gdbmi_link_open(&options, &link, &error);
    setrlimit(RLIMIT_NOFILE, &before);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    close(listener);
    if (code != GDBMI_OK)
        fail_msg("%s", error.text);
    if (strstr(gdbmi_link_info(link)->why, "NO GUARDIAN") == NULL)
        fail_msg("%s", gdbmi_link_info(link)->why);
    gdbmi_link_close(link, &error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wakes_however_we_die),
        cmocka_unit_test(test_nothing_to_undo),
        cmocka_unit_test(test_undoes_a_write),
        cmocka_unit_test(test_sent_away_it_does_nothing),
        cmocka_unit_test(test_opening_given_up),
        cmocka_unit_test(test_holds_what_was_lent_last),
        cmocka_unit_test(test_halts_that_are_not_ended),
        cmocka_unit_test(test_ends_the_halt_of_a_stopped_program),
        cmocka_unit_test(test_waits_for_a_connection),
        cmocka_unit_test(test_process_with_an_odd_name),
        cmocka_unit_test(test_programs_with_children),
        cmocka_unit_test(test_goes_on_when_it_was_killed),
        cmocka_unit_test(test_one_that_is_stopped_is_ended),
        cmocka_unit_test(test_bytes_without_a_function),
        cmocka_unit_test(test_what_comes_is_kept),
        cmocka_unit_test(test_link_without_a_guardian),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
