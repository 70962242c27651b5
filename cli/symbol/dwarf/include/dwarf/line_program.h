/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF line number programs, sequence by sequence. */
#ifndef SYMBOL_LINE_PROGRAM_H
#define SYMBOL_LINE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <budget/budget.h>

/*
 * Why this is not left to libdw: it sorts the rows of a unit by address and forgets which sequence
 * each was of. Linkers leave the sequences of functions that they dropped at address 0, where the
 * flash of many parts is, and then rows of both cannot be told apart. It also keeps all rows, which
 * are many times larger than the programs.
 */

/* The bytes of .debug_line. */
struct line_section {
    const uint8_t *bytes;
    size_t len;
    bool big_endian;
    struct budget *budget; /* that a run is counted in, NULL: none */
};

/* What stands before a program. Offsets count from the start of the section. */
struct line_header {
    unsigned version, address_size;
    size_t offset_size;  /* bytes of an offset to another section: 4 or 8 */
    size_t tables;       /* of the names of folders and files */
    size_t program, end; /* of the opcodes */
    unsigned min_length;
    int line_base;
    unsigned line_range;
    unsigned opcode_base;
    const uint8_t *operands; /* of the standard opcodes, from 1 on */
};

/* A row, and how the program goes on behind it. */
struct line_row {
    uint64_t addr, file, line;
    size_t next; /* the offset of the next opcode */
};

/* What a program says. Return false to stop. */
struct line_program_sink {
    void *context;
    bool (*row)(void *context, const struct line_row *row);
    bool (*end)(void *context, uint64_t addr); /* end of a sequence: its first byte behind */
};

/* Reads the header at offset. DWARF 2 to 5, 32 and 64 bit. false: it is damaged, or of another
 * version. */
bool line_header_read(const struct line_section *section, uint64_t offset,
                      struct line_header *header);

/*
 * Runs the program of that header; from: a row that it said, from which it goes on behind that row,
 * NULL: from its start. false: it is damaged, the budget is over, or the sink stopped it; what was
 * said until then was said.
 */
bool line_program_run(const struct line_section *section, const struct line_header *header,
                      const struct line_row *from, const struct line_program_sink *sink);

#endif
