/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of known results of all kinds, whose callers check what they get. Prints how many were
 * wrong, and then the bytes of s_prof. */
#include "calls.h"

#include <mprof/mprof.h>

#ifdef __riscv
/* Nothing interrupts. */
UNHOOKED void mprof_mtimer_entry(void)
{
}
#endif

enum color { RED, GREEN = 5 };

struct point {
    int x, y, z, w, u;
};

static volatile uint32_t word;
static uint32_t wrong;

#define CHECK(what) (wrong += !(what))

KEEP_APART int negative(int a)
{
    return -a;
}

KEEP_APART short small(int a)
{
    return (short)(a - 1);
}

KEEP_APART unsigned char byte(int a)
{
    return (unsigned char)(a + 300);
}

KEEP_APART uint64_t wide(uint32_t a)
{
    return (uint64_t)a << 32 | 0x80000007;
}

KEEP_APART int64_t wide_negative(int64_t a)
{
    return -a;
}

KEEP_APART enum color pick(int a)
{
    return a ? GREEN : RED;
}

KEEP_APART _Bool is_odd(unsigned a)
{
    return a & 1;
}

KEEP_APART char letter(int a)
{
    return (char)('a' + a);
}

KEEP_APART const char *text(int a)
{
    return a ? "hello" : 0;
}

KEEP_APART volatile uint32_t *pointer(void)
{
    return &word;
}

KEEP_APART void nothing(int a)
{
    word += (uint32_t)a;
}

KEEP_APART struct point structure(int a)
{
    return (struct point){a, a, a, a, a};
}

KEEP_APART float half(float a)
{
    return a / 2;
}

KEEP_APART int jump(int a)
{
    return negative(a + 1);
}

KEEP_APART int around(int a)
{
    int sum = negative(a) + small(a);

    __asm__ volatile("");
    return sum;
}

/* In four registers of a core of 32 bits. */
KEEP_APART int four(short a, char b, uint64_t c)
{
    return a + b + (int)c - (int)(c >> 32) - 30;
}

UNHOOKED int main(void)
{
    mprof_init();
    CHECK(negative(5) == -5);
    CHECK(small(-7) == -8);
    CHECK(byte(1) == 45);
    CHECK(wide(3) == 0x380000007ULL);
    CHECK(wide_negative(5000000000) == -5000000000);
    CHECK(pick(1) == GREEN && pick(0) == RED);
    CHECK(is_odd(3) && !is_odd(4));
    CHECK(letter(2) == 'c');
    CHECK(text(1)[1] == 'e' && text(0) == 0);
    CHECK(pointer() == &word);
    nothing(4);
    CHECK(structure(6).w == 6);
    CHECK(half(0.5f) == 0.25f);
    CHECK(jump(8) == -9);
    CHECK(around(10) == -1);
    CHECK(four(-1, 'b', 0x300000002) == 66);
    mprof_trace_disable();
    put_hex(wrong, " ");
    put_hex((uintptr_t)&s_prof, "\n");
    for (const unsigned char *at = (const unsigned char *)&s_prof;
         at < (const unsigned char *)(&s_prof + 1); at++)
        put_hex(*at, "\n");
    quit();
}
