/* SPDX-License-Identifier: 0BSD */
/* Prints the last events of a process: of all threads, in the order of their times. */
#ifdef __linux__
#define _GNU_SOURCE

#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "gate.h"
#include "trace.h"

#if MPROF_TRACE_CNT

#if MPROF_CORES > 1
#define OBJECT(i) (&s_prof[i])
#else
#define OBJECT(i) ((void)(i), &s_prof)
#endif

#define LINE_SIZE 128
#define NS_PER_S  1000000000U
#if MPROF_TRACE_WIDE
#define TIME_BITS 48
#else
#define TIME_BITS 32
#endif

/* The records of one object from next to before end. */
struct span {
    uint32_t first, next, end;
};

struct event {
    uint64_t time;
    uintptr_t callee, caller;
    uint32_t tag;
};

/* The times of a wide trace are modulo 2^48. */
MPROF_UNHOOKED static int64_t distance(uint64_t later, uint64_t earlier)
{
    return (int64_t)((later - earlier) << (64 - TIME_BITS)) >> (64 - TIME_BITS);
}

/* Returns 0 if the record is not complete, or became another one. */
MPROF_UNHOOKED static int read_event(unsigned object, uint32_t number, struct event *event)
{
    volatile mprof_event_t *record = &OBJECT(object)->trace[number % MPROF_TRACE_CNT];
    uint32_t tag = record->tag;

    *event =
        (struct event){record->time, (uintptr_t)record->callee, (uintptr_t)record->caller, tag};
#if MPROF_TRACE_WIDE
    event->time |= event->callee >> MPROF_TRACE_WIDE_SHIFT << 32;
    event->callee &= ((uint64_t)1 << MPROF_TRACE_WIDE_SHIFT) - 1;
#endif
    mprof_port_barrier();
    return (tag & MPROF_TRACE_VALID) &&
           tag >> MPROF_TRACE_SHIFT ==
               (uint32_t)(number << MPROF_TRACE_SHIFT) >> MPROF_TRACE_SHIFT &&
           record->tag == tag;
}

MPROF_UNHOOKED static struct span all_of(unsigned object)
{
    volatile struct mprof_trace_lead *lead = &OBJECT(object)->trace_lead;
    uint32_t head = lead->head;
    uint32_t first = lead->first;

    if (head - first > MPROF_TRACE_CNT)
        first = head - MPROF_TRACE_CNT;
    return (struct span){first + 1, head + 1, head + 1};
}

/* Takes the latest event of those before all spans into its span. Returns 0 if there is none. */
MPROF_UNHOOKED static int take_latest(struct span spans[MPROF_CORES])
{
    struct span *latest = NULL;
    struct event best = {0, 0, 0, 0};

    for (unsigned i = 0; i < MPROF_CORES; i++) {
        struct event event;

        while (spans[i].next != spans[i].first && !read_event(i, spans[i].next - 1, &event))
            spans[i].next--;
        if (spans[i].next == spans[i].first || (latest && distance(event.time, best.time) <= 0))
            continue;
        latest = &spans[i];
        best = event;
    }
    if (latest)
        latest->next--;
    return latest != NULL;
}

/* Sets *event to the earliest event of all spans, and returns whose it is, MPROF_CORES: nobody's.
 */
MPROF_UNHOOKED static unsigned take_earliest(struct span spans[MPROF_CORES], struct event *best)
{
    unsigned earliest = MPROF_CORES;

    for (unsigned i = 0; i < MPROF_CORES; i++) {
        struct event event;

        while (spans[i].next != spans[i].end && !read_event(i, spans[i].next, &event))
            spans[i].next++;
        if (spans[i].next == spans[i].end ||
            (earliest != MPROF_CORES && distance(event.time, best->time) >= 0))
            continue;
        earliest = i;
        *best = event;
    }
    if (earliest != MPROF_CORES)
        spans[earliest].next++;
    return earliest;
}

/* Where the program was loaded, less where it was linked to. */
MPROF_UNHOOKED static uintptr_t load_bias(void)
{
    const ElfW(Phdr) *header = (const ElfW(Phdr) *)getauxval(AT_PHDR);

    for (unsigned long i = getauxval(AT_PHNUM); header && i > 0; i--, header++) {
        if (header->p_type == PT_PHDR)
            return getauxval(AT_PHDR) - header->p_vaddr;
    }
    return 0;
}

MPROF_UNHOOKED static char *put_text(char *to, const char *text)
{
    while (*text)
        *to++ = *text++;
    return to;
}

/* With at least that number of digits. */
MPROF_UNHOOKED static char *put_number(char *to, uint64_t number, unsigned base, unsigned least)
{
    char digits[24];
    unsigned count = 0;

    do
        digits[count++] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0 || count < least);
    while (count > 0)
        *to++ = digits[--count];
    return to;
}

MPROF_UNHOOKED static char *put_time(char *to, int64_t ticks, uint32_t hz)
{
    uint64_t left = ticks < 0 ? 0 : (uint64_t)ticks;

    if (hz == 0 || hz == MPROF_TRACE_NO_TIME)
        return put_number(to, left, 10, 1);
    uint64_t ns = left / hz * NS_PER_S + left % hz * NS_PER_S / hz;

    to = put_text(put_number(to, ns / 1000, 10, 1), ".");
    return put_number(to, ns % 1000, 10, 3);
}

/* An exit by a jump to another function. */
MPROF_UNHOOKED static int is_jump(const struct event *e)
{
    unsigned what = e->callee & MPROF_SLEEP_WHAT;

    return (e->tag & MPROF_TRACE_SLEEP) == MPROF_TRACE_SLEEP &&
           (what == MPROF_TRACE_JUMP || what == MPROF_TRACE_JUMP_2);
}

MPROF_UNHOOKED static uintptr_t callee_of(const struct event *e)
{
    if (is_jump(e))
        return e->callee & MPROF_SLEEP_WHAT ? e->callee - MPROF_TRACE_JUMP : e->callee + 2;
    return e->callee & ~(uintptr_t)MPROF_TRACE_EXIT;
}

MPROF_UNHOOKED static void print_event(const struct event *e, int64_t ticks, unsigned object,
                                       uintptr_t bias)
{
    char line[LINE_SIZE];
    char *to = put_time(line, ticks, OBJECT(object)->trace_lead.time_hz);
    int jump = is_jump(e);

    if ((e->tag & MPROF_TRACE_MARK) && !jump) {
        to = put_number(put_text(to, "  mark "), e->callee, 10, 1);
        to = put_number(put_text(to, ": "), e->caller, 10, 1);
    } else {
        to = put_number(put_text(to, "  0x"), e->caller - bias, 16, 1);
        to = put_text(to, jump || (e->callee & MPROF_TRACE_EXIT) ? " <- 0x" : " -> 0x");
        to = put_number(to, callee_of(e) - bias, 16, 1);
    }
    if (MPROF_CORES > 1)
        to = put_text(put_number(put_text(to, "  (thread "), object, 10, 1), ")");
    to = put_text(to, "\n");
    if (write(STDERR_FILENO, line, (size_t)(to - line)) < 0)
        return;
}

MPROF_UNHOOKED void mprof_trace_dump(unsigned max)
{
    struct span spans[MPROF_CORES];
    struct event event = {0, 0, 0, 0};
    uint64_t begin = 0;
    uintptr_t bias = load_bias();
    unsigned object;

    for (unsigned i = 0; i < MPROF_CORES; i++)
        spans[i] = all_of(i);
    while (max > 0 && take_latest(spans))
        max--;
    for (int first = 1; (object = take_earliest(spans, &event)) != MPROF_CORES; first = 0) {
        if (first)
            begin = event.time;
        print_event(&event, distance(event.time, begin), object, bias);
    }
}

#endif
#endif
