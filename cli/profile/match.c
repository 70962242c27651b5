/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions of two builds are the same (docs/statistics.md, "Rows across builds"). */
#include <profile/match.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "match_private.h"

#define NONE SIZE_MAX

/* Sizes that are known differ by so much at most in what is thought to be one function. */
static const double like_size = 1.5;

/* Taken for moved to another file, by their name: shares may differ by so much. */
static const double moved_share = 3;

static int compare_text(const char *left, size_t left_len, const char *right, size_t right_len)
{
    int order = memcmp(left, right, left_len < right_len ? left_len : right_len);

    return order != 0 ? order : (left_len > right_len) - (left_len < right_len);
}

static int compare_files(const char *left, const char *right)
{
    if (left == NULL || right == NULL)
        return (left != NULL) - (right != NULL);
    return strcmp(left, right);
}

static int compare_names(const struct match_key *left, const struct match_key *right)
{
    return compare_text(left->function, left->name_len, right->function, right->name_len);
}

static int compare_keys(const void *left, const void *right)
{
    const struct match_key *l = left, *r = right;
    int order = compare_names(l, r);

    return order != 0 ? order : compare_files(l->file, r->file);
}

static struct match_key key_of(const struct match_row *row)
{
    return (struct match_key){
        .function = row->function, .name_len = match_name_len(row->function), .file = row->file};
}

static void add_row(struct match_key *key, const struct match_row *row)
{
    int side = row->newer ? 1 : 0;

    key->joined += key->has[side] ? 1 : 0;
    key->has[side] = true;
    key->hits[side] += row->hits;
    key->size[side] += row->size;
}

/* One key for each name and file, ordered. */
static void make_keys(struct match *m)
{
    for (size_t i = 0; i < m->row_count; i++)
        m->keys[i] = key_of(&m->rows[i]);
    qsort(m->keys, m->row_count, sizeof(*m->keys), compare_keys);
    for (size_t i = 0; i < m->row_count; i++)
        if (m->count == 0 || compare_keys(&m->keys[m->count - 1], &m->keys[i]) != 0)
            m->keys[m->count++] = m->keys[i];
    for (size_t i = 0; i < m->row_count; i++) {
        struct match_key key = key_of(&m->rows[i]);
        struct match_key *found = bsearch(&key, m->keys, m->count, sizeof(*m->keys), compare_keys);
        m->rows[i].key = (size_t)(found - m->keys);
        m->totals[m->rows[i].newer ? 1 : 0] += (double)m->rows[i].hits;
        add_row(found, &m->rows[i]);
    }
    for (size_t i = 0; i < m->count; i++)
        m->into[i] = i;
}

bool match_is_only(const struct match *m, size_t i, int side)
{
    return m->into[i] == i && m->keys[i].has[side] && !m->keys[i].has[!side];
}

void match_join(struct match *m, size_t base, size_t newer)
{
    struct match_key *to = &m->keys[base];
    const struct match_key *from = &m->keys[newer];

    to->has[1] = true;
    to->hits[1] = from->hits[1];
    to->size[1] = from->size[1];
    to->joined += from->joined;
    to->file = from->file != NULL ? from->file : to->file;
    m->into[newer] = base;
}

const char *match_last_part(const char *file)
{
    const char *slash = strrchr(file, '/'), *back = strrchr(file, '\\');
    const char *last = back != NULL && (slash == NULL || back > slash) ? back : slash;

    return last != NULL ? last + 1 : file;
}

/* Equal but for the folder, or not known on one side. */
static bool files_agree(const char *left, const char *right)
{
    return left == NULL || right == NULL ||
           strcmp(match_last_part(left), match_last_part(right)) == 0;
}

/* The one key of the other side that agrees among [from, to); NONE: there is none, or several. */
static size_t only_partner(const struct match *m, size_t i, size_t from, size_t to)
{
    int other = m->keys[i].has[0] ? 1 : 0;
    size_t found = NONE;

    for (size_t k = from; k < to; k++) {
        if (!match_is_only(m, k, other) || !files_agree(m->keys[i].file, m->keys[k].file))
            continue;
        if (found != NONE)
            return NONE;
        found = k;
    }
    return found;
}

bool match_within(double left, double right, double factor)
{
    return left > 0 && right > 0 && left <= right * factor && right <= left * factor;
}

bool match_like_sizes(const struct match_key *base, const struct match_key *newer)
{
    return base->size[0] == 0 || newer->size[1] == 0 ||
           match_within((double)base->size[0], (double)newer->size[1], like_size);
}

/* Static functions of one name in two files are not one: nobody else may have the name, and they
 * must be alike. */
static void join_other_file(struct match *m, size_t left, size_t right)
{
    size_t base = match_is_only(m, left, 0) ? left : right, newer = base == left ? right : left;
    const struct match_key *b = &m->keys[base], *n = &m->keys[newer];

    if (!match_is_only(m, base, 0) || !match_is_only(m, newer, 1) || b->file == NULL ||
        n->file == NULL || !match_like_sizes(b, n) ||
        !match_within((double)b->hits[0] / m->totals[0], (double)n->hits[1] / m->totals[1],
                      moved_share))
        return;
    m->keys[base].old_file = b->file;
    match_join(m, base, newer);
}

/* Keys of one name stand side by side. */
static void join_moved(struct match *m)
{
    for (size_t from = 0, to; from < m->count; from = to) {
        for (to = from + 1; to < m->count && compare_names(&m->keys[from], &m->keys[to]) == 0;)
            to++;
        for (size_t i = from; i < to; i++) {
            if (!match_is_only(m, i, 0))
                continue;
            size_t partner = only_partner(m, i, from, to);
            if (partner != NONE && only_partner(m, partner, from, to) == i)
                match_join(m, i, partner);
        }
        if (to - from == 2)
            join_other_file(m, from, from + 1);
    }
}

/* Keys that were taken over leave; rows get the numbers that remain. */
static void close_up(struct match *m, size_t *number)
{
    size_t kept = 0;

    for (size_t i = 0; i < m->count; i++) {
        if (m->into[i] != i)
            continue;
        number[i] = kept;
        m->keys[kept++] = m->keys[i];
    }
    for (size_t i = 0; i < m->row_count; i++)
        m->rows[i].key = number[m->into[m->rows[i].key]];
    m->count = kept;
}

bool match_rows(struct match_row *rows, size_t row_count, struct match_key **keys, size_t *count)
{
    struct match m = {.rows = rows, .row_count = row_count};
    size_t *number = calloc(row_count + 1, sizeof(*number));

    m.keys = calloc(row_count + 1, sizeof(*m.keys));
    m.into = calloc(row_count + 1, sizeof(*m.into));
    bool ok = m.keys != NULL && m.into != NULL && number != NULL;
    if (ok) {
        make_keys(&m);
        join_moved(&m);
        ok = match_renamed(&m);
    }
    if (ok) {
        close_up(&m, number);
        *keys = m.keys;
        *count = m.count;
    } else {
        free(m.keys);
    }
    free(m.into);
    free(number);
    return ok;
}
