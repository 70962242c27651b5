/* SPDX-License-Identifier: 0BSD */
/* Bytes as hexadecimal digits. */
#ifndef GDBMI_SRC_HEX_H
#define GDBMI_SRC_HEX_H

#include <stddef.h>

/* "0123456789abcdef" */
extern const char hex_digits[17];

/* Returns the value of a hexadecimal digit of either case, 0 to 15, or -1 if c is not a digit. */
int hex_value(unsigned char c);

/* The same as gdbmi_rsp_hex() and gdbmi_rsp_unhex() in gdbmi/rsp.h. */
void hex_write(const void *bytes, size_t len, char *out);
long hex_read(const char *text, size_t len, void *out, size_t capacity)
    __attribute__((warn_unused_result));

#endif
