/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace of a target lacks, and why there are no events. */
#include <events/remarks.h>

#include <inttypes.h>
#include <limits.h>

#include <base/say.h>
#include <options/options.h>
#include <target/silence.h>

static void say_uncounted(struct trace_remarks *r)
{
    if (r->watch->fresh && watch_trace(r->watch, 0).uncounted && !r->is_uncounted) {
        r->is_uncounted = true;
        complain(
            "the counter of %s is an index that begins at 0 again: events that are overwritten "
            "before they are read may be missing without a line",
            r->watch->options->symbol);
    }
}

/* At the first reading: what all events lack. */
static void say_lacks(const struct trace_remarks *r, bool dump)
{
    const struct decode_trace trace = watch_trace(r->watch, 0);
    bool sent = r->watch->options->link.records != NULL;

    if (r->watch->session.elf.guessed[0])
        complain("the counter of %s is taken to be %s; --symbol %s,NAME names another one",
                 r->watch->options->symbol, r->watch->session.elf.guessed,
                 r->watch->options->symbol);
    if (!trace.timed && trace.foreign)
        complain("the events have no times: records of %s have no time, timestamp, ts, tsc or "
                 "cycles of 4 or 8 bytes",
                 r->watch->options->symbol);
    else if (!trace.timed)
        complain("the events have no times: the core has no cycle counter, or it does not count; "
                 "build the stub with MPROF_TIME, or on a Cortex-M with MPROF_TIME_SYSTICK");
    if (trace.filtered && !r->filter->wanted)
        complain("the stub records only some functions; 'mprof control filter none' makes it "
                 "record all");
    if (trace.unhooked != 0)
        complain("%" PRIu32 " calls have no exit, as too many others had not returned; build the "
                 "stub with a larger MPROF_TRACE_RETURNS",
                 trace.unhooked);
    if (r->program) {
        if (r->watch->options->arguments && !r->watch->session.program)
            complain("strings and structures are not read: the program has ended");
    } else if (r->watch->options->arguments && (dump || !r->watch->session.server.live))
        complain("strings and structures are not read: %s",
                 sent   ? "records have only the trace"
                 : dump ? "a dump has only the trace"
                        : "this link halts the target for each read");
}

/* Whether no events by now are no events at all: a target has had a second to call a function; a
 * program may call the first one at its end. */
static bool is_silent(const struct trace_remarks *r, uint64_t lost, bool dump, bool final)
{
    unsigned enough = dump ? 1 : 2;

    return !r->taken && lost == 0 && (r->program ? final : r->readings == enough);
}

/* What all events lack and what is switched off, and why there are none: each once. */
static void say_limits(struct trace_remarks *r, uint64_t lost, bool final)
{
    const struct profile *p = &r->watch->profile;
    bool sent = r->watch->options->link.records != NULL,
         dump = target_is_dump(r->watch->options) && !sent;
    char text[SILENCE_TEXT];

    if (!r->watch->fresh)
        return;
    r->readings += r->readings < UINT_MAX;
    bool off = silence_switch(p, dump, text);
    if (r->readings == 1)
        say_lacks(r, dump);
    if (r->readings == 1 && off)
        complain("no new events: %s", text);
    if (off || !is_silent(r, lost, dump, final))
        return;
    if (silence_firmware(p, dump, text))
        complain("no events: %s", text);
    else if (!sent) /* else records may come as long as it has not ended */
        complain("no events: %s", dump && !r->program ? "the dump has none"
                                                      : "no function with a call hook was called");
}

/* Bytes that were damaged, or came before the first header, may have been records. */
static void say_what_came(const struct trace_remarks *r, uint64_t lost)
{
    const char *path = r->watch->options->link.records;
    uint64_t left_out;

    if (!watch_has_ended(r->watch, &left_out))
        return;
    if (left_out != 0)
        complain("%s: %" PRIu64 " bytes were left out: they are damaged, cut off, or were sent "
                 "before the first header",
                 path, left_out);
    else if (!r->taken && lost == 0)
        complain("%s: no events: it has a header and no records", path);
}

/* Their calls are in one ring, and nothing tells whose they are. */
static void say_sharing(const struct trace_remarks *r)
{
    unsigned cores = r->watch->profile.cores;

    if (cores == 0)
        return;
    const struct decode_trace last = watch_trace(r->watch, cores - 1);
    if (last.sharing != 0 && !last.tasks)
        complain(
            "%s%u threads are shown as thread %u: they share a ring, and their calls are mixed; "
            "build the stub with a larger MPROF_THREADS, or with MPROF_TASK",
            last.sharing == UINT8_MAX ? "at least " : "", last.sharing + 1, cores - 1);
}

void trace_remarks_read(struct trace_remarks *remarks, uint64_t lost, bool final)
{
    say_uncounted(remarks);
    say_limits(remarks, lost, final);
}

void trace_remarks_end(const struct trace_remarks *remarks, uint64_t lost, bool begun)
{
    say_what_came(remarks, lost);
    if (begun)
        say_sharing(remarks);
}
