/* SPDX-License-Identifier: 0BSD */
/* A process under Linux on x86-64: simulated firmware, whose clock is nobody's business. */
#ifndef BOARD_H
#define BOARD_H

#endif
