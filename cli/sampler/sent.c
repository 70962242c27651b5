/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes what a target sends of its trace into the bytes of s_prof, as if it had been read there. */
#include "sent.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mprof/layout.h>
#include <sampler/identity.h>

/* How long a poll waits, and after how many events or bytes it ends. */
#define WAIT_MS     100
#define EVENTS_MOST 16384
#define BYTES_MOST  (1 << 20)

/* What a header frame has, apart from the words of s_prof. */
struct sent_header {
    uint32_t next;
    uint64_t address, code_addr;
    const uint8_t *code, *prof, *lead;
    size_t code_len, prof_len;
};

static uint64_t two_words(const uint8_t *bytes)
{
    return frame_word(bytes) | (uint64_t)frame_word(bytes + 4) << 32;
}

#define WORD(name) (frame->contents + offsetof(struct mprof_frame_header, name))

static bool read_header(const struct frame *frame, struct sent_header *h)
{
    size_t rest = frame->len - sizeof(struct mprof_frame_header);

    if (frame->len < sizeof(struct mprof_frame_header) || frame_word(WORD(code_len)) > rest)
        return false;
    *h = (struct sent_header){.next = frame_word(WORD(next)),
                              .address = two_words(WORD(address_low)),
                              .code_addr = two_words(WORD(code_low)),
                              .code = frame->contents + sizeof(struct mprof_frame_header),
                              .code_len = frame_word(WORD(code_len))};
    rest -= h->code_len;
    if (rest < sizeof(struct mprof_trace_lead))
        return false;
    h->prof = h->code + h->code_len;
    h->prof_len = rest - sizeof(struct mprof_trace_lead);
    h->lead = h->prof + h->prof_len;
    return true;
}

static enum sampler_code refuse(struct sampler_table *s, const char *why)
{
    snprintf(s->text, sizeof(s->text), "%s", why);
    return SAMPLER_ETABLE;
}

static enum sampler_code compare(struct sampler_table *s, const struct sent_header *h)
{
    char text[200];

    if (!s->sent->symtab)
        return SAMPLER_OK;
    if (h->address != s->addr) {
        snprintf(s->text, sizeof(s->text),
                 "the records are of another build than the ELF, which has s_prof at 0x%08" PRIx64
                 ", not 0x%08" PRIx64 "; give the ELF of their build with --elf",
                 s->addr, h->address);
        return SAMPLER_ETABLE;
    }
    if (identity_compare(s->sent->symtab, h->code_addr, h->code, h->code_len, text, sizeof(text)) !=
        IDENTITY_DIFFERS)
        return SAMPLER_OK;
    snprintf(s->text, sizeof(s->text),
             "the records are of another build than the ELF: %s; give the ELF of their build with "
             "--elf",
             text);
    return SAMPLER_ETABLE;
}

/* What was not sent reads as 0. */
static enum sampler_code make_room(struct sampler_table *s, size_t size)
{
    size_t before = s->size;

    if (size <= before)
        return SAMPLER_OK;
    if (s->size_known || size > DECODE_MAX_SIZE)
        return refuse(s, "the records are of another build than the ELF, whose s_prof is smaller; "
                         "give the ELF of their build with --elf");
    if (!sampler_resize(s, size))
        return SAMPLER_ENOMEM;
    memset(s->bytes + before, 0, size - before);
    return SAMPLER_OK;
}

/* What the hooks cost, if that was sent, comes after the directory. */
static void place_cost(uint8_t *object, const struct decode_header *h,
                       const struct sent_header *from)
{
    const struct decode_block *cost = &h->blocks[DECODE_COST];
    size_t len = cost->size;

    if (cost->count != 1 || from->prof_len != h->directory_end + len)
        return;
    memset(object + h->directory_end, 0, len);
    memcpy(object + cost->offset, from->prof + h->directory_end, len);
}

/* Copies header, directory, costs and the lead of the trace to where they are in s_prof. */
static enum sampler_code place_header(struct sampler_table *s, unsigned core,
                                      const struct sent_header *from)
{
    struct decode_header h;
    size_t size;

    enum decode_code decoded =
        decode_header(from->prof, from->prof_len, &h, &size, s->text, sizeof(s->text));
    if ((decoded != DECODE_OK && decoded != DECODE_ESHORT) || from->prof_len > size)
        return SAMPLER_ETABLE;
    enum sampler_code code = make_room(s, (core + (size_t)1) * size);
    if (code != SAMPLER_OK)
        return code;
    memcpy(s->bytes + core * size, from->prof, from->prof_len);
    decoded = decode_header(s->bytes + core * size, size, &h, &size, s->text, sizeof(s->text));
    if (decoded != DECODE_OK)
        return SAMPLER_ETABLE;
    code = make_room(s, h.cores * size);
    const struct decode_block *trace = &h.blocks[DECODE_TRACE];
    if (code == SAMPLER_OK)
        place_cost(s->bytes + core * size, &h, from);
    if (code == SAMPLER_OK && trace->count != 0)
        memcpy(s->bytes + core * size + trace->lead, from->lead, sizeof(struct mprof_trace_lead));
    return code;
}

static enum sampler_code take_header(struct sampler_table *s, const struct frame *frame)
{
    struct profile_object objects[DECODE_MAX_CORES];
    enum outcome outcome = OUTCOME_DONE;
    struct sent_core *core = &s->sent->cores[frame->core];
    struct sent_header h;
    size_t count;

    core->known = false;
    if (!read_header(frame, &h))
        return refuse(s, "a header of the records is damaged");
    enum sampler_code code = compare(s, &h);
    if (code == SAMPLER_OK)
        code = place_header(s, frame->core, &h);
    if (code == SAMPLER_OK)
        code = sampler_take_cores(s, objects, &count, &outcome);
    if (code == SAMPLER_WAIT) /* of another core: the first one's describes all */
        return SAMPLER_OK;
    if (code != SAMPLER_OK || frame->core >= s->cores)
        return code;
    *core = (struct sent_core){.known = true, .run = frame->run};
    return trace_take_sent(s, frame->core, h.next, 0);
}

static enum sampler_code take_records(struct sampler_table *s, const struct frame *frame)
{
    const struct sent_core *core = &s->sent->cores[frame->core];
    const struct decode_header *h = &s->headers[frame->core];
    size_t len = frame->len - 4;

    if (frame->len <= 4 || !core->known || core->run != frame->run || s->cores <= frame->core ||
        !s->there[frame->core] || len % h->item_size != 0 || len / h->item_size > h->item_count) {
        s->sent->unused += frame->len + FRAME_AROUND;
        return SAMPLER_OK;
    }
    uint32_t number = frame_word(frame->contents), count = (uint32_t)(len / h->item_size);
    uint8_t *ring = object_of(s, frame->core) + h->item_offset;
    for (uint32_t i = 0; i < count; i++)
        memcpy(ring + decode_trace_index(number + i, h) * h->item_size,
               frame->contents + 4 + i * h->item_size, h->item_size);
    return trace_take_sent(s, frame->core, number, count);
}

static enum sampler_code take(struct sampler_table *s, const struct frame *frame)
{
    if (frame->core >= DECODE_MAX_CORES)
        return refuse(s, "the records are of more cores than mprof knows");
    return frame->kind == MPROF_FRAME_HEADER ? take_header(s, frame) : take_records(s, frame);
}

static enum sampler_code receive(struct sampler_table *s, bool waits, size_t *len)
{
    size_t room;
    uint8_t *where = frames_room(&s->sent->frames, &room);
    enum gdbmi_code code =
        gdbmi_link_receive(s->link, where, room, waits ? WAIT_MS : 0, len, &s->sent->ending);

    if (code != GDBMI_OK)
        return sampler_fail(s, code);
    frames_add(&s->sent->frames, *len);
    return SAMPLER_OK;
}

/* Until there are enough events or bytes, or nothing comes. */
static enum sampler_code take_all(struct sampler_table *s)
{
    enum sampler_code code = SAMPLER_OK;
    size_t bytes = 0, len = 0;
    bool waits = true, came = true;
    struct frame frame;

    while (code == SAMPLER_OK && came && s->trace.read_count < EVENTS_MOST && bytes < BYTES_MOST) {
        if (!s->sent->ending)
            code = receive(s, waits, &len);
        came = len != 0;
        bytes += len;
        while (code == SAMPLER_OK && frames_next(&s->sent->frames, s->sent->ending, &frame))
            code = take(s, &frame);
        s->sent->ended = code == SAMPLER_OK && s->sent->ending;
        came &= !s->sent->ending;
        waits = false;
    }
    s->sent->more = code == SAMPLER_OK && came;
    return code;
}

enum sampler_code sent_poll(struct sampler_table *sampler, struct profile *profile, double now_s,
                            enum gdbmi_state *state)
{
    struct sampler_table *s = sampler;
    struct profile_object objects[DECODE_MAX_CORES];
    enum outcome outcome = OUTCOME_DONE;
    size_t count = 0;

    *state = GDBMI_STATE_UNKNOWN;
    trace_begin(&s->trace);
    enum sampler_code code = s->sent->failed != SAMPLER_OK ? s->sent->failed : take_all(s);
    if (s->cores != 0 && s->trace.read_count != 0) { /* what came before is of use */
        s->sent->failed = code;
        code = SAMPLER_OK;
    }
    if (code != SAMPLER_OK)
        return code;
    if (s->cores == 0 && s->sent->ended)
        return refuse(s, "there is no header that mprof_trace_send() has sent");
    if (s->cores == 0)
        return SAMPLER_WAIT;
    code = sampler_take_cores(s, objects, &count, &outcome);
    if (code != SAMPLER_OK)
        return code;
    return profile_update_drained(profile, objects, count, &s->stream.drained, now_s)
               ? SAMPLER_OK
               : SAMPLER_ENOMEM;
}

bool sampler_table_receive(struct sampler_table *sampler, const struct symtab *symtab)
{
    sampler->sent = calloc(1, sizeof(*sampler->sent));
    if (!sampler->sent)
        return false;
    sampler->sent->symtab = symtab;
    memset(sampler->bytes, 0, sampler->size);
    return true;
}

bool sampler_table_has_more(const struct sampler_table *sampler)
{
    return sampler->sent && sampler->sent->more;
}

bool sampler_table_has_ended(const struct sampler_table *sampler, uint64_t *left_out)
{
    const struct sent *sent = sampler->sent;

    if (!sent)
        return false;
    *left_out = sent->unused + sent->frames.skipped;
    return sent->ended;
}
