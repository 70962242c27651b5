/* SPDX-License-Identifier: 0BSD */
/* QEMU's virt with an RV64 hart. */
#ifndef BOARD_H
#define BOARD_H

#define MTIME_HZ 10000000U

#endif
