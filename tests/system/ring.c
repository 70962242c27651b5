/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program with a tracer of its own: a ring of calls, and how far that is filled. It says "ready";
 * each line of its standard input is a number of rounds, which are made and answered by "done". */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef PLAIN
#define COUNT 51
#elif defined(INDEX)
#define COUNT 200
#else
#define COUNT 50
#endif
#define KEPT __attribute__((used)) /* though nothing reads it */

#ifdef PLAIN /* without times and arguments; the counter counts all calls, but not far */
static KEPT struct {
    uint32_t size;
    struct {
        void *from, *to;
    } rows[COUNT];
} calls_ring;
static KEPT volatile uint16_t calls_head;

#define RECORD calls_ring.rows[calls_head % COUNT]

static inline void keep(void *callee, void *caller, uintptr_t number, uintptr_t text)
{
    (void)number, (void)text;
    RECORD.from = caller;
    RECORD.to = callee;
    calls_head++;
}

#else
struct record {
    uint64_t tsc;
    uintptr_t caller, callee;
    uintptr_t args[2];
};
static KEPT struct record tbuf[COUNT];
static uint64_t events;
#ifdef POINTER
static struct record *volatile tcur = tbuf;
#elif defined(INDEX)
static KEPT volatile uint8_t tcur;
#else
static KEPT volatile uint32_t tcur;
#endif

static inline void keep(void *callee, void *caller, uintptr_t number, uintptr_t text)
{
    const struct record one = {.tsc = 1000 + events++,
                               .caller = (uintptr_t)caller,
                               .callee = (uintptr_t)callee,
                               .args = {number, text}};

#ifdef POINTER
    *tcur = one;
    tcur = tcur == &tbuf[COUNT - 1] ? tbuf : tcur + 1;
#elif defined(INDEX)
    tbuf[tcur] = one;
    tcur = (uint8_t)((tcur + 1) % COUNT);
#else
    tbuf[tcur % COUNT] = one;
    tcur++;
#endif
}
#endif

#define KEEP_APART __attribute__((noinline, noclone))

KEEP_APART static void second(int number)
{
    keep((void *)(uintptr_t)second, __builtin_return_address(0), (uintptr_t)number, 0);
}

KEEP_APART static int first(int number, const char *text)
{
    keep((void *)(uintptr_t)first, __builtin_return_address(0), (uintptr_t)number, (uintptr_t)text);
    second(2 * number);
    return number + 1;
}

int main(void)
{
    char line[80];
    int number = 0;

    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof(line), stdin)) {
        for (long i = strtol(line, NULL, 10); i > 0; i--)
            number = first(number, "round");
        puts("done");
        fflush(stdout);
    }
    return 0;
}
