/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb's answers to instructions. */
#ifndef CODE_DISASM_PARSE_H
#define CODE_DISASM_PARSE_H

#include <code/listing.h>
#include <gdbmi/mi.h>

/* Adds the instructions of an answer to -data-disassemble (mode 2: with opcodes, without lines), up
 * to end. Sets *next to the address after the last one added. Returns false if it is not such an
 * answer or memory runs out. */
bool disasm_take(const struct gdbmi_mi_value *results, uint64_t end, struct listing *listing,
                 uint64_t *next) __attribute__((warn_unused_result));

/* Adds what -data-read-memory-bytes answered, as words, shorter where addr or end is not aligned.
 */
bool disasm_take_data(const struct gdbmi_mi_value *results, uint64_t addr, uint64_t end,
                      bool big_endian, struct listing *listing) __attribute__((warn_unused_result));

#endif
