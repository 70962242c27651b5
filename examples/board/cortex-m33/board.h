/* SPDX-License-Identifier: 0BSD */
/* QEMU's mps2-an505: a Cortex-M33, which starts in the secure state and stays there. */
#ifndef BOARD_H
#define BOARD_H

#define CPU_HZ 20000000U

#endif
