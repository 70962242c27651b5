/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof control: asks the stub for what the words say. */
#include <base/say.h>
#include <base/signals.h>
#include <options/options.h>
#include <target/stub_control.h>

#include "verbs.h"

int command_control(const struct command *self, int argc, char **argv)
{
    struct options options;
    struct session session;
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    if (signals_begin() < 0)
        return STATUS_FAILED;
    signals_hold(true);
    status = session_open(&session, &options);
    if (status == STATUS_DONE)
        status = control_words(&session, options.operands);
    int closed = session_close(&session);
    signals_hold(false);
    status = status == STATUS_DONE ? closed : status;
    return signals_end(status, false);
}
