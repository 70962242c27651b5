/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses numbers that users and files contain, strictly. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* All functions return false, and change nothing, if the text is not such a number. The first group
 * parses the whole text. low and high are the smallest and largest number that is accepted. */

/* A number as strtod() reads it: seconds, a count. */
bool number_parse(const char *text, double low, double high, double *number)
    __attribute__((warn_unused_result));

/* A share, like 0.05 or 5%: *part, low and high are parts of 1. Longer texts than 31 bytes are
 * refused. */
bool number_parse_part(const char *text, double low, double high, double *part)
    __attribute__((warn_unused_result));

/* A time: a number and one of ms, s, min and h without a blank between, seconds if there is none.
 * low and high are seconds. */
bool number_parse_duration(const char *text, double low, double high, double *seconds)
    __attribute__((warn_unused_result));

/* Digits of base 10 or 16, at most 64 bits: no sign, no blank, no 0x. */
bool number_parse_digits(const char *text, unsigned base, uint64_t *number)
    __attribute__((warn_unused_result));

/* The second group parses the start of *at, and moves *at to what follows. */

/* A number of at most 32 digits and a decimal point: no sign, no exponent. */
bool number_take_decimal(const char **at, double *number) __attribute__((warn_unused_result));

/* An address or a number of bytes: decimal digits, or 0x and hexadecimal digits, then optionally k
 * or K for 1024, or M for 1048576. */
bool number_take_size(const char **at, uint64_t *number) __attribute__((warn_unused_result));

#endif
