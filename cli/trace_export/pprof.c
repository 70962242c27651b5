/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pprof profile (profile.proto of github.com/google/pprof), not compressed: calls and self time
 * of each stack, with the context as a label. */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "call_tree.h"
#include "formats.h"

/* Fields of its messages. */
enum profile_field {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_TIME = 9,
    PROFILE_DURATION = 10,
    PROFILE_DEFAULT_TYPE = 14,
};

/* The first strings; a name and a file of each function, and the names of tracks, follow. */
static const char *const strings[] = {"", "calls", "count", "self", "nanoseconds", "context"};

enum { CALLS = 1, COUNT, SELF, NANOSECONDS, CONTEXT, STRINGS };

struct pprof {
    struct call_tree tree;
    struct bytes message; /* of the profile, while it is made */
    int64_t first_ns, last_ns;
    bool any;
};

static void put_number(struct bytes *to, unsigned field, uint64_t number)
{
    bytes_varint(to, field << 3);
    bytes_varint(to, number);
}

static void put_bytes(struct bytes *to, unsigned field, const void *from, size_t count)
{
    bytes_varint(to, field << 3 | 2);
    bytes_varint(to, count);
    bytes_add(to, from, count);
}

/* Writes a field of the profile, which is not there if memory has run out. */
static bool put_message(const struct trace_export *x, unsigned field, struct bytes *message)
{
    struct bytes whole = {.count = 0};

    put_bytes(&whole, field, message->bytes, message->count);
    bool good = !whole.failed && !message->failed;
    if (good)
        (void)!fwrite(whole.bytes, 1, whole.count, x->out);
    free(whole.bytes);
    message->count = 0;
    return good;
}

static bool put_string(const struct trace_export *x, const char *text)
{
    struct pprof *p = x->state;

    bytes_add(&p->message, text, strlen(text));
    return put_message(x, PROFILE_STRING, &p->message);
}

static void take_time(struct trace_export *x, int64_t ns)
{
    struct pprof *p = x->state;

    if (!p->any)
        p->first_ns = ns;
    p->any = true;
    p->last_ns = ns > p->last_ns ? ns : p->last_ns;
}

static bool enter(void *context, const struct span *span)
{
    struct trace_export *x = context;
    struct pprof *p = x->state;

    take_time(x, span->ns);
    return call_tree_enter(&p->tree, span) != CALL_TREE_NONE;
}

static bool leave(void *context, const struct span *span)
{
    struct trace_export *x = context;
    struct pprof *p = x->state;

    take_time(x, span->ns);
    (void)call_tree_leave(&p->tree, span);
    return true;
}

static bool put_type(const struct trace_export *x, unsigned name, unsigned unit)
{
    struct pprof *p = x->state;

    put_number(&p->message, 1, name);
    put_number(&p->message, 2, unit);
    return put_message(x, PROFILE_SAMPLE_TYPE, &p->message);
}

/* The label of a stack. */
static void put_context(struct bytes *to, const struct trace_export *x, uint32_t track)
{
    struct bytes label = {.count = 0};

    put_number(&label, 1, CONTEXT);
    put_number(&label, 2, STRINGS + 2 * x->functions.count + track);
    put_bytes(to, 3, label.bytes, label.count);
    to->failed = to->failed || label.failed;
    free(label.bytes);
}

/* A stack, the leaf first. */
static bool put_sample(const struct trace_export *x, uint32_t node)
{
    struct pprof *p = x->state;
    const struct call_node *leaf = &p->tree.nodes[node], *n = leaf;
    struct bytes list = {.count = 0};

    for (; n->depth != 0; n = &p->tree.nodes[n->parent])
        bytes_varint(&list, n->function + 1);
    put_bytes(&p->message, 1, list.bytes, list.count);
    list.count = 0;
    bytes_varint(&list, leaf->calls);
    bytes_varint(&list, call_node_self(leaf));
    put_bytes(&p->message, 2, list.bytes, list.count);
    put_context(&p->message, x, n->function);
    p->message.failed = p->message.failed || list.failed;
    free(list.bytes);
    return put_message(x, PROFILE_SAMPLE, &p->message);
}

/* A function, and the one location in it. */
static bool put_function(const struct trace_export *x, uint32_t function)
{
    struct pprof *p = x->state;
    const struct trace_function *f = &x->functions.functions[function];
    struct bytes line = {.count = 0};

    put_number(&p->message, 1, function + 1);
    put_number(&p->message, 2, STRINGS + 2 * (uint64_t)function);
    put_number(&p->message, 4, f->file[0] ? STRINGS + 2 * (uint64_t)function + 1 : 0);
    put_number(&p->message, 5, f->line);
    bool good = put_message(x, PROFILE_FUNCTION, &p->message);
    put_number(&p->message, 1, function + 1);
    put_number(&p->message, 2, 1);
    put_number(&p->message, 3, f->addr);
    put_number(&line, 1, function + 1);
    put_number(&line, 2, f->line);
    put_bytes(&p->message, 4, line.bytes, line.count);
    p->message.failed = p->message.failed || line.failed;
    free(line.bytes);
    return put_message(x, PROFILE_LOCATION, &p->message) && good;
}

static bool put_strings(const struct trace_export *x)
{
    char buffer[TRACE_EXPORT_ADDRESS];
    bool good = true;

    for (size_t i = 0; i < STRINGS && good; i++)
        good = put_string(x, strings[i]);
    for (uint32_t i = 0; i < x->functions.count && good; i++)
        good = put_string(x, trace_export_name(x, i, buffer)) &&
               put_string(x, x->functions.functions[i].file);
    for (size_t i = 0; i < spans_track_count(x->spans) && good; i++)
        good = put_string(x, spans_track_at(x->spans, i)->name);
    return good && put_string(x, x->recording->elf);
}

/* The program. All functions are in it. */
static bool put_mapping(const struct trace_export *x)
{
    struct pprof *p = x->state;

    put_number(&p->message, 1, 1);
    put_number(&p->message, 5, STRINGS + 2 * x->functions.count + spans_track_count(x->spans));
    for (unsigned field = 7; field <= 9; field++) /* it has functions, files and lines */
        put_number(&p->message, field, 1);
    return put_message(x, PROFILE_MAPPING, &p->message);
}

static bool put_times(const struct trace_export *x)
{
    struct pprof *p = x->state;

    put_number(&p->message, PROFILE_TIME, (uint64_t)x->time_ns);
    put_number(&p->message, PROFILE_DURATION, (uint64_t)(p->last_ns - p->first_ns));
    put_number(&p->message, PROFILE_DEFAULT_TYPE, SELF);
    if (!p->message.failed)
        (void)!fwrite(p->message.bytes, 1, p->message.count, x->out);
    return !p->message.failed;
}

static bool end(struct trace_export *x)
{
    const struct pprof *p = x->state;
    bool good = put_type(x, CALLS, COUNT) && put_type(x, SELF, NANOSECONDS);

    for (uint32_t node = 0; node < p->tree.count && good && !trace_export_is_stopped(x); node++)
        if (p->tree.nodes[node].depth != 0)
            good = put_sample(x, node);
    good = good && put_mapping(x);
    for (uint32_t i = 0; i < x->functions.count && good; i++)
        good = put_function(x, i);
    return good && put_strings(x) && put_times(x);
}

static void clean(struct trace_export *x)
{
    struct pprof *p = x->state;

    call_tree_free(&p->tree);
    free(p->message.bytes);
}

const struct trace_export_ops pprof_trace_ops = {
    .name = "pprof",
    .state_size = sizeof(struct pprof),
    .sums = true,
    .walk = {.enter = enter, .leave = leave},
    .end = end,
    .clean = clean,
};
