/* SPDX-License-Identifier: 0BSD */
/* QEMU's mps2-an386: a Cortex-M4 with a floating point unit. */
#ifndef BOARD_H
#define BOARD_H

#define CPU_HZ 25000000U

#endif
