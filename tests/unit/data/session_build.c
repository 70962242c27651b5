/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds of a program that is never run: one with NEWER in it is other firmware. */
#include <mprof/mprof.h>

struct mprof_prof s_prof;
volatile int sink;

#define FUNCTION(name) \
    void name(void);   \
    void name(void)    \
    {                  \
        sink++;        \
    }

#ifdef NEWER
FUNCTION(early)
#endif
FUNCTION(alpha)
FUNCTION(beta)
FUNCTION(_start)
