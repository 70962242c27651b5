/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GDB remote link whose process dies, or is stopped, before and after each of its reads and
 * writes; then what its guardian does, for a fake server and core. */
#include <sys/mman.h>

#include "unit.h"

#include "rsp_checks.h"
#include "rsp_guard.h"
#include "rsp_link.h"
#include "rsp_open.h"

#define DFSR_BKPT 0x02

/* More operations than a session below takes. */
#define OPERATIONS_MAX 5000

/* How the life of a process is interrupted. */
enum end {
    DIES_BEFORE, /* an operation on the stream */
    DIES_AFTER,  /* it, without looking at what it did */
    STOPS_BEFORE,
    STOPS_AFTER,
};

/* A stream to the fake at whose operation die_at the process dies or is stopped. From then on
 * nothing reaches the server any more. */
struct mortal {
    struct gdbmi_stream base;
    struct fake_gdb *gdb;
    bool break_at_resume;
    unsigned operation;
    unsigned die_at;
    enum end end;
    bool dead;                 /* or its guardian has acted */
    bool held;                 /* as in the scene */
    struct guardian_page page; /* as it stood then */
    enum gdbmi_code code;      /* the first failure after it was stopped */
};

/* What a test varies. */
struct scene {
    const char *name;
    enum fake_kind kind;
    bool runs;          /* before we come, and afterwards */
    bool offers_no_ack; /* and then acks nothing */
    bool break_at_interrupt;
    bool break_at_resume;  /* at our first one, at once */
    bool monitor_lets_run; /* after the first poll, unheard */
    bool held;             /* an earlier link held it */
    bool trap;             /* every stop has a breakpoint's signal */
    bool riscv, probe_rs;
    bool writes;       /* a word, and what was there before */
    uint32_t halts_at; /* an instruction */
    size_t split;      /* bytes of one read at most */
};

static void haunt(struct mortal *mortal)
{
    struct rsp_link *link = rsp_guard_new();

    assert_non_null(link);
    link->base.held = mortal->held;
    mortal->gdb->stream.split = FAKE_NEVER;
    rsp_guard_undo(link, &mortal->gdb->stream.base, &mortal->page);
    rsp_guard_free(link);
}

static bool stops(const struct mortal *mortal)
{
    return mortal->end == STOPS_BEFORE || mortal->end == STOPS_AFTER;
}

static bool is_after(const struct mortal *mortal)
{
    return mortal->end == DIES_AFTER || mortal->end == STOPS_AFTER;
}

/* A guardian does nothing about a process that is stopped while the target is as it was, or while
 * the user has halted it. */
static void die(struct mortal *mortal)
{
    struct guardian_page *page = mortal->base.guardian->page;

    mortal->page = *page;
    if (stops(mortal) && (atomic_load(&page->state) == GUARDIAN_FREE ||
                          atomic_load(&page->halt_ms) == GUARDIAN_NO_LIMIT))
        return;
    mortal->dead = true;
    if (stops(mortal)) {
        haunt(mortal);
        atomic_store(&page->action, GUARDIAN_DONE);
    }
}

static bool is_fatal(struct mortal *mortal)
{
    return mortal->operation++ == mortal->die_at;
}

static int mortal_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                       struct gdbmi_error *error)
{
    struct mortal *mortal = (struct mortal *)base;
    struct gdbmi_stream *inner = &mortal->gdb->stream.base;
    int len = -1;

    if (mortal->dead)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "dead"), -1;
    bool fatal = is_fatal(mortal);
    if (fatal && !is_after(mortal))
        die(mortal);
    if (!mortal->dead)
        len = inner->ops->read(inner, bytes, capacity, timeout_ms, error);
    if (fatal && is_after(mortal))
        die(mortal);
    if (mortal->dead && mortal->end != STOPS_AFTER)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "dies"), -1;
    return len;
}

static int mortal_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                        struct gdbmi_error *error)
{
    struct mortal *mortal = (struct mortal *)base;
    struct gdbmi_stream *inner = &mortal->gdb->stream.base;
    int result = -1;

    if (mortal->dead)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "dead"), -1;
    bool fatal = is_fatal(mortal);
    if (fatal && !is_after(mortal))
        die(mortal);
    if (!mortal->dead)
        result = inner->ops->write(inner, bytes, len, timeout_ms, error);
    if (!mortal->dead && mortal->break_at_resume && mortal->gdb->running) {
        mortal->break_at_resume = false;
        fake_gdb_stop(mortal->gdb, 5);
    }
    if (fatal && is_after(mortal))
        die(mortal);
    if (mortal->dead && mortal->end != STOPS_AFTER)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "dies"), -1;
    return result;
}

static void mortal_close(struct gdbmi_stream *base)
{
}

static const struct gdbmi_stream_ops mortal_ops = {
    .read = mortal_read,
    .write = mortal_write,
    .close = mortal_close,
};

/* Without a process: the undo function runs in this one. */
static struct guardian *new_guardian(void)
{
    struct guardian *guardian = calloc(1, sizeof(*guardian));

    assert_non_null(guardian);
    guardian->page = mmap(NULL, sizeof(*guardian->page), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(guardian->page != MAP_FAILED);
    guardian_say(guardian, GUARDIAN_OPENING);
    guardian_resume_by(guardian, "c", sizeof("c"));
    return guardian;
}

/* Nothing is said of a core that is left halted, nor read over the end of the halt. */
static void note_stopped(struct mortal *mortal, enum gdbmi_code code,
                         const struct gdbmi_error *error, const unsigned char *bytes)
{
    static const unsigned char untouched[8] = "unread!";

    if (!mortal->dead || !stops(mortal) || code == GDBMI_OK)
        return;
    if (code != GDBMI_ESTOPPED || error->left != GDBMI_LEFT_NOTHING)
        fail_msg("operation %u: %d \"%s\"", mortal->die_at, code, error->text);
    if (bytes != NULL)
        assert_memory_equal(bytes, untouched, sizeof(untouched));
    mortal->code = code;
}

static void read_ram(struct mortal *mortal, struct gdbmi_link *link)
{
    unsigned char bytes[8] = "unread!";

    enum gdbmi_code code = gdbmi_link_read(link, RAM, bytes, sizeof(bytes));
    note_stopped(mortal, code, gdbmi_link_error(link), bytes);
}

static void leave(struct mortal *mortal, struct gdbmi_link *link)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    bool stopped = mortal->dead && stops(mortal);

    if (mortal->code != GDBMI_OK)
        assert_false(gdbmi_link_stats(link).held);
    enum gdbmi_code code = gdbmi_link_close(link, &error);
    if (stopped)
        assert_int_equal(code, GDBMI_OK);
}

#define RELOAD     "Me000e014,4:"
#define OWN_RELOAD RELOAD "e7030000"

static void write_word(struct gdbmi_link *link)
{
    const unsigned char own[] = {0xe7, 3, 0, 0}, other[] = {0xd1, 2, 0, 0};

    if (gdbmi_link_undo_write(link, 0xe000e014, own, sizeof(own)) != GDBMI_OK ||
        gdbmi_link_write(link, 0xe000e014, other, sizeof(other)) != GDBMI_OK ||
        gdbmi_link_write(link, 0xe000e014, own, sizeof(own)) != GDBMI_OK)
        return;
    assert_int_equal(gdbmi_link_undo_write(link, 0xe000e014, NULL, 0), GDBMI_OK);
}

/* What was written last is what was there before. */
static void check_word(const struct fake_gdb *gdb)
{
    const char *last = NULL;

    for (const char *at = gdb->log; (at = strstr(at, RELOAD)) != NULL; at++)
        last = at;
    if (last != NULL && strncmp(last, OWN_RELOAD, strlen(OWN_RELOAD)) != 0)
        fail_msg("%s", gdb->log);
}

/* Opens, polls, holds and leaves, as far as it lives. */
static void live(struct mortal *mortal, const struct scene *scene)
{
    struct gdbmi_options options = {.allow_halt = true, .timeout_ms = 2000, .held = scene->held};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link;

    mortal->base.guardian = new_guardian();
    enum gdbmi_code code = rsp_link_open(&mortal->base, "fake:3333", &options, &link, &error);
    note_stopped(mortal, code, &error, NULL);
    if (code != GDBMI_OK)
        return;
    for (int i = 0; i < 2; i++) {
        read_ram(mortal, link);
        if (scene->monitor_lets_run && i == 0 && !mortal->dead) {
            mortal->gdb->running = true;
            mortal->gdb->connect_signal = 2;
        }
    }
    if (scene->writes)
        write_word(link);
    if (scene->runs && gdbmi_link_halt(link) == GDBMI_OK) {
        gdbmi_link_keep_halted(link);
        if (gdbmi_link_stats(link).held)
            assert_int_equal(mortal->base.guardian->page->halt_ms, GUARDIAN_NO_LIMIT);
    }
    read_ram(mortal, link);
    leave(mortal, link);
}

static const char *const ends[] = {"died before", "died after", "was stopped before",
                                   "was stopped after"};

/* True: it came to this operation. */
static bool check_end(const struct scene *scene, unsigned die_at, enum end end)
{
    struct fake_gdb gdb;
    struct mortal mortal = {
        .base = {.ops = &mortal_ops},
        .gdb = &gdb,
        .break_at_resume = scene->break_at_resume,
        .die_at = die_at,
        .end = end,
        .held = scene->held,
    };

    fake_gdb_init(&gdb, scene->kind, scene->runs && !scene->held);
    gdb.connect_signal = scene->runs && !scene->trap ? 2 : 5;
    gdb.riscv = scene->riscv;
    gdb.m_profile = !scene->riscv;
    gdb.dfsr = scene->runs || scene->trap ? 0 : DFSR_BKPT;
    gdb.halts_at = scene->halts_at;
    gdb.probe_rs = scene->probe_rs;
    gdb.offers_no_ack = scene->offers_no_ack;
    gdb.break_at_interrupt = scene->break_at_interrupt;
    gdb.stream.split = scene->split;
    live(&mortal, scene);
    /* A breakpoint was hit: nobody lets the core go from there. */
    bool runs = scene->trap ? scene->runs
                            : (scene->runs || scene->monitor_lets_run) && gdb.connect_signal != 5;
    unsigned resumes = fake_gdb_count(&gdb, "c") + fake_gdb_count(&gdb, "D");
    if (mortal.dead && !stops(&mortal))
        haunt(&mortal);
    if (gdb.running != runs)
        fail_msg("%s: %s operation %u, page %d, \"%s\": the core %s", scene->name, ends[end],
                 die_at, mortal.page.state, gdb.log, runs ? "is left halted" : "runs");
    if (!runs && mortal.dead && !stops(&mortal))
        assert_int_equal(fake_gdb_count(&gdb, "c") + fake_gdb_count(&gdb, "D"), resumes);
    check_word(&gdb);
    /* It would delete the breakpoints. */
    if (scene->kind == FAKE_QEMU)
        assert_int_equal(fake_gdb_count(&gdb, "?"), 0);
    fake_gdb_free(&gdb);
    return mortal.operation > die_at;
}

static bool check_operation(const struct scene *scene, unsigned die_at)
{
    bool came = check_end(scene, die_at, DIES_BEFORE) && check_end(scene, die_at, DIES_AFTER);

    if (scene->split == 1)
        return came;
    return came && check_end(scene, die_at, STOPS_BEFORE) && check_end(scene, die_at, STOPS_AFTER);
}

static void check_ends(struct scene scene)
{
    static const size_t splits[] = {FAKE_NEVER, 1, 5};

    for (size_t i = 0; i < COUNT(splits); i++) {
        unsigned die_at = 0;
        scene.split = splits[i];
        while (check_operation(&scene, die_at))
            die_at++;
        assert_in_range(die_at, 10, OPERATIONS_MAX);
    }
}

static void test_qemu(void **state)
{
    check_ends((struct scene){.name = "runs", .kind = FAKE_QEMU, .runs = true});
    check_ends((struct scene){.name = "halted", .kind = FAKE_QEMU});
    check_ends((struct scene){.name = "goes on", .kind = FAKE_QEMU, .monitor_lets_run = true});
}

static void test_qemu_that_an_earlier_link_held(void **state)
{
    check_ends((struct scene){.name = "held", .kind = FAKE_QEMU, .runs = true, .held = true});
}

static void test_openocd(void **state)
{
    for (int no_ack = 0; no_ack < 2; no_ack++) {
        struct scene scene = {.name = "openocd", .kind = FAKE_OPENOCD, .offers_no_ack = no_ack};
        check_ends(scene);
        scene.runs = true;
        check_ends(scene);
    }
}

static void test_write_that_is_undone(void **state)
{
    check_ends((struct scene){.name = "writes",
                              .kind = FAKE_OPENOCD,
                              .offers_no_ack = true,
                              .runs = true,
                              .writes = true});
}

static void test_server_that_hears_nothing_while_it_runs(void **state)
{
    check_ends((struct scene){.name = "runs", .kind = FAKE_DEAF, .runs = true});
    check_ends((struct scene){.name = "halted", .kind = FAKE_DEAF});
}

/* Nothing tells whether the core ran, so it runs; unless it stands at an instruction that halts. */
static void test_server_that_cannot_tell(void **state)
{
    for (int i = 0; i < 2; i++) {
        struct scene scene = {
            .name = "cannot tell",
            .kind = FAKE_LIVE,
            .trap = true,
            .runs = true,
            .offers_no_ack = i == 0,
            .riscv = i == 0,
            .probe_rs = i == 0,
        };
        check_ends(scene);
        scene.runs = false;
        scene.halts_at = scene.riscv ? 0x9002 : 0xbe00;
        check_ends(scene);
    }
}

static void test_breakpoints(void **state)
{
    check_ends(
        (struct scene){.name = "break", .kind = FAKE_QEMU, .runs = true, .break_at_resume = true});
    check_ends(
        (struct scene){.name = "break", .kind = FAKE_DEAF, .runs = true, .break_at_resume = true});
    check_ends((struct scene){
        .name = "break", .kind = FAKE_QEMU, .runs = true, .break_at_interrupt = true});
    check_ends((struct scene){
        .name = "break", .kind = FAKE_DEAF, .runs = true, .break_at_interrupt = true});
}

/* A stream to a server that hears what is written some time later, on a clock of its own: reads
 * that get nothing are what lets time pass. */
struct late_stream {
    struct gdbmi_stream base;
    struct fake_gdb *gdb;
    unsigned lags[8]; /* of one resume after the other; 0 for what else is written */
    unsigned resumes;
    unsigned now_ms;
    unsigned count;
    struct {
        unsigned due_ms;
        char bytes[256];
        size_t len;
    } writes[64];
    unsigned heard;
};

static bool hears_next(struct late_stream *late, int timeout_ms)
{
    struct gdbmi_stream *inner = &late->gdb->stream.base;
    struct gdbmi_error ignored = {.code = GDBMI_OK};

    if (late->heard == late->count ||
        late->writes[late->heard].due_ms > late->now_ms + (unsigned)timeout_ms)
        return false;
    if (late->writes[late->heard].due_ms > late->now_ms)
        late->now_ms = late->writes[late->heard].due_ms;
    inner->ops->write(inner, late->writes[late->heard].bytes, late->writes[late->heard].len, 0,
                      &ignored);
    late->heard++;
    return true;
}

static int late_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                     struct gdbmi_error *error)
{
    struct late_stream *late = (struct late_stream *)base;
    struct gdbmi_stream *inner = &late->gdb->stream.base;
    int len;

    while ((len = inner->ops->read(inner, bytes, capacity, 0, error)) == 0 &&
           hears_next(late, timeout_ms))
        continue;
    if (len == 0)
        late->now_ms += (unsigned)timeout_ms;
    return len;
}

static int late_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                      struct gdbmi_error *error)
{
    struct late_stream *late = (struct late_stream *)base;
    unsigned at = late->count++;
    bool resumes = len >= 5 && memcmp((const char *)bytes + len - 5, "$c#63", 5) == 0;

    assert_in_range(at, 0, 63);
    assert_in_range(len, 1, sizeof(late->writes[at].bytes));
    memcpy(late->writes[at].bytes, bytes, len);
    late->writes[at].len = len;
    late->writes[at].due_ms = late->now_ms;
    if (resumes && late->resumes < 8)
        late->writes[at].due_ms += late->lags[late->resumes++];
    return 0;
}

static const struct gdbmi_stream_ops late_ops = {
    .read = late_read,
    .write = late_write,
    .close = mortal_close,
};

static void check_late(enum guardian_state state, unsigned first, unsigned second)
{
    struct fake_gdb gdb;
    struct late_stream late = {.base = {.ops = &late_ops}, .gdb = &gdb, .lags = {first, second}};
    struct rsp_link *link = rsp_guard_new();
    struct guardian *guardian = new_guardian();

    assert_non_null(link);
    fake_gdb_init(&gdb, FAKE_QEMU, true);
    gdb.connect_signal = 2;
    guardian_say(guardian, state);
    rsp_guard_undo(link, &late.base, guardian->page);
    while (hears_next(&late, 1000000))
        continue;
    if (!gdb.running)
        fail_msg("state %d, \"%s\": the core is left halted", state, gdb.log);
    rsp_guard_free(link);
    guardian_dismiss(guardian);
    fake_gdb_free(&gdb);
}

/* It takes a resume so late that it was sent again; what that brings comes later still. */
static void test_busy_server(void **state)
{
    static const enum guardian_state states[] = {GUARDIAN_OPENING, GUARDIAN_HELD};

    for (size_t i = 0; i < 2; i++) {
        check_late(states[i], 0, 0);
        check_late(states[i], 1100, 250);
        check_late(states[i], 1100, 4000);
        check_late(states[i], 6000, 5500);
        check_late(states[i], 30000, 20000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_qemu),
        cmocka_unit_test(test_qemu_that_an_earlier_link_held),
        cmocka_unit_test(test_openocd),
        cmocka_unit_test(test_write_that_is_undone),
        cmocka_unit_test(test_server_that_hears_nothing_while_it_runs),
        cmocka_unit_test(test_server_that_cannot_tell),
        cmocka_unit_test(test_breakpoints),
        cmocka_unit_test(test_busy_server),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
