/* SPDX-License-Identifier: 0BSD */
/* QEMU's mps2-an500: a Cortex-M7 with a floating point unit for doubles. */
#ifndef BOARD_H
#define BOARD_H

#define CPU_HZ 25000000U

#endif
