/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of byte streams: over sockets bounded in time, over a terminal left so that gdb lives on.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include <gdbmi/stream.h>

#include "guardian.h"
#include "port_server.h"
#include "stream_child.h"
#include "stream_pty.h"

static void test_stream_times_out(void **state)
{
    struct server server;
    struct gdbmi_stream *stream = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};
    char byte;

    start_tcp(&server, answer_text, "hello");
    assert_int_equal(gdbmi_stream_connect(server.address, 20000, &stream, &error), GDBMI_OK);
    assert_int_equal(stream->ops->read(stream, &byte, 1, 0, &error), 0);
    assert_int_equal(stream->ops->write(stream, "x", 1, 20000, &error), 0);
    assert_int_equal(stream->ops->read(stream, &byte, 1, 20000, &error), 1);
    assert_int_equal(byte, 'h');
    gdbmi_stream_close(stream);
    stop_server(&server);
}

int __real_connect(int fd, const struct sockaddr *to, socklen_t len);
int __wrap_connect(int fd, const struct sockaddr *to, socklen_t len);
static bool meets_itself;

static void share_port(int fd)
{
    int one = 1;

    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)), 0);
}

/* The kernel chooses the port that is connected to for one connection in many thousands. */
int __wrap_connect(int fd, const struct sockaddr *to, socklen_t len)
{
    if (meets_itself) {
        share_port(fd);
        assert_int_equal(bind(fd, to, len), 0);
    }
    return __real_connect(fd, to, len);
}

/* Nobody listens, and yet the kernel says that there is a connection. */
static void test_own_echo_is_no_server(void **state)
{
    struct gdbmi_stream *stream = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};
    char address[64];

    int held = reserve_port(address, sizeof(address));
    share_port(held);
    meets_itself = true;
    assert_int_equal(gdbmi_stream_connect(address, 20000, &stream, &error), GDBMI_ECONNECT);
    meets_itself = false;
    assert_int_equal(error.hint, GDBMI_HINT_REFUSED);
    close(held);
}

/* A server that takes nothing any more must not block the client. */
static void test_write_is_bounded(void **state)
{
    struct gdbmi_stream *stream = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};
    char address[64];
    static const char bytes[65536];
    int result = 0;

    int listener = reserve_port(address, sizeof(address));
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(gdbmi_stream_connect(address, 20000, &stream, &error), GDBMI_OK);
    for (int i = 0; i < 2000 && result == 0; i++)
        result = stream->ops->write(stream, bytes, sizeof(bytes), 20, &error);
    assert_int_equal(result, -1);
    assert_int_equal(error.code, GDBMI_ETIMEOUT);
    gdbmi_stream_close(stream);
    close(listener);
}

/* Runs the shell command of a line of GDB/MI, as gdb does. */
static bool runs_shell(char *line)
{
    char *command = strstr(line, "\"shell ");
    char *end = strrchr(line, '"');

    if (command == NULL || end <= command)
        return false;
    *end = '\0';
    return system(command + strlen("\"shell ")) != -1;
}

/* A gdb: 0: when it waits for input again, the terminal is hung up, with an error that poll()
 * tells; an end of input without one, which makes gdb quit, is 1. */
static int be_gdb(const char *path)
{
    char line[1024];
    FILE *terminal = fopen(path, "r+");

    if (terminal == NULL)
        return 2;
    fputs("(gdb) \n", terminal);
    fflush(terminal);
    while (fgets(line, sizeof(line), terminal) != NULL) {
        if (!runs_shell(line))
            continue;
        struct pollfd ready = {.fd = fileno(terminal), .events = POLLIN};
        return poll(&ready, 1, -1) == 1 && (ready.revents & POLLERR) != 0 ? 0 : 3;
    }
    return 1;
}

static void test_gdb_is_busy_while_its_terminal_is_hung_up(void **state)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct pty_stream *pty = NULL;
    int status = 0;
    char byte;

    assert_int_equal(pty_stream_open(NULL, &pty, &error), GDBMI_OK);
    pid_t gdb = fork();
    if (gdb == 0) {
        close(pty->fd);
        close(pty->other);
        _exit(be_gdb(pty->path));
    }
    assert_int_equal(pty->base.ops->read(&pty->base, &byte, 1, 300000, &error), 1);
    gdbmi_stream_close(&pty->base);
    assert_int_equal(waitpid(gdb, &status, 0), gdb);
    assert_int_equal(status, 0);
}

/* A process that continues after it was stopped takes nothing away from its guardian. */
static void test_answers_to_the_guardian_are_left_to_it(void **state)
{
    struct guardian_page page = {.action = GUARDIAN_WATCHES};
    struct guardian guardian = {.page = &page};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct child_stream *child = NULL;
    char bytes[2] = "";

    assert_int_equal(child_stream_open("printf ab; cat", "printf", NULL, NULL, &child, &error),
                     GDBMI_OK);
    child->base.guardian = &guardian;
    assert_int_equal(child->base.ops->read(&child->base, bytes, 1, 300000, &error), 1);
    assert_int_equal(bytes[0], 'a');
    atomic_store(&page.action, GUARDIAN_ACTS);
    assert_int_equal(child->base.ops->read(&child->base, bytes, 1, 300000, &error), 0);
    assert_int_equal(read(child->out, bytes, 1), 1);
    assert_int_equal(bytes[0], 'b');
    child->base.guardian = NULL;
    gdbmi_stream_close(&child->base);
}

pid_t __real_fork(void);
pid_t __wrap_fork(void);
static bool dies_at_fork;

pid_t __wrap_fork(void)
{
    pid_t pid = __real_fork();

    if (pid > 0 && dies_at_fork)
        kill(getpid(), SIGKILL);
    return pid;
}

static void take_over(const struct guardian_page *page, const int *fds, size_t count, void *context)
{
    struct guardian_stream stream;
    struct gdbmi_error error = {.code = GDBMI_OK};

    (void)page;
    (void)context;
    guardian_stream_init(&stream, fds, count);
    (void)stream.base.ops->write(&stream.base, "taken over", 10, 300000, &error);
}

/* A program that dies while it starts a command, whose input is passed on to heard. */
static _Noreturn void die_while_starting(int heard)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct child_stream *child = NULL;
    char command[64];

    struct guardian *guardian = guardian_start(GUARDIAN_OPENING, take_over, NULL);
    snprintf(command, sizeof(command), "exec cat >/proc/self/fd/%d", heard);
    dies_at_fork = true;
    _exit(child_stream_open(command, "cat", guardian, NULL, &child, &error) == GDBMI_OK ? 0 : 1);
}

/* A gdb that found its input closed would let a target run that was halted. */
static void test_a_command_is_never_without_a_guardian(void **state)
{
    int heard[2];
    char text[16] = "";
    size_t len = 0;
    ssize_t more;
    int status;

    assert_int_equal(pipe(heard), 0);
    pid_t program = fork();
    assert_true(program >= 0);
    if (program == 0)
        die_while_starting(heard[1]);
    close(heard[1]);
    assert_int_equal(waitpid(program, &status, 0), program);
    assert_true(WIFSIGNALED(status));
    while ((more = read(heard[0], text + len, sizeof(text) - 1 - len)) > 0)
        len += (size_t)more;
    assert_string_equal(text, "taken over");
    close(heard[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream_times_out),
        cmocka_unit_test(test_own_echo_is_no_server),
        cmocka_unit_test(test_write_is_bounded),
        cmocka_unit_test(test_gdb_is_busy_while_its_terminal_is_hung_up),
        cmocka_unit_test(test_answers_to_the_guardian_are_left_to_it),
        cmocka_unit_test(test_a_command_is_never_without_a_guardian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
