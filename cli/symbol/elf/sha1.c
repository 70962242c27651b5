/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-1 as FIPS 180-4 describes it. */
#include "sha1.h"

#include <string.h>

#define BLOCK 64

/* Where the number of bits stands in the last block. */
#define LEN_AT 56

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x << bits | x >> (32 - bits);
}

static uint32_t big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void schedule(const uint8_t *block, uint32_t words[80])
{
    for (size_t i = 0; i < 16; i++)
        words[i] = big_endian(block + 4 * i);
    for (size_t i = 16; i < 80; i++)
        words[i] = rotate(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
}

/* The function and the constant of a round. */
static uint32_t mix(size_t round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round < 20)
        return ((b & c) | (~b & d)) + 0x5a827999;
    if (round < 40)
        return (b ^ c ^ d) + 0x6ed9eba1;
    if (round < 60)
        return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    return (b ^ c ^ d) + 0xca62c1d6;
}

static void take_block(struct sha1 *sha1, const uint8_t *block)
{
    uint32_t *state = sha1->state;
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    uint32_t words[80];

    schedule(block, words);
    for (size_t i = 0; i < 80; i++) {
        uint32_t next = rotate(a, 5) + mix(i, b, c, d) + e + words[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

void sha1_init(struct sha1 *sha1)
{
    *sha1 = (struct sha1){
        .state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
    };
}

void sha1_add(struct sha1 *sha1, const void *bytes, size_t len)
{
    const uint8_t *from = bytes;

    while (len) {
        size_t used = (size_t)(sha1->len % BLOCK);
        size_t part = len < BLOCK - used ? len : BLOCK - used;
        if (part == BLOCK) {
            take_block(sha1, from);
        } else {
            memcpy(sha1->block + used, from, part);
            if (used + part == BLOCK)
                take_block(sha1, sha1->block);
        }
        sha1->len += part;
        from += part;
        len -= part;
    }
}

void sha1_end(struct sha1 *sha1, uint8_t digest[SHA1_LEN])
{
    static const uint8_t padding[BLOCK] = {0x80};
    uint64_t bits = sha1->len * 8;
    size_t used = (size_t)(sha1->len % BLOCK);
    uint8_t count[8];

    for (size_t i = 0; i < sizeof(count); i++)
        count[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha1_add(sha1, padding, used < LEN_AT ? LEN_AT - used : BLOCK + LEN_AT - used);
    sha1_add(sha1, count, sizeof(count));
    for (size_t i = 0; i < SHA1_LEN; i++)
        digest[i] = (uint8_t)(sha1->state[i / 4] >> (24 - 8 * (i % 4)));
}
