/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which core the stub takes this one for. */
#ifndef THIS_CORE_H
#define THIS_CORE_H

#include <stdint.h>

extern volatile uint32_t this_core;

#endif
