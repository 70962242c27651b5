/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-1 (FIPS 180-4): names of builds, as linkers make them. It protects nothing. */
#ifndef SYMBOL_SHA1_H
#define SYMBOL_SHA1_H

#include <stddef.h>
#include <stdint.h>

#define SHA1_LEN 20

struct sha1 {
    uint32_t state[5];
    uint64_t len;      /* bytes that were added */
    uint8_t block[64]; /* holds the last len % 64 of them */
};

void sha1_init(struct sha1 *sha1);
void sha1_add(struct sha1 *sha1, const void *bytes, size_t len);

/* The digest of all that was added; sha1 must be initialized before it is used again. */
void sha1_end(struct sha1 *sha1, uint8_t digest[SHA1_LEN]);

#endif
