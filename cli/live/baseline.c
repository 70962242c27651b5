/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changed since a base, again and again. */
#define _POSIX_C_SOURCE 200809L

#include "baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <base/monotonic.h>
#include <base/path.h>
#include <base/say.h>
#include <base/text.h>
#include <load/diff_load.h>
#include <profile/delta.h>
#include <snapshot/fingerprint.h>
#include <target/save.h>
#include <target/watch_status.h>

/* What a set of changes was made of, as numbers: while they are the same, so is it. The first ones
 * are counts, which change all the time. */
#define INPUTS 19
#define COUNTS 5

#define EFFORT 0.01

/* A message takes this part of a screen at most. */
#define MESSAGE_PART 3

/* Screens with fewer lines have rows in place of the headline. */
#define HEADLINE_HEIGHT 8

/* Numbers are never older, whatever it takes. */
#define REST_MAX_S 5

struct baseline {
    char name[PATH_MAX];
    char *path; /* of a file, NULL: taken */
    struct snapshot *snapshot;
    struct file_names names;
    uint32_t type;
    struct profile profile; /* of the snapshot, with callers or without */
    bool arcs, unpacked;    /* with them; there is one */
    bool placed;            /* where in the target's counts it stands is known, or asked for */
    bool follows;           /* now is what came after reading */
    struct profile reading; /* the target's counts when it was taken */
    struct slices *slices;  /* of what came after it; NULL: counting only */
    double sliced_s;        /* updated_s of the last reading that is among them */

    struct view_set *set;
    struct view_changes changes; /* of the last frame */
    struct profile counted;      /* that they compare with */
    bool all_since;              /* all that came after the base */
    bool made;
    uint64_t inputs[INPUTS];
    double effort;            /* see baseline_set_effort() */
    double due_s;             /* not before, for the sake of counts alone */
    char failure[WATCH_TEXT]; /* of the last attempt, "": it is made */
};

static bool refuse(char *text, size_t capacity, const char *why)
{
    snprintf(text, capacity, "%s", why);
    return false;
}

static struct baseline *baseline_new(char *text, size_t capacity)
{
    struct baseline *b = calloc(1, sizeof(*b));

    if (!b) {
        (void)refuse(text, capacity, "out of memory");
        return NULL;
    }
    profile_init(&b->profile);
    profile_init(&b->reading);
    profile_init(&b->counted);
    b->slices = slices_new();
    b->effort = EFFORT;
    return b;
}

static void forget_changes(struct baseline *b)
{
    if (b->made)
        view_changes_free(&b->changes);
    view_set_free(b->set);
    b->set = NULL;
    b->made = false;
}

void baseline_free(struct baseline *baseline)
{
    if (!baseline)
        return;
    forget_changes(baseline);
    profile_free(&baseline->profile);
    profile_free(&baseline->reading);
    profile_free(&baseline->counted);
    slices_free(baseline->slices);
    file_names_free(&baseline->names);
    snapshot_free(baseline->snapshot);
    free(baseline->path);
    free(baseline);
}

void baseline_set_effort(struct baseline *baseline, double part)
{
    baseline->effort = part;
}

const char *baseline_name(const struct baseline *baseline)
{
    return baseline->name;
}

static void name_by_time(struct baseline *b)
{
    time_t now = time(NULL);
    struct tm local;

    if (localtime_r(&now, &local))
        (void)strftime(b->name, sizeof(b->name), "%H:%M:%S", &local);
}

struct baseline *baseline_take(const struct watch *watch, const struct profile *profile, char *text,
                               size_t capacity)
{
    struct baseline *b = baseline_new(text, capacity);
    bool done = b != NULL;

    if (done && profile->attributed == 0)
        done = refuse(text, capacity, "no hits yet to use as a base");
    if (done && save_make_shown(watch, profile, &b->snapshot, text, capacity) != SNAPSHOT_OK)
        done = false;
    if (done && !profile_copy(&watch->profile, &b->reading))
        done = refuse(text, capacity, "out of memory");
    if (!done) {
        baseline_free(b);
        return NULL;
    }
    b->names.naming = snapshot_naming(b->snapshot);
    b->placed = b->follows = true;
    name_by_time(b);
    return b;
}

/* What is wrong with a file is complained about where it is found. */
static int load(struct baseline *b, const struct options *options)
{
    char *operands[] = {b->path, NULL};
    struct options one = *options;
    struct file_list files = {.paths = NULL};

    one.operands = operands;
    one.operand_count = 1;
    one.base_count = one.new_count = 0;
    int status = files_expand(&one, &files);
    if (status == STATUS_DONE)
        status = files_load(one.operands, one.operand_count, &b->snapshot);
    if (status == STATUS_DONE)
        status = files_name(&one, b->snapshot, &b->names);
    if (status == STATUS_DONE && one.operand_count == 1)
        snprintf(b->name, sizeof(b->name), "%s", path_base_name(one.operands[0]));
    else
        snprintf(b->name, sizeof(b->name), "%s", b->path);
    file_list_free(&files);
    return status;
}

struct baseline *baseline_load(const struct options *options, const char *path, char *text,
                               size_t capacity)
{
    struct baseline *b = baseline_new(text, capacity);

    if (!b)
        return NULL;
    b->path = strdup(path);
    if (b->path && load(b, options) == STATUS_DONE)
        return b;
    (void)refuse(text, capacity, b->path ? complained() : "out of memory");
    baseline_free(b);
    return NULL;
}

/* The base's profile, with callers where rows are arcs. */
static bool unpack(struct baseline *b, const struct options *options, char *text, size_t capacity)
{
    bool arcs = options->by == VIEW_BY_ARC;
    const struct snapshot *s = b->snapshot;
    struct profile profile;

    if (b->unpacked && b->arcs == arcs)
        return true;
    b->type = snapshot_choose_type(s, options->type, arcs);
    if (b->type == SNAPSHOT_NONE)
        return refuse(text, capacity, "the base has no counts of the kind given by --type");
    enum snapshot_code code = arcs ? snapshot_profile(s, b->type, &profile, text, capacity)
                                   : snapshot_profile_flat(s, b->type, &profile, text, capacity);
    if (code != SNAPSHOT_OK)
        return false;
    profile_free(&b->profile);
    b->profile = profile;
    b->arcs = arcs;
    b->unpacked = true;
    return true;
}

/* A file may be an earlier reading of the very counts that go on now: then it is compared with what
 * comes from here on. */
static bool place(struct baseline *b, const struct watch *watch)
{
    struct fingerprint base, now;

    if (b->placed)
        return true;
    snapshot_fingerprint(b->snapshot, 0, &b->profile, &base);
    fingerprint_take(&now, &watch->profile);
    now.time_ns = 0;
    now.duration_ns = 0;
    now.whole = true;
    now.build = symtab_build(watch->session.elf.symtab);
    now.bias = symtab_elf(watch->session.elf.symtab)->bias;
    b->follows = fingerprint_contains(&now, &base);
    if (b->follows && !profile_copy(&watch->profile, &b->reading))
        return false;
    b->placed = true;
    return true;
}

/* How shares wander after the base, as far as readings were shown. */
static void set_wander(struct baseline *b, const struct profile *reading, struct profile *counted)
{
    wander_list_free(&counted->wander);
    if (!b->slices)
        return;
    if (reading->updated_s > fmax(b->sliced_s, b->reading.updated_s))
        profile_add_slice(reading, b->slices);
    b->sliced_s = reading->updated_s;
    slices_wander(b->slices, &counted->wander);
}

/* What of now was counted after the base: all of another run, and what was begun later anyway. */
static bool count_now(struct baseline *b, const struct watch *watch, const struct profile *now,
                      struct profile *counted)
{
    if (b->follows && !profile_same_run(&b->reading, &watch->profile)) {
        profile_free(&b->reading);
        b->follows = false;
    }
    b->all_since = b->follows && now->from_s <= b->reading.updated_s;
    if (!b->all_since)
        return profile_copy(now, counted);
    if (!profile_delta(&b->reading, &watch->profile, counted))
        return false;
    set_wander(b, &watch->profile, counted);
    return true;
}

static bool add_now(struct view_set *set, const struct watch *watch, const struct profile *now,
                    char *text, size_t capacity)
{
    const struct session *s = &watch->session;
    const struct symbol_naming naming = symtab_naming(session_has_names(s) ? s->elf.symtab : NULL);
    const struct symtab_elf *elf = symtab_elf(s->elf.symtab);
    bool samples = now->unit == DECODE_UNIT_SAMPLES;
    size_t count;
    const struct symtab_function *functions = symtab_functions(s->elf.symtab, &count);
    const struct view_run run = {
        .profile = now,
        .naming = &naming,
        .name = "now",
        .elf = path_base_name(elf->path),
        .build_id = symtab_build(s->elf.symtab),
        .unit = samples ? "samples" : "calls",
        .start = count ? functions[0].addr : 0,
        .sample_hz = samples ? now->sample_hz : 0,
        .iterations = now->iterations,
        .duration_s = now->from_s > 0 ? now->updated_s - now->from_s : 0,
        .differs = session_differs(s),
    };

    return view_set_add(set, VIEW_NEW, &run, text, capacity);
}

static bool add_base(const struct baseline *b, const struct options *options, struct view_set *set,
                     char *text, size_t capacity)
{
    const struct diff_file file = {.snapshot = b->snapshot,
                                   .profile = &b->profile,
                                   .names = &b->names,
                                   .type = b->type,
                                   .path = b->name,
                                   .elf = options->elf};

    return diff_add(&file, VIEW_BASE, set, text, capacity);
}

static bool compare(struct baseline *b, const struct watch *watch, const struct profile *counted,
                    const struct options *options, char *text, size_t capacity)
{
    if (counted->attributed == 0)
        return refuse(text, capacity, "nothing counted since the base was taken");
    struct view_change_options how = options->change;

    how.idle = &options->idle;
    how.diff.repeated = true;
    b->set = view_set_new(options->by, &options->ignore);
    if (!b->set)
        return refuse(text, capacity, "out of memory");
    if (!add_base(b, options, b->set, text, capacity) ||
        !add_now(b->set, watch, counted, text, capacity) ||
        !view_changes_make(b->set, &how, &b->changes, text, capacity))
        return false;
    view_changes_sort(&b->changes, options->change_sort);
    b->made = true;
    return true;
}

static uint64_t nanoseconds(double seconds)
{
    return seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
}

static void take_inputs(const struct watch *watch, const struct profile *now,
                        const struct options *options, uint64_t inputs[INPUTS])
{
    const struct elf_file *elf = &watch->session.elf;
    const uint64_t all[INPUTS] = {
        now->attributed,
        now->heartbeat,
        now->dropped,
        watch->profile.attributed,
        nanoseconds(now->from_s),
        watch->profile.restarts,
        (uintptr_t)elf->symtab,
        (uint64_t)elf->loaded.device,
        (uint64_t)elf->loaded.inode,
        (uint64_t)elf->loaded.size,
        (uint64_t)elf->loaded.changed.tv_sec,
        (uint64_t)elf->loaded.changed.tv_nsec,
        watch->session.match,
        options->by,
        options->ignore.count,
        options->change.diff.per,
        (uintptr_t)options->change.per_function,
        (uintptr_t)options->change_sort,
        1, /* zeros are of no frame */
    };

    memcpy(inputs, all, sizeof(all));
}

static void make(struct baseline *b, const struct watch *watch, const struct profile *now,
                 const struct options *options)
{
    struct profile counted;
    bool done = unpack(b, options, b->failure, sizeof(b->failure));

    forget_changes(b);
    if (done && (!place(b, watch) || !count_now(b, watch, now, &counted)))
        done = refuse(b->failure, sizeof(b->failure), "out of memory");
    else if (done) {
        done = compare(b, watch, &counted, options, b->failure, sizeof(b->failure));
        profile_free(&b->counted);
        b->counted = counted;
    }
    if (!done)
        forget_changes(b);
}

static bool is_due(const struct baseline *b, const uint64_t inputs[INPUTS])
{
    size_t counts = COUNTS * sizeof(inputs[0]);

    if (memcmp(inputs + COUNTS, b->inputs + COUNTS, sizeof(b->inputs) - counts) != 0)
        return true;
    return memcmp(inputs, b->inputs, counts) != 0 && monotonic_s() >= b->due_s;
}

static void make_if_due(struct baseline *b, const struct watch *watch, const struct profile *now,
                        const struct options *options)
{
    double begun_s = monotonic_s();
    uint64_t inputs[INPUTS];

    take_inputs(watch, now, options, inputs);
    if (!is_due(b, inputs))
        return;
    make(b, watch, now, options);
    memcpy(b->inputs, inputs, sizeof(inputs));
    double done_s = monotonic_s();
    double rest_s = (done_s - begun_s) * (1 / b->effort - 1);
    b->due_s = done_s + (b->made ? fmin(rest_s, REST_MAX_S) : 0);
}

/* What the counts of the header cover. */
static void name_time_range(const struct baseline *b, const struct view_layout *layout, char *text,
                            size_t capacity)
{
    if (layout->time_range && b->all_since)
        snprintf(text, capacity, "since base %s", b->name);
    else
        snprintf(text, capacity, "%s", layout->time_range ? layout->time_range : "");
}

/* The header says what is compared, and has the counts of that; what is wrong with the target comes
 * before it. */
static bool add_header(const struct baseline *b, const struct watch *watch,
                       const struct view_layout *layout, struct view_frame *frame)
{
    const struct view_side_about *side = &b->changes.sides[VIEW_NEW];
    const struct profile *now = &b->counted;
    const struct view_rows rows = {.attributed = side->hits,
                                   .ignored = side->ignored - now->ignored};
    struct view_layout of_header = *layout;
    char time_range[PATH_MAX + 20];
    struct view_status status = watch_status(watch, "top", monotonic_s());
    bool spoken_for = status.warning || status.alarm;
    char message[1200];

    bool doubt = view_changes_screen_message(&b->changes, message, sizeof(message));
    if (!spoken_for) {
        status.message = message;
        status.alarm = doubt;
    }
    name_time_range(b, layout, time_range, sizeof(time_range));
    of_header.time_range = time_range;
    if (!view_frame_header(&of_header, &status, now, &rows, frame))
        return false;
    /* Short screens have one line of header; whether anything changed at all is worth another. */
    bool unsaid = frame->count == 1 && layout->height >= HEADLINE_HEIGHT;
    if (!spoken_for && !unsaid)
        return true;
    size_t lines = unsaid ? 1 : layout->height / MESSAGE_PART;
    return view_frame_wrap(frame, doubt ? VIEW_STYLE_ALARM : VIEW_STYLE_DIM, message, layout->width,
                           lines ? lines : 1);
}

bool baseline_frame(struct baseline *baseline, const struct watch *watch, const struct profile *now,
                    const struct options *options, const struct view_layout *layout,
                    struct view_frame *frame, char *text, size_t capacity)
{
    const struct view_fields *fields =
        options->change_fields.count ? &options->change_fields : NULL;
    struct view_frame made = {.lines = NULL};

    make_if_due(baseline, watch, now, options);
    if (!baseline->made)
        return refuse(text, capacity, baseline->failure);
    if (add_header(baseline, watch, layout, &made) &&
        view_changes_screen(layout, &baseline->changes, fields, &made)) {
        *frame = made;
        return true;
    }
    view_frame_free(&made);
    return refuse(text, capacity, "out of memory");
}

const struct view_changes *baseline_changes(const struct baseline *baseline)
{
    return baseline->made ? &baseline->changes : NULL;
}
