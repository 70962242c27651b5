/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof doctor: what keeps 'mprof top' from working, and what else could be better. */
#include <base/say.h>
#include <base/signals.h>
#include <doctor/doctor.h>
#include <target/session.h>

#include "verbs.h"

/* Some servers take one client only, so that a shell's connection is closed; its next command opens
 * it again. */
static bool disconnect_shell(void)
{
    struct session *keeper = session_keeper();

    if (!keeper || !keeper->link)
        return true;
    if (!keeper->idle) {
        complain("doctor needs a connection of its own: leave the live screen first");
        return false;
    }
    session_lose(keeper);
    return true;
}

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
    if (!disconnect_shell())
        return STATUS_FAILED;
    if (signals_begin() < 0)
        return STATUS_FAILED;
    signals_hold(true);
    status = doctor_run(&options);
    signals_hold(false);
    return signals_end(status, false);
}
