/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimal string alignment distance between a word and names. */
#define _POSIX_C_SOURCE 200809L

#include <base/nearest.h>

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NEAR_PART 3

void nearest_begin(struct nearest *n, const char *typed, size_t len)
{
    *n = (struct nearest){.typed = typed, .len = len};
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Row by row: rows[0] is the current one, rows[1] and rows[2] the two before. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t rows[3][NEAREST_MAX + 1];

    for (size_t j = 0; j <= b_len; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        memcpy(rows[2], rows[1], sizeof(rows[0]));
        memcpy(rows[1], rows[0], sizeof(rows[0]));
        rows[0][0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t d = rows[1][j - 1] + !same(a[i - 1], b[j - 1]);
            d = least(d, least(rows[1][j], rows[0][j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                d = least(d, rows[2][j - 2] + 1);
            rows[0][j] = d;
        }
    }
    return rows[0][b_len];
}

void nearest_offer(struct nearest *n, const char *name)
{
    size_t len = name ? strnlen(name, NEAREST_MAX + 1) : 0;

    if (len == 0 || len > NEAREST_MAX || n->len == 0 || n->len > NEAREST_MAX)
        return;
    size_t most = (len > n->len ? len : n->len) / NEAR_PART;
    if (n->name && most >= n->distance) {
        if (n->distance == 0)
            return;
        most = n->distance - 1;
    }
    if ((len > n->len ? len - n->len : n->len - len) > most)
        return;
    size_t d = distance(n->typed, n->len, name, len);
    if (d > most)
        return;
    n->name = name;
    n->distance = d;
}

const char *nearest_hint(const struct nearest *n, const char *prefix, char *text, size_t capacity)
{
    if (n->name)
        snprintf(text, capacity, "; did you mean '%s%s'?", prefix, n->name);
    else
        text[0] = '\0';
    return text;
}
