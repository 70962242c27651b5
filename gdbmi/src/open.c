/* SPDX-License-Identifier: 0BSD */
/* Which kind of link the options name. */
#include "link_ops.h"

#define TCL_PORT_DEFAULT "6666"

static unsigned count_named(const struct gdbmi_options *o)
{
    return (o->gdb != NULL || o->tcl != NULL) + (o->qmp != NULL) + (o->mi != NULL) + o->mi_attach +
           (o->pid != 0) + (o->raw != NULL);
}

static bool has_targets(const struct gdbmi_options *o)
{
    return o->gdb != NULL || o->tcl != NULL || o->qmp != NULL;
}

enum gdbmi_code gdbmi_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error)
{
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    if (count_named(options) > 1)
        return gdbmi_error_set(error, GDBMI_EARG, "more than one way to the target was named");
    if (options->serve != NULL && options->gdb == NULL)
        return gdbmi_error_set(error, GDBMI_EARG,
                               "%s: to serve a gdb, the gdb port of a server must be named",
                               options->serve);
    if (options->target != NULL && (options->serve != NULL || !has_targets(options)))
        return gdbmi_error_set(error, GDBMI_EARG,
                               "%s: only OpenOCD by its Tcl port and QEMU by QMP have targets to "
                               "choose from",
                               options->target);
    if (options->serve != NULL)
        return proxy_link_open(options, link, error);
    if (options->qmp != NULL)
        return qmp_link_open(options, link, error);
    if (options->mi != NULL || options->mi_attach)
        return mi_link_open(options, link, error);
    if (options->pid != 0)
        return pid_link_open(options, link, error);
    if (options->raw != NULL)
        return raw_link_open(options, link, error);
    return ladder_open(options, TCL_PORT_DEFAULT, link, error);
}
