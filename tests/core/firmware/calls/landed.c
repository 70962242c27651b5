/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where in the hook interrupts came. */
#include "calls.h"

#ifdef __arm__
#define THUMB ~(uintptr_t)1
#else
#define THUMB ~(uintptr_t)0
#endif

/* Weak, so that it is the compiler's call which brings the hook in. */
extern const char hook_code[] __asm__(HOOK) __attribute__((weak));

enum { LANDED_MAX = 160 };
static volatile uint8_t landed[LANDED_MAX];

UNHOOKED bool is_in_hook(uintptr_t pc)
{
    uintptr_t offset = pc - ((uintptr_t)hook_code & THUMB);

    if (offset >= LANDED_MAX)
        return false;
    landed[offset] = 1;
    return true;
}

UNHOOKED void print_landed(void)
{
    put("landed");
    for (unsigned i = 0; i < LANDED_MAX; i++) {
        if (landed[i]) {
            put(" ");
            put_hex(i, "");
        }
    }
    put("\n");
}
