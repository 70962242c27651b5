/* SPDX-License-Identifier: 0BSD */
/* The stub's functions, called by the firmware. */
#ifndef MPROF_MPROF_H
#define MPROF_MPROF_H

#include <stddef.h>
#include <stdint.h>

#include <mprof/config.h>
#include <mprof/layout.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The rows of the blocks, at the size of this core's addresses. */
#if UINTPTR_MAX > 0xffffffffU
typedef struct mprof_row64 mprof_row_t;
typedef struct mprof_arc_row64 mprof_arc_row_t;
typedef struct mprof_record64 mprof_record_t;
typedef struct mprof_range64 mprof_range_t;
typedef struct mprof_task64 mprof_task_t;
#else
typedef struct mprof_row32 mprof_row_t;
typedef struct mprof_arc_row32 mprof_arc_row_t;
typedef struct mprof_record32 mprof_record_t;
typedef struct mprof_range32 mprof_range_t;
typedef struct mprof_task32 mprof_task_t;
#endif

#if MPROF_TRACE_CNT
/* struct mprof_event32 or 64, and what the options add to it. */
typedef struct {
#if UINTPTR_MAX <= 0xffffffffU
    uint32_t time;
#endif
    uintptr_t callee;
    uintptr_t caller;
#ifdef MPROF_TASK
    uintptr_t task;
#endif
#if MPROF_TRACE_WORDS
    uintptr_t words[MPROF_TRACE_WORDS]; /* arguments, or the result */
#endif
#if UINTPTR_MAX > 0xffffffffU
    uint32_t time;
#endif
    uint32_t tag;
} mprof_event_t;
#endif

/* Number of blocks that the options of config.h choose. */
#define MPROF_HAS_(n) ((n) != 0)
#define MPROF_BLOCKS                                                                              \
    (MPROF_HAS_(MPROF_CNT) + MPROF_HAS_(MPROF_CALL_CNT) + MPROF_HAS_(MPROF_ARC_CNT) +             \
     MPROF_HAS_(MPROF_STREAM_CNT) + MPROF_HAS_(MPROF_TRACE_CNT) + MPROF_HAS_(MPROF_HIST_CNT) +    \
     MPROF_HAS_(MPROF_TASK_CNT) + MPROF_HAS_(MPROF_FOCUS_CNT) + MPROF_HAS_(MPROF_COVERAGE_SIZE) + \
     MPROF_HAS_(MPROF_IGNORE_CNT) + MPROF_HAS_(MPROF_TRACED_CNT) + MPROF_HAS_(MPROF_COSTS))

/* Places that a word of the coverage counts; words that it has. */
#define MPROF_COVERAGE_FIELDS (32U / (MPROF_COVERAGE_BITS))
#define MPROF_COVERAGE_WORDS  ((MPROF_COVERAGE_SIZE) / (MPROF_COVERAGE_ERR) / MPROF_COVERAGE_FIELDS)

/* Whether the trace has what its hooks cost, or calls whose return could not be hooked. */
#define MPROF_COSTS ((MPROF_TRACE_COST) != 0 || (MPROF_TRACE_RETURNS) != 0)

/* Two lists, each with its end. */
#define MPROF_TRACED_ENTRIES (2 * ((MPROF_TRACED_CNT) + 1))

/* Whether calls and arcs have counters of their own. The first table, of items, calls and arcs,
 * uses the header's. */
#define MPROF_CALLS_LED ((MPROF_CNT) != 0 && (MPROF_CALL_CNT) != 0)
#define MPROF_ARCS_LED  (((MPROF_CNT) != 0 || (MPROF_CALL_CNT) != 0) && (MPROF_ARC_CNT) != 0)

/* What a table of rows is made of; see layout.h. */
#define MPROF_TABLE_(name, type, count)                             \
    __attribute__((aligned(8))) struct mprof_rows_lead name##_lead; \
    type name[(count) + 1];                                         \
    uint32_t name##_rest[(count) / 2];                              \
    uint16_t name##_heads[count];

/* Threads have no cache line in common, and a file can be mapped over s_prof. */
#if MPROF_THREADS
#define MPROF_ALIGNED 4096
#else
#define MPROF_ALIGNED 32
#endif

/*
 * The type of s_prof. The stub owns the object, in the section MPROF_SECTION, and mprof reads it by
 * the directory in blocks. The firmware writes only header.sample_hz, if it has a timer of its own.
 * In gdb, `p/a s_prof.items` shows the rows with the names of their functions; an empty row has
 * addr 1.
 */
struct mprof_prof {
    struct mprof_header header;
    struct mprof_block blocks[MPROF_BLOCKS]; /* the directory */
#if MPROF_CNT
    MPROF_TABLE_(items, mprof_row_t, MPROF_CNT) /* samples by block of code */
#endif
#if MPROF_CALL_CNT
    MPROF_TABLE_(calls, mprof_row_t, MPROF_CALL_CNT) /* calls by function */
#endif
#if MPROF_ARC_CNT
    MPROF_TABLE_(arcs, mprof_arc_row_t, MPROF_ARC_CNT) /* calls by function and caller */
#endif
#if MPROF_STREAM_CNT
    __attribute__((aligned(8))) struct mprof_stream_lead stream_lead;
    mprof_record_t stream[MPROF_STREAM_CNT]; /* raw samples, a ring */
#endif
#if MPROF_COSTS
    /* Of the trace's hooks. A reader gets it together with the lead. */
    __attribute__((aligned(8))) struct mprof_trace_cost trace_cost;
#endif
#if MPROF_TRACE_CNT
    __attribute__((aligned(8))) struct mprof_trace_lead trace_lead;
    mprof_event_t trace[MPROF_TRACE_CNT]; /* entries and exits of functions, a ring */
#endif
#if MPROF_HIST_CNT
    __attribute__((aligned(8))) struct mprof_histogram_lead histogram_lead;
    uint32_t histogram[MPROF_HIST_CNT]; /* samples by address, from MPROF_HIST_BASE on */
#endif
#if MPROF_TASK_CNT
    __attribute__((aligned(8))) struct mprof_tasks_lead tasks_lead;
    mprof_task_t tasks[MPROF_TASK_CNT]; /* samples by task and exception */
#endif
#if MPROF_FOCUS_CNT
    __attribute__((aligned(8))) struct mprof_focus_lead focus_lead;
    uint32_t focus[MPROF_FOCUS_CNT]; /* samples by instruction, where the host asks for them */
#endif
#if MPROF_COVERAGE_SIZE
    __attribute__((aligned(8))) struct mprof_coverage_lead coverage_lead;
    uint32_t coverage[MPROF_COVERAGE_WORDS]; /* places that were reached */
#endif
#if MPROF_IGNORE_CNT
    /* Addresses whose events are not counted. Cache lines of its own: the host may write it. */
    __attribute__((aligned(32))) mprof_range_t ignore[MPROF_IGNORE_CNT];
#endif
#if MPROF_TRACED_CNT
    /* Functions that the trace records, if not all. The host writes it as well. */
    __attribute__((aligned(32))) mprof_range_t traced[MPROF_TRACED_ENTRIES];
#endif
} __attribute__((aligned(MPROF_ALIGNED)));

/* The object, and a pointer to it. With several cores, one object for each, by the core's index;
 * MPROF_PROF points to that of the core that evaluates it. */
#if MPROF_THREADS
extern struct mprof_prof s_prof[MPROF_THREADS];
#define MPROF_PROF (mprof_thread_object ? mprof_thread_object : mprof_thread_take())
/* The calling thread's, NULL before its first event; and what it takes then. Private. */
extern __thread struct mprof_prof *mprof_thread_object __attribute__((tls_model("initial-exec")));
struct mprof_prof *mprof_thread_take(void);
#elif MPROF_CORES > 1
extern struct mprof_prof s_prof[MPROF_CORES];
#define MPROF_PROF (&s_prof[MPROF_CORE])
#else
extern struct mprof_prof s_prof;
#define MPROF_PROF (&s_prof)
#endif

/*
 * No function of the stub allocates, blocks or fails: an event that has no row is counted as lost,
 * by region of code. Call mprof_init() before any other. Only call hooks may run earlier: their
 * events are not counted.
 */

/*
 * Clears s_prof and starts counting. Call it early in main(), on each core that runs this firmware,
 * and not from an interrupt that may have interrupted an event. If it is called again, all counts
 * restart at 0, boot increases by one, and the timer must be started again. If s_prof is in RAM
 * that start-up code does not clear, boot counts resets as well. Takes about 7 instructions an
 * item.
 */
void mprof_init(void);

/*
 * Counts one sample at the address pc; it does not matter whether bit 0 of a Thumb address is set.
 * May be called from threads and from interrupts of any priority, nested.
 */
void mprof_sample(uintptr_t pc);

/* The same, with what a stream also keeps. lr is the link register of the interrupted code, 0 if
 * not known. exception is the number of the interrupted exception, 0 to 511, 0 if none, plus
 * MPROF_STREAM_LATE if masked interrupts delayed the sample. */
void mprof_sample_from_isr(uintptr_t pc, uintptr_t lr, uint32_t exception);

/* Counts one call; the compiler's hooks call this. callee is an address in the called function,
 * near its entry. caller is the address that it returns to, 0 if not known. May be called as
 * mprof_sample(). */
void mprof_call(uintptr_t callee, uintptr_t caller);

#if MPROF_TRACE_CNT
/* Traces the end of a call that mprof_call() has counted, with the same arguments; no table counts
 * it. The hook of -finstrument-functions calls this. */
void mprof_exit(uintptr_t callee, uintptr_t caller);
#endif

#if MPROF_TRACE_CNT
/* Records an event of the firmware's own in the trace: any two numbers, the first of which tells
 * what the second is. May be called as mprof_sample(). With the hooks switched off it records
 * nothing; filters do not matter to it. */
void mprof_mark(uint32_t id, uintptr_t value);

/* Mark in the trace that the core sleeps: call them directly before and after WFI or what stops the
 * core's clock, like FreeRTOS' configPRE_SLEEP_PROCESSING() and configPOST_SLEEP_PROCESSING(). The
 * cycle counter may stand still meanwhile: mprof prints the gap, with its duration if there is
 * MPROF_SLEEP_TIME. Events of the interrupt that wakes the core may come between the two. They take
 * a record each; switches and filters are as for mprof_mark(). */
void mprof_trace_sleep(void);
void mprof_trace_wake(void);

/* Switch the trace on and off; tables count on. mprof_init() switches it on. Of the calling core,
 * or of all threads of a process. */
void mprof_trace_enable(void);
void mprof_trace_disable(void);

/*
 * Stops the trace, so that its last records stay: call it first in a fault handler. If s_prof is in
 * RAM that start-up code does not clear (MPROF_SECTION), the trace survives resets too:
 * mprof_init() keeps a frozen trace, until mprof_trace_thaw() or 'mprof control reset' begins a new
 * one. It may be called before mprof_init(), after a reset that no handler has seen coming, as that
 * of a watchdog. The first call counts. Of the calling core, or of all threads of a process. Tables
 * count on.
 */
void mprof_trace_freeze(void);
void mprof_trace_thaw(void);

/*
 * Sends the records that came since the last call through put(), each byte by a call: for a target
 * that has a serial line, RTT or a file and no debugger. 'mprof trace --records FILE|/dev/ttyX'
 * reads what arrives. Call it from the main loop or an idle task, again and again, always from one
 * place. Hooks do not wait for it: what the ring overwrites before it is sent, the host counts as
 * lost. Sends at most that many records, of all cores, and returns their number; 0: there are no
 * new ones. put() must not have a call hook itself, or the trace records its own sending. Uses no
 * RAM and no code unless it is called. MPROF_TRACE_CODE: see config.h.
 */
#if !MPROF_THREADS
unsigned mprof_trace_send(void (*put)(char c), unsigned most);
#endif

/*
 * A process under Linux. Prints the last max events of all threads to standard error, oldest first:
 * time since the first of them in microseconds (in units of the clock if its rate is not known),
 * caller, -> or <-, function, and the thread's number. Addresses are those of the ELF file, as
 * addr2line takes them. Allocates nothing and takes no lock, so it may be called from a signal
 * handler. Events that come meanwhile may replace what is to be printed.
 */
#if defined(__linux__)
void mprof_trace_dump(unsigned max);
#endif
#endif

#if MPROF_THREADS
/*
 * Keeps s_prof in a file from now on, whatever ends the process: 'mprof trace --raw FILE --elf
 * PROGRAM' reads it, while the process runs and after it. All counts restart at 0. Call it before
 * the process has a second thread. A process that fork() makes has a file of its own, FILE.PID.
 *
 * If the environment has MPROF_FILE, the stub calls this before main(); a program that the process
 * starts by execve() then uses FILE.PID. An existing file is replaced. Returns 0, or -1 with errno,
 * and s_prof is in memory as before.
 */
int mprof_file(const char *path);
#endif

/* Counts one turn of the firmware's main loop, or whatever its work consists of. Call it once each
 * time: 'mprof diff' then compares time per iteration, so that more work is not taken for slower
 * code. May be called as mprof_sample(). A few instructions, and no code unless it is called. */
void mprof_iteration(void);

#if !MPROF_SMALL

/* Switch counting off and on, to profile one part of a program. Events between mprof_stop() and
 * mprof_start() are not counted anywhere. mprof_init() switches counting on. */
void mprof_start(void);
void mprof_stop(void);

/* Sets the phase of the program, any number that the firmware chooses; 0 after mprof_init(). The
 * host may choose one phase to count: events in other phases are counted in header.ignored. */
void mprof_phase(uint32_t phase);

/* Count the events between them in header.sleeping. Call them before and after the core sleeps.
 * missed is the number of samples that would have come while the timer was stopped (tickless idle),
 * 0 if it was not. */
void mprof_sleep_enter(void);
void mprof_sleep_exit(uint32_t missed);

#endif

/* Spends 50, 30 and 20 % of its time in mprof_selfcheck_a(), _b() and _c(), to test a profile on a
 * board. Executes about 4000 instructions in each turn. */
void mprof_selfcheck(uint32_t turns);

/* Tests on the core whether a port keeps the rules of src/port.h. Call it with interrupts enabled.
 * Returns NULL if all of them hold, else a constant text that names the first rule broken. */
const char *mprof_port_check(void);

/* Prints the table of samples, or without one that of calls: address, hits and share of each row,
 * most hits first. put is called for each character; a line ends with "\r\n". For a target that has
 * a console and no debugger. Slow: its time grows with the square of the number of items. */
void mprof_print(void (*put)(char c));

/* Timers that take samples. Call one of them after mprof_init(). sample_hz is the wanted mean rate,
 * samples a second; the rate that the timer can do is written to header.sample_hz. Choose a rate
 * that shares no factor with the firmware's own timers. For a spare timer of the firmware, see
 * mprof/isr.h. */

/*
 * Starts SysTick (Cortex-M), for firmware without an operating system. cpu_hz is the processor's
 * clock. The exception gets the highest configurable priority, so that interrupts are sampled too.
 * The mean period is 256 to 2^24 cycles, with jitter to 2/3 of that; a rate outside of this range
 * becomes the nearest one inside. Calling this function links SysTick_Handler, which replaces a
 * weak handler of start-up code.
 */
#if !defined(__arm__)
__attribute__((error("no SysTick here: call mprof_mtimer_start() on RISC-V, mprof_timer_start() in "
                     "a process")))
#endif
void mprof_systick_start(uint32_t cpu_hz, uint32_t sample_hz);

#if defined(__arm__)
/* The entry for the vector table; do not call it. */
void SysTick_Handler(void);
#endif

#if MPROF_TIME_SYSTICK
/*
 * With MPROF_TIME_SYSTICK, tells the trace's time that SysTick was reloaded. If SysTick is the
 * firmware's, its handler calls this first, and must have no call hook: use
 * __attribute__((no_instrument_function)). mprof_systick_start() and MPROF_TICK_ISR need no call.
 * SysTick must count the core's clock, or an eighth of it. The handler may write SYST_RVR in each
 * period; no code may write SYST_CVR, pend the exception, or write SYST_RVR while it is pending.
 */
void mprof_systick_reloaded(void);
#endif

/*
 * Starts the machine timer (RISC-V, in machine mode). mtime_hz is the rate of mtime. The mean
 * period is 64 to 2^30 units of mtime, with jitter to 11 million. Calling this function links
 * mprof_mtimer_entry, the entry of the machine timer's interrupt: write it to mtvec, or jump to it
 * from a handler that has read mcause, with all registers as they were interrupted. This function
 * sets mie.MTIE of the calling hart; the caller sets mstatus.MIE.
 */
#if !defined(__riscv)
__attribute__((error("no machine timer here: call mprof_systick_start() on Cortex-M, "
                     "mprof_timer_start() in a process")))
#endif
void mprof_mtimer_start(uint32_t mtime_hz, uint32_t sample_hz);

#if defined(__riscv)
/* The entry of the interrupt, aligned to 4 bytes; do not call it. */
void mprof_mtimer_entry(void);
#endif

/* Starts a timer of the process (Linux), which sends SIGPROF; its handler takes the sample. The
 * period is 0.1 ms to 1 s of the wall clock, not of CPU time. If the system refuses the timer, no
 * samples come. */
#if !defined(__linux__)
__attribute__((error("no process here: call mprof_systick_start() on Cortex-M, "
                     "mprof_mtimer_start() on RISC-V")))
#endif
void mprof_timer_start(uint32_t sample_hz);

/*
 * The jitter of a spare timer, whose interrupt MPROF_TIMER_ISR (mprof/isr.h) handles.
 *
 * mprof_spare_timer() writes the rates to the header and returns the mean period in ticks, 4 to 11
 * million. tick_hz is the rate at which the timer counts, after its prescaler. The timer must be
 * able to count one and a half mean periods: 1 MHz and 997 samples a second fit into 16 bits.
 *
 * mprof_next_period() returns a period at random, from half of the mean to one and a half. The
 * handler calls it once for each interrupt and writes it to the timer. A timer that repeats the
 * same period may be in step with the firmware; then shares are wrong by any amount, and mprof
 * prints no intervals.
 */
uint32_t mprof_spare_timer(uint32_t tick_hz, uint32_t sample_hz);
uint32_t mprof_next_period(void);

/* Tells the host that the tick of an operating system or a HAL takes the samples, tick_hz a second;
 * see MPROF_TICK_ISR in mprof/isr.h. Such a tick has a low priority and is in step with the
 * firmware, so shares are biased: mprof warns, and prints no intervals. */
void mprof_tick_locked(uint32_t tick_hz);

#ifdef __cplusplus
}
#endif

#endif
