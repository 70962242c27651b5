/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of table that a sampler reads: the stub's blocks, its stream, and those that say
 * nothing of themselves. */
#ifndef SAMPLER_TABLE_PRIVATE_H
#define SAMPLER_TABLE_PRIVATE_H

#include <profile/headerless.h>
#include <sampler/table.h>
#include <sampler/trace.h>
#include <taken/taken.h>

/* What must be known of a table that says nothing of itself. */
struct headerless {
    const struct symtab *symtab;
    struct headerless_shape shape;
    struct headerless_rows rows;
    bool indirect;   /* the table's addr is that of a pointer */
    uint64_t offset; /* of the rows, from addr or from where it points */
};

/* How much of a ring is read at a time. */
struct ring_pace {
    uint32_t most; /* records that can be read before the target overwrites them, 0: all */
};

/* How far a core's stream was read. */
struct stream_place {
    bool known;
    uint32_t tail; /* place of the next record */
    uint32_t head; /* as it was read last */
    struct ring_pace pace;
    uint32_t boot, heartbeat, reset_done;
    uint32_t samples; /* that the header had counted then */
};

struct stream {
    struct profile_drained drained;
    struct stream_place places[DECODE_MAX_CORES];
};

/* How far a core's trace was read. */
struct trace_place {
    bool known;
    uint32_t next;   /* number of the next record */
    uint32_t waited; /* number of a record that was not complete at the last reading, 0: none */
    uint32_t boot;
    uint32_t lost;            /* of lead.lost, the part that was given away */
    bool waits;               /* for the next record, which is not complete */
    int64_t latest;           /* of its events, in ticks of the one clock of all cores */
    struct decode_trace lead; /* as it was read last */
    struct ring_pace pace;
};

/* An event that was read. If all cores have one clock, its place in their order: that of its time,
 * or of the latest one before it in its core. Else all have the same. */
struct trace_read {
    int64_t ticks;
    uint64_t number;
    struct sampler_event event;
};

struct trace {
    struct trace_place places[DECODE_MAX_CORES];
    struct trace_read *read; /* those that were not given away yet */
    size_t read_count, read_capacity;
    struct sampler_event *events; /* those that were given away last */
    size_t capacity;
    struct decode_clock clock; /* of all cores */
    uint64_t number;           /* of the next event that is read */
    int64_t latest, settled;   /* of all events; of those before the last reading began */
    uint32_t overwritten;      /* in all */
    bool from_start;           /* so are those from before the first reading */
};

struct sampler_table {
    struct gdbmi_link *link;
    uint64_t addr;
    unsigned addr_size;
    enum sampler_kind kind;
    uint8_t *bytes;
    size_t size;     /* of bytes: of all cores' objects */
    bool size_known; /* the ELF says how large the object is */
    struct decode_header headers[DECODE_MAX_CORES];
    bool there[DECODE_MAX_CORES]; /* its core has called mprof_init() */
    size_t cores;                 /* of them that are known, 0: nothing was read yet */
    struct profile_object objects[DECODE_MAX_CORES]; /* those that are there */
    struct stream stream;
    struct trace trace;
    struct sent *sent;             /* what the target sends by itself; NULL: it is read */
    struct taken *taken;           /* samples that are taken without a table; NULL: it reads one */
    struct headerless *headerless; /* NULL: the table describes itself */
    struct call_ring *ring;        /* NULL: it is none */
    char text[sizeof(((struct gdbmi_error *)0)->text)];
};

/* A core's object in the bytes. */
static inline uint8_t *object_of(const struct sampler_table *s, size_t core)
{
    return s->bytes + core * s->headers[0].total_size;
}

/* Selects the block of a core that the kind of sampler reads. Fails if there is none, with a text.
 */
enum sampler_code sampler_select(struct sampler_table *sampler, size_t core);

/* Before the first reading of a large object of a running target: learns what the header says of
 * its blocks and how many rows are in use, so that only these are read. Learns nothing if the
 * header cannot be decoded; then all of the object is to be read. Fails if the link does. */
enum sampler_code sampler_learn(struct sampler_table *sampler, enum gdbmi_state *state);

/* Takes over the text of the link's error; returns whether the target or the link failed. */
enum sampler_code sampler_fail(struct sampler_table *s, enum gdbmi_code code);

/* Reads len bytes at offset of the object, or of the objects, into the same place in bytes. */
enum sampler_code sampler_fetch(struct sampler_table *sampler, size_t offset, size_t len);

/* Makes room for size bytes of all cores' objects. Returns false if memory runs out. */
bool sampler_resize(struct sampler_table *sampler, size_t size);

/* What a reading was good for. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_AGAIN, /* the blocks are not where they were taken to be: read all of it */
};

/* Judges the bytes that were read, and keeps the headers. objects: those that are there, *count of
 * them. *outcome is set only if all is to be read again. */
enum sampler_code sampler_take_cores(struct sampler_table *sampler, struct profile_object *objects,
                                     size_t *count, enum outcome *outcome);

/* Reads what a poll needs of all cores' objects; whole: all of them. */
enum sampler_code sampler_read_objects(struct sampler_table *sampler, bool whole,
                                       enum gdbmi_state *state);

/* Reads again what tells rows that changed while they were read. */
enum sampler_code sampler_fetch_generations(struct sampler_table *sampler);

/* Reads what the core has counted by task, if it does so; after the samples that refer to it. */
enum sampler_code sampler_fetch_tasks(struct sampler_table *sampler, size_t core);

/* Whether a poll reads only the new records of the selected block. */
static inline bool sampler_is_ring(const struct decode_header *h)
{
    return h->source == DECODE_STREAM || h->source == DECODE_TRACE;
}

/* The lead of a core's ring; and count records of it from index on, which may go around its end. */
enum sampler_code ring_fetch_lead(struct sampler_table *sampler, size_t core);
enum sampler_code ring_fetch(struct sampler_table *sampler, size_t core, size_t index,
                             size_t count);

/* Records that can be read before the target overwrites them; and what is learned of that by a
 * reading of count records, of which some were lost. */
uint32_t ring_most(const struct ring_pace *pace, const struct decode_header *header);
void ring_adapt(struct ring_pace *pace, const struct decode_header *header, uint32_t count,
                uint32_t lost);

/* The records of a core's trace that came since the last time; header and lead are there. */
enum sampler_code trace_take(struct sampler_table *sampler, size_t core);
void trace_free(struct trace *trace);

/* The same of count records from that number on, which were sent and are in the bytes. Those that
 * are missing before them are lost. With count 0 only the lead was sent, and number is next. */
enum sampler_code trace_take_sent(struct sampler_table *sampler, size_t core, uint32_t number,
                                  uint32_t count);

/* Before the cores' traces are read: all that was recorded until now will be there. */
void trace_begin(struct trace *trace);

/* Add what was read; of what is lost in one place, the sum. Return false if memory runs out. */
bool trace_add_event(struct trace *trace, const struct sampler_event *event);
bool trace_add_lost(struct trace *trace, size_t core, enum sampler_event_kind kind, uint32_t count);

/* The parts of a core's stream that came since the last time, header and lead are there. */
enum sampler_code stream_take(struct sampler_table *sampler, size_t core);
void stream_free(struct stream *stream);

/* Reads all bytes from addr on. */
enum sampler_code sampler_read(struct sampler_table *sampler, uint64_t addr,
                               enum gdbmi_state *state);

enum sampler_code headerless_poll(struct sampler_table *sampler, struct profile *profile,
                                  double now_s, enum gdbmi_state *state);
void headerless_free(struct headerless *headerless);

enum sampler_code call_ring_poll(struct sampler_table *sampler, struct profile *profile,
                                 double now_s, enum gdbmi_state *state);
enum sampler_code call_ring_drain(struct sampler_table *sampler);

/* Takes the records that were read; last: also the newest one, which may be half written. Returns
 * false if memory runs out. */
bool call_ring_take(struct sampler_table *sampler, bool last);

#endif
