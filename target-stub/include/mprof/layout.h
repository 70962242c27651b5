/* SPDX-License-Identifier: 0BSD */
/* The bytes of s_prof: the one thing that the firmware and the host program share. */
#ifndef MPROF_LAYOUT_H
#define MPROF_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/*
 * s_prof is one object in the target's RAM, found by its symbol:
 *
 *   struct mprof_header | struct mprof_block[header.block_count] | the blocks, each at its offset
 *
 * All numbers have the target's byte order, which the magic tells. docs/layout.md gives every byte.
 * The stub uses these structs as they are; the host never overlays them on bytes that it received,
 * it takes offsets and sizes from the directory.
 */

/* Written last by mprof_init(): without it nothing else in the object has a meaning. "mprf" when
 * the bytes of a little-endian target are read in order. */
#define MPROF_MAGIC 0x6672706dU

/* The version of this layout, not of a release. A host refuses another major number. A higher minor
 * number only adds: fields behind header_size's old value, kinds of blocks, flags. */
#define MPROF_ABI_MAJOR 1U
#define MPROF_ABI_MINOR 0U

/* What a block is: mprof_block.kind. A host passes over kinds that it does not know. */
enum mprof_kind {
    MPROF_KIND_ITEMS = 1, /* struct mprof_item32 or mprof_item64, see below */
};

/* What one hit of a block means: mprof_block.unit. */
enum mprof_unit {
    MPROF_UNIT_SAMPLES = 1, /* program counters taken by a timer */
    MPROF_UNIT_CALLS = 2,   /* function entries */
};

/*
 * The header. The first line of 32 bytes and the second one are written by the stub only; the third
 * is the host's alone, because a core with a data cache writes whole lines back. 96 bytes.
 */
struct mprof_header {
    uint32_t magic;       /* MPROF_MAGIC */
    uint8_t abi_major;    /* MPROF_ABI_MAJOR */
    uint8_t abi_minor;    /* MPROF_ABI_MINOR */
    uint8_t addr_size;    /* bytes of an address: 4 or 8 */
    uint8_t block_count;  /* entries of the directory, which starts at header_size */
    uint16_t header_size; /* bytes of this struct */
    uint16_t flags;       /* 0 in ABI 1.0 */
    uint32_t total_size;  /* bytes of the whole object */
    uint32_t boot;        /* goes up with each mprof_init() while RAM is kept; 1 after power-up */
    uint32_t heartbeat;   /* goes up with every event presented, wraps */
    uint32_t generation;  /* goes up when a row changes its identity, wraps past 0 */
    uint32_t dropped;     /* events that no row took, wraps */

    uint32_t ignored;   /* events that a filter refused, wraps; 0 in ABI 1.0 */
    uint32_t displaced; /* rows that gave way to another address, wraps */
    uint32_t sample_hz; /* rate of the timer feeder, 0: not known */
    uint32_t tick_hz;   /* rate of the clock that drives it, 0: not known */
    uint32_t reserved_stub[4];

    uint32_t reserved_host[8]; /* 0; ABI 1.0 gives the host nothing to write */
};

/* One entry of the directory, 16 bytes. */
struct mprof_block {
    uint8_t kind;        /* enum mprof_kind */
    uint8_t unit;        /* enum mprof_unit */
    uint8_t grain_shift; /* an item covers 2^grain_shift bytes of addresses */
    uint8_t ways;        /* items of a set; informative, the host does not rely on it */
    uint16_t entry_size; /* bytes of one entry */
    uint16_t flags;      /* 0 in ABI 1.0 */
    uint32_t count;      /* entries */
    uint32_t offset;     /* bytes from the start of s_prof, a multiple of 8 */
};

/* How many rows may change their address between the reads of the header and of a row. */
#define MPROF_STAMP_AHEAD 0x01000000U

/*
 * One row of the item table. A row never moves. It is claimed by stamp = 0, then addr, hits and
 * inherited are written, then stamp = ++generation. A reader takes the header first and then the
 * row from its low address to its high one. It must not believe a row whose stamp is 0 (empty, or
 * being written) or ahead of generation by 1 to MPROF_STAMP_AHEAD, modulo 2^32 (it got a new
 * address after the header was read). All else is true, also after the generation wrapped. Address
 * 0 is valid.
 */
struct mprof_item32 {
    uint32_t addr;      /* first byte of the block of addresses */
    uint32_t hits;      /* hits since then, what was inherited among them, wraps */
    uint32_t inherited; /* hits taken over from the row's former address at admission */
    uint32_t stamp;
};

struct mprof_item64 {
    uint64_t addr;
    uint32_t hits;
    uint32_t inherited;
    uint32_t stamp;
    uint32_t reserved;
};

#if defined(__cplusplus)
#define MPROF_STATIC_ASSERT(cond, text) static_assert(cond, text)
#else
#define MPROF_STATIC_ASSERT(cond, text) __extension__ _Static_assert(cond, text)
#endif

MPROF_STATIC_ASSERT(sizeof(struct mprof_header) == 96, "the header is three lines of 32 bytes");
MPROF_STATIC_ASSERT(offsetof(struct mprof_header, ignored) == 32, "second line");
MPROF_STATIC_ASSERT(offsetof(struct mprof_header, reserved_host) == 64, "the host's line");
MPROF_STATIC_ASSERT(sizeof(struct mprof_block) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_item32) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_item64) == 24, "no padding");

#endif
