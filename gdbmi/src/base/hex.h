/* SPDX-License-Identifier: 0BSD */
/* Bytes as hexadecimal digits. */
#ifndef GDBMI_SRC_HEX_H
#define GDBMI_SRC_HEX_H

#include <stddef.h>

/* "0123456789abcdef" */
extern const char hex_digits[17];

/* What a digit of either case stands for; -1: it is none. */
int hex_value(unsigned char c);

/* As gdbmi_rsp_hex() and gdbmi_rsp_unhex(). */
void hex_write(const void *bytes, size_t len, char *out);
long hex_read(const char *text, size_t len, void *out, size_t capacity)
    __attribute__((warn_unused_result));

#endif
