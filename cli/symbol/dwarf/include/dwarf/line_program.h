/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs DWARF line number programs (DWARF 5, 6.2), one sequence after another. */
#ifndef SYMBOL_LINE_PROGRAM_H
#define SYMBOL_LINE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <budget/budget.h>

/*
 * libdw can run these programs too, but it sorts the rows of a unit by address and does not keep
 * which sequence a row is of. Linkers leave the sequences of functions that they removed at address
 * 0, where many targets have flash; the rows of both are then mixed. libdw also keeps all rows in
 * memory, which takes many times the size of the programs.
 */

/* The section .debug_line. All is borrowed. */
struct line_section {
    const uint8_t *bytes; /* NULL: the file has no such section */
    size_t len;
    bool big_endian;
    struct budget *budget; /* counts the bytes of programs that run; NULL: no limit */
};

/* The header before a program. Offsets are from the start of the section. */
struct line_header {
    unsigned version, address_size; /* 2 to 5; bytes of an address, 0 before version 5 */
    size_t offset_size;             /* bytes of an offset to another section: 4 or 8 */
    size_t tables;                  /* offset of the tables of folders and files */
    size_t program, end;            /* offsets of the first opcode, and after the last one */
    unsigned min_length;            /* minimum_instruction_length */
    int line_base;                  /* these three as in DWARF: they define special opcodes */
    unsigned line_range;
    unsigned opcode_base;
    const uint8_t *operands; /* operands[n]: number of operands of standard opcode n, from 1 on */
};

/* One row: the code from addr on is of this line. */
struct line_row {
    uint64_t addr, file, line; /* file is a number for sources_name() */
    size_t next;               /* offset of the opcode after the one that made the row */
};

/* Functions that get what a program makes. Each returns false to stop the program. */
struct line_program_sink {
    void *context; /* first argument of the functions */
    /* Called for each row, which lives as long as the call. */
    bool (*row)(void *context, const struct line_row *row);
    /* Called at the end of a sequence; addr is the first address after its code. */
    bool (*end)(void *context, uint64_t addr);
};

/* Reads the header at offset, of 32-bit or 64-bit DWARF. Returns false if it is damaged, its
 * version is not 2 to 5, or an instruction has several operations (VLIW); *header is unchanged
 * then. */
bool line_header_read(const struct line_section *section, uint64_t offset,
                      struct line_header *header);

/*
 * Runs the program of a header. from is a row that it made earlier, to continue after that row;
 * NULL: from its start. Returns false if it is damaged, the budget is over or a function of the
 * sink stopped it; the sink may have been called before.
 */
bool line_program_run(const struct line_section *section, const struct line_header *header,
                      const struct line_row *from, const struct line_program_sink *sink);

#endif
