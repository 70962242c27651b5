/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts and stops at the entries of functions. */
#include <events/trigger.h>

#include <stdio.h>
#include <string.h>

#include <base/say.h>
#include <options/options.h>
#include <target/trace_filter.h>

void trace_trigger_free(struct trace_trigger *trigger)
{
    addr_ranges_free(&trigger->start);
    addr_ranges_free(&trigger->stop);
}

int trace_trigger_follow(struct trace_trigger *trigger, const struct watch *watch)
{
    const struct session *s = &watch->session;

    if (s->options->start_at.count + s->options->stop_at.count == 0 || !watch->fresh)
        return STATUS_DONE;
    const char *build = symtab_build(s->elf.symtab);
    if (trigger->symtab == s->elf.symtab && strcmp(trigger->build, build) == 0)
        return STATUS_DONE;
    trigger->symtab = s->elf.symtab;
    snprintf(trigger->build, sizeof(trigger->build), "%s", build);
    trace_trigger_free(trigger);
    return trace_filter_add_triggers(s, &trigger->start, &trigger->stop);
}

bool trace_trigger_lets(struct trace_trigger *trigger, const struct options *options,
                        const struct sampler_event *event)
{
    const struct decode_event *call = &event->call;

    if (event->kind != SAMPLER_EVENT_CALL)
        return true;
    bool entry = !call->mark && !call->exit;
    if (entry && addr_ranges_have(&trigger->start, call->callee)) {
        trigger->started = true;
        trigger->stopped = false;
    }
    bool wanted = !trigger->stopped && (trigger->started || options->start_at.count == 0);
    if (entry && wanted && addr_ranges_have(&trigger->stop, call->callee))
        trigger->stopped = true;
    return wanted;
}

bool trace_trigger_ended(const struct trace_trigger *trigger, const struct options *options)
{
    return trigger->stopped && options->start_at.count == 0;
}
