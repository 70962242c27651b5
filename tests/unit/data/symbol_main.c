/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and data of every binding, for the tests of the symbol table. It never runs. */
#define APART __attribute__((noinline))

int symbol_asm_use(int x);
int symbol_other(int x);
int symbol_unused(int x);
int symbol_unused_too(int x);
int symbol_weak(int x);
int symbol_alias(int x);
void _start(void);

volatile int symbol_object[4] = {1, 2, 3, 4};
static volatile short symbol_static_object = 5;

/* Two files have a function of this name. */
static APART int symbol_sum(int x)
{
    for (int i = 0; i < 3; i++)
        x += symbol_object[i] * symbol_static_object;
    return x;
}

__attribute__((weak)) APART int symbol_weak(int x)
{
    return symbol_sum(x) ^ symbol_object[3];
}

int symbol_alias(int x) __attribute__((alias("symbol_weak")));

/* One short and one long, dropped by the linker where it may drop: their lines stay in the file. */
APART int symbol_unused_too(int x)
{
    return x + symbol_object[0];
}

APART int symbol_unused(int x)
{
    for (int i = 0; i < x; i++) {
        symbol_object[0] += i * x;
        symbol_object[1] ^= symbol_object[0] + symbol_object[2];
        symbol_object[2] -= symbol_object[1] * symbol_object[3];
        symbol_object[3] |= symbol_object[2] / 3;
        symbol_object[0] &= symbol_object[3] + 17;
        symbol_object[1] += symbol_object[0] % 11;
        symbol_object[2] ^= symbol_object[1] + x;
        symbol_object[3] -= symbol_object[2] * x;
        symbol_object[0] += symbol_object[3] / 7;
        symbol_object[1] ^= symbol_object[0] + symbol_object[2];
        symbol_object[2] -= symbol_object[1] * symbol_object[3];
        symbol_object[3] |= symbol_object[2] / 3;
    }
    return symbol_object[0];
}

void _start(void)
{
    for (;;)
        symbol_object[0] = symbol_weak(symbol_other(symbol_asm_use(1)));
}
