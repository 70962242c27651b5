/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions with parameters of all kinds. */
#include <stddef.h>

#define APART __attribute__((noinline, used))

enum sign { LESS = -1, MORE = 1 };
enum code { GOOD, BAD = 200 };
struct pair {
    long first, second, third;
};
enum access { NONE, READ, WRITE, EXECUTE = 8, BOTH = READ | WRITE };
enum wide { SMALL, HUGE = 0x7fffffff, LAST = -5 };
typedef const char *const name_t;
typedef const unsigned short *table_t;

struct small {
    short x;
    enum sign sign;
};
struct mixed {
    const char *name;
    float value, other;
};
struct nested {
    struct small small;
    unsigned char bytes[3];
    unsigned a : 3, b : 7;
};
struct total {
    int count;
    long long total;
};
struct tight {
    char a;
    int b;
} __attribute__((packed));
struct many {
    char letters[17];
};
struct distant {
    int near;
    _Alignas(4096) int far;
};
union either {
    int number;
    char letter;
};
struct vector {
    float x, y, z;
};
union length {
    float one;
    struct {
        float x, y;
    } two;
};
struct measured {
    union length length;
    float scale;
};
union precision {
    float low;
    double high;
};

volatile long result;
volatile double kept;
volatile float kept_short;

APART void none(void)
{
    result = 1;
}

APART void numbers(signed char a, unsigned short b, int c, unsigned long long d, _Bool e)
{
    result = a + b + c + (long)d + e;
}

APART void others(table_t a, enum sign b, enum code c, double d, float e)
{
    result = *a + b + c;
    kept = d;
    kept_short = e;
}

APART void named(enum access a, const volatile enum wide b, name_t c, char d, unsigned char *e)
{
    result = a + b + *c + d + *e;
}

APART void structure(int a, struct pair b, int c)
{
    result = a + b.first + b.second + b.third + c;
}

APART void structures(struct small a, int b, struct mixed c, union either d)
{
    result = a.x + a.sign + b + (c.name != NULL) + d.number;
    kept_short = c.value;
}

APART void nesting(struct nested a, struct pair b, enum sign c)
{
    result = a.bytes[1] + a.b + b.third + c;
}

APART void widths(int a, struct total b, struct tight c, int d)
{
    result = a + b.count + (long)b.total + c.b + d;
}

APART void floats(struct vector a, int b)
{
    kept_short = a.y;
    result = b;
}

APART void unions(struct measured a, int b)
{
    kept_short = a.length.two.y;
    result = b;
}

APART void precisions(union precision a, int b)
{
    kept = a.high;
    result = b;
}

APART void too_many(int a, struct many b)
{
    result = a + b.letters[3];
}

/* Nobody calls it: that would need memcpy(). */
APART void distant(int a, struct distant b)
{
    result = a + b.far;
}

APART void pointed(const struct small *a, struct many *b, int c)
{
    result = a->x + b->letters[1] + c;
}

APART void variable(double a, int b, ...)
{
    kept = a;
    result = b;
}

APART struct pair large(int a)
{
    struct pair p = {a, a, a};

    return p;
}

/* clang leaves the first one out. */
static __attribute__((noinline)) int unused(int a, int b)
{
    (void)a;
    return (int)result + b;
}

void _start(void)
{
    static const unsigned short table[1];
    static struct many many;
    struct pair p = large(1);

    none();
    numbers(1, 2, 3, 4, 1);
    others(table, LESS, BAD, 1.0, 2.0F);
    named(READ, HUGE, "x", 'd', (unsigned char *)&p);
    structure(1, p, 2);
    structures((struct small){1, LESS}, 2, (struct mixed){"x", 1.0F, 2.0F}, (union either){3});
    nesting((struct nested){{1, MORE}, {1, 2, 3}, 4, 5}, p, LESS);
    widths(1, (struct total){2, 3}, (struct tight){'a', 4}, 5);
    floats((struct vector){1.0F, 2.0F, 3.0F}, 4);
    unions((struct measured){{1.0F}, 2.0F}, 3);
    precisions((union precision){1.0F}, 2);
    too_many(1, many);
    pointed(&(struct small){1, LESS}, &many, 2);
    variable(1.0, 2, 3);
    result = unused(1, (int)result);
}
