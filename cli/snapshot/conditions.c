/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table says how each condition is called, kept and added up. */
#include "conditions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <base/number.h>

#include "contexts.h"
#include "lost.h"
#include "runs.h"
#include "store.h"
#include "wanders.h"

#define PREFIX      "mprof "
#define ANOTHER     ", "
#define COMMENT_MAX 2048

enum adding {
    ADD_LIST, /* of texts: each once, in the order of the alphabet */
    ADD_SUM,
    ADD_MOST,
    ADD_SAME, /* 0, not known, where they differ */
    ADD_ANY,  /* a flag: of any of them */
    ADD_ALL,  /* of all of them */
};

struct condition {
    const char *key;
    enum adding adding;
    size_t offset;
};

#define CONDITION(key, adding, member)                            \
    {                                                             \
        key, adding, offsetof(struct snapshot_conditions, member) \
    }

static const struct condition table[] = {
    CONDITION("tool", ADD_LIST, tool),
    CONDITION("elf", ADD_LIST, elf),
    CONDITION("identity", ADD_LIST, identity),
    CONDITION("target", ADD_LIST, target),
    CONDITION("arch", ADD_LIST, arch),
    CONDITION("link", ADD_LIST, link),
    CONDITION("server", ADD_LIST, server),
    CONDITION("address", ADD_LIST, address),
    CONDITION("sampler", ADD_LIST, sampler),
    CONDITION("grain", ADD_SAME, block_size),
    CONDITION("rate", ADD_SAME, sample_hz),
    CONDITION("address-size", ADD_SAME, addr_size),
    CONDITION("linked-at", ADD_SAME, linked_at),
    CONDITION("dropped", ADD_SUM, dropped),
    CONDITION("ignored", ADD_SUM, ignored),
    CONDITION("displaced", ADD_SUM, displaced),
    CONDITION("late", ADD_SUM, late),
    CONDITION("sleeping", ADD_SUM, sleeping),
    CONDITION("other-side", ADD_SUM, other_side),
    CONDITION("iterations", ADD_SUM, iterations),
    CONDITION("events", ADD_SUM, events),
    CONDITION("halts", ADD_SUM, halts),
    CONDITION("halted-ns", ADD_SUM, halted_ns),
    CONDITION("runs", ADD_SUM, runs),
    CONDITION("batches", ADD_SUM, batches),
    CONDITION("variance", ADD_MOST, spread),
    CONDITION("task-variance", ADD_MOST, task_spread),
    CONDITION("tick-locked", ADD_ANY, locked),
    CONDITION("jittered", ADD_ALL, jittered),
    CONDITION("fixed-period", ADD_ANY, fixed),
    CONDITION("plain", ADD_ANY, headerless),
    CONDITION("decays", ADD_ANY, decays),
    CONDITION("one-boot", ADD_ANY, one_boot),
    CONDITION("unsure", ADD_LIST, unsure),
    CONDITION("big-endian", ADD_ANY, big_endian),
};

#define CONDITIONS (sizeof(table) / sizeof(table[0]))

static void *member(const struct condition *c, struct snapshot_conditions *of)
{
    return (char *)of + c->offset;
}

static bool is_number(const struct condition *c)
{
    return c->adding == ADD_SUM || c->adding == ADD_SAME || c->adding == ADD_MOST;
}

/* "": not known. */
static void print(const struct condition *c, const struct snapshot *s, char *text)
{
    struct snapshot_conditions of = s->conditions;

    text[0] = '\0';
    if (c->adding == ADD_LIST)
        snprintf(text, COMMENT_MAX, "%s", *(const char **)member(c, &of));
    else if (!is_number(c))
        snprintf(text, COMMENT_MAX, "%s", *(bool *)member(c, &of) ? "yes" : "");
    else if (*(uint64_t *)member(c, &of) != 0)
        snprintf(text, COMMENT_MAX, "%" PRIu64, *(uint64_t *)member(c, &of));
}

bool conditions_each(const struct snapshot *s, void *context,
                     bool (*say)(void *context, const char *comment))
{
    char value[COMMENT_MAX];
    char comment[COMMENT_MAX + 64];

    if (!s->ours)
        return true;
    if (!say(context, CONDITIONS_MARK))
        return false;
    for (size_t i = 0; i < CONDITIONS; i++) {
        print(&table[i], s, value);
        snprintf(comment, sizeof(comment), PREFIX "%s=%s", table[i].key, value);
        if (value[0] && !say(context, comment))
            return false;
    }
    return contexts_each(s, context, say) && lost_each(&s->rest, LOST_KEY "=", context, say) &&
           runs_each(s, context, say) && wanders_each(s, context, say);
}

static enum conditions_take take_lost(struct snapshot *s, const char *value)
{
    return lost_take(&s->rest, value);
}

/* Conditions that are not one value each. */
static const struct {
    const char *key;
    enum conditions_take (*take)(struct snapshot *s, const char *value);
} lists[] = {
    {LOST_KEY, take_lost},
    {RUN_KEY, runs_take},
    {RUN_LOST_KEY, runs_take_lost},
    {CONTEXTS_KEY, contexts_take},
    {RUN_CONTEXTS_KEY, contexts_take_run},
    {WANDERS_KEY, wanders_take},
    {RUN_WANDERS_KEY, wanders_take_run},
};

static const struct condition *find(const char *key, size_t len)
{
    for (size_t i = 0; i < CONDITIONS; i++) {
        if (strlen(table[i].key) == len && strncmp(table[i].key, key, len) == 0)
            return &table[i];
    }
    return NULL;
}

static enum conditions_take take_value(struct snapshot *s, const struct condition *c,
                                       const char *value)
{
    void *to = member(c, &s->conditions);

    if (c->adding == ADD_LIST) {
        char kept[COMMENT_MAX];
        snprintf(kept, sizeof(kept), "%s", value);
        const char *text = store_string(s, kept);
        if (text)
            *(const char **)to = text;
        return text ? CONDITIONS_TAKEN : CONDITIONS_ENOMEM;
    }
    if (is_number(c))
        return number_parse_digits(value, 10, to) ? CONDITIONS_TAKEN : CONDITIONS_WRONG;
    *(bool *)to = strcmp(value, "yes") == 0;
    return strcmp(value, "yes") == 0 ? CONDITIONS_TAKEN : CONDITIONS_WRONG;
}

enum conditions_take conditions_take(struct snapshot *s, const char *comment)
{
    size_t prefix = strlen(PREFIX);
    const char *equals = strchr(comment, '=');

    if (strcmp(comment, CONDITIONS_MARK) == 0) {
        s->ours = true;
        return CONDITIONS_TAKEN;
    }
    if (strncmp(comment, PREFIX, prefix) != 0 || !equals)
        return CONDITIONS_OTHER;
    const char *key = comment + prefix;
    size_t len = (size_t)(equals - key);
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (strlen(lists[i].key) == len && strncmp(lists[i].key, key, len) == 0)
            return lists[i].take(s, equals + 1);
    const struct condition *c = find(key, len);
    return c ? take_value(s, c, equals + 1) : CONDITIONS_OTHER;
}

/* The first item of a list, and how long it is; *list goes behind it. */
static size_t next_item(const char **list, const char **item)
{
    const char *end = strstr(*list, ANOTHER);
    size_t len = end ? (size_t)(end - *list) : strlen(*list);

    *item = *list;
    *list += end ? len + strlen(ANOTHER) : len;
    return len;
}

static int order_items(const char *a, size_t a_len, const char *b, size_t b_len)
{
    int order = strncmp(a, b, a_len < b_len ? a_len : b_len);

    return order ? order : (a_len > b_len) - (a_len < b_len);
}

/* Two ordered lists to one; items that find no room are left out. */
static void join(const char *a, const char *b, char *out)
{
    size_t at = 0;

    out[0] = '\0';
    while (*a || *b) {
        const char *of_a = a, *of_b = b, *rest_a = a, *rest_b = b;
        size_t a_len = next_item(&rest_a, &of_a), b_len = next_item(&rest_b, &of_b);
        int order = !*a ? 1 : !*b ? -1 : order_items(of_a, a_len, of_b, b_len);
        const char *item = order <= 0 ? of_a : of_b;
        size_t len = order <= 0 ? a_len : b_len;
        if (order <= 0)
            a = rest_a;
        if (order >= 0)
            b = rest_b;
        if (len && at + len + strlen(ANOTHER) < COMMENT_MAX)
            at += (size_t)snprintf(out + at, COMMENT_MAX - at, "%s%.*s", at ? ANOTHER : "",
                                   (int)len, item);
    }
}

static bool add_text(struct snapshot *s, const char **to, const char *from)
{
    char both[COMMENT_MAX];

    join(*to, from, both);
    const char *text = store_string(s, both);
    if (text)
        *to = text;
    return text != NULL;
}

static void add_number(const struct condition *c, uint64_t *to, uint64_t from)
{
    if (c->adding == ADD_SAME)
        *to = *to == from ? from : 0;
    else if (c->adding == ADD_MOST)
        *to = *to > from ? *to : from;
    else if (__builtin_add_overflow(*to, from, to))
        *to = UINT64_MAX;
}

bool conditions_add(struct snapshot *s, const struct snapshot *from)
{
    struct snapshot_conditions other = from->conditions;

    for (size_t i = 0; i < CONDITIONS; i++) {
        const struct condition *c = &table[i];
        void *to = member(c, &s->conditions), *of = member(c, &other);
        if (c->adding == ADD_LIST && !add_text(s, to, *(const char **)of))
            return false;
        if (is_number(c))
            add_number(c, to, *(uint64_t *)of);
        if (c->adding == ADD_ANY)
            *(bool *)to |= *(bool *)of;
        if (c->adding == ADD_ALL)
            *(bool *)to &= *(bool *)of;
    }
    return true;
}
