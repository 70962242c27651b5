/* SPDX-License-Identifier: 0BSD */
/* Sends the records of the trace through a function of the firmware: mprof_trace_send(). */
#include <mprof/mprof.h>

#include "gate.h"
#include "trace.h"

#if MPROF_TRACE_CNT && !MPROF_THREADS

/* A frame has as many records as fit into this many bytes, which are on the stack. */
#define FRAME_BYTES   64
#define FRAME_RECORDS (FRAME_BYTES / sizeof(mprof_event_t) + (sizeof(mprof_event_t) > FRAME_BYTES))

#define CODE_BYTES (MPROF_TRACE_CODE ? 32U : 0U)
#define HEAD_BYTES offsetof(struct mprof_prof, blocks[MPROF_BLOCKS])
#define COST_BYTES (MPROF_COSTS ? sizeof(struct mprof_trace_cost) : 0U)

MPROF_STATIC_ASSERT(sizeof(struct mprof_frame_header) + CODE_BYTES + HEAD_BYTES + COST_BYTES +
                            sizeof(struct mprof_trace_lead) <=
                        255 * 4,
                    "the header is one frame");

/* How far the trace of a core was sent, and what the last header said. */
static struct sent {
    uint32_t boot, first, lost, frozen;
    uint32_t next;   /* number of the next record */
    uint32_t waited; /* of one that was not complete the last time */
    uint32_t left;   /* records until a header is sent, 0: it is next */
    uintptr_t code;  /* an address in a function that was recorded, 0: none yet */
} s_sent[MPROF_CORES];

struct output {
    void (*put)(char c);
    uint32_t sum;
};

/* zlib's CRC-32, half a byte at a time. */
MPROF_UNHOOKED static void put_byte(struct output *out, unsigned byte)
{
    static const uint32_t halves[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    uint32_t sum = out->sum ^ (byte & 255);

    sum = halves[sum & 15] ^ sum >> 4;
    out->sum = halves[sum & 15] ^ sum >> 4;
    out->put((char)byte);
}

MPROF_UNHOOKED static void put_bytes(struct output *out, const volatile void *bytes, unsigned len)
{
    const volatile unsigned char *byte = (const volatile unsigned char *)bytes;

    while (len-- > 0)
        put_byte(out, *byte++);
}

MPROF_UNHOOKED static void put_word(struct output *out, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++, word >>= 8)
        put_byte(out, word);
}

MPROF_UNHOOKED static void begin_frame(struct output *out, unsigned kind, unsigned core,
                                       unsigned len)
{
    put_byte(out, MPROF_FRAME_SYNC & 255);
    put_byte(out, MPROF_FRAME_SYNC >> 8);
    out->sum = 0xffffffffU;
    put_byte(out, kind);
    put_byte(out, core);
    put_byte(out, s_sent[core].boot);
    put_byte(out, len / 4);
}

MPROF_UNHOOKED static void end_frame(struct output *out)
{
    put_word(out, ~out->sum);
}

MPROF_UNHOOKED static struct mprof_prof *prof_of(unsigned core)
{
#if MPROF_CORES > 1
    return &s_prof[core];
#else
    return (void)core, &s_prof;
#endif
}

/* Code of a function that was recorded, at first of put(). The aligned block does not end in other
 * memory than it begins in. */
MPROF_UNHOOKED static void put_header(struct output *out, unsigned core)
{
    const volatile struct mprof_prof *prof = prof_of(core);
    uintptr_t code = s_sent[core].code != 0 ? s_sent[core].code : (uintptr_t)out->put;

    code &= ~(uintptr_t)31;
    begin_frame(out, MPROF_FRAME_HEADER, core,
                (unsigned)(sizeof(struct mprof_frame_header) + CODE_BYTES + HEAD_BYTES +
                           COST_BYTES + sizeof(prof->trace_lead)));
    put_word(out, s_sent[core].next);
    put_word(out, CODE_BYTES);
    put_word(out, (uint32_t)(uintptr_t)prof);
    put_word(out, (uint32_t)((uint64_t)(uintptr_t)prof >> 32));
    put_word(out, (uint32_t)code);
    put_word(out, (uint32_t)((uint64_t)code >> 32));
    put_bytes(out, (const void *)code, CODE_BYTES);
    put_bytes(out, prof, HEAD_BYTES);
#if MPROF_COSTS
    put_bytes(out, &prof->trace_cost, COST_BYTES);
#endif
    put_bytes(out, &prof->trace_lead, sizeof(prof->trace_lead));
    end_frame(out);
    s_sent[core].left = MPROF_FRAME_HEADER_EVERY;
}

/* Copies a record, which another event may replace meanwhile. Returns 0 if it is not complete. */
MPROF_UNHOOKED static int copy_record(unsigned core, uint32_t number, mprof_event_t *copy)
{
    const volatile mprof_event_t *record = &prof_of(core)->trace[number % MPROF_TRACE_CNT];
    const volatile uint32_t *from = (const volatile uint32_t *)record;
    volatile uint32_t *to = (volatile uint32_t *)copy;
    uint32_t tag = record->tag;

    for (unsigned i = 0; i < sizeof(*copy) / sizeof(*to); i++)
        to[i] = from[i];
    mprof_port_barrier();
    return record->tag == tag && (tag & MPROF_TRACE_VALID) &&
           tag >> MPROF_TRACE_SHIFT == number << MPROF_TRACE_SHIFT >> MPROF_TRACE_SHIFT;
}

/* Where there is code for the next header. */
MPROF_UNHOOKED static void note_code(struct sent *sent, const mprof_event_t *record)
{
    if (record->tag & MPROF_TRACE_MARK)
        return;
#if MPROF_TRACE_WIDE
    sent->code = record->callee & (((uint64_t)1 << MPROF_TRACE_WIDE_SHIFT) - 1);
#else
    sent->code = record->callee;
#endif
}

/* Sends at most that many records in one frame, and returns their number. */
MPROF_UNHOOKED static unsigned put_frame(struct output *out, unsigned core, unsigned most)
{
    mprof_event_t records[FRAME_RECORDS];
    struct sent *sent = &s_sent[core];
    unsigned count = 0;

    while (count < most && count < FRAME_RECORDS &&
           copy_record(core, sent->next + count, &records[count]))
        count++;
    if (count == 0)
        return 0;
    if (sent->left == 0)
        put_header(out, core);
    note_code(sent, &records[0]);
    begin_frame(out, MPROF_FRAME_RECORDS, core, 4 + count * (unsigned)sizeof(records[0]));
    put_word(out, sent->next);
    put_bytes(out, records, count * (unsigned)sizeof(records[0]));
    end_frame(out);
    sent->left -= sent->left > count ? count : sent->left;
    sent->next += count;
    return count;
}

/* Whether a header tells how many events have found the trace full: when their number is twice what
 * was told, or a sixteenth more if there are no records to send. The number of these headers is
 * small, however many events are lost. */
MPROF_UNHOOKED static int has_lost(const struct sent *sent, uint32_t lost, uint32_t head)
{
    uint32_t more = lost - sent->lost;

    return more != 0 && more >= sent->lost >> (head + 1 == sent->next ? 4 : 0);
}

/* Looks whether a header would say something new, which is then sent before the next records. */
MPROF_UNHOOKED static void look(unsigned core)
{
    const volatile struct mprof_prof *prof = prof_of(core);
    struct sent *sent = &s_sent[core];
    uint32_t first = prof->trace_lead.first, lost = prof->trace_lead.lost;

    if (sent->boot == prof->header.boot && sent->first == first &&
        sent->frozen == prof->header.frozen && !has_lost(sent, lost, prof->trace_lead.head))
        return;
    if (sent->boot != prof->header.boot || (int32_t)(first + 1 - sent->next) > 0)
        sent->next = first + 1;
    sent->boot = prof->header.boot;
    sent->first = first;
    sent->frozen = prof->header.frozen;
    sent->lost = lost;
    sent->left = 0;
}

/* What is not complete is left out if it still is so at the next call. */
MPROF_UNHOOKED static unsigned send_core(struct output *out, unsigned core, unsigned most)
{
    struct sent *sent = &s_sent[core];
    unsigned done = 0;

    if (((const volatile struct mprof_header *)&prof_of(core)->header)->magic != MPROF_MAGIC)
        return 0;
    look(core);
    uint32_t head = ((const volatile struct mprof_prof *)prof_of(core))->trace_lead.head;
    if (head - sent->next + 1 > MPROF_TRACE_CNT)
        sent->next = head - MPROF_TRACE_CNT + 1;
    while (done < most && (int32_t)(head - sent->next) >= 0) {
        unsigned left = most - done, there = (unsigned)(head - sent->next + 1);
        unsigned count = put_frame(out, core, left < there ? left : there);

        done += count;
        if (count == 0 && sent->waited != sent->next) {
            sent->waited = sent->next;
            break;
        }
        sent->next += count == 0;
    }
    if (sent->left == 0)
        put_header(out, core);
    return done;
}

/* Begins after the core that was served last, so that none waits for one that is always busy. The
 * first header must be core 0's, which describes all. */
MPROF_UNHOOKED unsigned mprof_trace_send(void (*put)(char c), unsigned most)
{
    static unsigned next;
    struct output out = {.put = put};
    unsigned begin = next, done = 0;

    for (unsigned i = 0; i < MPROF_CORES; i++) {
        unsigned core = (begin + i) % MPROF_CORES, count = send_core(&out, core, most - done);

        if (count != 0)
            next = core + 1;
        done += count;
    }
    return done;
}

#endif
