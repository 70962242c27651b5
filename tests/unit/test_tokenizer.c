/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a shell: words, commands, quotes, and what is wrong with them. */
#define _POSIX_C_SOURCE 200809L

#include "unit.h"

#include <shell/tokenizer.h>

/* The commands of a line, each word in <>, commands behind each other with |; or what is wrong. */
static void shown(const char *line, char text[400])
{
    struct tokens words;
    const char *why = "";
    enum tokenizer_code code;

    text[0] = '\0';
    while ((code = tokenizer_next(&line, &words, &why)) == TOKENIZER_OK) {
        if (text[0])
            strcat(text, "|");
        assert_true(words.argc > 0);
        assert_null(words.argv[words.argc]);
        for (int i = 0; i < words.argc; i++) {
            strcat(text, "<");
            strcat(text, words.argv[i]);
            strcat(text, ">");
        }
        tokens_free(&words);
    }
    if (code == TOKENIZER_BAD) {
        strcat(text, "!");
        strcat(text, why);
    }
}

static void test_lines(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"  \t ", ""},
        {"# all of it; report", ""},
        {"report", "<report>"},
        {"  report\t--limit 5  ", "<report><--limit><5>"},
        {"a;b", "<a>|<b>"},
        {";;a ; ; b;", "<a>|<b>"},
        {"a\nb # c\nd", "<a>|<b>|<d>"},
        {"a # b; c", "<a>"},
        {"a#b c", "<a#b><c>"},
        {"a '' \"\"", "<a><><>"},
        {"'a b' \"c;d\" e'f'\"g\"h", "<a b><c;d><efgh>"},
        {"'a\\' '\"'", "<a\\><\">"},
        {"\"a\\\"b\\\\c\\d'\"", "<a\"b\\c\\d'>"},
        {"a\\ b \\# \\; \\'", "<a b><#><;><'>"},
        {"a $HOME * `b` | > x &", "<a><$HOME><*><`b`><|><>><x><&>"},
        {"a 'b", "!missing closing '"},
        {"a; b \"c'", "<a>!missing closing \""},
        {"a \\", "!\\ at the end of the line: a command cannot continue on the next one"},
        {"a \\\nb", "!\\ at the end of the line: a command cannot continue on the next one"},
        {"a\r", "<a>"},
    };
    char text[400];

    for (size_t i = 0; i < COUNT(cases); i++) {
        shown(cases[i][0], text);
        assert_string_equal(text, cases[i][1]);
    }
}

static uint32_t seed = 7;

static uint32_t draw(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static void draw_text(char *text, size_t len)
{
    static const char letters[] = "ab \t'\"\\;#\n\xc3\xa9$";

    for (size_t i = 0; i < len; i++)
        text[i] = letters[draw() % (sizeof(letters) - 1)];
    text[len] = '\0';
}

/* What is quoted is one word, the same text again. */
static void test_quoting(void **state)
{
    char text[40];
    struct tokens words;
    const char *why;

    for (int round = 0; round < 20000; round++) {
        draw_text(text, draw() % sizeof(text));
        char *quoted = tokenizer_quote(text);
        assert_non_null(quoted);
        const char *at = quoted;
        assert_int_equal(tokenizer_next(&at, &words, &why), TOKENIZER_OK);
        assert_int_equal(words.argc, 1);
        assert_string_equal(words.argv[0], text);
        tokens_free(&words);
        assert_int_equal(tokenizer_next(&at, &words, &why), TOKENIZER_END);
        char *plain = tokenizer_unquote(quoted, quoted + strlen(quoted));
        assert_string_equal(plain, text);
        free(plain);
        free(quoted);
    }
}

/* No line makes more bytes than it has, and all end. */
static void test_random_lines(void **state)
{
    char text[64];
    struct tokens words;
    const char *why;

    for (int round = 0; round < 20000; round++) {
        draw_text(text, draw() % sizeof(text));
        size_t total = 0;
        enum tokenizer_code code;
        for (const char *at = text; (code = tokenizer_next(&at, &words, &why)) == TOKENIZER_OK;) {
            for (int i = 0; i < words.argc; i++)
                total += strlen(words.argv[i]);
            tokens_free(&words);
        }
        assert_true(code == TOKENIZER_END || code == TOKENIZER_BAD);
        assert_true(total <= strlen(text));
        char *plain = tokenizer_unquote(text, text + strlen(text) / 2);
        assert_true(strlen(plain) <= strlen(text) / 2);
        free(plain);
    }
}

static void test_long_line(void **state)
{
    size_t len = 1 << 20;
    char *line = malloc(len + 1);
    struct tokens words;
    const char *why, *at = line;

    for (size_t i = 0; i < len; i++)
        line[i] = i % 2 ? ' ' : 'x';
    line[len] = '\0';
    assert_int_equal(tokenizer_next(&at, &words, &why), TOKENIZER_OK);
    assert_int_equal(words.argc, len / 2);
    tokens_free(&words);
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_quoting),
        cmocka_unit_test(test_random_lines),
        cmocka_unit_test(test_long_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
