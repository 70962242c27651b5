/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of options and files: what is read, how far, and what is refused. */
#include "unit.h"

#include <base/number.h>

#define NEAR(a, b) assert_true((a) > (b)-1e-12 && (a) < (b) + 1e-12)

static void test_ranges(void **state)
{
    static const char *const refused[] = {"",     " ",   "x",   "1x",    "1 ",  "0.009",
                                          "60.1", "nan", "inf", "1e400", "-1e", "5%"};
    double n = 7;

    for (size_t i = 0; i < COUNT(refused); i++) {
        assert_false(number_parse(refused[i], 0.01, 60, &n));
        NEAR(n, 7);
    }
    assert_true(number_parse("0.01", 0.01, 60, &n));
    NEAR(n, 0.01);
    assert_true(number_parse("60", 0.01, 60, &n));
    NEAR(n, 60);
    assert_true(number_parse("2.5e1", 0.01, 60, &n));
    NEAR(n, 25);
}

static void test_durations(void **state)
{
    static const char *const refused[] = {"",    "s",   "x",    "10 s",  "10sec", "10S",   "1s ",
                                          "9ms", "61s", "2min", "1h",    "nans",  "infms", "-1s",
                                          "1d",  "1m",  "1hs",  "1e400", "5%",    "1:30"};
    double s = 7;

    for (size_t i = 0; i < COUNT(refused); i++) {
        assert_false(number_parse_duration(refused[i], 0.01, 60, &s));
        NEAR(s, 7);
    }
    assert_true(number_parse_duration("10ms", 0.01, 60, &s));
    NEAR(s, 0.01);
    assert_true(number_parse_duration("500ms", 0.01, 60, &s));
    NEAR(s, 0.5);
    assert_true(number_parse_duration("60s", 0.01, 60, &s));
    NEAR(s, 60);
    assert_true(number_parse_duration("20us", 0, 60, &s));
    assert_near(s, 20e-6, 1e-12);
    assert_true(number_parse_duration("1min", 0.01, 60, &s));
    NEAR(s, 60);
    assert_true(number_parse_duration("1.5h", 0.01, 86400, &s));
    NEAR(s, 5400);
    assert_true(number_parse_duration("0.25", 0.01, 60, &s));
    NEAR(s, 0.25);
    assert_true(number_parse_duration("0", 0, 60, &s));
    NEAR(s, 0);
}

static void test_parts(void **state)
{
    static const char *const refused[] = {
        "", "%", "1.1", "101%", "5%%", "-1", "0.5 %", "0.00000000000000000000000000000001"};
    double part = 7;

    for (size_t i = 0; i < COUNT(refused); i++) {
        assert_false(number_parse_part(refused[i], 0, 1, &part));
        NEAR(part, 7);
    }
    assert_true(number_parse_part("5%", 0, 1, &part));
    NEAR(part, 0.05);
    assert_true(number_parse_part("0.05", 0, 1, &part));
    NEAR(part, 0.05);
    assert_true(number_parse_part("100%", 0, 1, &part));
    NEAR(part, 1);
    assert_false(number_parse_part("4%", 0.05, 1, &part));
}

static void test_digits(void **state)
{
    static const char *const refused[] = {
        "", "+1", "-1", " 1", "1 ", "0x10", "f", "1f", "18446744073709551616"};
    uint64_t n = 7;

    for (size_t i = 0; i < COUNT(refused); i++) {
        assert_false(number_parse_digits(refused[i], 10, &n));
        assert_int_equal(n, 7);
    }
    assert_true(number_parse_digits("18446744073709551615", 10, &n));
    assert_true(n == UINT64_MAX);
    assert_true(number_parse_digits("0010", 10, &n));
    assert_int_equal(n, 10);
    assert_true(number_parse_digits("aF09", 16, &n));
    assert_int_equal(n, 0xaf09);
    assert_true(number_parse_digits("ffffffffffffffff", 16, &n));
    assert_true(n == UINT64_MAX);
    assert_false(number_parse_digits("10000000000000000", 16, &n));
    assert_false(number_parse_digits("0xf", 16, &n));
    assert_false(number_parse_digits("g", 16, &n));
}

/* Checks what is read of text and what follows it; "!": it is refused. */
static void size_is(const char *text, uint64_t wanted, const char *rest)
{
    const char *at = text;
    uint64_t n = 7;
    bool taken = number_take_size(&at, &n);

    assert_int_equal(taken, rest[0] != '!');
    assert_true(n == (taken ? wanted : 7));
    assert_string_equal(at, taken ? rest : text);
}

static void test_sizes(void **state)
{
    size_is("0=", 0, "=");
    size_is("010", 10, "");
    size_is("0x08000000+1M", 0x08000000, "+1M");
    size_is("0XfFk", 0xff << 10, "");
    size_is("64K", 64 << 10, "");
    size_is("1M,", 1 << 20, ",");
    size_is("1m", 1, "m");
    size_is("1kM", 1024, "M");
    size_is("17592186044415M", (uint64_t)17592186044415 << 20, "");
    size_is("17592186044416M", 0, "!");
    size_is("0x10000000000000000", 0, "!");
    size_is("", 0, "!");
    size_is("0x", 0, "!");
    size_is("0x0x5", 0, "x5");
    size_is("-1", 0, "!");
    size_is(" 1", 0, "!");
    size_is("k", 0, "!");
}

static void decimal_is(const char *text, double wanted, const char *rest)
{
    const char *at = text;
    double n = 7;
    bool taken = number_take_decimal(&at, &n);

    assert_int_equal(taken, rest[0] != '!');
    NEAR(n, taken ? wanted : 7);
    assert_string_equal(at, taken ? rest : text);
}

static void test_decimals(void **state)
{
    decimal_is("2.5pp", 2.5, "pp");
    decimal_is(".5%", 0.5, "%");
    decimal_is("12", 12, "");
    decimal_is("", 0, "!");
    decimal_is(".", 0, "!");
    decimal_is("1.2.3", 0, "!");
    decimal_is("1e3", 0, "!");
    decimal_is("0x10", 0, "!");
    decimal_is("-1", 0, "!");
    decimal_is("inf", 0, "!");
    decimal_is("00000000000000000000000000000001", 1, "");
    decimal_is("000000000000000000000000000000001", 0, "!");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges), cmocka_unit_test(test_durations),
        cmocka_unit_test(test_parts),  cmocka_unit_test(test_digits),
        cmocka_unit_test(test_sizes),  cmocka_unit_test(test_decimals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
