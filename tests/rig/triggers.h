/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trigger registers of a RISC-V hart: breakpoints by address. */
#ifndef RIG_TRIGGERS_H
#define RIG_TRIGGERS_H

#include <stdbool.h>
#include <stdint.h>

#include "breakpoints.h"

#define TRIGGERS 4

struct triggers {
    uint32_t select;
    uint32_t control[TRIGGERS]; /* tdata1 */
    uint32_t address[TRIGGERS]; /* tdata2 */
};

/* Disables all. */
void triggers_init(struct triggers *triggers, struct breakpoints *points);

/* Whether csr is one of theirs. */
bool triggers_own(unsigned csr);
uint32_t triggers_read(const struct triggers *triggers, unsigned csr);
void triggers_write(struct triggers *triggers, unsigned csr, uint32_t value,
                    struct breakpoints *points);

#endif
