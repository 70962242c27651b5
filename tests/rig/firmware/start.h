/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start and machine timer of firmware for the RV32 hart of QEMU's virt. */
#ifndef START_H
#define START_H

#include <stdint.h>

/* sample_hz times a second, the machine timer's interrupt counts where it came from. */
void sampling_start(uint32_t sample_hz);

#endif
