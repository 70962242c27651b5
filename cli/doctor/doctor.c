/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the checks, each of which goes on after what failed before it, and prints the page. */
#include <doctor/doctor.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>

#include "checks.h"

static void hide_path(struct findings *findings, const char *path)
{
    findings_hide(findings, path, "FILE");
    findings_hide(findings, path ? path_base_name(path) : NULL, "FILE");
}

static void hide_address(struct findings *findings, const char *address)
{
    char host[256];

    if (!address)
        return;
    if (address_port(address, host, sizeof(host)) == 0)
        hide_path(findings, address);
    else if (strcmp(host, "localhost") != 0)
        findings_hide(findings, host, "HOST");
}

/* What the options name; what the server says comes later. */
static void hide_options(struct findings *findings, const struct options *o)
{
    hide_path(findings, o->elf);
    for (size_t i = 0; i < o->map.more_count; i++)
        hide_path(findings, o->map.more[i]);
    hide_address(findings, o->link.gdb);
    hide_address(findings, o->link.tcl);
    hide_address(findings, o->link.qmp);
    hide_address(findings, o->link.serve);
    hide_path(findings, o->link.mi_link);
    hide_path(findings, o->link.record);
    hide_path(findings, o->link.play);
    findings_hide(findings, o->link.mi, "COMMAND");
    findings_hide(findings, o->link.target, "TARGET");
    if (strcmp(o->symbol, "s_prof") != 0)
        findings_hide(findings, o->symbol, "SYMBOL");
}

static void hide_server(struct doctor *d)
{
    if (!d->info)
        return;
    hide_address(&d->findings, d->info->address);
    findings_hide(&d->findings, d->info->target, "TARGET");
    findings_hide(&d->findings, d->info->others, "TARGETS");
}

static void (*const checks[])(struct doctor *) = {
    check_elf,   check_server, check_target, check_reading, check_clients, check_pcsr,
    check_flash, check_stub,   check_speed,  check_cross,   check_top,
};

/* A server's gdb port halts the core for each client that connects. */
static void say_halts(struct doctor *d)
{
    if (!d->link || d->info->simulator)
        return;
    struct gdbmi_stats stats = gdbmi_link_stats(d->link);
    if (stats.halts != 0)
        finding_add(&d->findings, FINDING_OK, "halts", NULL,
                    "these checks have halted the core %" PRIu64 " times, %.0f ms in all",
                    stats.halts, (double)stats.halted_ns * 1e-6);
}

/* Leaves the target as it was found. */
static void close_all(struct doctor *d)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    sampler_table_free(d->sampler);
    profile_free(&d->profile);
    say_halts(d);
    if (d->link && gdbmi_link_close(d->link, &error) != GDBMI_OK)
        finding_add(&d->findings, FINDING_FAIL, "server", "see what the server prints", "%s",
                    error.text);
    elf_file_free(&d->elf);
}

int doctor_run(const struct options *options)
{
    struct doctor *d = calloc(1, sizeof(*d));

    if (!d)
        return fail("out of memory");
    d->options = options;
    if (options->anonymous)
        hide_options(&d->findings, options);
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]) && !signals_pending(); i++) {
        checks[i](d);
        if (checks[i] == check_server && options->anonymous)
            hide_server(d);
    }
    close_all(d);
    bool works = finding_first(&d->findings, FINDING_FAIL) == NULL;
    int status =
        signals_pending() ? STATUS_FAILED : findings_print(&d->findings, options, &d->summary);
    free(d);
    return status == STATUS_DONE && !works ? STATUS_FAILED : status;
}
