/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words for every state of a target, its server and its ELF. */
#include <target/watch_text.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/path.h>
#include <base/say.h>
#include <profile/unsure.h>
#include <target/silence.h>

/* Bytes of what is wrong with an ELF file. */
#define TROUBLE_MAX 600

/* How long something that happened stays on the screen. */
#define NOTICE_S 6

/* How long a run without a screen waits, and how long it is tried to let a core run that we left
 * halted. */
#define BATCH_S 60
#define HELD_S  10

/* Shorter waits are not worth a number. */
#define SHORT_S 1

int watch_fail(struct watch *watch, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(watch->failure, sizeof(watch->failure), format, args);
    va_end(args);
    return STATUS_FAILED;
}

int watch_fail_table(struct watch *watch)
{
    if (decode_is_taken(watch->profile.source) || watch->session.elf.no_table[0])
        return watch_fail(watch, "%s", sampler_table_text(watch->session.sampler));
    if (watch->options->link.records)
        return watch_fail(watch, "%s: %s", watch->options->link.records,
                          sampler_table_text(watch->session.sampler));
    return watch_fail(watch, "%s at 0x%08" PRIx64 " cannot be used: %s", watch->options->symbol,
                      watch->session.elf.table_addr, sampler_table_text(watch->session.sampler));
}

static void say(struct watch *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct watch *w, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(w->message, sizeof(w->message), format, args);
    va_end(args);
    w->warning = true;
}

/* What happens at the same moment is said together. */
void watch_notice(struct watch *watch, const char *format, ...)
{
    char text[WATCH_TEXT];
    double now_s = monotonic_s();
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (!watch->live) {
        complain("%s", text);
        return;
    }
    size_t len = now_s - watch->notice_s < SHORT_S ? strlen(watch->notice) : 0;
    snprintf(watch->notice + len, sizeof(watch->notice) - len, "%s%s", len ? "; " : "", text);
    watch->notice_s = now_s;
}

static const char *elf_name(const struct watch *w)
{
    return path_base_name(w->session.elf.path);
}

static void say_difference(struct watch *w)
{
    say(w, "the target does not run %s: %s; %s", elf_name(w), w->session.difference,
        w->options->force ? "names are shown, as given by --force"
                          : "waiting for the ELF or the flash to match");
    w->alarm = true;
}

void watch_say_match(const struct watch *watch, enum identity before)
{
    bool differed = before == IDENTITY_DIFFERS || before == IDENTITY_MACHINE;

    if (watch->live || session_differs(&watch->session) == differed)
        return;
    if (differed)
        complain("the target runs %s now", elf_name(watch));
    else
        complain("the target does not run %s: %s; %s", elf_name(watch), watch->session.difference,
                 watch->options->force ? "names are shown, as given by --force"
                                       : "no names until the ELF or the flash matches");
}

/* Why nobody is there, without the address, which is said before it. */
static const char *reason(const struct watch *w)
{
    const struct session *s = &w->session;
    const char *text = s->past.held || !w->tried[0] ? s->lost : w->tried;
    size_t len = strlen(s->server.address);

    if (strncmp(text, s->server.address, len) == 0 && strncmp(text + len, ": ", 2) == 0)
        return text + len + 2;
    return text;
}

/* Something lies there that is not the stub's, and nothing tells what it is. */
static bool is_untyped(const struct watch *w)
{
    return w->session.elf.kind == SYMTAB_TABLE_UNKNOWN && w->session.sampler &&
           !sampler_table_is_zero(w->session.sampler);
}

static void say_trouble(struct watch *w, const char *since)
{
    const char *text = w->session.sampler ? sampler_table_text(w->session.sampler) : "";
    const char *halted =
        w->state == GDBMI_STATE_HALTED ? "; the target is halted: continue it" : "";
    const char *symbol = w->options->symbol;
    uint64_t addr = w->session.elf.table_addr;

    switch (w->trouble) {
    case WATCH_LOST:
        if (w->session.awaited) {
            say(w, "waiting for a debug server%s: %s", since, w->session.lost);
            break;
        }
        say(w, "lost %s%s: waiting for it to come back (%s)", w->session.server.address, since,
            reason(w));
        w->alarm = true;
        break;
    case WATCH_BLANK:
        if (w->session.sampler && sampler_table_is_taken(w->session.sampler))
            say(w, "waiting for samples%s: %s%s", since, text, halted);
        else if (w->options->link.records)
            say(w, "waiting for a header of mprof_trace_send() from %s%s", w->options->link.records,
                since);
        else if (w->session.elf.kind == SYMTAB_TABLE_HEADERLESS ||
                 w->session.elf.kind == SYMTAB_TABLE_RING)
            say(w, "waiting for %s%s: %s at 0x%08" PRIx64 ": %s%s",
                w->session.elf.kind == SYMTAB_TABLE_RING ? "calls" : "hits", since, symbol, addr,
                text, halted);
        else
            say(w,
                "waiting for mprof_init()%s: the firmware has not called it yet, so %s at "
                "0x%08" PRIx64 " is not initialised%s%s",
                since, symbol, addr,
                is_untyped(w) ? "; if it is not the stub's table, build the firmware with -g" : "",
                halted);
        break;
    case WATCH_ZERO:
        say(w, "the target reads as zeros%s, its code too: waiting (is it powered and connected?)",
            since);
        break;
    case WATCH_REFUSED:
        say(w, "the target cannot be read%s: waiting (%s)", since, text);
        break;
    case WATCH_UNUSABLE:
        say(w, "%s at 0x%08" PRIx64 " cannot be used%s: waiting (%s)", symbol, addr, since, text);
        break;
    case WATCH_NONE:
        break;
    }
}

static double patience_s(const struct watch *w)
{
    double most = w->options->wait_s;

    if (most < 0)
        most = w->live ? INFINITY : BATCH_S;
    return w->trouble == WATCH_LOST && w->session.past.held && most > HELD_S ? HELD_S : most;
}

static int give_up(struct watch *w, double waited_s)
{
    w->session.said = true;
    if (w->trouble != WATCH_LOST && waited_s < SHORT_S)
        return watch_fail(w, "%s", w->message);
    if (w->trouble != WATCH_LOST)
        return watch_fail(w, "%s; gave up after %.0f s", w->message, waited_s);
    if (waited_s < SHORT_S)
        return watch_fail(w, "%s", w->session.lost);
    return watch_fail(w, "%s; it did not come back within %.0f s", w->session.lost, waited_s);
}

/* The first failed read is often the only one. */
static bool is_worth_a_line(const struct watch *w)
{
    return !w->live && w->said != w->trouble &&
           (w->trouble != WATCH_REFUSED || w->refused >= WATCH_READ_TRIES);
}

/* Only a screen's line is said again while it lasts. */
static int comment_trouble(struct watch *w)
{
    double waited_s = monotonic_s() - w->trouble_s;
    char since[32] = "";

    if (w->trouble == WATCH_BLANK && sampler_table_has_more(w->session.sampler))
        return STATUS_DONE; /* nothing is waited for */
    if (w->live && waited_s >= SHORT_S)
        snprintf(since, sizeof(since), " for %.0f s", floor(waited_s));
    say_trouble(w, since);
    if (waited_s >= patience_s(w))
        return give_up(w, waited_s);
    if (is_worth_a_line(w)) {
        complain("%s", w->message);
        w->said = w->trouble;
    }
    if (w->trouble != WATCH_LOST && session_differs(&w->session))
        say_difference(w);
    return STATUS_DONE;
}

static void say_doubt(struct watch *w)
{
    char text[PROFILE_DOUBT_TEXT];
    enum profile_doubt doubt = profile_doubt(&w->profile, text);

    if (doubt == PROFILE_DOUBT_FIXED && w->lockstep == LOCKSTEP_FOUND) {
        doubt = PROFILE_DOUBT_IN_STEP;
        profile_doubt_text(doubt, NULL, 0, text);
    }
    say(w, "%s", text);
    w->alarm = doubt == PROFILE_DOUBT_LOCKED || doubt == PROFILE_DOUBT_IN_STEP;
}

/* What keeps the target from counting, of what it says of itself. */
static bool say_silence(struct watch *w)
{
    const struct profile *p = &w->profile;
    bool dump = target_is_dump(w->options);
    bool idle = p->heartbeat == 0 || (p->recent_s > 0 && p->events == 0);
    char text[SILENCE_TEXT];

    if (p->recent != 0 || decode_is_taken(p->source) ||
        !(silence_switch(p, dump, text) || (idle && silence_firmware(p, dump, text))))
        return false;
    say(w, "no %s%s: %s", p->attributed ? "new " : "", profile_unit_name(p), text);
    return true;
}

/* What a reader of the numbers must know before he believes them. */
static void comment_numbers(struct watch *w)
{
    const struct session *s = &w->session;
    const enum profile_doubt doubt = profile_doubt_of(&w->profile);
    char trouble[TROUBLE_MAX];

    if (session_differs(&w->session))
        say_difference(w);
    else if (doubt == PROFILE_DOUBT_TABLE)
        say_doubt(w);
    else if (w->state == GDBMI_STATE_HALTED)
        say(w, "the target is halted: numbers do not change; %s",
            session_stats(s).held ? "S continues it" : "continue it in your debugger");
    else if (say_silence(w))
        return;
    else if (w->profile.lockup && w->profile.recent == 0)
        say(w, "the core is locked up: a fault in a fault handler stopped it until a reset");
    else if (w->profile.slept && w->profile.recent == 0)
        say(w, "the core is asleep: no new samples");
    else if (decode_is_taken(w->profile.source) && w->profile.attributed == 0)
        say(w, "no samples yet");
    else if (decode_is_taken(w->profile.source) && w->profile.recent_s > 0 &&
             w->profile.events == 0)
        say(w, "no new samples since the last refresh");
    else if (w->profile.heartbeat == 0)
        say(w, "no events yet: does the firmware start the timer (mprof_systick_start())?");
    else if (doubt != PROFILE_SURE)
        say_doubt(w);
    else if (w->profile.recent_s > 0 && w->profile.events == 0)
        say(w, "no events since the last refresh: is the timer running, is the core asleep?");
    else if (s->match != IDENTITY_SAME)
        say(w, "%s: names are right only if this ELF runs", s->difference);
    else if (s->elf.trouble[0])
        say(w, "%s: using names of the ELF loaded before", s->elf.trouble);
    else if (symtab_trouble(s->elf.symtab, trouble, sizeof(trouble)))
        say(w, "%s", trouble);
    else if (w->notice[0] && monotonic_s() - w->notice_s < NOTICE_S)
        snprintf(w->message, sizeof(w->message), "%s", w->notice);
    else
        snprintf(w->message, sizeof(w->message), "%s", s->server.why);
}

int watch_comment(struct watch *watch)
{
    watch->warning = watch->alarm = false;
    if (!watch->fresh)
        return comment_trouble(watch);
    comment_numbers(watch);
    return STATUS_DONE;
}
