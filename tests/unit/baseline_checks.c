/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A watched target that runs the older of two real builds, and counts hits in four of its
 * functions. */
#define _XOPEN_SOURCE 700

#include <time.h>

#include <base/monotonic.h>

#include "baseline_checks.h" /* cmocka has a macro fail() */

#include "unit.h"

#define OLDER COMMAND_FILES "/older.elf"

static const char *const names[FUNCTIONS] = {"alpha", "beta", "gamma", "delta"};

uint64_t addr_of(const struct symtab *symtab, const char *name)
{
    size_t count;
    const struct symtab_function *f = symtab_functions(symtab, &count);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(f[i].name, name) == 0)
            return f[i].addr;
    }
    fail_msg("there is no function %s", name);
    return 0;
}

void flash(struct target *t, const char *path)
{
    struct elf_file *elf = &t->watch.session.elf;
    char text[400];

    symtab_free(elf->symtab);
    assert_int_equal(symtab_load(path, &elf->symtab, text, sizeof(text)), SYMTAB_OK);
    elf->path = path;
    elf->loaded.changed.tv_nsec++;
}

void restart(struct target *t, uint32_t boot)
{
    uint64_t addr[FUNCTIONS];

    for (size_t i = 0; i < FUNCTIONS; i++)
        addr[i] = addr_of(t->watch.session.elf.symtab, names[i]);
    fake_counts_start(&t->counts, 8, addr, FUNCTIONS, boot);
    fake_put(&t->counts.table, 98, 1, 0); /* blocks of a byte */
}

int setup_target(void **state)
{
    struct target *t = calloc(1, sizeof(*t));

    option_defaults(&t->options);
    t->watch.options = &t->options;
    t->watch.session.options = &t->options;
    t->watch.session.match = IDENTITY_SAME;
    snprintf(t->watch.session.server.kind, sizeof(t->watch.session.server.kind), "gdb");
    profile_init(&t->watch.profile);
    time_range_init(&t->range, false);
    flash(t, OLDER);
    restart(t, 1);
    snprintf(t->folder, sizeof(t->folder), "/tmp/test-baseline-XXXXXX");
    assert_non_null(mkdtemp(t->folder));
    *state = t;
    return 0;
}

int teardown_target(void **state)
{
    struct target *t = *state;
    char command[80];

    time_range_free(&t->range);
    profile_free(&t->watch.profile);
    symtab_free(t->watch.session.elf.symtab);
    snprintf(command, sizeof(command), "rm -r %s", t->folder);
    assert_int_equal(system(command), 0);
    free(t);
    return 0;
}

/* Some milliseconds pass between two polls. */
static void wait_a_moment(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

void count_hits(struct target *t, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    fake_counts_add(&t->counts, (const uint32_t[FUNCTIONS]){a, b, c, d});
    const struct decode_header header = fake_counts_header(&t->counts);
    const struct profile_object object = {.bytes = t->counts.table.bytes, .header = &header};
    wait_a_moment();
    assert_true(profile_update(&t->watch.profile, &object, 1, monotonic_s()));
    t->watch.fresh = true;
    t->watch.state = GDBMI_STATE_RUNNING;
    assert_true(time_range_update(&t->range, &t->watch));
    wait_a_moment();
}

const struct profile *shown(const struct target *t)
{
    return time_range_profile(&t->range, &t->watch);
}

struct baseline *take_base(struct target *t)
{
    struct baseline *b = baseline_take(&t->watch, shown(t), t->text, sizeof(t->text));

    if (!b)
        fail_msg("%s", t->text);
    baseline_set_effort(b, 1);
    return b;
}

const struct view_changes *compare(struct target *t, struct baseline *b)
{
    const struct view_layout layout = {.width = 100, .height = 24, .selected = 0, .footer = "q"};
    struct view_frame frame;

    if (!baseline_frame(b, &t->watch, shown(t), &t->options, &layout, &frame, t->text,
                        sizeof(t->text)))
        return NULL;
    assert_int_equal(frame.count, 24);
    view_frame_free(&frame);
    return baseline_changes(b);
}

void assert_sides(const struct view_changes *c, uint64_t base, uint64_t now)
{
    assert_non_null(c);
    assert_int_equal(c->sides[VIEW_BASE].hits, base);
    assert_int_equal(c->sides[VIEW_NEW].hits, now);
}
