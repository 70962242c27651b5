/* SPDX-License-Identifier: 0BSD */
/* The checksum of a telegram: bit by bit, or by a table of half bytes. */
#include "motor.h"
#include "work.h"

#define POLYNOMIAL 0xEDB88320U

#ifdef CRC_TABLE

static const uint32_t table[16] = {
    0x00000000U, 0x1DB71064U, 0x3B6E20C8U, 0x26D930ACU, 0x76DC4190U, 0x6B6B51F4U,
    0x4DB26158U, 0x5005713CU, 0xEDB88320U, 0xF00F9344U, 0xD6D6A3E8U, 0xCB61B38CU,
    0x9B64C2B0U, 0x86D3D2D4U, 0xA00AE278U, 0xBDBDF21CU,
};

static inline uint32_t take_byte(uint32_t crc)
{
    crc = (crc >> 4) ^ table[crc & 15];
    return (crc >> 4) ^ table[crc & 15];
}

#else

static inline uint32_t take_byte(uint32_t crc)
{
    for (unsigned bit = 0; bit < 8; bit++)
        crc = crc & 1 ? (crc >> 1) ^ POLYNOMIAL : crc >> 1;
    return crc;
}

#endif

KEEP_APART uint32_t crc32_update(uint32_t crc, const uint8_t *bytes, size_t len)
{
    crc = ~crc;
    for (size_t i = 0; i < len; i++)
        crc = take_byte(crc ^ bytes[i]);
    return ~crc;
}
