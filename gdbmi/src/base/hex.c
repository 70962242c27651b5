/* SPDX-License-Identifier: 0BSD */
/* Bytes as hexadecimal digits. */
#include "hex.h"

const char hex_digits[17] = "0123456789abcdef";

int hex_value(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

void hex_write(const void *bytes, size_t len, char *out)
{
    const unsigned char *in = bytes;

    for (size_t i = 0; i < len; i++) {
        out[2 * i] = hex_digits[in[i] >> 4];
        out[2 * i + 1] = hex_digits[in[i] & 15];
    }
    out[2 * len] = '\0';
}

long hex_read(const char *text, size_t len, void *out, size_t capacity)
{
    unsigned char *bytes = out;

    if (len % 2 != 0 || len / 2 > capacity)
        return -1;
    for (size_t i = 0; i < len / 2; i++) {
        int high = hex_value((unsigned char)text[2 * i]);
        int low = hex_value((unsigned char)text[2 * i + 1]);
        if (high < 0 || low < 0)
            return -1;
        bytes[i] = (unsigned char)(high * 16 + low);
    }
    return (long)(len / 2);
}
