/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes from QEMU split, damaged, unasked for, or without an end. */
#include "unit.h"
#include <jansson.h>

#include "qmp_checks.h"
#include "qmp_dump.h"
#include "qmp_link.h"

/* As QEMU prints it, and as its pretty form does: objects have no separator but their end. */
static void test_every_split_with_events(void **state)
{
    for (size_t split = 1; split < 80; split++) {
        struct fake_qmp qmp;
        fake_qmp_init(&qmp);
        qmp.stream.split = split;
        qmp.before =
            "\r\n{\n    \"event\": \"RTC_\\\\\\\"}{CHANGE\",\n    \"data\": {\"a\": []}\n}";
        struct gdbmi_link *link = must_open(&qmp);
        check_read(link, RAM + 2, 21);
        check_read(link, RAM + 40, 80);
        must_close(&qmp, link);
    }
}

/* QEMU gives us what it owed to a client that was killed, before and behind its greeting. */
static void test_answers_to_another_client(void **state)
{
    static const char leftover[] = "{\"return\": \"0000000020000000: 0x00000000\", \"id\": 5}\r\n"
                                   "{\"error\": {\"desc\": \"late\"}, \"id\": 6}\r\n";
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    fake_stream_put(&qmp.stream, leftover, strlen(leftover));
    qmp.before = leftover;
    struct gdbmi_link *link = must_open(&qmp);
    check_read(link, RAM, 40);
    must_close(&qmp, link);

    fake_qmp_init(&qmp);
    link = must_open(&qmp);
    qmp.odd_reply = leftover;
    unsigned char byte;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ETIMEOUT);
    must_close(&qmp, link);
}

/* One character of a dump is another one: that is seen, unless it is a digit of a value. */
static void test_damaged_dumps(void **state)
{
    static const char whole[] = "21000000: 0x6672706d 0x01040001 0x00000060 0x00001070\r\n"
                                "21000010: 0x000002fb 0x00000000\r\n";
    static const char others[] = "0123456789abcdefABx: \r\nCz";
    unsigned char bytes[24];
    char text[sizeof(whole) + 8];

    assert_int_equal(qmp_dump_take(whole, 0x21000000, 6, false, bytes), QMP_DUMP_OK);
    assert_memory_equal(bytes, "mprf\x01\0\x04\x01", 8);
    for (size_t i = 0; i < sizeof(whole) - 1; i++) {
        for (const char *other = others; *other != '\0'; other++) {
            size_t column = i % 55;
            bool value = column >= 12 && (column - 10) % 11 >= 2 && (column - 10) % 11 < 10;
            bool digit = strchr("0123456789abcdef", *other) != NULL;
            memcpy(text, whole, sizeof(whole));
            text[i] = *other;
            bool same = *other == whole[i];
            enum qmp_dump expected = same || (value && digit) ? QMP_DUMP_OK : QMP_DUMP_DAMAGED;
            if (qmp_dump_take(text, 0x21000000, 6, false, bytes) != expected)
                fail_msg("'%c' at %zu", *other, i);
        }
    }
    for (size_t len = 0; len < sizeof(whole) - 1; len++) {
        memcpy(text, whole, sizeof(whole));
        text[len] = '\0'; /* cut */
        assert_int_equal(qmp_dump_take(text, 0x21000000, 6, false, bytes), QMP_DUMP_DAMAGED);
        memcpy(text, whole, sizeof(whole)); /* without one character */
        memmove(text + len, text + len + 1, sizeof(whole) - len - 1);
        assert_int_equal(qmp_dump_take(text, 0x21000000, 6, false, bytes), QMP_DUMP_DAMAGED);
    }
    assert_int_equal(qmp_dump_take(whole, 0x21000000, 4, false, bytes), QMP_DUMP_DAMAGED);
    assert_int_equal(qmp_dump_take(whole, 0x21000000, 5, false, bytes), QMP_DUMP_DAMAGED);
    assert_int_equal(qmp_dump_take(whole, 0x21000000, 7, false, bytes), QMP_DUMP_DAMAGED);
    assert_int_equal(qmp_dump_take(whole, 0x21000004, 6, false, bytes), QMP_DUMP_DAMAGED);
}

static void check_odd_reply(const char *reply, const char *dump, enum gdbmi_code code,
                            const char *text)
{
    struct fake_qmp qmp;
    unsigned char byte = 0xee;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.odd_reply = reply;
    qmp.odd_dump = dump;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), code);
    check_text(gdbmi_link_error(link)->text, text);
    assert_int_equal(byte, 0xee);
    qmp.odd_reply = qmp.odd_dump = NULL;
    if (code == GDBMI_ETARGET)
        check_read(link, RAM, 8);
    else /* it sticks */
        assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), code);
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    fake_qmp_free(&qmp);
}

static void test_odd_answers(void **state)
{
    check_odd_reply("{\"return\": \"\", \"id\": @}", NULL, GDBMI_EPROTOCOL,
                    "does not match the command");
    check_odd_reply("{\"return\": \"\"}", NULL, GDBMI_EPROTOCOL, "does not match the command");
    check_odd_reply("{\"id\": #}", NULL, GDBMI_EPROTOCOL, "does not match the command");
    check_odd_reply("{\"return\": \"\", \"error\": {}, \"id\": #}", NULL, GDBMI_EPROTOCOL,
                    "does not match the command");
    check_odd_reply("{\"return\": 5, \"id\": #}", NULL, GDBMI_EPROTOCOL, "unexpected answer for");
    check_odd_reply("{\"return\"; \"\", \"id\": #}", NULL, GDBMI_EPROTOCOL, "not a QMP port");
    check_odd_reply("{\"return\": \"\xff\", \"id\": #}", NULL, GDBMI_EPROTOCOL, "not a QMP port");
    check_odd_reply("#", NULL, GDBMI_EPROTOCOL, "not a QMP port");
    check_odd_reply("{\"return\": {\"id\": #}", NULL, GDBMI_ETIMEOUT, "did not answer within 2 s");
    check_odd_reply("{\"error\": {\"desc\": \"Bad \\u001b[31m luck\"}, \"id\": #}", NULL,
                    GDBMI_ETARGET, "QEMU says: Bad");
    check_odd_reply("{\"error\": {}, \"id\": #}", NULL, GDBMI_ETARGET, "no reason");
    check_odd_reply(NULL, "unknown command: 'xp'\r\n", GDBMI_EPROTOCOL, "unknown command: 'xp'");
    check_odd_reply(NULL, "", GDBMI_EPROTOCOL, "unexpected answer for");
}

/* An allocator for jansson that sees each value that is released once too often, whatever the
 * build: released blocks stay, with one reference more, so that the next release frees them again.
 */
struct block {
    struct block *next;
    bool freed;
    union {
        json_t json;
        max_align_t align;
    } value;
};

static struct block *blocks;
static unsigned freed_twice;

static void *watched_malloc(size_t size)
{
    struct block *block = calloc(1, sizeof(*block) + size);

    assert_non_null(block);
    block->next = blocks;
    blocks = block;
    return &block->value;
}

static void watched_free(void *value)
{
    struct block *block = NULL;

    if (value != NULL)
        block = (struct block *)((char *)value - offsetof(struct block, value));
    if (block == NULL)
        return;
    freed_twice += block->freed;
    block->freed = true;
    block->value.json = (json_t){.type = JSON_INTEGER, .refcount = 1};
}

static void check_blocks(void)
{
    while (blocks != NULL) {
        struct block *block = blocks;
        assert_true(block->freed);
        blocks = block->next;
        free(block);
    }
    assert_int_equal(freed_twice, 0);
}

static void check_end_before_greeting(const char *before, bool closed)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    fake_stream_put(&qmp.stream, before, strlen(before));
    qmp.greeting = "";
    qmp.stream.closed = closed;
    json_set_alloc_funcs(watched_malloc, watched_free);
    check_refused(&qmp, NULL, closed ? GDBMI_ECLOSED : GDBMI_ETIMEOUT, "");
    json_set_alloc_funcs(malloc, free);
    check_blocks();
}

/* What comes before the greeting is released once, if no greeting follows. */
static void test_end_before_greeting(void **state)
{
    for (int closed = 0; closed < 2; closed++) {
        check_end_before_greeting("{\"event\": \"RESUME\"}\r\n", closed);
        check_end_before_greeting("{\"return\": {}, \"id\": 5}\r\n", closed);
        check_end_before_greeting("{\"event\": \"STOP\"}{\"error\": {}, \"id\": 6}", closed);
    }
}

static void test_flood_of_events(void **state)
{
    struct fake_qmp qmp;
    unsigned char byte;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    link->timeout_ms = ((struct qmp_link *)link)->port.timeout_ms = 50;
    qmp.silent_at = "human-monitor-command";
    qmp.stream.flood = "{\"event\": \"VNC\"}\r\n";
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ETIMEOUT);
    qmp.stream.flood = "{\"a\": \"";
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    fake_qmp_free(&qmp);
}

/* An answer without an end is not collected for ever. */
static void test_endless_answer(void **state)
{
    struct fake_qmp qmp;
    unsigned char byte;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.odd_reply = "{\"id\": #, \"return\": \"";
    qmp.stream.flood = "000000000000000000000000000000000000";
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_EPROTOCOL);
    check_text(gdbmi_link_error(link)->text, "the answer is too long");
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    fake_qmp_free(&qmp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_split_with_events),
        cmocka_unit_test(test_answers_to_another_client),
        cmocka_unit_test(test_damaged_dumps),
        cmocka_unit_test(test_odd_answers),
        cmocka_unit_test(test_end_before_greeting),
        cmocka_unit_test(test_flood_of_events),
        cmocka_unit_test(test_endless_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
