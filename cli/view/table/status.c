/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of a header for the state and the unit. */
#include <table/status.h>

#include <profile/unsure.h>

const char *view_unit(const struct view_status *status, const struct profile *profile)
{
    return status->unit ? status->unit : profile_unit_name(profile);
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
