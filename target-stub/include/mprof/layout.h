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
#define MPROF_ABI_MINOR 1U

/* What a block is: mprof_block.kind. A host passes over kinds that it does not know. */
enum mprof_kind {
    MPROF_KIND_ITEMS = 1,     /* struct mprof_item32 or mprof_item64, see below */
    MPROF_KIND_STREAM = 2,    /* struct mprof_record32 or 64, a ring; led by mprof_stream_lead */
    MPROF_KIND_HISTOGRAM = 3, /* uint32_t, hits by address; led by mprof_histogram_lead */
    MPROF_KIND_ARCS = 4,      /* struct mprof_arc32 or mprof_arc64 */
    MPROF_KIND_FILTER = 5,    /* struct mprof_range32 or 64: what is ignored; the host may write */
};

/* What one hit of a block means: mprof_block.unit. */
enum mprof_unit {
    MPROF_UNIT_SAMPLES = 1, /* program counters taken by a timer */
    MPROF_UNIT_CALLS = 2,   /* function entries */
};

/* mprof_header.flags */
#define MPROF_FLAG_TICK_LOCKED 0x0001U /* samples come with the firmware's own tick: shares lie */
#define MPROF_FLAG_JITTERED    0x0002U /* the timer's period varies at random around sample_hz */

/*
 * mprof_header.enable, as a number. Its low byte says that mprof_init() has run; each other byte
 * has one writer, so that nobody undoes what another one wrote. All bits set is the usual state, in
 * which an event looks no further.
 */
#define MPROF_ENABLE_ALL       0xffffffabU
#define MPROF_ENABLE_ALIVE     0x000000abU /* the low byte */
#define MPROF_ENABLE_TIMER     0x00000100U /* second byte, the host's: the feeders */
#define MPROF_ENABLE_CALLS     0x00000200U
#define MPROF_ENABLE_ITEMS     0x00010000U /* third byte, the host's: the blocks, by kind and unit */
#define MPROF_ENABLE_STREAM    0x00020000U
#define MPROF_ENABLE_HISTOGRAM 0x00040000U
#define MPROF_ENABLE_ARCS      0x00080000U
#define MPROF_ENABLE_CALLED    0x00100000U /* items that count calls */
#define MPROF_ENABLE_CALM      0x00800000U /* clear: an event is to look at nonce and requests */
#define MPROF_ENABLE_STARTED   0x01000000U /* fourth byte, the firmware's: mprof_start(), _stop() */
#define MPROF_ENABLE_AWAKE     0x02000000U /* mprof_sleep_exit(), mprof_sleep_enter() */
#define MPROF_ENABLE_IN_PHASE  0x04000000U /* mprof_phase() and phase_only agree */

/*
 * The header. The first two lines of 32 bytes and the fourth are written by the stub only; the
 * third is the host's (but for one byte of enable), because a core with a data cache writes whole
 * lines back. 112 bytes; those of ABI 1.0 end after 96.
 */
struct mprof_header {
    uint32_t magic;       /* MPROF_MAGIC */
    uint8_t abi_major;    /* MPROF_ABI_MAJOR */
    uint8_t abi_minor;    /* MPROF_ABI_MINOR */
    uint8_t addr_size;    /* bytes of an address: 4 or 8 */
    uint8_t block_count;  /* entries of the directory, which starts at header_size */
    uint16_t header_size; /* bytes of this struct */
    uint16_t flags;       /* MPROF_FLAG_... */
    uint32_t total_size;  /* bytes of the whole object */
    uint32_t boot;        /* goes up with each mprof_init() while RAM is kept; 1 after power-up */
    uint32_t heartbeat;   /* goes up with every event presented, wraps */
    uint32_t generation;  /* goes up when a row changes its identity, wraps past 0 */
    uint32_t dropped;     /* events that no row took, wraps */

    uint32_t ignored;    /* events that a filter or a phase refused, wraps */
    uint32_t displaced;  /* rows that gave way to another address, wraps */
    uint32_t sample_hz;  /* rate of the timer feeder, 0: not known */
    uint32_t tick_hz;    /* rate of the clock that drives it, 0: not known */
    uint32_t reset_done; /* reset_request of the last reset that was carried out */
    uint32_t nonce_echo; /* nonce, when an event last looked */
    uint32_t late;       /* samples that came late, because interrupts were masked; counted too */
    uint32_t sleeping;   /* events that came, or were missed, while the firmware said it sleeps */

    uint32_t enable;        /* MPROF_ENABLE_... */
    uint32_t nonce;         /* any number, to be seen in nonce_echo */
    uint32_t reset_request; /* another number than before: clear the blocks */
    uint32_t phase_only;    /* count only in this phase; 0: in all */
    uint32_t reserved_host[4];

    uint32_t other_side; /* samples of the other TrustZone side, which we may not look into */
    uint32_t phase;      /* mprof_phase() */
    uint8_t core;        /* number of the core whose events these are */
    uint8_t cores;       /* objects like this one, total_size apart; 0 and 1: only this */
    uint16_t filled;     /* the stub's own: rows taken that were empty, modulo 2^16 */
    uint32_t period; /* the stub's own: mean ticks from one of its timer's samples to the next */
};

/* mprof_block.flags. Bits 8 to 15: what one hit adds, 0 means 1 (MPROF_HITCNT_INC). */
#define MPROF_BLOCK_LED    0x0001U /* 16 bytes before offset lead it, see its kind */
#define MPROF_BLOCK_DECAYS 0x0002U /* hits also go down (MPROF_DECAY) */

/* One entry of the directory, 16 bytes. */
struct mprof_block {
    uint8_t kind;        /* enum mprof_kind */
    uint8_t unit;        /* enum mprof_unit */
    uint8_t grain_shift; /* an item covers 2^grain_shift bytes of addresses */
    uint8_t ways;        /* items of a set; informative, the host does not rely on it */
    uint16_t entry_size; /* bytes of one entry */
    uint16_t flags;      /* MPROF_BLOCK_... */
    uint32_t count;      /* entries */
    uint32_t offset;     /* bytes from the start of s_prof, a multiple of 8 */
};

/* What leads items or arcs that don't share the header's counters; see MPROF_BLOCK_LED. */
struct mprof_counters {
    uint32_t events;    /* presented to this block, wraps */
    uint32_t dropped;   /* events that no row took, wraps */
    uint32_t displaced; /* rows that gave way, wraps */
    uint32_t ignored;   /* events that a filter refused, wraps */
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

/*
 * An arc: calls from one place to one function. It is claimed and proves itself as an item does.
 * What an arc had counted when it gives way is added to dropped, so nothing is inherited.
 */
struct mprof_arc32 {
    uint32_t callee; /* a place in the called function, near its entry */
    uint32_t caller; /* where it returns to */
    uint32_t hits;
    uint32_t stamp;
};

struct mprof_arc64 {
    uint64_t callee;
    uint64_t caller;
    uint32_t hits;
    uint32_t stamp;
};

/*
 * The stream: a ring of count records, a power of two. head is MPROF_STREAM_STEP times the number
 * of records ever begun, plus MPROF_STREAM_VALID, modulo 2^32. Record n, from 1 on, stands at index
 * n % count. The writer makes head that of its record, clears tag, writes pc, lr and time, and
 * tag last. The reader takes head first and then the records from low addresses to high ones:
 * record n is whole if tag without its low bits is that of n, else it is lost or not yet written.
 * The host never writes here, so there may be several readers.
 */
#define MPROF_STREAM_STEP      0x800U
#define MPROF_STREAM_VALID     0x400U /* set in each tag and in head */
#define MPROF_STREAM_LATE      0x200U /* in a tag: the sample came late */
#define MPROF_STREAM_EXCEPTION 0x1ffU /* in a tag: number of the interrupted exception, 0: none */

struct mprof_stream_lead {
    uint32_t head;
    uint32_t time_hz; /* units of time a second; 0: time is head when the record was begun */
    uint32_t reserved[2];
};

struct mprof_record32 {
    uint32_t pc;
    uint32_t lr;   /* the interrupted code's link register: where a leaf function returns to */
    uint32_t time; /* wraps */
    uint32_t tag;  /* head when the record was begun, and the low bits above */
};

struct mprof_record64 {
    uint64_t pc;
    uint64_t lr;
    uint32_t time;
    uint32_t tag;
};

/* The histogram: entry n counts hits at base + n * 2^grain_shift. */
struct mprof_histogram_lead {
    uint32_t events;   /* presented to this block, wraps */
    uint32_t outside;  /* of them, at addresses that have no entry */
    uint32_t base_low; /* low and high half of the first entry's address */
    uint32_t base_high;
};

/* Events at start <= address < end are ignored. end 0: not used. To change one, write end 0, start,
 * end, in this order. */
struct mprof_range32 {
    uint32_t start;
    uint32_t end;
};

struct mprof_range64 {
    uint64_t start;
    uint64_t end;
};

#if defined(__cplusplus)
#define MPROF_STATIC_ASSERT(cond, text) static_assert(cond, text)
#else
#define MPROF_STATIC_ASSERT(cond, text) __extension__ _Static_assert(cond, text)
#endif

MPROF_STATIC_ASSERT(sizeof(struct mprof_header) == 112, "three lines of 32 bytes and a half");
MPROF_STATIC_ASSERT(offsetof(struct mprof_header, ignored) == 32, "second line");
MPROF_STATIC_ASSERT(offsetof(struct mprof_header, enable) == 64, "the host's line");
MPROF_STATIC_ASSERT(offsetof(struct mprof_header, other_side) == 96, "fourth line");
MPROF_STATIC_ASSERT(sizeof(struct mprof_block) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_counters) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_stream_lead) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_histogram_lead) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_item32) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_item64) == 24, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_arc32) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_arc64) == 24, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_record32) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_record64) == 24, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_range32) == 8, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_range64) == 16, "no padding");

#endif
