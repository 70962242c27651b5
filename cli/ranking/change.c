/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From matched rows to what changed. */
#include <ranking/change.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <profile/match.h>
#include <ranking/build.h>
#include <ranking/change_set.h>
#include <ranking/context.h>

/* A diff in the making. */
struct making {
    struct view_set *set;
    const struct view_change_options *options;
    struct view_changes changes;
    struct diff_hits *hits;          /* of all rows of the first snapshot, then of the next */
    struct diff_snapshot *snapshots; /* base's, then new's; the oldest first */
    bool *idle;                      /* of each row */
    double *idle_hits;               /* of each run */
    char *text;
    size_t capacity;
};

static const char *text_of(const struct view_set *set, string_pool_id id)
{
    const char *text = string_pool_text(set->pool, id);

    return text ? text : "";
}

void view_build_name(const char *build_id, char *text, size_t capacity)
{
    if (build_id[0])
        snprintf(text, capacity, "build %.*s", view_build_len(build_id), build_id);
    else
        snprintf(text, capacity, "build not known");
}

/* All are known to be of one build, and it was loaded at one place. */
static bool is_one_build(const struct view_set *set)
{
    for (size_t i = 0; i < set->run_count; i++) {
        const struct change_run *run = &set->runs[i], *first = &set->runs[0];
        if (!text_of(set, run->build_id)[0] || run->build_id != first->build_id)
            return false;
    }
    return true;
}

static bool is_one_place(const struct view_set *set)
{
    for (size_t i = 0; i < set->run_count; i++) {
        if (set->runs[i].start != set->runs[0].start)
            return false;
    }
    return true;
}

static bool check_by(const struct making *m)
{
    const struct view_set *set = m->set;
    const struct view_side_about *sides = m->changes.sides;
    char base[40], newer[40];

    if (set->by != VIEW_BY_LINE && set->by != VIEW_BY_ADDRESS)
        return true;
    if (set->same_build && (set->by == VIEW_BY_LINE || set->same_place))
        return true;
    view_build_name(sides[VIEW_BASE].build_id, base, sizeof(base));
    view_build_name(sides[VIEW_NEW].build_id, newer, sizeof(newer));
    snprintf(m->text, m->capacity,
             "--by %s needs the same build at the same address on both sides: base is %s (%s), new "
             "is %s (%s); use --by function",
             set->by == VIEW_BY_LINE ? "line" : "address", sides[VIEW_BASE].names[0], base,
             sides[VIEW_NEW].names[0], newer);
    return false;
}

static void add_run(struct view_side_about *side, const struct change_run *run)
{
    side->hits += run->hits;
    side->dropped += run->dropped;
    side->ignored += run->ignored;
    side->locked |= run->locked;
    side->unsure |= run->unsure;
    side->fixed |= run->fixed;
    side->headerless |= run->headerless;
    side->decays |= run->decays;
    side->one_boot |= run->one_boot;
    side->counting_only |= run->counting_only;
    if (side->count++ == 0) {
        side->block_size = run->block_size;
        side->sample_hz = fmax(run->sample_hz, 0);
        side->duration_s = fmax(run->duration_s, 0);
        return;
    }
    if (side->block_size != run->block_size)
        side->block_size = 0;
    if (fabs(side->sample_hz - run->sample_hz) > 1e-9 * side->sample_hz)
        side->sample_hz = 0;
    bool timed = side->duration_s > 0 && run->duration_s > 0;
    side->duration_s = timed ? side->duration_s + run->duration_s : 0;
}

static size_t count_builds(const struct view_set *set, enum view_side side)
{
    size_t builds = 0;

    for (size_t i = 0; i < set->run_count; i++) {
        bool seen = set->runs[i].side != side || !text_of(set, set->runs[i].build_id)[0];
        for (size_t k = 0; k < i && !seen; k++)
            seen = set->runs[k].side == side && set->runs[k].build_id == set->runs[i].build_id;
        builds += !seen;
    }
    return builds;
}

static bool describe_side(struct making *m, enum view_side side)
{
    struct view_set *set = m->set;
    struct view_side_about *about = &m->changes.sides[side];
    const char **names = calloc(set->run_count + 1, sizeof(*names));

    if (!names)
        return false;
    free(set->names[side]);
    set->names[side] = names;
    for (size_t i = 0; i < set->run_count; i++) {
        const struct change_run *run = &set->runs[i];
        about->spare += run->side == side && run->spare;
        if (run->side != side || run->spare)
            continue;
        const char *name = text_of(set, run->name);
        if (about->name_count == 0 || names[about->name_count - 1] != name)
            names[about->name_count++] = name;
        if (about->count == 0) {
            about->elf = text_of(set, run->elf);
            about->build_id = text_of(set, run->build_id);
        }
        add_run(about, run);
    }
    about->names = names;
    about->builds = count_builds(set, side);
    return about->count > 0;
}

static void count_unnamed(struct making *m)
{
    const struct view_set *set = m->set;
    bool files = set->by == VIEW_BY_FILE || set->by == VIEW_BY_LINE;

    for (size_t i = 0; i < set->part_count; i++) {
        const struct change_part *part = &set->parts[i];
        if (!set->runs[part->run].spare && (files ? part->file : part->function) == 0)
            m->changes.sides[set->runs[part->run].side].unnamed += part->hits;
    }
}

static int64_t time_of(const struct change_run *run)
{
    return run->fingerprint ? run->fingerprint->time_ns : 0;
}

/* Whether a run comes before another one of its side; without times, as they were added. */
static bool is_before(const struct view_set *set, size_t a, size_t b)
{
    int64_t x = time_of(&set->runs[a]), y = time_of(&set->runs[b]);

    return x && y && x != y ? x < y : a < b;
}

/* The place of a run on its side. */
static size_t place_of(const struct view_set *set, size_t run)
{
    size_t place = 0;

    for (size_t i = 0; i < set->run_count; i++)
        place += i != run && set->runs[i].side == set->runs[run].side && is_before(set, i, run);
    return place;
}

/* Both sides have as many runs: the newest ones. */
static void choose_runs(struct view_set *set)
{
    size_t counts[VIEW_SIDES] = {0, 0};

    for (size_t i = 0; i < set->run_count; i++)
        counts[set->runs[i].side]++;
    size_t used = counts[VIEW_BASE] < counts[VIEW_NEW] ? counts[VIEW_BASE] : counts[VIEW_NEW];
    for (size_t i = 0; i < set->run_count; i++)
        set->runs[i].spare = place_of(set, i) + used < counts[set->runs[i].side];
}

static void mark_idle(struct making *m)
{
    const struct view_ignore *idle = m->options->idle;

    for (size_t i = 0; i < m->changes.count; i++) {
        struct view_change *row = &m->changes.rows[i];
        m->idle[i] = view_is_idle(idle, row->addr, row->function, NULL, row->file);
    }
    for (size_t i = 0; i < m->set->part_count; i++)
        m->idle[m->set->parts[i].key] |= m->set->parts[i].idle;
    for (size_t i = 0; i < m->changes.count; i++)
        m->changes.rows[i].idle = m->idle[i];
    for (size_t i = 0; i < m->set->part_count; i++) {
        const struct change_part *part = &m->set->parts[i];
        if (m->idle[part->key])
            m->idle_hits[part->run] += (double)part->hits;
    }
}

/* Hits of functions that wait, and those that came while the core slept. */
static double idle_of(const struct making *m, size_t run)
{
    const struct change_run *r = &m->set->runs[run];

    return r->exact ? 0
                    : (m->idle_hits[run] + (double)r->slept) /
                          fmax((double)r->hits + (double)r->dropped + (double)r->slept, 1);
}

/* By the target's own timer, which stands still where the target does, and goes as fast as an
 * emulator does; else by the host's clock. */
static double seconds_of(const struct change_run *run)
{
    double events = (double)run->events, hits = (double)run->hits;
    bool known = run->sample_hz > 0 && events < UINT32_MAX && events > 0.99 * hits;

    /* An event may be counted while its hit is not read yet, or the other way round. */
    return known ? fmax(events, hits) / run->sample_hz : run->duration_s;
}

/* On a slow link rows are read long after the header that has the iterations: by as much as there
 * are more hits than the header's events allow. */
static double iterations_of(const struct change_run *run)
{
    double without = (double)run->dropped + (double)run->ignored + (double)run->slept;
    double counted = (double)run->events - without, hits = (double)run->hits;

    return run->iterations * (counted > 0.5 * hits ? fmax(1, hits / counted) : 1);
}

/* What diff_make() wants: a list of rows for each run. */
static bool fill_hits(struct making *m)
{
    const struct view_set *set = m->set;
    size_t count = m->changes.count;

    m->hits = calloc(set->run_count * count + 1, sizeof(*m->hits));
    m->snapshots = calloc(set->run_count, sizeof(*m->snapshots));
    m->idle = calloc(count + 1, sizeof(*m->idle));
    m->idle_hits = calloc(set->run_count, sizeof(*m->idle_hits));
    if (!m->hits || !m->snapshots || !m->idle || !m->idle_hits)
        return false;
    mark_idle(m);
    for (size_t i = 0; i < set->run_count; i++) {
        const struct change_run *run = &set->runs[i];
        const struct view_side_about *side = &m->changes.sides[run->side];
        if (run->spare)
            continue;
        size_t at = place_of(set, i) - side->spare +
                    (run->side == VIEW_NEW ? m->changes.sides[VIEW_BASE].count : 0);
        m->snapshots[at] = (struct diff_snapshot){.rows = m->hits + i * count,
                                                  .dropped = run->dropped,
                                                  .located = run->located,
                                                  .sample_hz = run->sample_hz,
                                                  .duration_s = seconds_of(run),
                                                  .iterations = iterations_of(run),
                                                  .idle = idle_of(m, i)};
    }
    for (size_t i = 0; i < set->part_count; i++) {
        const struct change_part *part = &set->parts[i];
        struct diff_hits *hits = &m->hits[part->run * count + part->key];
        double all = (double)hits->hits + (double)part->hits; /* each part wanders by itself */
        hits->spread += (part->spread - hits->spread) * (double)part->hits / all;
        hits->hits += part->hits;
        hits->inherited += part->inherited;
        hits->unseen_least += part->unseen.least;
        hits->unseen_most += part->unseen.most;
    }
    m->changes.options.idle = m->idle;
    return true;
}

/* CPU time: hits are samples of a known rate. */
static void fill_times(struct making *m)
{
    const struct view_set *set = m->set;
    bool known[VIEW_SIDES] = {true, true};

    for (size_t i = 0; i < set->run_count; i++) {
        const struct change_run *run = &set->runs[i];
        known[run->side] &= !run->exact && run->sample_hz > 0 && run->duration_s > 0;
    }
    for (size_t i = 0; i < set->part_count; i++) {
        const struct change_part *part = &set->parts[i];
        const struct change_run *run = &set->runs[part->run];
        if (known[run->side] && !run->spare)
            m->changes.rows[part->key].time[run->side] += (double)part->hits / run->sample_hz;
    }
    for (size_t i = 0; i < m->changes.count; i++) {
        for (int side = 0; side < VIEW_SIDES; side++) {
            double *time = &m->changes.rows[i].time[side];
            *time = known[side] ? 1e3 * *time / m->changes.sides[side].duration_s : NAN;
        }
    }
}

/* The median of rows that have nothing in common is no measure. */
static bool has_common(const struct making *m)
{
    for (size_t i = 0; i < m->changes.count; i++) {
        if (m->changes.rows[i].d.state == DIFF_BOTH)
            return true;
    }
    snprintf(m->text, m->capacity,
             "no row of %s is also in %s, so there is no median; use mprof diff --per second",
             m->changes.sides[VIEW_BASE].names[0], m->changes.sides[VIEW_NEW].names[0]);
    return false;
}

static bool is_name(const char *text, const char *name, size_t len)
{
    return text && strlen(text) == len && memcmp(text, name, len) == 0;
}

/* How many rows have a name, or had it in base; the last of them is the reference. */
static size_t count_named(struct making *m, const char *name, size_t len, bool old)
{
    size_t found = 0;

    for (size_t i = 0; i < m->changes.count; i++) {
        const struct view_change *row = &m->changes.rows[i];
        if (!is_name(old ? row->old_name : row->function, name, len))
            continue;
        m->changes.options.reference = i;
        found++;
    }
    return found;
}

/* By a name as people see it in either build, with or without what the compiler added. */
static bool find_reference(struct making *m)
{
    const char *name = m->changes.per_function;
    size_t found = 0;

    if (m->changes.options.per != DIFF_PER_FUNCTION)
        return true;
    if (m->set->by == VIEW_BY_FUNCTION) {
        size_t len = match_name_len(name);
        found = count_named(m, name, len, false);
        if (found == 0)
            found = count_named(m, name, len, true);
    }
    if (found == 1)
        return true;
    snprintf(m->text, m->capacity, "--per function:%s: %s", name,
             m->set->by != VIEW_BY_FUNCTION ? "needs --by function"
             : found                        ? "several functions have this name"
                                            : "no function has this name in either build; "
                                              "'mprof diff' without --per lists them");
    return false;
}

bool view_side_has_intervals(const struct view_side_about *side)
{
    return !side->locked && !side->fixed && !side->unsure;
}

/* Errors that are no chance have neither an interval nor a p. */
static void forget_intervals(struct diff_row *d)
{
    d->p = d->adjusted = d->new_unit = NAN;
    d->ratio_low = d->ratio_high = d->change_low = d->change_high = NAN;
    d->significant = false;
    d->direction = 0;
}

static void take_rows(struct making *m)
{
    struct view_changes *c = &m->changes;
    bool bare = !view_side_has_intervals(&c->sides[VIEW_BASE]) ||
                !view_side_has_intervals(&c->sides[VIEW_NEW]);

    for (size_t i = 0; i < c->count; i++) {
        c->rows[i].d = c->whole.rows[i];
        if (bare)
            forget_intervals(&c->rows[i].d);
        c->significant += c->rows[i].d.significant;
        c->judged |= !isnan(c->rows[i].d.p) && !isnan(c->rows[i].d.change);
    }
}

static bool compare(struct making *m)
{
    struct view_changes *c = &m->changes;
    const struct diff_side base = {.snapshots = m->snapshots, .count = c->sides[VIEW_BASE].count};
    const struct diff_side newer = {.snapshots = m->snapshots + base.count,
                                    .count = c->sides[VIEW_NEW].count};

    enum diff_code code = diff_make(&base, &newer, c->count, &c->options, &c->whole);
    if (code != DIFF_OK) {
        snprintf(m->text, m->capacity, "%s%s%s%s",
                 code == DIFF_ETIME        ? "--per second: "
                 : code == DIFF_EITERATION ? "--per iteration: "
                                           : "",
                 code == DIFF_EREFERENCE ? "--per function:" : "",
                 code == DIFF_EREFERENCE ? c->per_function : "",
                 code == DIFF_EREFERENCE ? ": no hits on one side" : diff_text(code));
        return false;
    }
    take_rows(m);
    return true;
}

static bool has_hits(const struct making *m)
{
    for (int side = 0; side < VIEW_SIDES; side++) {
        const struct view_side_about *about = &m->changes.sides[side];
        if (about->hits == 0) {
            snprintf(m->text, m->capacity, "%s%s has no hits: nothing can be compared",
                     about->names[0],
                     about->name_count > 1 ? " and the other files of this side" : "");
            return false;
        }
    }
    return true;
}

bool view_set_match(struct view_set *set, struct view_change **rows, size_t *count)
{
    if (!change_overlap(set))
        return false;
    set->same_build = is_one_build(set);
    set->same_place = set->same_build && is_one_place(set);
    return change_keys(set, rows, count);
}

static bool make(struct making *m)
{
    struct view_changes *c = &m->changes;

    if (!view_set_match(m->set, &c->rows, &c->count))
        return false;
    c->same_build = m->set->same_build;
    choose_runs(m->set);
    if (!describe_side(m, VIEW_BASE) || !describe_side(m, VIEW_NEW) || !has_hits(m) ||
        !check_by(m) || !find_reference(m) || !fill_hits(m))
        return false;
    fill_times(m);
    count_unnamed(m);
    if (!compare(m) || (c->whole.per == DIFF_PER_MEDIAN && !has_common(m)))
        return false;
    return change_notes(m->set, c);
}

bool view_changes_make(struct view_set *set, const struct view_change_options *options,
                       struct view_changes *changes, char *text, size_t capacity)
{
    struct making m = {.set = set, .options = options, .text = text, .capacity = capacity};

    m.changes = (struct view_changes){.by = set->by,
                                      .unit = set->run_count ? text_of(set, set->runs[0].unit) : "",
                                      .options = options->diff,
                                      .per_function = options->per_function};
    for (size_t i = 0; i < set->run_count; i++)
        m.changes.options.exact |= set->runs[i].exact;
    snprintf(text, capacity, "out of memory");
    bool done = make(&m);
    free(m.hits);
    free(m.snapshots);
    free(m.idle);
    free(m.idle_hits);
    m.changes.options.idle = NULL;
    if (done)
        *changes = m.changes;
    else
        view_changes_free(&m.changes);
    return done;
}

void view_changes_free(struct view_changes *changes)
{
    free(changes->rows);
    diff_free(&changes->whole);
    *changes = (struct view_changes){.rows = NULL};
}

/* These are snprintf()'s, of one piece of a name. */
static size_t put_text(char *text, size_t capacity, const char *from)
{
    return (size_t)snprintf(text, capacity, "%s", from);
}

static size_t put_address(char *text, size_t capacity, uint64_t address)
{
    return (size_t)snprintf(text, capacity, "0x%" PRIx64, address);
}

static size_t put_place(const struct view_change *row, char *text, size_t capacity)
{
    if (!row->function && row->placed)
        return put_address(text, capacity, row->addr);
    return put_text(text, capacity, row->function ? row->function : "[no name]");
}

static size_t put_arc(const struct view_change *row, char *text, size_t capacity)
{
    static const char arrow[] = " -> ";
    const char *caller = row->caller ? row->caller : "[no name]";
    size_t len = row->caller || row->caller_addr == 0
                     ? put_text(text, capacity, caller)
                     : put_address(text, capacity, row->caller_addr);

    for (int i = 0; i < 2; i++) {
        size_t used = len < capacity ? len : capacity;
        char *at = used ? text + used : text;
        len += i == 0 ? put_text(at, capacity - used, arrow) : put_place(row, at, capacity - used);
    }
    return len;
}

size_t view_change_name(const struct view_change *row, enum view_by by, char *text, size_t capacity)
{
    const char *file = row->file ? path_base_name(row->file) : NULL;

    if (by == VIEW_BY_FILE)
        return put_text(text, capacity, file ? file : "[no name]");
    if (by == VIEW_BY_LINE && file)
        return (size_t)snprintf(text, capacity, "%s:%u", file, row->line);
    if (by == VIEW_BY_ADDRESS && row->placed)
        return put_address(text, capacity, row->addr);
    return by == VIEW_BY_ARC ? put_arc(row, text, capacity) : put_place(row, text, capacity);
}
