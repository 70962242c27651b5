/* SPDX-License-Identifier: 0BSD */
/* The options of the stub: their defaults, and the compiler's error for a wrong value. */
#ifndef MPROF_CONFIG_H
#define MPROF_CONFIG_H

/*
 * All options are macros. Give the same ones to the stub and to every file that includes mprof.h:
 * by -D, or in a header that -DMPROF_CONFIG_FILE='"my_config.h"' names. With CMake, set a variable
 * of the same name before add_subdirectory(target-stub). A count of 0 leaves the block out: it
 * takes no RAM and no code. Sizes in RAM are given for a 32-bit and for a 64-bit core.
 */
#ifdef MPROF_CONFIG_FILE
#include MPROF_CONFIG_FILE
#endif

/* Items of the table of samples: 0, or a power of two from 4 to 16384. RAM: 16 or 20 bytes each. */
#ifndef MPROF_CNT
#define MPROF_CNT 256
#endif

/* Block size: bytes of code whose samples one item counts together, a power of two from 2 to 65536.
 * Smaller blocks tell functions and lines apart better, and need more items. */
#ifndef MPROF_ERR
#define MPROF_ERR 16
#endif

/* Items of the table of calls, one for each called function: 0, or a power of two from 4 to 16384.
 * RAM: 16 or 20 bytes each. Start with 64. */
#ifndef MPROF_CALL_CNT
#define MPROF_CALL_CNT 0
#endif

/* Arcs, one for each pair of a called function and a place that calls it: 0, or a power of two from
 * 4 to 16384. RAM: 20 or 28 bytes each. */
#ifndef MPROF_ARC_CNT
#define MPROF_ARC_CNT 0
#endif

/* Records of the stream, a ring of raw samples that the host reads while the core runs: 0, or a
 * power of two from 4 to 65536. RAM: 16 or 24 bytes each. 256 are enough for 1000 samples a second
 * if the host reads every 100 ms. */
#ifndef MPROF_STREAM_CNT
#define MPROF_STREAM_CNT 0
#endif

/* Records of the trace, a ring of the entries and exits of functions that call hooks report: 0, or
 * a power of two from 4 to 65536. RAM: 16 or 24 bytes each. Start with 1024. */
#ifndef MPROF_TRACE_CNT
#define MPROF_TRACE_CNT 0
#endif

/* Ranges of code that the host can ask the trace to record alone, with 'mprof trace --filter': 0 to
 * 255. RAM: 16 or 32 bytes each, and one more. While the host does not ask, no event executes
 * anything for it. */
#ifndef MPROF_TRACED_CNT
#define MPROF_TRACED_CNT ((MPROF_TRACE_CNT) != 0 ? 8 : 0)
#endif

/* Returns that can be hooked at the same time, so that the trace has the exits of functions whose
 * call hook sees the return address before the function does: a patched entry on each core, and
 * -mfentry on x86-64. 0: no exits, but for those of -finstrument-functions; else a power of two
 * from 4 to 4096. RAM: 24 or 48 bytes each. Start with 64. A call that finds no room has no exit,
 * and is counted. */
#ifndef MPROF_TRACE_RETURNS
#define MPROF_TRACE_RETURNS 0
#endif

/* 1: the hook of gcc's -pg on RISC-V hooks returns too, for which MPROF_TRACE_RETURNS is the
 * number. All code that is compiled with -pg must be compiled with -fno-omit-frame-pointer, and run
 * in machine mode, as the hook reads mstatus. Flash: 8 or 16 bytes for each return, and half as
 * much again. On other cores that hook cannot: see docs/trace.md. */
#ifndef MPROF_PG_RETURNS
#define MPROF_PG_RETURNS 0
#endif

/* 1: mprof_init() measures what the hooks of an entry and an exit cost, in units of the trace's
 * clock, and mprof subtracts that from durations. It takes about 400 calls of empty functions. */
#ifndef MPROF_TRACE_COST
#define MPROF_TRACE_COST (MPROF_TRACE_RETURNS != 0)
#endif

/* 1: keeps mprof_patched_entry(), the call hook of functions compiled with
 * -fpatchable-function-entry, in the program, so that 'mprof instrument' can write calls of it into
 * a copy of the ELF file. It needs a block of calls, arcs or a trace. */
#ifndef MPROF_PATCHED
#define MPROF_PATCHED (MPROF_TRACE_RETURNS != 0)
#endif

/* How many arguments of a function the trace records with its entry, 0 to 4; RAM: 4 or 8 bytes each
 * in every record. They are the first registers of arguments, as the function was called: a patched
 * entry (MPROF_PATCHED) gives them on each core, and -pg on Arm and x86-64, and -mfentry;
 * -finstrument-functions and -pg on RISC-V do not. */
#ifndef MPROF_TRACE_ARGS
#define MPROF_TRACE_ARGS 0
#endif

/* How many words of a function's result the trace records with its exit, 0 to 2: 1 for the first
 * register of results, 2 also for results of 64 bits on a core of 32 bits. RAM: that many words in
 * every record, which arguments may have already. Only exits of MPROF_TRACE_RETURNS have a
 * result. */
#ifndef MPROF_TRACE_RESULTS
#define MPROF_TRACE_RESULTS 0
#endif

/* Words of a record for arguments and results; those that an exit fills. */
#define MPROF_TRACE_WORDS \
    ((MPROF_TRACE_RESULTS) > (MPROF_TRACE_ARGS) ? (MPROF_TRACE_RESULTS) : (MPROF_TRACE_ARGS))
#define MPROF_RESULT_WORDS ((MPROF_TRACE_RESULTS) == 0 ? 0 : MPROF_TRACE_WORDS < 2 ? 1 : 2)

/* MPROF_TASK: an expression for the task that runs, an address or a number: an address of a
 * thread's control block, from which mprof reads its name (FreeRTOS, Zephyr), or of anything that
 * has a name in the symbol table. README.md shows it for each. Samples are counted by it, see
 * MPROF_TASK_CNT. The trace records it with each event, RAM: 4 or 8 bytes in every record. It is
 * evaluated in interrupts, and must not change anything. */

/* MPROF_SLEEP_TIME: an expression, uint32_t, for a clock that goes on while the core sleeps; the
 * sleeps in a trace then have their duration, see mprof_trace_sleep(). MPROF_SLEEP_HZ: its units a
 * second, below 2^30. */
#ifndef MPROF_SLEEP_TIME
#define MPROF_SLEEP_TIME 0
#define MPROF_SLEEP_HZ   0
#endif

/* 1: the trace keeps its first MPROF_TRACE_CNT records, and counts events after them as lost. 0:
 * new records overwrite the oldest. With 1, each event takes some instructions more. */
#ifndef MPROF_TRACE_STOP
#define MPROF_TRACE_STOP 0
#endif

/* 1: mprof_trace_send() also sends 32 bytes of code, now and then, by which the host finds out
 * that it was given another build's ELF file. 0: it reads no code; for a core that
 * cannot read its code as data (execute-only memory). */
#ifndef MPROF_TRACE_CODE
#define MPROF_TRACE_CODE 1
#endif

/* MPROF_CONTEXT: an expression for the context of a traced event, 0 to 511; 0 means no exception.
 * If it is not defined, a Cortex-M records the number of its exception, and other cores 0. With
 * MPROF_TASK, samples of other cores are counted by it, too: it is then evaluated in the interrupt
 * that takes the sample, and must be that of the interrupted code. */

/* MPROF_TIME: an expression, uint32_t, that gives each record of the stream and of the trace its
 * time, for instance the cycle counter of a Cortex-M3 or later: (*(volatile uint32_t *)0xE0001004)
 * (DWT_CYCCNT, ARMv7-M Architecture Reference Manual; the firmware must enable it). If it is not
 * defined, the stream numbers its records, and the trace takes the core's cycle counter: CYCCNT,
 * which mprof_init() starts, mcycle, or the TSC. A Cortex-M0 has none: without MPROF_TIME_SYSTICK,
 * its trace has no times. Only privileged code can read CYCCNT, and only machine mode mcycle:
 * define MPROF_TIME if other code is traced. MPROF_TIME_HZ: units of time a second, 0 if not known.
 */
#ifndef MPROF_TIME_HZ
#define MPROF_TIME_HZ 0
#endif

/* 1: the trace takes its time from SysTick (Cortex-M): cycles, added up over the reloads. For a
 * core without a cycle counter. The default is 0: times would all be equal if nothing
 * starts SysTick, and each event executes 22 or 23 instructions more. mprof_systick_start() does
 * the rest; if SysTick is the firmware's, see mprof_systick_reloaded(). Only privileged code can
 * read SysTick.
 */
#ifndef MPROF_TIME_SYSTICK
#define MPROF_TIME_SYSTICK 0
#endif

/* Entries of the histogram, from 0 on; RAM: 4 bytes each. MPROF_HIST_ERR: bytes of code that one
 * entry counts, a power of two from 2 to 65536. MPROF_HIST_BASE, which a histogram needs: address
 * of the first byte that entry 0 counts, like 0x08000000 or the address of a linker symbol. */
#ifndef MPROF_HIST_CNT
#define MPROF_HIST_CNT 0
#endif
#ifndef MPROF_HIST_ERR
#define MPROF_HIST_ERR 16
#endif

/* Entries of the focus, a histogram of single instructions that the host points at a function while
 * the firmware runs: 0, or a power of two from 4 to 65536; it needs the table of samples. RAM: 4
 * bytes each. Start with 256. While it is off, no event executes anything for it. MPROF_FOCUS_ERR:
 * bytes of code that one entry counts, a power of two from 1 to 16. The default is the distance of
 * two instructions: 2 on Arm and on RISC-V with compressed instructions, 4 on RISC-V without, 1 on
 * x86. */
#ifndef MPROF_FOCUS_CNT
#define MPROF_FOCUS_CNT 0
#endif
#ifndef MPROF_FOCUS_ERR
#if defined(__x86_64__) || defined(__i386__)
#define MPROF_FOCUS_ERR 1
#elif defined(__riscv) && !defined(__riscv_compressed)
#define MPROF_FOCUS_ERR 4
#else
#define MPROF_FOCUS_ERR 2
#endif
#endif

/* Bytes of code whose coverage is recorded, by -fsanitize-coverage=trace-pc: 0, or a multiple of
 * 128. MPROF_COVERAGE_BASE, which a coverage needs: the first of them, like 0x08000000 or the
 * address of a linker symbol. MPROF_COVERAGE_BITS: 1, whether a place was reached; or 8, 16 or 32,
 * how often, up to the largest number that they hold. MPROF_COVERAGE_ERR: the distance of two
 * places in bytes, that of two instructions: 2 on Arm and on RISC-V with compressed instructions, 4
 * on RISC-V without, 1 on x86. RAM: MPROF_COVERAGE_SIZE / ERR * BITS / 8 bytes; of 64 KB of Thumb
 * code, 4 KB with bits. Do not compile the stub with that option: it leaves itself out if it can.
 * What is reached before mprof_init() counts too, but not before start-up code has cleared
 * MPROF_SECTION; and nothing before mprof_init() if start-up code does not clear it. */
#ifndef MPROF_COVERAGE_SIZE
#define MPROF_COVERAGE_SIZE 0
#endif
#ifndef MPROF_COVERAGE_BITS
#define MPROF_COVERAGE_BITS 1
#endif
#ifndef MPROF_COVERAGE_ERR
#if defined(__x86_64__) || defined(__i386__)
#define MPROF_COVERAGE_ERR 1
#elif defined(__riscv) && !defined(__riscv_compressed)
#define MPROF_COVERAGE_ERR 4
#else
#define MPROF_COVERAGE_ERR 2
#endif
#endif

/* Entries of the filter: ranges of addresses whose events are ignored. RAM: 8 or 16 bytes each. The
 * host can write them. MPROF_IGNORE_LIST sets the first ones, {first address, address after}:
 *   #define MPROF_IGNORE_LIST {0x08001000, 0x08001400}, {0x08004000, 0x08004100}
 * Put it into MPROF_CONFIG_FILE, because shells and CMake interpret braces and commas. */
#ifndef MPROF_IGNORE_CNT
#define MPROF_IGNORE_CNT 0
#endif

/* The number that one hit adds to its row, 1 to 255. mprof divides by it. */
#ifndef MPROF_HITCNT_INC
#define MPROF_HITCNT_INC 1
#endif

/* 1: each event also subtracts 1 from the hits of one row, all rows in turn, so that old hits fade.
 * 0: hits only increase. The host can show recent hits without this: 'mprof top' has a time range,
 * and two snapshots can be subtracted. */
#ifndef MPROF_DECAY
#define MPROF_DECAY 0
#endif

/* MPROF_CUSTOM_SINK: the name of a function of the firmware that gets each sample before the blocks
 * do, in the interrupt that took it; arguments as those of mprof_sample_from_isr():
 *   void f(uintptr_t pc, uintptr_t lr, uint32_t exception); */

/* MPROF_CALL_SINK: the name of a function of the firmware that gets each call before the blocks do,
 * of which there must be one of calls; arguments as those of mprof_call():
 *   void f(uintptr_t callee, uintptr_t caller);
 * It must not have a call hook itself. Hooks save no floating point registers: if the core has
 * some, compile the function with -mgeneral-regs-only, and what it calls, and what MPROF_TASK,
 * MPROF_TIME and MPROF_CONTEXT call. */

/* In a process under Linux, the number of s_prof that its threads have: 2 to 16, or 0 for one that
 * all of them share. Each thread takes one at its first event, and keeps it; those beyond
 * MPROF_THREADS - 1 share the last one. Leave MPROF_CORES and MPROF_CORE alone then: to a reader,
 * threads are cores. s_prof is ready before main(), so that mprof_init() need not be called. */
#ifndef MPROF_THREADS
#define MPROF_THREADS 0
#endif
#if MPROF_THREADS
#ifndef __linux__
#error "MPROF_THREADS is for a process under Linux: write MPROF_CORES for the cores of firmware"
#endif
#if (MPROF_THREADS) < 2 || (MPROF_THREADS) > 16
#error "MPROF_THREADS is the number of threads with an s_prof of their own: write 2 to 16, or 0"
#endif
#define MPROF_CORES MPROF_THREADS
#define MPROF_CORE  ((unsigned)(MPROF_PROF - s_prof))
#endif

/* 1: MPROF_TIME is the same clock on all cores, so that mprof can put their traces into one order.
 * The default is 1 for the threads of a process, else 0. */
#ifndef MPROF_TIME_SHARED
#define MPROF_TIME_SHARED (MPROF_THREADS != 0)
#endif

/* Number of cores that run this firmware, 1 to 255; each has an s_prof of its own. With more than
 * one, MPROF_CORE must be an expression for the index of the core that evaluates it, from 0 on.
 * Write the digits alone: the assembler reads it too. */
#ifndef MPROF_CORES
#define MPROF_CORES 1
#endif

/* 1: the period of the stub's own timers varies at random, from 0.5 to 1.5 times its mean. 0: the
 * period is fixed, and code that runs in step with it gets too many samples or none. */
#ifndef MPROF_JITTER
#define MPROF_JITTER 1
#endif

/* 1: the smallest code, for a table of samples and nothing else. The stub ignores what the host
 * asks for (reset, switches, phases), and has no mprof_start(), _stop(), _phase() and _sleep_...().
 * Late samples are not counted, header.sample_hz is the rate that was asked for, and only rows of
 * the address's own class are replaced. A Cortex-M0 masks interrupts during each sample, up to 300
 * instructions. With SysTick, 934 bytes of code at -Os on a Cortex-M0. */
#ifndef MPROF_SMALL
#define MPROF_SMALL 0
#endif

/* Tasks and exceptions whose samples are counted apart, if there is MPROF_TASK: 0 to 255. RAM: 12
 * or 16 bytes each. The stream tells 15 tasks apart. */
#ifndef MPROF_TASK_CNT
#if defined(MPROF_TASK) && !MPROF_SMALL && (MPROF_CNT) + (MPROF_STREAM_CNT) + (MPROF_HIST_CNT) != 0
#define MPROF_TASK_CNT 16
#else
#define MPROF_TASK_CNT 0
#endif
#endif

/* A sample is counted as late if its timer had counted more than this number of ticks since the
 * sample was due, when the handler started: interrupts were masked. Ticks are cycles for SysTick,
 * units of mtime for RISC-V's machine timer. 0: lateness is not measured. */
#ifndef MPROF_LATE_TICKS
#define MPROF_LATE_TICKS (MPROF_SMALL ? 0 : 64)
#endif

/* MPROF_MTIME, MPROF_MTIMECMP: addresses of the registers mtime, and mtimecmp of hart 0 (RISC-V
 * Privileged Architecture, 3.2.1). The defaults are those of the CLINT in most parts: 0x0200bff8
 * and 0x02004000. The mtimecmp of hart n is 8 * n bytes further. */

/* TrustZone needs no option. In a handler, bits 0 and 6 of EXC_RETURN are the security states of
 * the handler and of the interrupted code (ARMv8-M Architecture Reference Manual). If they differ,
 * the stub counts the sample in header.other_side and reads no exception frame. */

/* The input section of s_prof. The default is collected by *(.bss*) of the usual linker scripts. To
 * count resets in header.boot, give it an output section that start-up code does not clear; make
 * that NOLOAD, or the image grows by the size of s_prof. mprof_init() clears all other counts, but
 * keeps a frozen trace (mprof_trace_freeze()). */
#ifndef MPROF_SECTION
#define MPROF_SECTION ".bss.mprof"
#endif

/* MPROF_TEXT: the input section of the stub's code that takes samples and counts, like ".ramfunc".
 * Define it if events come while the flash cannot be read, because it is erased or written. */

/* Checks of the values above; private. Each is true if n is wrong. */
#define MPROF_NO_POWER_(n) (((n) & ((n)-1)) != 0)
#define MPROF_NO_RING_(n)  ((n) != 0 && ((n) < 4 || (n) > 65536 || MPROF_NO_POWER_(n)))
#define MPROF_NO_TABLE_(n) ((n) != 0 && ((n) < 4 || (n) > 16384 || MPROF_NO_POWER_(n)))
#define MPROF_NO_GRAIN_(n) ((n) < 2 || (n) > 65536 || MPROF_NO_POWER_(n))

#if MPROF_NO_TABLE_(MPROF_CNT)
#error "MPROF_CNT is the number of items, a power of two up to 16384: write 64, 128, 256 or 512"
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

#if MPROF_NO_RING_(MPROF_STREAM_CNT)
#error "MPROF_STREAM_CNT is the number of records, a power of two: write 128, 256 or 512"
#endif

#if MPROF_NO_RING_(MPROF_TRACE_CNT)
#error "MPROF_TRACE_CNT is the number of records, a power of two up to 65536: write 256 or 1024"
#endif

#if (MPROF_HIST_CNT) != 0 && !defined(MPROF_HIST_BASE)
#error "a histogram starts somewhere: write MPROF_HIST_BASE 0x08000000, or where your code starts"
#endif

#if (MPROF_HIST_CNT) < 0
#error "MPROF_HIST_CNT is the number of the histogram's entries: write 1024, or 0 for none"
#endif

#if MPROF_NO_RING_(MPROF_FOCUS_CNT)
#error "MPROF_FOCUS_CNT is the number of the focus's entries, a power of two: write 128 or 256"
#endif

#if (MPROF_FOCUS_CNT) != 0 && (MPROF_CNT) == 0
#error "the focus divides the hits of the table of samples: write MPROF_CNT 256, or no focus"
#endif

#if (MPROF_FOCUS_ERR) < 1 || (MPROF_FOCUS_ERR) > 16 || MPROF_NO_POWER_(MPROF_FOCUS_ERR)
#error "MPROF_FOCUS_ERR is the bytes of code of an entry, a power of two: write 2 or 4"
#endif

#if (MPROF_COVERAGE_SIZE) < 0 || (MPROF_COVERAGE_SIZE) % 128 != 0
#error "MPROF_COVERAGE_SIZE is bytes of code, a multiple of 128: write 0x10000, or 0 for none"
#endif

#if (MPROF_COVERAGE_SIZE) != 0 && !defined(MPROF_COVERAGE_BASE)
#error "coverage starts somewhere: write MPROF_COVERAGE_BASE 0x08000000, or where your code starts"
#endif

#if (MPROF_COVERAGE_BITS) != 1 && (MPROF_COVERAGE_BITS) != 8 && (MPROF_COVERAGE_BITS) != 16 && \
    (MPROF_COVERAGE_BITS) != 32
#error "MPROF_COVERAGE_BITS is what a place takes: write 1, or 8, 16 or 32 to count how often"
#endif

#if (MPROF_COVERAGE_ERR) != 1 && (MPROF_COVERAGE_ERR) != 2 && (MPROF_COVERAGE_ERR) != 4
#error "MPROF_COVERAGE_ERR is the distance of two places of code in bytes: write 2 or 4"
#endif

#if (MPROF_IGNORE_CNT) < 0
#error "MPROF_IGNORE_CNT is the number of ranges to be ignored: write 4, or 0 for none"
#endif

#if defined(MPROF_IGNORE_LIST) && (MPROF_IGNORE_CNT) == 0
#error "MPROF_IGNORE_LIST needs room: write MPROF_IGNORE_CNT 4, or the number of its ranges"
#endif

#if defined(MPROF_CALL_SINK) && (MPROF_CALL_CNT) + (MPROF_ARC_CNT) + (MPROF_TRACE_CNT) == 0
#error "MPROF_CALL_SINK gets calls, and no block counts any: write MPROF_CALL_CNT 64 too"
#endif

#if (MPROF_TRACE_ARGS) < 0 || (MPROF_TRACE_ARGS) > 4
#error "MPROF_TRACE_ARGS is the number of arguments that a trace records: write 2, or 4 at most"
#endif

#if (MPROF_TRACE_ARGS) != 0 && (MPROF_TRACE_CNT) == 0
#error "MPROF_TRACE_ARGS is for a trace: write MPROF_TRACE_ARGS 0, or MPROF_TRACE_CNT 1024"
#endif

#if (MPROF_TRACE_RESULTS) < 0 || (MPROF_TRACE_RESULTS) > 2
#error \
    "MPROF_TRACE_RESULTS is the words of a result that a trace records: write 1, or 2 for 64 bits"
#endif

#if (MPROF_TRACE_RESULTS) != 0 && (MPROF_TRACE_RETURNS) == 0
#error "MPROF_TRACE_RESULTS is for hooked returns: write 0, or MPROF_TRACE_RETURNS 64"
#endif

#if (MPROF_TRACE_RETURNS) != 0 && (MPROF_TRACE_CNT) == 0
#error "MPROF_TRACE_RETURNS is for a trace: write MPROF_TRACE_RETURNS 0, or MPROF_TRACE_CNT 1024"
#endif

#if (MPROF_TRACE_RETURNS) != 0 && ((MPROF_TRACE_RETURNS) < 4 || (MPROF_TRACE_RETURNS) > 4096 || \
                                   MPROF_NO_POWER_(MPROF_TRACE_RETURNS))
#error "MPROF_TRACE_RETURNS is the number of returns, a power of two: write 32, 64 or 128"
#endif

#if MPROF_PG_RETURNS && (MPROF_TRACE_RETURNS) == 0
#error "MPROF_PG_RETURNS is for hooked returns: write 0, or MPROF_TRACE_RETURNS 64"
#endif

#if MPROF_PG_RETURNS && !defined(__riscv)
#error \
    "MPROF_PG_RETURNS: only on RISC-V does -pg leave the return address where its hook can find it. Compile with -fpatchable-function-entry"
#endif

#if MPROF_TRACE_COST && (MPROF_TRACE_CNT) == 0
#error "MPROF_TRACE_COST is for a trace: write MPROF_TRACE_COST 0, or MPROF_TRACE_CNT 1024"
#endif

#if MPROF_PATCHED && (MPROF_CALL_CNT) + (MPROF_ARC_CNT) + (MPROF_TRACE_CNT) == 0
#error "MPROF_PATCHED is for calls, and no block counts any: write MPROF_TRACE_CNT 1024 too"
#endif

#if MPROF_TIME_SYSTICK && ((MPROF_TRACE_CNT) == 0 || !defined(__arm__) || defined(MPROF_TIME))
#error "MPROF_TIME_SYSTICK is for a trace on a Cortex-M without MPROF_TIME: write 0"
#endif

#if (MPROF_TASK_CNT) < 0 || (MPROF_TASK_CNT) > 255
#error "MPROF_TASK_CNT is the number of tasks and exceptions that are told apart: write 16 or 32"
#endif

#if (MPROF_TASK_CNT) != 0 && \
    (!defined(MPROF_TASK) || (MPROF_CNT) + (MPROF_STREAM_CNT) + (MPROF_HIST_CNT) == 0)
#error "MPROF_TASK_CNT counts samples by MPROF_TASK: define that and MPROF_CNT, or write 0"
#endif

#if (MPROF_TRACED_CNT) < 0 || (MPROF_TRACED_CNT) > 255
#error "MPROF_TRACED_CNT is the number of ranges that the host can choose to trace: write 8 or 16"
#endif

#if (MPROF_TRACED_CNT) != 0 && (MPROF_TRACE_CNT) == 0
#error "there is no trace: write MPROF_TRACED_CNT 0, or MPROF_TRACE_CNT 1024"
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

#if MPROF_SMALL && ((MPROF_CALL_CNT) + (MPROF_ARC_CNT) + (MPROF_STREAM_CNT) + (MPROF_TRACE_CNT) + \
                        (MPROF_HIST_CNT) + (MPROF_FOCUS_CNT) + (MPROF_IGNORE_CNT) +               \
                        (MPROF_COVERAGE_SIZE) + (MPROF_TASK_CNT) !=                               \
                    0)
#error "MPROF_SMALL is for a table of samples and nothing else: write MPROF_SMALL 0"
#endif

#if (MPROF_CNT) + (MPROF_CALL_CNT) + (MPROF_ARC_CNT) + (MPROF_STREAM_CNT) + (MPROF_TRACE_CNT) + \
        (MPROF_HIST_CNT) + (MPROF_COVERAGE_SIZE) ==                                             \
    0
#error "no block is chosen: write MPROF_CNT 256 for timer samples, or MPROF_CALL_CNT 64 for calls"
#endif

#endif
