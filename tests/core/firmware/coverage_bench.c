/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One call of the hook of coverage of each kind between marks; the plugin counts what it executes.
 */
#include <mprof/mprof.h>

#include "coverage_places.h"
#include "semihost.h"
#include "work.h"

KEEP_APART void mark_begin(void)
{
    __asm__ volatile("");
}

KEEP_APART void mark_end(void)
{
    __asm__ volatile("");
}

/* 10 instructions, its return among them. */
__attribute__((naked, noinline)) void control(void)
{
    __asm__("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"
#ifdef __arm__
            "bx lr"
#else
            "ret"
#endif
    );
}

static void reach(const char *name)
{
    mark_begin();
    place_a();
    mark_end();
    print(name);
}

int main(void)
{
    mprof_init();
    mark_begin();
    control();
    mark_end();
    print("control\n");
    reach("first\n");
    reach("again\n");
    quit();
}
