/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metadata of a CTF folder, in TSDL. All members are of whole bytes. */
#include "ctf_metadata.h"

#include <inttypes.h>

#include <export/clean.h>

#define NS_PER_S 1000000000

static const char types[] =
    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; base = 16; } := address_t;\n\n"
    "trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n"
    "\tpacket.header := struct { uint32_t magic; uint32_t stream_id; };\n};\n\n";

static const char stream[] =
    "typealias integer { size = 64; align = 8; signed = false; map = clock.mprof.value; } := "
    "time_t;\n\n"
    "stream {\n\tid = 0;\n"
    "\tevent.header := struct { uint8_t id; time_t timestamp; };\n"
    "\tpacket.context := struct {\n\t\ttime_t timestamp_begin;\n\t\ttime_t timestamp_end;\n"
    "\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n\t\tuint32_t core;\n"
    "\t\tstring context;\n\t};\n};\n\n";

static const struct {
    enum ctf_event id;
    const char *name, *members;
} events[] = {
    {CTF_ENTRY, "entry",
     "enum function_name function; address_t address; address_t caller; uint32_t depth; string "
     "arguments;"},
    {CTF_EXIT, "exit",
     "enum function_name function; address_t address; address_t caller; uint32_t depth; int64_t "
     "duration_ns; enum end_name end;"},
    {CTF_MARK, "mark", "uint64_t id; uint64_t value;"},
    {CTF_LOST, "lost", "uint32_t core; uint64_t events; string reason;"},
    {CTF_RESTART, "restart", "uint32_t core; uint64_t unused; string empty;"},
    {CTF_DAMAGED, "damaged", "uint32_t core; uint64_t bytes; string empty;"},
    {CTF_RECORDING, "recording", "uint32_t core; uint64_t unused; string elf;"},
    {CTF_ASLEEP, "asleep", "uint32_t core;"},
    {CTF_AWAKE, "awake", "uint32_t core; int64_t slept_ns;"},
};

static void put_quoted(FILE *file, const char *text)
{
    putc('"', file);
    clean_line(file, text, "\"\\");
    putc('"', file);
}

static void put_environment(const struct trace_export *x, FILE *file)
{
    fputs("env {\n\ttracer_name = \"mprof\";\n\tfile = ", file);
    put_quoted(file, x->source.title);
    fputs(";\n\telf = ", file);
    put_quoted(file, x->recording->elf);
    fprintf(file, ";\n\ttimes = \"%s\";\n};\n\n", trace_export_clock(x));
}

/* With times in seconds, the time line begins when the first recording did. */
static void put_clock(const struct trace_export *x, FILE *file)
{
    int64_t ns = x->source.seconds ? x->time_ns : 0;

    fprintf(file,
            "clock {\n\tname = mprof;\n\tfreq = %d;\n\toffset_s = %" PRId64 ";\n\toffset = %" PRId64
            ";\n};\n\n",
            NS_PER_S, ns / NS_PER_S, ns % NS_PER_S);
}

static void put_functions(const struct trace_export *x, FILE *file)
{
    char buffer[TRACE_EXPORT_ADDRESS];

    fputs("enum function_name : uint32_t {\n", file);
    for (uint32_t i = 0; i < x->functions.count; i++) {
        putc('\t', file);
        put_quoted(file, trace_export_name(x, i, buffer));
        fprintf(file, " = %" PRIu32 ",\n", i);
    }
    if (x->functions.count == 0)
        fputs("\tnone = 0,\n", file);
    fputs("};\n\n", file);
    fprintf(
        file,
        "enum end_name : uint8_t { returned = %d, jumped_over = %d, lost = %d, open = %d };\n\n",
        SPAN_RETURNED, SPAN_JUMPED, SPAN_LOST, SPAN_OPEN);
}

void ctf_metadata_put(const struct trace_export *x, FILE *file)
{
    fputs("/* CTF 1.8 */\n\n", file);
    fputs(types, file);
    put_environment(x, file);
    put_clock(x, file);
    fputs(stream, file);
    put_functions(x, file);
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
        fprintf(file,
                "event {\n\tname = \"%s\";\n\tid = %d;\n\tstream_id = 0;\n\tfields := struct { %s "
                "};\n};\n\n",
                events[i].name, events[i].id, events[i].members);
}
