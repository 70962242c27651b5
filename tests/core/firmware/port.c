/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says whether the port that it was built with keeps its contract. */
#include <mprof/mprof.h>

#include "semihost.h"

#ifdef __riscv
/* What start-up code puts into mtvec. Nothing interrupts. */
void mprof_mtimer_entry(void);
void mprof_mtimer_entry(void)
{
}
#endif

int main(void)
{
#ifdef __riscv
    __asm__ volatile("csrsi mstatus, 8");
#endif
    const char *broken = mprof_port_check();

    print(broken ? broken : "the port keeps its contract");
    print("\n");
    quit();
}
