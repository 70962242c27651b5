/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Under what conditions a profile was taken, in words and numbers. */
#include "about.h"

#include <inttypes.h>

#include <export/clean.h>

struct list {
    struct about_item *items;
    size_t count, max;
};

static void add_item(struct list *l, const struct about_item *item)
{
    if (l->count < l->max && (item->text ? item->text[0] != '\0' : item->number != 0))
        l->items[l->count++] = *item;
}

static void add_text(struct list *l, const char *key, const char *title, const char *text)
{
    add_item(l, &(struct about_item){.key = key, .title = title, .text = text});
}

static void add_number(struct list *l, const char *key, const char *title, uint64_t number)
{
    add_item(l, &(struct about_item){.key = key, .title = title, .number = number});
}

static void add_flag(struct list *l, const char *key, const char *title, bool flag)
{
    add_item(l, &(struct about_item){
                    .key = key, .title = title, .text = flag ? "yes" : "", .flag = flag});
}

static void add_counters(struct list *l, const struct snapshot_conditions *c)
{
    add_number(l, "dropped", "lost", c->dropped);
    add_number(l, "ignored", "ignored", c->ignored);
    add_number(l, "displaced", "displaced", c->displaced);
    add_number(l, "late", "late", c->late);
    add_number(l, "sleeping", "asleep", c->sleeping);
    add_number(l, "other_side", "in the other TrustZone side", c->other_side);
    add_number(l, "events", "events", c->events);
    add_number(l, "halts", "halts by mprof", c->halts);
    add_number(l, "halted_ns", "halted time, ns", c->halted_ns);
    add_number(l, "runs", "runs", c->runs);
    add_flag(l, "tick_locked", "locked to the firmware's tick", c->locked);
    add_flag(l, "jittered", "timer with jitter", c->jittered);
    add_flag(l, "fixed_period", "fixed timer period", c->fixed);
    add_flag(l, "decays", "counts decay", c->decays);
    add_flag(l, "dropped_not_known", "lost hits not known", c->headerless);
    add_text(l, "unsure", "no intervals: the table", c->unsure);
}

size_t about_list(const struct snapshot *s, struct about_item *items, size_t max)
{
    const struct snapshot_conditions *c = &s->conditions;
    struct list l = {.items = items, .max = max};

    add_text(&l, "elf", "firmware", c->elf);
    if (s->mapping_count)
        add_text(&l, "build_id", "build-id", s->mappings[0].build_id);
    add_text(&l, "identity", "ELF file and target", c->identity);
    add_text(&l, "target", "target", c->target);
    add_text(&l, "arch", "architecture", c->arch);
    add_text(&l, "link", "link", c->link);
    add_text(&l, "server", "server", c->server);
    add_text(&l, "address", "address", c->address);
    add_text(&l, "sampler", "sampler", c->sampler);
    add_text(&l, "tool", "made by", c->tool);
    if (!s->ours)
        return l.count;
    add_number(&l, "sample_hz", "samples per second", c->sample_hz);
    add_number(&l, "grain", "block size, bytes", c->block_size);
    add_number(&l, "address_size", "address size, bytes", c->addr_size);
    add_counters(&l, c);
    return l.count;
}

static void put_number(FILE *out, const char *key, int64_t number)
{
    if (number > 0)
        fprintf(out, ",\"%s\":%" PRId64, key, number);
    else
        fprintf(out, ",\"%s\":null", key);
}

void about_json(FILE *out, const struct snapshot *s)
{
    struct about_item items[ABOUT_MAX];
    size_t count = about_list(s, items, ABOUT_MAX);

    fprintf(out, "\"by_mprof\":%s,\"conditions\":{", s->ours ? "true" : "false");
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s\"%s\":", i ? "," : "", items[i].key);
        if (items[i].flag)
            fputs("true", out);
        else if (items[i].text)
            clean_json(out, items[i].text);
        else
            fprintf(out, "%" PRIu64, items[i].number);
    }
    putc('}', out);
    put_number(out, "time_ns", s->time_ns);
    put_number(out, "duration_ns", s->duration_ns);
}
