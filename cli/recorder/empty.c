/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why nothing was counted. */
#include "empty.h"

#include <stdio.h>

#include <base/say.h>
#include <options/options.h>
#include <profile/unsure.h>

void recorder_explain(const struct recorder *r, char text[SILENCE_TEXT])
{
    const struct watch *w = &r->watch;
    long pid = r->options->link.pid;
    bool dump = target_is_dump(r->options);

    if (w->state == GDBMI_STATE_HALTED && pid > 0)
        snprintf(text, SILENCE_TEXT, "the process is stopped: 'kill -CONT %ld' continues it", pid);
    else if (w->state == GDBMI_STATE_HALTED)
        snprintf(text, SILENCE_TEXT, "the target is halted: continue it in your debugger");
    else if (dump && recorder_is_over_time(r->options))
        snprintf(text, SILENCE_TEXT,
                 "a dump does not change by itself: write it again during --duration");
    else if (r->delta.attributed == 0)
        silence_reason(&r->delta, dump, w->profile.heartbeat, text);
    else if (!silence_switch(&r->delta, dump, text) && !silence_firmware(&r->delta, dump, text))
        snprintf(text, SILENCE_TEXT, "is the target running?");
}

int recorder_fail_empty(const struct recorder *r, const char *path)
{
    char why[SILENCE_TEXT], when[40] = "";

    recorder_explain(r, why);
    if (recorder_is_over_time(r->options))
        snprintf(when, sizeof(when), " in %.1f s", r->delta.recent_s);
    complain("nothing saved to %s: no %s%s: %s", path[0] ? path : r->options->store,
             profile_unit_name(&r->delta), when, why);
    return STATUS_FAILED;
}
