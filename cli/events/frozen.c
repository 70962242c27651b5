/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says of a trace that the firmware has stopped when and in which exception it did so. */
#include <events/frozen.h>

#include <inttypes.h>
#include <stdio.h>

#include <base/say.h>
#include <options/options.h>
#include <symbol/vectors.h>

#define LABEL_MAX 200

static void say(const struct watch *w, unsigned core, const struct decode_trace *trace)
{
    const struct vectors *vectors = view_contexts_vectors(w->session.contexts);
    const struct decode_frozen *f = &trace->frozen;
    char whose[40] = "", label[LABEL_MAX], where[LABEL_MAX + 40] = "", when[WATCH_FROZEN];

    if (w->profile.cores > 1 && !trace->threads)
        snprintf(whose, sizeof(whose), " of core %u", core);
    if (f->exception != 0) {
        vectors_label(vectors, f->exception, label, sizeof(label));
        snprintf(where, sizeof(where), " in exception %u, %s", f->exception, label);
    }
    watch_frozen_when(f, when);
    complain("the firmware stopped the trace%s%s%s%s by mprof_trace_freeze()%s", whose, where, when,
             where[0] || when[0] ? "," : "",
             target_is_dump(w->options) ? "" : "; 'mprof control reset' starts a new trace");
}

/* The threads of a process stop together. */
bool trace_frozen_say(struct trace_frozen *frozen, const struct watch *watch)
{
    unsigned recording = 0, stopped = 0;

    for (unsigned core = 0; watch->fresh && core < DECODE_MAX_CORES; core++) {
        const struct decode_trace trace = watch_trace(watch, core);

        recording += trace.head != 0 && !trace.frozen.is;
        if (trace.frozen.is && !frozen->said[core] && !(trace.threads && stopped != 0))
            say(watch, core, &trace);
        frozen->said[core] = trace.frozen.is;
        stopped += trace.frozen.is;
    }
    return stopped != 0 && recording == 0;
}
