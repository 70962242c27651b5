/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF line number programs, sequence by sequence. */
#ifndef SYMBOL_LINE_PROGRAM_H
#define SYMBOL_LINE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Why this is not left to libdw: it sorts the rows of a unit by address and forgets which sequence
 * each was of. Linkers leave the sequences of functions that they dropped at address 0, where the
 * flash of many parts is, and then rows of both cannot be told apart.
 */

/* What a program says. Return false to stop. */
struct line_program_sink {
    void *context;
    bool (*row)(void *context, uint64_t addr, uint64_t file, uint64_t line);
    bool (*end)(void *context, uint64_t addr); /* end of a sequence: its first byte behind */
};

/*
 * Runs the program at offset of .debug_line. DWARF 2 to 5, 32 and 64 bit. false: it is damaged, of
 * another version, or the sink stopped it; what was said until then was said.
 */
bool line_program_run(const uint8_t *bytes, size_t len, uint64_t offset, bool big_endian,
                      const struct line_program_sink *sink);

#endif
