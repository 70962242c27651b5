/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof coverage: which functions and lines were reached, and which were not. */
#include <base/say.h>
#include <base/signals.h>
#include <coverage/report.h>

#include "verbs.h"

int command_coverage(const struct command *self, int argc, char **argv)
{
    struct coverage_report report = {.c = NULL};
    struct options options;
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    if (signals_begin() < 0)
        return STATUS_FAILED;
    status = options.operand_count != 0 ? coverage_read_files(&options, &report)
                                        : coverage_read_target(&options, &report);
    if (status == STATUS_DONE && !signals_pending())
        status = coverage_print(&options, &report);
    if (status == STATUS_DONE && !signals_pending())
        status = coverage_gate(&options, &report);
    coverage_report_free(&report);
    return signals_end(status, false);
}
