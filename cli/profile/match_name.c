/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names without what compilers append. */
#include <profile/match.h>

#include <ctype.h>
#include <string.h>

/* Hexadecimal digits. */
#define RUST_HASH 16

/* What stands between points before a number, or alone. */
static const char *const words[] = {"constprop", "isra", "part",       "cold",
                                    "lto_priv",  "llvm", "localalias", "specialized"};

static bool is_number(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!isdigit((unsigned char)text[i]))
            return false;
    return len > 0;
}

static bool is_word(const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strlen(words[i]) == len && memcmp(words[i], text, len) == 0)
            return true;
    return false;
}

/* The place of the last point before the end, 0: none that leaves a name. */
static size_t last_point(const char *name, size_t end)
{
    for (size_t i = end; i-- > 1;)
        if (name[i] == '.')
            return i;
    return 0;
}

static bool is_hash(const char *text)
{
    for (size_t i = 0; i < RUST_HASH; i++)
        if (!isdigit((unsigned char)text[i]) && (text[i] < 'a' || text[i] > 'f'))
            return false;
    return true;
}

/* Rust ends a name by a hash of all that the function depends on: "::h0123456789abcdef", or
 * "17h0123456789abcdefE" while it is mangled. */
static size_t without_hash(const char *name, size_t len)
{
    static const struct {
        const char *before, *behind;
    } forms[] = {{"::h", ""}, {"17h", "E"}};

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        size_t before = strlen(forms[i].before), behind = strlen(forms[i].behind);
        if (len <= before + RUST_HASH + behind)
            continue;
        size_t rest = len - before - RUST_HASH - behind;
        bool mangled = behind == 0 || strncmp(name, "_ZN", 3) == 0;
        if (mangled && memcmp(name + rest, forms[i].before, before) == 0 &&
            is_hash(name + rest + before) &&
            memcmp(name + len - behind, forms[i].behind, behind) == 0)
            return rest;
    }
    return len;
}

size_t match_name_len(const char *name)
{
    const char *clone = strstr(name, " [clone ");
    size_t len = clone != NULL && clone > name ? (size_t)(clone - name) : strlen(name);

    for (;;) {
        size_t point = last_point(name, len);
        const char *part = name + point + 1;
        if (point == 0 || !(is_number(part, len - point - 1) || is_word(part, len - point - 1)))
            return without_hash(name, len);
        len = point;
    }
}
