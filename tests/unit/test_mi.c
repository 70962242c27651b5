/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the reader of GDB/MI records: the grammar, every split, every kind of damage. */
#include "unit.h"

#include <gdbmi/mi.h>

#define LOG_MAX 16384

/* What was read, as text: one line a message, each value in brackets of its own. */
struct taken {
    char log[LOG_MAX];
    size_t len;
    size_t count;
    int result; /* of the last feed */
};

static void put(struct taken *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct taken *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int len = vsnprintf(t->log + t->len, sizeof(t->log) - t->len, format, args);
    va_end(args);
    t->len += (size_t)len;
    assert_true(t->len < sizeof(t->log));
}

static void put_text(struct taken *t, const char *text, size_t len)
{
    assert_int_equal(text[len], 0);
    for (size_t i = 0; i < len; i++)
        put(t, (unsigned char)text[i] < ' ' ? "\\%03o" : "%c", (unsigned char)text[i]);
}

static void put_value(struct taken *t, const struct gdbmi_mi_value *value)
{
    size_t count = 0;

    if (value->name[0] != '\0')
        put(t, "%s:", value->name);
    if (value->type == GDBMI_MI_CONST) {
        put(t, "'");
        put_text(t, value->text, value->len);
        put(t, "'");
        assert_null(value->first);
        return;
    }
    put(t, value->type == GDBMI_MI_TUPLE ? "{" : "[");
    for (const struct gdbmi_mi_value *at = value->first; at != NULL; at = at->next) {
        put_value(t, at);
        count++;
    }
    assert_int_equal(count, value->count);
    put(t, value->type == GDBMI_MI_TUPLE ? "}" : "]");
}

static void put_message(struct taken *t, const struct gdbmi_mi_message *m)
{
    t->count++;
    put(t, "%c", "^*+=~@&>?"[m->kind]);
    if (m->has_token)
        put(t, "#%llu", (unsigned long long)m->token);
    put(t, "%s", m->name);
    put_text(t, m->text, m->len);
    assert_non_null(m->results);
    if (m->results->count > 0)
        put_value(t, m->results);
    put(t, "\n");
}

static void feed(struct gdbmi_mi_reader *reader, const char *bytes, size_t len, struct taken *t)
{
    struct gdbmi_mi_message message;
    size_t used = 0;

    do {
        /* A copy of the exact size, so that a sanitizer sees every byte read beyond it. */
        char *copy = malloc(len + 1);
        memcpy(copy, bytes, len);
        t->result = gdbmi_mi_feed(reader, copy, len, &used, &message);
        assert_true(used <= len);
        if (t->result == 1)
            put_message(t, &message);
        free(copy);
        bytes += used;
        len -= used;
    } while (t->result == 1);
}

static void read_all(const char *bytes, size_t len, struct taken *t)
{
    struct gdbmi_mi_reader *reader = gdbmi_mi_reader_new();

    assert_non_null(reader);
    t->len = t->count = 0;
    t->log[0] = '\0';
    feed(reader, bytes, len, t);
    gdbmi_mi_reader_free(reader);
}

static void check(const char *wire, const char *expected)
{
    static struct taken taken;

    read_all(wire, strlen(wire), &taken);
    assert_int_equal(taken.result, 0);
    assert_string_equal(taken.log, expected);
}

static void test_results(void **state)
{
    check("^done\n", "^done\n");
    check("17^running\n", "^#17running\n");
    check("0^connected\r\n", "^#0connected\n");
    check("18446744073709551615^exit\n", "^#18446744073709551615exit\n");
    check("3^error,msg=\"No symbol.\",code=\"undefined-command\"\n",
          "^#3error{msg:'No symbol.'code:'undefined-command'}\n");
    /* As gdb 13 answers a command that comes just behind "run &". */
    check("2^done,\"Starting program\",execfile=\"/a\",infargs=\"\"\n",
          "^#2done{'Starting program'execfile:'/a'infargs:''}\n");
}

static void test_async(void **state)
{
    check("*running,thread-id=\"all\"\n", "*running{thread-id:'all'}\n");
    check("5*stopped\n", "*#5stopped\n");
    check("+download,{section=\".text\",section-size=\"6668\"}\n",
          "+download{{section:'.text'section-size:'6668'}}\n");
    check("=breakpoint-modified,bkpt={number=\"1\",times=\"2\"}\n",
          "=breakpoint-modified{bkpt:{number:'1'times:'2'}}\n");
    check("=of-the-future,x=[]\n", "=of-the-future{x:[]}\n");
}

static void test_streams_and_prompts(void **state)
{
    check("~\"Hello\\n\"\n@\"\"\n&\"set \\\"x\\\"\\n\"\n", "~Hello\\012\n@\n&set \"x\"\\012\n");
    check("(gdb)\n(gdb) \n(gdb)\r\n(gdb) \r\n", ">\n>\n>\n>\n");
    check("\n\r\n", "");
}

static void test_values(void **state)
{
    check("^done,a={},b=[]\n", "^done{a:{}b:[]}\n");
    check("^done,l=[\"1\",\"2\"],m=[x=\"1\",x=\"2\"]\n", "^done{l:['1''2']m:[x:'1'x:'2']}\n");
    check("^done,l=[[],{},[{}],[[\"x\"]]]\n", "^done{l:[[]{}[{}][['x']]]}\n");
    /* Members without a name, as gdb writes them in places. */
    check("^done,bkpt={number=\"1\"},{number=\"1.1\"},script={\"p 1\",\"c\"}\n",
          "^done{bkpt:{number:'1'}{number:'1.1'}script:{'p 1''c'}}\n");
    check("^done,n=\"\xc3\xa4{,}[=]\"\n", "^done{n:'\xc3\xa4{,}[=]'}\n");
}

static void test_escapes(void **state)
{
    check("~\"\\a\\b\\e\\f\\n\\r\\t\\v\\\\\\\"\\'\\?\"\n",
          "~\\007\\010\\033\\014\\012\\015\\011\\013\\\"'?\n");
    check("~\"\\303\\2444\\08\\18\\1234\\x41g\\x4142\"\n", "~\303\2444\\0008\\0018S4AgA42\n");
    check("~\"a\\000b\"\n", "~a\\000b\n");
}

/* None of these is taken for a record, and the lines behind them are read. */
static void test_broken_lines(void **state)
{
    static const char *const lines[] = {
        "^",
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
        "^done,a=]",
    };
    char wire[160];
    char expected[160];

    for (size_t i = 0; i < COUNT(lines); i++) {
        snprintf(wire, sizeof(wire), "%s\n1^done\n", lines[i]);
        snprintf(expected, sizeof(expected), "?%s\n^#1done\n", lines[i]);
        check(wire, expected);
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

static const struct gdbmi_mi_value *results_of(struct gdbmi_mi_reader *reader, const char *line)
{
    struct gdbmi_mi_message message;
    size_t used;

    assert_int_equal(gdbmi_mi_feed(reader, line, strlen(line), &used, &message), 1);
    return message.results;
}

static void test_lookup(void **state)
{
    struct gdbmi_mi_reader *reader = gdbmi_mi_reader_new();
    const struct gdbmi_mi_value *r = results_of(
        reader, "*stopped,frame={addr=\"0x8\",args=[{name=\"n\",value=\"1\"},{name=\"m\"}]},"
                "x=\"first\",x=\"second\",l=[f={level=\"0\"},f={level=\"1\"}]\n");

    assert_string_equal(gdbmi_mi_text(r, "frame.addr"), "0x8");
    assert_string_equal(gdbmi_mi_text(r, "frame.args.1.name"), "m");
    assert_string_equal(gdbmi_mi_text(r, "l.1.level"), "1");
    assert_string_equal(gdbmi_mi_text(r, "l.f.level"), "0");
    assert_string_equal(gdbmi_mi_text(r, "x"), "first");
    assert_ptr_equal(gdbmi_mi_get(r, ""), r);
    assert_int_equal(gdbmi_mi_get(r, "frame.args")->count, 2);
    static const char *const none[] = {
        "frame",
        "frame.add",
        "frame.addr.x",
        "frame.args.2",
        "frame.args.1.value",
        "y",
        "l.-1",
        "l.99999999999999999999",
        ".",
        "frame..addr",
        "0",
    };
    for (size_t i = 0; i < COUNT(none); i++)
        assert_null(gdbmi_mi_text(r, none[i]));
    assert_null(gdbmi_mi_get(NULL, "x"));
    gdbmi_mi_reader_free(reader);
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
            feed(reader, session, first, &taken);
            feed(reader, session + first, second - first, &taken);
            feed(reader, session + second, len - second, &taken);
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
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_async),
        cmocka_unit_test(test_streams_and_prompts),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_broken_lines),
        cmocka_unit_test(test_other_lines_are_cut),
        cmocka_unit_test(test_lookup),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_every_split),
        cmocka_unit_test(test_damage_stays_in_its_line),
        cmocka_unit_test(test_cut_record_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
