/* SPDX-License-Identifier: 0BSD */
/* The options of the stub, their defaults, and what is said about a wrong one. */
#ifndef MPROF_CONFIG_H
#define MPROF_CONFIG_H

/*
 * All options are macros, given to the stub and to whoever includes mprof.h alike: by -D, or by a
 * header that -DMPROF_CONFIG_FILE='"my_config.h"' names. With CMake, set the variable of the same
 * name before add_subdirectory(target-stub). A block whose count is 0 takes neither RAM nor code.
 */
#ifdef MPROF_CONFIG_FILE
#include MPROF_CONFIG_FILE
#endif

/* Items of the table of timer samples. 16 bytes of RAM each on a 32-bit core, 24 on a 64-bit one.
 */
#ifndef MPROF_CNT
#define MPROF_CNT 256
#endif

/* Bytes of code that one of them stands for. Small ones are sharper and need more items. */
#ifndef MPROF_ERR
#define MPROF_ERR 16
#endif

/* Items of the table of calls, one a function: 16 or 24 bytes each. 64 is a good number. */
#ifndef MPROF_CALL_CNT
#define MPROF_CALL_CNT 0
#endif

/* Arcs (who calls whom): 16 or 24 bytes each. */
#ifndef MPROF_ARC_CNT
#define MPROF_ARC_CNT 0
#endif

/* Records of the ring of raw samples, which the host drains: 16 or 24 bytes each. At 1000 samples a
 * second and a poll of the host every 100 ms, 256 are enough. */
#ifndef MPROF_STREAM_CNT
#define MPROF_STREAM_CNT 0
#endif

/* MPROF_TIME: the time of a record, an expression of 32 bits like (*(volatile uint32_t
 * *)0xE0001004), and its units a second (0: not known). Without it, the record's place in the
 * stream. */
#ifndef MPROF_TIME_HZ
#define MPROF_TIME_HZ 0
#endif

/* Entries of the histogram, 4 bytes each; bytes of code of each; and where the first one starts,
 * like 0x08000000 or the address of a linker script's symbol. */
#ifndef MPROF_HIST_CNT
#define MPROF_HIST_CNT 0
#endif
#ifndef MPROF_HIST_ERR
#define MPROF_HIST_ERR 16
#endif

/* Ranges of addresses whose events are ignored, and the first ones of them:
 *   MPROF_IGNORE_LIST {0x08001000, 0x08001400}, {0x08004000, 0x08004100}
 * (in MPROF_CONFIG_FILE: shells and CMake take braces and commas for theirs) */
#ifndef MPROF_IGNORE_CNT
#define MPROF_IGNORE_CNT 0
#endif

/* What one hit adds to a row, 1 to 255. */
#ifndef MPROF_HITCNT_INC
#define MPROF_HITCNT_INC 1
#endif

/* 1: each event takes 1 from one row, all rows in turn, so that a long start-up fades. The host's
 * intervals answer the same question without a cost; see docs/layout.md. */
#ifndef MPROF_DECAY
#define MPROF_DECAY 0
#endif

/* A function void f(uintptr_t pc, uintptr_t lr, uint32_t exception) of the firmware that is called
 * with each sample before anything is counted:
 *   MPROF_CUSTOM_SINK f */

/* Cores that run this firmware, with a set of blocks each, and which of them runs this code (an
 * expression from 0 on). */
#ifndef MPROF_CORES
#define MPROF_CORES 1
#endif

/* 1: the period of our own timers varies at random, from half of it to one and a half. 0: it is
 * fixed, and never sees what is locked to it. */
#ifndef MPROF_JITTER
#define MPROF_JITTER 1
#endif

/* A sample is late if its timer had counted so many ticks when the handler was entered. 0: nobody
 * looks. */
#ifndef MPROF_LATE_TICKS
#define MPROF_LATE_TICKS 64
#endif

/* MPROF_MTIME, MPROF_MTIMECMP: where RISC-V's machine timer is. The default is the CLINT of most
 * parts: 0x0200bff8, and 0x02004000 for hart 0. */

/* TrustZone needs no option. In a handler, bits 0 and 6 of EXC_RETURN tell the security state of
 * the handler and that of what it interrupted. Where they differ, the sample is counted in
 * header.other_side and no frame is read. In secure firmware without -mcmse, both are 1. */

/* The input section of s_prof. The default falls into any linker script's *(.bss*). A section of
 * its own that start-up code does not clear keeps the boot counter over a reset; its output section
 * must be NOLOAD, or the image grows by the size of s_prof. */
#ifndef MPROF_SECTION
#define MPROF_SECTION ".bss.mprof"
#endif

/* MPROF_TEXT: the section of the stub's code, like ".ramfunc", for parts whose flash cannot be read
 * while it is written. */

#define MPROF_NO_POWER_(n) (((n) & ((n)-1)) != 0)
#define MPROF_NO_TABLE_(n) ((n) != 0 && ((n) < 4 || (n) > 65536 || MPROF_NO_POWER_(n)))
#define MPROF_NO_GRAIN_(n) ((n) < 2 || (n) > 65536 || MPROF_NO_POWER_(n))

#if MPROF_NO_TABLE_(MPROF_CNT)
#error "MPROF_CNT is the number of items, 4 times a power of two: write 64, 128, 256 or 512"
#endif

#if MPROF_NO_GRAIN_(MPROF_ERR)
#error "MPROF_ERR is the bytes of code of an item, a power of two from 2 on: write 8, 16 or 32"
#endif

#if MPROF_NO_TABLE_(MPROF_CALL_CNT)
#error "MPROF_CALL_CNT is the number of called functions' items, a power of two: write 64 or 128"
#endif

#if MPROF_NO_TABLE_(MPROF_ARC_CNT)
#error "MPROF_ARC_CNT is the number of arcs, a power of two: write 128, 256 or 512"
#endif

#if MPROF_NO_TABLE_(MPROF_STREAM_CNT)
#error "MPROF_STREAM_CNT is the number of records, a power of two: write 128, 256 or 512"
#endif

#if (MPROF_HIST_CNT) != 0 && !defined(MPROF_HIST_BASE)
#error "a histogram starts somewhere: write MPROF_HIST_BASE 0x08000000, or where your code starts"
#endif

#if (MPROF_HIST_CNT) < 0
#error "MPROF_HIST_CNT is the number of the histogram's entries: write 1024, or 0 for none"
#endif

#if (MPROF_IGNORE_CNT) < 0
#error "MPROF_IGNORE_CNT is the number of ranges to be ignored: write 4, or 0 for none"
#endif

#if defined(MPROF_IGNORE_LIST) && (MPROF_IGNORE_CNT) == 0
#error "MPROF_IGNORE_LIST needs room: write MPROF_IGNORE_CNT 4, or the number of its ranges"
#endif

#if MPROF_NO_GRAIN_(MPROF_HIST_ERR)
#error "MPROF_HIST_ERR is the bytes of code of an entry, a power of two from 2 on: write 4 or 16"
#endif

#if (MPROF_HITCNT_INC) < 1 || (MPROF_HITCNT_INC) > 255
#error "MPROF_HITCNT_INC is what a hit adds: write 1, or a number up to 255"
#endif

#if (MPROF_CORES) < 1 || (MPROF_CORES) > 255
#error "MPROF_CORES is the number of cores that run this firmware: write 1 or 2"
#endif

#if (MPROF_CORES) > 1 && !defined(MPROF_CORE)
#error \
    "several cores must know their number: define MPROF_CORE, on RP2040 (*(uint32_t *)0xd0000000)"
#endif

#if (MPROF_CNT) + (MPROF_CALL_CNT) + (MPROF_ARC_CNT) + (MPROF_STREAM_CNT) + (MPROF_HIST_CNT) == 0
#error "no block is chosen: write MPROF_CNT 256 for timer samples, or MPROF_CALL_CNT 64 for calls"
#endif

#endif
