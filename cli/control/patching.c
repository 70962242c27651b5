/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the stub to write calls of the hook into code in RAM, and to take them back. */
#define _POSIX_C_SOURCE 200809L

#include <control/patching.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>
#include <instrument/instrument.h>

#define OBJECT "s_mprof_patch"
#define MAGIC  0x4850504dU

/* The words of the object (target-stub/include/mprof/patch.h), little-endian. */
enum word {
    W_MAGIC,
    W_CAPACITY,
    W_SIZE,
    W_POINTS,
    W_LEASE,
    W_REQUEST,
    W_DONE,
    W_WANTED,
    W_PATCHED,
    W_STATUS,
    W_COUNT,
};

#define SITE_BYTES 24

/* What became of a request: the stub's status. */
enum answer { DONE, BUSY, DIFFERS, THREADS, PROTECTED };

/* For how long the stub leaves the calls without a word, how long it is waited for a point, and how
 * long the target's points are counted at first. */
#define LEASE_S   5.0
#define SERVED_S  2.0
#define COUNT_NS  50000000L
#define LOOK_NS   5000000L
#define LEASE_MIN 64.0

/* And at least for the time of this number of polls. */
#define POLLS 4.0

static uint32_t get32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put32(uint8_t *p, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

static int read_words(const struct patching *p, struct watch *w, uint32_t words[W_COUNT])
{
    uint8_t bytes[4 * W_COUNT];

    if (gdbmi_link_read(w->session.link, p->addr, bytes, sizeof(bytes)) != GDBMI_OK)
        return session_link_failed(&w->session);
    for (size_t i = 0; i < W_COUNT; i++)
        words[i] = get32(bytes + 4 * i);
    return STATUS_DONE;
}

static int write_word(const struct patching *p, struct watch *w, enum word which, uint32_t value)
{
    uint8_t bytes[4];

    put32(bytes, value);
    if (gdbmi_link_write(w->session.link, p->addr + 4 * which, bytes, 4) != GDBMI_OK)
        return session_link_failed(&w->session);
    return STATUS_DONE;
}

/* Writes the lease: the number of points that the target passes in LEASE_S. */
static int renew(struct patching *p, struct watch *w, const uint32_t words[W_COUNT])
{
    double now_s = monotonic_s(), passed_s = now_s - p->read_s;
    double rate = passed_s > 0 ? (uint32_t)(words[W_POINTS] - p->points) / passed_s : 0;
    double lease = fmin(LEASE_MIN + rate * fmax(LEASE_S, POLLS * passed_s), UINT32_MAX);

    p->points = words[W_POINTS];
    p->read_s = now_s;
    return write_word(p, w, W_LEASE, (uint32_t)lease);
}

static void pause_ns(long ns)
{
    const struct timespec pause = {.tv_nsec = ns};

    nanosleep(&pause, NULL);
}

/* Asks, and waits until that is done. words: the object before, and then the last reading. */
static int ask(const struct patching *p, struct watch *w, uint32_t wanted, uint32_t words[W_COUNT])
{
    uint32_t request = words[W_DONE] + 1;
    double until_s = monotonic_s() + SERVED_S;
    int status = write_word(p, w, W_WANTED, wanted);

    if (status == STATUS_DONE)
        status = write_word(p, w, W_REQUEST, request);
    while (status == STATUS_DONE) {
        bool late = monotonic_s() > until_s;
        status = read_words(p, w, words);
        if (status != STATUS_DONE || words[W_DONE] == request || late)
            break;
        pause_ns(LOOK_NS);
    }
    return status;
}

/* Says why a request was not carried out. */
static int say_refused(const uint32_t words[W_COUNT], bool served)
{
    static const char *const reasons[] = {
        [DIFFERS] = "the target's code is not that of the ELF file",
        [THREADS] = "the process has several threads, of which one may be at the start of a "
                    "function; use 'mprof instrument'",
        [PROTECTED] = "the code cannot be written, as in flash; use 'mprof instrument'",
    };
    uint32_t status = words[W_STATUS];

    if (!served && status == BUSY)
        complain("--patch: a saved program counter stayed at the start of a chosen function for "
                 "%g s; choose fewer by --filter",
                 SERVED_S);
    else if (!served)
        complain("--patch: the target did not call mprof_patch_point() within %g s", SERVED_S);
    else
        complain("--patch: %s", status < sizeof(reasons) / sizeof(reasons[0]) && reasons[status]
                                    ? reasons[status]
                                    : "the stub refused it");
    return STATUS_FAILED;
}

/* Nobody patches when mprof has gone: a request that was not served is taken back. */
static int withdraw(const struct patching *p, struct watch *w, uint32_t words[W_COUNT])
{
    int status = write_word(p, w, W_WANTED, 0);

    return status == STATUS_DONE ? write_word(p, w, W_REQUEST, words[W_DONE]) : status;
}

static int ask_for(struct patching *p, struct watch *w, uint32_t words[W_COUNT])
{
    uint32_t request = words[W_DONE] + 1;
    int status = ask(p, w, (uint32_t)p->count, words);
    bool served = status == STATUS_DONE && words[W_DONE] == request;

    if (status != STATUS_DONE)
        return status;
    if (served && words[W_STATUS] == DONE) {
        p->active = true;
        return STATUS_DONE;
    }
    if (!served)
        (void)withdraw(p, w, words);
    return say_refused(words, served);
}

/* What another mprof has left, or still has, is taken back first. */
static int make_free(const struct patching *p, struct watch *w, uint32_t words[W_COUNT])
{
    int status = read_words(p, w, words);

    if (status != STATUS_DONE || words[W_PATCHED] == 0)
        return status;
    uint32_t request = words[W_DONE] + 1;
    status = ask(p, w, 0, words);
    if (status == STATUS_DONE && words[W_DONE] != request)
        return say_refused(words, false);
    return status;
}

/* What a file of sites needs while it is looked at. */
struct source {
    struct symtab *symtab;
    struct instrument *instrument;
};

static int open_source(struct source *s, const struct watch *w)
{
    char text[600];

    *s = (struct source){.symtab = NULL};
    if (symtab_load_until(w->session.elf.path, signals_stop, &s->symtab, text, sizeof(text)) !=
        SYMTAB_OK)
        return fail(text);
    s->instrument = instrument_open(w->session.elf.path, s->symtab, text, sizeof(text));
    return s->instrument ? STATUS_DONE : fail(text);
}

static void close_source(struct source *s)
{
    instrument_free(s->instrument);
    symtab_free(s->symtab);
}

/* Writes a site to the object. */
static void write_site(const struct source *s, size_t index, uint64_t bias, uint8_t *to)
{
    size_t count;
    const struct instrument_site *site = &instrument_sites(s->instrument, &count)[index];
    uint64_t addr = site->addr + bias;

    put32(to, (uint32_t)addr);
    put32(to + 4, (uint32_t)(addr >> 32));
    instrument_site_bytes(s->instrument, index, to + 8, to + 16);
}

/* Returns the sites of ranges as the object has them, *count of them, to be freed; NULL: no memory.
 * Sets *split to the number of sites that were left out because they are in two lines of the cache.
 */
static uint8_t *choose(const struct source *s, uint64_t bias, const struct addr_ranges *ranges,
                       size_t *count, size_t *split)
{
    size_t all;
    const struct instrument_site *sites = instrument_sites(s->instrument, &all);
    uint8_t *chosen = calloc(all + 1, SITE_BYTES);

    *count = *split = 0;
    for (size_t i = 0; chosen && i < all; i++) {
        uint64_t addr = sites[i].function->addr + bias;
        bool can = !sites[i].why && sites[i].state == INSTRUMENT_FREE;
        if (!can || (ranges && !addr_ranges_have(ranges, addr)))
            continue;
        if (instrument_site_is_whole(s->instrument, i))
            write_site(s, i, bias, chosen + SITE_BYTES * (*count)++);
        else
            (*split)++;
    }
    return chosen;
}

static int check(const struct source *s, const uint32_t words[W_COUNT], size_t count)
{
    if (words[W_MAGIC] != MAGIC || words[W_SIZE] != instrument_site_size(s->instrument))
        complain("--patch: " OBJECT " is not initialised; has the firmware started?");
    else if (count == 0)
        complain("--patch: none of these functions can be chosen; 'mprof instrument --list' says "
                 "why");
    else if (count > words[W_CAPACITY])
        complain("--patch: %zu functions are chosen, and the stub has room for %u "
                 "(MPROF_PATCH_CNT); choose fewer by --filter",
                 count, (unsigned)words[W_CAPACITY]);
    else
        return STATUS_DONE;
    return STATUS_FAILED;
}

static int write_sites(struct patching *p, struct watch *w, const uint8_t *sites, size_t count)
{
    p->count = count;
    if (gdbmi_link_write(w->session.link, p->addr + 4 * W_COUNT, sites, count * SITE_BYTES) !=
        GDBMI_OK)
        return session_link_failed(&w->session);
    return STATUS_DONE;
}

/* The target's points are counted for a moment, for the first lease. */
static int lease_first(struct patching *p, struct watch *w, uint32_t words[W_COUNT])
{
    p->points = words[W_POINTS];
    p->read_s = monotonic_s();
    pause_ns(COUNT_NS);
    int status = read_words(p, w, words);
    return status == STATUS_DONE ? renew(p, w, words) : status;
}

static int begin(struct patching *p, struct watch *w, const struct source *s,
                 const struct addr_ranges *ranges)
{
    uint32_t words[W_COUNT];
    size_t count, split;
    uint64_t bias = symtab_elf(w->session.elf.symtab)->bias;
    uint8_t *sites = choose(s, bias, ranges, &count, &split);
    int status = sites ? read_words(p, w, words) : fail("out of memory");

    if (split != 0)
        complain("--patch: functions left out, because their nops are in two cache lines: %zu; "
                 "-falign-functions=16 avoids that",
                 split);
    if (status == STATUS_DONE)
        status = check(s, words, count);
    if (status == STATUS_DONE)
        status = make_free(p, w, words);
    if (status == STATUS_DONE)
        status = write_sites(p, w, sites, count);
    if (status == STATUS_DONE)
        status = lease_first(p, w, words);
    if (status == STATUS_DONE)
        status = ask_for(p, w, words);
    free(sites);
    return status;
}

int patching_begin(struct patching *patching, struct watch *watch, const struct addr_ranges *ranges)
{
    struct source source;
    uint64_t size;

    if (!symtab_object(watch->session.elf.symtab, OBJECT, &patching->addr, &size)) {
        complain("--patch: %s has no " OBJECT ": build the stub with MPROF_PATCH_CNT, and call "
                 "mprof_patch_point()",
                 watch->session.elf.path);
        return STATUS_FAILED;
    }
    int status = open_source(&source, watch);
    if (status == STATUS_DONE)
        status = begin(patching, watch, &source, ranges);
    close_source(&source);
    return status;
}

int patching_follow(struct patching *patching, struct watch *watch)
{
    uint32_t words[W_COUNT];

    if (!patching->active || !watch->fresh || !watch->session.link)
        return STATUS_DONE;
    int status = read_words(patching, watch, words);
    if (status == STATUS_DONE && words[W_PATCHED] == patching->count)
        return renew(patching, watch, words);
    patching->active = false;
    if (status == STATUS_DONE)
        complain("--patch: the functions do not call the hook any more: the target has restarted, "
                 "mprof did not reach it for a while, or another mprof asked for other functions; "
                 "start the trace again");
    return status == STATUS_DONE ? STATUS_FAILED : status;
}

void patching_end(struct patching *patching, struct watch *watch)
{
    uint32_t words[W_COUNT];

    if (!patching->active || !watch->session.link)
        return;
    patching->active = false;
    if (read_words(patching, watch, words) != STATUS_DONE || words[W_PATCHED] == 0)
        return;
    if (ask(patching, watch, 0, words) == STATUS_DONE && words[W_PATCHED] != 0)
        complain("--patch: %u functions still call the hook: the target takes them back when it "
                 "calls mprof_patch_point()",
                 (unsigned)words[W_PATCHED]);
}
