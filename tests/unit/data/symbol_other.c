/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The second file of the symbol table's test program. */
int symbol_other(int x);

extern volatile int symbol_object[4];

static __attribute__((noinline)) int symbol_sum(int x)
{
    while (x > symbol_object[1])
        x -= symbol_object[2];
    return x;
}

__attribute__((noinline)) int symbol_other(int x)
{
    return symbol_sum(x) + symbol_sum(2 * x);
}
