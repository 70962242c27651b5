/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers, and refuses what the C library's functions take beyond them. */
#include <base/number.h>

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECIMAL_MAX 32

bool number_parse(const char *text, double low, double high, double *number)
{
    char *end;

    errno = 0;
    double n = strtod(text, &end);
    if (end == text || *end || errno || !(n >= low && n <= high))
        return false;
    *number = n;
    return true;
}

static bool take_unit(const char *unit, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(unit, units[i].name) == 0) {
            *seconds = units[i].seconds;
            return true;
        }
    }
    return false;
}

bool number_parse_duration(const char *text, double low, double high, double *seconds)
{
    char *end;
    double unit;

    errno = 0;
    double n = strtod(text, &end);
    if (end == text || errno || !take_unit(end, &unit))
        return false;
    n *= unit;
    if (!(n >= low && n <= high))
        return false;
    *seconds = n;
    return true;
}

bool number_parse_part(const char *text, double low, double high, double *part)
{
    size_t len = strlen(text);
    bool percent = len > 1 && text[len - 1] == '%';
    char number[32];
    double taken;

    if (len >= sizeof(number))
        return false;
    snprintf(number, sizeof(number), "%.*s", (int)(percent ? len - 1 : len), text);
    if (!number_parse(number, 0, 1e9, &taken))
        return false;
    taken /= percent ? 100 : 1;
    if (taken < low || taken > high)
        return false;
    *part = taken;
    return true;
}

/* Its value; 16: it is no digit. */
static unsigned digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *digit = memchr(digits, tolower((unsigned char)c), sizeof(digits) - 1);

    return digit ? (unsigned)(digit - digits) : 16;
}

static bool take_digits(const char **at, unsigned base, uint64_t *number)
{
    const char *end = *at;
    uint64_t n = 0;

    for (unsigned digit; (digit = digit_of(*end)) < base; end++) {
        if (n > (UINT64_MAX - digit) / base)
            return false;
        n = n * base + digit;
    }
    if (end == *at)
        return false;
    *number = n;
    *at = end;
    return true;
}

bool number_parse_digits(const char *text, unsigned base, uint64_t *number)
{
    uint64_t n;

    if (!take_digits(&text, base, &n) || *text)
        return false;
    *number = n;
    return true;
}

bool number_take_decimal(const char **at, double *number)
{
    size_t len = strspn(*at, "0123456789.");
    char *end;

    if (len == 0 || len > DECIMAL_MAX)
        return false;
    double n = strtod(*at, &end);
    if (end != *at + len)
        return false;
    *number = n;
    *at = end;
    return true;
}

bool number_take_size(const char **at, uint64_t *number)
{
    bool hexadecimal = strncmp(*at, "0x", 2) == 0 || strncmp(*at, "0X", 2) == 0;
    const char *end = *at + (hexadecimal ? 2 : 0);
    uint64_t n;

    if (!take_digits(&end, hexadecimal ? 16 : 10, &n))
        return false;
    unsigned shift = *end == 'k' || *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
    if (n > UINT64_MAX >> shift)
        return false;
    *number = n << shift;
    *at = end + (shift != 0);
    return true;
}
