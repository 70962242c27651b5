/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stops that come between what the program asks for and what the gdb does. */
#include <unistd.h>

#include "unit.h"

#include "proxy_clients_checks.h"
#include "proxy_sides.h"

/* A gdb has let a core run that is read by halts. */
static struct scene *start_running(int *gdb, int *owner)
{
    struct scene *scene = start_scene_at(FAKE_QEMU, false);

    *owner = come_as_owner(scene);
    *gdb = come(scene);
    must_be_served(scene, *gdb);
    ask(*gdb, "c");
    proxy_serve_turn(&scene->serving);
    assert_true(scene->server.gdb.running);
    return scene;
}

/* The core is read, halted for that, and let go; the gdb hears nothing of it. */
static void read_and_end(struct scene *scene, int gdb, int owner)
{
    struct proxy_reply reply = ask_as_owner(scene, owner, PROXY_READ);

    assert_int_equal(reply.error.code, GDBMI_OK);
    assert_int_equal(reply.data_len, 4);
    assert_true(scene->serving.proxy.held);
    assert_int_equal(fake_gdb_count(&scene->server.gdb, "^C"), 1);
    assert_null(strchr(hear(gdb), 'T'));
    leave_as_owner(scene, owner);
    assert_true(scene->server.gdb.running);
    close(gdb);
    end_scene(scene);
}

/* A breakpoint, from which the gdb has gone on, while the program waited for its turn: its stop is
 * no answer to the Ctrl-C that follows. */
static void test_stop_before_ours(void **state)
{
    int gdb, owner;
    struct scene *scene = start_running(&gdb, &owner);

    (void)hear(gdb);
    buffer_add(&scene->serving.proxy.to_seat, "$T05#b9", 7);
    read_and_end(scene, gdb, owner);
}

/* The answer to a Ctrl-C for which nobody waited any more comes when the program asks again. */
static void test_late_stop_of_ours(void **state)
{
    int gdb, owner;
    struct scene *scene = start_running(&gdb, &owner);

    (void)hear(gdb);
    scene->serving.proxy.interrupting = true;
    buffer_add(&scene->serving.proxy.to_server, "\003", 1);
    read_and_end(scene, gdb, owner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop_before_ours),
        cmocka_unit_test(test_late_stop_of_ours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
