/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that are switched off after each of their entries, of which a small ring has the last ones.
 * Prints for each of them the events as the functions know them, and the bytes of s_prof. */
#include "calls.h"

#include <mprof/mprof.h>

#define POSITIONS 34

enum note { LEFT, LEFT_EXIT, RIGHT, RIGHT_EXIT };

static unsigned char notes[8 * POSITIONS];
static unsigned count, entries, last;
static uint32_t random_word;

#ifdef __riscv
/* Nothing interrupts. */
UNHOOKED void mprof_mtimer_entry(void)
{
}
#endif

KEEP_APART int left(int depth);
KEEP_APART int right(int depth);

/* The hook of an entry has run before, that of an exit runs later. */
static UNHOOKED void note(enum note what)
{
    if (entries == last)
        return;
    notes[count++] = (unsigned char)what;
    if ((what == LEFT || what == RIGHT) && ++entries == last)
        mprof_trace_disable();
}

static UNHOOKED void call_some(int depth)
{
    random_word = random_word * 1103515245 + 12345;
    for (unsigned i = 0; depth != 0 && i < (random_word >> 16 & 3); i++)
        (void)(i & 1 ? left(depth - 1) : right(depth - 1));
}

int left(int depth)
{
    note(LEFT);
    call_some(depth);
    note(LEFT_EXIT);
    return depth;
}

int right(int depth)
{
    note(RIGHT);
    call_some(depth);
    note(RIGHT_EXIT);
    return -depth - 1;
}

UNHOOKED int main(void)
{
    for (last = 1; last <= POSITIONS; last++) {
        random_word = 7;
        count = entries = 0;
        mprof_init();
        while (entries < last)
            (void)left(4);
        put_hex(count, " ");
        for (unsigned i = 0; i < count; i++)
            put_hex(notes[i], " ");
        for (const unsigned char *at = (const unsigned char *)&s_prof;
             at < (const unsigned char *)(&s_prof + 1); at++)
            put_hex(*at, " ");
        put_hex(0, "\n");
    }
    quit();
}
