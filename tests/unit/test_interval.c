/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with their intervals, and texts that are broken into lines. */
#include <math.h>

#include "unit.h"

#include <base/text.h>
#include <table/interval.h>

static void check(const struct view_interval *i, bool utf8, const char *expected)
{
    char text[100];

    view_show_interval(i, utf8, text, sizeof(text));
    assert_string_equal(text, expected);
}

static void test_interval(void **state)
{
    struct view_interval i = {
        .value = 44.2, .low = 43.41, .high = 44.99, .decimals = 1, .unit = " %"};

    check(&i, true, "44.2 % \u00b1 0.8");
    check(&i, false, "44.2 % +/- 0.8");
    i.high = 46.2;
    check(&i, true, "44.2 % [43.4, 46.2]");
    i.is_signed = true;
    check(&i, false, "+44.2 % [+43.4, +46.2]");
    i.low = NAN;
    check(&i, false, "+44.2 %");
    i.value = NAN;
    check(&i, false, "-");
    i = (struct view_interval){.value = 0.2, .low = 0, .high = 0.9, .decimals = 1};
    check(&i, true, "0.2 [0.0, 0.9]");
    i = (struct view_interval){.value = 3, .low = 3, .high = 3, .decimals = 2, .is_signed = true};
    check(&i, true, "+3.00 \u00b1 0.00");
    i = (struct view_interval){.value = 3, .low = -INFINITY, .high = INFINITY, .is_signed = true};
    check(&i, true, "+3 [-inf, inf]");
}

/* Whatever the ends are: what follows the sign is a length and has no sign of its own. */
static void test_no_sign_behind_the_sign(void **state)
{
    for (int low = -30; low <= 30; low++) {
        for (int high = low; high <= 30; high++) {
            for (int value = low; value <= high; value++) {
                const struct view_interval i = {.value = value / 7.0,
                                                .low = low / 7.0,
                                                .high = high / 7.0,
                                                .decimals = 1,
                                                .is_signed = value % 2 == 0};
                char text[100];
                view_show_interval(&i, false, text, sizeof(text));
                assert_null(strstr(text, "+/- -"));
                assert_null(strstr(text, "+/- +"));
            }
        }
    }
}

static void test_cut(void **state)
{
    char symmetric[] = "+4.8 % +/- 1.7", other[] = "+4.8 % [+3.1, +6.6]", alone[] = "+4.8 %",
         utf8[] = "+4.8 % \u00b1 1.7";

    view_cut_interval(symmetric);
    assert_string_equal(symmetric, "+4.8 %");
    view_cut_interval(utf8);
    assert_string_equal(utf8, "+4.8 %");
    view_cut_interval(other);
    assert_string_equal(other, "+4.8 %");
    view_cut_interval(alone);
    assert_string_equal(alone, "+4.8 %");
}

/* All words of a text are in its lines, in their order, and no line is too long. */
static void test_lines(void **state)
{
    static const char text[] = "one two three averyveryverylongword four";

    for (unsigned width = 1; width < 50; width++) {
        char all[100] = "";
        for (const char *rest = text; *rest; rest = text_next_line(rest, width)) {
            size_t len = text_line_len(rest, width);
            assert_in_range(len, 1, width);
            strncat(all, rest, len);
        }
        for (const char *a = all, *b = text; *a || *b;) {
            a += *a == ' ';
            b += *b == ' ';
            assert_int_equal(*a, *b);
            a += *a != '\0';
            b += *b != '\0';
        }
    }
    assert_int_equal(text_line_len(text, 9), 7);
    assert_int_equal(text_line_len("lost 0   rows 256 of 256   late 5.0%", 20), 6);
    assert_string_equal(text_next_line(text, 9), "three averyveryverylongword four");
    const char *brackets = "One place [default: the first of them]";
    assert_int_equal(text_line_len(brackets, 30), 9);
    assert_string_equal(text_next_line(brackets, 30), "[default: the first of them]");
    assert_int_equal(text_line_len("[default: the first of them]", 20), 19);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_no_sign_behind_the_sign),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
