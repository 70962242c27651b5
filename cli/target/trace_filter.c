/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points the stub's filter of the trace at functions, and takes it back. */
#include <target/trace_filter.h>

#include <base/say.h>
#include <options/options.h>
#include <target/watch_trace.h>

#include "stub_ranges.h"

static int look_up(struct trace_filter *f, struct session *s)
{
    const struct options *o = s->options;
    unsigned bits = 8 * symtab_elf(s->elf.symtab)->addr_size;
    struct code_ranges unwanted = {.all = NULL};
    int status = STATUS_DONE;

    if (o->traced.count != 0)
        status = code_ranges_add_rules(&f->ranges, &o->traced, s->elf.symtab, bits, s->elf.path);
    else if (!code_ranges_add(&f->ranges, 0, UINT64_MAX))
        status = fail("out of memory");
    if (status == STATUS_DONE)
        status = code_ranges_add_rules(&unwanted, &o->not_traced, s->elf.symtab, bits, s->elf.path);
    if (status == STATUS_DONE && !code_ranges_remove(&f->ranges, &unwanted))
        status = fail("out of memory");
    code_ranges_free(&unwanted);
    if (status == STATUS_DONE && f->ranges.count == 0)
        status = fail("--filter and --not leave no function to trace");
    f->named = status == STATUS_DONE;
    return status;
}

static bool is_as_asked(const struct trace_filter *f, const struct watch *w)
{
    for (unsigned core = 0; core < w->profile.cores; core++) {
        const struct decode_trace trace = watch_trace(w, core);
        if (!trace.filtered || trace.traced != f->traced[core])
            return false;
    }
    return true;
}

/* No host has chosen functions since the firmware started. */
static bool is_new(const struct watch *w)
{
    for (unsigned core = 0; core < w->profile.cores; core++) {
        if (watch_trace(w, core).traced != 0)
            return false;
    }
    return true;
}

/* What the stub has no room for, it records too, and it is left out here. */
static int ask(struct trace_filter *f, struct session *s)
{
    struct control control = {.session = s};
    struct code_ranges ranges = {.all = NULL};
    int status = stub_look_to_change(&control, "--filter");
    size_t most = status == STATUS_DONE ? control_traced_most(control.objects[0].header) : 0;

    if (status != STATUS_DONE || most == 0) {
        if (status == STATUS_DONE && !f->told)
            complain("the stub has no filter and records all functions, of which mprof prints those "
                     "you want; build it with MPROF_TRACED_CNT 8");
        f->told = true;
        return status;
    }
    bool copied = code_ranges_copy(&ranges, &f->ranges);
    code_ranges_join(&ranges, most);
    if (copied && ranges.count < f->ranges.count && !f->asked)
        complain("these functions are %zu ranges of code, and the stub has room for %zu: it also "
                 "records what is between them, which is left out here",
                 f->ranges.count, most);
    status = copied ? stub_trace_only(&control, &ranges, f->traced) : fail("out of memory");
    f->asked = status == STATUS_DONE;
    code_ranges_free(&ranges);
    return status;
}

int trace_filter_follow(struct trace_filter *filter, struct watch *watch)
{
    const struct options *o = watch->session.options;
    int status = STATUS_DONE;

    filter->wanted = o->traced.count != 0 || o->not_traced.count != 0;
    if (!filter->wanted || !watch->fresh)
        return STATUS_DONE;
    if (!filter->named)
        status = look_up(filter, &watch->session);
    if (status != STATUS_DONE || target_is_dump(o) || is_as_asked(filter, watch))
        return status;
    if (!filter->asked || is_new(watch))
        return ask(filter, &watch->session);
    if (!filter->told)
        complain("another mprof has changed which functions the stub records: events are missing");
    filter->told = true;
    return STATUS_DONE;
}

bool trace_filter_lets(const struct trace_filter *filter, uint64_t callee)
{
    return !filter->wanted || code_ranges_have(&filter->ranges, callee);
}

void trace_filter_end(struct trace_filter *filter, struct watch *watch)
{
    struct control control = {.session = &watch->session};

    if (filter->asked && watch->session.link && stub_look(&control) == STATUS_DONE)
        stub_trace_all(&control, filter->traced);
    code_ranges_free(&filter->ranges);
}
