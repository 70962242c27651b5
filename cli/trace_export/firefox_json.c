/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a profile of the Firefox Profiler in version 48 of its processed format; later versions of
 * the profiler convert it. Tables are objects with an array for each column. Times are in
 * milliseconds. */
#include "firefox.h"

#include <inttypes.h>
#include <stdlib.h>

#include <export/clean.h>

#define PROCESSED_VERSION 48
#define GECKO_VERSION     27

/* The tables of a thread have numbers of their own. */
struct thread {
    const struct trace_export *x;
    const struct firefox_data *data;
    const struct firefox_track *track;
    uint32_t
        *nodes; /* of each node of the tree its number; it belongs to the thread if it has one */
    uint32_t *function_of; /* of each function its number */
    uint32_t *functions;   /* of each number the function */
    uint32_t function_count, node_count;
};

static void put_ms(FILE *out, int64_t ns)
{
    fprintf(out, "%" PRId64 ".%06d", ns / 1000000, (int)(ns % 1000000));
}

static void put_schema(FILE *out)
{
    fputs(
        "\"markerSchema\":[{\"name\":\"Mark\",\"display\":[\"marker-chart\",\"marker-table\","
        "\"timeline-overview\"],\"tableLabel\":\"{marker.data.value}\",\"data\":[{\"key\":"
        "\"value\","
        "\"label\":\"Value\",\"format\":\"integer\"}]},\n"
        "{\"name\":\"Lost\",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
        "\"tableLabel\":\"{marker.data.events} events: {marker.data.reason}\",\"data\":["
        "{\"key\":\"events\",\"label\":\"Events\",\"format\":\"integer\"},"
        "{\"key\":\"reason\",\"label\":\"Reason\",\"format\":\"string\"}]},\n"
        "{\"name\":\"Sleep\",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
        "\"tableLabel\":\"{marker.data.slept}\",\"data\":[{\"key\":\"slept\",\"label\":\"Slept\","
        "\"format\":\"duration\"}]}]",
        out);
}

static void put_meta(const struct trace_export *x)
{
    FILE *out = x->out;

    fputs("{\"meta\":{\"interval\":0.001,\"startTime\":", out);
    put_ms(out, x->time_ns);
    fprintf(out,
            ",\"processType\":0,\"stackwalk\":1,\"debug\":false,\"version\":%d,"
            "\"preprocessedProfileVersion\":%d,\"symbolicated\":true,\"importedFrom\":\"mprof\",\n"
            "\"product\":",
            GECKO_VERSION, PROCESSED_VERSION);
    clean_json(out, x->recording->elf[0] ? x->recording->elf : "target");
    fputs(",\"categories\":[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}],"
          "\n",
          out);
    put_schema(out);
    fputs("},\n\"libs\":[],\"pages\":[],\"counters\":[],\"threads\":[", out);
}

/* A column whose cells are all the same. */
static void put_same(FILE *out, const char *name, const char *cell, size_t count)
{
    fprintf(out, "\"%s\":[", name);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%s", i ? "," : "", cell);
    fputs("],", out);
}

/* A column of whose cells each is its number. */
static void put_numbers(FILE *out, const char *name, size_t count)
{
    fprintf(out, "\"%s\":[", name);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%zu", i ? "," : "", i);
    fputs("],", out);
}

/* The last one is of no stack: the profiler shows nothing after it. */
static void put_samples(const struct thread *t)
{
    const struct firefox_track *from = t->track;
    FILE *out = t->x->out;

    fputs("\"samples\":{\"weightType\":\"tracing-ms\",\"stack\":[", out);
    for (size_t i = 0; i < from->sample_count; i++)
        fprintf(out, "%" PRIu32 ",", t->nodes[from->samples[i].node]);
    fputs("null],\n\"time\":[", out);
    for (size_t i = 0; i < from->sample_count; i++) {
        put_ms(out, from->samples[i].ns);
        putc(',', out);
    }
    put_ms(out, t->data->last_ns);
    fputs("],\n\"weight\":[", out);
    for (size_t i = 0; i < from->sample_count; i++) {
        put_ms(out, from->samples[i].length);
        putc(',', out);
    }
    fprintf(out, "0],\"length\":%zu},\n", from->sample_count + 1);
}

static void put_marker_data(FILE *out, const struct firefox_marker *m)
{
    if (m->loss)
        fprintf(out, "{\"type\":\"Lost\",\"events\":%" PRIu64 ",\"reason\":\"%s\"}", m->value,
                m->loss);
    else if (m->sleep && m->slept_s >= 0)
        fprintf(out, "{\"type\":\"Sleep\",\"slept\":%.6f}", m->slept_s * 1000);
    else if (m->sleep)
        fputs("{\"type\":\"Sleep\"}", out);
    else
        fprintf(out, "{\"type\":\"Mark\",\"value\":%" PRIu64 "}", m->value);
}

/* Names of markers come after those of functions and their files. */
static void put_markers(const struct thread *t)
{
    const struct firefox_track *from = t->track;
    size_t count = from->marker_count;
    FILE *out = t->x->out;

    fputs("\"markers\":{\"data\":[", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        put_marker_data(out, &from->markers[i]);
    }
    fputs("],\n\"name\":[", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%zu", i ? "," : "", 2 * (size_t)t->function_count + i);
    fputs("],\n\"startTime\":[", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        put_ms(out, from->markers[i].ns);
    }
    fputs("],", out);
    put_same(out, "endTime", "null", count);
    put_same(out, "phase", "0", count);
    put_same(out, "category", "0", count);
    fprintf(out, "\"length\":%zu},\n", count);
}

static void put_stacks(const struct thread *t)
{
    const struct call_tree *tree = &t->data->tree;
    FILE *out = t->x->out;
    const char *between = "";

    fputs("\"stackTable\":{\"prefix\":[", out);
    for (size_t i = 0; i < tree->count; i++) {
        if (t->nodes[i] == CALL_TREE_NONE)
            continue;
        fputs(between, out);
        if (tree->nodes[i].depth == 1)
            fputs("null", out);
        else
            fprintf(out, "%" PRIu32, t->nodes[tree->nodes[i].parent]);
        between = ",";
    }
    fputs("],\n\"frame\":[", out);
    between = "";
    for (size_t i = 0; i < tree->count; i++) {
        if (t->nodes[i] == CALL_TREE_NONE)
            continue;
        fprintf(out, "%s%" PRIu32, between, t->function_of[tree->nodes[i].function]);
        between = ",";
    }
    fputs("],\n", out);
    put_same(out, "category", "0", t->node_count);
    put_same(out, "subcategory", "0", t->node_count);
    fprintf(out, "\"length\":%" PRIu32 "},\n", t->node_count);
}

/* A frame for each function. */
static void put_frames(const struct thread *t)
{
    size_t count = t->function_count;
    FILE *out = t->x->out;

    fputs("\"frameTable\":{", out);
    put_same(out, "address", "-1", count);
    put_same(out, "inlineDepth", "0", count);
    put_same(out, "category", "0", count);
    put_same(out, "subcategory", "0", count);
    put_numbers(out, "func", count);
    put_same(out, "nativeSymbol", "null", count);
    put_same(out, "innerWindowID", "0", count);
    put_same(out, "implementation", "null", count);
    put_same(out, "line", "null", count);
    put_same(out, "column", "null", count);
    fprintf(out, "\"length\":%zu},\n", count);
}

/* Strings are a name and a file of each function, then the names of markers. */
static void put_functions(const struct thread *t)
{
    size_t count = t->function_count;
    FILE *out = t->x->out;

    fputs("\"funcTable\":{\"name\":[", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%zu", i ? "," : "", 2 * i);
    fputs("],", out);
    put_same(out, "isJS", "false", count);
    put_same(out, "relevantForJS", "false", count);
    put_same(out, "resource", "-1", count);
    fputs("\n\"fileName\":[", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        if (t->x->functions.functions[t->functions[i]].file[0])
            fprintf(out, "%zu", 2 * i + 1);
        else
            fputs("null", out);
    }
    fputs("],\n\"lineNumber\":[", out);
    for (size_t i = 0; i < count; i++) {
        unsigned line = t->x->functions.functions[t->functions[i]].line;
        fputs(i ? "," : "", out);
        if (line != 0)
            fprintf(out, "%u", line);
        else
            fputs("null", out);
    }
    fputs("],\n", out);
    put_same(out, "columnNumber", "null", count);
    fprintf(out, "\"length\":%zu},\n", count);
}

static void put_strings(const struct thread *t)
{
    FILE *out = t->x->out;
    char buffer[TRACE_EXPORT_ADDRESS];

    fputs("\"stringArray\":[", out);
    for (size_t i = 0; i < t->function_count; i++) {
        const char *file = t->x->functions.functions[t->functions[i]].file;
        fputs(i ? ",\n" : "", out);
        clean_json(out, trace_export_name(t->x, t->functions[i], buffer));
        putc(',', out);
        clean_json(out, file[0] ? file : "?");
    }
    for (size_t i = 0; i < t->track->marker_count; i++) {
        fputs(i || t->function_count ? "," : "", out);
        if (t->track->markers[i].loss)
            fputs("\"lost events\"", out);
        else if (t->track->markers[i].sleep)
            fprintf(out, "\"%s\"", t->track->markers[i].sleep);
        else
            fprintf(out, "\"mark %" PRIu64 "\"", t->track->markers[i].id);
    }
    fputs("]", out);
}

/* Numbers the nodes and functions of a track. */
static void number_all(struct thread *t, uint32_t track)
{
    const struct call_tree *tree = &t->data->tree;

    t->node_count = t->function_count = 0;
    for (size_t i = 0; i < t->x->functions.count; i++)
        t->function_of[i] = CALL_TREE_NONE;
    for (size_t i = 0; i < tree->count; i++) {
        const struct call_node *n = &tree->nodes[i];
        bool below_root = n->depth == 1 && tree->nodes[n->parent].function == track;
        bool belongs = below_root || (n->depth > 1 && t->nodes[n->parent] != CALL_TREE_NONE);
        t->nodes[i] = belongs ? t->node_count++ : CALL_TREE_NONE;
        if (!belongs || t->function_of[n->function] != CALL_TREE_NONE)
            continue;
        t->functions[t->function_count] = n->function;
        t->function_of[n->function] = t->function_count++;
    }
}

static void put_thread(struct thread *t, size_t track)
{
    FILE *out = t->x->out;

    t->track = &t->data->tracks[track];
    number_all(t, (uint32_t)track);
    fprintf(out,
            "%s{\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,"
            "\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],\"isMainThread\":%s,"
            "\"pid\":\"1\",\"tid\":%zu,\n\"name\":",
            track ? ",\n" : "\n", track ? "false" : "true", track + 1);
    clean_json(out, spans_track_at(t->x->spans, track)->name);
    fputs(",\"processName\":", out);
    clean_json(out, t->x->recording->elf[0] ? t->x->recording->elf : "target");
    fputs(",\n", out);
    put_samples(t);
    put_markers(t);
    put_stacks(t);
    put_frames(t);
    put_functions(t);
    fputs("\"resourceTable\":{\"lib\":[],\"name\":[],\"host\":[],\"type\":[],\"length\":0},\n"
          "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],"
          "\"length\":0},\n",
          out);
    put_strings(t);
    fputs("}", out);
}

bool firefox_put(const struct trace_export *x, const struct firefox_data *data)
{
    struct thread t = {
        .x = x,
        .data = data,
        .nodes = malloc((data->tree.count + 1) * sizeof(uint32_t)),
        .function_of = malloc((x->functions.count + 1) * sizeof(uint32_t)),
        .functions = malloc((x->functions.count + 1) * sizeof(uint32_t)),
    };
    bool good = t.nodes && t.function_of && t.functions;

    if (good)
        put_meta(x);
    for (size_t i = 0; i < data->count && good && !trace_export_is_stopped(x); i++)
        put_thread(&t, i);
    if (good)
        fputs("]}\n", x->out);
    free(t.nodes);
    free(t.function_of);
    free(t.functions);
    return good;
}
