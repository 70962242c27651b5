/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may change under our hands, and how to go on after it. */
#define _POSIX_C_SOURCE 200809L

#include <target/watch.h>

#include <math.h>
#include <poll.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>
#include <target/link_record.h>
#include <target/link_words.h>
#include <target/watch_text.h>

/* A server that is lost is tried as often, a stub that has not started yet is looked for as often.
 */
#define TRY_S  0.5
#define WAIT_S 0.2

/* How often the ELF is compared with the target: where they differ, and one window of it where not.
 */
#define COMPARE_S 1.0
#define GLANCE_S  2.0

/* Multiples of it are spread evenly. */
#define GOLDEN 0.6180339887498949

/* The part of the time that polls may take, if --link-share is not given: the link is others', too.
 */
#define LINK_SHARE 0.25

static int open_watch(struct watch *watch, const struct options *options, bool live)
{
    *watch = (struct watch){.options = options, .live = live};
    profile_init(&watch->profile);
    int status = link_record_begin(options); /* before the clock is read */
    if (status != STATUS_DONE)
        return status;
    watch->glance_s = monotonic_s() + GLANCE_S;
    status =
        live ? session_open_any(&watch->session, options) : session_open(&watch->session, options);
    if (status == STATUS_DONE && !watch->session.link) {
        watch->trouble = WATCH_LOST;
        watch->trouble_s = monotonic_s();
    }
    return status;
}

static int close_watch(struct watch *watch)
{
    focus_end(&watch->focus, &watch->session);
    int status = session_close(&watch->session);

    profile_free(&watch->profile);
    return status;
}

int watch_run(struct watch *watch, const struct options *options, bool live,
              int (*run)(void *context), void *context)
{
    signals_hold(true);
    int status = open_watch(watch, options, live);
    if (status == STATUS_DONE) {
        signals_hold(false);
        status = run(context);
        signals_hold(true);
    }
    int closed = close_watch(watch);
    signals_hold(false);
    return status == STATUS_DONE ? closed : status;
}

struct once {
    struct watch watch;
    int (*show)(void *context, struct watch *watch);
    void *context;
};

static int poll_and_show(void *context)
{
    struct once *once = context;

    signals_hold(true);
    int status = watch_poll(&once->watch);
    signals_hold(false);
    if (status == STATUS_DONE)
        status = watch_collect(&once->watch, WATCH_COLLECT_S);
    signals_hold(true);
    if (status != STATUS_DONE)
        complain("%s", once->watch.failure);
    signals_hold(false);
    return status == STATUS_DONE && !signals_pending() ? once->show(once->context, &once->watch)
                                                       : status;
}

int watch_once(struct options *options, int (*show)(void *context, struct watch *watch),
               void *context)
{
    struct once once = {.show = show, .context = context};

    options->batch = true;
    options->wait_s = 0;
    options->stack_bytes = session_stack_bytes(options);
    if (options->sampler == SAMPLER_AUTO) /* a stream has no past */
        options->sampler = SAMPLER_TOTAL;
    return watch_run(&once.watch, options, false, poll_and_show, &once);
}

/* A server may come back; but one that failed at the first look was never there. */
static int lose(struct watch *w)
{
    struct session *s = &w->session;
    char text[LINK_WORDS];
    bool stopped = gdbmi_link_error(s->link)->code == GDBMI_ESTOPPED;

    if (!session_may_return(s, stopped) || (!w->live && w->reads == 0 && !stopped)) {
        s->said = true;
        return watch_fail(w, "%s", link_words(gdbmi_link_error(s->link), text));
    }
    session_lose(s);
    profile_pause(&w->profile);
    w->state = GDBMI_STATE_UNKNOWN;
    w->tried[0] = '\0';
    w->try_s = monotonic_s() + (stopped ? 0 : TRY_S);
    if (w->trouble == WATCH_NONE) /* the read that failed may have lasted */
        w->trouble_s = monotonic_s();
    w->trouble = WATCH_LOST;
    w->away = true;
    if (stopped && w->live)
        watch_notice(w, "%s", s->lost);
    return STATUS_DONE;
}

static int reconnect(struct watch *w)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    char text[LINK_WORDS];

    if (monotonic_s() < w->try_s)
        return STATUS_DONE;
    bool done = session_reconnect(&w->session, &error);
    if (error.code == GDBMI_EPLAY)
        return watch_fail(w, "%s", error.text);
    if (!done)
        snprintf(w->tried, sizeof(w->tried), "%s",
                 error.hint == GDBMI_HINT_REFUSED ? error.text : link_words(&error, text));
    w->try_s = monotonic_s() + TRY_S;
    return STATUS_DONE;
}

static enum sampler_code read_table(struct watch *w)
{
    double before = monotonic_s();

    if (!w->session.sampler)
        return SAMPLER_ENOMEM;
    gdbmi_link_read_optional(w->session.link, true);
    enum sampler_code code =
        sampler_table_poll(w->session.sampler, &w->profile, monotonic_s(), &w->state);
    gdbmi_link_read_optional(w->session.link, false);
    /* A link may find out late that it needs no halt, or does. */
    w->session.server.live = gdbmi_link_info(w->session.link)->live;
    if (code == SAMPLER_OK)
        watch_take_poll_s(w, monotonic_s() - before);
    if (target_is_dump(w->options)) /* of when the dump was made nothing is known */
        w->profile.recent_s = 0;
    return code;
}

/* After everything that may be the work of somebody who flashes. */
static bool is_compare_due(struct watch *w, enum sampler_code code, double now_s)
{
    bool doubt = code != SAMPLER_OK || session_differs(&w->session);

    return w->profile.restarts != w->restarts ||
           (code == SAMPLER_OK) != (w->trouble == WATCH_NONE) || (doubt && now_s >= w->compare_s) ||
           elf_file_changed(&w->session.elf, now_s);
}

/* Where each look halts hardware, what a poll sees must be enough. */
static bool is_glance_due(const struct watch *w, double now_s)
{
    const struct session_server *server = &w->session.server;

    return now_s >= w->glance_s && (server->live || server->simulator);
}

/* Counts of one firmware mean nothing to another; but those that began anew since the last one was
 * seen to be there are the other's already. */
static void begin_other(struct watch *w, uint64_t old_addr)
{
    if (w->session.elf.table_addr != old_addr || w->profile.restarts == w->compared)
        profile_end(&w->profile);
}

static enum sampler_code compare(struct watch *w, enum sampler_code code, double now_s)
{
    struct session *s = &w->session;
    enum identity before = s->match;
    uint64_t addr = s->elf.table_addr;

    enum session_news news = session_compare(s, now_s);
    if (news == SESSION_LINK)
        return SAMPLER_ELINK;
    w->compare_s = monotonic_s() + COMPARE_S;
    watch_say_match(w, before);
    if (news != SESSION_AS_BEFORE)
        watch_notice(w, "%s has changed on disk and was loaded again", s->elf.path);
    if (news == SESSION_NEW_TABLE) {
        begin_other(w, addr);
        code = read_table(w);
    }
    if (s->match == IDENTITY_SAME)
        w->compared = w->profile.restarts;
    return code;
}

/* Not before it has answered: a server may take connections and be of no use. */
static void welcome(struct watch *w)
{
    if (w->away)
        watch_notice(w, "%s is back", w->session.server.address);
    w->away = false;
}

static enum sampler_code poll_target(struct watch *w)
{
    double now_s = monotonic_s();
    enum sampler_code code = read_table(w);

    if (code != SAMPLER_ELINK)
        welcome(w);
    if (code != SAMPLER_OK && code != SAMPLER_WAIT && code != SAMPLER_ETABLE)
        return code;
    if (signals_stop()) /* nobody waits for the rest */
        return code;
    bool due = is_compare_due(w, code, now_s);
    if (!due && code == SAMPLER_OK && is_glance_due(w, now_s)) {
        w->glance_s = now_s + GLANCE_S;
        if (!session_glance(&w->session, &due))
            return SAMPLER_ELINK;
    }
    return due ? compare(w, code, now_s) : code;
}

static int wait_blank(struct watch *w)
{
    bool zero =
        w->session.match == IDENTITY_UNREADABLE && sampler_table_is_zero(w->session.sampler);

    if (zero)
        profile_pause(&w->profile);
    else
        profile_end(&w->profile);
    w->trouble = zero ? WATCH_ZERO : WATCH_BLANK;
    return STATUS_DONE;
}

static int wait_usable(struct watch *w)
{
    if ((w->reads == 0 || w->options->link.records) && w->session.match != IDENTITY_DIFFERS)
        return watch_fail_table(w);
    profile_end(&w->profile);
    w->trouble = WATCH_UNUSABLE;
    return STATUS_DONE;
}

static int wait_readable(struct watch *w)
{
    profile_pause(&w->profile);
    w->trouble = WATCH_REFUSED;
    if (++w->refused == WATCH_READ_TRIES && !w->live && w->reads == 0)
        return watch_fail(w, "%s", sampler_table_text(w->session.sampler));
    return STATUS_DONE;
}

/* Whether samples have the exception or the task in which they came. */
static bool has_contexts(const struct profile *p)
{
    return p->exceptions || (p->tasks && !p->by_context);
}

static int profile_reading(struct watch *w)
{
    char text[WATCH_TEXT];

    if (!session_take_tasks(&w->session, session_has_names(&w->session), &w->profile, text,
                            sizeof(text)))
        return watch_fail(w, "%s", text);
    if (w->session.context_missing && w->profile.attributed != 0 && !w->context_said) {
        w->context_said = true;
        watch_notice(w, "no task that is called '%.100s' has run yet; --by context lists them",
                     w->options->context);
    }
    if (w->options->context && !has_contexts(&w->profile))
        return decode_is_taken(w->profile.source)
                   ? watch_fail(w,
                                "--context: %s does not say in which exception a sample came; on a "
                                "Cortex-M --sampler halt does",
                                w->profile.source == DECODE_PCSR ? "DWT_PCSR" : "this core")
                   : watch_fail(w,
                                "--context: a %s does not record the exception of a sample; use "
                                "--sampler stream",
                                decode_source_name(w->profile.source));
    w->trouble = w->said = WATCH_NONE;
    w->refused = 0;
    w->fresh = true;
    w->reads++;
    if (w->profile.restarts != w->restarts && !w->clears)
        watch_notice(w, "the target has restarted: counting from zero");
    w->restarts = w->profile.restarts;
    return STATUS_DONE;
}

/* Which one failed, and why, is of no use; that halts are longer for a while is. */
static void say_short_failure(struct watch *w)
{
    if (w->short_said || session_stats(&w->session).short_failures == 0)
        return;
    w->short_said = true;
    watch_notice(w,
                 "a short halt for a sample failed: OpenOCD's own, longer halts take the next 32");
}

static int judge(struct watch *w, enum sampler_code code)
{
    switch (code) {
    case SAMPLER_OK:
        return profile_reading(w);
    case SAMPLER_WAIT:
        return wait_blank(w);
    case SAMPLER_ETABLE:
        return wait_usable(w);
    case SAMPLER_EREAD:
        return wait_readable(w);
    case SAMPLER_ELINK:
        return lose(w);
    case SAMPLER_ENOMEM:
        break;
    }
    return watch_fail(w, "out of memory");
}

/* One that a screen before has left on, because it was killed, is off after this one. */
static void follow_focus(struct watch *w)
{
    w->focus.on |= w->live && control_is_focused(w->profile.enable);
    focus_update(&w->focus, &w->session, &w->profile);
}

int watch_read(struct watch *watch)
{
    uint64_t halted_ns = session_stats(&watch->session).halted_ns;
    double begun_s = monotonic_s();
    int status = STATUS_DONE;

    if (watch->trouble == WATCH_NONE)
        watch->trouble_s = monotonic_s();
    watch->fresh = false;
    if (!watch->session.link)
        status = reconnect(watch);
    if (watch->session.link)
        status = judge(watch, poll_target(watch));
    say_short_failure(watch);
    if (watch->fresh && !signals_stop())
        follow_focus(watch);
    watch->halted_s = (double)(session_stats(&watch->session).halted_ns - halted_ns) * 1e-9;
    watch->ended_s = monotonic_s();
    watch->drains_before_s = watch->drains_s;
    watch->drains_s = 0;
    watch->busy_before_s = watch->busy_s;
    watch->busy_s = watch->ended_s - begun_s;
    return status;
}

int watch_poll(struct watch *watch)
{
    int status = watch_read(watch);

    return status == STATUS_DONE ? watch_comment(watch) : status;
}

/* How long a poll takes, as far as it keeps others from the link. The faster one of the last two
 * counts: one that also compares the ELF file, or that waited for a gdb, is rare. */
static double usual_poll_s(const struct watch *w)
{
    return w->fresh && !target_is_dump(w->options) ? fmin(w->busy_s, w->busy_before_s) : 0;
}

static double link_share(const struct watch *w)
{
    return w->options->link_share > 0 ? w->options->link_share : LINK_SHARE;
}

/* A drain that is slow comes later than the ring asks for: what is then lost is counted. Half of
 * the share is left to polls. */
static bool takes_samples(const struct watch *w)
{
    return decode_is_taken(w->profile.source);
}

/* Their polls are short, so batches have all of the share. A pause that varies meets the firmware's
 * own periods at all of their phases. */
static double batch_pause_s(const struct watch *w, double pause_s)
{
    double used_s = w->drain_s > 0 ? w->drain_s : w->poll_s;

    return fmax(pause_s, used_s * (1 / link_share(w) - 1)) * (0.5 + w->jitter);
}

void watch_take_poll_s(struct watch *watch, double poll_s)
{
    watch->poll_s = poll_s;
    watch->drain_s = fmin(watch->drain_s, poll_s);
}

double watch_drain_s(const struct watch *watch)
{
    const struct session *s = &watch->session;
    double drain_s = s->link && s->sampler && watch->fresh ? sampler_table_drain_s(s->sampler) : 0;

    if (drain_s > 0 && takes_samples(watch))
        return batch_pause_s(watch, drain_s);
    return drain_s > 0 ? fmax(drain_s, 2 * watch->drain_s / link_share(watch)) : 0;
}

void watch_drain(struct watch *watch)
{
    double begun_s = monotonic_s();

    if (!watch->session.link || !watch->session.sampler)
        return;
    gdbmi_link_read_optional(watch->session.link, true);
    (void)!sampler_table_drain(watch->session.sampler);
    gdbmi_link_read_optional(watch->session.link, false);
    watch->drain_s = monotonic_s() - begun_s;
    watch->drains_s += watch->drain_s;
    watch->jitter = fmod(begun_s * 1e6 * GOLDEN, 1);
}

int watch_collect(struct watch *watch, double seconds)
{
    double end_s = monotonic_s() + seconds;

    if (!watch->session.sampler || !takes_samples(watch))
        return STATUS_DONE;
    while (monotonic_s() < end_s && !signals_pending() && !signals_stop()) {
        (void)poll(NULL, 0, monotonic_wait_ms(watch_drain_s(watch)));
        signals_hold(true);
        watch_drain(watch);
        signals_hold(false);
    }
    return watch_poll(watch);
}

double watch_halt_pause_s(const struct watch *watch)
{
    const struct session_server *server = &watch->session.server;
    struct gdbmi_stats stats = session_stats(&watch->session);
    double halted = (double)(stats.halted_ns - watch->asked_ns) * 1e-9;
    double next = watch->halted_s;

    uint64_t halts = stats.halts - watch->asked_halts;

    if (server->live || server->simulator || halts == 0 || stats.held)
        return 0;
    if (next <= 0)
        next = halted / (double)halts;
    return (halted + next) / watch->options->duty - (double)stats.age_ns * 1e-9 - next;
}

/* From one poll to the next, so that polls and drains take no more than their share. */
static double shared_period_s(const struct watch *w)
{
    double drains_s = takes_samples(w) ? 0 : fmax(w->drains_s, w->drains_before_s);

    return (usual_poll_s(w) + drains_s) / link_share(w);
}

double watch_pause_s(const struct watch *watch)
{
    double begun_s = watch->ended_s - usual_poll_s(watch);

    return fmax(begun_s + shared_period_s(watch) - monotonic_s(), watch_halt_pause_s(watch));
}

double watch_period_s(const struct watch *watch)
{
    double period_s = shared_period_s(watch);

    return period_s > watch->options->delay_s ? period_s : 0;
}

double watch_delay_s(const struct watch *watch, double delay_s)
{
    double most = delay_s;

    if (watch->trouble == WATCH_LOST)
        most = TRY_S;
    else if (watch->trouble != WATCH_NONE)
        most = WAIT_S;
    return delay_s < most ? delay_s : most;
}
