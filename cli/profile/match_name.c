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

/* "operator" and its sign, whose brackets are none; 0: something else stands there. */
static size_t operator_len(const char *at)
{
    const size_t word = strlen("operator");

    if (strncmp(at, "operator", word) != 0 || isalnum((unsigned char)at[word]) || at[word] == '_')
        return 0;
    if (strncmp(at + word, "()", 2) == 0 || strncmp(at + word, "[]", 2) == 0)
        return word + 2;
    return word + strspn(at + word, "<>=-");
}

bool match_is_unqualified(const char *function, const char *wanted)
{
    const char *const clone = strstr(function, " [clone ");
    const char *const end = clone ? clone : function + strlen(function), *matched = function;
    size_t len = strlen(wanted);
    unsigned depth = 0;
    bool found = false;

    if (!strstr(function, wanted)) /* nearly always */
        return false;
    for (const char *at = function; at < end; at++) {
        bool begins = depth == 0 && at >= matched && (at == function || at[-1] == ':');
        if (begins && *at != ':') {
            found = len > 0 && (size_t)(end - at) >= len && strncmp(at, wanted, len) == 0 &&
                    (at + len == end || strchr("(<[", at[len]));
            matched = found ? at + len : at;
        }
        size_t skipped = begins ? operator_len(at) : 0;
        if (skipped)
            at += skipped - 1;
        else if (strchr("(<[{", *at))
            depth++;
        else if (strchr(")>]}", *at))
            depth -= depth != 0;
    }
    return found;
}
