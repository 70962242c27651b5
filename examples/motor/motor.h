/* SPDX-License-Identifier: 0BSD */
/* What the parts of the controller share. */
#ifndef MOTOR_H
#define MOTOR_H

#include <stddef.h>
#include <stdint.h>

#define FILTER_TAPS 128U

/* Once, before fir_filter(). */
void fir_init(void);

/* The mean of the last FILTER_TAPS values, those in the middle weigh most. */
int32_t fir_filter(const int16_t values[FILTER_TAPS]);

/* Goes on with a checksum (CRC-32 of IEEE 802.3) over len more bytes. */
uint32_t crc32_update(uint32_t crc, const uint8_t *bytes, size_t len);

#endif
