/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that a linker must reach by veneers, and names that only debug information tells apart.
 * It never runs. */
#define APART __attribute__((noinline))

#if defined(NO_RAM_CODE)
#define RAM_CODE
#else
#define RAM_CODE __attribute__((section(".data.ramfunc")))
#endif

int ram_function(int x);
int zz_the_function(int x);
int aa_alias(int x);
int _with_underscore(int x);
int without(int x);
int arm_function(int x);
int user(int x);
int __user_veneer(int x);
void Reset_Handler(void);

volatile int veneer_object = 3;

RAM_CODE APART int ram_function(int x)
{
    return x * veneer_object;
}

APART int zz_the_function(int x)
{
    return x + veneer_object;
}
int aa_alias(int x) __attribute__((alias("zz_the_function")));

APART int _with_underscore(int x)
{
    return x ^ veneer_object;
}
int without(int x) __attribute__((alias("_with_underscore")));

#if defined(__thumb__) && !defined(__thumb2__)
__attribute__((target("arm")))
#endif
APART int
arm_function(int x)
{
    return x - veneer_object;
}

/* No linker made this one. */
static APART int __local_veneer(int x)
{
    return (x >> 3) + veneer_object;
}

APART int __user_veneer(int x)
{
    return __local_veneer(x) - 7;
}

/* Nor does that one lead here. */
APART int user(int x)
{
    return x & veneer_object;
}

void Reset_Handler(void)
{
    for (;;) {
        veneer_object = ram_function(zz_the_function(arm_function(1)));
        veneer_object += aa_alias(2) + without(3) + _with_underscore(4) + user(__user_veneer(5));
    }
}
