/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of events in lines of a trace: arguments by their types, structures, marks, tasks. */
#include "trace_line_checks.h"

#include <trace/arguments.h>

static const struct trace_event words_of = {
    .kind = TRACE_CALL,
    .argument_count = 4,
    .arguments = {0xfffffffe, 0xabcd00ff, 10000, 0x80000001}};

/* A function with these parameters. */
static void put_words(const char *parameters, unsigned count, uint64_t task)
{
    struct trace_function f = {.name = parameters, .file = "", .parameters = parameters};
    struct trace_point p = {.callee = 1, .caller_function = TRACE_NO_FUNCTION};
    struct trace_event e = words_of;
    bool added;

    e.argument_count = count;
    e.has_task = task != 0;
    e.task = task;
    assert_true(trace_add_function(points, &f, &p.function));
    p.callee = p.function + 1;
    assert_true(trace_add_point(points, &p, &e.point, &added));
    put(e);
}

static void words(enum view_format format)
{
    const struct trace_point p = {.kind = TRACE_MARK, .callee = 7};
    struct trace_event e = {.kind = TRACE_CALL, .argument_count = 1, .arguments = {9999}};
    bool added;

    begin(format, 1);
    about.addr_size = 4;
    put_words("", 4, 0);
    put_words("(", 2, 0);
    put_words("(i4u1i2p4", 4, 0);
    put_words("(u4i8u4", 4, 0);
    put_words("(i8", 2, 0);
    put_words("(f8r4*", 2, 0);
    put_words("(u4u4", 1, 0x2000abcd);
    put_words("(u4", 0, 5);
    assert_true(trace_add_point(points, &p, &e.point, &added));
    put(e);
}

static void test_words(void **state)
{
    words(FORMAT_TABLE);
    end("           -  ? -> 0x00000001(registers: 0xfffffffe, 0xabcd00ff, 0x2710, 0x80000001)\n"
        "           -  ? -> (()\n"
        "           -  ? -> (i4u1i2p4(-2, 255, 10000, 0x80000001)\n"
        "           -  ? -> (u4i8u4(0xfffffffe, -9223372032559798512, ...)\n"
        "           -  ? -> (i8(-6067192023486562306)\n"
        "           -  ? -> (f8r4*(?, nan, ...)\n"
        "           -  ? -> (u4u4(0xfffffffe, ...)  {task 0x2000abcd}\n"
        "           -  ? -> (u4  {task 0x5}\n"
        "           -  mark 7: 9999\n");
    words(FORMAT_JSON);
    const char *expected[] = {
        "\"registers\":[4294967294, 2882339071, 10000, 2147483649]}",
        "\"arguments\":[]}",
        "\"arguments\":[-2, 255, 10000, 2147483649]}",
        "\"arguments\":[4294967294, -9223372032559798512]}",
        "\"arguments\":[-6067192023486562306]}",
        "\"arguments\":[null, null]}",
        "\"arguments\":[4294967294],\"task\":\"0x2000abcd\"}",
        "\"core\":0,\"task\":\"0x00000005\"}",
        "\"kind\":\"mark\",\"id\":7,\"context\":null,\"core\":0,\"value\":9999}"};
    assert_true(trace_lines_flush(lines));
    const char *at = printed;
    for (size_t i = 0; i < COUNT(expected); i++) {
        const char *line_end = strchr(at, '\n');
        size_t len = strlen(expected[i]);
        assert_non_null(line_end);
        assert_true((size_t)(line_end - at) >= len);
        assert_memory_equal(line_end - len, expected[i], len);
        at = line_end + 1;
    }
    end(NULL);
}

/* Adds a name of one value, or of several. */
static void name(uint32_t type, uint64_t first, uint64_t size, const char *text)
{
    const struct trace_name n = {.type = type, .first = first, .size = size, .text = text};

    assert_true(trace_add_name(points, &n));
}

/* Puts an entry of a function whose parameters have the same type. */
static void put_typed(const char *parameters, uint32_t type, uint64_t a, uint64_t b)
{
    struct trace_function f = {.name = "", .file = "", .parameters = parameters};
    struct trace_point p = {.caller_function = TRACE_NO_FUNCTION};
    struct trace_event e = {.kind = TRACE_CALL, .argument_count = 2, .arguments = {a, b}};
    bool added;

    f.addr = trace_functions_count(points) + 1;
    f.types[0] = f.types[1] = type;
    p.callee = f.addr;
    assert_true(trace_add_function(points, &f, &p.function));
    assert_true(trace_add_point(points, &p, &e.point, &added));
    put(e);
}

static void put_all_types(enum view_format format)
{
    static const char longest[] = "0123456789abcdefghijklmnopqrs\xe2\x82\xac";
    char longer[sizeof(longest) + 1];

    snprintf(longer, sizeof(longer), "+%s", longest);
    begin(format, 1);
    about.addr_size = 4;
    name(TRACE_ENUM, 1, 1, "RED");
    name(TRACE_ENUM, 2, 1, "");
    name(TRACE_ENUM + 1, 2, 1, "of another one");
    name(TRACE_ADDRESS, 0x20000000, 16, "buffer");
    name(TRACE_ADDRESS, 0x8001, 3, "data");
    name(TRACE_THUMB, 0x9000, 8, "handler");
    name(TRACE_STRING, 0x100, 1, "a\n\"\\\x1b\xff");
    name(TRACE_STRING, 0x101, 1, longest);
    name(TRACE_STRING, 0x102, 1, longer);
    name(TRACE_NOW, 0x20000004, 1, "now");
    name(TRACE_GONE, 0x20000010, 1, "");
    put_typed("(u4u1", TRACE_ENUM, 1, 2);
    put_typed("(u1u1", TRACE_BOOL, 1, 2);
    put_typed("(i1u1", TRACE_CHAR, 'x', 0xff);
    put_typed("(i1u1", TRACE_CHAR, '\'', 0);
    put_typed("(r4r4", TRACE_PLAIN, 0x3dcccccd, 0xff800000);
    put_typed("(r8", TRACE_PLAIN, 0x9999999a, 0x3fb99999);
    put_typed("(p4p4", TRACE_PLAIN, 0x20000000, 0x2000000f);
    put_typed("(p4p4", TRACE_PLAIN, 0x20000010, 0);
    put_typed("(p4p4", TRACE_PLAIN, 0x9001, 0x9005);
    put_typed("(p4p4", TRACE_PLAIN, 0x9000, 0x8001);
    put_typed("(p4p4", TRACE_STRING, 0x100, 0x103);
    put_typed("(p4p4", TRACE_STRING, 0x101, 0x102);
    put_typed("(p4p4", TRACE_STRING, 0x20000004, 0x20000010);
    trace_forget_now(points);
    put_typed("(p4p4", TRACE_STRING, 0x20000004, 0x20000010);
}

static void test_types(void **state)
{
    static const char *const texts[] = {"\"RED\",null",
                                        "\"true\",null",
                                        "\"'x'\",null",
                                        "\"'\\\\''\",\"'\\\\x00'\"",
                                        NULL,
                                        NULL,
                                        "\"0x20000000 <buffer>\",\"0x2000000f <buffer+15>\""};

    put_all_types(FORMAT_TABLE);
    end("           -  ? -> 0x00000001(RED, 2)\n"
        "           -  ? -> 0x00000002(true, 2)\n"
        "           -  ? -> 0x00000003('x', 255)\n"
        "           -  ? -> 0x00000004('\\'', '\\x00')\n"
        "           -  ? -> 0x00000005(0.1, -inf)\n"
        "           -  ? -> 0x00000006(0.1)\n"
        "           -  ? -> 0x00000007(0x20000000 <buffer>, 0x2000000f <buffer+15>)\n"
        "           -  ? -> 0x00000008(0x20000010, 0x0)\n"
        "           -  ? -> 0x00000009(0x9001 <handler>, 0x9005 <handler+4>)\n"
        "           -  ? -> 0x0000000a(0x9000, 0x8001 <data>)\n"
        "           -  ? -> 0x0000000b(\"a\\n\\\"\\\\\\x1b\\xff\", 0x103)\n"
        "           -  ? -> 0x0000000c(\"0123456789abcdefghijklmnopqrs\xe2\x82\xac\", "
        "\"+0123456789abcdefghijklmnopqrs\"...)\n"
        "           -  ? -> 0x0000000d(0x20000004 <buffer+4> \"now\", 0x20000010 (gone))\n"
        "           -  ? -> 0x0000000e(0x20000004 <buffer+4>, 0x20000010)\n");
    put_all_types(FORMAT_JSON);
    assert_true(trace_lines_flush(lines));
    const char *at = printed;
    for (size_t i = 0; i < COUNT(texts); i++) {
        char wanted[100];
        const char *line_end = strchr(at, '\n');
        snprintf(wanted, sizeof(wanted), texts[i] ? "],\"argument_texts\":[%s]}" : "]}", texts[i]);
        assert_memory_equal(line_end - strlen(wanted), wanted, strlen(wanted));
        at = line_end + 1;
    }
    assert_non_null(strstr(printed, "\"arguments\":[0.1, null]}"));
    end(NULL);
}

/* Puts an entry of a function with these parameters, of whose registers some are recorded. */
static void put_layout(const char *layout, uint32_t type, unsigned count)
{
    struct trace_function f = {.name = "", .file = "", .parameters = "(*", .layout = layout};
    struct trace_point p = {.caller_function = TRACE_NO_FUNCTION};
    struct trace_event e = {.kind = TRACE_CALL,
                            .argument_count = count,
                            .arguments = {0x80000001, 0x0300fffe, 0xc0000000, 0x44}};
    bool added;

    assert_true(trace_layout_is_good(layout));
    f.addr = p.callee = trace_functions_count(points) + 1;
    f.member_types[1] = type;
    assert_true(trace_add_function(points, &f, &p.function));
    assert_true(trace_add_point(points, &p, &e.point, &added));
    put(e);
}

static void put_layouts(enum view_format format)
{
    begin(format, 1);
    about.addr_size = 4;
    name(TRACE_ENUM, 1, 1, "RED");
    name(TRACE_ADDRESS, 0xc0000000, 8, "buffer");
    put_layout("(=rr{x:i4@0y:u2@4}u4u4", TRACE_PLAIN, 4);
    put_layout("(i4=er{a:p4@0}u4", TRACE_PLAIN, 4);
    put_layout("(=rrrr{a:[:u1@0:u1@1]:{b:i8@4}c:r4@12}", TRACE_ENUM, 4);
    put_layout("(=rrr{a:i4@0b:i4@8}i4", TRACE_PLAIN, 2);
    put_layout("(u4=rr{a:i4@0}*", TRACE_PLAIN, 1);
    put_layout("(=m=f{d:r8@0}=ar{p:p4@0}i4", TRACE_PLAIN, 2);
    put_layout("(=rr{a:i4@4.1.3b:i4@4.1.1c:u4@4.6.10}", TRACE_PLAIN, 2);
    put_layout("(=rrrrrrrrr{a:i4@0b:u4@64c:u8@60}*", TRACE_PLAIN, 4);
    name(TRACE_CONTENT, 0x80000001, 1, "01000000ff");
    name(TRACE_CONTENT_NOW, 0xc0000000, 1, "05");
    name(TRACE_CONTENT_NOW, 0xc0000000, 1, "0500");
    name(TRACE_CONTENT_NOW, 0xc0000000, 1, "07");
    put_layout("(p4*{a:u4@0b:[:i1@4]c:i4@8}p4*{x:i4@0y:p4@4}p4*{a:i2@0}i4", TRACE_ENUM, 4);
    trace_forget_now(points);
    put_layout("(p4p4p4*{a:i2@0}*", TRACE_PLAIN, 4);
}

/* Structures by value. */
static void test_layouts(void **state)
{
    put_layouts(FORMAT_TABLE);
    end("           -  ? -> 0x00000001({x=-2147483647, y=0xfffe}, 0xc0000000, 68)\n"
        "           -  ? -> 0x00000002(-2147483647, {a=0xc0000000 <buffer>}, 68)\n"
        "           -  ? -> 0x00000003({a={1, 0}, {b=-4611686018376990722}, c=9.5e-44})\n"
        "           -  ? -> 0x00000004({a=-2147483647, b=?}, ...)\n"
        "           -  ? -> 0x00000005(0x80000001, ...)\n"
        "           -  ? -> 0x00000006(?, {d=?}, {p=?}, ...)\n"
        "           -  ? -> 0x00000007({a=-1, b=-1, c=1023})\n"
        "           -  ? -> 0x00000008({a=-2147483647, b=?, c=?}, ...)\n"
        "           -  ? -> 0x00000009(0x80000001 {a=RED, b={-1}, c=?}, 0x300fffe, "
        "0xc0000000 <buffer> now {a=5}, 68)\n"
        "           -  ? -> 0x0000000a(0x80000001, 0x300fffe, 0xc0000000 <buffer>, ...)\n");
    put_layouts(FORMAT_JSON);
    assert_true(trace_lines_flush(lines));
    assert_non_null(strstr(printed,
                           "\"arguments\":[{\"x\":-2147483647, \"y\":65534}, 3221225472, 68],"
                           "\"argument_texts\":[\"{x=-2147483647, y=0xfffe}\",null,null]}"));
    assert_non_null(strstr(printed,
                           "\"arguments\":[{\"a\":[1, 0], \"\":{\"b\":-4611686018376990722},"
                           " \"c\":9.5e-44}],"));
    assert_non_null(strstr(printed, "\"arguments\":[{\"a\":-2147483647, \"b\":null}],"));
    assert_non_null(strstr(printed, "\"arguments\":[2147483649, 50397182, 3221225472, 68],"
                                    "\"argument_texts\":[\"0x80000001 {a=RED, b={-1}, c=?}\",null,"
                                    "\"0xc0000000 <buffer> now {a=5}\",null]}"));
    end(NULL);
}

/* What a damaged file may have. */
static void test_bad_layouts(void **state)
{
    static const char *const bad[] = {
        "",
        "i4",
        "(i3",
        "(i4@0",
        "(=",
        "(={a:i4@0}",
        "(=r{a:i4@0",
        "(=r{a:i4}",
        "(=r{a:i4@}",
        "(=r{a:i4@4096}",
        "(=r{a:i4@99999}",
        "(=r{a:i4@0]",
        "(=r{a b:i4@0}",
        "(=r{a=i4@0}",
        "(=r{a:i4@0.8.1}",
        "(=r{a:i4@0.1.0}",
        "(=r{a:i4@0.1.33}",
        "(=r{a:i4@0.1}",
        "(=r{a:[b:i4@0]}",
        "(=r{a:*}",
        "(=r{a:=r{b:i4@0}}",
        "(*i4",
        "(*{a:i4@0}",
        "(i4*{a:i4@0}",
        "(p4*{a:i4@0",
        "(p4*{a:p4@0*{b:i4@0}}",
        "(=rrrrrrrrrrrrrrrrrrrrr{a:i4@0}",
        "(=r{:{:{:{:{:{:{:{:{:{:{:{:{:{:{:{:{:{:{:{:{:{:{:{:{:{"
        "}}}}}}}}}}}}}}}}}}}}}}}}}}",
        "(i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4"
        "i4"};

    for (size_t i = 0; i < COUNT(bad); i++)
        if (trace_layout_is_good(bad[i]))
            fail_msg("%s", bad[i]);
    assert_true(trace_layout_is_good("(=r{a:[]}p4*{a:p4@0}p4*"));
}

/* What the target calls a task may be anything. */
static void named_tasks(enum view_format format)
{
    begin(format, 1);
    about.addr_size = 4;
    assert_true(trace_add_name(points, &(struct trace_name){TRACE_TASK, 5, 1, "a \"b\"\x1b"}));
    assert_true(trace_add_name(points, &(struct trace_name){TRACE_TASK, 6, 1, ""}));
    put_words("(u4", 0, 5);
    put_words("(u4", 0, 6);
}

static void test_named_tasks(void **state)
{
    named_tasks(FORMAT_TABLE);
    end("           -  ? -> (u4  {task a \"b\"?}\n"
        "           -  ? -> (u4  {task 0x6}\n");
    named_tasks(FORMAT_JSON);
    assert_true(trace_lines_flush(lines));
    assert_non_null(
        strstr(printed, "\"task\":\"0x00000005\",\"task_name\":\"a \\\"b\\\"\\u001B\"}\n"));
    assert_non_null(strstr(printed, "\"task\":\"0x00000006\"}\n"));
    end(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),       cmocka_unit_test(test_types),
        cmocka_unit_test(test_layouts),     cmocka_unit_test(test_bad_layouts),
        cmocka_unit_test(test_named_tasks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
