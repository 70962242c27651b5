/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as words of a finding. */
#ifndef DOCTOR_WORDS_H
#define DOCTOR_WORDS_H

#include <stddef.h>

/* Size of a number with its unit, bytes with the NUL. */
#define WORDS_MAX 32

/* Write a number with its unit, and return text: "0.51 ms" or "1.6 s" of seconds, "61 kB" or "350
 * bytes" of bytes, "110" or "1.5" of a rate. */
const char *words_time(double seconds, char text[WORDS_MAX]);
const char *words_bytes(double bytes, char text[WORDS_MAX]);
const char *words_rate(double rate, char text[WORDS_MAX]);

#endif
