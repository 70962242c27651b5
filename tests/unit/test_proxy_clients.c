/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who comes to the proxy's port: one who says nothing, a second one, one who does not read. */
#include <sys/socket.h>
#include <unistd.h>

#include "unit.h"

#include "clock.h"
#include "fake_clock.h"
#include "proxy_clients_checks.h"
#include "proxy_sides.h"

static void check_dropped(struct scene *scene, int fd, uint64_t limit_ms)
{
    assert_string_equal(hear(fd), "EOF");
    assert_in_range(fake_clock_passed_ms(), 1, limit_ms);
    assert_true(scene->server.gdb.running);
    close(fd);
    fd = come(scene);
    must_be_served(scene, fd);
    close(fd);
    proxy_serve_turn(&scene->serving);
}

static void test_who_says_nothing(void **state)
{
    struct scene *scene = start_scene();

    int fd = come(scene);
    proxy_serve_turn(&scene->serving);
    check_dropped(scene, fd, FIRST_MS);
    end_scene(scene);
}

/* The core is not halted for him. */
static void test_who_says_half_a_packet(void **state)
{
    struct scene *scene = start_scene();

    int fd = come(scene);
    say(fd, "+$qSupp");
    proxy_serve_turn(&scene->serving);
    proxy_serve_turn(&scene->serving);
    check_dropped(scene, fd, FIRST_MS);
    end_scene(scene);
}

static void test_who_drips(void **state)
{
    struct scene *scene = start_scene();

    int fd = come(scene);
    for (int i = 0; i < FIRST_MS / 1000; i++) {
        say(fd, "+");
        proxy_serve_turn(&scene->serving);
        fake_clock_pass(1000);
    }
    proxy_serve_turn(&scene->serving);
    check_dropped(scene, fd, FIRST_MS);
    end_scene(scene);
}

/* In pieces, and with what follows it in the same write. */
static void test_first_packet(void **state)
{
    struct scene *scene = start_scene();
    static const char *const pieces[] = {"+", "$qSup", "ported:x#", "e", "9+$qC#b4"};

    int fd = come(scene);
    for (size_t i = 0; i < COUNT(pieces); i++) {
        assert_true(scene->server.gdb.running);
        say(fd, pieces[i]);
        proxy_serve_turn(&scene->serving);
    }
    proxy_serve_turn(&scene->serving);
    assert_false(scene->server.gdb.running);
    assert_int_equal(fake_gdb_count(&scene->server.gdb, "qSupported:x"), 1);
    assert_int_equal(fake_gdb_count(&scene->server.gdb, "qC"), 1);
    assert_non_null(strstr(hear(fd), "PacketSize="));
    close(fd);
    end_scene(scene);
}

/* gdb shows the text of an error that answers its first packet. */
static void test_second_is_told(void **state)
{
    struct scene *scene = start_scene();

    int first = come(scene);
    must_be_served(scene, first);
    int second = come(scene);
    assert_true(scene->serving.clients.refused);
    say(second, "+" HELLO);
    proxy_serve_turn(&scene->serving);
    assert_string_equal(hear(second), "+$E.another gdb is attached to this port#cbEOF");
    close(second);
    proxy_serve_turn(&scene->serving);
    assert_int_equal(scene->serving.clients.going_count, 0);
    must_be_served(scene, first);
    close(first);
    end_scene(scene);
}

/* Whoever is to go does not stay, and does not keep the gdb from being served. */
static void test_many_others(void **state)
{
    struct scene *scene = start_scene();
    int others[10];

    int first = come(scene);
    must_be_served(scene, first);
    uint64_t since = fake_clock_passed_ms();
    for (size_t i = 0; i < 10; i++)
        others[i] = come(scene);
    must_be_served(scene, first);
    while (scene->serving.clients.going_count > 0)
        proxy_serve_turn(&scene->serving);
    assert_in_range(fake_clock_passed_ms() - since, 1, GOING_MS);
    for (size_t i = 0; i < 10; i++) {
        assert_string_equal(hear(others[i]), "EOF");
        close(others[i]);
    }
    must_be_served(scene, first);
    close(first);
    end_scene(scene);
}

/* What is owed to him is bounded. */
static void test_who_reads_nothing(void **state)
{
    struct scene *scene = start_scene();
    const struct buffer *owed = &scene->serving.proxy.to_gdb;
    size_t most = 0;

    int fd = come(scene);
    must_be_served(scene, fd);
    for (int i = 0; i < 20000 && scene->serving.clients.gdb_fd >= 0; i++) {
        ask(fd, "m20000000,100");
        proxy_serve_turn(&scene->serving);
        most = owed->len > most ? owed->len : most;
    }
    assert_int_equal(scene->serving.clients.gdb_fd, -1);
    assert_in_range(most, 1, OWED_MAX + 4096);
    assert_in_range(owed->capacity, 1, 4 * OWED_MAX);
    close(fd);
    end_scene(scene);
}

/* And the time is, where little is owed; that has nothing to do with the time of a read of ours. */
static void test_who_stops_reading(void **state)
{
    struct scene *scene = start_scene();

    int fd = come(scene);
    must_be_served(scene, fd);
    uint64_t before = clock_limit_begin(10);
    while (scene->serving.proxy.to_gdb.len == 0) {
        ask(fd, "m20000000,100");
        proxy_serve_turn(&scene->serving);
    }
    clock_limit_end(before);
    uint64_t since = fake_clock_passed_ms();
    for (int i = 0; i < 10 && scene->serving.clients.gdb_fd >= 0; i++)
        proxy_serve_turn(&scene->serving);
    assert_int_equal(scene->serving.clients.gdb_fd, -1);
    assert_in_range(fake_clock_passed_ms() - since, UNREAD_MS - 1, UNREAD_MS + 1);
    close(fd);
    end_scene(scene);
}

/* Who reads a little is served on. */
static void test_who_reads_slowly(void **state)
{
    struct scene *scene = start_scene();
    char bytes[65536];

    int fd = come(scene);
    must_be_served(scene, fd);
    while (scene->serving.proxy.to_gdb.len < sizeof(bytes)) {
        ask(fd, "m20000000,100");
        proxy_serve_turn(&scene->serving);
    }
    while (scene->serving.proxy.to_gdb.len > 0) {
        fake_clock_pass(UNREAD_MS - 1000);
        assert_true(recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0);
        proxy_serve_turn(&scene->serving);
        assert_true(scene->serving.clients.gdb_fd >= 0);
    }
    close(fd);
    end_scene(scene);
}

/* While we hold the core, its server begins to answer nonsense: it is let go all the same. */
static void test_held_when_answers_are_useless(void **state)
{
    struct scene *scene = start_scene();
    struct proxy *proxy = &scene->serving.proxy;
    int fd = come(scene);

    must_be_served(scene, fd);
    ask(fd, "c");
    for (int i = 0; i < 10 && !scene->server.gdb.running; i++)
        proxy_serve_turn(&scene->serving);
    assert_true(scene->server.gdb.running && proxy->session);
    scene->server.gdb.running = false;
    proxy->held = true;
    proxy->hold_until_ns = clock_deadline(1000);
    gdbmi_error_set(&proxy->error, GDBMI_EPROTOCOL, "nonsense");
    proxy_serve_turn(&scene->serving);
    assert_true(scene->server.gdb.running);
    assert_false(proxy->held);
    close(fd);
    end_scene(scene);
}

/* What a gdb asks while it has to wait, and what a server says that nobody asked for. */
static void test_floods_are_bounded(void **state)
{
    const char packet[] = "$m20000000,100#ac";
    struct proxy proxy;
    unsigned count = 0;

    proxy_init(&proxy, "fake:3333", 2000);
    proxy_gdb_begin(&proxy);
    proxy.turn = true;
    for (; !proxy.gdb_broken && count < 10 * OWED_MAX; count++) {
        proxy_feed_gdb(&proxy, packet, sizeof(packet) - 1, 0);
        proxy.to_gdb.len = 0;
    }
    assert_true(proxy.gdb_broken);
    assert_in_range(proxy.waiting.len, 1, OWED_MAX + sizeof(packet));
    proxy_gdb_gone(&proxy);
    proxy_end_turn(&proxy);
    proxy_start_sync(&proxy, 1000);
    for (count = 0; proxy.error.code == GDBMI_OK && count < 10 * OWED_MAX; count++) {
        proxy_feed_server(&proxy, packet, sizeof(packet) - 1, 0);
        proxy.to_server.len = 0;
    }
    assert_int_equal(proxy.error.code, GDBMI_EPROTOCOL);
    assert_in_range(proxy.collected.len, 1, 5 * OWED_MAX);
    proxy_free(&proxy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_says_nothing),
        cmocka_unit_test(test_who_says_half_a_packet),
        cmocka_unit_test(test_who_drips),
        cmocka_unit_test(test_first_packet),
        cmocka_unit_test(test_second_is_told),
        cmocka_unit_test(test_many_others),
        cmocka_unit_test(test_who_reads_nothing),
        cmocka_unit_test(test_who_stops_reading),
        cmocka_unit_test(test_who_reads_slowly),
        cmocka_unit_test(test_floods_are_bounded),
        cmocka_unit_test(test_held_when_answers_are_useless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
