/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An lcov tracefile, added twice; what is written of it is read again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <model/coverage.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void check(int right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void add(struct coverage *c, const char *bytes, size_t len, size_t *bad)
{
    char *text = malloc(len + 1);

    check(text != NULL, "no memory");
    memcpy(text, bytes, len);
    text[len] = '\0';
    check(coverage_read_lcov(c, text, bad), "no memory");
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct coverage *c = coverage_new(), *again = coverage_new();
    size_t bad;

    check(c && again, "no memory");
    add(c, (const char *)bytes, len, &bad);
    add(c, (const char *)bytes, len, &bad);
    coverage_sort(c);
    char *text = coverage_lcov(c);
    check(text != NULL, "no memory");
    add(again, text, strlen(text), &bad);
    check(bad == 0, "what was written is not read again");
    coverage_sort(again);
    check(coverage_sums(c).lines_reached == coverage_sums(again).lines_reached,
          "lines are missing");
    free(text);
    coverage_free(c);
    coverage_free(again);
    return 0;
}
