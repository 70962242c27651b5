/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instrumented functions with every kind of argument and result. */
#include "calls.h"

#include <stdarg.h>

struct two {
    long a, b;
};
struct bytes {
    unsigned char byte[40];
};
struct four {
    float f[4];
};

KEEP_APART int leaf(int a)
{
    NOTE(leaf);
    return a + 1;
}

KEEP_APART void nothing(void)
{
    NOTE(nothing);
}

KEEP_APART signed char small(short a, unsigned char b, bool c)
{
    NOTE(small);
    return (signed char)(a * b + c);
}

KEEP_APART long long sum64(long long a, int b, long long c)
{
    NOTE(sum64);
    return a * b + c;
}

KEEP_APART struct two pair(long a, long b)
{
    NOTE(pair);
    return (struct two){b, a};
}

KEEP_APART struct bytes large(unsigned char first, int step)
{
    struct bytes made;

    NOTE(large);
    for (unsigned i = 0; i < sizeof made; i++)
        made.byte[i] = (unsigned char)(first + (int)i * step);
    return made;
}

KEEP_APART uint32_t by_value(struct bytes bytes, int factor)
{
    uint32_t sum = 0;

    NOTE(by_value);
    for (unsigned i = 0; i < sizeof bytes; i++)
        sum = sum * (uint32_t)factor + bytes.byte[i];
    return sum;
}

KEEP_APART int va_ints(int count, ...)
{
    va_list list;
    int sum = 0;

    NOTE(va_ints);
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum = sum * 3 + va_arg(list, int);
    va_end(list);
    return sum;
}

KEEP_APART double va_doubles(int count, ...)
{
    va_list list;
    double sum = 0;

    NOTE(va_doubles);
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum = sum * 3 + va_arg(list, double);
    va_end(list);
    return sum;
}

KEEP_APART unsigned fib(unsigned n)
{
    NOTE(fib);
    return n < 2 ? n : fib(n - 1) ^ fib(n - 2) << 1; /* with + one of them would become a loop */
}

KEEP_APART int odd(unsigned n);

KEEP_APART int even(unsigned n)
{
    NOTE(even);
    return n == 0 ? 1 : odd(n - 1);
}

KEEP_APART int odd(unsigned n)
{
    NOTE(odd);
    return n == 0 ? 0 : even(n - 1);
}

KEEP_APART long many(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j)
{
    NOTE(many);
    return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h + 19 * i + 23 * j;
}

KEEP_APART double mixed(char a, double b, long long c, float d, short e, double f, int g, float h)
{
    NOTE(mixed);
    return a + b * (double)c + (double)d * e + f * g - (double)h;
}

KEEP_APART float singles(float a, float b, float c, float d, float e, float f, float g, float h,
                         float i, float j, float k, float l, float m, float n, float o, float p)
{
    NOTE(singles);
    return a - b + c * d - e + f * g - h + i * j - k + l * m - n + o * p;
}

KEEP_APART double doubles(double a, double b, double c, double d, double e, double f, double g,
                          double h)
{
    NOTE(doubles);
    return a - b + c * d - e + f * g - h;
}

KEEP_APART struct four quad(struct four a, struct four b)
{
    NOTE(quad);
    for (int i = 0; i < 4; i++)
        a.f[i] = a.f[i] * 3 + b.f[3 - i];
    return a;
}

KEEP_APART int chained(int a)
{
    int sum = a;

    KEEP_APART int inner(int b)
    {
        NOTE(inner);
        sum += b;
        return sum * b;
    }

    NOTE(chained);
    int first = inner(3);
    return first * 7 + inner(sum) + sum;
}

/* So many values at once that r8 to r11 are used. */
KEEP_APART uint32_t registers(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t e = a + b, f = b + c, g = c + d, h = d + a, i = a * b, j = b * c, k = c * d, l = d * a;

    NOTE(registers);
    for (uint32_t turn = 0; turn < 5; turn++) {
        e += f ^ i, f += g ^ j, g += h ^ k, h += i ^ l;
        i += j + a, j += k + b, k += l + c, l += e + d;
        a ^= e, b ^= f, c ^= g, d ^= h;
    }
    return a + b + c + d + e + f + g + h + i + j + k + l;
}

/* A frame that is larger than what one instruction of Thumb can take off the stack. */
KEEP_APART uint32_t frame(uint32_t a, uint32_t b)
{
    volatile uint32_t words[160];
    uint32_t sum = 0;

    NOTE(frame);
    for (uint32_t i = 0; i < 160; i += 31)
        words[i] = a * i + b;
    for (uint32_t i = 0; i < 160; i += 31)
        sum += words[i];
    return sum;
}

KEEP_APART uint32_t dynamic(uint32_t count, uint32_t a)
{
    volatile uint32_t words[count];
    uint32_t sum = 0;

    NOTE(dynamic);
    for (uint32_t i = 0; i < count; i++)
        words[i] = a + i;
    for (uint32_t i = 0; i < count; i++)
        sum = sum * 5 + words[i];
    return sum;
}

/* On x86-64 a prologue that aligns the stack has the caller's frame in r10. */
KEEP_APART long aligned(long a, long b, long c, long d, long e, long f, long g, long h)
{
    volatile __attribute__((aligned(64))) long words[8] = {a, b, c, d, e, f, g, h};
    long sum = 0;

    NOTE(aligned);
    for (int i = 0; i < 8; i++)
        sum = sum * 3 + words[i];
    return sum + (long)((uintptr_t)words & 63);
}

KEEP_APART int tail_end(int a, int b)
{
    NOTE(tail_end);
    return a * 10 + b;
}

KEEP_APART int tail(int a, int b)
{
    NOTE(tail);
    return tail_end(b, a);
}

KEEP_APART int pointed(int a)
{
    NOTE(pointed);
    return a ^ 0x55;
}

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 wide_t;
#else
typedef uint64_t wide_t;
#endif

KEEP_APART wide_t wide(wide_t a, int b, wide_t c)
{
    NOTE(wide);
    return a * (wide_t)(unsigned)b + c;
}

/* -finstrument-functions counts its body wherever it stands, -pg does not. */
static inline int inlined(int a)
{
#ifdef COUNTS_INLINED
    NOTE(inlined);
#endif
    return a * 3;
}

static UNHOOKED uint64_t bits(double number)
{
    union {
        double number;
        uint64_t bits;
    } both = {.number = number};

    return both.bits;
}

static UNHOOKED uint64_t sum_of(struct four four)
{
    double sum = 0;

    for (int i = 0; i < 4; i++)
        sum = sum * 10 + (double)four.f[i];
    return bits(sum);
}

KEEP_APART uint32_t interrupted(uint32_t number)
{
    int (*volatile pointer)(int) = pointed;
    uint64_t sum = number;

    NOTE(interrupted);
    nothing();
    sum += (uint64_t)leaf(3) + (uint64_t)sum64(5, 7, 11) + (uint64_t)chained(4);
    sum += bits((double)singles(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));
    sum += (uint64_t)va_ints(4, 1, 2, 3, 4) + by_value(large(1, 2), 3);
    sum += registers(1, 2, 3, 4) + (uint64_t)even(3) + (uint64_t)pointer(9);
    return (uint32_t)(sum ^ sum >> 32);
}

/* Called while RAM holds anything. */
__attribute__((used)) void early(void)
{
    nothing();
    leaf(1);
    by_value(large(1, 2), 3);
}

#ifdef __riscv
/* The entry of an interrupt is instrumented too. */
void mprof_mtimer_entry(void);

__attribute__((interrupt, aligned(4), used)) void mprof_mtimer_entry(void)
{
    handle(interrupt_begin());
    interrupt_end();
}
#endif

/* In pieces, so that little stands on the stack of a small core. */
static KEEP_APART int integers(uint64_t *result)
{
    int (*volatile pointer)(int) = pointed;
    struct two two = pair(3, 4);
    int n = 0;

    nothing();
    result[n++] = (uint64_t)leaf(41);
    result[n++] = (uint64_t)small(-300, 7, true);
    result[n++] = (uint64_t)sum64(0x123456789abcLL, -3, 0x1fffffffffLL);
    result[n++] = (uint64_t)(two.a * 100 + two.b);
    result[n++] = by_value(large(7, 9), 31);
    result[n++] = (uint64_t)va_ints(12, 1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12);
    result[n++] = fib(9);
    result[n++] = (uint64_t)(even(9) * 10 + odd(9));
    result[n++] = (uint64_t)many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    result[n++] = (uint64_t)chained(5);
    result[n++] = registers(0x1234567, 0x89abcdef, 0xdeadbeef, 0x31415926);
    result[n++] = frame(12345, 678);
    result[n++] = dynamic(17, 4711);
    result[n++] = (uint64_t)aligned(1, 2, 3, 4, 5, 6, 7, 8);
    result[n++] = (uint64_t)tail(2, 9);
    result[n++] = (uint64_t)pointer(0x33);
    result[n++] = (uint64_t)wide((wide_t)1 << 40, 77, (wide_t)3 << 50);
    result[n++] = (uint64_t)(wide((wide_t)~0ULL, 7777, 5) >> 32);
    result[n++] = (uint64_t)inlined((int)result[0]);
    return n;
}

static KEEP_APART int floats(uint64_t *result)
{
    struct four a = {{1.5F, 2.25F, -3.0F, 4.125F}}, b = {{-1.0F, 0.5F, 7.0F, 9.75F}};
    int n = 0;

    result[n++] = bits(va_doubles(10, 1.5, 2.5, -3.25, 4.0, 5.5, 6.0, 7.75, 8.0, 9.5, -10.0));
    result[n++] = bits(mixed('a', 1.25, 1LL << 33, 2.5F, -7, 1e3, 12, 0.5F));
    result[n++] = bits((double)singles(1.5F, 2, 3.5F, 4, 5.25F, 6, 7, 8.125F, 9, 10.5F, 11, 12, 13,
                                       14.75F, 15, 16));
    result[n++] = bits(doubles(1.5, 2, 3.5, 4, 5.25, 6, 7, 8.125));
    result[n++] = sum_of(quad(a, b));
    return n;
}

KEEP_APART int round_of_calls(uint64_t *result)
{
    NOTE(round_of_calls);
    int count = integers(result);
    return count + floats(result + count);
}
