/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has to be said of a diff before its numbers (docs/statistics.md). */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include <profile/unsure.h>
#include <ranking/change_set.h>
#include <ranking/remedy.h>

/* Hits of rows that both sides have, of all hits: with fewer there is little to compare. */
static const double enough_common = 0.5;

#define BLOCK_SIZE_TEXT 20

struct notes {
    struct view_set *set;
    struct view_changes *c;
};

static void note(struct notes *n, enum view_note_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void note(struct notes *n, enum view_note_kind kind, const char *format, ...)
{
    char text[600];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    const char *kept = string_pool_text(n->set->pool, string_pool_add(n->set->pool, text));
    if (kept && n->c->note_count < VIEW_NOTES_MAX)
        n->c->notes[n->c->note_count++] = (struct view_note){.kind = kind, .text = kept};
}

static const char *word_for(bool base, bool newer)
{
    return base && newer ? "both sides" : base ? "base" : "new";
}

const char *view_change_word(enum view_by by)
{
    static const char *const words[] = {
        [VIEW_BY_FUNCTION] = "function", [VIEW_BY_LINE] = "line", [VIEW_BY_FILE] = "file",
        [VIEW_BY_ADDRESS] = "address",   [VIEW_BY_ARC] = "arc",   [VIEW_BY_INLINE] = "function",
        [VIEW_BY_CONTEXT] = "context",
    };

    return words[by];
}

void view_changes_headline(const struct view_changes *c, char *text, size_t capacity)
{
    const char *word = view_change_word(c->by);
    const char *many = c->by == VIEW_BY_ADDRESS ? "es" : "s";

    if (!c->judged)
        snprintf(text, capacity, "%zu %s%s; significance cannot be judged", c->count, word,
                 c->count == 1 ? "" : many);
    else if (c->significant == 0)
        snprintf(text, capacity, "nothing changed beyond noise (%zu %s%s)", c->count, word,
                 c->count == 1 ? "" : many);
    else
        snprintf(text, capacity, "%zu of %zu %s%s changed beyond noise", c->significant, c->count,
                 word, c->count == 1 ? "" : many);
}

static void note_doubt(struct notes *n, enum view_note_kind kind, enum profile_doubt doubt,
                       bool base, bool newer)
{
    char text[PROFILE_DOUBT_TEXT];

    if (!base && !newer)
        return;
    profile_doubt_text(doubt, word_for(base, newer), 0, text);
    note(n, kind, "%s; nothing is significant", text);
}

static void note_doubts(struct notes *n)
{
    const struct view_side_about *base = &n->c->sides[VIEW_BASE], *newer = &n->c->sides[VIEW_NEW];

    note_doubt(n, VIEW_NOTE_ALARM, PROFILE_DOUBT_LOCKED, base->locked, newer->locked);
    note_doubt(n, VIEW_NOTE_ALARM, PROFILE_DOUBT_TABLE, base->unsure, newer->unsure);
    note_doubt(n, VIEW_NOTE_WARNING, PROFILE_DOUBT_FIXED, base->fixed, newer->fixed);
}

static void note_median(struct notes *n)
{
    const struct diff *d = &n->c->whole;

    if (n->c->options.per != DIFF_PER_MEDIAN || !n->c->judged)
        return;
    if (d->contested)
        note(n, VIEW_NOTE_ALARM,
             "AMBIGUOUS: the rows with %.0f %% of base's hits are shown as unchanged and those "
             "with %.0f %% as changed by %+.1f %%, but it may be the other way round; use mprof "
             "diff --per second or --per function:NAME",
             100 * d->support, 100 * d->rival_support, 100 * (d->rival - 1));
    if (d->uneven)
        note(n, VIEW_NOTE_WARNING,
             "uneven: rows that are not significant differ by more than noise: some of them "
             "changed, but shares cannot tell which; use mprof diff --per second or --per "
             "function:NAME");
}

static void note_common(struct notes *n)
{
    uint64_t common[VIEW_SIDES] = {0, 0};
    double part[VIEW_SIDES];

    for (size_t i = 0; i < n->c->count; i++) {
        const struct diff_row *d = &n->c->rows[i].d;
        common[VIEW_BASE] += d->state == DIFF_BOTH ? d->base_hits : 0;
        common[VIEW_NEW] += d->state == DIFF_BOTH ? d->new_hits : 0;
    }
    for (int side = 0; side < VIEW_SIDES; side++)
        part[side] = (double)common[side] / (double)n->c->sides[side].hits;
    n->c->little_common = part[VIEW_BASE] < enough_common || part[VIEW_NEW] < enough_common;
    if (n->c->little_common)
        note(n, VIEW_NOTE_ALARM,
             "LITTLE IN COMMON: rows found on both sides have %.0f %% of base's hits and %.0f %% "
             "of new's%s",
             100 * part[VIEW_BASE], 100 * part[VIEW_NEW],
             n->c->options.per == DIFF_PER_MEDIAN
                 ? ", and all changes are relative to these few; compare builds of one program, or "
                   "use mprof diff --per second or --per function:NAME"
                 : ": are these the same program?");
}

static void note_runs(struct notes *n)
{
    const struct view_changes *c = n->c;
    const struct view_side_about *s = c->sides;
    bool given = c->options.noise >= 0;

    if (given || !isnan(c->whole.noise))
        return;
    if (s[VIEW_BASE].count > 1 || s[VIEW_NEW].count > 1) {
        note(n, VIEW_NOTE_WARNING,
             "too many hits were lost to measure noise between runs, which shows as change; build "
             "a larger table, or give --noise");
        return;
    }
    if (c->options.exact)
        note(n, VIEW_NOTE_WARNING,
             "%s are counted, not sampled: with one snapshot on each side nothing is significant; "
             "mprof diff takes several a side (--base A... --new B...) or --noise",
             c->unit);
    else
        note(n, VIEW_NOTE_WARNING,
             "one snapshot on each side: noise between runs shows as change; mprof diff takes "
             "three a side (--base A... --new B...) or --noise");
}

static const char *block_size_text(unsigned bytes, char text[BLOCK_SIZE_TEXT])
{
    snprintf(text, BLOCK_SIZE_TEXT, "%u byte%s", bytes, bytes == 1 ? "" : "s");
    return bytes ? text : "several";
}

static void note_source(struct notes *n)
{
    char sizes[VIEW_SIDES][BLOCK_SIZE_TEXT];
    const struct view_side_about *base = &n->c->sides[VIEW_BASE], *newer = &n->c->sides[VIEW_NEW];
    bool known = base->sample_hz > 0 && newer->sample_hz > 0;

    if (known && fabs(base->sample_hz - newer->sample_hz) > 1e-9 * base->sample_hz)
        note(n, VIEW_NOTE_WARNING, "sampled at different rates: base at %g Hz, new at %g Hz",
             base->sample_hz, newer->sample_hz);
    if (base->block_size != newer->block_size || base->block_size == 0)
        note(n, VIEW_NOTE_WARNING,
             "block sizes differ (base: %s, new: %s): hits of a block that spans two functions are "
             "divided differently",
             block_size_text(base->block_size, sizes[VIEW_BASE]),
             block_size_text(newer->block_size, sizes[VIEW_NEW]));
    if (base->decays || newer->decays)
        note(n, VIEW_NOTE_WARNING, "counts decay in %s: older hits weigh less",
             word_for(base->decays, newer->decays));
}

static double part_of(uint64_t hits, uint64_t all)
{
    return all ? (double)hits / (double)all : 0;
}

static void note_losses(struct notes *n)
{
    const struct view_side_about *base = &n->c->sides[VIEW_BASE], *newer = &n->c->sides[VIEW_NEW];
    double lost[] = {part_of(base->dropped, base->hits + base->dropped),
                     part_of(newer->dropped, newer->hits + newer->dropped)};

    if (lost[0] >= VIEW_LOST_MUCH || lost[1] >= VIEW_LOST_MUCH)
        note(n, VIEW_NOTE_WARNING,
             "lost by the target: %.1f %% of base, %.1f %% of "
             "new; intervals are wider",
             100 * lost[0], 100 * lost[1]);
    if (base->headerless || newer->headerless)
        note(n, VIEW_NOTE_PLAIN, "lost hits are not known for %s",
             word_for(base->headerless, newer->headerless));
}

static void note_builds(struct notes *n)
{
    const struct view_side_about *s = n->c->sides;

    for (int side = 0; side < VIEW_SIDES; side++) {
        if (s[side].builds > 1)
            note(n, VIEW_NOTE_WARNING,
                 "%s has %zu builds: their differences count as noise between runs",
                 side == VIEW_BASE ? "base" : "new", s[side].builds);
    }
}

/* Hits of another program under the names of this one. */
static void note_differing(struct notes *n)
{
    const struct view_set *set = n->set;
    const char *first = NULL;
    size_t more = 0;

    for (size_t i = 0; i < set->run_count; i++) {
        if (!set->runs[i].differs)
            continue;
        more += first != NULL;
        first = first ? first : string_pool_text(set->pool, set->runs[i].name);
    }
    if (first && more)
        note(n, VIEW_NOTE_WARNING,
             "%s and %zu more were taken with --force from another build than the ELF file: their "
             "names may be wrong",
             first, more);
    else if (first)
        note(n, VIEW_NOTE_WARNING,
             "%s was taken with --force from another build than the ELF file: its names may be "
             "wrong",
             first);
}

static void note_names(struct notes *n)
{
    const struct view_side_about *base = &n->c->sides[VIEW_BASE], *newer = &n->c->sides[VIEW_NEW];
    double part[] = {part_of(base->unnamed, base->hits), part_of(newer->unnamed, newer->hits)};

    if (part[0] <= 0 && part[1] <= 0)
        return;
    bool much = part[0] > 0.5 || part[1] > 0.5;
    note(n, much ? VIEW_NOTE_WARNING : VIEW_NOTE_PLAIN,
         "unknown %s: %.1f %% of base and %.1f %% of new%s%s",
         n->c->by == VIEW_BY_FILE || n->c->by == VIEW_BY_LINE ? "file" : "function", 100 * part[0],
         100 * part[1], n->set->same_place ? "" : ", shown as one row",
         much ? "; give the ELF file of a gmon.out with --elf" : "");
}

bool change_notes(struct view_set *set, struct view_changes *changes)
{
    struct notes n = {.set = set, .c = changes};

    note_doubts(&n);
    for (size_t i = 0; i < set->overlap_note_count; i++)
        note(&n, VIEW_NOTE_WARNING, "%s", string_pool_text(set->pool, set->overlap_notes[i]));
    note_median(&n);
    note_common(&n);
    note_runs(&n);
    note_source(&n);
    note_losses(&n);
    note_builds(&n);
    note_differing(&n);
    note_names(&n);
    return !string_pool_failed(set->pool);
}
