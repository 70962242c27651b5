/* SPDX-License-Identifier: 0BSD */
/* The layout of s_prof, the object in the target's RAM that the stub writes and mprof reads. */
#ifndef MPROF_LAYOUT_H
#define MPROF_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/*
 * s_prof is one object in the target's RAM. A reader finds it by its symbol:
 *
 *   struct mprof_header | struct mprof_block[header.block_count] | the blocks, each at its offset
 *
 * All numbers are unsigned and have the target's byte order, which a reader learns from the magic.
 * docs/layout.md describes every byte. The stub uses these structs as they are. A reader takes
 * sizes and offsets from the header and the directory, because another version may have others.
 */

/* The first word of s_prof. mprof_init() writes it last: without it no other field has a meaning.
 * On a little-endian target its bytes in memory are "mprf". */
#define MPROF_MAGIC 0x6672706dU

/* The version of this layout, which is not the version of a release. A reader refuses another major
 * number. A higher minor number only adds: fields at the end of the header, kinds, flags. But a
 * reader of 1.5 takes an exit by a jump (1.6) for a mark of sleep. */
#define MPROF_ABI_MAJOR 1U
#define MPROF_ABI_MINOR 6U

/* The type of a block's entries: mprof_block.kind. A reader skips kinds that it does not know. */
enum mprof_kind {
    MPROF_KIND_ITEMS = 1,     /* struct mprof_item32 or 64: hits by block of code, until ABI 1.1 */
    MPROF_KIND_STREAM = 2,    /* struct mprof_record32 or 64: a ring of raw samples */
    MPROF_KIND_HISTOGRAM = 3, /* uint32_t: hits by address, one counter for each block of code */
    MPROF_KIND_ARCS = 4,      /* struct mprof_arc32 or 64: calls by callee, caller, until ABI 1.1 */
    MPROF_KIND_FILTER = 5,    /* struct mprof_range32 or 64: addresses whose events are ignored */
    MPROF_KIND_ROWS = 6,      /* struct mprof_row32 or 64: hits by block of code */
    MPROF_KIND_ARC_ROWS = 7,  /* struct mprof_arc_row32 or 64: calls by callee and caller */
    MPROF_KIND_FOCUS = 8,     /* uint32_t: hits by instruction, in a window that the host chooses */
    MPROF_KIND_TRACE = 9,     /* struct mprof_event32 or 64: a ring of function entries and exits */
    MPROF_KIND_TRACED = 10,   /* struct mprof_range32 or 64: functions that the trace records */
    MPROF_KIND_TASKS = 11,    /* struct mprof_task32 or 64: samples by task and exception */
    MPROF_KIND_COST = 12,     /* one struct mprof_trace_cost: what the hooks of a trace cost */
    MPROF_KIND_COVERAGE = 13, /* uint32_t: places of the code that were reached */
};

/* What one hit of a block is: mprof_block.unit, 0 for a filter. */
enum mprof_unit {
    MPROF_UNIT_SAMPLES = 1, /* a program counter that a timer interrupted */
    MPROF_UNIT_CALLS = 2,   /* the entry of a function */
};

/* mprof_header.flags. Bit 15 is private to the stub: a reset is in progress. With neither of the
 * first two, the timer's period is fixed, or not known to vary. */
#define MPROF_FLAG_TICK_LOCKED 0x0001U /* the firmware's own tick samples: shares are biased */
#define MPROF_FLAG_JITTERED    0x0002U /* the timer's period varies at random around sample_hz */
#define MPROF_FLAG_SMALL       0x0004U /* enable and the host's requests are ignored */
#define MPROF_FLAG_THREADS     0x0008U /* cores are threads of a process */
#define MPROF_FLAG_UNUSED      0x0010U /* no thread has this object yet, so it serves no requests */
#define MPROF_FLAG_SINK        0x0020U /* calls can go to a function of the firmware */

/*
 * Bits of mprof_header.enable. The low byte says that mprof_init() has run. Each of the other bytes
 * has one writer, so that no writer undoes another's change: the host writes the second and third
 * byte, the firmware the fourth. All bits set is the usual state, which an event recognises by one
 * comparison.
 */
#define MPROF_ENABLE_ALL        0xffffffabU
#define MPROF_ENABLE_ALIVE      0x000000abU /* the low byte after mprof_init() */
#define MPROF_ENABLE_TIMER      0x00000100U /* second byte: source, timer samples */
#define MPROF_ENABLE_CALLS      0x00000200U /* source, call hooks */
#define MPROF_ENABLE_OVERWRITE  0x00000400U /* clear: the trace stops when it is full */
#define MPROF_ENABLE_UNFILTERED 0x00000800U /* clear: the trace records only some functions */
#define MPROF_ENABLE_SINK       0x00001000U /* calls go to a function of the firmware */
#define MPROF_ENABLE_ITEMS      0x00010000U /* third byte: block, items of samples */
#define MPROF_ENABLE_STREAM     0x00020000U /* block, stream */
#define MPROF_ENABLE_HISTOGRAM  0x00040000U /* block, histogram */
#define MPROF_ENABLE_ARCS       0x00080000U /* block, arcs */
#define MPROF_ENABLE_CALLED     0x00100000U /* block, items of calls */
#define MPROF_ENABLE_TRACE      0x00200000U /* block, trace */
#define MPROF_ENABLE_UNFOCUSED  0x00400000U /* clear: the focus counts */
#define MPROF_ENABLE_CALM       0x00800000U /* clear: events read the host's requests */
#define MPROF_ENABLE_STARTED    0x01000000U /* fourth byte: clear from mprof_stop() to _start() */
#define MPROF_ENABLE_AWAKE      0x02000000U /* clear from mprof_sleep_enter() to _exit() */
#define MPROF_ENABLE_IN_PHASE   0x04000000U /* phase is phase_only, or phase_only is 0 */
#define MPROF_ENABLE_TRACING    0x08000000U /* clear from mprof_trace_disable() to _enable() */
#define MPROF_ENABLE_UNFROZEN   0x10000000U /* clear from mprof_trace_freeze() to _thaw() */

/*
 * The header, 112 bytes; in ABI 1.0 it ended after 96. It consists of lines of 32 bytes, because a
 * core with a data cache writes whole lines back. The target writes the first, second and fourth
 * line. The host writes the third, except for the low and the high byte of enable.
 *
 * Counters wrap modulo 2^32. They count the events of the first table among the blocks, in the
 * order items of samples, items of calls, arcs; any other table has its own, in its lead. While
 * no event is in progress, and if a hit adds 1 and hits do not decay,
 *
 *   sum of that table's hits + lost + ignored + sleeping + other_side == heartbeat
 *
 * where lost is the sum of the table's rest, and in ABI 1.0 and 1.1 dropped. Since ABI 1.2,
 * dropped is 0.
 *
 * A host asks for something in this order: it writes nonce, reset_request, phase_only or the focus,
 * and clears MPROF_ENABLE_CALM. One of the next events does it, and the host sees that in
 * nonce_echo, reset_done, MPROF_ENABLE_IN_PHASE or the lead of the focus. Then it sets
 * MPROF_ENABLE_CALM. A target without events does nothing. A reset clears blocks and counters, but
 * not boot, generation and the heads of a stream and of a trace. It thaws the trace.
 */
struct mprof_header {
    /* First line, written by the target. */
    uint32_t magic;       /* MPROF_MAGIC */
    uint8_t abi_major;    /* MPROF_ABI_MAJOR */
    uint8_t abi_minor;    /* MPROF_ABI_MINOR */
    uint8_t addr_size;    /* bytes of an address: 4 or 8 */
    uint8_t block_count;  /* entries of the directory */
    uint16_t header_size; /* bytes of the header; the directory starts at this offset */
    uint16_t flags;       /* MPROF_FLAG_... */
    uint32_t total_size;  /* bytes of the whole object */
    uint32_t boot;        /* calls of mprof_init() since RAM lost its contents, from 1 on */
    uint32_t heartbeat;   /* events, counted before anything else is done with them */
    uint32_t generation;  /* changes if a row gets another address; odd since ABI 1.2 */
    uint32_t dropped;     /* until ABI 1.1: events lost, and hits of replaced arcs */

    /* Second line, written by the target. */
    uint32_t ignored;    /* events that a filter or another phase left out */
    uint32_t iterations; /* calls of mprof_iteration(), since ABI 1.4; until 1.1, rows replaced */
    uint32_t sample_hz;  /* mean samples a second, 0: not known */
    uint32_t tick_hz;    /* Hz of the clock that drives the timer, 0: not known */
    uint32_t reset_done; /* the last reset_request that was carried out */
    uint32_t nonce_echo; /* nonce, when an event last read it */
    uint32_t late;       /* samples delayed by masked interrupts; counted in rows as well */
    uint32_t sleeping;   /* events between mprof_sleep_enter() and _exit(), and samples missed */

    /* Third line, written by the host. */
    uint32_t enable;        /* MPROF_ENABLE_... */
    uint32_t nonce;         /* any number; its return in nonce_echo proves a fresh read */
    uint32_t reset_request; /* if it differs from reset_done, an event clears the blocks */
    uint32_t phase_only;    /* count only events in this phase, 0: in all */
    uint32_t focus_low;     /* low half of the focus that the host asks for: first address */
    uint32_t focus_high;    /* high half of it */
    uint32_t focus_request; /* if it differs from focus_lead.done, an event moves the focus there */
    uint32_t traced;        /* which functions the trace records, see MPROF_TRACED_FIRST */

    /* Fourth line, written by the target. */
    uint32_t other_side; /* samples that interrupted the other TrustZone security state */
    uint32_t phase;      /* argument of the last mprof_phase() */
    uint8_t core;        /* index of the core whose events this object counts */
    uint8_t cores;       /* objects in the array, total_size bytes apart; 0 or 1: only this one */
    uint16_t frozen;     /* MPROF_FROZEN_..., 0: the trace is not frozen; until 1.1, private */
    uint32_t period;     /* private to the stub: mean ticks between two samples of its timer */
};

/* mprof_header.frozen, after mprof_trace_freeze(), while MPROF_ENABLE_UNFROZEN is clear. */
#define MPROF_FROZEN           0x8000U /* always set */
#define MPROF_FROZEN_BOOTS     0x7e00U /* calls of mprof_init() since then; 63: or more */
#define MPROF_FROZEN_BOOT      0x0200U /* one of them */
#define MPROF_FROZEN_EXCEPTION 0x01ffU /* number of the exception, 0: none or not known */

/* mprof_block.flags. Bits 8 to 15: what one hit adds, 0 means 1 (MPROF_HITCNT_INC). */
#define MPROF_BLOCK_LED    0x0001U /* the block has a lead of 16 bytes with counters of its own */
#define MPROF_BLOCK_DECAYS 0x0002U /* hits also go down (MPROF_DECAY) */
#define MPROF_BLOCK_CLOCK  0x0004U /* a trace: the times of all cores are of one clock */
#define MPROF_BLOCK_WIDE   0x0008U /* a trace: times have 48 bits, see MPROF_TRACE_WIDE_SHIFT */
#define MPROF_BLOCK_TASK   0x0010U /* the records of a trace have the task (MPROF_TASK) */
#define MPROF_BLOCK_RESULT 0x0020U /* a trace: words of an exit are the result (ABI 1.5) */

/* One entry of the directory, 16 bytes. A lead is a struct mprof_rows_lead for rows, a struct
 * mprof_counters for items and arcs, a struct mprof_stream_lead for a stream, a struct
 * mprof_trace_lead for a trace, a struct mprof_histogram_lead for a histogram, a struct
 * mprof_tasks_lead for tasks, a struct mprof_focus_lead for a focus, a struct
 * mprof_coverage_lead for a coverage. */
struct mprof_block {
    uint8_t kind;        /* enum mprof_kind */
    uint8_t unit;        /* enum mprof_unit */
    uint8_t grain_shift; /* log2 of the block size: bytes of code that one entry stands for */
    uint8_t ways; /* until ABI 1.1, rows of a set. Of a trace in a process: further threads that
                   * share it, 255: or more. Of a coverage: places that an entry counts */
    uint16_t entry_size; /* bytes of one entry */
    uint16_t flags;      /* MPROF_BLOCK_... */
    uint32_t count;      /* entries */
    uint32_t offset;     /* bytes from the start of s_prof, a multiple of 8 */
};

/*
 * A table of rows, MPROF_KIND_ROWS or MPROF_KIND_ARC_ROWS, consists of
 *
 *   struct mprof_rows_lead | rows[count + 1] | uint32_t rest[count / 2] | uint16_t heads[count]
 *
 * mprof_block.offset is that of the rows. Rows are taken one after the other: those from 0 to
 * count - free - 1 are in use. The last row is never taken. heads, and next in a row, are private
 * to the stub, which finds rows by them.
 *
 * An event is counted in the row of its address, or in the rest: in the counter of the address's
 * region, (addr >> MPROF_REST_SHIFT) % (count / 2). If blocks are larger than 2^MPROF_REST_SHIFT
 * bytes, a region is one block. If another address replaces that of a row, the row's hits are added
 * to the rest, in the region of the old address; so are hits that decay. So the number of events at
 * an address is at least the hits of its rows, and at most these plus the counter of its region. If
 * the address has a row with stamp 0, and hits do not decay, none of its events is in the rest.
 *
 * A reader reads generation, the rows in use, the rest, and generation again. If a row's address is
 * odd, the row is being written: use what was read before. A row whose stamp is not 0 is not valid
 * if (stamp - first generation) modulo 2^16 is from 2 to 2 + (second generation - first
 * generation): the row changed in the meantime. If the two generations differ by 2^15 or more, the
 * table was cleared: read again. A stamp that becomes 0 at the same address is no change of the
 * row.
 */
#define MPROF_REST_SHIFT 8

/* The lead of a table of rows. events and ignored are 0 unless MPROF_BLOCK_LED is set: else the
 * table uses the header's counters. Both wrap modulo 2^32. */
struct mprof_rows_lead {
    uint32_t events;  /* events of this table */
    uint32_t ignored; /* of them, left out by a filter */
    uint32_t free;    /* rows that are not in use yet */
    uint32_t spilled; /* 0 if all counters of the rest are 0 */
};

/* One row, for a core with addresses of 4 bytes. */
struct mprof_row32 {
    uint32_t addr;  /* first byte of the block of code, even; 0 is valid; odd: being written */
    uint32_t hits;  /* wraps; 0 if the row was taken and then not needed */
    uint16_t next;  /* private to the stub */
    uint16_t stamp; /* generation when it got this address; 0: none of its events is in the rest */
};

/* The same for addresses of 8 bytes. */
struct mprof_row64 {
    uint64_t addr;
    uint32_t hits;
    uint16_t next;
    uint16_t stamp;
};

/* One arc: the calls from one place to one function. Its region is that of the callee. */
struct mprof_arc_row32 {
    uint32_t
        callee; /* an address in the called function, near its entry, even; odd: being written */
    uint32_t caller; /* the address that it returns to, 0: not known */
    uint32_t hits;
    uint16_t next;
    uint16_t stamp;
};

/* The same for addresses of 8 bytes. */
struct mprof_arc_row64 {
    uint64_t callee;
    uint64_t caller;
    uint32_t hits;
    uint16_t next;
    uint16_t stamp;
};

/* The lead of MPROF_KIND_ITEMS or _ARCS (ABI 1.0 and 1.1) that does not use the header's counters.
 * Each wraps modulo 2^32. */
struct mprof_counters {
    uint32_t events;    /* events of this block */
    uint32_t dropped;   /* of them, lost; and hits of arcs that were replaced */
    uint32_t displaced; /* rows whose address another one replaced */
    uint32_t ignored;   /* events of this block that a filter left out */
};

/* Largest number of rows that may get an address while a reader reads the header and the rows. */
#define MPROF_STAMP_AHEAD 0x01000000U

/*
 * One row of a table of items in ABI 1.0 and 1.1, for a core with addresses of 4 bytes. A row never
 * moves, but its address may be replaced. Two rows may have the same address: a reader adds them
 * up. To give the row an address, the stub sets stamp to 0, writes the fields, increments
 * header.generation, and writes that to stamp. A reader reads the header first, and then the row
 * from low addresses to high ones. The row is valid unless stamp is 0 (empty, or being written) or
 * ahead of generation by 1 to MPROF_STAMP_AHEAD, modulo 2^32 (written after the header was read).
 */
struct mprof_item32 {
    uint32_t addr;      /* first byte of the block of code; 0 is valid, 1 in an empty row */
    uint32_t hits;      /* hits since the row was empty, inherited ones included; wraps */
    uint32_t inherited; /* how many of them belong to addresses that the row had before */
    uint32_t stamp;     /* header.generation when the row got its address */
};

/* The same for addresses of 8 bytes. */
struct mprof_item64 {
    uint64_t addr;
    uint32_t hits;
    uint32_t inherited;
    uint32_t stamp;
    uint32_t reserved; /* a reader ignores it */
};

/*
 * One arc in ABI 1.0 and 1.1: the calls from one place to one function. It is written and read as
 * an item is. When another arc replaces it, its hits are added to dropped, so an arc inherits
 * nothing.
 */
struct mprof_arc32 {
    uint32_t callee; /* an address in the called function, near its entry; 1 in an empty row */
    uint32_t caller; /* the address that it returns to, 0: not known */
    uint32_t hits;   /* calls, wraps */
    uint32_t stamp;  /* as in an item */
};

/* The same for addresses of 8 bytes. */
struct mprof_arc64 {
    uint64_t callee;
    uint64_t caller;
    uint32_t hits;
    uint32_t stamp;
};

/*
 * The stream is a ring of mprof_block.count records, a power of two. Record n, from 1 on, has the
 * index n % count. To write it, the stub adds MPROF_STREAM_STEP to head, sets the record's tag to
 * 0, writes pc, lr and time, and last tag: the new head and the low bits below. A reader reads head
 * first, and then the records from low addresses to high ones. Record n is complete if its tag,
 * without the bits of MPROF_STREAM_LATE and MPROF_STREAM_EXCEPTION, is the head of record n. With
 * the tag of a later record it is lost. With 0 or the tag of an earlier record it is not complete.
 * A reader writes nothing, so several readers may read one stream.
 */
#define MPROF_STREAM_STEP      0x800U /* what one record adds to head */
#define MPROF_STREAM_VALID     0x400U /* set in head, and in the tag of a complete record */
#define MPROF_STREAM_LATE      0x200U /* in a tag: masked interrupts delayed the sample */
#define MPROF_STREAM_EXCEPTION 0x1ffU /* in a tag: number of the interrupted exception, 0: none */
/* If there is a block MPROF_KIND_TASKS, exceptions from here on are tasks: 0x1f0 is the task of its
 * first row, and so on. 0x1ff is any other task. */
#define MPROF_STREAM_TASKS 0x1f0U

/* The lead of a stream. A reset leaves head as it is, so a reader that is connected notices no gap
 * in the numbers of records; mprof_init() sets it to MPROF_STREAM_VALID. */
struct mprof_stream_lead {
    uint32_t head;        /* records begun * MPROF_STREAM_STEP + MPROF_STREAM_VALID, modulo 2^32 */
    uint32_t time_hz;     /* units of time a second, 0: time is the head of the record */
    uint32_t reserved[2]; /* a reader ignores it */
};

/* One raw sample, for a core with addresses of 4 bytes. */
struct mprof_record32 {
    uint32_t pc;   /* the interrupted instruction */
    uint32_t lr;   /* link register of the interrupted code; a leaf function returns there */
    uint32_t time; /* when it was taken, in units of time_hz; wraps */
    uint32_t tag;  /* the head of this record, and MPROF_STREAM_LATE and _EXCEPTION */
};

/* The same for addresses of 8 bytes. */
struct mprof_record64 {
    uint64_t pc;
    uint64_t lr;
    uint32_t time;
    uint32_t tag;
};

/*
 * The trace is a ring of mprof_block.count records, a power of two (docs/trace.md). Record n, from
 * 1 on, has the index n % count. To write it, the stub adds 1 to head, sets the record's tag to 0,
 * writes the other members, and last the tag: n, shifted by MPROF_TRACE_SHIFT, and the low bits
 * below. Record n is complete if its tag is that of n. With the tag of a later record it is lost;
 * with another one it is not complete. A reader writes nothing, so several may read one trace.
 *
 * While MPROF_ENABLE_OVERWRITE is clear, no more records are begun if head - first is count.
 *
 * If the block has MPROF_BLOCK_WIDE, bits 48 to 63 of callee are bits 32 to 47 of the time.
 */
#define MPROF_TRACE_SHIFT     12
#define MPROF_TRACE_ARGUMENTS 0x800U /* in a tag: the record has arguments, an exit the result */
#define MPROF_TRACE_VALID     0x400U /* set in the tag of a complete record */
#define MPROF_TRACE_MARK      0x200U /* in a tag: a mark of the firmware, callee: id, caller: value */
#define MPROF_TRACE_EXCEPTION 0x1ffU /* in a tag: number of the exception, 0: none or not known */
#define MPROF_TRACE_EXIT      0x1U   /* in callee: the function returns; clear: it was entered */
#define MPROF_TRACE_NO_TIME   0xffffffffU /* as time_hz: the records have no time */
/* With MPROF_BLOCK_WIDE: the time goes on from this bit of callee. */
#define MPROF_TRACE_WIDE_SHIFT 48

/* In a tag, the two together: the core is about to sleep, or has woken up (mprof_trace_sleep()),
 * or an exit by a jump (below). The low bits of callee say which, the others are the rate of the
 * clock whose time is caller, 0: there is none. */
#define MPROF_TRACE_SLEEP  0xa00U
#define MPROF_SLEEP_WHAT   0x3U
#define MPROF_SLEEP_ASLEEP 1U
#define MPROF_SLEEP_AWAKE  2U
#define MPROF_SLEEP_RATE   4U /* callee is the rate times this, plus one of these two */
/* With both bits in the tag, and one of these as MPROF_SLEEP_WHAT in callee, it is no sleep but an
 * exit (ABI 1.6): the function has ended by a jump to the one whose entry is the next record of
 * that context. */
#define MPROF_TRACE_JUMP   3U /* the even address in the function is callee - 3 */
#define MPROF_TRACE_JUMP_2 0U /* it is callee + 2 */

/* The lead of a trace. All wrap modulo 2^32. */
struct mprof_trace_lead {
    uint32_t head;    /* records begun */
    uint32_t first;   /* head when the trace was cleared last: records up to it are gone */
    uint32_t lost;    /* events since then that found the trace full */
    uint32_t time_hz; /* units of time a second, 0: not known; or MPROF_TRACE_NO_TIME */
};

/*
 * What an entry and an exit cost, measured by mprof_init() as the mean of some calls of an empty
 * function, in 1/MPROF_COST_UNIT of the trace's units of time; 0: not known. The duration of a call
 * without its hooks is that between its two records, less inside, and less call for each call with
 * an entry and an exit that was made meanwhile; other numbers if one of them ended by a jump.
 */
struct mprof_trace_cost {
    uint32_t inside;      /* what is between the two records of an empty function */
    uint32_t call;        /* how much longer a call takes than one without hooks */
    uint32_t instruction; /* what an instruction takes that does nothing (1.5) */
    uint32_t unhooked;    /* calls that were recorded without an exit, for want of room; wraps */

    /* Since ABI 1.6, of hooked returns: a function that ends by a jump to another one has its exit
     * recorded by the hook of that function's entry. What is subtracted from a duration is these
     * two instead of inside, jump_from + jump_to - inside between two jumps, and jump instead of
     * call for a call that a jump has begun. If jump is 0, they are not known. */
    uint32_t jump_from; /* inside, of an empty function that ends by a jump */
    uint32_t jump_to;   /* and of the one that it jumps to */
    uint32_t jump;      /* how much longer the jump takes than one without hooks */
    uint32_t reserved;  /* 0 */
};
#define MPROF_COST_UNIT 256U

/* One entry or exit of a function, for a core with addresses of 4 bytes. If mprof_block.entry_size
 * is larger, words of the size of an address stand behind caller: the task if the block has
 * MPROF_BLOCK_TASK, then arguments, or with MPROF_BLOCK_RESULT of an exit the result: the first two
 * registers of results, or one if there is room for only one word. */
struct mprof_event32 {
    uint32_t time;   /* in units of time_hz; wraps; 0 with MPROF_TRACE_NO_TIME */
    uint32_t callee; /* an even address in the function, near its entry; and MPROF_TRACE_EXIT */
    uint32_t caller; /* the address that it returns to, 0: not known */
    uint32_t tag; /* n << MPROF_TRACE_SHIFT, MPROF_TRACE_VALID and _EXCEPTION; 0: being written */
};

/* The same for addresses of 8 bytes. */
struct mprof_event64 {
    uint64_t callee;
    uint64_t caller;
    uint32_t time;
    uint32_t tag;
};

/*
 * What mprof_trace_send() sends are frames (docs/trace.md), each with a number of words of 4 bytes:
 *
 *   MPROF_FRAME_SYNC, 2 bytes | kind | core | low byte of boot | words | contents | CRC-32
 *
 * Here and in struct mprof_frame_header, numbers of several bytes are little-endian. What is copied
 * from s_prof is as it is there.
 */
#define MPROF_FRAME_SYNC         0x6da5U /* the first two bytes: a5 6d */
#define MPROF_FRAME_HEADER       1U /* a struct mprof_frame_header, code, header, directory, lead */
#define MPROF_FRAME_RECORDS      2U /* number of the first record, 4 bytes; and the records */
#define MPROF_FRAME_HEADER_EVERY 256U /* records, at most, between two headers */
struct mprof_frame_header {
    uint32_t next;         /* number of the record that is sent next */
    uint32_t code_len;     /* bytes of code, 0: none */
    uint32_t address_low;  /* of s_prof */
    uint32_t address_high; /* high half of it */
    uint32_t code_low;     /* address of the code */
    uint32_t code_high;    /* high half of it */
};

/* The end of a file with the s_prof of a process, which follows the bytes of s_prof. */
#define MPROF_TAIL_MAGIC 0x6c696174U /* on a little-endian host the bytes are "tail" */
struct mprof_tail {
    uint32_t magic;   /* MPROF_TAIL_MAGIC */
    uint32_t size;    /* bytes of this structure */
    uint64_t address; /* of s_prof in the process */
    uint64_t entry;   /* where the program began: the entry of its ELF file, as it was loaded */
};

/*
 * Samples by what they interrupted: a task, by MPROF_TASK, or an exception. Tasks take rows from
 * the first one on, exceptions from the last one down, and keep them until all blocks are cleared.
 * So each sample is counted in a row, or in lost if no row was left. Two rows may be of one task: a
 * reader adds them up. It reads a row from low addresses to high ones.
 */
#define MPROF_TASK_FREE  0xffffffffU /* as exception: the row is not in use */
#define MPROF_TASK_TAKEN 0xfffffffeU /* as exception: the row is being written */

struct mprof_tasks_lead {
    uint32_t lost;        /* samples that found no row; wraps */
    uint32_t reserved[3]; /* a reader ignores it */
};

/* One task or exception, for a core with addresses of 4 bytes. */
struct mprof_task32 {
    uint32_t exception; /* its number; 0: a task; MPROF_TASK_FREE or _TAKEN */
    uint32_t hits;      /* samples, wraps */
    uint32_t task;      /* MPROF_TASK; of an exception 0 */
};

/* The same for addresses of 8 bytes. */
struct mprof_task64 {
    uint32_t exception;
    uint32_t hits;
    uint64_t task;
};

/* The lead of a histogram. Entry n counts the hits at addresses from base + n * 2^grain_shift to
 * the start of entry n + 1; each wraps modulo 2^32. */
struct mprof_histogram_lead {
    uint32_t events;    /* events of this block */
    uint32_t outside;   /* of them, at addresses that have no entry */
    uint32_t base_low;  /* low half of base, the first address of entry 0 */
    uint32_t base_high; /* high half of it */
};

/*
 * The lead of a focus, which counts hits in count * 2^grain_shift bytes from a base that the host
 * chooses. The entry of an address is (addr >> grain_shift) % count. Its events are counted in the
 * other blocks as well. It counts while MPROF_ENABLE_UNFOCUSED is clear. To move it, the host
 * writes focus_low, focus_high and another focus_request, and clears MPROF_ENABLE_CALM. An event
 * then takes the base over, clears the entries and sets done, before it counts itself.
 */
struct mprof_focus_lead {
    uint32_t base_low;  /* low half of base, the first address of entry 0 */
    uint32_t base_high; /* high half of it */
    uint32_t began;     /* header.heartbeat when the entries were cleared */
    uint32_t done;      /* the last focus_request that was carried out */
};

/*
 * The lead of a coverage, for code that calls __sanitizer_cov_trace_pc() where a block of it begins
 * (-fsanitize-coverage=trace-pc). A place is the 2^grain_shift bytes that such a call returns to:
 * that of an address is (addr - base) >> grain_shift. An entry has a field for each of ways places,
 * the first one in its lowest bits: 32 bits, or 4, 2 or 1 counters, which stay at their largest
 * number. Only a reset makes them less.
 */
struct mprof_coverage_lead {
    uint32_t outside;   /* calls from other addresses; wraps */
    uint32_t begun;     /* MPROF_COVERAGE_BEGUN after mprof_init(); private to the stub */
    uint32_t base_low;  /* low half of base, the first address that is covered */
    uint32_t base_high; /* high half of it */
};
#define MPROF_COVERAGE_BEGUN 0x72766f63U

/* One entry of a filter: events at start <= address < end are ignored. end is 0 if the entry is not
 * used. The host may change it while events come: it writes 0 to end, then start, then end. */
struct mprof_range32 {
    uint32_t start;
    uint32_t end;
};

/* The same for addresses of 8 bytes. */
struct mprof_range64 {
    uint64_t start;
    uint64_t end;
};

/*
 * The ranges of code whose functions the trace records while MPROF_ENABLE_UNFILTERED is clear: two
 * lists, each of half of the entries, which the host writes. A list is sorted by address, its
 * ranges do not overlap, and it ends with one whose start and end are the last address. The word
 * header.traced says which list is in use, by the index of its first entry. A host fills the other
 * list, then writes the word, and changes it each time by MPROF_TRACED_STEP as well: an event looks
 * again if the word has changed meanwhile.
 */
#define MPROF_TRACED_FIRST 0xffffU  /* in traced: index of the first entry */
#define MPROF_TRACED_STEP  0x10000U /* added to traced at each change */

/* A check at compile time, in C and in C++; text is what the compiler prints if cond is 0. */

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
MPROF_STATIC_ASSERT(sizeof(struct mprof_focus_lead) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_coverage_lead) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_rows_lead) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_row32) == 12, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_row64) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_arc_row32) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_arc_row64) == 24, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_item32) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_item64) == 24, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_arc32) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_arc64) == 24, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_record32) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_record64) == 24, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_trace_lead) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_trace_cost) == 32, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_tail) == 24, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_event32) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_event64) == 24, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_tasks_lead) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_task32) == 12, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_task64) == 16, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_range32) == 8, "no padding");
MPROF_STATIC_ASSERT(sizeof(struct mprof_range64) == 16, "no padding");

#endif
