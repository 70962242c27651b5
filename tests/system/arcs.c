/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that count their calls: arcs PROGRAM FILE. At the end, the file has a line for each
 * place of a call: caller, callee and number of calls, with tabs between. */
#define _GNU_SOURCE

#include "arcs.h"

#include <alloca.h>
#include <search.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *output;

HIDDEN static void check(int right)
{
    if (!right)
        abort();
}

APART static int fibonacci(int n)
{
    if (n < 2)
        return n;
    int sum = CALL(fibonacci, fibonacci)(n - 1);
    return sum + CALL(fibonacci, fibonacci)(n - 2);
}

APART static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    int inner = n == 0 ? 1 : CALL(ackermann, ackermann)(m, n - 1);
    return CALL(ackermann, ackermann)(m - 1, inner);
}

APART static int depth(int levels)
{
    return levels == 0 ? 0 : 1 + CALL(depth, depth)(levels - 1);
}

APART static void recursion(void)
{
    check(CALL(recursion, fibonacci)(11) == 89);
    check(CALL(recursion, ackermann)(2, 3) == 9);
    check(CALL(recursion, depth)(500) == 500);
}

static int odd(int n);

APART static int even(int n)
{
    return n == 0 ? 1 : CALL(even, odd)(n - 1);
}

APART static int odd(int n)
{
    return n == 0 ? 0 : CALL(odd, even)(n - 1);
}

static int expression(const char **text);

APART static int primary(const char **text)
{
    if (**text != '(')
        return *(*text)++ - '0';
    ++*text;
    int value = CALL(primary, expression)(text);
    ++*text;
    return value;
}

APART static int product(const char **text)
{
    int value = CALL(product, primary)(text);

    for (; **text == '*'; value *= CALL(product, primary)(text))
        ++*text;
    return value;
}

APART static int expression(const char **text)
{
    int value = CALL(expression, product)(text);

    for (; **text == '+'; value += CALL(expression, product)(text))
        ++*text;
    return value;
}

APART static void mutual(void)
{
    const char *text = "(1+2)*(3*(4+5)+6)*((7))";

    check(CALL(mutual, even)(101) == 0 && CALL(mutual, odd)(33) == 1);
    check(CALL(mutual, expression)(&text) == 693 && *text == '\0');
}

APART static int add_one(int n)
{
    KEPT;
    return n + 1;
}

APART static int half(int n)
{
    KEPT;
    return n / 2;
}

APART static int negative(int n)
{
    KEPT;
    return -n;
}

static int (*const all[])(int) = {add_one, half, negative};
static struct arc pointed[2][3] ARC = {
    {{"pointers", "add_one", 0}, {"pointers", "half", 0}, {"pointers", "negative", 0}},
    {{"apply", "add_one", 0}, {"apply", "half", 0}, {"apply", "negative", 0}}};

APART static int apply(int which, int n)
{
    pointed[1][which].count++;
    return all[which](n);
}

APART static void pointers(void)
{
    unsigned random = 1;
    int value = 0, wanted = 0;

    for (int i = 0; i < 200; i++) {
        random = random * 1664525 + 1013904223;
        int which = (int)(random >> 16) % 3;
        wanted = which == 0 ? wanted + 1 : which == 1 ? wanted / 2 : -wanted;
        if (random >> 24 & 1)
            pointed[0][which].count++;
        value = random >> 24 & 1 ? all[which](value) : CALL(pointers, apply)(which, value);
    }
    check(value == wanted && CALL(pointers, apply)(1, 42) == 21);
}

APART static int compare(const void *a, const void *b)
{
    FROM_LIBRARY(compare);
    return *(const int *)a - *(const int *)b;
}

/* Calls the library in its turn. */
APART static int compare_by_search(const void *a, const void *b)
{
    static const int order[] = {1, 3, 5, 7, 9, 11, 13, 15};
    const int *at[2];
    size_t count = 8;

    FROM_LIBRARY(compare_by_search);
    at[0] = lfind(a, order, &count, sizeof(int), compare);
    at[1] = lfind(b, order, &count, sizeof(int), compare);
    return (int)(at[1] - at[0]);
}

APART static void callbacks(void)
{
    int numbers[64], odd_numbers[8] = {7, 1, 15, 3, 9, 13, 5, 11};

    for (int i = 0; i < 64; i++)
        numbers[i] = i * 37 % 64;
    qsort(numbers, 64, sizeof(int), compare);
    qsort(odd_numbers, 8, sizeof(int), compare_by_search);
    for (int i = 0; i < 64; i++)
        check(numbers[i] == i);
    for (int i = 0; i < 8; i++)
        check(odd_numbers[i] == 15 - 2 * i);
}

static jmp_buf caught;

APART static void thrower(int levels)
{
    if (levels == 0)
        longjmp(caught, 1);
    CALL(thrower, thrower)(levels - 1);
}

APART static void catcher(int levels)
{
    if (setjmp(caught) == 0)
        CALL(catcher, thrower)(levels);
    CALL(catcher, add_one)(levels);
}

APART static int leaves(const void *a, const void *b)
{
    FROM_LIBRARY(leaves);
    if (*(const int *)a == 3 || *(const int *)b == 3)
        longjmp(caught, 1);
    return 0;
}

APART static void longjmps(void)
{
    int numbers[] = {1, 2, 3, 4};

    for (int i = 0; i < 10; i++) {
        CALL(longjmps, catcher)(i);
        CALL(longjmps, depth)(i);
    }
    if (setjmp(caught) == 0)
        qsort(numbers, 4, sizeof(int), leaves);
    CALL(longjmps, depth)(3);
}

struct large {
    int words[16];
};

APART static struct large larger(struct large one, int by)
{
    for (int i = 0; i < 16; i++)
        one.words[i] += by;
    return one;
}

APART static double many(int a, double b, long c, float d, int e, int f, int g, int h, int i,
                         double j, int k, long double l)
{
    return a + b + (double)c + (double)d + e + f + g + h + i + j + k + (double)l;
}

APART static double variable(int count, ...)
{
    double sum = 0;
    va_list list;

    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += i % 2 ? va_arg(list, double) : va_arg(list, int);
    va_end(list);
    return sum;
}

APART static int on_stack(int length)
{
    int *words = alloca((size_t)length * sizeof(int));

    for (int i = 0; i < length; i++)
        words[i] = CALL(on_stack, add_one)(i);
    return words[length - 1];
}

APART static void frames(void)
{
    struct large one = {{0}};

    for (int i = 1; i <= 10; i++) {
        one = CALL(frames, larger)(one, 2);
        check(one.words[0] == 2 * i && one.words[15] == 2 * i);
        check(CALL(frames, many)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) == 78);
        check(CALL(frames, variable)(9, 1, 0.5, 2, 1.5, 3, 2.5, 4, 3.5, 5) == 23);
        check(CALL(frames, on_stack)(i) == i);
    }
}

/* The last function of the program. */
__attribute__((destructor(101))) HIDDEN static void write_counts(void)
{
    extern struct arc __start_arcs[], __stop_arcs[];
    FILE *file = output != NULL ? fopen(output, "w") : NULL;

    for (struct arc *arc = __start_arcs; file != NULL && arc < __stop_arcs; arc++)
        fprintf(file, "%s\t%s\t%lu\n", arc->caller, arc->callee, arc->count);
    if (file == NULL || fclose(file) != 0)
        abort();
}

#define PROGRAMS(X) \
    X(recursion)    \
    X(mutual)       \
    X(pointers)     \
    X(callbacks)    \
    X(longjmps) X(tails) X(frames) X(signals) X(stepped) X(threads) X(coroutines) X(outside_main)
#define RUN(name)                      \
    if (strcmp(argv[1], #name) == 0) { \
        CALL(main, name)();            \
        return 0;                      \
    }

int main(int argc, char **argv)
{
    FROM_LIBRARY(main);
    check(argc == 3);
    output = argv[2];
    PROGRAMS(RUN)
#ifdef EXCEPTIONS
    RUN(exceptions)
#endif
    return 1;
}
