/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points the stub's filter of the trace at functions, and takes it back. */
#include <control/trace_filter.h>

#include <stdio.h>
#include <string.h>

#include <base/say.h>
#include <options/options.h>
#include <target/watch_trace.h>

#include "stub_traced.h"

/* The functions of --between or --worst, of which one is given. */
static int add_times(const struct session *s, struct addr_ranges *ranges)
{
    const struct option_trigger *between = &s->options->between;
    struct view_ignore rules = s->options->worst;

    for (size_t i = 0; i < between->functions.count; i++)
        if (between->moments[i].at != OPTION_MARK)
            rules.rules[rules.count++] = between->functions.rules[i];
    return trace_filter_add_rules(s, &rules, ranges);
}

/* What is measured is recorded, whatever else is left out. */
static int look_up(struct trace_filter *f, struct session *s)
{
    const struct options *o = s->options;
    unsigned bits = 8 * symtab_elf(s->elf.symtab)->addr_size;
    struct addr_ranges unwanted = {.all = NULL};
    int status = STATUS_DONE;

    if (o->traced.count != 0)
        status = addr_ranges_add_rules(&f->ranges, &o->traced, s->elf.symtab, bits, s->elf.path);
    else if (!addr_ranges_add(&f->ranges, 0, UINT64_MAX))
        status = fail("out of memory");
    if (status == STATUS_DONE)
        status = addr_ranges_add_rules(&unwanted, &o->not_traced, s->elf.symtab, bits, s->elf.path);
    if (status == STATUS_DONE && !addr_ranges_remove(&f->ranges, &unwanted))
        status = fail("out of memory");
    addr_ranges_free(&unwanted);
    if (status == STATUS_DONE)
        status = add_times(s, &f->ranges);
    if (status == STATUS_DONE && f->ranges.count == 0)
        status = fail("--filter and --not leave no function to trace");
    return status;
}

enum answer {
    AS_ASKED,
    NOT_ASKED,
    CHANGED, /* by another host */
};

/* What a core records. One that has begun no record yet may be none, or not have started. */
static enum answer answer_of(const struct trace_filter *f, const struct watch *w, unsigned core)
{
    const struct decode_trace trace = watch_trace(w, core);

    if (trace.head == 0 || (trace.filtered && trace.traced == f->traced[core]))
        return AS_ASKED;
    return trace.traced == 0 ? NOT_ASKED : CHANGED;
}

static enum answer answer(const struct trace_filter *f, const struct watch *w)
{
    enum answer worst = AS_ASKED;

    for (unsigned core = 0; core < DECODE_MAX_CORES; core++) {
        enum answer one = answer_of(f, w, core);
        worst = one > worst ? one : worst;
    }
    return worst;
}

int trace_filter_add_rules(const struct session *session, const struct view_ignore *rules,
                           struct addr_ranges *ranges)
{
    const struct elf_file *elf = &session->elf;

    return addr_ranges_add_rules(ranges, rules, elf->symtab, 8 * symtab_elf(elf->symtab)->addr_size,
                                 elf->path);
}

/* The events at which printing starts and stops must be recorded. */
static int add_triggers(const struct session *s, struct addr_ranges *ranges)
{
    int status = trace_filter_add_rules(s, &s->options->start_at.functions, ranges);

    return status == STATUS_DONE ? trace_filter_add_rules(s, &s->options->stop_at.functions, ranges)
                                 : status;
}

/* What the stub has no room for, it records too, and it is left out here. */
static int ask(struct trace_filter *f, struct session *s)
{
    struct control control = {.session = s};
    struct addr_ranges ranges = {.all = NULL};
    int status = stub_look_to_change(&control, "--filter");
    size_t most = status == STATUS_DONE ? control_traced_most(control.objects[0].header) : 0;

    if (status != STATUS_DONE)
        return status;
    if (most == 0) {
        complain("the stub has no filter and records all functions, of which mprof prints those "
                 "you want; build it with MPROF_TRACED_CNT 8");
        f->without = true;
        return STATUS_DONE;
    }
    status =
        addr_ranges_copy(&ranges, &f->ranges) ? add_triggers(s, &ranges) : fail("out of memory");
    size_t count = ranges.count;
    addr_ranges_join(&ranges, most);
    if (status == STATUS_DONE && ranges.count < count && !f->asked)
        complain("these functions are %zu ranges of code, and the stub has room for %zu: it also "
                 "records what is between them, which is left out here",
                 count, most);
    f->asked |= status == STATUS_DONE;
    if (status == STATUS_DONE)
        status = stub_trace_only(&control, &ranges, f->traced);
    addr_ranges_free(&ranges);
    return status;
}

/* Another file has the functions elsewhere. */
static bool is_same_build(struct trace_filter *f, struct session *s)
{
    const char *build = symtab_build(s->elf.symtab);

    if (f->symtab == s->elf.symtab && strcmp(f->build, build) == 0)
        return true;
    f->symtab = s->elf.symtab;
    snprintf(f->build, sizeof(f->build), "%s", build);
    addr_ranges_free(&f->ranges);
    return false;
}

int trace_filter_follow(struct trace_filter *filter, struct watch *watch)
{
    const struct options *o = watch->session.options;
    struct session *s = &watch->session;
    bool renewed = false;

    filter->wanted = o->traced.count != 0 || o->not_traced.count != 0;
    bool times = o->between.functions.count != 0 || o->worst.count != 0;
    if ((!filter->wanted && !times) || !watch->fresh)
        return STATUS_DONE;
    if (!is_same_build(filter, s)) {
        int status = look_up(filter, s);
        if (status != STATUS_DONE)
            return status;
        renewed = true;
    }
    if (!filter->wanted)
        return STATUS_DONE;
    bool is_dump = target_is_dump(o) && o->program == 0;
    if (is_dump || filter->without || s->elf.kind == SYMTAB_TABLE_RING)
        return STATUS_DONE;
    enum answer now = answer(filter, watch);
    if (renewed || now == NOT_ASKED)
        return ask(filter, s);
    if (now == CHANGED && !filter->told)
        complain("another mprof has changed which functions the stub records: events are missing");
    filter->told |= now == CHANGED;
    return STATUS_DONE;
}

bool trace_filter_lets(const struct trace_filter *filter, uint64_t callee)
{
    return !filter->wanted || addr_ranges_have(&filter->ranges, callee);
}

void trace_filter_end(struct trace_filter *filter, struct watch *watch)
{
    struct control control = {.session = &watch->session};
    bool is_process = watch->session.options->link.pid != 0;

    if (filter->asked && (watch->session.link || !is_process) &&
        (!watch->session.link || stub_look(&control) != STATUS_DONE ||
         stub_trace_all(&control, filter->traced) != STATUS_DONE))
        complain("the stub may still record only some functions: 'mprof control filter none' makes "
                 "it record all");
    addr_ranges_free(&filter->ranges);
}
