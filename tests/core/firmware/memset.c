/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What compilers make calls of, where there is no library. */
#include <stddef.h>

void *memset(void *to, int value, size_t len);

void *memset(void *to, int value, size_t len)
{
    for (volatile unsigned char *byte = to; len > 0; len--)
        *byte++ = (unsigned char)value;
    return to;
}
