/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slow gdb server keeps no client of the proxy out. */
#include <sys/socket.h>
#include <unistd.h>

#include "unit.h"

#include "fake_clock.h"
#include "proxy_clients_checks.h"
#include "proxy_sides.h"

/* It reads, which takes the server longer than a client may be silent. */
static void read_slowly(struct scene *scene, int owner)
{
    const struct proxy_request request = {.op = PROXY_READ, .addr = 0x20000000, .len = 4};

    assert_int_equal(send(owner, &request, sizeof(request), MSG_NOSIGNAL), sizeof(request));
    scene->server.delay_ms = FIRST_MS + 1000;
}

/* He has spoken at once; that he was not heard was not his fault. */
static void test_slow_read_when_gdb_comes(void **state)
{
    struct scene *scene = start_scene();
    int owner = come_as_owner(scene);

    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&scene->at, scene->at_len), 0);
    say(fd, "+" HELLO);
    read_slowly(scene, owner);
    proxy_serve_turn(&scene->serving);
    assert_in_range(fake_clock_passed_ms(), FIRST_MS + 1, 2 * FIRST_MS);
    scene->server.delay_ms = 0;
    proxy_serve_turn(&scene->serving);
    proxy_serve_turn(&scene->serving);
    assert_non_null(strstr(hear(fd), "PacketSize="));
    close(fd);
    leave_as_owner(scene, owner);
    end_scene(scene);
}

static void test_slow_read_when_second_comes(void **state)
{
    struct scene *scene = start_scene();

    int first = come(scene);
    must_be_served(scene, first);
    int owner = come_as_owner(scene);
    int second = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(connect(second, (const struct sockaddr *)&scene->at, scene->at_len), 0);
    say(second, "+" HELLO);
    read_slowly(scene, owner);
    proxy_serve_turn(&scene->serving);
    scene->server.delay_ms = 0;
    proxy_serve_turn(&scene->serving);
    assert_string_equal(hear(second), "+$E.another gdb is attached to this port#cbEOF");
    assert_int_equal(scene->serving.clients.going_count, 1);
    close(second);
    proxy_serve_turn(&scene->serving);
    assert_int_equal(scene->serving.clients.going_count, 0);
    close(first);
    leave_as_owner(scene, owner);
    end_scene(scene);
}

/* As a gdb leaves them behind that is killed. */
static void leave_breakpoints(struct scene *scene, size_t count)
{
    struct proxy *proxy = &scene->serving.proxy;

    while (proxy->breakpoint_count < count) {
        char *text = proxy->breakpoints[proxy->breakpoint_count];
        snprintf(text, PROXY_REQUEST_MAX, "0,%zx,2", 0x100 + 2 * proxy->breakpoint_count);
        proxy->breakpoint_count++;
    }
}

/* A server that takes its time for each of them keeps no gdb out. */
static void test_slow_removal_of_breakpoints(void **state)
{
    struct scene *scene = start_scene();

    leave_breakpoints(scene, 20);
    int fd = come(scene);
    scene->server.answer_ms = 1500;
    slow_server = &scene->server;
    must_be_served(scene, fd);
    assert_in_range(fake_clock_passed_ms(), 20 * 1500, 25 * 1500);
    assert_int_equal(scene->serving.proxy.breakpoint_count, 0);
    assert_int_equal(fake_gdb_count(&scene->server.gdb, "z0,"), 20);
    scene->server.answer_ms = 0;
    close(fd);
    end_scene(scene);
}

/* One that does not answer: the core runs again, and what was removed is not removed once more. */
static void test_removal_that_fails(void **state)
{
    struct scene *scene = start_scene();

    leave_breakpoints(scene, 5);
    int fd = come(scene);
    scene->server.gdb.silent_at = "z0,102";
    ask(fd, "qSupported:x");
    proxy_serve_turn(&scene->serving);
    assert_string_equal(hear(fd), "EOF");
    assert_true(scene->server.gdb.running);
    assert_int_equal(scene->serving.proxy.breakpoint_count, 2);
    close(fd);
    end_scene(scene);
}

/* The core was halted when we came; how the server is while it runs shows when the gdb lets it run.
 * That it is slow to answer makes no deaf one of it. */
static void test_slow_server_is_not_deaf(void **state)
{
    struct scene *scene = start_scene_at(FAKE_LIVE, false);
    int owner = come_as_owner(scene);
    int fd = come(scene);

    must_be_served(scene, fd);
    assert_int_equal(ask_as_owner(scene, owner, PROXY_READ).error.code, GDBMI_OK);
    ask(fd, "c");
    proxy_serve_turn(&scene->serving);
    assert_true(scene->server.gdb.running);
    scene->server.answer_ms = GDBMI_TIMEOUT_MS - 1;
    slow_server = &scene->server;
    struct proxy_reply reply = ask_as_owner(scene, owner, PROXY_STATE);
    assert_true(reply.live);
    assert_int_equal(reply.state, GDBMI_STATE_RUNNING);
    assert_int_equal(ask_as_owner(scene, owner, PROXY_READ).error.code, GDBMI_OK);
    assert_true(scene->server.gdb.running);
    assert_int_equal(fake_gdb_count(&scene->server.gdb, "^C"), 0);
    scene->server.answer_ms = 0;
    close(fd);
    leave_as_owner(scene, owner);
    end_scene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_read_when_gdb_comes),
        cmocka_unit_test(test_slow_read_when_second_comes),
        cmocka_unit_test(test_slow_removal_of_breakpoints),
        cmocka_unit_test(test_removal_that_fails),
        cmocka_unit_test(test_slow_server_is_not_deaf),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
