/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two builds that are made up, snapshots of them, and the rows of their diff. */
#include "change_checks.h"

#include "fake_names.h"
#include "unit.h"

#define PLACES COUNT(new_build.places)

const struct made_build old_build = {"aaaaaaaabbbb",
                                     {{0x100, "fir_filter", "src/dsp.c", 10},
                                      {0x110, "crc32", "src/crc.c", 20},
                                      {0x120, "idle.cold", "src/main.c", 30},
                                      {0x130, "going", "src/main.c", 40},
                                      {0x140, "before", "src/uart.c", 50},
                                      {0x150, NULL, NULL, 0}}};
const struct made_build new_build = {"ccccccccdddd",
                                     {{0x200, "fir_filter.constprop.0", "/ci/src/dsp.c", 11},
                                      {0x210, "crc32", "src/crc.c", 21},
                                      {0x220, "idle", "src/main.c", 31},
                                      {0x230, "after", "src/uart.c", 51},
                                      {0x240, "e|v\x1b\"il", "src/new.c", 61},
                                      {0x250, NULL, NULL, 0}}};

/* The functions of one build at a time: nothing is asked of a build whose sample was added. */
static const struct made_build *named;
static struct symtab_function functions[PLACES];

static bool line_at(const struct symtab_function *function, uint64_t addr, struct symtab_line *line)
{
    if (!function)
        return false;
    const struct place *place = &named->places[function - functions];
    *line = (struct symtab_line){.file = place->file, .line = place->line};
    return true;
}

static struct symbol_naming naming_of(const struct made_build *build)
{
    static struct fake_names fake = {.functions = functions, .count = PLACES, .line_at = line_at};

    named = build;
    for (size_t i = 0; i < PLACES; i++) {
        const struct place *place = &build->places[i];
        functions[i] = (struct symtab_function){
            .addr = place->addr, .size = place->function ? 16 : 0, .name = place->function};
    }
    return (struct symbol_naming){FAKE_NAMES(&fake), .find_caller = fake_find_caller};
}

bool add_sample(struct view_set *set, enum view_side side, const struct sample *s, char *text)
{
    struct profile_hit rows[8];
    struct symbol_naming naming = naming_of(s->build);
    struct profile profile = {.unit = s->unit ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES,
                              .block_size = 16,
                              .rows = rows,
                              .row_count = 8,
                              .dropped = s->dropped,
                              .locked = s->locked,
                              .fixed = s->fixed};
    struct view_run run = {.profile = &profile,
                           .naming = &naming,
                           .name = side == VIEW_BASE ? "old.pb.gz" : "new.pb.gz",
                           .elf = "fw.elf",
                           .build_id = s->build->id,
                           .unit = s->unit ? s->unit : "samples",
                           .sample_hz = s->sample_hz,
                           .duration_s = s->duration_s};

    for (size_t i = 0; i < 8; i++) {
        uint64_t caller = s->arcs ? s->build->places[(i + 1) % 5].addr + 5 : 0;
        rows[i] = (struct profile_hit){.addr = s->build->places[i].addr,
                                       .caller = caller,
                                       .hits = s->hits[i],
                                       .inherited = s->hits[i] < s->inherited ? 0 : s->inherited};
        profile.attributed += s->hits[i];
    }
    return view_set_add(set, side, &run, text, 600);
}

const struct sample before = {.build = &old_build,
                              .hits = {20000, 30000, 40000, 2000, 5000, 3000},
                              .sample_hz = 1000,
                              .duration_s = 100};
const struct sample after = {.build = &new_build,
                             .hits = {26000, 30000, 40000, 5000, 900, 3000},
                             .sample_hz = 500,
                             .duration_s = 210};

double noise_between_runs = 0;

struct made make_changes_of(enum view_by by, const struct sample *base, size_t base_count,
                            const struct sample *newer, size_t new_count)
{
    struct view_change_options options = {.diff = DIFF_OPTIONS_DEFAULT};
    struct made m = {.set = view_set_new(by, NULL)};
    char text[600];

    options.diff.per = DIFF_PER_MEDIAN;
    options.diff.noise = noise_between_runs;
    for (size_t i = 0; i < base_count; i++)
        assert_true(add_sample(m.set, VIEW_BASE, &base[i], text));
    for (size_t i = 0; i < new_count; i++)
        assert_true(add_sample(m.set, VIEW_NEW, &newer[i], text));
    if (!view_changes_make(m.set, &options, &m.c, text, sizeof(text)))
        fail_msg("%s", text);
    view_changes_sort(&m.c, NULL);
    return m;
}

struct made make_changes(enum view_by by, const struct sample *base, const struct sample *newer)
{
    return make_changes_of(by, base, 1, newer, 1);
}

void drop_changes(struct made *m)
{
    view_changes_free(&m->c);
    view_set_free(m->set);
}
