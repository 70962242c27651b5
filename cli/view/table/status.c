/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of a header for the state and the unit. */
#include <table/status.h>

#include <stdio.h>

#include <profile/unsure.h>

const char *view_unit(const struct view_status *status, const struct profile *profile)
{
    return status->unit ? status->unit : profile_unit_name(profile);
}

void view_without_text(const struct view_rows *rows, char text[VIEW_WITHOUT_TEXT])
{
    const struct view_without_row *w = &rows->without;
    char count[40] = "";

    text[0] = '\0';
    if (w->most == 0 || w->high < 0)
        return;
    if (w->functions)
        snprintf(count, sizeof(count), "%zu ", w->functions);
    snprintf(text, VIEW_WITHOUT_TEXT, "%sfunction%s without a row: up to %.1f%%%s", count,
             w->functions == 1 ? "" : "s", 100 * w->high, w->functions == 1 ? "" : " each");
}

double view_stub_share(const struct view_status *status, const struct profile *profile)
{
    bool silent = profile->recent_s > 0 && profile->events == 0;

    if (profile->unit != DECODE_UNIT_SAMPLES || profile->tick_hz == 0 || profile->sample_hz == 0 ||
        status->event_cycles <= 0 || silent)
        return -1;
    return (double)profile->sample_hz * status->event_cycles / profile->tick_hz;
}

const char *view_state_word(enum view_state state)
{
    switch (state) {
    case VIEW_STATE_RUNNING:
        return "RUNNING";
    case VIEW_STATE_HALTED:
        return "HALTED";
    case VIEW_STATE_LOST:
        return "LOST";
    case VIEW_STATE_UNKNOWN:
        break;
    }
    return "";
}
