/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the bytes of s_prof (docs/layout.md). Nothing here reads beyond the lengths that it is
 * given or that decode_header() has checked. */
#ifndef PROFILE_DECODE_H
#define PROFILE_DECODE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why s_prof cannot be decoded. */
enum decode_code {
    DECODE_OK = 0,
    DECODE_ESHORT,   /* fewer bytes than the header says: read *need bytes */
    DECODE_EBLANK,   /* no magic: mprof_init() has not run, or the memory could not be read */
    DECODE_EABI,     /* another major version of the layout */
    DECODE_EDAMAGED, /* a field has an impossible value */
    DECODE_EKIND,    /* no block that counts hits */
};

/* What a hit is, as in enum mprof_unit. */
enum decode_unit {
    DECODE_UNIT_SAMPLES = 1,
    DECODE_UNIT_CALLS = 2,
};

/* Where hits come from: the blocks that mprof knows, and what it samples without them. */
enum decode_source {
    DECODE_TABLE,     /* items of samples */
    DECODE_CALLS,     /* items of calls */
    DECODE_ARCS,      /* calls by callee and caller */
    DECODE_STREAM,    /* raw samples */
    DECODE_HISTOGRAM, /* samples, a counter for each block of code */
    DECODE_FILTER,    /* addresses that are ignored */
    DECODE_FOCUS,     /* samples by instruction, in a part of the code that the host chooses */
    DECODE_TRACE,     /* entries and exits of functions */
    DECODE_TRACED,    /* which functions the trace records */
    DECODE_TASKS,     /* samples by task and exception */
    DECODE_COVERAGE,  /* places of the code that were reached */
    DECODE_COST,      /* what the hooks of a trace cost */
    DECODE_SOURCES,   /* the number of blocks */

    DECODE_PCSR = DECODE_SOURCES, /* samples that mprof takes by the core's PC sample register, */
    DECODE_HALT,                  /* or by halts */
    DECODE_ALL_SOURCES,
};

/* Returns "table", "calls", "arcs", "stream", "histogram", "filter", "focus", "trace",
 * "traced", "tasks", "coverage", "cost", "pcsr" or "halt", a constant. */
const char *decode_source_name(enum decode_source source);

/* Whether mprof takes the samples itself, so that the firmware needs no stub. */
static inline bool decode_is_taken(enum decode_source source)
{
    return source >= DECODE_PCSR;
}

/* Returns what is counted or recorded in it. */
enum decode_unit decode_source_unit(enum decode_source source);

/* Bytes to read first, which usually hold the header and the directory; largest size of s_prof in
 * bytes, and largest number of cores, that are accepted. */
#define DECODE_FIRST_READ 128
#define DECODE_MAX_SIZE   (16u << 20)
#define DECODE_MAX_CORES  16

/* Bytes of the lead of a table of rows; offset of generation in the header. */
#define DECODE_LEAD_SIZE     16
#define DECODE_GENERATION_AT 24

/* One block. Its entries and its lead are within total_size, and share no byte with another block.
 */
struct decode_block {
    size_t count;         /* entries, 0: there is no such block */
    size_t size;          /* bytes of an entry */
    size_t offset;        /* of the first entry, bytes from the start of s_prof */
    unsigned block_size;  /* bytes of code that an entry stands for, a power of two */
    unsigned increment;   /* the number that one hit adds, 1 to 255 */
    bool decays;          /* hits also go down */
    bool led;             /* it has a lead, the 16 bytes before offset */
    bool one_clock;       /* of a trace: the times of all cores are of one clock */
    bool wide;            /* of a trace: times have 48 bits */
    bool tasks;           /* records of a trace have the task */
    bool results;         /* records of exits have the result */
    unsigned sharing;     /* of a trace: threads that share it with the first one, 255: or more */
    unsigned fields;      /* of coverage: places that an entry counts, 32, 4, 2 or 1; else 0 */
    bool rows;            /* since ABI 1.2: rows, with counters of lost hits by region */
    size_t start, end;    /* bytes from the start of s_prof, with all parts of the block */
    size_t lead, rest;    /* of rows: offsets of the lead and of the counters of lost hits */
    size_t rest_count;    /* of rows: number of these counters, a power of two; else 0 */
    unsigned region_size; /* bytes of code of a region */
};

/* Whether the firmware has stopped its trace for good, as after a fault. */
struct decode_frozen {
    bool is;
    unsigned exception; /* number of the exception that it did so in, 0: none, or not known */
    unsigned boots;     /* starts of the firmware since then, DECODE_FROZEN_BOOTS: or more */
};

#define DECODE_FROZEN_BOOTS 63

/* The header and the directory, checked. Members are those of struct mprof_header in
 * mprof/layout.h; what an older ABI does not have is 0. Counters wrap modulo 2^32. */
struct decode_header {
    bool big_endian;
    unsigned abi_major, abi_minor;
    unsigned addr_size;   /* bytes of an address, 4 or 8 */
    size_t total_size;    /* bytes of s_prof */
    size_t directory_end; /* bytes of the header and the directory */
    unsigned core, cores; /* index of the core, and their number, at least 1 */
    bool locked;          /* the firmware's own tick takes the samples */
    bool jittered;        /* the timer's period varies at random */
    bool fixed;           /* samples of a timer whose period is fixed, or not known to vary */
    bool threads;         /* cores are threads of a process */
    bool unused;          /* no thread has it yet: it has no events, and serves no requests */
    bool small;           /* built with MPROF_SMALL: the stub ignores what a host asks for */
    bool sink;            /* calls can go to a function of the firmware, MPROF_CALL_SINK */
    uint32_t boot, heartbeat, generation;
    uint32_t dropped, ignored, displaced; /* of rows, dropped is the sum of all regions */
    uint32_t generation_after;            /* read after the rows; equal unless the reader sets it */
    uint32_t sample_hz, tick_hz;          /* 0: not known */
    uint32_t late, sleeping, other_side, iterations;
    uint32_t enable, nonce_echo, reset_done, phase;
    bool focused;    /* the focus counts */
    bool filtered;   /* the trace records only some functions */
    uint32_t traced; /* which: see docs/trace.md */
    struct decode_frozen frozen;

    /* The first block of each kind. */
    struct decode_block blocks[DECODE_SOURCES];

    /* The selected block: after decode_header() the first one that exists of table, calls, arcs,
     * histogram, stream, trace and coverage. heartbeat, dropped, ignored and displaced are those of
     * this block. */
    enum decode_source source;
    enum decode_unit unit;
    unsigned block_size; /* bytes of code that an item stands for */
    size_t item_count, item_size, item_offset;
    size_t items_in_use; /* all later ones are empty */
    bool spilled;        /* some hit is lost */
};

/* Bytes at the end of a file with the s_prof of a process, after those of s_prof. */
#define DECODE_TAIL_SIZE 24

/* Decodes them: the address of s_prof in the process, and where the program began. Returns false if
 * these bytes are something else. */
bool decode_tail(const uint8_t bytes[DECODE_TAIL_SIZE], uint64_t *address, uint64_t *entry);

/* Stamp of a row, since ABI 1.2, of whose address no hit is lost. It was another one before. */
#define DECODE_STAMP_COMPLETE 0x10000u

/* One row. Hits are counted in ones: decode_item() divides by what a hit adds. */
struct decode_item {
    uint64_t addr;   /* first byte of the block of code; of an arc, the callee */
    uint64_t caller; /* of an arc, the address that it returns to; else 0 */
    uint32_t hits, inherited;
    uint32_t stamp; /* changes if the row gets another address; never 0 */
    bool complete;  /* no hit of the address is lost */
};

/* Whether a row is valid, for a header that was read before the row (docs/layout.md). */
enum decode_row {
    DECODE_ROW_FRESH, /* valid */
    DECODE_ROW_EMPTY, /* never written, or being written */
    DECODE_ROW_TORN,  /* got its address after the header was read */
};

/*
 * Decodes the header and the directory from the first len bytes of s_prof. Always sets *need to the
 * number of bytes of s_prof, or to 0 if that is not known. On failure *header is unchanged, and one
 * line that says which field is wrong is written to text, which has room for capacity bytes.
 */
enum decode_code decode_header(const uint8_t *bytes, size_t len, struct decode_header *header,
                               size_t *need, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Functions below take the bytes of s_prof, total_size of them, that *header was decoded from. */

/* Selects another block, and takes its counters from its lead. Returns false if there is no such
 * block; *header is unchanged then. */
bool decode_select(const uint8_t *bytes, struct decode_header *header, enum decode_source source);

/* Decodes row index, below item_count, of the selected block, which must not be a stream, a trace
 * or a filter. *item is valid only with DECODE_ROW_FRESH. */
enum decode_row decode_item(const uint8_t *bytes, const struct decode_header *header, size_t index,
                            struct decode_item *item);

/* Decodes the lead of the selected block again, and so the number of rows in use. bytes holds the
 * header and the lead; nothing else is read. */
void decode_lead(const uint8_t *bytes, struct decode_header *header);

/* Returns the generation in the header's bytes. */
uint32_t decode_generation(const uint8_t *bytes, const struct decode_header *header);

/* Returns true if a row may have changed its address since the header was read. Then the reader
 * must set generation_after. */
bool decode_is_changing(const uint8_t *bytes, const struct decode_header *header);

/* Returns counter index, below rest_count, of the selected block's lost hits. */
uint32_t decode_rest(const uint8_t *bytes, const struct decode_header *header, size_t index);

/* Decodes entry index of the filter, below its count. Returns false if the entry is not used. */
bool decode_range(const uint8_t *bytes, const struct decode_header *header, size_t index,
                  uint64_t *start, uint64_t *end);

/* Decodes range index, from 0 on, of the functions that the trace records. Returns false behind the
 * last one, and if it records all. */
bool decode_traced(const uint8_t *bytes, const struct decode_header *header, size_t index,
                   uint64_t *start, uint64_t *end);

/* What the lead of a focus says. */
struct decode_focus {
    uint64_t base;   /* first address that is counted */
    uint32_t events; /* events of all blocks since the entries were cleared */
    uint32_t done;   /* the last request that was carried out */
};

/* Decodes the lead of the focus; there must be one. */
struct decode_focus decode_focus(const uint8_t *bytes, const struct decode_header *header);

/* Returns the hits of the entry of an address that the focus counts. */
uint32_t decode_focus_hits(const uint8_t *bytes, const struct decode_header *header, uint64_t addr);

/* Index of no row of the tasks. */
#define DECODE_NO_TASK UINT_MAX

/* What a coverage says of itself. Place n is the code from base + n * block_size on. */
struct decode_coverage {
    uint64_t base;    /* first address that is covered */
    size_t places;    /* that are counted */
    uint32_t outside; /* calls of the hook from elsewhere; wraps */
    uint64_t full;    /* largest count of a place; 1: it was reached at least once */
};

/* Decodes it; there must be one. */
struct decode_coverage decode_coverage(const uint8_t *bytes, const struct decode_header *header);

/* Returns the count of a place, which must be below places. */
uint64_t decode_coverage_count(const uint8_t *bytes, const struct decode_header *header,
                               size_t place);

/* One record of a stream. */
struct decode_sample {
    uint64_t pc, lr;    /* the interrupted instruction, and its link register */
    uint32_t time;      /* as in struct mprof_record32 */
    unsigned exception; /* number of the interrupted exception, 0: none */
    bool in_task;       /* the sample interrupted a task, of which something is known: */
    unsigned task_row;  /* index of the task's row, DECODE_NO_TASK: it has none */
    bool late;          /* masked interrupts delayed the sample */
};

/* The samples of a task or an exception. */
struct decode_task {
    unsigned exception; /* number of the exception, 0: it is a task */
    uint64_t task;      /* MPROF_TASK */
    uint32_t hits;      /* wraps */
};

/* Decodes row index of DECODE_TASKS, below its count. Returns false if it is not in use. */
bool decode_task(const uint8_t *bytes, const struct decode_header *header, size_t index,
                 struct decode_task *task);

/* Returns the samples that found no row there. */
uint32_t decode_tasks_lost(const uint8_t *bytes, const struct decode_header *header);

/* Whether a record can be read. */
enum decode_record {
    DECODE_RECORD_WHOLE,  /* it is complete */
    DECODE_RECORD_COMING, /* it is being written: read it again later */
    DECODE_RECORD_LOST,   /* a later record has replaced it */
};

/* A place in a stream is the value of head before a record is begun; it names that record. The
 * stream must be the selected block. */

/* Returns the place of the record that is begun next. */
uint32_t decode_stream_head(const uint8_t *bytes, const struct decode_header *header);

/* Returns the place that is this number of records later. */
uint32_t decode_stream_next(uint32_t place, uint32_t records);

/* Returns the number of records from an earlier place to a later one, at most 2^21 - 1. */
uint32_t decode_stream_distance(uint32_t later, uint32_t earlier);

/* Returns the index of a record in the ring. */
size_t decode_stream_index(uint32_t place, const struct decode_header *header);

/* Decodes the record of a place; bytes must have been read after head. *sample is set only with
 * DECODE_RECORD_WHOLE. */
enum decode_record decode_stream_record(const uint8_t *bytes, const struct decode_header *header,
                                        uint32_t place, struct decode_sample *sample);

/* What the lead of a trace says. Records are numbered from 1 on, modulo 2^32. */
struct decode_trace {
    uint32_t head;    /* number of the last record that was begun */
    uint32_t first;   /* number of the last record before the trace was cleared; 0: none */
    uint32_t lost;    /* events that found it full, since then */
    uint32_t hz;      /* units of time a second, 0: not known */
    bool timed;       /* the records have times */
    bool tasks;       /* and tasks */
    bool results;     /* and those of exits the results of functions */
    bool filtered;    /* it records only some functions */
    uint32_t traced;  /* changes with them */
    bool one_clock;   /* which can be compared with those of other cores */
    bool threads;     /* cores are threads of a process */
    unsigned sharing; /* threads that share it with the first one, 255: or more */
    bool foreign;     /* it is not the stub's: contexts are not known */
    bool uncounted;   /* not all events that are overwritten are counted */
    uint32_t boot;    /* of the run that it is of: of an earlier one if it is frozen */
    struct decode_frozen frozen;

    uint32_t inside; /* what a call's hooks take between its entry and its exit, in 1/256 ticks */
    uint32_t call;   /* and of the time of its caller, in 1/256 ticks; 0: not known */
    uint32_t instruction; /* what an instruction takes, in 1/256 ticks; 0: not known */
    uint32_t unhooked;    /* calls without an exit, as too many others had not returned */
    uint32_t jump_from;   /* inside, of a call that ends by a jump to another function */
    uint32_t jump_to;     /* inside, of one that such a jump has begun */
    uint32_t jump;        /* call, of that one; 0: the three are not known */
};

/* Largest number of arguments of a record. */
#define DECODE_ARGUMENTS 4

/* One record of a trace. */
struct decode_event {
    uint64_t callee; /* an address in the function, near its entry; of a mark, its id */
    uint64_t caller; /* the address that it returns to, 0: not known; of a mark, its value */
    uint64_t time;   /* wraps after 2^32, if it is wide after 2^48 */
    bool wide;
    unsigned exception; /* number of the exception it came in, 0: none, or not known */
    bool exit;          /* the function returns; else it was entered */
    bool jump;          /* an exit by a jump to the function that is entered next */
    bool mark;          /* the firmware's own event */
    enum decode_sleep {
        DECODE_NO_SLEEP,
        DECODE_ASLEEP, /* a mark: the core is about to sleep */
        DECODE_AWAKE,  /* a mark: it has woken up */
    } sleep;           /* callee is then the rate of a clock, caller its time; 0: there is none */
    unsigned argument_count; /* of the function, as it was entered; of an exit words of its result;
                                0: not known */
    uint64_t arguments[DECODE_ARGUMENTS];
    uint64_t task; /* that ran, if decode_trace.tasks */
};

/* Decodes the lead of the trace, which must be the selected block. */
struct decode_trace decode_trace(const uint8_t *bytes, const struct decode_header *header);

/* Returns the index of a record in the ring. */
size_t decode_trace_index(uint32_t number, const struct decode_header *header);

/* Decodes the record of a number; bytes must have been read after head. *event is set only with
 * DECODE_RECORD_WHOLE. */
enum decode_record decode_trace_event(const uint8_t *bytes, const struct decode_header *header,
                                      uint32_t number, struct decode_event *event);

/* The time of a core's events, or of several cores with one clock, which does not wrap. Zeroed
 * memory is a clock that shows 0 at the next event. */
struct decode_clock {
    bool begun;
    uint64_t last; /* time of the event before */
    int64_t ticks; /* since the first event */
};

/* Returns the ticks at an event. It comes less than half a wrap after the event before; or before
 * it, if an interrupt came while it was recorded. */
int64_t decode_clock_ticks(struct decode_clock *clock, const struct decode_event *event);

#endif
