/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the reader and the builder of GDB remote packets: every split, every kind of damage. */
#include "unit.h"

#include <gdbmi/rsp.h>

#define MESSAGES_MAX 16
#define TEXT_MAX     512

struct taken {
    size_t count;
    int result; /* of the last feed */
    struct {
        enum gdbmi_rsp_kind kind;
        size_t len;
        char data[TEXT_MAX];
    } messages[MESSAGES_MAX];
};

static void feed(struct gdbmi_rsp_reader *reader, const char *bytes, size_t len,
                 struct taken *taken)
{
    struct gdbmi_rsp_message message;
    size_t used = 0;

    do {
        /* A copy of the exact size, so that a sanitizer sees every byte read beyond it. */
        char *copy = malloc(len + 1);
        memcpy(copy, bytes, len);
        taken->result = gdbmi_rsp_feed(reader, copy, len, &used, &message);
        free(copy);
        assert_true(used <= len);
        if (taken->result == 1) {
            assert_true(taken->count < MESSAGES_MAX && message.len < TEXT_MAX);
            assert_int_equal(message.data[message.len], 0);
            taken->messages[taken->count].kind = message.kind;
            taken->messages[taken->count].len = message.len;
            memcpy(taken->messages[taken->count].data, message.data, message.len + 1);
            taken->count++;
        }
        bytes += used;
        len -= used;
    } while (taken->result == 1);
}

static struct taken read_all(const char *bytes, size_t len)
{
    struct taken taken = {0};
    struct gdbmi_rsp_reader *reader = gdbmi_rsp_reader_new();

    assert_non_null(reader);
    feed(reader, bytes, len, &taken);
    gdbmi_rsp_reader_free(reader);
    return taken;
}

static struct taken read_text(const char *text)
{
    return read_all(text, strlen(text));
}

static void check_same(const struct taken *a, const struct taken *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->result, b->result);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->messages[i].kind, b->messages[i].kind);
        assert_int_equal(a->messages[i].len, b->messages[i].len);
        assert_memory_equal(a->messages[i].data, b->messages[i].data, a->messages[i].len);
    }
}

static void check_one(const char *wire, enum gdbmi_rsp_kind kind, const char *data)
{
    struct taken taken = read_text(wire);

    assert_int_equal(taken.result, 0);
    assert_int_equal(taken.count, 1);
    assert_int_equal(taken.messages[0].kind, kind);
    assert_string_equal(taken.messages[0].data, data);
    assert_int_equal(taken.messages[0].len, strlen(data));
}

static void test_packets(void **state)
{
    check_one("$OK#9a", GDBMI_RSP_PACKET, "OK");
    check_one("$OK#9A", GDBMI_RSP_PACKET, "OK");
    check_one("$#00", GDBMI_RSP_PACKET, "");
    check_one("%Stop:T05#99", GDBMI_RSP_NOTIFICATION, "Stop:T05");
    check_one("+", GDBMI_RSP_ACK, "");
    check_one("-", GDBMI_RSP_NAK, "");
}

static void test_wrong_checksum(void **state)
{
    assert_int_equal(read_text("$OK#9b").messages[0].kind, GDBMI_RSP_BAD);
    assert_int_equal(read_text("$OK#zz").messages[0].kind, GDBMI_RSP_BAD);
    assert_int_equal(read_text("$OL#9a").messages[0].kind, GDBMI_RSP_BAD);
    struct taken taken = read_text("%Stop:T05#00$OK#9a");
    assert_int_equal(taken.count, 1);
    assert_string_equal(taken.messages[0].data, "OK");
}

static void test_escapes_and_runs(void **state)
{
    check_one("$a}\x03z#7b", GDBMI_RSP_BAD, "a#z");
    check_one("$a}\x03z#5b", GDBMI_RSP_PACKET, "a#z");
    check_one("$}]#da", GDBMI_RSP_PACKET, "}");
    check_one("$0* #7a", GDBMI_RSP_PACKET, "0000");
    char run[99];
    memset(run, '0', 98);
    run[98] = '\0';
    check_one("$0*~#d8", GDBMI_RSP_PACKET, run);
    check_one("$1* 2*\"#f9", GDBMI_RSP_PACKET, "1111222222");
}

static void test_run_of_nothing(void **state)
{
    assert_int_equal(read_text("$* #4a").result, -1);
    assert_int_equal(read_text("$0*\x1f#79").result, -1);
    /* Damaged on its way: to be sent again, not the end. */
    assert_int_equal(read_text("$* #4b").messages[0].kind, GDBMI_RSP_BAD);
}

static void test_error_sticks(void **state)
{
    struct gdbmi_rsp_reader *reader = gdbmi_rsp_reader_new();
    struct taken taken = {0};

    feed(reader, "$* #4a", 6, &taken);
    assert_int_equal(taken.result, -1);
    feed(reader, "$OK#9a", 6, &taken);
    assert_int_equal(taken.result, -1);
    assert_int_equal(taken.count, 0);
    gdbmi_rsp_reader_free(reader);
}

static void test_length_is_bounded(void **state)
{
    size_t len = GDBMI_RSP_MAX;
    char *payload = malloc(len + 1);
    char *wire = malloc(2 * len + 8);
    struct gdbmi_rsp_message message;
    size_t used = 0;

    memset(payload, 'x', len + 1);
    for (size_t extra = 0; extra < 2; extra++) {
        struct gdbmi_rsp_reader *reader = gdbmi_rsp_reader_new();
        size_t wire_len = gdbmi_rsp_build(payload, len + extra, wire, 2 * len + 8);
        assert_int_equal(wire_len, len + extra + 4);
        int result = gdbmi_rsp_feed(reader, wire, wire_len, &used, &message);
        assert_int_equal(result, extra == 0 ? 1 : -1);
        gdbmi_rsp_reader_free(reader);
    }
    free(payload);
    free(wire);
}

static void test_garbage_between_packets(void **state)
{
    struct gdbmi_rsp_reader *reader = gdbmi_rsp_reader_new();
    struct taken taken = {0};

    feed(reader, "HTTP/1.1 400\r\n$OK#9a", 20, &taken);
    assert_int_equal(taken.count, 1);
    assert_int_equal(gdbmi_rsp_skipped(reader), 14);
    assert_false(gdbmi_rsp_inside(reader));
    feed(reader, "$OK#9", 5, &taken);
    assert_true(gdbmi_rsp_inside(reader));
    gdbmi_rsp_reader_free(reader);
}

static void test_packet_inside_a_packet(void **state)
{
    check_one("$T05thr$OK#9a", GDBMI_RSP_PACKET, "OK");
}

static const char long_wire[] = "+$O48656c6c6f0a#85-+$0* }\x03"
                                "a#5b%Stop:T02#96junk$OK#9a"
                                "$E01#a6$m}\x04"
                                "1,2#7d$0*!#7b+";

static void test_every_split(void **state)
{
    size_t len = sizeof(long_wire) - 1;
    struct taken whole = read_all(long_wire, len);

    assert_int_equal(whole.result, 0);
    assert_int_equal(whole.count, 11);
    for (size_t first = 0; first <= len; first++) {
        for (size_t second = first; second <= len; second++) {
            struct gdbmi_rsp_reader *reader = gdbmi_rsp_reader_new();
            struct taken taken = {0};
            feed(reader, long_wire, first, &taken);
            feed(reader, long_wire + first, second - first, &taken);
            feed(reader, long_wire + second, len - second, &taken);
            check_same(&taken, &whole);
            gdbmi_rsp_reader_free(reader);
        }
    }
}

static void test_build_and_read_back(void **state)
{
    unsigned char payload[256];
    char wire[2 * sizeof(payload) + 4];

    for (size_t i = 0; i < sizeof(payload); i++)
        payload[i] = (unsigned char)i;
    size_t len = gdbmi_rsp_build(payload, sizeof(payload), wire, sizeof(wire));
    assert_int_equal(len, 256 + 4 + 4);
    struct taken taken = read_all(wire, len);
    assert_int_equal(taken.count, 1);
    assert_int_equal(taken.messages[0].kind, GDBMI_RSP_PACKET);
    assert_int_equal(taken.messages[0].len, sizeof(payload));
    assert_memory_equal(taken.messages[0].data, payload, sizeof(payload));
}

static void test_build_at_every_capacity(void **state)
{
    for (size_t capacity = 0; capacity < 12; capacity++) {
        char *out = malloc(capacity + 1);
        size_t len = gdbmi_rsp_build("a#b$", 4, out, capacity);
        assert_int_equal(len, capacity < 10 ? 0 : 10);
        if (len != 0)
            assert_memory_equal(out, "$a}\003b}\004#c4", 10);
        free(out);
    }
}

static void test_hex(void **state)
{
    const unsigned char bytes[] = {0x00, 0x7f, 0xa5, 0xff};
    unsigned char back[4] = {0};
    char text[9];

    gdbmi_rsp_hex(bytes, sizeof(bytes), text);
    assert_string_equal(text, "007fa5ff");
    assert_int_equal(gdbmi_rsp_unhex("007FA5ff", 8, back, 4), 4);
    assert_memory_equal(back, bytes, 4);
    assert_int_equal(gdbmi_rsp_unhex("", 0, back, 4), 0);
    assert_int_equal(gdbmi_rsp_unhex("123", 3, back, 4), -1);
    assert_int_equal(gdbmi_rsp_unhex("1g", 2, back, 4), -1);
    assert_int_equal(gdbmi_rsp_unhex("0102", 4, back, 1), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packets),
        cmocka_unit_test(test_wrong_checksum),
        cmocka_unit_test(test_escapes_and_runs),
        cmocka_unit_test(test_run_of_nothing),
        cmocka_unit_test(test_error_sticks),
        cmocka_unit_test(test_length_is_bounded),
        cmocka_unit_test(test_garbage_between_packets),
        cmocka_unit_test(test_packet_inside_a_packet),
        cmocka_unit_test(test_every_split),
        cmocka_unit_test(test_build_and_read_back),
        cmocka_unit_test(test_build_at_every_capacity),
        cmocka_unit_test(test_hex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
