/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reader of GDB/MI on each kind of record, and what is found in a record by its path. */
#include "unit.h"

#include "mi_log.h"

static void test_results(void **state)
{
    check_log("^done\n", "^done\n");
    check_log("17^running\n", "^#17running\n");
    check_log("0^connected\r\n", "^#0connected\n");
    check_log("18446744073709551615^exit\n", "^#18446744073709551615exit\n");
    check_log("3^error,msg=\"No symbol.\",code=\"undefined-command\"\n",
              "^#3error{msg:'No symbol.'code:'undefined-command'}\n");
    /* As gdb 13 answers a command that comes just behind "run &". */
    check_log("2^done,\"Starting program\",execfile=\"/a\",infargs=\"\"\n",
              "^#2done{'Starting program'execfile:'/a'infargs:''}\n");
}

static void test_async(void **state)
{
    check_log("*running,thread-id=\"all\"\n", "*running{thread-id:'all'}\n");
    check_log("5*stopped\n", "*#5stopped\n");
    check_log("+download,{section=\".text\",section-size=\"6668\"}\n",
              "+download{{section:'.text'section-size:'6668'}}\n");
    check_log("=breakpoint-modified,bkpt={number=\"1\",times=\"2\"}\n",
              "=breakpoint-modified{bkpt:{number:'1'times:'2'}}\n");
    check_log("=of-the-future,x=[]\n", "=of-the-future{x:[]}\n");
}

static void test_streams_and_prompts(void **state)
{
    check_log("~\"Hello\\n\"\n@\"\"\n&\"set \\\"x\\\"\\n\"\n", "~Hello\\012\n@\n&set \"x\"\\012\n");
    check_log("(gdb)\n(gdb) \n(gdb)\r\n(gdb) \r\n", ">\n>\n>\n>\n");
    check_log("\n\r\n", "");
}

static void test_values(void **state)
{
    check_log("^done,a={},b=[]\n", "^done{a:{}b:[]}\n");
    check_log("^done,l=[\"1\",\"2\"],m=[x=\"1\",x=\"2\"]\n", "^done{l:['1''2']m:[x:'1'x:'2']}\n");
    check_log("^done,l=[[],{},[{}],[[\"x\"]]]\n", "^done{l:[[]{}[{}][['x']]]}\n");
    /* Members without a name, as gdb writes them in places. */
    check_log("^done,bkpt={number=\"1\"},{number=\"1.1\"},script={\"p 1\",\"c\"}\n",
              "^done{bkpt:{number:'1'}{number:'1.1'}script:{'p 1''c'}}\n");
    check_log("^done,n=\"\xc3\xa4{,}[=]\"\n", "^done{n:'\xc3\xa4{,}[=]'}\n");
}

static void test_escapes(void **state)
{
    check_log("~\"\\a\\b\\e\\f\\n\\r\\t\\v\\\\\\\"\\'\\?\"\n",
              "~\\007\\010\\033\\014\\012\\015\\011\\013\\\"'?\n");
    check_log("~\"\\303\\2444\\08\\18\\1234\\x41g\\x4142\"\n", "~\303\2444\\0008\\0018S4AgA42\n");
    check_log("~\"a\\000b\"\n", "~a\\000b\n");
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
    static const char *const none[] = {"frame",
                                       "frame.add",
                                       "frame.addr.x",
                                       "frame.args.2",
                                       "frame.args.1.value",
                                       "y",
                                       "l.-1",
                                       "l.99999999999999999999",
                                       ".",
                                       "frame..addr",
                                       "0"};
    for (size_t i = 0; i < COUNT(none); i++)
        assert_null(gdbmi_mi_text(r, none[i]));
    assert_null(gdbmi_mi_get(NULL, "x"));
    gdbmi_mi_reader_free(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_async),
        cmocka_unit_test(test_streams_and_prompts),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_lookup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
