/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program says of a link: the library's text, and the options that help. */
#include "unit.h"
#include <target/link_words.h>

static void check_hint(enum gdbmi_hint hint, const char *expected)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    char text[LINK_WORDS];

    (void)gdbmi_error_set_hint(&error, GDBMI_ECLOSED, hint, "%s", ":3333");
    assert_string_equal(link_words(&error, text), expected);
}

static void test_hints(void **state)
{
    check_hint(GDBMI_HINT_NONE, ":3333");
    check_hint(GDBMI_HINT_REFUSED,
               ":3333; start the debug server, or give its address with --gdb, --tcl or --qmp");
    check_hint(
        GDBMI_HINT_ALLOW_HALT,
        ":3333; --allow-halt lets mprof halt it for some milliseconds at every refresh, at most 5% "
        "of the time (--allow-halt=DUTY sets another share)");
    check_hint(GDBMI_HINT_STOP_BY_GDB,
               ":3333; --allow-halt lets mprof stop and continue it at every refresh");
    check_hint(GDBMI_HINT_STOP_BY_YOUR_GDB,
               ":3333; --allow-halt lets mprof stop and continue it at every refresh; --tcl "
               "(OpenOCD) and --qmp (QEMU) need no stop while your gdb is connected");
    check_hint(GDBMI_HINT_TCL_NONE,
               ":3333; or, if it is not OpenOCD, use the gdb port with --tcl none");
    check_hint(GDBMI_HINT_TCL, ":3333: give it with --tcl");
    check_hint(GDBMI_HINT_GDB, ":3333: give it with --gdb");
    check_hint(GDBMI_HINT_GDB_IF, ":3333; give a gdb port with --gdb");
    check_hint(GDBMI_HINT_SERVE_OR_TCL, ":3333: use either --serve or --tcl");
    check_hint(GDBMI_HINT_MI, ":3333: use --mi COMMAND, like --mi 'gdb-multiarch "
                              "-q fw.elf -ex \"target remote :3333\"'");
}

/* The longest text of a link is not cut, whatever is said behind it. */
static void test_whole(void **state)
{
    struct gdbmi_error error = {.code = GDBMI_ECLOSED};
    char text[LINK_WORDS];

    memset(error.text, 'x', sizeof(error.text) - 1);
    for (int hint = GDBMI_HINT_NONE; hint <= GDBMI_HINT_MI; hint++) {
        error.hint = (enum gdbmi_hint)hint;
        size_t len = strlen(link_words(&error, text));
        assert_int_equal(len, strlen(error.text) + strlen(link_hint(error.hint)));
    }
}

static void test_other_targets(void **state)
{
    struct gdbmi_info info = {.why = "as requested", .others = ""};
    char text[LINK_WORDS];

    assert_string_equal(link_why(&info, text), "as requested");
    info.others = "b.cpu, c.cpu";
    assert_string_equal(link_why(&info, text),
                        "as requested; choose another with --target NAME: b.cpu, c.cpu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_other_targets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
