/* SPDX-License-Identifier: 0BSD */
/* The ways to a target, one row each, and the link that the options name. */
#include <gdbmi/link.h>

#include <stdio.h>

#include "ladder.h"
#include "link_ops.h"
#include "mi_start.h"
#include "pid_link.h"
#include "proxy_link.h"
#include "qmp_open.h"
#include "raw_link.h"
#include "record.h"
#include "records_link.h"

#define TCL_PORT_DEFAULT "6666"

static enum gdbmi_code open_openocd(const struct gdbmi_options *options, struct gdbmi_link **link,
                                    struct gdbmi_error *error)
{
    return ladder_open(options, TCL_PORT_DEFAULT, link, error);
}

/* What the record was made of is opened; its streams are played. A program that knows the Tcl port
 * of the last link names it for the next one. */
static enum gdbmi_code open_play(const struct gdbmi_options *options, struct gdbmi_link **link,
                                 struct gdbmi_error *error)
{
    struct gdbmi_options recorded = *record_options();
    const struct gdbmi_way *way = gdbmi_way_of(&recorded);

    if (way == NULL)
        return gdbmi_error_set(error, GDBMI_EPLAY, "%.150s: the record names no debug server",
                               options->play);
    recorded.allow_halt |= options->allow_halt;
    recorded.held = options->held;
    if (options->timeout_ms > 0)
        recorded.timeout_ms = options->timeout_ms;
    enum gdbmi_code code = way->open(&recorded, link, error);
    if (code == GDBMI_OK && gdbmi_link_info(*link)->openocd_tcl)
        record_set_tcl(gdbmi_link_info(*link)->address);
    return code;
}

static enum gdbmi_code open_gdb(const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error)
{
    return options->serve != NULL ? proxy_link_open(options, link, error)
                                  : open_openocd(options, link, error);
}

static const char *named_gdb(const struct gdbmi_options *o, char text[GDBMI_WAY_TEXT])
{
    (void)text;
    return o->gdb;
}

/* Given with a gdb port, it is a part of that way. */
static const char *named_tcl(const struct gdbmi_options *o, char text[GDBMI_WAY_TEXT])
{
    (void)text;
    return o->gdb == NULL ? o->tcl : NULL;
}

static const char *named_qmp(const struct gdbmi_options *o, char text[GDBMI_WAY_TEXT])
{
    (void)text;
    return o->qmp;
}

static const char *named_mi(const struct gdbmi_options *o, char text[GDBMI_WAY_TEXT])
{
    (void)text;
    return o->mi;
}

static const char *named_mi_attach(const struct gdbmi_options *o, char text[GDBMI_WAY_TEXT])
{
    (void)text;
    if (!o->mi_attach)
        return NULL;
    return o->mi_link != NULL ? o->mi_link : "";
}

static const char *named_pid(const struct gdbmi_options *o, char text[GDBMI_WAY_TEXT])
{
    snprintf(text, GDBMI_WAY_TEXT, "%ld", o->pid);
    return o->pid != 0 ? text : NULL;
}

static const char *named_play(const struct gdbmi_options *o, char text[GDBMI_WAY_TEXT])
{
    (void)text;
    return o->play;
}

static const char *named_raw(const struct gdbmi_options *o, char text[GDBMI_WAY_TEXT])
{
    (void)text;
    return o->raw;
}

static const char *named_records(const struct gdbmi_options *o, char text[GDBMI_WAY_TEXT])
{
    (void)text;
    return o->records;
}

const struct gdbmi_way gdbmi_ways[] = {
    {.name = "gdb",
     .named = named_gdb,
     .open = open_gdb,
     .has_targets = true,
     .is_openocd = true,
     .is_server = true},
    {.name = "tcl",
     .named = named_tcl,
     .open = open_openocd,
     .has_targets = true,
     .is_openocd = true,
     .is_server = true},
    {.name = "qmp",
     .named = named_qmp,
     .open = qmp_link_open,
     .has_targets = true,
     .is_server = true},
    {.name = "mi", .named = named_mi, .open = mi_link_open},
    {.name = "mi-attach", .named = named_mi_attach, .open = mi_link_open},
    {.name = "pid", .named = named_pid, .open = pid_link_open},
    {.name = "raw", .named = named_raw, .open = raw_link_open, .is_dump = true},
    {.name = "records", .named = named_records, .open = records_link_open, .is_dump = true},
    {.name = "play-link", .named = named_play, .open = open_play, .is_server = true},
    {.name = NULL},
};

static const struct gdbmi_way *next_named(const struct gdbmi_way *way,
                                          const struct gdbmi_options *options)
{
    char text[GDBMI_WAY_TEXT];

    while (way->name != NULL && way->named(options, text) == NULL)
        way++;
    return way->name != NULL ? way : NULL;
}

const struct gdbmi_way *gdbmi_way_of(const struct gdbmi_options *options)
{
    return next_named(gdbmi_ways, options);
}

enum gdbmi_code gdbmi_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error)
{
    const struct gdbmi_way *way = gdbmi_way_of(options);
    bool has_targets = way != NULL && way->has_targets && options->serve == NULL;

    *error = (struct gdbmi_error){.code = GDBMI_OK};
    const struct gdbmi_way *second = way != NULL ? next_named(way + 1, options) : NULL;
    if (second != NULL)
        return gdbmi_error_set(error, GDBMI_EARG,
                               "more than one debug server given, by %s and by %s: give one",
                               way->name, second->name);
    if (options->serve != NULL && options->gdb == NULL)
        return gdbmi_error_set(error, GDBMI_EARG,
                               "%s: serving a gdb needs the gdb port of a server", options->serve);
    if (options->target != NULL && !has_targets)
        return gdbmi_error_set(
            error, GDBMI_EARG,
            "%s: a target can be chosen only through OpenOCD's Tcl port or QEMU's QMP",
            options->target);
    if (way == NULL)
        return gdbmi_error_set(error, GDBMI_EARG, "no debug server given");
    enum gdbmi_code code = gdbmi_record_begin(options, NULL, error);
    if (code == GDBMI_OK)
        code = way->open(options, link, error);
    while (code == GDBMI_ESTOPPED) {
        if (options->tell != NULL)
            options->tell(options->context, GDBMI_HINT_NONE, error->text);
        *error = (struct gdbmi_error){.code = GDBMI_OK};
        code = way->open(options, link, error);
    }
    if (code == GDBMI_OK) {
        (*link)->given_up = options->given_up;
        (*link)->context = options->context;
    }
    return code;
}
