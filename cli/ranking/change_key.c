/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rows of the snapshots are one row of the diff. */
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <profile/match.h>
#include <ranking/change_set.h>
#include <ranking/row_key.h>

/* Parts with equal keys are one, of one side where the sides are matched afterwards. */
struct ident {
    struct row_key key;
    enum view_side side; /* VIEW_BASE of both where keys are all that matters */
    size_t part;
};

struct keys {
    struct view_set *set;
    struct ident *idents; /* one for each part, ordered */
    uint32_t *group;      /* of each part */
    size_t group_count;
    struct match_row *matched; /* of each group, where functions or files are matched */
    struct match_key *keys;
    size_t count;
};

static int compare_idents(const void *left, const void *right)
{
    const struct ident *l = left, *r = right;
    int order = (l->side > r->side) - (l->side < r->side);

    return order ? order : row_key_compare(&l->key, &r->key);
}

/* Functions and files are looked for in another build. In the same one, and of what else there is,
 * things are the same or are not: nothing was renamed. */
static bool is_matched(const struct view_set *set)
{
    return !set->same_build && (set->by == VIEW_BY_FUNCTION || set->by == VIEW_BY_FILE);
}

/* An address means the same place in every snapshot. */
static bool has_place(const struct view_set *set, const struct change_part *part)
{
    return set->same_place && !part->unplaced;
}

/* What has no name and stands nowhere in particular is one row with all of its kind. */
static bool is_unnamed(const struct view_set *set, const struct change_part *part)
{
    bool by_name =
        set->by == VIEW_BY_FUNCTION || set->by == VIEW_BY_INLINE || set->by == VIEW_BY_CONTEXT;

    if (set->by == VIEW_BY_FILE)
        return part->file == 0;
    return by_name && part->function == 0 && !has_place(set, part);
}

static struct view_row row_of(const struct view_set *set, const struct change_part *part)
{
    return (struct view_row){.function = string_pool_text(set->pool, part->function),
                             .caller = string_pool_text(set->pool, part->caller),
                             .file = string_pool_text(set->pool, part->file),
                             .line = part->line,
                             .addr = part->addr,
                             .caller_addr = part->caller_addr,
                             .unplaced = part->unplaced};
}

/* Parts of a function stand apart until they are matched, so that their sizes add up. */
static struct ident ident_of(struct view_set *set, size_t index)
{
    const struct change_part *part = &set->parts[index];
    const struct view_row row = row_of(set, part);
    struct ident ident = {.key = row_key_across(set->by, false, set->same_place, &row),
                          .part = index};

    if (is_matched(set)) {
        ident.side = set->runs[part->run].side;
        if (row.function && set->by == VIEW_BY_FUNCTION)
            ident.key.number[0] = row.addr;
    }
    return ident;
}

/* Equal identities stand side by side and are numbered. */
static void group(struct keys *k)
{
    size_t count = k->set->part_count;

    for (size_t i = 0; i < count; i++)
        k->idents[i] = ident_of(k->set, i);
    qsort(k->idents, count, sizeof(*k->idents), compare_idents);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare_idents(&k->idents[i - 1], &k->idents[i]) != 0)
            k->group_count++;
        k->group[k->idents[i].part] = (uint32_t)(k->group_count - 1);
    }
}

static const char *name_of(const struct view_set *set, const struct change_part *part)
{
    if (is_unnamed(set, part))
        return "[no name]";
    return set->by == VIEW_BY_FILE ? path_base_name(string_pool_text(set->pool, part->file))
                                   : string_pool_text(set->pool, part->function);
}

/* What the groups are to be matched by. */
static void describe_groups(struct keys *k)
{
    const struct view_set *set = k->set;

    for (size_t i = 0; i < set->part_count; i++) {
        const struct ident *ident = &k->idents[i];
        const struct change_part *part = &set->parts[ident->part];
        struct match_row *row = &k->matched[k->group[ident->part]];
        row->function = name_of(set, part);
        row->file = is_unnamed(set, part) ? NULL : string_pool_text(set->pool, part->file);
        row->newer = ident->side == VIEW_NEW;
        row->hits += part->hits;
        row->size = part->size;
    }
}

static bool number_parts(struct keys *k)
{
    struct view_set *set = k->set;

    k->count = k->group_count;
    if (is_matched(set)) {
        k->matched = calloc(k->group_count + 1, sizeof(*k->matched));
        if (!k->matched)
            return false;
        describe_groups(k);
        if (!match_rows(k->matched, k->group_count, &k->keys, &k->count))
            return false;
    }
    for (size_t i = 0; i < set->part_count; i++) {
        uint32_t number = k->group[i];
        set->parts[i].key = k->matched ? (uint32_t)k->matched[number].key : number;
    }
    return true;
}

/* A row is shown as new has it, as its part with most hits is; what is gone as base had it. */
static bool is_better(const struct view_set *set, const struct change_part *part,
                      const struct change_part *than)
{
    enum view_side side = set->runs[part->run].side, other = set->runs[than->run].side;

    return side != other ? side == VIEW_NEW : part->hits > than->hits;
}

static string_pool_id stripped(struct view_set *set, string_pool_id id)
{
    const char *name = string_pool_text(set->pool, id);

    return name ? string_pool_add_part(set->pool, name, match_name_len(name)) : 0;
}

static void fill_row(struct keys *k, size_t key, const struct change_part *part,
                     struct view_change *row)
{
    struct view_set *set = k->set;
    const struct match_key *matched = k->keys ? &k->keys[key] : NULL;
    bool whole = set->by == VIEW_BY_LINE || set->by == VIEW_BY_ADDRESS;
    string_pool_id function = whole ? part->function : stripped(set, part->function);

    row->unnamed = is_unnamed(set, part);
    if (set->by == VIEW_BY_FUNCTION && matched && part->function)
        function = string_pool_add_part(set->pool, matched->function, matched->name_len);
    if (set->by == VIEW_BY_FUNCTION && matched && matched->guessed)
        row->old_name = string_pool_text(
            set->pool, string_pool_add_part(set->pool, matched->old_name, matched->old_len));
    if (set->by == VIEW_BY_FUNCTION && matched && matched->old_file)
        row->old_file = string_pool_text(set->pool, string_pool_add(set->pool, matched->old_file));
    row->function = string_pool_text(set->pool, set->by == VIEW_BY_FILE ? 0 : function);
    row->caller = string_pool_text(set->pool, stripped(set, part->caller));
    row->file = string_pool_text(set->pool, part->file);
    row->line = part->line;
    row->addr = part->addr;
    row->caller_addr = part->caller_addr;
    row->placed = !part->unplaced && !row->unnamed && set->by != VIEW_BY_FILE;
}

static bool make_rows(struct keys *k, struct view_change **rows)
{
    const struct view_set *set = k->set;
    struct view_change *all = calloc(k->count + 1, sizeof(*all));
    const struct change_part **best = calloc(k->count + 1, sizeof(*best));

    for (size_t i = 0; all && best && i < set->part_count; i++) {
        const struct change_part *part = &set->parts[i];
        if (!best[part->key] || is_better(set, part, best[part->key]))
            best[part->key] = part;
    }
    for (size_t i = 0; all && best && i < k->count; i++)
        fill_row(k, i, best[i], &all[i]);
    bool done = all && best && !string_pool_failed(set->pool);
    free(best);
    if (done)
        *rows = all;
    else
        free(all);
    return done;
}

bool change_keys(struct view_set *set, struct view_change **rows, size_t *count)
{
    struct keys k = {.set = set};
    bool done = false;

    k.idents = calloc(set->part_count + 1, sizeof(*k.idents));
    k.group = calloc(set->part_count + 1, sizeof(*k.group));
    if (k.idents && k.group) {
        group(&k);
        done = !string_pool_failed(set->pool) && number_parts(&k) && make_rows(&k, rows);
    }
    *count = k.count;
    free(k.idents);
    free(k.group);
    free(k.matched);
    free(k.keys);
    return done;
}
