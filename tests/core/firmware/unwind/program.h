/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two files of the program have of each other. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdint.h>

/* Calls all functions, without an end. */
void go_round(void);

/* What handlers call. */
void interrupted(uint32_t n);

#endif
