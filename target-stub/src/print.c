/* SPDX-License-Identifier: 0BSD */
/* Prints a table for a target that has a console and no host. */
#include "gate.h"

#if MPROF_CNT
#define ROWS     items
#define ROWS_CNT MPROF_CNT
#elif MPROF_CALL_CNT
#define ROWS     calls
#define ROWS_CNT MPROF_CALL_CNT
#endif

typedef void (*put_t)(char c);

MPROF_UNHOOKED static void put_text(put_t put, const char *text)
{
    while (*text != '\0')
        put(*text++);
}

#ifdef ROWS

MPROF_UNHOOKED static const volatile mprof_row_t *row_at(unsigned index)
{
    return &((const volatile struct mprof_prof *)MPROF_PROF)->ROWS[index];
}

MPROF_UNHOOKED static void put_address(put_t put, uintptr_t address)
{
    for (unsigned digits = 2 * sizeof(address); digits > 0; digits--) {
        unsigned digit = (unsigned)(address >> (4 * digits - 4)) & 15;

        put("0123456789abcdef"[digit]);
    }
}

/* By subtraction, because many cores cannot divide. */
MPROF_UNHOOKED static void put_number(put_t put, uint32_t number)
{
    static const uint32_t powers[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                      10000,      1000,      100,      10,      1};
    int begun = 0;

    for (unsigned i = 0; i < sizeof(powers) / sizeof(powers[0]); i++) {
        char digit = '0';

        for (; number >= powers[i]; number -= powers[i])
            digit++;
        begun |= digit != '0' || powers[i] == 1;
        put(begun ? digit : ' ');
    }
}

/* Tenths of a percent. */
MPROF_UNHOOKED static uint32_t share_of(uint32_t hits, uint32_t total)
{
    uint64_t rest = (uint64_t)hits * 1000;
    uint32_t share = 0;

    for (; rest >= total && share < 1000; rest -= total)
        share++;
    return share;
}

/* Takes the tens from a number below 110. */
MPROF_UNHOOKED static char tens_of(uint32_t *number)
{
    char tens = 0;

    for (; *number >= 10; *number -= 10)
        tens++;
    return tens % 10;
}

MPROF_UNHOOKED static void put_share(put_t put, uint32_t share)
{
    uint32_t percent = 0;

    for (; share >= 10; share -= 10)
        percent++;
    put_text(put, percent >= 100 ? " 1" : "  ");
    put((char)(percent >= 10 ? '0' + tens_of(&percent) : ' '));
    put((char)('0' + percent));
    put('.');
    put((char)('0' + share));
    put_text(put, " %\r\n");
}

/* Whether row a is to be printed before row b: more hits, or as many and in front. */
MPROF_UNHOOKED static int comes_before(unsigned a, uint32_t a_hits, unsigned b, uint32_t b_hits)
{
    return a_hits > b_hits || (a_hits == b_hits && a < b);
}

/* The row that follows this one, whose hits were so many; ROWS_CNT: none. No row is marked as
 * printed, so this takes no memory. */
MPROF_UNHOOKED static unsigned next_row(unsigned last, uint32_t *hits)
{
    unsigned best = ROWS_CNT;
    uint32_t best_hits = 0;

    for (unsigned i = 0; i < ROWS_CNT; i++) {
        uint32_t row_hits = row_at(i)->hits;

        if ((row_at(i)->addr & 1) || row_hits == 0 ||
            (last != ROWS_CNT && !comes_before(last, *hits, i, row_hits)))
            continue;
        if (best == ROWS_CNT || comes_before(i, row_hits, best, best_hits)) {
            best = i;
            best_hits = row_hits;
        }
    }
    *hits = best_hits;
    return best;
}

MPROF_UNHOOKED static uint32_t sum_of_hits(void)
{
    uint32_t sum = 0;

    for (unsigned i = 0; i < ROWS_CNT; i++)
        sum += row_at(i)->addr & 1 ? 0 : row_at(i)->hits;
    return sum;
}

MPROF_UNHOOKED static void put_rows(put_t put)
{
    uint32_t total = sum_of_hits();
    uint32_t hits = 0;
    unsigned row = ROWS_CNT;

    /* As many turns as there are rows, also if they change meanwhile. */
    for (unsigned turn = 0; turn < ROWS_CNT; turn++) {
        row = next_row(row, &hits);
        if (row == ROWS_CNT)
            return;
        put_address(put, row_at(row)->addr);
        put_number(put, hits);
        put_share(put, share_of(hits, total));
    }
}

MPROF_UNHOOKED void mprof_print(void (*put)(char c))
{
    if (((volatile struct mprof_header *)&MPROF_PROF->header)->magic != MPROF_MAGIC)
        put_text(put, "mprof: mprof_init() was not called\r\n");
    else
        put_rows(put);
}

#else

MPROF_UNHOOKED void mprof_print(void (*put)(char c))
{
    put_text(put, "mprof: there is no table to print: MPROF_CNT and MPROF_CALL_CNT are 0\r\n");
}

#endif
