/* SPDX-License-Identifier: 0BSD */
/* QEMU's mps2-an385: a Cortex-M3. */
#ifndef BOARD_H
#define BOARD_H

#define CPU_HZ 25000000U

#endif
