/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of the stub where nothing is instrumented. */
#include "calls.h"

#include <mprof/mprof.h>

struct mprof_prof s_prof;

bool is_in_hook(uintptr_t pc)
{
    return false;
}
