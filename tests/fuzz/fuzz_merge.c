/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two profiles that are added up; the first two bytes say where the second one begins. */
#include "fuzz_snapshot.h"

static struct snapshot *merge(const struct snapshot *a, const struct snapshot *b)
{
    const struct snapshot *const pair[] = {a, b};
    static const char *const names[] = {"a", "b"};
    struct snapshot *sum = NULL;
    char text[300] = "";
    enum snapshot_code code = snapshot_merge(pair, names, 2, &sum, text, sizeof(text));

    if (code != SNAPSHOT_OK && (text[0] == '\0' || strchr(text, '\n') || sum))
        abort();
    return sum;
}

static void must_be_same(const struct snapshot *a, const struct snapshot *b)
{
    size_t a_len, b_len;
    uint8_t *of_a = snapshot_bytes(a, &a_len), *of_b = snapshot_bytes(b, &b_len);

    if (!of_a || !of_b || a_len != b_len || memcmp(of_a, of_b, a_len) != 0)
        abort();
    free(of_a);
    free(of_b);
}

static uint64_t sum_of(const struct snapshot *s, const char *name, const char *unit)
{
    uint64_t sum = 0;

    for (size_t type = 0; type < s->type_count; type++) {
        if (strcmp(s->types[type].name, name) != 0 || strcmp(s->types[type].unit, unit) != 0)
            continue;
        for (size_t i = 0; i < s->sample_count; i++)
            sum += (uint64_t)s->values[i * s->type_count + type];
        return sum;
    }
    return sum;
}

static void must_add_up(const struct snapshot *a, const struct snapshot *b,
                        const struct snapshot *sum)
{
    for (size_t i = 0; i < sum->type_count; i++) {
        const char *name = sum->types[i].name, *unit = sum->types[i].unit;
        if (sum_of(a, name, unit) + sum_of(b, name, unit) != sum_of(sum, name, unit))
            abort();
    }
}

/* Two static functions of one name and line are told apart by where they begin. Of a file that says
 * it is ours but leaves that out, or has both at one address, nothing more is promised. */
static bool has_twins(const struct snapshot *s)
{
    for (size_t i = 1; i < s->function_count; i++) {
        const struct snapshot_function *f = &s->functions[i - 1], *g = &s->functions[i];
        if (f->name == g->name && f->file == g->file && f->system_name == g->system_name &&
            f->start_line == g->start_line)
            return true;
    }
    return false;
}

/* Sums too large for one grouping may fit in another one. */
static void check_groups(const struct snapshot *a, const struct snapshot *b,
                         const struct snapshot *ab)
{
    struct snapshot *bb = merge(b, b), *left = merge(ab, b), *right = bb ? merge(a, bb) : NULL;

    if (left && right && !has_twins(left) && !has_twins(right))
        must_be_same(left, right);
    snapshot_free(bb);
    snapshot_free(left);
    snapshot_free(right);
}

static void check_pair(const struct snapshot *a, const struct snapshot *b)
{
    struct snapshot *ab = merge(a, b), *ba = merge(b, a);

    if (!ab != !ba)
        abort();
    if (ab) {
        must_add_up(a, b, ab);
        fuzz_again(ab);
    }
    if (ab && !has_twins(ab)) {
        must_be_same(ab, ba);
        check_groups(a, b, ab);
    }
    snapshot_free(ab);
    snapshot_free(ba);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct snapshot *a = NULL, *b = NULL;
    char text[300];

    if (len < 2)
        return 0;
    size_t first = (size_t)bytes[0] << 8 | bytes[1];
    bytes += 2;
    len -= 2;
    first = first < len ? first : len;
    if (snapshot_read(bytes, first, "a", &a, text, sizeof(text)) == SNAPSHOT_OK &&
        snapshot_read(bytes + first, len - first, "b", &b, text, sizeof(text)) == SNAPSHOT_OK)
        check_pair(a, b);
    snapshot_free(a);
    snapshot_free(b);
    return 0;
}
