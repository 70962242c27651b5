/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the records of a trace file. */
#include <trace/arguments.h>
#include <trace/reader.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chunks.h"

/* Ticks that no clock reaches: differences of times cannot overflow. */
#define TICKS_MAX ((int64_t)1 << 60)

struct trace_reader {
    struct chunk_file file;
    uint64_t at;                 /* where the next chunk begins */
    uint64_t begun;              /* where the last one does */
    struct record_cursor cursor; /* in its contents */
    struct trace_points *points; /* owned */
    struct trace_about about;    /* its strings are owned */
    char *build, *elf;
    int64_t ticks[TRACE_CORES];
    struct trace_event words; /* of the next event; all else is 0 */
    bool results;             /* the words are a result */
    bool jump;                /* the next event is one of a jump */
    enum trace_sleep sleep;   /* of the next point */
    bool in_run;
    struct trace_state state;
};

static void end_run(struct trace_reader *r)
{
    r->in_run = false;
    r->cursor = (struct record_cursor){.at = NULL};
}

/* What is at the last chunk cannot be used. Goes on at the next recording. Without one, bytes that
 * are not a whole chunk were cut off. Returns whether there is an event. */
static bool pass_over(struct trace_reader *r, bool may_be_cut, struct trace_event *event)
{
    uint64_t from = r->begun;
    uint64_t next = chunk_find_run(&r->file, from + 1);

    end_run(r);
    r->at = next;
    if (r->file.failure)
        return false;
    if (may_be_cut && next == r->file.size) {
        r->state.cut = r->file.size - from;
        return false;
    }
    if (r->state.damaged == 0)
        r->state.damaged_at = from;
    r->state.damaged += next - from;
    *event = (struct trace_event){.kind = TRACE_DAMAGED, .count = next - from};
    return true;
}

static bool begin_run(struct trace_reader *r)
{
    struct record_cursor *c = &r->cursor;

    free(r->build);
    free(r->elf);
    r->about.time_ns = (int64_t)record_take(c);
    r->about.addr_size = (unsigned)record_take_below(c, 9);
    r->about.cores = (unsigned)record_take_below(c, TRACE_CORES + 1);
    uint64_t flags = record_take(c);
    r->about.threads = flags & RECORDS_THREADS;
    r->about.big_endian = flags & RECORDS_BIG_ENDIAN;
    r->build = record_take_string(c);
    r->elf = record_take_string(c);
    r->about.build = r->build ? r->build : "";
    r->about.elf = r->elf ? r->elf : "";
    trace_points_clear(r->points);
    memset(r->ticks, 0, sizeof(r->ticks));
    r->words = (struct trace_event){.has_task = false};
    r->results = r->jump = false;
    r->sleep = TRACE_NO_SLEEP;
    if (c->bad || chunk_out_of_memory(&r->file, r->build && r->elf))
        return false;
    r->in_run = true;
    r->state.runs++;
    r->state.unended++;
    c->at = c->end;
    return true;
}

/* Takes a chunk that is whole; an event may come of it. Returns false if its contents are wrong. */
static bool take_chunk(struct trace_reader *r, const struct chunk_header *header,
                       struct trace_event *event, bool *has_event)
{
    r->cursor = (struct record_cursor){.at = r->file.bytes, .end = r->file.bytes + header->len};
    if (header->kind == RECORDS_RUN) {
        *event = (struct trace_event){.kind = TRACE_RUN};
        *has_event = true;
        return begin_run(r);
    }
    if (header->kind == RECORDS_EVENTS)
        return r->in_run;
    if (header->kind == RECORDS_END && r->in_run) {
        r->state.unended--;
        end_run(r);
        *event = (struct trace_event){.kind = TRACE_END};
        *has_event = true;
    }
    r->cursor.at = r->cursor.end;
    return true;
}

/* Whether a text describes parameters. */
static bool are_parameters(const char *text)
{
    if (text[0] == '\0')
        return true;
    if (*text++ != '(')
        return false;
    while (text[0] != '\0' && strchr("iuprf", text[0]) && text[1] != '\0' &&
           strchr("1248", text[1]))
        text += 2;
    return text[0] == '\0' || strcmp(text, "*") == 0;
}

/* Types, if there are any. */
static bool take_types(struct record_cursor *c, uint32_t *types, unsigned most)
{
    if (c->at == c->end)
        return true;
    unsigned count = (unsigned)record_take_below(c, (uint64_t)most + 1);
    for (unsigned i = 0; i < count; i++)
        types[i] = (uint32_t)record_take_below(c, (uint64_t)UINT32_MAX + 1);
    return !c->bad;
}

/* A description with structures, if there is one, which the caller frees. */
static bool take_layout(struct trace_reader *r, struct record_cursor *c, struct trace_function *f,
                        char **layout)
{
    if (c->at == c->end)
        return true;
    f->layout = *layout = record_take_string(c);
    return !c->bad && !chunk_out_of_memory(&r->file, *layout) && trace_layout_is_good(*layout) &&
           take_types(c, f->member_types, TRACE_MEMBERS);
}

static bool take_function(struct trace_reader *r, struct record_cursor *c)
{
    struct trace_function f = {.addr = record_take(c)};
    uint64_t line = record_take_below(c, UINT32_MAX);
    char *name = record_take_string(c), *file = record_take_string(c);
    char *parameters = record_take_string(c), *layout = NULL;
    size_t before = trace_functions_count(r->points);
    uint32_t index;
    bool done = !c->bad && !chunk_out_of_memory(&r->file, name && file && parameters);

    if (done && (!are_parameters(parameters) || !take_types(c, f.types, TRACE_PARAMETERS) ||
                 !take_layout(r, c, &f, &layout)))
        done = false;
    if (done) {
        f.line = (unsigned)line;
        f.name = name;
        f.file = file;
        f.parameters = parameters;
        done = !chunk_out_of_memory(&r->file, trace_add_function(r->points, &f, &index)) &&
               index == before;
    }
    free(name);
    free(file);
    free(parameters);
    free(layout);
    return done;
}

static bool take_exception(struct trace_reader *r, struct record_cursor *c)
{
    unsigned number = (unsigned)record_take_below(c, TRACE_EXCEPTIONS);
    char *name = record_take_string(c);
    bool done = !c->bad && !chunk_out_of_memory(
                               &r->file, name && trace_name_exception(r->points, number, name));

    free(name);
    return done;
}

static bool take_point(struct trace_reader *r, struct record_cursor *c)
{
    uint64_t functions = trace_functions_count(r->points);
    size_t before = trace_points_count(r->points);
    struct trace_point p;
    uint32_t index;
    bool added;

    p.core = (unsigned)record_take_below(c, TRACE_CORES);
    p.exception = (unsigned)record_take_below(c, TRACE_EXCEPTIONS);
    p.kind = (enum trace_point_kind)record_take_below(c, TRACE_MARK + 1);
    p.callee = record_take(c);
    p.caller = record_take(c);
    p.function =
        p.kind == TRACE_MARK ? (uint32_t)record_take(c) : (uint32_t)record_take_below(c, functions);
    uint64_t caller_function = record_take_below(c, functions + 1);
    p.sleep = p.kind == TRACE_MARK ? r->sleep : TRACE_NO_SLEEP;
    r->sleep = TRACE_NO_SLEEP;
    p.caller_function = caller_function == 0 ? TRACE_NO_FUNCTION : (uint32_t)(caller_function - 1);
    return !c->bad && (p.kind != TRACE_MARK || p.callee <= UINT32_MAX) &&
           !chunk_out_of_memory(&r->file, trace_add_point(r->points, &p, &index, &added)) &&
           index == before;
}

static bool take_lost(struct record_cursor *c, struct trace_event *event)
{
    unsigned core = (unsigned)record_take_below(c, TRACE_CORES);
    uint64_t kind = record_take_below(c, TRACE_FULL + 1), count = record_take(c);

    *event = (struct trace_event){.kind = (enum trace_kind)kind, .core = core, .count = count};
    return !c->bad && kind != TRACE_CALL;
}

static bool take_restart(struct trace_reader *r, struct record_cursor *c, struct trace_event *event)
{
    unsigned core = (unsigned)record_take_below(c, TRACE_CORES);

    *event = (struct trace_event){.kind = TRACE_RESTART, .core = core};
    r->ticks[core] = 0;
    return !c->bad;
}

/* Costs in a file are less. */
#define COST_END ((uint64_t)UINT32_MAX + 1)

static bool take_clock(struct record_cursor *c, struct trace_event *event)
{
    unsigned core = (unsigned)record_take_below(c, TRACE_CORES);
    bool timed = record_take_below(c, 2) != 0;
    uint32_t hz = (uint32_t)record_take_below(c, UINT32_MAX);

    *event = (struct trace_event){.kind = TRACE_CLOCK, .core = core, .timed = timed, .hz = hz};
    if (!c->bad && c->at < c->end) { /* since version 1.3 */
        event->cost.inside = (double)record_take_below(c, COST_END) / TRACE_COST_UNIT;
        event->cost.call = (double)record_take_below(c, COST_END) / TRACE_COST_UNIT;
    }
    if (!c->bad && c->at < c->end) /* since version 1.4 */
        event->one_clock = record_take_below(c, 2) != 0;
    if (!c->bad && c->at < c->end) /* since version 1.5 */
        event->cost.instruction = (double)record_take_below(c, COST_END) / TRACE_COST_UNIT;
    if (!c->bad && c->at < c->end) { /* since version 1.6 */
        event->cost.jump_from = (double)record_take_below(c, COST_END) / TRACE_COST_UNIT;
        event->cost.jump_to = (double)record_take_below(c, COST_END) / TRACE_COST_UNIT;
        event->cost.jump = (double)record_take_below(c, COST_END) / TRACE_COST_UNIT;
    }
    return !c->bad;
}

/* Whether a text describes a result. */
static bool is_result(const char *text)
{
    return strcmp(text, "v") == 0 || strcmp(text, "*") == 0 ||
           (strlen(text) == 2 && strchr("iuprf", text[0]) && strchr("1248", text[1]));
}

static bool take_result(struct trace_reader *r, struct record_cursor *c)
{
    uint64_t index = record_take_below(c, trace_functions_count(r->points));
    char *text = record_take_string(c);
    uint64_t type = record_take_below(c, (uint64_t)UINT32_MAX + 1);
    bool done = !c->bad && !chunk_out_of_memory(&r->file, text) && is_result(text);
    char result[3] = "";

    if (done) {
        memcpy(result, text, strlen(text));
        trace_function_set_result(r->points, (uint32_t)index, result, (uint32_t)type);
    }
    free(text);
    return done;
}

static bool take_outside(struct trace_reader *r, struct record_cursor *c)
{
    uint64_t index = record_take_below(c, trace_functions_count(r->points));
    int64_t outside = record_take_signed(c);

    if (c->bad || outside <= -TRACE_OUTSIDE_END || outside >= TRACE_OUTSIDE_END)
        return false;
    trace_function_set_outside(r->points, (uint32_t)index, (int)outside);
    return true;
}

/* What is not known is passed over. */
static bool take_more(struct trace_reader *r, struct record_cursor *c)
{
    uint64_t what = record_take(c);

    if (what == RECORD_MORE_SLEEP)
        r->sleep = (enum trace_sleep)record_take_below(c, TRACE_AWAKE + 1);
    if (what == RECORD_MORE_JUMP)
        r->jump = true;
    if (what == RECORD_MORE_RESULT)
        return take_result(r, c);
    if (what == RECORD_MORE_OUTSIDE)
        return take_outside(r, c);
    if (what != RECORD_MORE_NAME)
        return !c->bad;
    struct trace_name name = {.type = (uint32_t)record_take_below(c, (uint64_t)UINT32_MAX + 1)};
    name.first = record_take(c);
    name.size = record_take(c);
    char *text = record_take_string(c);
    name.text = text;
    bool done = !c->bad && name.type != TRACE_NOW && name.type != TRACE_GONE &&
                name.type != TRACE_CONTENT_NOW && !chunk_out_of_memory(&r->file, text) &&
                !chunk_out_of_memory(&r->file, trace_add_name(r->points, &name));
    free(text);
    return done;
}

/* The words of the event that follows. */
static bool take_words(struct trace_reader *r, struct record_cursor *c)
{
    struct trace_event *words = &r->words;

    *words = (struct trace_event){.has_task = record_take_below(c, 2) != 0};
    words->task = words->has_task ? record_take(c) : 0;
    words->argument_count = (unsigned)record_take_below(c, TRACE_ARGUMENTS + 1);
    r->results = !c->bad && words->argument_count == 0 && c->at < c->end; /* since version 1.4 */
    if (r->results)
        words->argument_count = (unsigned)record_take_below(c, TRACE_ARGUMENTS + 1);
    for (unsigned i = 0; i < words->argument_count; i++)
        words->arguments[i] = record_take(c);
    return !c->bad;
}

/* A record with a length, which may have more than is known of its kind. Sets *has_event. Returns
 * false if it is wrong. */
static bool take_other(struct trace_reader *r, enum record_kind kind, struct trace_event *event,
                       bool *has_event)
{
    uint64_t len = record_take(&r->cursor);
    struct record_cursor c = r->cursor;

    *has_event = kind == RECORD_LOST || kind == RECORD_RESTART || kind == RECORD_CLOCK;
    if (c.bad || len > (size_t)(c.end - c.at))
        return false;
    c.end = c.at + len;
    r->cursor.at = c.end;
    switch (kind) {
    case RECORD_FUNCTION:
        return take_function(r, &c);
    case RECORD_EXCEPTION:
        return take_exception(r, &c);
    case RECORD_POINT:
        return take_point(r, &c);
    case RECORD_WORDS:
        return take_words(r, &c);
    case RECORD_MORE:
        return take_more(r, &c);
    case RECORD_LOST:
        return take_lost(&c, event);
    case RECORD_RESTART:
        return take_restart(r, &c, event);
    case RECORD_CLOCK:
        return take_clock(&c, event);
    default:
        return true;
    }
}

static bool take_call(struct trace_reader *r, uint64_t point, struct trace_event *event)
{
    int64_t step = record_take_signed(&r->cursor);

    if (point >= trace_points_count(r->points) || r->cursor.bad)
        return false;
    const struct trace_point *p = trace_point_at(r->points, (uint32_t)point);
    unsigned core = p->core;
    if (p->kind == TRACE_MARK && r->words.argument_count != 1)
        return false;
    if (step < -TICKS_MAX || step > TICKS_MAX)
        return false;
    r->ticks[core] += step;
    if (r->ticks[core] < -TICKS_MAX || r->ticks[core] > TICKS_MAX)
        return false;
    *event = r->words;
    if (r->results != (p->kind == TRACE_EXIT))
        event->argument_count = 0;
    event->kind = TRACE_CALL;
    event->core = core;
    event->point = (uint32_t)point;
    event->ticks = r->ticks[core];
    event->jump = r->jump && p->kind != TRACE_MARK;
    r->words.argument_count = 0;
    r->results = r->jump = false;
    r->words.has_task = false;
    r->words.task = 0;
    return true;
}

/* Reads records until there is an event or the chunk ends. Returns false if they are wrong. */
static bool take_records(struct trace_reader *r, struct trace_event *event, bool *has_event)
{
    while (r->cursor.at < r->cursor.end && !*has_event) {
        uint64_t kind = record_take(&r->cursor);
        if (r->cursor.bad)
            return false;
        if (kind >= RECORD_CALL) {
            *has_event = true;
            return take_call(r, kind - RECORD_CALL, event);
        }
        if (!take_other(r, (enum record_kind)kind, event, has_event))
            return false;
    }
    return true;
}

/* Reads the next chunk. Returns false at the end; else an event may have come. */
static bool next_chunk(struct trace_reader *r, struct trace_event *event, bool *has_event)
{
    struct chunk_header header;

    if (r->at == r->file.size)
        return false;
    r->begun = r->at;
    enum chunk chunk = chunk_read(&r->file, r->at, RECORDS_CHUNK_MAX, &header);
    if (chunk == CHUNK_WHOLE && header.kind == RECORDS_RUN && r->in_run) {
        end_run(r); /* the one before was not ended; the chunk is read again */
        *event = (struct trace_event){.kind = TRACE_END};
        return *has_event = true;
    }
    if (chunk == CHUNK_WHOLE) {
        r->at += RECORDS_CHUNK + header.len;
        if (take_chunk(r, &header, event, has_event)) {
            r->state.whole = r->at;
            return true;
        }
    }
    *has_event = !r->file.failure && pass_over(r, chunk == CHUNK_CUT, event);
    return *has_event;
}

bool trace_reader_next(struct trace_reader *reader, struct trace_event *event)
{
    struct trace_reader *r = reader;
    bool has_event = false;

    while (!r->file.failure) {
        if (!take_records(r, event, &has_event))
            return !r->file.failure && pass_over(r, false, event);
        if (has_event)
            return true;
        if (!next_chunk(r, event, &has_event))
            return false;
        if (has_event)
            return true;
    }
    return false;
}

bool trace_reader_skip(struct trace_reader *reader)
{
    struct trace_event event;
    bool has_event;

    reader->cursor.at = reader->cursor.end;
    return !reader->file.failure && next_chunk(reader, &event, &has_event);
}

const struct trace_points *trace_reader_points(const struct trace_reader *reader)
{
    return reader->points;
}

const struct trace_about *trace_reader_about(const struct trace_reader *reader)
{
    return &reader->about;
}

struct trace_state trace_reader_state(const struct trace_reader *reader)
{
    struct trace_state state = reader->state;

    state.failure = reader->file.failure;
    return state;
}

struct trace_reader *trace_reader_open(const char *path, char text[TRACE_TEXT])
{
    struct trace_reader *r = calloc(1, sizeof(*r));

    if (r) {
        r->file.fd = -1;
        r->at = r->state.whole = RECORDS_HEADER;
        r->about.build = r->about.elf = "";
        r->points = trace_points_new();
    }
    if (!r || !r->points)
        snprintf(text, TRACE_TEXT, "out of memory");
    else if (chunk_file_open(&r->file, path, text))
        return r;
    trace_reader_close(r);
    return NULL;
}

void trace_reader_close(struct trace_reader *reader)
{
    if (!reader)
        return;
    chunk_file_close(&reader->file);
    trace_points_free(reader->points);
    free(reader->build);
    free(reader->elf);
    free(reader);
}
