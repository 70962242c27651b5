/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what the stub is to do, and sees that it is done. */
#define _POSIX_C_SOURCE 200809L

#include <target/stub_control.h>

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <base/say.h>
#include <base/signals.h>
#include <ranking/ignore.h>
#include <target/watch.h>

/* How long a request waits for an event, where --timeout says nothing else, and how often it is
 * looked whether it was served. */
#define SERVED_S 0.5
#define LOOK_NS  20000000

struct control {
    struct session *session;
    const struct profile_object *objects;
    size_t count;
};

static int fail_table(struct control *c, enum sampler_code code)
{
    if (code == SAMPLER_ELINK)
        return session_link_failed(c->session);
    if (code == SAMPLER_WAIT)
        complain("%s is not initialised yet (%s): let mprof_init() run",
                 c->session->options->symbol, sampler_table_text(c->session->sampler));
    else
        complain("%s: %s", c->session->options->symbol, sampler_table_text(c->session->sampler));
    return STATUS_FAILED;
}

static int look(struct control *c)
{
    enum sampler_code code = sampler_table_look(c->session->sampler, &c->objects, &c->count);

    if (code != SAMPLER_OK)
        return fail_table(c, code);
    if (c->objects[0].header->abi_minor == 0) {
        complain("the firmware's stub has ABI 1.0, which has nothing to switch: build it with a "
                 "newer target-stub");
        return STATUS_FAILED;
    }
    return STATUS_DONE;
}

static int write_all(struct control *c, const struct decode_header *h,
                     const struct control_write *writes, size_t count)
{
    enum sampler_code code = sampler_table_write(c->session->sampler, h->core, writes, count);

    return code == SAMPLER_OK ? STATUS_DONE : fail_table(c, code);
}

static int usage(const char *what, const char *word)
{
    complain("%s'%s'; mprof control --help says what there is", what, word);
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

static void print_ranges(struct control *c, const struct profile_object *object)
{
    const struct decode_header *h = object->header;
    uint64_t start, end;

    for (size_t i = 0; i < h->blocks[DECODE_FILTER].count; i++) {
        if (!decode_range(object->bytes, h, i, &start, &end))
            continue;
        const struct symtab_function *f =
            session_has_names(c->session) ? symtab_find(c->session->elf.symtab, start) : NULL;
        printf("ignores  0x%" PRIx64 "-0x%" PRIx64 " %s\n", start, end, f ? f->name : "");
    }
}

static void print_status(struct control *c, const struct profile_object *object)
{
    const struct decode_header *h = object->header;
    const char *firmware = control_firmware_state(h);

    printf("stub     ABI %u.%u, core %u of %u, boot %" PRIu32 ", phase %" PRIu32 "%s%s\n",
           h->abi_major, h->abi_minor, h->core, h->cores, h->boot, h->phase,
           firmware ? ", the firmware says: " : "", firmware ? firmware : "");
    printf("events   %" PRIu32 ", dropped %" PRIu32 ", ignored %" PRIu32 ", late %" PRIu32
           ", asleep %" PRIu32 ", other side %" PRIu32 "\n",
           h->heartbeat, h->dropped, h->ignored, h->late, h->sleeping, h->other_side);
    printf("timer    %" PRIu32 " a second%s%s\n", h->sample_hz, h->jittered ? ", jittered" : "",
           h->locked ? ", LOCKED TO THE FIRMWARE'S TICK: shares mislead" : "");
    print_blocks(h);
    printf("switches");
    print_switches(h);
    print_ranges(c, object);
}

static int show_status(struct control *c, char **words)
{
    if (words[0])
        return usage("what is meant by ", words[0]);
    for (size_t i = 0; i < c->count; i++)
        print_status(c, &c->objects[i]);
    return STATUS_DONE;
}

static int switch_words(struct control *c, char **words, bool on)
{
    if (!words[0])
        return usage("a feeder or a block is to be named: timer, hooks, table, calls, arcs, "
                     "stream, histogram; not ",
                     "");
    for (char **word = words; *word; word++) {
        if (control_switch(*word) == 0)
            return usage("no feeder and no block is called ", *word);
        if (!control_has(c->objects[0].header, *word)) {
            complain("this firmware's stub has no %s; mprof control says what it has", *word);
            return STATUS_FAILED;
        }
    }
    for (; words[0]; words++) {
        uint32_t bit = control_switch(words[0]);
        /* Two words may stand in one byte: so it is looked at before each. */
        int status = look(c);
        for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
            struct control_write w = control_set(c->objects[i].header, bit, on);
            status = write_all(c, c->objects[i].header, &w, 1);
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

/* The next event shall look; or it need not any more. */
static int call_attention(struct control *c, bool wanted)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
        struct control_write w = control_attention(c->objects[i].header, wanted);
        status = write_all(c, c->objects[i].header, &w, 1);
    }
    return status;
}

/* A request of each core: the number that it answers with when an event has served it. */
struct request {
    const char *what; /* for messages */
    bool resets;
    uint32_t numbers[DECODE_MAX_CORES]; /* by core */
};

/* The next one after the last that was served; what nobody has served is asked for again. */
static void number_request(const struct control *c, struct request *r)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct decode_header *h = c->objects[i].header;
        r->numbers[h->core] = (r->resets ? h->reset_done : h->nonce_echo) + 1;
    }
}

static bool is_served(const struct request *r, const struct decode_header *h)
{
    return (r->resets ? h->reset_done : h->nonce_echo) == r->numbers[h->core];
}

/* Events of the cores that have served the request need not look any more. */
static int calm_served(struct control *c, const struct request *r, bool *all)
{
    int status = STATUS_DONE;

    *all = true;
    for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
        const struct decode_header *h = c->objects[i].header;
        if (!is_served(r, h)) {
            *all = false;
        } else {
            struct control_write w = control_attention(h, false);
            status = write_all(c, h, &w, 1);
        }
    }
    return status;
}

/* The events of all cores are to look, until they have served the request. */
static int wait_for_event(struct control *c, const struct request *r)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    int timeout_ms = c->session->options->link.timeout_ms;
    double served_s = timeout_ms > 0 ? 1e-3 * timeout_ms : SERVED_S;
    double until_s = watch_now_s() + served_s;
    bool all = false;
    int status = call_attention(c, true);

    for (;;) {
        if (status == STATUS_DONE)
            status = look(c);
        if (status == STATUS_DONE)
            status = calm_served(c, r, &all);
        if (status != STATUS_DONE || all)
            return status;
        if (watch_now_s() > until_s || signals_pending()) {
            complain("%s waits for an event: none came within %.0f ms; the next one does it",
                     r->what, 1e3 * served_s);
            return STATUS_FAILED;
        }
        nanosleep(&pause, NULL);
    }
}

typedef struct control_write make_write(const struct decode_header *header, uint32_t number);

static int write_numbers(struct control *c, make_write *make, const struct request *r)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
        const struct decode_header *h = c->objects[i].header;
        struct control_write w = make(h, r->numbers[h->core]);
        status = write_all(c, c->objects[i].header, &w, 1);
    }
    return status;
}

static int request_reset(struct control *c)
{
    struct request r = {.what = "reset", .resets = true};

    number_request(c, &r);
    int status = write_numbers(c, control_request_reset, &r);
    return status == STATUS_DONE ? wait_for_event(c, &r) : status;
}

static int reset(struct control *c, char **words)
{
    return words[0] ? usage("what is meant by ", words[0]) : request_reset(c);
}

int control_reset(struct session *session)
{
    struct control control = {.session = session};
    int status = look(&control);

    return status == STATUS_DONE ? request_reset(&control) : status;
}

struct range {
    uint64_t start, end;
};

struct ranges {
    struct range *all;
    size_t count, capacity; /* of the filter */
};

static bool add_range(struct ranges *r, uint64_t start, uint64_t end)
{
    if (r->count > 0 && r->all[r->count - 1].end == start) {
        r->all[r->count - 1].end = end;
        return true;
    }
    if (r->count == r->capacity)
        return false;
    r->all[r->count++] = (struct range){.start = start, .end = end};
    return true;
}

/* Functions next to each other make one range. They are at alias->from as they are at alias->to. */
static bool add_functions(const struct symtab *symtab, const struct symtab_alias *alias,
                          const char *glob, struct ranges *r, size_t *found)
{
    uint64_t shift = alias->from - alias->to;
    size_t count;
    const struct symtab_function *functions = symtab_functions(symtab, &count);

    for (size_t i = 0; i < count; i++) {
        const struct symtab_function *f = &functions[i];
        if (fnmatch(glob, f->name, 0) != 0 && (!f->symbol || fnmatch(glob, f->symbol, 0) != 0))
            continue;
        if (f->addr - alias->to >= alias->size)
            continue;
        ++*found;
        if (!add_range(r, f->addr + shift, f->addr + shift + (f->size ? f->size : 2)))
            return false;
    }
    return true;
}

/* Of all images, wherever the target reports them. */
static bool add_everywhere(const struct symtab *symtab, const char *glob, struct ranges *r,
                           size_t *found)
{
    const struct symtab_alias own = {.size = UINT64_MAX};
    size_t aliases;
    const struct symtab_alias *all = symtab_aliases(symtab, &aliases);

    for (size_t i = 0; i < symtab_part_count(symtab); i++) {
        const struct symtab *part = symtab_part(symtab, i);
        bool fits = !symtab_part_is_used(symtab, i) || add_functions(part, &own, glob, r, found);
        for (size_t a = 0; fits && a < aliases && symtab_part_is_used(symtab, i); a++)
            fits = add_functions(part, &all[a], glob, r, found);
        if (!fits)
            return false;
    }
    return true;
}

static int fail_room(const struct ranges *r)
{
    complain("the stub has room for %zu ranges, and these are more: build it with a larger "
             "MPROF_IGNORE_CNT",
             r->capacity);
    return STATUS_FAILED;
}

static int add_rule(struct control *c, const struct view_ignore_rule *rule, struct ranges *r)
{
    unsigned bits = 8 * c->objects[0].header->addr_size;
    size_t found = 0;

    if (!rule->glob[0] && bits < 64 && rule->last >> bits != 0) {
        complain("0x%" PRIx64 " is no address of %u bits", rule->last, bits);
        return STATUS_FAILED;
    }
    bool fits = rule->glob[0] ? add_everywhere(c->session->elf.symtab, rule->glob, r, &found)
                              : add_range(r, rule->first, rule->last + 1);

    if (!fits)
        return fail_room(r);
    if (rule->glob[0] && found == 0) {
        complain("no function in %s is called '%s'", c->session->elf.path, rule->glob);
        return STATUS_FAILED;
    }
    return STATUS_DONE;
}

static int write_ranges(struct control *c, const struct ranges *r)
{
    int status = STATUS_DONE;

    for (size_t i = 0; i < c->count; i++) {
        for (size_t n = 0; status == STATUS_DONE && n < r->capacity; n++) {
            struct range range = n < r->count ? r->all[n] : (struct range){0};
            struct control_write writes[CONTROL_RANGE_WRITES];
            control_range(c->objects[i].header, n, range.start, range.end, writes);
            status = write_all(c, c->objects[i].header, writes, CONTROL_RANGE_WRITES);
        }
    }
    return status;
}

static int take_rules(struct control *c, char **words, struct ranges *r)
{
    static struct view_ignore rules;
    char text[300];

    if (strcmp(words[0], "none") == 0 && !words[1])
        return STATUS_DONE;
    rules.count = 0;
    for (; words[0]; words++) {
        if (!view_ignore_parse(words[0], &rules, text, sizeof(text))) {
            complain("control ignore: %s", text);
            return STATUS_USAGE;
        }
    }
    int status = STATUS_DONE;
    for (size_t i = 0; status == STATUS_DONE && i < rules.count; i++)
        status = add_rule(c, &rules.rules[i], r);
    return status;
}

static int fail_filter(void)
{
    return fail("this firmware's stub has no filter: build it with MPROF_IGNORE_CNT 4, or leave "
                "rows out of the ranking with top --ignore");
}

static int ignore(struct control *c, char **words)
{
    struct ranges r = {.capacity = c->objects[0].header->blocks[DECODE_FILTER].count};

    if (!words[0])
        return usage("functions, ranges of addresses or none are to be named, not ", "");
    if (r.capacity == 0)
        return fail_filter();
    r.all = calloc(r.capacity, sizeof(*r.all));
    if (!r.all) {
        complain("out of memory");
        return STATUS_FAILED;
    }
    int status = take_rules(c, words, &r);
    if (status == STATUS_DONE)
        status = write_ranges(c, &r);
    free(r.all);
    return status;
}

int control_ignore_also(struct session *session, uint64_t start, uint64_t end)
{
    struct control c = {.session = session};
    int status = look(&c);

    if (status != STATUS_DONE)
        return status;
    struct ranges r = {.capacity = c.objects[0].header->blocks[DECODE_FILTER].count};
    if (r.capacity == 0)
        return fail_filter();
    r.all = calloc(r.capacity, sizeof(*r.all));
    if (!r.all)
        return fail("out of memory");
    bool fits = true;
    for (size_t i = 0; fits && i < r.capacity; i++) {
        uint64_t from, to;
        if (decode_range(c.objects[0].bytes, c.objects[0].header, i, &from, &to))
            fits = add_range(&r, from, to);
    }
    status = fits && add_range(&r, start, end) ? write_ranges(&c, &r) : fail_room(&r);
    free(r.all);
    return status;
}

int control_states(struct session *session, struct control_state states[CONTROL_STATES_MAX],
                   size_t *count)
{
    struct control c = {.session = session};
    const char *word;
    int status = look(&c);

    *count = 0;
    for (size_t i = 0; status == STATUS_DONE && (word = control_word(i)) != NULL; i++) {
        const struct decode_header *h = c.objects[0].header;
        if (control_has(h, word) && *count < CONTROL_STATES_MAX)
            states[(*count)++] =
                (struct control_state){.word = word, .on = control_is_on(h, control_switch(word))};
    }
    return status;
}

static int choose_phase(struct control *c, char **words)
{
    struct request phases = {.what = "the phase"}, nonces = {.what = "the phase"};
    char *end;
    unsigned long phase = 0;

    if (!words[0] || words[1])
        return usage("the number of a phase, or all, is needed, not ", words[0] ? words[1] : "");
    if (strcmp(words[0], "all") != 0) {
        phase = strtoul(words[0], &end, 0);
        if (*end || phase == 0 || phase > UINT32_MAX)
            return usage("the number of a phase, or all, is needed, not ", words[0]);
    }
    for (size_t core = 0; core < DECODE_MAX_CORES; core++)
        phases.numbers[core] = (uint32_t)phase;
    number_request(c, &nonces);
    int status = write_numbers(c, control_phase_only, &phases);
    if (status == STATUS_DONE)
        status = write_numbers(c, control_nonce, &nonces);
    return status == STATUS_DONE ? wait_for_event(c, &nonces) : status;
}

static const struct {
    const char *word;
    int (*run)(struct control *c, char **words);
} actions[] = {
    {"status", show_status}, {"on", switch_on},  {"off", switch_off},
    {"reset", reset},        {"ignore", ignore}, {"phase", choose_phase},
};

static int act(struct control *c, char **operands)
{
    static char word[] = "status";
    char *status_only[] = {word, NULL};
    char **words = operands[0] ? operands : status_only;

    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
        if (strcmp(actions[i].word, words[0]) != 0)
            continue;
        int status = look(c);
        return status == STATUS_DONE ? actions[i].run(c, words + 1) : status;
    }
    return usage("no action ", words[0]);
}

int control_words(struct session *session, char **words)
{
    struct control control = {.session = session};

    return act(&control, words);
}
