/* SPDX-License-Identifier: GPL-3.0-or-later */
/* While another thread shows names, an ELF file that is replaced stays until the session is
 * settled. */
#define _POSIX_C_SOURCE 200809L

#include <link_ops.h>
#include <load/elf_apply.h>
#include <session_parts.h>
#include <unistd.h>

/* After base/say.h, which has a function of the name of one of its macros. */
#include "unit.h"

struct fixture {
    char folder[64], elf[100];
    struct options options;
    struct session session;
    double now_s;
};

/* Puts a build in the place of the one that was loaded, as a linker does. */
static void put(struct fixture *f, const char *name)
{
    char command[400];

    snprintf(command, sizeof(command), "cp '%s/%s' '%s.new' && mv '%s.new' '%s'", SESSION_FILES,
             name, f->elf, f->elf, f->elf);
    assert_int_equal(system(command), 0);
}

static void load(struct fixture *f, const char *name)
{
    char text[SESSION_TEXT];

    put(f, name);
    if (!elf_file_load(&f->session.elf, f->elf, "s_prof", text, sizeof(text)))
        fail_msg("%s", text);
    assert_true(session_make_contexts(&f->session));
}

static int begin(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    assert_non_null(f);
    strcpy(f->folder, "/tmp/mprof-session-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->elf, sizeof(f->elf), "%s/a.elf", f->folder);
    /* Of a program that mprof has started, it knows that it runs this file. */
    f->options = (struct options){.symbol = "s_prof", .program = getpid()};
    f->session = (struct session){.options = &f->options, .match = IDENTITY_SAME, .shared = true};
    *state = f;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;
    struct session *s = &f->session;
    char command[200];

    session_settle(s);
    sampler_table_free(s->sampler);
    view_contexts_free(s->contexts);
    view_contexts_free(s->unnamed);
    elf_file_free(&s->elf);
    snprintf(command, sizeof(command), "rm -rf '%s'", f->folder);
    assert_int_equal(system(command), 0);
    free(f);
    return 0;
}

/* A file that has just changed is looked at again, when it has stayed so. */
static enum session_news compare_new(struct fixture *f)
{
    assert_int_equal(session_compare(&f->session, f->now_s++), SESSION_AS_BEFORE);
    return session_compare(&f->session, f->now_s++);
}

/* The address of a function; 0: there is none of that name. */
static uint64_t find(const struct symtab *symtab, const char *name)
{
    size_t count;
    const struct symtab_function *functions = symtab_functions(symtab, &count);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].addr;
    }
    return 0;
}

static void test_names_stay(void **state)
{
    struct fixture *f = *state;
    struct session *s = &f->session;

    load(f, "older.elf");
    struct symtab *shown = s->elf.symtab;
    struct view_contexts *contexts = s->contexts;
    assert_int_not_equal(find(shown, "beta"), 0);
    put(f, "renamed.elf");
    assert_int_equal(compare_new(f), SESSION_NEW_NAMES);
    assert_int_not_equal(find(s->elf.symtab, "zeta"), 0);
    assert_ptr_equal(s->old_elf.symtab, shown);
    assert_ptr_equal(s->old_contexts, contexts);
    assert_int_not_equal(find(shown, "beta"), 0);
    /* Of several, the first is the one that is shown. */
    put(f, "older.elf");
    assert_int_equal(compare_new(f), SESSION_NEW_NAMES);
    assert_ptr_equal(s->old_elf.symtab, shown);
    assert_ptr_not_equal(s->contexts, contexts);
    session_settle(s);
    assert_null(s->old_elf.symtab);
    assert_null(s->old_contexts);
    assert_int_not_equal(find(s->elf.symtab, "beta"), 0);
    /* Where nobody else reads names, nothing is kept. */
    s->shared = false;
    put(f, "renamed.elf");
    assert_int_equal(compare_new(f), SESSION_NEW_NAMES);
    assert_null(s->old_elf.symtab);
    assert_null(s->old_contexts);
}

static void test_other_firmware(void **state)
{
    struct fixture *f = *state;
    struct session *s = &f->session;

    load(f, "older.elf");
    struct symtab *shown = s->elf.symtab;
    put(f, "newer.elf");
    assert_int_equal(compare_new(f), SESSION_NEW_TABLE);
    assert_non_null(s->sampler);
    assert_ptr_equal(s->old_elf.symtab, shown);
    assert_int_not_equal(find(s->elf.symtab, "early"), 0);
}

/* A program that was started again is elsewhere. */
static void test_moved(void **state)
{
    struct fixture *f = *state;
    struct session *s = &f->session;
    char text[SESSION_TEXT] = "";

    load(f, "pie.elf");
    struct symtab *shown = s->elf.symtab;
    uint64_t alpha = find(shown, "alpha");
    assert_true(session_locate(s, text)); /* the server does not know where */
    assert_ptr_equal(s->elf.symtab, shown);
    s->server.entry = find(shown, "_start") + 0x555000000000;
    assert_true(session_locate(s, text));
    assert_ptr_equal(s->old_elf.symtab, shown);
    assert_int_equal(find(shown, "alpha"), alpha);
    assert_int_equal(find(s->elf.symtab, "alpha"), alpha + 0x555000000000);
    session_settle(s);
    /* What is there now cannot be loaded: the names are as they were. */
    struct symtab *moved = s->elf.symtab;
    assert_int_equal(unlink(f->elf), 0);
    assert_false(session_locate(s, text));
    assert_non_null(strstr(text, f->elf));
    assert_ptr_equal(s->elf.symtab, moved);
    assert_null(s->old_elf.symtab);
    /* Where nobody else reads names, they are moved where they are. */
    s->shared = false;
    s->server.entry += 0x1000;
    assert_true(session_locate(s, text));
    assert_ptr_equal(s->elf.symtab, moved);
    assert_int_equal(find(moved, "alpha"), alpha + 0x555000001000);
}

/* Memory that holds what a part says, or other bytes. */
struct part_link {
    struct gdbmi_link link;
    const struct symtab *part;
    bool other, lost;
};

static enum gdbmi_code read_part(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len)
{
    const struct part_link *l = (const struct part_link *)link;
    size_t count;
    const struct symtab_segment *segments = symtab_segments(l->part, &count);

    if (l->lost)
        return GDBMI_ECLOSED;
    memset(bytes, 0xff, len);
    for (size_t i = 0; !l->other && i < count; i++) {
        if (addr >= segments[i].addr && addr + len <= segments[i].addr + segments[i].len)
            memcpy(bytes, segments[i].bytes + (addr - segments[i].addr), len);
    }
    return GDBMI_OK;
}

static enum gdbmi_code is_running(struct gdbmi_link *link, enum gdbmi_state *state)
{
    (void)link;
    *state = GDBMI_STATE_RUNNING;
    return GDBMI_OK;
}

static void load_with_part(struct fixture *f, struct part_link *link)
{
    static const struct gdbmi_link_ops ops = {.read = read_part, .state = is_running};
    struct symtab *symtab;
    char text[SESSION_TEXT];

    load(f, "older.elf");
    symtab = f->session.elf.symtab;
    assert_true(elf_map_add(&f->options.map, SESSION_FILES "/part.elf"));
    if (!elf_apply(&f->options.map, symtab, text, sizeof(text)))
        fail_msg("%s", text);
    link_init(&link->link, &ops, "test", "", 0);
    link->link.info.live = true;
    link->part = symtab_part(symtab, 1);
    f->session.link = &link->link;
}

/* A further ELF file, whose names are used until the session is settled. */
static void test_parts(void **state)
{
    struct fixture *f = *state;
    struct session *s = &f->session;
    struct part_link link = {.other = true};

    load_with_part(f, &link);
    uint64_t early = find(link.part, "early");
    assert_non_null(symtab_find(s->elf.symtab, early));
    assert_int_equal(session_compare(s, f->now_s++), SESSION_AS_BEFORE);
    assert_non_null(symtab_find(s->elf.symtab, early));
    session_settle(s);
    assert_null(symtab_find(s->elf.symtab, early));
    link.other = false;
    assert_int_equal(session_compare(s, f->now_s++), SESSION_AS_BEFORE);
    assert_null(symtab_find(s->elf.symtab, early));
    session_settle(s);
    assert_non_null(symtab_find(s->elf.symtab, early));
    /* Before it is settled, what was found last counts. */
    link.other = true;
    assert_int_equal(session_compare(s, f->now_s++), SESSION_AS_BEFORE);
    link.other = false;
    assert_int_equal(session_compare(s, f->now_s++), SESSION_AS_BEFORE);
    session_settle(s);
    assert_non_null(symtab_find(s->elf.symtab, early));
    s->link = NULL;
}

/* A file that was loaded is told, also if the link fails then: it is not loaded again. */
static void test_lost_link(void **state)
{
    struct fixture *f = *state;
    struct session *s = &f->session;
    struct part_link link = {.lost = false};

    load_with_part(f, &link);
    put(f, "newer.elf");
    assert_int_equal(session_compare(s, f->now_s++), SESSION_AS_BEFORE);
    link.lost = true;
    assert_int_equal(session_compare(s, f->now_s++), SESSION_NEW_TABLE);
    assert_int_equal(session_compare(s, f->now_s++), SESSION_LINK);
    s->link = NULL;
}

#define SESSION_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_names_stay), SESSION_TEST(test_other_firmware), SESSION_TEST(test_moved),
        SESSION_TEST(test_parts),      SESSION_TEST(test_lost_link),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
