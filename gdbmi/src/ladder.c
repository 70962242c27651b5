/* SPDX-License-Identifier: 0BSD */
/* Which way to a target is taken: OpenOCD's Tcl port before its gdb port, and why. */
#include <stdio.h>
#include <string.h>

#include "address.h"
#include "link_ops.h"

#define TCL_PORT_DEFAULT "6666"
/* Nobody asked for the default Tcl port: what blocks there is not waited for long. */
#define TCL_PROBE_MS 1000

static enum gdbmi_code open_tcl(const char *address, const char *gdb_port, int timeout_ms,
                                const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error)
{
    struct gdbmi_stream *stream = NULL;

    enum gdbmi_code code = gdbmi_stream_connect(address, timeout_ms, &stream, error);
    if (code == GDBMI_OK)
        code = tcl_link_open(stream, address, gdb_port, timeout_ms, options, link, error);
    return code;
}

/* A Tcl port that was named is used, or it is an error. */
static enum gdbmi_code open_named_tcl(const struct gdbmi_options *options,
                                      const struct address *gdb, int timeout_ms,
                                      struct gdbmi_link **link, struct gdbmi_error *error)
{
    struct address tcl;
    const char *gdb_port = gdb != NULL && !gdb->is_unix ? gdb->port : NULL;

    enum gdbmi_code code = address_parse(options->tcl, &tcl, error);
    if (code != GDBMI_OK)
        return code;
    if (gdb != NULL && strcmp(gdb->text, tcl.text) == 0)
        return gdbmi_error_set(error, GDBMI_EARG,
                               "%s: the gdb port and the Tcl port of OpenOCD are different ports",
                               tcl.text);
    code = open_tcl(tcl.text, gdb_port, timeout_ms, options, link, error);
    if (code == GDBMI_OK)
        snprintf((*link)->why, sizeof((*link)->why), "OpenOCD's Tcl port, as asked for%s",
                 gdb_port != NULL ? "; the gdb port is left alone" : "");
    return code;
}

/* true: *link is open. Otherwise *why says in a few words why not. */
static bool try_default_tcl(const struct gdbmi_options *options, const struct address *gdb,
                            int timeout_ms, struct gdbmi_link **link, struct gdbmi_error *why)
{
    struct address tcl;

    /* A gdb server halts its target for whoever connects: so a gdb port is never taken for Tcl. */
    if (gdb->is_unix || strcmp(gdb->port, TCL_PORT_DEFAULT) == 0) {
        snprintf(why->text, sizeof(why->text), "none is known beside %.100s", gdb->text);
        return false;
    }
    if (timeout_ms > TCL_PROBE_MS)
        timeout_ms = TCL_PROBE_MS;
    address_with_port(gdb, TCL_PORT_DEFAULT, &tcl);
    if (open_tcl(tcl.text, gdb->port, timeout_ms, options, link, why) != GDBMI_OK)
        return false;
    snprintf((*link)->why, sizeof((*link)->why),
             "OpenOCD's Tcl port serves %.100s; the gdb port is left alone", gdb->text);
    return true;
}

static enum gdbmi_code open_gdb(const struct gdbmi_options *options, const struct address *gdb,
                                int timeout_ms, struct gdbmi_link **link, struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};
    struct gdbmi_stream *stream = NULL;

    enum gdbmi_code code = gdbmi_stream_connect(options->gdb, timeout_ms, &stream, &why);
    if (code == GDBMI_OK)
        return rsp_link_open(stream, gdb->text, options, link, error);
    bool refused = strstr(why.text, "connection refused") != NULL;
    return gdbmi_error_set(error, code, "%.280s%s", why.text,
                           refused ? ": is OpenOCD running?" : "");
}

enum gdbmi_code gdbmi_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error)
{
    int timeout_ms = options->timeout_ms > 0 ? options->timeout_ms : GDBMI_TIMEOUT_MS;
    struct gdbmi_error why = {.code = GDBMI_OK};
    struct address gdb;
    char how[320];

    *error = (struct gdbmi_error){.code = GDBMI_OK};
    if (options->gdb == NULL && options->tcl == NULL)
        return gdbmi_error_set(error, GDBMI_EARG, "no debug server was named");
    if (options->gdb == NULL)
        return open_named_tcl(options, NULL, timeout_ms, link, error);
    enum gdbmi_code code = address_parse(options->gdb, &gdb, error);
    if (code != GDBMI_OK)
        return code;
    if (options->tcl != NULL)
        return open_named_tcl(options, &gdb, timeout_ms, link, error);
    if (try_default_tcl(options, &gdb, timeout_ms, link, &why))
        return GDBMI_OK;
    code = open_gdb(options, &gdb, timeout_ms, link, error);
    if (code != GDBMI_OK)
        return code;
    snprintf(how, sizeof(how), "%s", (*link)->why);
    snprintf((*link)->why, sizeof((*link)->why), "%.140s (no Tcl: %.160s)", how, why.text);
    return GDBMI_OK;
}
