/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a target that can be read counts nothing: what its switches and its counters say. */
#include <target/silence.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <profile/control.h>

bool silence_switch(const struct profile *profile, bool dump, char text[SILENCE_TEXT])
{
    const char *word = control_off(profile->enable, profile->source);

    if (dump)
        return false;
    if (word)
        snprintf(text, SILENCE_TEXT, "%s=off; 'mprof control on %s' switches it on", word, word);
    return word != NULL;
}

bool silence_firmware(const struct profile *profile, bool dump, char text[SILENCE_TEXT])
{
    static const struct {
        const char *state, *text;
    } reasons[] = {
        {"stopped", "the firmware called mprof_stop(); mprof_start() resumes counting"},
        {"asleep", "the firmware is asleep (mprof_sleep_enter())"},
        {"out of phase", "the firmware is in a phase that is not counted; 'mprof control phase "
                         "all' counts every phase"},
    };
    const struct decode_header header = {.enable = profile->enable};
    const char *state = profile->enable && !dump ? control_firmware_state(&header) : NULL;

    if (profile->enable && !dump && profile->source == DECODE_TRACE &&
        !control_is_traced(&header)) {
        snprintf(text, SILENCE_TEXT,
                 "the firmware called mprof_trace_disable(); mprof_trace_enable() resumes it");
        return true;
    }
    for (size_t i = 0; state && i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        if (strcmp(reasons[i].state, state) == 0)
            snprintf(text, SILENCE_TEXT, "%s", reasons[i].text);
    }
    return state != NULL;
}

static const char *reason_without_events(const struct profile *delta, uint32_t heartbeat)
{
    if (delta->headerless)
        return "is the target running?";
    if (decode_is_taken(delta->source))
        return "none was taken in this time; take longer";
    if (delta->unit == DECODE_UNIT_CALLS)
        return "no function with a call hook was called";
    return heartbeat == 0
               ? "no events yet: does the firmware start the timer (mprof_systick_start())?"
               : "no events: is the timer running, is the core asleep?";
}

static void reason_by_counters(const struct profile *p, char text[SILENCE_TEXT])
{
    uint32_t events = p->heartbeat > p->sleeping ? p->heartbeat : p->sleeping;

    if (p->sleeping == events)
        snprintf(text, SILENCE_TEXT,
                 "all %" PRIu32 " events came while the firmware slept (mprof_sleep_enter())",
                 events);
    else if (p->sleeping + p->ignored >= events)
        snprintf(
            text, SILENCE_TEXT,
            "all %" PRIu32
            " events are in ignored functions; 'mprof control ignore none' removes all ignores",
            events);
    else if (p->dropped != 0)
        snprintf(text, SILENCE_TEXT,
                 "%" PRIu32 " of %" PRIu32
                 " events were lost: the table is full; 'mprof control reset' empties it",
                 p->dropped, events);
    else
        snprintf(text, SILENCE_TEXT, "%" PRIu32 " events came, but none was counted", events);
}

void silence_reason(const struct profile *delta, bool dump, uint32_t heartbeat,
                    char text[SILENCE_TEXT])
{
    const char *word = control_off(delta->enable, delta->source);

    if (dump) {
        snprintf(text, SILENCE_TEXT, "the dump has no hits%s%s%s", word ? " (" : "",
                 word ? word : "", word ? "=off)" : "");
        return;
    }
    if (silence_switch(delta, false, text) || silence_firmware(delta, false, text))
        return;
    if (delta->heartbeat == 0 && delta->sleeping == 0)
        snprintf(text, SILENCE_TEXT, "%s", reason_without_events(delta, heartbeat));
    else
        reason_by_counters(delta, text);
}
