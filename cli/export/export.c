/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats, and an export from its begin to its end. */
#include <export/export.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

const struct exporter exporters[] = {
    {.name = "callgrind",
     .help = "for KCachegrind and callgrind_annotate",
     .all = true,
     .traces = true,
     .ops = &callgrind_ops},
    {.name = "gmon", .help = "gmon.out, for gprof", .binary = true, .ops = &gmon_ops},
    {.name = "folded",
     .help = "one line per stack, for flame graphs",
     .one = true,
     .traces = true,
     .ops = &folded_ops},
    {.name = "speedscope", .help = "for speedscope", .traces = true, .ops = &speedscope_ops},
    {.name = "chrome", .help = "Chrome trace JSON, for Perfetto", .traces = true},
    {.name = "uftrace", .help = "a folder for uftrace", .folder = true, .traces = true},
    {.name = "ctf", .help = "a CTF 1.8 folder, for babeltrace2", .folder = true, .traces = true},
    {.name = "firefox", .help = "for the Firefox Profiler", .traces = true},
    {.name = "pprof",
     .help = "calls and self time by stack, for pprof",
     .binary = true,
     .traces = true},
    {.name = "csv", .help = "one line per sample", .all = true, .ops = &csv_ops},
    {.name = "json", .help = "everything as one JSON object", .all = true, .ops = &json_ops},
    {.name = "html", .help = "a self-contained HTML page", .one = true, .ops = &html_ops},
    {.name = NULL},
};

const struct exporter *exporter_find(const char *name)
{
    for (const struct exporter *x = exporters; x->name; x++) {
        if (strcmp(x->name, name) == 0)
            return x;
    }
    return NULL;
}

static bool run(struct export *e, const struct exporter_ops *ops)
{
    if (ops->begin && !ops->begin(e))
        return false;
    if (!export_walk(e, ops->sample) || (ops->end && !ops->end(e)))
        return false;
    return !export_is_stopped(e) || export_fail(e, EXPORT_ESTOPPED, "stopped");
}

enum export_code export_write(const struct exporter *exporter, const struct export_source *sources,
                              size_t count, const char *title, FILE *out, int (*stopped)(void),
                              char *text, size_t capacity)
{
    const struct exporter_ops *ops = exporter->ops;
    struct export e = {.sources = sources,
                       .source_count = count,
                       .title = title,
                       .out = out,
                       .stopped = stopped,
                       .state = calloc(1, ops->state_size + 1),
                       .text = text,
                       .capacity = capacity};

    if (!e.state)
        return export_no_memory(&e), e.code;
    errno = 0;
    if (run(&e, ops) && (fflush(out) != 0 || ferror(out)))
        (void)export_fail(&e, EXPORT_EWRITE, "%s", errno ? strerror(errno) : "the disk is full");
    if (ops->clean)
        ops->clean(&e);
    free(e.state);
    function_table_free(&e.table);
    return e.code;
}
