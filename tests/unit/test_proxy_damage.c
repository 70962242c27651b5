/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proxy on lines with acks: damaged packets are sent again, and damage that stays ends it. */
#include "unit.h"

#include "proxy_table.h"

static void test_acks(void **state)
{
    struct table t;

    open_with_acks(&t, 1);
    say(&t, GDB, "qC");
    hears(&t, GDB, "~+", NULL);
    hears(&t, SERVER, "qC", NULL);
    say(&t, SERVER, "~+");
    quiet(&t);
    say(&t, SERVER, "QC1");
    hears(&t, SERVER, "~+", NULL);
    hears(&t, GDB, "QC1", NULL);
    say(&t, GDB, "~+");
    quiet(&t);
    /* The seat's acks are the server's own: it measures by them when the server heard it. */
    assert_true(proxy_begin_turn(&t.proxy));
    say(&t, SEAT, "m20,4");
    hears(&t, SEAT, NULL);
    say(&t, SERVER, "~+");
    hears(&t, SEAT, "~+", NULL);
    say(&t, SERVER, "0102");
    hears(&t, SERVER, "m20,4", "~+", NULL);
    hears(&t, SEAT, "0102", NULL);
    say(&t, SEAT, "~+");
    proxy_end_turn(&t.proxy);
    close_table(&t);
}

static void test_damage(void **state)
{
    struct table t;

    open_with_acks(&t, 3);
    say(&t, GDB, "~$qC#00");
    hears(&t, GDB, "~-", NULL);
    hears(&t, SERVER, NULL);
    say(&t, GDB, "qC");
    hears(&t, GDB, "~+", NULL);
    hears(&t, SERVER, "qC", NULL);
    say(&t, SERVER, "~-");
    hears(&t, SERVER, "qC", NULL);
    say(&t, SERVER, "~+$QC1#00");
    hears(&t, SERVER, "~-", NULL);
    say(&t, SERVER, "QC1");
    hears(&t, SERVER, "~+", NULL);
    hears(&t, GDB, "QC1", NULL);
    say(&t, GDB, "~-");
    hears(&t, GDB, "QC1", NULL);
    say(&t, GDB, "~+");
    close_table(&t);
}

static void test_damage_ends(void **state)
{
    struct table t;

    open_with_acks(&t, 3);
    for (int i = 0; i < 4; i++)
        say(&t, SERVER, "~$QC1#00");
    assert_int_equal(t.proxy.error.code, GDBMI_EPROTOCOL);
    proxy_free(&t.proxy);
    open_with_acks(&t, 3);
    say(&t, GDB, "qC");
    for (int i = 0; i < 4; i++)
        say(&t, SERVER, "~-");
    assert_int_equal(t.proxy.error.code, GDBMI_EPROTOCOL);
    proxy_free(&t.proxy);
    open_with_acks(&t, 3);
    say(&t, SERVER, "T05");
    for (int i = 0; i < 4; i++)
        say(&t, GDB, "~-");
    assert_true(t.proxy.gdb_broken);
    proxy_free(&t.proxy);
}

/* A packet that never ends is no packet. */
static void test_endless(void **state)
{
    static char junk[300000];
    struct table t;

    memset(junk, 'x', sizeof(junk));
    junk[0] = '$';
    open_with_acks(&t, 4096);
    feed(&t, GDB, junk, sizeof(junk));
    assert_true(t.proxy.gdb_broken);
    feed(&t, SERVER, junk, sizeof(junk));
    assert_int_equal(t.proxy.error.code, GDBMI_EPROTOCOL);
    proxy_free(&t.proxy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_acks),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_damage_ends),
        cmocka_unit_test(test_endless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
