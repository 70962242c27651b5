/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proxy when memory runs out: nobody gets a stream with bytes missing in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proxy_table.h"

#define SIDES     3
#define HEARD_MAX 65536
#define NEVER     SIZE_MAX

static size_t allocations_left = NEVER;
static bool once; /* memory is there again after one failure */

void *__real_realloc(void *bytes, size_t size);
void *__wrap_realloc(void *bytes, size_t size);

void *__wrap_realloc(void *bytes, size_t size)
{
    if (allocations_left == 0) {
        allocations_left = once ? NEVER : 0;
        return NULL;
    }
    allocations_left -= allocations_left != NEVER;
    return __real_realloc(bytes, size);
}

static char long_read[3000];

struct step {
    enum side from;
    const char *text;
};

/* The seat halts the core unseen by gdb, reads, and lets it run; gdb asks and stops it. */
static const struct step talk[] = {
    {GDB, "Z0,100,2"}, {SERVER, "OK"},         {GDB, RUN},        {SEAT, "~\003"},
    {SERVER, "T02"},   {SEAT, "m20,5dc"},      {GDB, "~\003"},    {SERVER, long_read},
    {GDB, "m20,5dc"},  {SERVER, long_read},    {GDB, RUN},        {SERVER, "T05"},
    {GDB, "g"},        {SERVER, "~$bad#00"},   {GDB, "qRcmd,61"}, {SERVER, "O6869"},
    {SERVER, "OK"},    {GDB, "X0,3:}\003}]}"}, {SERVER, "OK"},
};

struct heard {
    char bytes[SIDES][HEARD_MAX];
    size_t len[SIDES];
    struct gdbmi_error error;
    bool gdb_broken;
};

static void hear(struct table *t, struct heard *heard)
{
    for (int side = 0; side < SIDES; side++) {
        struct buffer *bytes = out(t, (enum side)side);
        assert_true(bytes->len <= HEARD_MAX - heard->len[side]);
        if (bytes->len > 0)
            memcpy(heard->bytes[side] + heard->len[side], bytes->data, bytes->len);
        heard->len[side] += bytes->len;
        bytes->len = 0;
    }
}

/* Until the proxy gives up. What a side says is made before memory is short. */
static void play(struct heard *heard, size_t allocations)
{
    struct buffer said[sizeof(talk) / sizeof(talk[0])];
    struct table t;

    memset(long_read, '7', sizeof(long_read) - 1);
    memset(heard, 0, sizeof(*heard));
    memset(said, 0, sizeof(said));
    for (size_t i = 0; i < sizeof(talk) / sizeof(talk[0]); i++) {
        if (talk[i].text[0] == '~')
            assert_true(buffer_add(&said[i], talk[i].text + 1, strlen(talk[i].text + 1)));
        else
            proxy_packet_add(&said[i], talk[i].text);
    }
    open_table(&t, 4096, RSP_SERVER_OPENOCD, true);
    allocations_left = allocations;
    for (size_t i = 0; i < sizeof(talk) / sizeof(talk[0]); i++) {
        if (talk[i].from == SEAT && !t.proxy.turn)
            (void)proxy_begin_turn(&t.proxy);
        feed(&t, talk[i].from, said[i].data, said[i].len);
        if (t.proxy.turn && talk[i].from == SERVER && t.proxy.seat_out == 0 &&
            !t.proxy.interrupting)
            proxy_end_turn(&t.proxy);
        t.now += MS;
        proxy_tick(&t.proxy, t.now);
        if (t.proxy.error.code != GDBMI_OK || t.proxy.gdb_broken)
            break;
        hear(&t, heard);
    }
    allocations_left = NEVER;
    heard->error = t.proxy.error;
    heard->gdb_broken = t.proxy.gdb_broken;
    proxy_free(&t.proxy);
    for (size_t i = 0; i < sizeof(talk) / sizeof(talk[0]); i++)
        buffer_free(&said[i]);
}

static bool is_beginning(const struct heard *part, const struct heard *whole)
{
    for (int side = 0; side < SIDES; side++) {
        if (part->len[side] > whole->len[side] ||
            memcmp(part->bytes[side], whole->bytes[side], part->len[side]) != 0)
            return false;
    }
    return true;
}

static void check_each_failure(void)
{
    static struct heard whole, part;
    size_t given_up = 0;

    play(&whole, NEVER);
    assert_int_equal(whole.error.code, GDBMI_OK);
    assert_true(whole.len[SEAT] > sizeof(long_read));
    for (size_t allocations = 0;; allocations++) {
        play(&part, allocations);
        assert_true(is_beginning(&part, &whole));
        if (part.error.code == GDBMI_OK && !part.gdb_broken) {
            /* What is not kept to be sent again is nobody's loss: all was heard. */
            for (int side = 0; side < SIDES; side++)
                assert_int_equal(part.len[side], whole.len[side]);
            break;
        }
        if (!part.gdb_broken) {
            assert_int_equal(part.error.code, GDBMI_ENOMEM);
            assert_string_equal(part.error.text, "fake:1: out of memory");
        }
        given_up++;
    }
    print_message("counted: %zu allocations of the proxy failed\n", given_up);
    assert_true(given_up > 5);
}

static void test_connections_end_when_no_memory_comes_back(void **state)
{
    (void)state;
    once = false;
    check_each_failure();
}

static void test_connections_end_after_one_failure(void **state)
{
    (void)state;
    once = true;
    check_each_failure();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connections_end_when_no_memory_comes_back),
        cmocka_unit_test(test_connections_end_after_one_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
