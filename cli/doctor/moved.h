/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code that runs at another address than the ELF file says. */
#ifndef DOCTOR_MOVED_H
#define DOCTOR_MOVED_H

#include <stdbool.h>
#include <stdint.h>

struct doctor;

/* Where it was found. */
struct moved {
    bool found;
    char advice[96]; /* the option that tells mprof; valid if found */
};

/* Compares the target's bytes at pc, where the core is, with the code of the ELF file. Returns true
 * and sets *moved if exactly one place of it has them, and pc is another address. */
bool moved_find(struct doctor *doctor, uint64_t pc, struct moved *moved);

#endif
