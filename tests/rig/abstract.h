/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Abstract commands of a RISC-V debug module: a halted hart's registers and memory. */
#ifndef RIG_ABSTRACT_H
#define RIG_ABSTRACT_H

#include <stdint.h>

#include "dm.h"

/* The bits of dcsr that tell why the hart stands. */
#define DCSR_CAUSE 0x1c0U

/* Runs a command; what goes wrong is in dm->error afterwards, unless there was an error already. */
void abstract_run(struct dm *dm, uint32_t command);

#endif
