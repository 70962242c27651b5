/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reader of GDB/MI on lines that are split anywhere, too long, broken or damaged. */
#include "unit.h"

#include "mi_log.h"

/* None of these is taken for a record, and the lines behind them are read. */
static void test_broken_lines(void **state)
{
    static const char *const lines[] = {"^",
                                        "^,a=\"1\"",
                                        "^done,",
                                        "^done,a",
                                        "^done,a=",
                                        "^done a",
                                        "^done,a=b",
                                        "^done,a=\"1",
                                        "^done,a=\"1\"x",
                                        "^done,a={",
                                        "^done,a=[}",
                                        "^done,a={]",
                                        "^done,a=\"1\"}",
                                        "^done,a={\"1\",}",
                                        "^done,=\"1\"",
                                        "^done,a=1",
                                        "^done,,",
                                        "~\"",
                                        "~x",
                                        "~\"\\q\"",
                                        "~\"\\400\"",
                                        "~\"\\x\"",
                                        "~\"a\" ",
                                        "~\"a\"b",
                                        "1~\"a\"",
                                        "(gdb",
                                        "(gdb)x",
                                        " (gdb)",
                                        "x=1",
                                        "17",
                                        "hello",
                                        "^\"done\"",
                                        "~\"\\",
                                        "^done,a=[\"1\" ,\"2\"]",
                                        "18446744073709551616^done",
                                        "^done,a=\"1\",",
                                        "*{",
                                        "^done,a=]"};
    char wire[160];
    char expected[160];

    for (size_t i = 0; i < COUNT(lines); i++) {
        snprintf(wire, sizeof(wire), "%s\n1^done\n", lines[i]);
        snprintf(expected, sizeof(expected), "?%s\n^#1done\n", lines[i]);
        check_log(wire, expected);
    }
    static struct taken taken;
    read_all("(gdb)\0\n^done\0,a=\"1\"\n", 21, &taken);
    assert_string_equal(taken.log, "?(gdb)\\000\n?^done\\000,a=\"1\"\n");
}

static void test_other_lines_are_cut(void **state)
{
    static struct taken taken;
    char line[1000];

    memset(line, 'x', sizeof(line));
    line[sizeof(line) - 1] = '\n';
    read_all(line, sizeof(line), &taken);
    assert_int_equal(taken.len, GDBMI_MI_OTHER_MAX + 2);
}

/* Feeds prefix, then the same text count times, then suffix. */
static int feed_many(const char *prefix, const char *text, size_t count, const char *suffix)
{
    struct gdbmi_mi_reader *reader = gdbmi_mi_reader_new();
    struct gdbmi_mi_message message;
    size_t used;

    int result = gdbmi_mi_feed(reader, prefix, strlen(prefix), &used, &message);
    for (size_t i = 0; i < count && result == 0; i++)
        result = gdbmi_mi_feed(reader, text, strlen(text), &used, &message);
    if (result == 0)
        result = gdbmi_mi_feed(reader, suffix, strlen(suffix), &used, &message);
    if (result == -1) {
        assert_int_equal(gdbmi_mi_feed(reader, "\n^done\n", 7, &used, &message), -1);
        assert_int_equal(used, 0);
    }
    gdbmi_mi_reader_free(reader);
    return result;
}

static void test_limits(void **state)
{
    char closing[GDBMI_MI_DEPTH_MAX + 3];

    memset(closing, ']', sizeof(closing));
    memcpy(closing + GDBMI_MI_DEPTH_MAX, "\n", 2);
    assert_int_equal(feed_many("^done,", "[", GDBMI_MI_DEPTH_MAX, closing), 1);
    memcpy(closing + GDBMI_MI_DEPTH_MAX, "]\n", 3);
    assert_int_equal(feed_many("^done,", "[", GDBMI_MI_DEPTH_MAX + 1, closing), -1);
    assert_int_equal(feed_many("^done", ",\"\"", GDBMI_MI_VALUES_MAX, "\n"), 1);
    assert_int_equal(feed_many("^done", ",\"\"", GDBMI_MI_VALUES_MAX + 1, "\n"), -1);
    assert_int_equal(feed_many("~\"", "x", GDBMI_MI_LINE_MAX - 3, "\"\n"), 1);
    assert_int_equal(feed_many("~\"", "x", GDBMI_MI_LINE_MAX - 2, "\"\n"), -1);
}

static const char session[] =
    "=thread-group-added,id=\"i1\"\r\n"
    "~\"GNU gdb \\\"x\\\"\\n\"\n"
    "(gdb) \n"
    "12^done,memory=[{begin=\"0x20\",offset=\"0x0\",end=\"0x24\",contents=\"01020304\"}]\n"
    "(gdb)\n"
    "hello \xff\n"
    "*stopped,reason=\"signal-received\",frame={args=[],a={b=[c=\"\\303\\0041\"]}}\n"
    "&\"\\t\\\\\"\n"
    "3^error,msg=\"Cannot\"\n";

static void test_every_split(void **state)
{
    static struct taken whole;
    static struct taken taken;
    size_t len = sizeof(session) - 1;

    read_all(session, len, &whole);
    assert_int_equal(whole.result, 0);
    assert_int_equal(whole.count, 9);
    for (size_t first = 0; first <= len; first++) {
        for (size_t second = first; second <= len; second += 1 + (second - first) / 16) {
            struct gdbmi_mi_reader *reader = gdbmi_mi_reader_new();
            taken.len = taken.count = 0;
            feed_reader(reader, session, first, &taken);
            feed_reader(reader, session + first, second - first, &taken);
            feed_reader(reader, session + second, len - second, &taken);
            assert_string_equal(taken.log, whole.log);
            gdbmi_mi_reader_free(reader);
        }
    }
}

/* Lines of a log that are not lines of another: the damage may have made so many. */
static size_t strangers(const char *log, const char *known)
{
    size_t count = 0;

    while (*log != '\0') {
        size_t len = strcspn(log, "\n") + 1;
        const char *at = known;
        while (*at != '\0' && strncmp(at, log, len) != 0)
            at += strcspn(at, "\n") + 1;
        count += *at == '\0';
        log += len;
    }
    return count;
}

/* A byte that is damaged changes its own line (and splits it in two, or joins two): no other. */
static void test_damage_stays_in_its_line(void **state)
{
    static struct taken whole;
    static struct taken taken;
    char wire[sizeof(session)];
    size_t len = sizeof(session) - 1;

    read_all(session, len, &whole);
    for (size_t i = 0; i < len; i++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            memcpy(wire, session, len);
            wire[i] = (char)byte;
            read_all(wire, len, &taken);
            assert_int_equal(taken.result, 0);
            assert_in_range(strangers(taken.log, whole.log), 0, 2);
        }
        memcpy(wire, session, i);
        memcpy(wire + i, session + i + 1, len - i - 1);
        read_all(wire, len - 1, &taken);
        assert_int_equal(taken.result, 0);
        assert_in_range(strangers(taken.log, whole.log), 0, 1);
    }
}

/* What can be told from a sound record is told: a value that lost a part of what frames it is no
 * value. */
static void test_cut_record_is_none(void **state)
{
    static const char record[] = "7^done,a={b=[\"1\",{c=\"2\"}],d=\"x\\n\"}";
    static struct taken taken;
    char wire[sizeof(record) + 1];

    for (size_t len = 1; len < sizeof(record) - 1; len++) {
        snprintf(wire, sizeof(wire), "%.*s\n", (int)len, record);
        read_all(wire, len + 1, &taken);
        /* "7^done" and what is left of the class are records of their own. */
        if (len < 3 || len > 6)
            assert_int_equal(taken.log[0], '?');
    }
    for (size_t i = 0; i < sizeof(record) - 1; i++) {
        if (strchr("{}[]\"=", record[i]) == NULL)
            continue;
        snprintf(wire, sizeof(wire), "%.*s%s\n", (int)i, record, record + i + 1);
        read_all(wire, strlen(wire), &taken);
        assert_int_equal(taken.log[0], '?');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_lines),
        cmocka_unit_test(test_other_lines_are_cut),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_every_split),
        cmocka_unit_test(test_damage_stays_in_its_line),
        cmocka_unit_test(test_cut_record_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
