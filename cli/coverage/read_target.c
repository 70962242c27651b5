/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coverage of a target. */
#include <coverage/report.h>

#include <stdio.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>
#include <target/session.h>

#include "seen.h"

static const char *const hooks[] = {"__sanitizer_cov_trace_pc", NULL};

/* The blocks of all cores. */
struct blocks {
    const struct profile_object *objects;
    size_t count;
};

static bool has(const struct blocks *b, enum decode_source source)
{
    return b->count != 0 && b->objects[0].header->blocks[source].count != 0;
}

/* The place that counts a site; false: none does. */
static bool place_of(const struct profile_object *o, uint64_t returns, size_t *place)
{
    struct decode_coverage c = decode_coverage(o->bytes, o->header);
    uint64_t at = (returns - c.base) / o->header->blocks[DECODE_COVERAGE].block_size;

    *place = (size_t)at;
    return returns >= c.base && at < c.places;
}

static uint64_t count_of(void *context, const struct site *site)
{
    const struct blocks *b = context;
    uint64_t sum = 0;
    size_t place;

    for (size_t i = 0; i < b->count; i++) {
        const struct profile_object *o = &b->objects[i];
        if (place_of(o, site->returns, &place))
            sum += decode_coverage_count(o->bytes, o->header, place);
    }
    return sum;
}

/* Takes the sites out that no place counts: nothing is known of them. */
static void drop_uncovered(const struct blocks *b, struct sites *sites, struct coverage_report *r)
{
    struct decode_coverage c = decode_coverage(b->objects[0].bytes, b->objects[0].header);
    size_t kept = 0, place;

    for (size_t i = 0; i < sites->count; i++) {
        uint64_t returns = sites->all[i].returns;
        if (place_of(&b->objects[0], returns, &place)) {
            sites->all[kept++] = sites->all[i];
            continue;
        }
        r->uncovered++;
        if (returns >= c.base && returns - c.base > r->needs)
            r->needs = returns - c.base;
    }
    sites->count = kept;
}

static void look_at_places(const struct profile_object *o, const struct sites *sites,
                           struct coverage_report *r)
{
    struct decode_coverage c = decode_coverage(o->bytes, o->header);
    unsigned size = o->header->blocks[DECODE_COVERAGE].block_size;

    r->outside += c.outside;
    r->c->counts = c.full == 1 ? COVERAGE_REACHED : COVERAGE_TIMES;
    for (size_t place = 0; place < c.places; place++) {
        uint64_t count = decode_coverage_count(o->bytes, o->header, place);
        if (count == 0)
            continue;
        r->full += count == c.full && c.full != 1;
        r->strays += !sites_at(sites, c.base + place * size);
    }
}

/* The program begins there, and RAM is cleared later. */
static void find_early(const struct symtab *symtab, const struct sites *sites,
                       struct coverage_report *r)
{
    const struct symtab_elf *elf = symtab_elf(symtab);
    const struct symtab_function *first = symtab_find(symtab, elf->entry + elf->bias);

    for (size_t i = 0; first && i < sites->count; i++) {
        if (sites->all[i].call - first->addr < first->size)
            snprintf(r->early, sizeof(r->early), "%s", first->name);
    }
}

static int take_coverage(struct session *s, struct blocks *b, struct coverage_report *r)
{
    struct sites sites = {.all = NULL};
    bool done = sites_find(s->elf.symtab, hooks, &sites);

    if (done && sites.count == 0) {
        complain("%s has no calls of __sanitizer_cov_trace_pc: compile with "
                 "-fsanitize-coverage=trace-pc",
                 s->elf.path);
        sites_free(&sites);
        return STATUS_FAILED;
    }
    r->jumps = sites.jump_count;
    if (done) {
        drop_uncovered(b, &sites, r);
        find_early(s->elf.symtab, &sites, r);
    }
    for (size_t i = 0; done && i < b->count; i++)
        look_at_places(&b->objects[i], &sites, r);
    done = done && coverage_add_sites(r->c, s->elf.symtab, &sites, count_of, b);
    sites_free(&sites);
    return done ? STATUS_DONE : fail("out of memory");
}

static int add_calls(struct session *s, const struct profile *p, struct coverage_report *r)
{
    struct seen seen;
    bool done = seen_begin(&seen, s->elf.symtab);

    if (done)
        seen_profile(&seen, p, 0);
    r->lost = (uint64_t)p->dropped + p->displaced;
    done = done && seen_end(&seen, r);
    seen_free(&seen);
    return done ? STATUS_DONE : fail("out of memory");
}

static int refuse(const struct session *s, enum sampler_code code, const struct sampler_table *from)
{
    if (code == SAMPLER_ENOMEM)
        return fail("out of memory");
    complain("cannot read %s: %s", s->options->symbol,
             code == SAMPLER_WAIT ? "mprof_init() has not run" : sampler_table_text(from));
    return STATUS_FAILED;
}

static int take_calls(struct session *s, enum sampler_kind kind, struct coverage_report *r)
{
    const struct elf_file *elf = &s->elf;
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;
    struct profile profile;
    struct sampler_table *sampler = sampler_table_new(s->link, elf->table_addr, elf->table_size,
                                                      symtab_elf(elf->symtab)->addr_size, kind);

    if (!sampler)
        return fail("out of memory");
    profile_init(&profile);
    enum sampler_code code = sampler_table_poll(sampler, &profile, monotonic_s(), &state);
    int status = code == SAMPLER_OK ? add_calls(s, &profile, r) : refuse(s, code, sampler);
    profile_free(&profile);
    sampler_table_free(sampler);
    return status;
}

static int take(struct session *s, struct coverage_report *r)
{
    struct blocks b = {.count = 0};
    enum sampler_code code = sampler_table_coverage(s->sampler, &b.objects, &b.count);

    if (code == SAMPLER_OK && b.count == 0)
        code = SAMPLER_WAIT;
    if (code != SAMPLER_OK)
        return refuse(s, code, s->sampler);
    if (has(&b, DECODE_COVERAGE))
        return take_coverage(s, &b, r);
    if (has(&b, DECODE_CALLS))
        return take_calls(s, SAMPLER_CALLS, r);
    if (has(&b, DECODE_ARCS))
        return take_calls(s, SAMPLER_ARCS, r);
    return fail("the firmware records neither coverage nor calls: build it with "
                "MPROF_COVERAGE_SIZE and -fsanitize-coverage=trace-pc, or with MPROF_CALL_CNT and "
                "call hooks");
}

static void describe(const struct session *s, struct coverage_report *r)
{
    snprintf(r->origin, sizeof(r->origin), "%s", s->server.address);
    snprintf(r->elf, sizeof(r->elf), "%s", path_base_name(s->elf.path));
    snprintf(r->build, sizeof(r->build), "%s", symtab_build(s->elf.symtab));
}

int coverage_read_target(const struct options *options, struct coverage_report *report)
{
    struct session session;

    report->c = coverage_new();
    if (!report->c)
        return fail("out of memory");
    signals_hold(true);
    int status = session_open(&session, options);
    if (status == STATUS_DONE) {
        status = take(&session, report);
        describe(&session, report);
        int closed = session_close(&session);
        status = status == STATUS_DONE ? closed : status;
    }
    signals_hold(false);
    return status;
}

void coverage_report_free(struct coverage_report *report)
{
    coverage_free(report->c);
    report->c = NULL;
}
