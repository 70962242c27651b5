/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that the trace records. */
#include "stub_traced.h"

#include <base/say.h>

#include "stub_ranges.h"

/* The last entry ends the list. It comes first, and the entry before it next: so there is an end
 * ahead of an event that searches the list since before it was given up. */
static int write_list(struct control *c, const struct decode_header *h, const struct addr_ranges *r)
{
    struct control_write writes[CONTROL_TRACED_WRITES];
    uint64_t last = h->addr_size == 4 ? UINT32_MAX : UINT64_MAX;
    int status = STATUS_DONE;

    for (size_t i = r->count + 1; status == STATUS_DONE && i-- > 0;) {
        struct addr_range range = {.start = last, .end = last};
        if (i < r->count)
            range = (struct addr_range){.start = r->all[i].start,
                                        .end = r->all[i].end < last ? r->all[i].end : last - 1};
        control_traced(h, i, range.start, range.end, writes);
        status = stub_write(c, h, writes, CONTROL_TRACED_WRITES);
    }
    return status;
}

int stub_trace_only(struct control *control, const struct addr_ranges *ranges,
                    uint32_t traced[DECODE_MAX_CORES])
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < control->count; i++) {
        const struct decode_header *h = control->objects[i].header;
        struct control_write writes[] = {control_choose_traced(h, &traced[h->core]),
                                         control_filter_switch(h, true)};
        status = write_list(control, h, ranges);
        if (status == STATUS_DONE)
            status = stub_write(control, h, writes, sizeof(writes) / sizeof(writes[0]));
    }
    return status;
}

int stub_trace_all(struct control *control, const uint32_t *traced)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < control->count; i++) {
        const struct decode_header *h = control->objects[i].header;
        struct control_write w = control_filter_switch(h, false);
        if (h->filtered && (!traced || h->traced == traced[h->core]))
            status = stub_write(control, h, &w, 1);
    }
    return status;
}

int stub_filter(struct control *control, char **words)
{
    static struct view_ignore rules;
    struct addr_ranges ranges = {.all = NULL};
    size_t most = control_traced_most(control->objects[0].header);
    uint32_t traced[DECODE_MAX_CORES];

    if (most == 0)
        return fail(
            "this firmware's stub cannot filter a trace: build it with MPROF_TRACE_CNT 1024 "
            "and MPROF_TRACED_CNT 8");
    int status = stub_rules(words, "filter", &rules);
    if (status != STATUS_DONE || rules.count == 0)
        return status == STATUS_DONE ? stub_trace_all(control, NULL) : status;
    status = stub_ranges(control, &rules, &ranges);
    if (status == STATUS_DONE && ranges.count > most) {
        complain("these functions are %zu ranges of code, and the stub has room for %zu; build it "
                 "with a larger MPROF_TRACED_CNT",
                 ranges.count, most);
        status = STATUS_FAILED;
    }
    if (status == STATUS_DONE)
        status = stub_trace_only(control, &ranges, traced);
    addr_ranges_free(&ranges);
    return status;
}
