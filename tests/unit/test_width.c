/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Widths of text in columns, against what the terminal is given, over all of Unicode. */
#define _XOPEN_SOURCE 700

#include "unit.h"

#include <locale.h>

#include <base/text.h>

#include "counted.h"
#include "term_private.h"

static void put_code(char *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *out++ = (char)(0xe0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    } else {
        *out++ = (char)(0xf0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3f));
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    }
    *out = '\0';
}

/* As the terminal places it. */
static size_t term_cells(const char *s, bool utf8)
{
    size_t cells = 0;
    wchar_t c;

    for (int width; (width = clean_next(&s, utf8, &c)) >= 0;)
        cells += (size_t)width;
    return cells;
}

static char *cell_of(const char *from, unsigned width, bool right)
{
    struct text t = {.bytes = NULL};

    text_cell(&t, from, width, right, true);
    assert_false(t.failed);
    return t.bytes;
}

static void check_cell(const char *from, unsigned width, const char *wanted)
{
    char *cell = cell_of(from, width, false);

    assert_string_equal(cell, wanted);
    assert_int_equal(text_cells(cell), width);
    assert_int_equal(term_cells(cell, true), width);
    free(cell);
}

/* What is not to be seen is an escape in our columns; the terminal alone would pass over it or give
 * it the room that it does not fill. */
static const struct {
    uint32_t first, last;
} differ[] = {
    {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},     {0x115f, 0x1160},
    {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0},   {0xfff0, 0xfffb},   {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

static bool may_differ(uint32_t code)
{
    for (size_t i = 0; i < COUNT(differ); i++) {
        if (code >= differ[i].first && code <= differ[i].last)
            return true;
    }
    return false;
}

static void test_all_of_unicode(void **state)
{
    unsigned wide = 0, marks = 0, differences = 0;

    for (uint32_t code = 1; code <= 0x10ffff; code += sanitized(7)) {
        char text[8] = "a", one[5];
        if (code >= 0xd800 && code <= 0xdfff)
            continue;
        put_code(one, code);
        strcat(strcat(text, one), "b");
        size_t ours = text_cells(text) - 2, theirs = term_cells(text, true) - 2;
        wide += ours == 2;
        marks += ours == 0;
        differences += ours != theirs;
        bool escaped = code < 0x10000 ? ours == strlen("<U+200B>") : ours == strlen("<U+E0001>");
        if (may_differ(code) != escaped || (!escaped && ours != theirs))
            fail_msg("U+%04X: %zu cells in a column, %zu on the terminal", code, ours, theirs);
        /* Whatever it is, the columns behind it stay where they are. */
        for (unsigned width = 1; width < 6; width++) {
            char *cell = cell_of(text, width, code & 1);
            if (text_cells(cell) != width || term_cells(cell, true) != width)
                fail_msg("U+%04X in %u cells: '%s'", code, width, cell);
            free(cell);
        }
    }
    unsigned part = sanitized(7);
    assert_true(wide > 100000 / part && marks > 1500 / part && differences > 20 / part);
}

static void test_cells(void **state)
{
    check_cell("\xe6\xbc\xa2\xe5\xad\x97", 6, "\xe6\xbc\xa2\xe5\xad\x97  ");
    check_cell("\xe6\xbc\xa2\xe5\xad\x97", 4, "\xe6\xbc\xa2\xe5\xad\x97");
    check_cell("\xe6\xbc\xa2\xe5\xad\x97", 3, "\xe6\xbc\xa2\u2026");
    check_cell("\xe6\xbc\xa2\xe5\xad\x97", 2, "\u2026 ");
    check_cell("\xe6\xbc\xa2", 1, "\u2026");
    check_cell("\xf0\x9f\x98\x80z", 4, "\xf0\x9f\x98\x80z ");
    check_cell("e\xcc\x81x", 3, "e\xcc\x81x ");
    check_cell("e\xcc\x81x", 2, "e\xcc\x81x");
    check_cell("\xcc\x81x", 3, "?x "); /* it would stand on what is before the column */
    check_cell("a\xe2\x80\x8b"
               "b",
               11, "a<U+200B>b ");
    check_cell("a\xe2\x80\xae"
               "b",
               10, "a<U+202E>b");
    check_cell("a\xe2\x80\xae"
               "b",
               9, "a\u2026       ");
    check_cell("\x1b[2J\xff\n", 8, "?[2J??  ");
    char *cell = cell_of("\xe6\xbc\xa2", 4, true);
    assert_string_equal(cell, "  \xe6\xbc\xa2");
    free(cell);
}

static void test_floods(void **state)
{
    char flood[400] = "a";

    for (int i = 0; i < 100; i++)
        strcat(flood, "\xcc\x81");
    strcat(flood, "b");
    assert_int_equal(text_cells(flood), 3);
    check_cell(flood, 4, "a\xcc\x81\xcc\x81\xcc\x81\xcc\x81?b ");
    check_cell(flood, 2, "a\xcc\x81\xcc\x81\xcc\x81\xcc\x81\u2026");
    check_cell(flood, 1, "\u2026");
}

static void test_skip(void **state)
{
    const char *text = "e\xcc\x81\xe6\xbc\xa2zz";

    assert_ptr_equal(text_skip_cells(text, 0), text);
    assert_string_equal(text_skip_cells(text, 1), "\xe6\xbc\xa2zz");
    assert_string_equal(text_skip_cells(text, 3), "zz");
    assert_string_equal(text_skip_cells(text, 2), "zz");
    assert_string_equal(text_skip_cells(text, 9), "");
}

/* Nothing is dropped from what other programs read, and nothing is hidden in it. */
static void test_csv_keeps(void **state)
{
    const char *name = "a\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xe2\x80\x8b\xe6\xbc\xa2";
    const char *shown = "a\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81<U+200B>\xe6\xbc\xa2";
    struct text t = {.bytes = NULL};

    text_csv(&t, name);
    assert_string_equal(t.bytes, shown);
    free(t.bytes);
}

/* Where the terminal is no UTF-8 one, each character is one '?' there. */
static void test_other_locale(void **state)
{
    const char *text = "e\xcc\x81\xe6\xbc\xa2\xff";

    assert_non_null(setlocale(LC_CTYPE, "C"));
    assert_int_equal(text_cells(text), 4 + 0);
    assert_int_equal(term_cells(text, false), 4);
    char *cell = cell_of(text, 6, false);
    assert_int_equal(term_cells(cell, false), 6);
    free(cell);
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
}

/* A text of any length is whole. */
static void test_long_text(void **state)
{
    static const size_t lengths[] = {0, 510, 511, 512, 513, 5000};
    char word[5001];

    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct text t = {.bytes = NULL};
        memset(word, 'x', lengths[i]);
        word[lengths[i]] = '\0';
        text_printf(&t, "%s%d", word, 7);
        assert_false(t.failed);
        assert_int_equal(t.len, lengths[i] + 1);
        assert_int_equal(strspn(t.bytes, "x"), lengths[i]);
        assert_string_equal(t.bytes + lengths[i], "7");
        free(t.bytes);
    }
}

static int set_utf8_locale(void **state)
{
    return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_of_unicode), cmocka_unit_test(test_cells),
        cmocka_unit_test(test_floods),         cmocka_unit_test(test_skip),
        cmocka_unit_test(test_csv_keeps),      cmocka_unit_test(test_other_locale),
        cmocka_unit_test(test_long_text),
    };

    return cmocka_run_group_tests(tests, set_utf8_locale, NULL);
}
