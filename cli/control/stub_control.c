/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of mprof control. */

#include <control/stub_control.h>

#include <inttypes.h>
#include <string.h>

#include <base/number.h>
#include <base/say.h>
#include <load/annotate_find.h>
#include <target/watch_trace.h>

#include "stub_ranges.h"
#include "stub_traced.h"
#include <target/stub_request.h>

static int usage(const char *what, const char *word)
{
    complain("%s'%s'; 'mprof control --help' lists the actions", what, word);
    return STATUS_USAGE;
}

static int missing(const char *what)
{
    complain("missing argument: %s; 'mprof control --help' lists the actions", what);
    return STATUS_USAGE;
}

static void print_switches(const struct decode_header *h)
{
    const char *word;

    for (size_t i = 0; (word = control_word(i)) != NULL; i++)
        if (control_has(h, word))
            printf(" %s=%s", word, control_is_on(h, control_switch(word)) ? "on" : "off");
    putchar('\n');
}

static void print_blocks(const struct decode_header *h)
{
    printf("blocks  ");
    for (int source = 0; source < DECODE_SOURCES; source++) {
        if (h->blocks[source].count != 0)
            printf(" %s(%zu)", decode_source_name((enum decode_source)source),
                   h->blocks[source].count);
    }
    putchar('\n');
}

static void print_range(struct control *c, const char *what, uint64_t start, uint64_t end)
{
    const struct symtab_function *f =
        session_has_names(c->session) ? symtab_find(c->session->elf.symtab, start) : NULL;

    printf("%-8s 0x%" PRIx64 "-0x%" PRIx64 " %s\n", what, start, end, f ? f->name : "");
}

static void print_ignored(struct control *c, const struct profile_object *object)
{
    uint64_t start, end;

    for (size_t i = 0; i < object->header->blocks[DECODE_FILTER].count; i++) {
        if (decode_range(object->bytes, object->header, i, &start, &end))
            print_range(c, "ignores", start, end);
    }
}

static void print_traced(struct control *c, const struct profile_object *object)
{
    const struct decode_header *h = object->header;
    uint64_t start, end;

    for (size_t i = 0; decode_traced(object->bytes, h, i, &start, &end); i++)
        print_range(c, "traces", start, end);
}

static void print_frozen(const struct decode_header *h)
{
    char when[WATCH_FROZEN];

    if (!h->frozen.is)
        return;
    printf("frozen   trace");
    if (h->frozen.exception != 0)
        printf(", in exception %u", h->frozen.exception);
    puts(watch_frozen_when(&h->frozen, when));
}

static void print_focus(struct control *c, const struct profile_object *object)
{
    const struct decode_header *h = object->header;
    const struct decode_block *b = &h->blocks[DECODE_FOCUS];

    if (b->count == 0)
        return;
    if (!h->focused) {
        puts("focus    off");
        return;
    }
    const struct decode_focus focus = decode_focus(object->bytes, h);
    print_range(c, "focus", focus.base, focus.base + b->count * b->block_size);
}

static void print_status(struct control *c, const struct profile_object *object)
{
    const struct decode_header *h = object->header;
    const char *firmware = control_firmware_state(h);

    printf("stub     ABI %u.%u, %s %u of %u, boot %" PRIu32 ", phase %" PRIu32 "%s%s\n",
           h->abi_major, h->abi_minor, h->threads ? "thread" : "core", h->core, h->cores, h->boot,
           h->phase, firmware ? ", the firmware says: " : "", firmware ? firmware : "");
    printf("events   %" PRIu32 ", lost %" PRIu32 ", ignored %" PRIu32 ", late %" PRIu32
           ", asleep %" PRIu32 ", other TrustZone side %" PRIu32 "\n",
           h->heartbeat, h->dropped, h->ignored, h->late, h->sleeping, h->other_side);
    printf("timer    %" PRIu32 " Hz%s%s%s\n", h->sample_hz, h->jittered ? ", jittered" : "",
           h->fixed ? ", fixed period" : "",
           h->locked ? ", LOCKED TO THE FIRMWARE'S TICK: shares are misleading" : "");
    print_blocks(h);
    printf("switches");
    if (h->small)
        puts(" none: built with MPROF_SMALL");
    else
        print_switches(h);
    print_focus(c, object);
    print_ignored(c, object);
    print_traced(c, object);
    print_frozen(h);
}

static int show_status(struct control *c, char **words)
{
    if (words[0])
        return usage("unexpected argument ", words[0]);
    for (size_t i = 0; i < c->count; i++) {
        if (!c->objects[i].header->unused)
            print_status(c, &c->objects[i]);
    }
    return STATUS_DONE;
}

static int fail_missing(const char *word)
{
    complain("this firmware's stub has no '%s'; 'mprof control status' lists what it has", word);
    return STATUS_FAILED;
}

static int switch_words(struct control *c, char **words, bool on)
{
    if (!words[0])
        return missing("timer, hooks, table, calls, arcs, stream, histogram, trace or sink");
    for (char **word = words; *word; word++) {
        if (control_switch(*word) == 0)
            return usage("no source ", *word);
        if (!control_has(c->objects[0].header, *word))
            return fail_missing(*word);
    }
    for (; words[0]; words++) {
        uint32_t bit = control_switch(words[0]);
        /* Two words may stand in one byte: so it is looked at before each. */
        int status = stub_look(c);
        for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
            struct control_write w = control_set(c->objects[i].header, bit, on);
            status = stub_write(c, c->objects[i].header, &w, 1);
        }
        if (status != STATUS_DONE)
            return status;
    }
    return STATUS_DONE;
}

static int switch_on(struct control *c, char **words)
{
    return switch_words(c, words, true);
}

static int switch_off(struct control *c, char **words)
{
    return switch_words(c, words, false);
}

static int reset(struct control *c, char **words)
{
    return words[0] ? usage("unexpected argument ", words[0]) : stub_reset(c);
}

static int ignore(struct control *c, char **words)
{
    if (!words[0])
        return missing("functions or address ranges to ignore, or 'none'");
    return stub_ignore(c, words);
}

static int filter(struct control *c, char **words)
{
    if (!words[0])
        return missing("functions, files or address ranges to trace, or 'none'");
    return stub_filter(c, words);
}

static int choose_tracer(struct control *c, char **words)
{
    static const char *const tracers[] = {"none", "calls", "arcs", "trace", "sink"};
    struct control_write writes[CONTROL_TRACER_WRITES];
    int status = STATUS_DONE;
    size_t n = 0;

    if (!words[0])
        return missing("none, calls, arcs, trace or sink");
    if (words[1])
        return usage("unexpected argument ", words[1]);
    while (n < sizeof(tracers) / sizeof(tracers[0]) && strcmp(tracers[n], words[0]) != 0)
        n++;
    if (n == sizeof(tracers) / sizeof(tracers[0]))
        return usage("no tracer ", words[0]);
    if (!control_has(c->objects[0].header, words[0]))
        return fail_missing(words[0]);
    for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
        size_t count = control_tracer(c->objects[i].header, words[0], writes);
        status = stub_write(c, c->objects[i].header, writes, count);
    }
    return status;
}

static int choose_phase(struct control *c, char **words)
{
    uint64_t phase = 0;

    if (!words[0])
        return missing("the number of a phase, or 'all'");
    if (words[1])
        return usage("unexpected argument ", words[1]);
    if (strcmp(words[0], "all") != 0) {
        const char *at = words[0];
        if (!number_take_size(&at, &phase) || *at || phase == 0 || phase > UINT32_MAX)
            return usage("not a phase number from 1, or 'all': ", words[0]);
    }
    return stub_choose_phase(c, (uint32_t)phase);
}

static int focus_off(struct control *c)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
        struct control_write w = control_focus_switch(c->objects[i].header, false);
        status = stub_write(c, c->objects[i].header, &w, 1);
    }
    return status;
}

/* end: of the focus, whose counters begin with the function's first part. */
static void say_covered(const struct annotation *a, const char *wanted, uint64_t end)
{
    const struct symtab_function *first = a->parts[0].function;
    uint64_t covered = first->size < end - first->addr ? first->size : end - first->addr;
    uint64_t size = 0;

    for (size_t i = 0; i < a->part_count; i++)
        size += a->parts[i].function->size;
    if (covered < size)
        printf("focus: only the first %" PRIu64 " of %" PRIu64 " bytes of %s; 'mprof annotate "
               "--focus' counts all of them, in turns\n",
               covered, size, wanted);
}

static int focus_on(struct control *c, const char *wanted)
{
    const struct symbol_naming names = symtab_naming(c->session->elf.symtab);
    const struct decode_block *b = &c->objects[0].header->blocks[DECODE_FOCUS];
    struct annotation annotation = {.steps = NULL};
    int status = annotate_find(wanted, c->session->elf.symtab, NULL, &names, &annotation);

    if (status == STATUS_DONE) {
        const struct symtab_function *f = annotation.parts[0].function;
        uint64_t base = f->addr - f->addr % b->block_size;
        status = stub_focus(c, base, true);
        if (status == STATUS_DONE)
            say_covered(&annotation, wanted, base + b->count * b->block_size);
    }
    annotate_free(&annotation);
    return status;
}

static int focus(struct control *c, char **words)
{
    if (!words[0])
        return missing("a function, or 'off'");
    if (words[1])
        return usage("unexpected argument ", words[1]);
    if (c->objects[0].header->blocks[DECODE_FOCUS].count == 0)
        return fail("this firmware's stub has no focus: build it with MPROF_FOCUS_CNT 256");
    return strcmp(words[0], "off") == 0 ? focus_off(c) : focus_on(c, words[0]);
}

int control_reset(struct session *session)
{
    struct control control = {.session = session};
    int status = stub_look_to_change(&control, "reset");

    return status == STATUS_DONE ? stub_reset(&control) : status;
}

int control_states(struct session *session, struct control_state states[CONTROL_STATES_MAX],
                   size_t *count)
{
    struct control c = {.session = session};
    const char *word;
    int status = stub_look_to_change(&c, "switches");

    *count = 0;
    for (size_t i = 0; status == STATUS_DONE && (word = control_word(i)) != NULL; i++) {
        const struct decode_header *h = c.objects[0].header;
        if (control_has(h, word) && *count < CONTROL_STATES_MAX)
            states[(*count)++] =
                (struct control_state){.word = word, .on = control_is_on(h, control_switch(word))};
    }
    return status;
}

static const struct {
    const char *word;
    int (*run)(struct control *c, char **words);
} actions[] = {
    {"status", show_status},   {"on", switch_on},       {"off", switch_off},
    {"reset", reset},          {"ignore", ignore},      {"filter", filter},
    {"tracer", choose_tracer}, {"phase", choose_phase}, {"focus", focus},
};

static int act(struct control *c, char **operands)
{
    static char word[] = "status";
    char *status_only[] = {word, NULL};
    char **words = operands[0] ? operands : status_only;

    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
        if (strcmp(actions[i].word, words[0]) != 0)
            continue;
        bool changes = actions[i].run != show_status;
        int status = changes ? stub_look_to_change(c, words[0]) : stub_look(c);
        return status == STATUS_DONE ? actions[i].run(c, words + 1) : status;
    }
    return usage("no action ", words[0]);
}

int control_words(struct session *session, char **words)
{
    struct control control = {.session = session};

    return act(&control, words);
}
