/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes and frees snapshots, with what they hold. */
#include "store.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "index.h"
#include "runs.h"

enum snapshot_code snapshot_say(char *text, size_t capacity, enum snapshot_code code,
                                const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(text, capacity, format, args);
    va_end(args);
    return code;
}

const char *store_text(struct snapshot *s, const char *bytes, size_t len)
{
    struct string_pool *texts = s->store->texts;

    return string_pool_text(texts, string_pool_add_part(texts, bytes, len));
}

const char *store_string(struct snapshot *s, const char *string)
{
    return store_text(s, string ? string : "", string ? strlen(string) : 0);
}

static void set_texts(struct snapshot *s, const char *empty)
{
    s->conditions = (struct snapshot_conditions){
        .tool = empty,
        .elf = empty,
        .identity = empty,
        .target = empty,
        .arch = empty,
        .link = empty,
        .server = empty,
        .unsure = empty,
        .address = empty,
        .sampler = empty,
        .block_size = 1,
        .runs = 1,
    };
    s->period_type = (struct snapshot_type){.name = empty, .unit = empty};
    s->default_type = s->drop_frames = s->keep_frames = empty;
}

struct snapshot *snapshot_new(void)
{
    struct snapshot *s = calloc(1, sizeof(*s));
    const char *empty = NULL;

    if (s)
        s->store = calloc(1, sizeof(*s->store));
    if (s && s->store)
        s->store->texts = string_pool_new();
    if (s && s->store && s->store->texts)
        empty = store_string(s, "");
    if (!empty) {
        snapshot_free(s);
        return NULL;
    }
    set_texts(s, empty);
    return s;
}

static void free_store(struct snapshot_store *store)
{
    if (!store)
        return;
    string_pool_free(store->texts);
    free(store);
}

int64_t snapshot_end_ns(const struct snapshot *snapshot)
{
    int64_t lasted_ns = snapshot->duration_ns > 0 ? snapshot->duration_ns : 0;
    int64_t end_ns;

    if (snapshot->end_ns > 0 || snapshot->time_ns <= 0)
        return snapshot->end_ns;
    return __builtin_add_overflow(snapshot->time_ns, lasted_ns, &end_ns) ? 0 : end_ns;
}

void snapshot_free(struct snapshot *snapshot)
{
    if (!snapshot)
        return;
    profile_rest_free(&snapshot->rest);
    runs_free(snapshot);
    index_free(snapshot->index);
    free_store(snapshot->store);
    free(snapshot->types);
    free(snapshot->mappings);
    free(snapshot->functions);
    free(snapshot->lines);
    free(snapshot->locations);
    free(snapshot->samples);
    free(snapshot->values);
    free(snapshot->frames);
    free(snapshot->labels);
    free(snapshot->contexts);
    free(snapshot->wanders);
    free(snapshot->comments);
    free(snapshot);
}
