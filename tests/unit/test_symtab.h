/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests of damaged ELF files. */
#ifndef TEST_SYMTAB_H
#define TEST_SYMTAB_H

#include <stddef.h>

/* Files that bytes_flipped() tried. */
extern size_t bytes_flipped_runs;

void cut_anywhere(void **state);
void sections_too_long(void **state);
void bytes_flipped(void **state);

#endif
