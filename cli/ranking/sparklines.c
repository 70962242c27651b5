/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of shares by rows, from the pieces of the last minute. */
#include <ranking/sparklines.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ranking/row_key.h>

/* The piece that still takes more tells enough about its second from here on. */
#define WHOLE_S 0.9

/* After so many seconds without news they are shown as unknown. */
#define SILENCE_S 2

/* Rows are known by what makes them one row, not by pointers to names. */
struct row_hits {
    uint64_t key;
    uint64_t hits;
};

struct grouped {
    uint64_t number, version; /* of the piece */
    double start_s, end_s;
    struct row_hits *rows; /* by key */
    size_t count;
    uint64_t total;
    bool known; /* it could be grouped */
};

struct sparklines {
    struct grouped *pieces; /* oldest first */
    size_t count;
    struct symbol_naming names;
    enum view_by by;
    bool exceptions; /* rows by context are exceptions, else functions */
    struct view_ignore ignore;
    const struct grouped *seconds[RECENT_WINDOW_SECONDS]; /* NULL: not known */
    size_t second_count;
};

struct sparklines *sparklines_new(void)
{
    return calloc(1, sizeof(struct sparklines));
}

static void forget(struct sparklines *sparklines)
{
    for (size_t i = 0; i < sparklines->count; i++)
        free(sparklines->pieces[i].rows);
    free(sparklines->pieces);
    sparklines->pieces = NULL;
    sparklines->count = sparklines->second_count = 0;
}

void sparklines_free(struct sparklines *sparklines)
{
    if (sparklines)
        forget(sparklines);
    free(sparklines);
}

static uint64_t key_of(const struct sparklines *sparklines, const struct view_row *row)
{
    const struct row_key key = row_key_of(sparklines->by, sparklines->exceptions, row);

    return row_key_hash(&key);
}

static int order_keys(const void *a, const void *b)
{
    const struct row_hits *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

static bool take_rows(const struct sparklines *sparklines, struct grouped *g,
                      const struct view_rows *rows)
{
    g->rows = malloc((rows->count + 1) * sizeof(*g->rows));
    if (!g->rows)
        return false;
    for (size_t i = 0; i < rows->count; i++)
        g->rows[i] = (struct row_hits){.key = key_of(sparklines, &rows->rows[i]),
                                       .hits = rows->rows[i].hits};
    g->count = rows->count;
    g->total = rows->attributed;
    qsort(g->rows, g->count, sizeof(*g->rows), order_keys);
    g->known = true;
    return true;
}

/* The piece as a profile, which is grouped as any other. */
static bool group(const struct sparklines *sparklines, const struct window_piece *piece,
                  const struct profile *now, struct grouped *g)
{
    struct profile p = *now; /* tasks are borrowed */
    struct view_rows rows;

    p.by_context = NULL;

    *g = (struct grouped){.number = piece->number,
                          .version = piece->version,
                          .start_s = piece->start_s,
                          .end_s = piece->end_s};
    p.rows = calloc(piece->count + 1, sizeof(*p.rows));
    p.row_count = piece->count;
    p.attributed = p.recent = piece->total;
    for (size_t i = 0; p.rows && i < piece->count; i++)
        p.rows[i] = (struct profile_hit){.addr = piece->hits[i].addr,
                                         .caller = piece->hits[i].caller,
                                         .exception = piece->hits[i].exception,
                                         .hits = piece->hits[i].hits};
    bool done = p.rows && view_rows_build_named(&p, &sparklines->names, sparklines->by,
                                                &sparklines->ignore, &rows);
    free(p.rows);
    if (!done)
        return false;
    done = take_rows(sparklines, g, &rows);
    view_rows_free(&rows);
    return done;
}

static bool same_rule(const struct view_ignore_rule *a, const struct view_ignore_rule *b)
{
    return strcmp(a->glob, b->glob) == 0 && a->files == b->files && a->first == b->first &&
           a->last == b->last;
}

static bool same_ignore(const struct view_ignore *a, const struct view_ignore *b)
{
    if (a->count != b->count || a->some_contexts != b->some_contexts ||
        memcmp(a->contexts, b->contexts, sizeof(a->contexts)) != 0)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_rule(&a->rules[i], &b->rules[i]))
            return false;
    return true;
}

/* Other rows than before: all is to be grouped again. */
static void take_grouping(struct sparklines *sparklines, const struct symbol_naming *names,
                          enum view_by by, bool exceptions, const struct view_ignore *ignore)
{
    static const struct symbol_naming no_names = {.context = NULL};
    static const struct view_ignore nothing = {.count = 0};

    names = names ? names : &no_names;
    ignore = ignore ? ignore : &nothing;
    if (sparklines->names.context != names->context || sparklines->names.find != names->find ||
        sparklines->by != by || sparklines->exceptions != exceptions ||
        !same_ignore(&sparklines->ignore, ignore))
        forget(sparklines);
    sparklines->names = *names;
    sparklines->by = by;
    sparklines->exceptions = exceptions;
    sparklines->ignore = *ignore;
}

/* What was grouped of that piece, and is still all of it, is taken over. */
static bool reuse(struct sparklines *sparklines, const struct window_piece *piece,
                  struct grouped *g)
{
    for (size_t i = 0; i < sparklines->count; i++) {
        struct grouped *old = &sparklines->pieces[i];
        if (old->number != piece->number || old->version != piece->version || !old->known)
            continue;
        *g = *old;
        old->rows = NULL;
        old->known = false;
        return true;
    }
    return false;
}

/* Which piece each second is in the middle of. */
static void place_seconds(struct sparklines *sparklines, double now_s)
{
    sparklines->second_count = 0;
    if (sparklines->count == 0)
        return;
    double end_s = sparklines->pieces[sparklines->count - 1].end_s;
    double last = floor((now_s - end_s > SILENCE_S ? now_s : end_s) - 0.5);
    double first =
        fmax(ceil(sparklines->pieces[0].start_s - 0.5), last - RECENT_WINDOW_SECONDS + 1);
    size_t at = 0;

    for (double second = first; second <= last; second++) {
        double middle_s = second + 0.5;
        while (at < sparklines->count && sparklines->pieces[at].end_s <= middle_s)
            at++;
        bool there = at < sparklines->count && sparklines->pieces[at].start_s <= middle_s;
        sparklines->seconds[sparklines->second_count++] = there ? &sparklines->pieces[at] : NULL;
    }
}

/* As view_rows_build_named() chooses. */
static bool is_by_context(const struct recent_window *window, const struct profile *now,
                          enum view_by by, const struct view_ignore *ignore)
{
    return by == VIEW_BY_CONTEXT && now->by_context && recent_window_by_context(window) &&
           (!ignore || (ignore->count == 0 && !ignore->some_contexts));
}

bool sparklines_update(struct sparklines *sparklines, const struct recent_window *window,
                       const struct profile *now, const struct symbol_naming *names,
                       enum view_by by, const struct view_ignore *ignore)
{
    size_t count;
    bool done = true;

    if (is_by_context(window, now, by, ignore)) {
        window = recent_window_by_context(window);
        now = now->by_context;
    }
    const struct window_piece *pieces = recent_window_pieces(window, &count);
    take_grouping(sparklines, names, by,
                  by == VIEW_BY_CONTEXT ? view_has_contexts(now) : now->exceptions, ignore);
    if (count && pieces[count - 1].end_s - pieces[count - 1].start_s < WHOLE_S)
        count--;
    struct grouped *grouped = calloc(count + 1, sizeof(*grouped));
    if (!grouped) {
        forget(sparklines);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        done &= reuse(sparklines, &pieces[i], &grouped[i]) ||
                group(sparklines, &pieces[i], now, &grouped[i]);
    forget(sparklines);
    sparklines->pieces = grouped;
    sparklines->count = count;
    place_seconds(sparklines, recent_window_now_s(window));
    return done;
}

static double share_in(const struct grouped *g, uint64_t key)
{
    const struct row_hits wanted = {.key = key};

    if (!g || !g->known || g->total == 0)
        return -1;
    const struct row_hits *found =
        bsearch(&wanted, g->rows, g->count, sizeof(*g->rows), order_keys);
    return found ? (double)found->hits / (double)g->total : 0;
}

/* All functions that no handler is of, as view_contexts_mark() makes it: here they are apart. */
static bool is_rest(const struct sparklines *sparklines, const struct view_row *row)
{
    return sparklines->by == VIEW_BY_CONTEXT && !sparklines->exceptions && row->unplaced &&
           row->addr == 0;
}

size_t sparklines_series(const struct sparklines *sparklines, const struct view_row *row,
                         double *shares, size_t capacity)
{
    uint64_t key = key_of(sparklines, row);
    size_t count = sparklines->second_count < capacity ? sparklines->second_count : capacity;
    size_t first = sparklines->second_count - count;

    for (size_t i = 0; i < count; i++)
        shares[i] = is_rest(sparklines, row) ? -1 : share_in(sparklines->seconds[first + i], key);
    return count;
}
