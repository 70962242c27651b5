/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a trace, and the table of its report, byte by byte. */
#include "trace_checks.h"

#include <trace/arguments.h>
#include <trace_view/trace_lines.h>

static struct trace_points *points;
static struct trace_about about;
static struct trace_lines *lines;
static FILE *file;
static char *printed;
static size_t printed_len;

static void begin(enum view_format format, unsigned cores)
{
    about = (struct trace_about){.build = "0123456789", .elf = "fw.elf", .cores = cores};
    points = trace_points_new();
    file = open_memstream(&printed, &printed_len);
    lines = trace_lines_new(file, format, points, &about);
    assert_true(points && file && lines);
}

/* NULL: what was printed has been compared. */
static void end(const char *wanted)
{
    assert_true(trace_lines_flush(lines));
    trace_lines_free(lines);
    fclose(file);
    if (wanted)
        assert_string_equal(printed, wanted);
    free(printed);
    trace_points_free(points);
}

static void put(struct trace_event event)
{
    assert_true(trace_lines_put(lines, &event));
}

static void clock_of(unsigned core, uint32_t hz)
{
    put((struct trace_event){.kind = TRACE_CLOCK, .core = core, .timed = true, .hz = hz});
}

static void call(const char *name, unsigned core, unsigned exception, bool leaves, int64_t ticks)
{
    put(trace_call(points, name, core, exception, leaves, ticks));
}

static void test_text(void **state)
{
    struct trace_point p = {.callee = 0x1234, .caller_function = TRACE_NO_FUNCTION};
    const struct trace_function nameless = {
        .addr = 0x1234, .name = "", .file = "", .parameters = ""};
    uint32_t index;
    bool added;

    begin(FORMAT_TABLE, 1);
    assert_true(trace_name_exception(points, 15, "SysTick_Handler (SysTick)"));
    call("f", 0, 0, false, 0);
    clock_of(0, 0);
    call("f", 0, 0, true, -1234567890123);
    clock_of(0, 3000000);
    call("g", 0, 15, false, 1);
    call("g", 0, 15, true, 2999999);
    call("g", 0, 15, true, -3000001);
    call("g", 0, 15, true, 3000000 * INT64_C(123456) - 1);
    assert_true(trace_add_function(points, &nameless, &p.function));
    assert_true(trace_add_point(points, &p, &index, &added));
    put((struct trace_event){.kind = TRACE_CALL, .point = index, .ticks = 3});
    put((struct trace_event){.kind = TRACE_OVERWRITTEN, .count = 1});
    put((struct trace_event){.kind = TRACE_FULL, .count = 20});
    put((struct trace_event){.kind = TRACE_RESTART});
    put((struct trace_event){.kind = TRACE_DAMAGED, .count = 99});
    end("           -  0x00009000 -> f\n"
        "-1234567890123  0x00009000 <- f\n"
        "    0.000000  0x00009000 -> g  [SysTick_Handler (SysTick)]\n"
        "    1.000000  0x00009000 <- g  [SysTick_Handler (SysTick)]\n"
        "   -1.000000  0x00009000 <- g  [SysTick_Handler (SysTick)]\n"
        "123456.000000  0x00009000 <- g  [SysTick_Handler (SysTick)]\n"
        "    0.000001  ? -> 0x00001234\n"
        "              lost: 1 event overwritten before they were read\n"
        "              lost: 20 events not recorded: the trace is full; 'mprof control reset' "
        "empties it\n"
        "              the target has restarted\n"
        "              damaged: 99 bytes of the file\n");
}

static void test_cores(void **state)
{
    begin(FORMAT_TABLE, 2);
    clock_of(1, 10);
    call("f", 0, 0, false, 5);
    call("f", 1, 3, false, 5);
    put((struct trace_event){.kind = TRACE_UNFINISHED, .core = 1, .count = 2});
    end("           -  0x00009000 -> f  (core 0)\n"
        "    0.500000  0x00009000 -> f  [?]  (core 1)\n"
        "              lost: 2 events interrupted while they were recorded  (core 1)\n");
}

static void test_json(void **state)
{
    begin(FORMAT_JSON, 1);
    assert_true(trace_name_exception(points, 0, "thread"));
    call("f", 0, 0, false, 0);
    clock_of(0, 0);
    call("f", 0, 0, true, -7);
    clock_of(0, 3);
    call("f\"", 0, 2, true, 7);
    put((struct trace_event){.kind = TRACE_OVERWRITTEN, .count = UINT32_MAX});
    put((struct trace_event){.kind = TRACE_RESTART});
    end("{\"time\":null,\"ticks\":null,\"kind\":\"entry\",\"function\":\"f\",\"caller\":null,"
        "\"address\":\"0x00009980\",\"caller_address\":\"0x00009000\",\"context\":\"thread\","
        "\"core\":0}\n"
        "{\"time\":null,\"ticks\":-7,\"kind\":\"exit\",\"function\":\"f\",\"caller\":null,"
        "\"address\":\"0x00009980\",\"caller_address\":\"0x00009000\",\"context\":\"thread\","
        "\"core\":0}\n"
        "{\"time\":2.333333333,\"ticks\":7,\"kind\":\"exit\",\"function\":\"f\\\"\","
        "\"caller\":null,\"address\":\"0x00009980\",\"caller_address\":\"0x00009000\","
        "\"context\":null,\"core\":0}\n"
        "{\"kind\":\"lost\",\"count\":4294967295,\"reason\":\"overwritten\",\"core\":0}\n"
        "{\"kind\":\"restart\",\"core\":0}\n");
}

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

/* Names of before are not used for other points; the clock of another recording is its own. */
static void test_recordings(void **state)
{
    begin(FORMAT_TABLE, 1);
    put((struct trace_event){.kind = TRACE_RUN});
    clock_of(0, 1);
    call("f", 0, 0, false, 1);
    trace_points_clear(points);
    put((struct trace_event){.kind = TRACE_RUN});
    call("g", 0, 0, false, 1);
    end("    1.000000  0x00009000 -> f\n"
        "              another recording: \n"
        "           -  0x00009000 -> g\n");
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

static struct trace_event entry(const char *name, const char *caller, uint64_t argument)
{
    struct trace_point p = {.callee = 64 * (uint64_t)(uint8_t)name[0],
                            .caller = 64 * (uint64_t)(uint8_t)caller[0],
                            .caller_function = TRACE_NO_FUNCTION};
    struct trace_event e = {
        .kind = TRACE_CALL, .argument_count = 1, .arguments = {argument}, .has_task = true};
    struct trace_function f = {.name = name, .file = "", .parameters = "(u4", .addr = p.callee};
    bool added;

    f.types[0] = TRACE_BOOL;
    assert_true(trace_add_function(points, &f, &p.function));
    f.name = caller;
    f.addr = p.caller;
    if (caller[0] != '?')
        assert_true(trace_add_function(points, &f, &p.caller_function));
    assert_true(trace_add_point(points, &p, &e.point, &added));
    return e;
}

static void put_chains(enum view_format format)
{
    struct trace_chain *chain = calloc(1, sizeof(*chain) + 3 * sizeof(chain->links[0]));

    assert_non_null(chain);
    begin(format, 1);
    about.addr_size = 4;
    chain->links[0] = (struct trace_link){.entry = entry("g", "?", 1), .caller = true, .gap = true};
    chain->links[1] = (struct trace_link){.entry = entry("h", "g", 5)};
    chain->links[2] = (struct trace_link){.entry = entry("k", "l", 0), .caller = true, .gap = true};
    for (chain->count = 1; chain->count <= 3; chain->count++) {
        struct trace_event e = chain->links[chain->count - 1].entry;
        e.chain = chain;
        put(e);
    }
    free(chain);
}

static void test_chains(void **state)
{
    put_chains(FORMAT_TABLE);
    end("           -  ... -> 0x00000fc0 -> g(true)  {task 0x0}\n"
        "           -  ... -> 0x00000fc0 -> g(true) -> h(5)  {task 0x0}\n"
        "           -  ... -> 0x00000fc0 -> g(true) -> h(5) -> ... -> l -> k(false)  {task 0x0}\n");
    put_chains(FORMAT_JSON);
    assert_true(trace_lines_flush(lines));
    assert_non_null(
        strstr(printed, "\"core\":0,\"stack\":[null,{\"function\":null,\"address\":\"0x00000fc0\"},"
                        "{\"function\":\"g\",\"address\":\"0x000019c0\",\"arguments\":[1],"
                        "\"argument_texts\":[\"true\"]}],\"arguments\":[1],"
                        "\"argument_texts\":[\"true\"],\"task\":\"0x00000000\"}\n"));
    assert_non_null(strstr(printed,
                           "{\"function\":\"h\",\"address\":\"0x00001a00\",\"arguments\":[5]},null,"
                           "{\"function\":\"l\",\"address\":\"0x00001b00\"},{\"function\":\"k\","));
    end(NULL);
}

/* More than fits into the buffer. */
static void test_many(void **state)
{
    char name[3000];
    size_t len = 0;

    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    begin(FORMAT_TABLE, 1);
    for (int i = 0; i < 100; i++)
        call(name, 0, 0, i % 2 != 0, i);
    assert_true(trace_lines_flush(lines));
    for (int i = 0; i < 100; i++) {
        const char *line = printed + len;
        len += strcspn(line, "\n") + 1;
        assert_int_equal(line[0], ' ');
        assert_int_equal(printed + len - line, 14 + 10 + 4 + 2999 + 1);
    }
    assert_int_equal(len, printed_len);
    trace_lines_free(lines);
    fclose(file);
    free(printed);
    trace_points_free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),    cmocka_unit_test(test_cores),
        cmocka_unit_test(test_words),   cmocka_unit_test(test_types),
        cmocka_unit_test(test_json),    cmocka_unit_test(test_recordings),
        cmocka_unit_test(test_many),    cmocka_unit_test(test_chains),
        cmocka_unit_test(test_layouts), cmocka_unit_test(test_bad_layouts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
