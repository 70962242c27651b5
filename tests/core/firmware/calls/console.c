/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text to whoever runs this, and the end of it. */
#ifdef __x86_64__
#include <string.h>
#include <unistd.h>
#endif

#include <stddef.h>

#include "calls.h"

#ifdef __x86_64__

UNHOOKED void put(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        _exit(1);
}

UNHOOKED void quit(void)
{
    _exit(0);
}

#else

enum { SYS_WRITE0 = 0x04, SYS_EXIT = 0x18, APPLICATION_EXIT = 0x20026 };

#ifdef __arm__
static UNHOOKED void semihost(uintptr_t operation, uintptr_t argument)
{
    register uintptr_t r0 __asm__("r0") = operation;
    register uintptr_t r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}
#else
static UNHOOKED void semihost(uintptr_t operation, uintptr_t argument)
{
    register uintptr_t a0 __asm__("a0") = operation;
    register uintptr_t a1 __asm__("a1") = argument;

    __asm__ volatile(".balign 16\n\t"
                     ".option push\n\t"
                     ".option norvc\n\t"
                     "slli x0, x0, 0x1f\n\t"
                     "ebreak\n\t"
                     "srai x0, x0, 7\n\t"
                     ".option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
}
#endif

UNHOOKED void put(const char *text)
{
    semihost(SYS_WRITE0, (uintptr_t)text);
}

UNHOOKED void quit(void)
{
#if __riscv_xlen == 64
    uintptr_t reason[2] = {APPLICATION_EXIT, 0};

    semihost(SYS_EXIT, (uintptr_t)reason);
#else
    semihost(SYS_EXIT, APPLICATION_EXIT);
#endif
    for (;;)
        ;
}

/* There is no library. */
void *memcpy(void *to, const void *from, size_t len);
void *memset(void *to, int value, size_t len);

UNHOOKED void *memcpy(void *to, const void *from, size_t len)
{
    for (size_t i = 0; i < len; i++)
        ((volatile char *)to)[i] = ((const volatile char *)from)[i];
    return to;
}

UNHOOKED void *memset(void *to, int value, size_t len)
{
    for (size_t i = 0; i < len; i++)
        ((volatile char *)to)[i] = (char)value;
    return to;
}

#endif

UNHOOKED void put_hex(uint64_t number, const char *after)
{
    char text[17];
    char *digit = &text[16];

    *digit = '\0';
    do {
        *--digit = "0123456789abcdef"[number & 15];
        number >>= 4;
    } while (number != 0);
    put(digit);
    put(after);
}
