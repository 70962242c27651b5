/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words become ranges of addresses, which the stub ignores. */
#include "stub_ranges.h"

#include <string.h>

#include <base/say.h>
#include <control/stub_control.h>
#include <load/addr_ranges.h>
#include <ranking/ignore.h>

static size_t room_of(const struct control *c)
{
    return c->objects[0].header->blocks[DECODE_FILTER].count;
}

static int write_ranges(struct control *c, const struct addr_ranges *r)
{
    size_t room = room_of(c);
    int status = STATUS_DONE;

    if (r->count > room) {
        complain(
            "these are %zu ranges of code, and the stub can ignore %zu; build it with a larger "
            "MPROF_IGNORE_CNT",
            r->count, room);
        return STATUS_FAILED;
    }
    for (size_t i = 0; i < c->count; i++) {
        for (size_t n = 0; status == STATUS_DONE && n < room; n++) {
            struct addr_range range = n < r->count ? r->all[n] : (struct addr_range){0};
            struct control_write writes[CONTROL_RANGE_WRITES];
            control_range(c->objects[i].header, n, range.start, range.end, writes);
            status = stub_write(c, c->objects[i].header, writes, CONTROL_RANGE_WRITES);
        }
    }
    return status;
}

int stub_rules(char **words, const char *what, struct view_ignore *rules)
{
    char text[300];

    rules->count = 0;
    if (strcmp(words[0], "none") == 0 && !words[1])
        return STATUS_DONE;
    for (; words[0]; words++) {
        if (!view_ignore_parse(words[0], rules, text, sizeof(text))) {
            complain("control %s: %s", what, text);
            return STATUS_USAGE;
        }
    }
    return STATUS_DONE;
}

int stub_ranges(struct control *control, const struct view_ignore *rules,
                struct addr_ranges *ranges)
{
    return addr_ranges_add_rules(ranges, rules, control->session->elf.symtab,
                                 8 * control->objects[0].header->addr_size,
                                 control->session->elf.path);
}

static int fail_filter(void)
{
    return fail("this firmware's stub cannot ignore: build it with MPROF_IGNORE_CNT 4, or hide "
                "rows with 'mprof top --ignore'");
}

int stub_ignore(struct control *control, char **words)
{
    static struct view_ignore rules;
    struct addr_ranges ranges = {.all = NULL};

    if (room_of(control) == 0)
        return fail_filter();
    int status = stub_rules(words, "ignore", &rules);
    if (status == STATUS_DONE)
        status = stub_ranges(control, &rules, &ranges);
    if (status == STATUS_DONE)
        status = write_ranges(control, &ranges);
    addr_ranges_free(&ranges);
    return status;
}

int control_ignore_also(struct session *session, uint64_t start, uint64_t end)
{
    struct control c = {.session = session};
    struct addr_ranges ranges = {.all = NULL};
    int status = stub_look_to_change(&c, "ignore");

    if (status != STATUS_DONE)
        return status;
    if (room_of(&c) == 0)
        return fail_filter();
    bool fits = addr_ranges_add(&ranges, start, end);
    for (size_t i = 0; fits && i < room_of(&c); i++) {
        uint64_t from, to;
        if (decode_range(c.objects[0].bytes, c.objects[0].header, i, &from, &to))
            fits = addr_ranges_add(&ranges, from, to);
    }
    status = fits ? write_ranges(&c, &ranges) : fail("out of memory");
    addr_ranges_free(&ranges);
    return status;
}
