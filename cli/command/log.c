/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof log: what is in a folder of snapshots, and how functions went through it. */
#define _POSIX_C_SOURCE 200809L

#include <table/log.h>

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <base/text.h>
#include <history/trend.h>
#include <load/files.h>
#include <options/help.h>
#include <table/trend.h>
#include <term/colour.h>

#include "verbs.h"

/* In a file or a pipe lines have no edge. */
static struct view_page page_of(const struct options *o)
{
    bool edge = !o->output && o->format == FORMAT_TABLE;

    return (struct view_page){.width = edge ? output_width(STDOUT_FILENO) : 0,
                              .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};
}

/* Takes text: what a view made, NULL: no memory. */
static int print(const struct options *o, char *text)
{
    char *all = o->format == FORMAT_JSON ? text_with_newline(text) : text;

    if (!all)
        return fail("out of memory");
    int status = output_write(o->output, all);
    free(all);
    return signals_pending() ? STATUS_DONE : status;
}

static struct view_log_entry entry_of(const struct history *h, size_t i)
{
    const struct history_entry *e = &h->entries[i];

    return (struct view_log_entry){
        .number = i,
        .time_ns = e->time_ns,
        .duration_s = e->duration_ns > 0 ? (double)e->duration_ns * 1e-9 : -1,
        .file = history_file(e),
        .build = e->build,
        .differs = e->differs,
        .elf = e->elf,
        .target = e->target,
        .sampler = e->sampler,
        .unit = e->unit,
        .hits = e->hits,
        .runs = e->runs,
        .function = e->function,
        .share = e->share,
    };
}

static int print_list(const struct options *o, const struct history *h)
{
    size_t count = o->limit && o->limit < h->count ? o->limit : h->count;
    struct view_log_entry *entries = calloc(count + 1, sizeof(*entries));
    const struct view_log log = {.folder = h->folder,
                                 .entries = entries,
                                 .count = count,
                                 .all = h->count,
                                 .skipped = h->skipped};
    const struct view_page page = page_of(o);

    if (!entries)
        return fail("out of memory");
    for (size_t i = 0; i < count; i++)
        entries[i] = entry_of(h, i);
    int status = print(o, view_log(&log, o->format, &page));
    free(entries);
    return status;
}

static bool is_stopped(void)
{
    return signals_pending() != 0;
}

static int print_trends(const struct options *o, const struct history *h)
{
    const struct history_question question = {.pattern = o->operands[0],
                                              .limit = o->limit,
                                              .stop = is_stopped,
                                              .skip = files_say_skipped};
    const struct view_page page = page_of(o);
    struct view_trends trends;
    char text[600];
    int status = STATUS_DONE;

    if (!history_trend(h, &question, &trends, text, sizeof(text)))
        return fail(text);
    if (!signals_pending())
        status = print(o, view_trends(&trends, o->format, &page));
    history_trend_free(&trends);
    return status;
}

static int show(const struct options *o)
{
    struct history history = {.folder = NULL};
    int status = files_history(o, o->operand_count == 0, &history);

    if (status == STATUS_DONE && !signals_pending())
        status = o->operand_count ? print_trends(o, &history) : print_list(o, &history);
    history_free(&history);
    return status;
}

int command_log(const struct command *self, int argc, char **argv)
{
    struct options options;
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    if (options.operand_count > 1) {
        complain("unexpected argument '%s'; for several functions quote a pattern, like 'fir_*'",
                 options.operands[1]);
        return STATUS_USAGE;
    }
    if (!options.store)
        return help_missing(self,
                            "missing folder of snapshots: give --store DIR or set MPROF_STORE");
    if (signals_begin() < 0)
        return STATUS_FAILED;
    status = show(&options);
    return signals_end(status, false);
}
