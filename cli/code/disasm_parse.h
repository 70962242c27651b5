/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb's answers to instructions. */
#ifndef CODE_DISASM_PARSE_H
#define CODE_DISASM_PARSE_H

#include <code/listing.h>
#include <gdbmi/mi.h>

/* Adds what -data-disassemble answered (mode 2: with opcodes, without lines), up to end. *next is
 * behind the last one that was added. false: it is no such answer, or there is no memory. */
bool disasm_take(const struct gdbmi_mi_value *results, uint64_t end, struct listing *listing,
                 uint64_t *next) __attribute__((warn_unused_result));

/* Adds what -data-read-memory-bytes answered, as words, shorter where addr or end is not aligned.
 */
bool disasm_take_data(const struct gdbmi_mi_value *results, uint64_t addr, uint64_t end,
                      bool big_endian, struct listing *listing) __attribute__((warn_unused_result));

#endif
