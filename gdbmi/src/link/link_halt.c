/* SPDX-License-Identifier: 0BSD */
/* The halts of a link: counted, ended, and told of where one is left. */
#include <limits.h>
#include <string.h>

#include "clock.h"
#include "link_ops.h"

void link_hold(struct gdbmi_link *link, uint64_t since_ns)
{
    guardian_say(link->guardian, GUARDIAN_HELD);
    link->held = true;
    link->held_since_ns = since_ns;
    link->halts++;
}

void link_let_go(struct gdbmi_link *link)
{
    uint64_t halted_ns = link->held ? clock_now_ns() - link->held_since_ns : 0;

    link->halted_ns += halted_ns;
    if (link->held && !link->asked)
        link->usual_ns = halted_ns;
    if (link->held && !link->asked && halted_ns > link->longest_ns)
        link->longest_ns = halted_ns;
    link->held = link->asked = false;
    guardian_say(link->guardian, GUARDIAN_FREE);
}

/* That length says nothing of the next one. */
void link_was_let_go(struct gdbmi_link *link, unsigned halted_ms)
{
    uint64_t usual_ns = link->usual_ns;

    link->held_since_ns = clock_now_ns() - (uint64_t)halted_ms * 1000000U;
    link_let_go(link);
    link->usual_ns = usual_ns;
}

/* What the target does is told even where the text must be cut for it. */
static void append(struct gdbmi_error *error, enum gdbmi_left left, const char *tail)
{
    size_t room = sizeof(error->text) - strlen(tail) - 1;
    size_t len = strlen(error->text);

    memcpy(error->text + (len < room ? len : room), tail, strlen(tail) + 1);
    error->left = left;
}

/* What the guardian has ended is not left halted. */
void link_warn_held(struct gdbmi_link *link, struct gdbmi_error *error)
{
    if (link->held && !guardian_has_acted(link->guardian) && error->code != GDBMI_OK &&
        error->left == GDBMI_LEFT_NOTHING)
        append(error, GDBMI_LEFT_HALTED, "; the TARGET IS LEFT HALTED");
}

enum gdbmi_code link_leave(struct gdbmi_link *link, bool resume, struct gdbmi_error *error)
{
    link->error = (struct gdbmi_error){.code = GDBMI_OK};
    enum gdbmi_code code = resume ? link->ops->resume(link) : GDBMI_OK;
    link_warn_held(link, &link->error);
    *error = link->error;
    return code;
}

void link_warn_unknown(const struct gdbmi_link *link, struct gdbmi_error *error)
{
    if (!link->held && !guardian_has_acted(link->guardian))
        append(error, GDBMI_LEFT_MAYBE_HALTED,
               "; connecting may have halted it: the TARGET MAY BE LEFT HALTED");
}

void link_abandon(struct gdbmi_link *link, struct gdbmi_error *error)
{
    if (error->code == GDBMI_EPLAY) /* there is no target */
        link_let_go(link);
    if (!link->held || guardian_has_acted(link->guardian))
        return;
    uint64_t before = link_limit_release(link);
    enum gdbmi_code code = link->ops->send_resume(link);
    clock_limit_end(before);
    if (code == GDBMI_OK) {
        link_let_go(link);
        link->abandoned = true;
        append(error, GDBMI_LEFT_MAYBE_HALTED,
               "; it was told to resume, but the TARGET MAY BE LEFT HALTED");
    }
    link_warn_held(link, error);
}

enum gdbmi_code link_may_halt_for(const struct gdbmi_link *link, const char *why,
                                  struct gdbmi_error *error)
{
    if (link->info.simulator || link->allow_halt)
        return GDBMI_OK;
    return gdbmi_error_set_hint(error, GDBMI_EHALT, GDBMI_HINT_ALLOW_HALT, "%s: %s", link->address,
                                why);
}

enum gdbmi_code link_may_halt(const struct gdbmi_link *link, struct gdbmi_error *error)
{
    return link_may_halt_for(link, "this server reads memory only while the core is halted", error);
}

int link_halt_ms(const struct gdbmi_link *link)
{
    uint64_t usual_ms = link->usual_ns / 1000000U;

    if (link->asked)
        return GUARDIAN_NO_LIMIT;
    return usual_ms < INT_MAX ? (int)usual_ms : INT_MAX;
}

enum gdbmi_code link_end_by_guardian(struct gdbmi_link *link)
{
    unsigned halted_ms = 0;

    link->error = (struct gdbmi_error){.code = GDBMI_OK};
    enum gdbmi_code code = guardian_explain(link->address, &link->error);
    if (guardian_await_done(link->guardian, &halted_ms)) {
        link_was_let_go(link, halted_ms);
    } else {
        append(&link->error, GDBMI_LEFT_MAYBE_HALTED, "; the TARGET MAY BE LEFT HALTED");
        link->abandoned = true;
    }
    return code;
}
