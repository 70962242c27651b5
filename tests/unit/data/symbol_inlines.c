/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions inside functions inside functions, some of which the linker drops. */
#define INLINE static inline __attribute__((always_inline))
#define KEEP   __attribute__((noinline, used))

volatile int inlines_object[8];

INLINE int innermost(int x)
{
    inlines_object[0] = x;
    return inlines_object[1] + x;
}

INLINE int middle(int x)
{
    int sum = innermost(x);

    inlines_object[2] = sum;
    return sum + innermost(x + 3);
}

INLINE int outer(int x)
{
    return middle(x) * inlines_object[3];
}

int dropped(int x);
KEEP int inlines_plain(int x);
KEEP int inlines_first(int x);
int _start(int x);

__attribute__((noinline)) int dropped(int x)
{
    return outer(x) + middle(x);
}

int inlines_first(int x)
{
    int sum = outer(x);

    while (sum < inlines_object[4])
        sum += middle(sum);
    return sum;
}

int inlines_plain(int x)
{
    return inlines_object[5] + x;
}

int _start(int x)
{
    return inlines_first(x) + inlines_plain(innermost(x));
}
