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

/* What to do about the last note. */
static void advise(struct notes *n, const char *advice)
{
    n->c->notes[n->c->note_count - 1].advice = advice;
}

static const char *word_for(bool base, bool newer)
{
    return base && newer ? "both sides" : base ? "base" : "new";
}

const char *view_change_word(enum view_by by, size_t count)
{
    static const char *const words[][2] = {
        [VIEW_BY_FUNCTION] = {"function", "functions"},
        [VIEW_BY_LINE] = {"line", "lines"},
        [VIEW_BY_FILE] = {"file", "files"},
        [VIEW_BY_ADDRESS] = {"address", "addresses"},
        [VIEW_BY_ARC] = {"arc", "arcs"},
        [VIEW_BY_INLINE] = {"function", "functions"},
        [VIEW_BY_CONTEXT] = {"context", "contexts"},
    };

    return words[by][count != 1];
}

void view_changes_headline(const struct view_changes *c, char *text, size_t capacity)
{
    const char *rows = view_change_word(c->by, c->count);
    size_t more = 0;

    for (size_t i = 0; i < c->count; i++)
        more += c->rows[i].d.direction > 0;
    if (!c->judged)
        snprintf(text, capacity, "%zu %s, none marked: nothing can be judged", c->count, rows);
    else if (c->significant == 0)
        snprintf(text, capacity, "no evidence of a change (%zu %s)", c->count, rows);
    else
        snprintf(text, capacity, "%zu of %zu %s changed: %zu more, %zu less", c->significant,
                 c->count, rows, more, c->significant - more);
}

static void note_doubt(struct notes *n, enum view_note_kind kind, enum profile_doubt doubt,
                       bool base, bool newer)
{
    char text[PROFILE_DOUBT_TEXT];

    if (!base && !newer)
        return;
    profile_doubt_text(doubt, word_for(base, newer), 0, text);
    note(n, kind, "%s; nothing is marked", text);
}

static void note_doubts(struct notes *n)
{
    const struct view_side_about *base = &n->c->sides[VIEW_BASE], *newer = &n->c->sides[VIEW_NEW];

    note_doubt(n, VIEW_NOTE_ALARM, PROFILE_DOUBT_LOCKED, base->locked, newer->locked);
    note_doubt(n, VIEW_NOTE_ALARM, PROFILE_DOUBT_TABLE, base->unsure, newer->unsure);
    note_doubt(n, VIEW_NOTE_WARNING, PROFILE_DOUBT_FIXED, base->fixed, newer->fixed);
}

/* What the reference cannot know. */
static void note_reference(struct notes *n)
{
    const struct diff *d = &n->c->whole;

    if (d->together > 0 || d->together < 0) {
        note(n, VIEW_NOTE_WARNING, "all rows together: %+.0f %%: %s work, or many changes",
             100 * d->together, d->together > 0 ? "more" : "less");
        advise(n, "--per iteration tells, if the main loop calls mprof_iteration()");
    }
    if (d->per != DIFF_PER_MEDIAN || !d->contested)
        return;
    note(
        n, VIEW_NOTE_ALARM,
        "cannot tell which rows changed: those with %.0f %% of base's hits, or those with %.0f %%; "
        "they differ by %+.1f %%, and none of them is marked",
        100 * d->support, 100 * d->rival_support, 100 * (d->rival - 1));
    advise(n, "--per iteration tells, if the main loop calls mprof_iteration(), and --per "
              "function:NAME, if you know a function that did not change");
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
    if (part[VIEW_BASE] >= enough_common && part[VIEW_NEW] >= enough_common)
        return;
    note(n, VIEW_NOTE_ALARM,
         "these may be two different programs: rows that both have make up %.0f %% of base's hits "
         "and %.0f %% of new's",
         100 * part[VIEW_BASE], 100 * part[VIEW_NEW]);
    advise(n, "compare builds of one program");
}

static void note_runs(struct notes *n)
{
    const struct view_changes *c = n->c;
    const struct view_side_about *s = c->sides;

    for (int side = 0; side < VIEW_SIDES; side++) {
        char newest[40] = "newest run is";
        if (s[side].count > 1)
            snprintf(newest, sizeof(newest), "%zu newest are", s[side].count);
        if (s[side].spare)
            note(n, VIEW_NOTE_WARNING,
                 "%s has %zu runs and %s %zu: its %s compared, since more runs on one side would "
                 "tell the noise of that side only",
                 side == VIEW_BASE ? "base" : "new", s[side].count + s[side].spare,
                 side == VIEW_BASE ? "new" : "base", s[side].count, newest);
    }
    if (c->whole.runs > 1 && (s[VIEW_BASE].one_boot || s[VIEW_NEW].one_boot)) {
        note(n, VIEW_NOTE_WARNING,
             "the runs of %s are of one boot: what differs from boot to boot is not in the noise",
             word_for(s[VIEW_BASE].one_boot, s[VIEW_NEW].one_boot));
        advise(n, "mprof snapshot --runs 5 --reset-target resets the target before each run");
    }
    if (c->whole.runs > 1)
        return;
    if (c->options.noise >= 0) {
        note(n, VIEW_NOTE_WARNING,
             "one run a side: marks are as good as the %.3g %% that --noise gives for what runs of "
             "one build differ by",
             100 * c->options.noise);
        return;
    }
    if (c->options.repeated)
        return;
    bool counting = c->sides[VIEW_BASE].counting_only || c->sides[VIEW_NEW].counting_only;
    note(n, VIEW_NOTE_WARNING,
         "one run a side: changes are those of these two recordings, not of the builds; nothing is "
         "marked%s",
         counting ? ", and intervals cover counting only" : "");
    advise(n, "take five runs of each build: mprof snapshot --runs 5");
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
                 "%s has %zu builds: what they differ by counts as noise between runs",
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
         "unknown %s: %.1f %% of base and %.1f %% of new%s",
         n->c->by == VIEW_BY_FILE || n->c->by == VIEW_BY_LINE ? "file" : "function", 100 * part[0],
         100 * part[1], n->set->same_place ? "" : ", shown as one row");
    if (much)
        advise(n, "give the ELF file of a gmon.out with --elf");
}

bool change_notes(struct view_set *set, struct view_changes *changes)
{
    struct notes n = {.set = set, .c = changes};

    note_doubts(&n);
    for (size_t i = 0; i < set->overlap_note_count; i++)
        note(&n, VIEW_NOTE_WARNING, "%s", string_pool_text(set->pool, set->overlap_notes[i]));
    note_reference(&n);
    note_runs(&n);
    note_common(&n);
    note_source(&n);
    note_losses(&n);
    note_builds(&n);
    note_differing(&n);
    note_names(&n);
    return !string_pool_failed(set->pool);
}
