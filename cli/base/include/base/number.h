/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that people and files write, read strictly. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* All of these return false for what is no such number, and leave *number as it is. */

/* The whole text as a number from low to high: seconds, a share, a count. As strtod() reads it. */
bool number_parse(const char *text, double low, double high, double *number)
    __attribute__((warn_unused_result));

/* The whole text as a part of 1 from low to high, like 0.05 or 5%, of fewer than 32 bytes. */
bool number_parse_part(const char *text, double low, double high, double *part)
    __attribute__((warn_unused_result));

/* The whole text as a time from low to high seconds: a number, then perhaps ms, s, min or h without
 * a blank between; without one of these it is seconds. */
bool number_parse_duration(const char *text, double low, double high, double *seconds)
    __attribute__((warn_unused_result));

/* The whole text as digits of base 10 or 16: no sign, no blanks, no 0x, and no more than 64 bits.
 */
bool number_parse_digits(const char *text, unsigned base, uint64_t *number)
    __attribute__((warn_unused_result));

/* These read what *at begins with, and set *at to what follows it. */

/* At most 32 digits with at most one point: no sign, no exponent. */
bool number_take_decimal(const char **at, double *number) __attribute__((warn_unused_result));

/* An address or a number of bytes: decimal digits, or 0x and hexadecimal ones, then perhaps k or K
 * for 1024 or M for 1048576. */
bool number_take_size(const char **at, uint64_t *number) __attribute__((warn_unused_result));

#endif
