/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof control: asks the stub for what the words say. */
#include <stdio.h>

#include <base/say.h>
#include <base/signals.h>
#include <options/help.h>
#include <options/options.h>
#include <control/stub_control.h>

#include "verbs.h"

void command_control_actions(void)
{
    static const char *const actions[][2] = {
        {"status", "Show blocks and switches [default]"},
        {"on WHAT...",
         "Switch on timer, hooks, table, calls, arcs, stream, histogram, trace or sink"},
        {"off WHAT...", "Switch them off"},
        {"reset", "Clear all counters"},
        {"ignore WHAT...", "Stop counting these functions or addresses; 'none' counts all again"},
        {"filter WHAT...",
         "Trace only these functions, files or addresses; 'none' traces all again"},
        {"tracer NAME", "Let calls go to calls, arcs, trace or sink alone, or to none"},
        {"phase N|all", "Count only in this phase of the firmware"},
        {"focus FUNC|off", "Count the instructions of a function one by one"},
    };

    puts("\nActions:");
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
        help_row(actions[i][0], 15, actions[i][1]);
}

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
