/* SPDX-License-Identifier: 0BSD */
/* QEMU's microbit: a Cortex-M0 (nRF51). */
#ifndef BOARD_H
#define BOARD_H

#define CPU_HZ 16000000U

#endif
