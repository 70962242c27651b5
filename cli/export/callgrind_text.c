/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes callgrind's format (valgrind's manual, "Callgrind Format Specification"). */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

#include "callgrind.h"
#include <export/clean.h>

/* Files and functions that have been named once are only numbered. */
struct writer {
    struct export *e;
    const struct callgrind *c;
    bool *named_functions, *named_files;
    uint32_t *homes; /* for each function, the number of its file */
};

/* A word that a formula may have: Samples, Calls, ns, inuse_space_bytes. */
static void make_name(const struct snapshot_type *type, char name[64])
{
    bool is_time = strcmp(type->name, "time") == 0 && strcmp(type->unit, "nanoseconds") == 0;

    if (strcmp(type->unit, "count") == 0 || !type->unit[0])
        snprintf(name, 64, "%s", type->name[0] ? type->name : "hits");
    else if (is_time)
        snprintf(name, 64, "ns");
    else
        snprintf(name, 64, "%s_%s", type->name, type->unit);
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
    if (!is_time)
        name[0] = (char)toupper((unsigned char)name[0]);
    if (isdigit((unsigned char)name[0]))
        name[0] = '_';
}

static bool is_taken(const struct callgrind *c, const char *name)
{
    for (size_t i = 0; i < c->event_count; i++) {
        if (strcmp(c->events[i], name) == 0)
            return true;
    }
    return false;
}

/* a-b and a_b are two things. */
static void make_unique(const struct callgrind *c, char name[64])
{
    char first[64];

    memcpy(first, name, sizeof(first));
    for (unsigned i = 2; is_taken(c, name); i++)
        snprintf(name, 64, "%.50s_%u", first, i);
}

static void leave_out(struct callgrind *c, const char *name)
{
    if (VEC_ROOM(c->left_out, c->left_out_room, c->left_out_count, 1))
        memcpy(c->left_out[c->left_out_count++], name, sizeof(*c->left_out));
}

uint32_t callgrind_event(struct callgrind *c, const struct snapshot_type *type, size_t room)
{
    char name[64];

    for (size_t i = 0; i < c->event_count; i++) {
        if (strcmp(c->types[i].name, type->name) == 0 && strcmp(c->types[i].unit, type->unit) == 0)
            return (uint32_t)i;
    }
    make_name(type, name);
    if (c->event_count >= room) {
        leave_out(c, name);
        return SNAPSHOT_NONE;
    }
    make_unique(c, name);
    memcpy(c->events[c->event_count], name, sizeof(name));
    c->types[c->event_count] = *type;
    return (uint32_t)c->event_count++;
}

/* By function, lines of its own file first, then by line; its own hits before its calls. */
static int order_costs(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;

    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    /* SNAPSHOT_NONE comes first */
    return (x->callee + 1 > y->callee + 1) - (x->callee + 1 < y->callee + 1);
}

static void put_name(const struct writer *w, const char *key, bool *named, uint32_t number,
                     const char *name)
{
    fprintf(w->e->out, "%s=(%" PRIu32 ")", key, number + 1);
    if (!named[number]) {
        putc(' ', w->e->out);
        clean_line(w->e->out, name, "");
    }
    named[number] = true;
    putc('\n', w->e->out);
}

static void put_file(const struct writer *w, const char *key, uint32_t file)
{
    put_name(w, key, w->named_files, file, w->c->files.functions[file].name);
}

static void put_function(const struct writer *w, const char *key, uint32_t function)
{
    put_name(w, key, w->named_functions, function, w->e->table.functions[function].name);
}

static void put_values(const struct writer *w, int64_t line, const uint64_t *values)
{
    fprintf(w->e->out, "%" PRId64, line);
    for (size_t i = 0; i < w->c->event_count; i++)
        fprintf(w->e->out, " %" PRIu64, values[i]);
    putc('\n', w->e->out);
}

static void put_cost(const struct writer *w, const struct cost *cost)
{
    if (cost->callee != SNAPSHOT_NONE) {
        put_file(w, "cfi", w->homes[cost->callee]);
        put_function(w, "cfn", cost->callee);
        fprintf(w->e->out, "calls=%" PRIu64 " %" PRId64 "\n", cost->calls,
                w->e->table.functions[cost->callee].line);
    }
    put_values(w, cost->line, cost->values);
}

static void put_costs(const struct writer *w)
{
    uint32_t function = SNAPSHOT_NONE, file = SNAPSHOT_NONE;

    for (size_t i = 0; i < w->c->cost_count && !export_is_stopped(w->e); i++) {
        const struct cost *cost = &w->c->costs[i];
        uint32_t home = w->homes[cost->function];
        if (cost->function != function) {
            fputs("\n", w->e->out);
            put_file(w, "fl", home);
            put_function(w, "fn", cost->function);
            function = cost->function;
            file = home;
        }
        if (cost->file != file)
            put_file(w, cost->file == home ? "fe" : "fi", cost->file);
        file = cost->file;
        put_cost(w, cost);
    }
}

static void put_head(const struct writer *w)
{
    FILE *out = w->e->out;

    fputs("# callgrind format\nversion: 1\ncreator: mprof\ncmd: ", out);
    clean_line(out, w->e->title, "");
    fputs("\ndesc: Calls: a call's inclusive hits are those sampled below it; for counted arcs, "
          "the arc's own; for recursion 0, as the outermost call has them\n",
          out);
    for (size_t i = 0; i < w->c->left_out_count; i++)
        fprintf(out, "desc: Left out: %s, there is room for %d events\n", w->c->left_out[i],
                EVENTS_MAX);
    fputs("positions: line\nevents:", out);
    for (size_t i = 0; i < w->c->event_count; i++)
        fprintf(out, " %s", w->c->events[i]);
    putc('\n', out);
}

static void put_totals(const struct writer *w)
{
    uint64_t totals[EVENTS_MAX] = {0};

    for (size_t i = 0; i < w->c->cost_count; i++) {
        const struct cost *cost = &w->c->costs[i];
        for (size_t n = 0; cost->callee == SNAPSHOT_NONE && n < w->c->event_count; n++)
            totals[n] += cost->values[n];
    }
    fputs("\ntotals:", w->e->out);
    for (size_t n = 0; n < w->c->event_count; n++)
        fprintf(w->e->out, " %" PRIu64, totals[n]);
    putc('\n', w->e->out);
}

/* Where each function is at home; false: no memory. */
static bool find_homes(struct callgrind *c, struct writer *w)
{
    const struct function_table *table = &w->e->table;

    w->homes = malloc((table->count + 1) * sizeof(*w->homes));
    for (size_t i = 0; w->homes && i < table->count; i++) {
        const char *file = table->functions[i].file;
        const struct export_function entry = {.name = file[0] ? file : "???", .file = ""};
        w->homes[i] = function_table_put(&c->files, &entry);
        if (w->homes[i] == SNAPSHOT_NONE)
            return false;
    }
    return w->homes != NULL;
}

bool callgrind_end(struct export *e)
{
    struct callgrind *c = e->state;
    struct writer w = {.e = e, .c = c};
    bool done = find_homes(c, &w);

    w.named_functions = calloc(e->table.count + 1, sizeof(bool));
    w.named_files = calloc(c->files.count + 1, sizeof(bool));
    done = done && w.named_functions && w.named_files;
    if (done) {
        if (c->cost_count)
            qsort(c->costs, c->cost_count, sizeof(*c->costs), order_costs);
        put_head(&w);
        put_costs(&w);
        put_totals(&w);
    }
    free(w.homes);
    free(w.named_functions);
    free(w.named_files);
    return done || export_no_memory(e);
}
