/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof doctor: what keeps 'mprof top' from working, and what else could be better. */
#include <base/say.h>
#include <base/signals.h>
#include <doctor/doctor.h>
#include <target/session.h>

#include "verbs.h"

int command_doctor(const struct command *self, int argc, char **argv)
{
    struct options options;
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    if (target_is_dump(&options)) {
        complain("doctor checks a target, not a dump of one");
        return STATUS_USAGE;
    }
    if (signals_begin() < 0)
        return STATUS_FAILED;
    signals_hold(true);
    status = doctor_run(&options);
    signals_hold(false);
    return signals_end(status, false);
}
