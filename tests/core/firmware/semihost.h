/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text to whoever runs QEMU, files there, and the end of it: Arm's semihosting, which RISC-V has
 * too. */
#ifndef SEMIHOST_H
#define SEMIHOST_H

#include <stdint.h>

enum { SYS_OPEN = 0x01, SYS_CLOSE = 0x02, SYS_WRITE0 = 0x04, SYS_WRITE = 0x05, SYS_EXIT = 0x18 };
enum { OPEN_FOR_WRITING = 5, APPLICATION_EXIT = 0x20026 };

#ifdef __arm__
static inline uintptr_t semihost(uintptr_t operation, uintptr_t argument)
{
    register uintptr_t r0 __asm__("r0") = operation;
    register uintptr_t r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}
#else
/* The three instructions must lie in one page. */
static __attribute__((naked, noinline, used, aligned(16))) uintptr_t semihost(uintptr_t operation,
                                                                              uintptr_t argument)
{
    (void)operation, (void)argument;
    __asm__ volatile(".option push\n\t"
                     ".option norvc\n\t"
                     "slli x0, x0, 0x1f\n\t"
                     "ebreak\n\t"
                     "srai x0, x0, 7\n\t"
                     ".option pop\n\t"
                     "ret");
}
#endif

static inline void print(const char *text)
{
    semihost(SYS_WRITE0, (uintptr_t)text);
}

/* number in decimal digits, and what follows it. */
static inline void print_number(uint32_t number, const char *after)
{
    char text[12];
    char *digit = &text[11];

    *digit = '\0';
    do {
        *--digit = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    print(digit);
    print(after);
}

/* Writes len bytes to a file. */
static inline void save(const char *name, const void *bytes, uint32_t len)
{
    uintptr_t name_len = 0;

    while (name[name_len] != '\0')
        name_len++;
    const uintptr_t open_it[3] = {(uintptr_t)name, OPEN_FOR_WRITING, name_len};
    uintptr_t file = semihost(SYS_OPEN, (uintptr_t)open_it);
    const uintptr_t write_it[3] = {file, (uintptr_t)bytes, len};

    semihost(SYS_WRITE, (uintptr_t)write_it);
    semihost(SYS_CLOSE, (uintptr_t)&file);
}

static inline __attribute__((noreturn)) void quit(void)
{
#if __riscv_xlen == 64
    const uintptr_t reason[2] = {APPLICATION_EXIT, 0};

    semihost(SYS_EXIT, (uintptr_t)reason);
#else
    semihost(SYS_EXIT, APPLICATION_EXIT);
#endif
    for (;;)
        ;
}

#endif
