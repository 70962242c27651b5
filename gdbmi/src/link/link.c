/* SPDX-License-Identifier: 0BSD */
/* What all links have in common: sticky errors, and memory access, with a halt where it needs one.
 */
#include <gdbmi/link.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "link_ops.h"

/* One thing to do with a target that may have to be halted for it; only one of them is set. */
struct access {
    void *in;
    const void *out;
    const char *command;
    char **answer;           /* of the command */
    enum gdbmi_state *state; /* of the target before a read, NULL: nobody asks */
    uint64_t addr;
    size_t len;
};

void link_init(struct gdbmi_link *link, const struct gdbmi_link_ops *ops, const char *kind,
               const char *address, int timeout_ms)
{
    snprintf(link->address, sizeof(link->address), "%s", address);
    link->ops = ops;
    link->opened_ns = clock_now_ns();
    link->timeout_ms = timeout_ms > 0 ? timeout_ms : GDBMI_TIMEOUT_MS;
    link->info = (struct gdbmi_info){
        .kind = kind,
        .server = link->server,
        .address = link->address,
        .target = link->target,
        .arch = link->arch,
        .others = link->others,
        .why = link->why,
    };
}

enum gdbmi_code link_go_on(const struct gdbmi_link *link, struct gdbmi_error *error)
{
    if (!link->optional || link->held || link->given_up == NULL || !link->given_up(link->context))
        return GDBMI_OK;
    return gdbmi_error_set(error, GDBMI_ETARGET, "%s: nobody waits for the rest", link->address);
}

/* What a call can't repair by being made again sticks. */
bool link_is_lasting(enum gdbmi_code code)
{
    switch (code) {
    case GDBMI_OK:
    case GDBMI_EARG:
    case GDBMI_ETARGET:
    case GDBMI_EUNSUPPORTED:
    case GDBMI_EHALT:
        return false;
    default:
        return true;
    }
}

enum gdbmi_code link_clear_error(struct gdbmi_link *link)
{
    if (!link_is_lasting(link->error.code))
        link->error = (struct gdbmi_error){.code = GDBMI_OK};
    return link->error.code;
}

/* After an error that lasts nothing else will let the target go: so it is tried here. */
enum gdbmi_code link_end(struct gdbmi_link *link, enum gdbmi_code code)
{
    if (link->ops->settle != NULL)
        link->ops->settle(link);
    if (guardian_has_acted(link->guardian))
        return link_end_by_guardian(link);
    if (!link_is_lasting(code) || !link->held)
        return code;
    struct gdbmi_error error = link->error;
    link_abandon(link, &error);
    link->error = error;
    return code;
}

/* A halt that was asked for and not confirmed may have happened. */
void link_book_halt(struct gdbmi_link *link, enum gdbmi_code code, bool ours, uint64_t since)
{
    if (ours || (code != GDBMI_OK && link_is_lasting(code)))
        link_hold(link, since);
    else
        guardian_say(link->guardian, GUARDIAN_FREE);
}

/* Before the first byte of a halt. */
void link_announce_halt(struct gdbmi_link *link)
{
    guardian_announce(link->guardian, link_halt_ms(link));
    guardian_say(link->guardian, GUARDIAN_HALTING);
}

enum gdbmi_code link_halt(struct gdbmi_link *link)
{
    uint64_t since = clock_now_ns();
    enum gdbmi_state state;
    bool ours = false;

    enum gdbmi_code code = link->ops->state(link, &state);
    if (code != GDBMI_OK || state == GDBMI_STATE_HALTED)
        return code;
    since = clock_now_ns();
    link_announce_halt(link);
    code = link->ops->halt(link, &ours);
    link_book_halt(link, code, ours, since);
    return code;
}

/* A halt that the user asked for is over, too: this may not last. */
static enum gdbmi_code resume(struct gdbmi_link *link)
{
    guardian_announce(link->guardian, 0);
    enum gdbmi_code code = link->ops->resume(link);

    if (code == GDBMI_OK)
        link_let_go(link);
    return code;
}

typedef enum gdbmi_code access_how(struct gdbmi_link *link, const struct access *access);

static enum gdbmi_code access_now(struct gdbmi_link *link, const struct access *access)
{
    if (access->state != NULL && link->info.live && link->ops->poll != NULL)
        return link->ops->poll(link, access->addr, access->in, access->len, access->state);
    if (access->in != NULL)
        return link->ops->read(link, access->addr, access->in, access->len);
    if (access->out != NULL)
        return link->ops->write(link, access->addr, access->out, access->len);
    return link->ops->command(link, access->command, access->answer);
}

enum gdbmi_code link_resume_after(struct gdbmi_link *link, enum gdbmi_code code)
{
    struct gdbmi_error of_access = link->error;

    link->error = (struct gdbmi_error){.code = GDBMI_OK};
    uint64_t before = link_limit_release(link);
    enum gdbmi_code resumed = resume(link);
    clock_limit_end(before);
    if (resumed != GDBMI_OK)
        return resumed;
    link->error = of_access;
    return code;
}

/* Of a running target. The shorter it is halted the better. */
static enum gdbmi_code halt_and_access(struct gdbmi_link *link, const struct access *access)
{
    enum gdbmi_code code = GDBMI_EUNSUPPORTED;
    uint64_t since = clock_now_ns();
    bool ours = false;

    if (access->in != NULL && link->ops->halt_and_read != NULL) {
        link_announce_halt(link);
        code = link->ops->halt_and_read(link, access->addr, access->in, access->len, &ours);
        link_book_halt(link, code, ours, since);
    }
    if (code != GDBMI_EUNSUPPORTED || ours)
        return code;
    code = link_halt(link);
    return code != GDBMI_OK ? code : access_now(link, access);
}

/* A target that was halted before is left so; one that turns out to have run after all (link->held
 * is set by the kind of link) is not. */
static enum gdbmi_code access_by_halt(struct gdbmi_link *link, const struct access *access)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    enum gdbmi_code code = link->ops->state(link, &state);
    /* A running target may just have turned out to need no halt. */
    bool halts = state == GDBMI_STATE_RUNNING && !link->info.live;
    if (code == GDBMI_OK && halts)
        code = link_may_halt(link, &link->error);
    if (code != GDBMI_OK)
        return code;
    code = halts ? halt_and_access(link, access) : access_now(link, access);
    return link->held && !link_is_lasting(code) ? link_resume_after(link, code) : code;
}

/* The bytes of a read are given out when all of it has succeeded, also that the target runs again.
 */
static enum gdbmi_code read_whole(struct gdbmi_link *link, const struct access *access,
                                  access_how *how)
{
    struct access copy = *access;

    copy.in = malloc(access->len);
    if (copy.in == NULL)
        return gdbmi_error_set(&link->error, GDBMI_ENOMEM, "%s: out of memory", link->address);
    enum gdbmi_code code = how(link, &copy);
    if (code == GDBMI_OK && !guardian_has_acted(link->guardian))
        memcpy(access->in, copy.in, access->len);
    free(copy.in);
    return code;
}

static enum gdbmi_code access_target(struct gdbmi_link *link, const struct access *access,
                                     bool at_once)
{
    enum gdbmi_code code = link_clear_error(link);

    if (code != GDBMI_OK)
        return code;
    access_how *how = at_once || link->held ? access_now : access_by_halt;
    return link_end(link, access->in != NULL ? read_whole(link, access, how) : how(link, access));
}

static uint64_t limit(const struct gdbmi_link *link, size_t len)
{
    return link_limit_operation(link->timeout_ms, len);
}

/* Ends a public call: restores the caller's limit. */
static enum gdbmi_code done(uint64_t before, enum gdbmi_code code)
{
    clock_limit_end(before);
    return code;
}

enum gdbmi_code gdbmi_link_poll(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len,
                                enum gdbmi_state *state)
{
    bool at_once = link->info.live && link->ops->poll != NULL;
    enum gdbmi_state before = GDBMI_STATE_UNKNOWN;
    struct access access = {.in = bytes, .addr = addr, .len = len, .state = &before};
    uint64_t outer = limit(link, len);

    if (len == 0)
        return done(outer, gdbmi_link_state(link, state));
    enum gdbmi_code code = at_once ? GDBMI_OK : gdbmi_link_state(link, &before);
    if (code == GDBMI_OK)
        code = access_target(link, &access, link->info.live);
    if (code == GDBMI_OK)
        *state = before;
    return done(outer, code);
}

enum gdbmi_code gdbmi_link_read(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len)
{
    struct access access = {.in = bytes, .addr = addr, .len = len};
    uint64_t outer = limit(link, len);

    return done(outer,
                len == 0 ? link_clear_error(link) : access_target(link, &access, link->info.live));
}

void gdbmi_link_read_optional(struct gdbmi_link *link, bool optional)
{
    link->optional = optional;
}

enum gdbmi_code gdbmi_link_write(struct gdbmi_link *link, uint64_t addr, const void *bytes,
                                 size_t len)
{
    struct access access = {.out = bytes, .addr = addr, .len = len};
    uint64_t outer = limit(link, len);

    return done(outer,
                len == 0 ? link_clear_error(link) : access_target(link, &access, link->info.live));
}

enum gdbmi_code gdbmi_link_undo_write(struct gdbmi_link *link, uint64_t addr, const void *bytes,
                                      size_t len)
{
    enum gdbmi_code code = link_clear_error(link);

    if (code != GDBMI_OK)
        return code;
    if (len != 0 && (len != 4 || addr % 4 != 0))
        return gdbmi_error_set(&link->error, GDBMI_EARG, "%s: only a whole word can be undone",
                               link->address);
    if (link->ops->undo_write != NULL && link->info.live)
        code = link->ops->undo_write(link, addr, bytes, len);
    if (link->ops->undo_write == NULL || !link->info.live || code == GDBMI_EUNSUPPORTED)
        return gdbmi_error_set(&link->error, GDBMI_EUNSUPPORTED,
                               "%s: nobody could undo a write here if this process died",
                               link->address);
    return code;
}

enum gdbmi_code gdbmi_link_command(struct gdbmi_link *link, const char *command, char **answer)
{
    struct access access = {.command = command, .answer = answer};
    uint64_t outer = limit(link, 0);

    return done(outer, access_target(link, &access, !link->deaf));
}

enum gdbmi_code gdbmi_link_state(struct gdbmi_link *link, enum gdbmi_state *state)
{
    uint64_t outer = limit(link, 0);
    enum gdbmi_code code = link_clear_error(link);

    if (code == GDBMI_OK)
        code = link_end(link, link->ops->state(link, state));
    return done(outer, code);
}

enum gdbmi_code gdbmi_link_halt(struct gdbmi_link *link)
{
    uint64_t outer = limit(link, 0);
    enum gdbmi_code code = link_clear_error(link);

    return done(outer, code != GDBMI_OK ? code : link_end(link, link_halt(link)));
}

void gdbmi_link_keep_halted(struct gdbmi_link *link)
{
    link->asked = link->held;
    if (link->asked)
        guardian_announce(link->guardian, GUARDIAN_NO_LIMIT);
}

enum gdbmi_code gdbmi_link_resume(struct gdbmi_link *link)
{
    uint64_t outer = limit(link, 0);
    enum gdbmi_state state;
    enum gdbmi_code code = link_clear_error(link);

    if (code != GDBMI_OK)
        return done(outer, code);
    code = link->ops->state(link, &state);
    if (code == GDBMI_OK && state != GDBMI_STATE_RUNNING)
        code = resume(link);
    else if (code == GDBMI_OK)
        link_let_go(link);
    return done(outer, link_end(link, code));
}

enum gdbmi_code gdbmi_link_release(struct gdbmi_link *link)
{
    enum gdbmi_code code = link_clear_error(link);

    if (code != GDBMI_OK || !link->held)
        return code;
    return gdbmi_link_resume(link);
}

static enum gdbmi_code ask_pc(struct gdbmi_link *link, uint64_t *pc)
{
    enum gdbmi_state state;

    enum gdbmi_code code = link->ops->state(link, &state);
    if (code == GDBMI_OK && state != GDBMI_STATE_HALTED)
        return gdbmi_error_set(&link->error, GDBMI_EUNSUPPORTED,
                               "%s: the program counter can be read only while the core is halted",
                               link->address);
    return link_end(link, code != GDBMI_OK ? code : link->ops->pc(link, pc));
}

enum gdbmi_code gdbmi_link_pc(struct gdbmi_link *link, uint64_t *pc)
{
    uint64_t outer = limit(link, 0);
    enum gdbmi_code code = link_clear_error(link);

    return done(outer, code != GDBMI_OK ? code : ask_pc(link, pc));
}

enum gdbmi_code gdbmi_link_receive(struct gdbmi_link *link, void *bytes, size_t capacity,
                                   int timeout_ms, size_t *len, bool *ended)
{
    enum gdbmi_code code = link_clear_error(link);

    *len = 0;
    *ended = false;
    if (code != GDBMI_OK)
        return code;
    if (link->ops->receive == NULL)
        return gdbmi_error_set(&link->error, GDBMI_EUNSUPPORTED,
                               "%s: a debug server sends nothing by itself", link->address);
    return link->ops->receive(link, bytes, capacity, timeout_ms, len, ended);
}

/* It is no error that there is nothing left to do. */
static enum gdbmi_code close_after_guardian(struct gdbmi_link *link, struct gdbmi_error *error)
{
    struct gdbmi_error ignored = {.code = GDBMI_OK};

    enum gdbmi_code code = link_end_by_guardian(link);
    if (link->abandoned)
        *error = link->error;
    else
        code = GDBMI_OK;
    link->ops->close(link, false, &ignored);
    return code;
}

enum gdbmi_code gdbmi_link_close(struct gdbmi_link *link, struct gdbmi_error *error)
{
    struct gdbmi_error local = {.code = GDBMI_OK};

    if (link == NULL)
        return GDBMI_OK;
    uint64_t outer = limit(link, 0);
    guardian_announce(link->guardian, 0);
    enum gdbmi_code code = guardian_has_acted(link->guardian)
                               ? close_after_guardian(link, &local)
                               : link->ops->close(link, link->held, &local);
    if (error != NULL)
        *error = local;
    return done(outer, code);
}

size_t gdbmi_link_gap(const struct gdbmi_link *link)
{
    return link_cost_gap(&link->cost);
}

const struct gdbmi_info *gdbmi_link_info(const struct gdbmi_link *link)
{
    return &link->info;
}

const struct gdbmi_error *gdbmi_link_error(const struct gdbmi_link *link)
{
    return &link->error;
}

struct gdbmi_stats gdbmi_link_stats(const struct gdbmi_link *link)
{
    uint64_t now = clock_now_ns();

    return (struct gdbmi_stats){
        .halts = link->halts,
        .halted_ns = link->halted_ns + (link->held ? now - link->held_since_ns : 0),
        .longest_ns = link->longest_ns,
        .age_ns = now - link->opened_ns,
        .held = link->held || link->abandoned,
        .resets = link->resets,
        .short_failures = link->short_failures,
    };
}
