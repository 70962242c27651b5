/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where data stands among code. */
#ifndef CODE_MAPPING_H
#define CODE_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an ELF file says of itself, and its mapping symbols: $a, $t, $x begin code, $d data ("ELF
 * for the Arm Architecture", 5.5.5; the RISC-V ELF psABI has them too). */
struct mapping {
    bool big_endian;
    struct mapping_mark {
        uint64_t addr;
        bool data;
    } * marks; /* by address */
    size_t count;
};

/* *len: bytes of the file. false: text says in one line what is wrong with the file; *mapping is
 * untouched. */
bool mapping_read(const char *path, struct mapping *mapping, uint64_t *len, char *text,
                  size_t capacity) __attribute__((warn_unused_result));
void mapping_free(struct mapping *mapping);

/* Whether data stands at addr; *end is where the next mark is, at most limit. */
bool mapping_is_data(const struct mapping *mapping, uint64_t addr, uint64_t limit, uint64_t *end);

#endif
