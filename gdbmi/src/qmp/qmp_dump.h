/* SPDX-License-Identifier: 0BSD */
/* What QEMU's monitor prints of memory, to bytes. */
#ifndef GDBMI_SRC_QMP_DUMP_H
#define GDBMI_SRC_QMP_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum qmp_dump {
    QMP_DUMP_OK,
    QMP_DUMP_REFUSED, /* some of the memory cannot be read */
    QMP_DUMP_DAMAGED, /* not what the monitor prints of that memory */
};

/*
 * Takes the answer to "x /COUNTxw ADDR" or "xp": lines "21000000: 0x6672706d ..." of up to four
 * words, each with its address. Addresses, the number of words and every character between them
 * must be what they should. bytes has room for count words, in the order of the target's memory;
 * they are undefined unless QMP_DUMP_OK.
 */
enum qmp_dump qmp_dump_take(const char *text, uint64_t addr, size_t count, bool big_endian,
                            unsigned char *bytes);

#endif
