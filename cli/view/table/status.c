/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The unit of a refresh. */
#include <table/status.h>

#include <stddef.h>

const char *view_unit(const struct view_status *status, const struct profile *profile)
{
    if (status->unit)
        return status->unit;
    return profile->unit == DECODE_UNIT_CALLS ? "calls" : "samples";
}
