/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8 as RFC 3629 has it: each character, and no bytes that are none. */
#include "unit.h"

#include <base/utf8.h>

/* Writes a character's bytes, and a zero. Returns how many. */
static size_t encode(uint32_t code, char bytes[5])
{
    size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

    for (size_t i = len; i-- > 1; code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3f));
    bytes[0] = (char)(lead[len] | code);
    bytes[len] = '\0';
    return len;
}

static void test_every_character(void **state)
{
    bool begins[256] = {false};
    char bytes[5];

    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        bool is_surrogate = code >= 0xd800 && code < 0xe000;
        size_t len = encode(code, bytes);
        struct utf8_char c = utf8_next(bytes);
        assert_int_equal(c.code, is_surrogate ? UTF8_WRONG : code);
        assert_int_equal(c.len, is_surrogate ? 1 : len);
        begins[(unsigned char)bytes[0]] = true;
    }
    /* Whatever follows. */
    for (unsigned first = 0; first < 256; first++) {
        for (unsigned second = 0x80; second < 0xc0 && !begins[first]; second++) {
            const char wrong[] = {(char)first, (char)second, '\x8c', '\xa5', '\x80', '\x80', '\0'};
            assert_int_equal(utf8_next(wrong).code, UTF8_WRONG);
            assert_int_equal(utf8_next(wrong).len, 1);
        }
    }
}

static void test_wrong_bytes(void **state)
{
    static const char *const wrong[] = {
        "\xc3",                 /* cut short */
        "\xe2\x82",             /* the same */
        "\xf0\x9f\x98",         /* the same */
        "\xe0\x80\xaf",         /* longer than it must be */
        "\xf0\x80\x80\xaf",     /* the same */
        "\xf4\x90\x80\x80",     /* beyond U+10FFFF */
        "\xf8\x88\x80\x80\x80", /* five bytes, as before RFC 3629 */
        "\xfb\xb5\x8c\xa5",     /* four of five */
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_int_equal(utf8_next(wrong[i]).code, UTF8_WRONG);
        assert_int_equal(utf8_next(wrong[i]).len, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_character),
        cmocka_unit_test(test_wrong_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
