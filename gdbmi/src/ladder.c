/* SPDX-License-Identifier: 0BSD */
/* Which way to a target is taken: OpenOCD's Tcl port before its gdb port, and why. */
#include "ladder.h"

#include <stdio.h>
#include <string.h>

#include "address.h"
#include "clock.h"
#include "link_ops.h"
#include "rsp_guard.h"
#include "rsp_open.h"
#include "stream_socket.h"
#include "tcl_link.h"

/* Nobody asked for the default Tcl port: a host that answers nothing there is not waited for long.
 */
#define CONNECT_MS 1000

/* The link's own words, if any, come behind the step that was taken. */
static void say_why(struct gdbmi_link *link, const char *step)
{
    char more[sizeof(link->why)];

    snprintf(more, sizeof(more), "%s", link->why);
    snprintf(link->why, sizeof(link->why), "%s%.*s", step, (int)(sizeof(more) - strlen(step)),
             more);
}

/* A Tcl port that was named is used, or it is an error; *peer says who is there. */
static enum gdbmi_code open_named_tcl(const struct gdbmi_options *options,
                                      const struct address *gdb, int timeout_ms,
                                      struct gdbmi_link **link, enum tcl_peer *peer,
                                      struct gdbmi_error *error)
{
    struct address tcl;
    struct gdbmi_stream *stream = NULL;
    const char *gdb_port = gdb != NULL && !address_is_path(gdb) ? gdb->port : NULL;

    enum gdbmi_code code = address_parse(options->tcl, &tcl, error);
    if (code != GDBMI_OK)
        return code;
    if (gdb != NULL && strcmp(gdb->text, tcl.text) == 0)
        return gdbmi_error_set(error, GDBMI_EARG,
                               "%s: given as gdb port and as Tcl port; OpenOCD has a port for each",
                               tcl.text);
    code = gdbmi_stream_connect(tcl.text, timeout_ms, &stream, error);
    if (code == GDBMI_OK)
        code = tcl_link_open(stream, tcl.text, gdb_port, options, link, peer, error);
    if (code == GDBMI_OK)
        say_why(*link, gdb_port != NULL
                           ? "OpenOCD's Tcl port, as requested; the gdb port is not used"
                           : "OpenOCD's Tcl port, as requested");
    return code;
}

/* A host that swallows a connection has a firewall; but on this host it is a server that is too
 * busy to take one. */
static enum gdbmi_code connect_default_tcl(const struct address *tcl, int timeout_ms,
                                           struct gdbmi_stream **stream, struct gdbmi_error *why)
{
    if (timeout_ms > CONNECT_MS)
        timeout_ms = CONNECT_MS;
    enum gdbmi_code code = gdbmi_stream_connect(tcl->text, timeout_ms, stream, why);
    return code == GDBMI_ETIMEOUT && !address_is_this_host(tcl) ? GDBMI_ECONNECT : code;
}

/* Whether it is proven that the gdb port has no Tcl port of use next to it. A server that is silent
 * may be OpenOCD, which serves nobody while it is busy; and an OpenOCD whose connection fails is no
 * less there. */
static bool is_not_there(enum gdbmi_code code, enum tcl_peer peer)
{
    if (code == GDBMI_EPROTOCOL || code == GDBMI_ECLOSED)
        return peer != TCL_PEER_OPENOCD;
    return code == GDBMI_ECONNECT || code == GDBMI_EUNSUPPORTED;
}

/* GDBMI_OK: *link is open, or it is NULL and *why says why the gdb port is to be taken. An error
 * says that it must not be touched. */
static enum gdbmi_code try_default_tcl(const struct gdbmi_options *options,
                                       const struct address *gdb, const char *port, int timeout_ms,
                                       struct gdbmi_link **link, struct gdbmi_error *why)
{
    struct address tcl;
    struct gdbmi_stream *stream = NULL;
    enum tcl_peer peer = TCL_PEER_UNKNOWN;
    char step[200];

    /* A gdb server halts its target for whoever connects: so a gdb port is never taken for Tcl. */
    if (address_is_path(gdb) || strcmp(gdb->port, port) == 0) {
        snprintf(why->text, sizeof(why->text), "no Tcl port is known for %.100s", gdb->text);
        return GDBMI_OK;
    }
    address_with_port(gdb, port, &tcl);
    enum gdbmi_code code = connect_default_tcl(&tcl, timeout_ms, &stream, why);
    if (code == GDBMI_OK)
        code = tcl_link_open(stream, tcl.text, gdb->port, options, link, &peer, why);
    snprintf(step, sizeof(step), "OpenOCD's Tcl port, found for %.100s; the gdb port is not used",
             gdb->text);
    if (code == GDBMI_OK)
        say_why(*link, step);
    if (code != GDBMI_ETIMEOUT)
        return is_not_there(code, peer) ? GDBMI_OK : code;
    *why = (struct gdbmi_error){.code = GDBMI_OK};
    return gdbmi_error_set_hint(
        why, code, GDBMI_HINT_TCL_NONE,
        "%.100s: OpenOCD's Tcl port does not answer: the server is busy; try again", tcl.text);
}

/* A link that had to do without a guardian works all the same. */
static void say_if_unguarded(const struct guardian *guardian, struct gdbmi_link *link)
{
    size_t len = strlen(link->why);

    if (guardian == NULL)
        snprintf(link->why + len, sizeof(link->why) - len,
                 "; NO GUARDIAN PROCESS could be started: if mprof is killed, the target may stay "
                 "halted");
}

static enum gdbmi_code open_gdb(const struct gdbmi_options *options, const struct address *gdb,
                                int timeout_ms, struct gdbmi_link **link, struct gdbmi_error *error)
{
    struct gdbmi_stream *stream = NULL;

    struct guardian *guardian = rsp_guard_start(options->held);
    enum gdbmi_code code =
        stream_connect_guarded(options->gdb, timeout_ms, guardian, &stream, error);
    if (code == GDBMI_OK)
        code = rsp_link_open(stream, gdb->text, options, link, error);
    if (code == GDBMI_OK)
        say_if_unguarded(guardian, *link);
    return code;
}

/* What stands behind the gdb port, by it or by the default Tcl port. */
static enum gdbmi_code open_either(const struct gdbmi_options *options, const struct address *gdb,
                                   const char *default_tcl_port, int timeout_ms,
                                   struct gdbmi_link **link, struct gdbmi_error *error)
{
    struct gdbmi_error why = {.text = "as requested"};
    struct gdbmi_link *made = NULL;
    enum gdbmi_code code = GDBMI_OK;
    char how[320];

    if (options->tcl == NULL)
        code = try_default_tcl(options, gdb, default_tcl_port, timeout_ms, &made, &why);
    if (code != GDBMI_OK)
        return gdbmi_error_take(error, &why);
    if (made == NULL && options->target != NULL)
        return gdbmi_error_set(error, GDBMI_EUNSUPPORTED,
                               "%.64s: choosing a target by name needs OpenOCD's Tcl port (%.200s)",
                               options->target, why.text);
    if (made == NULL) {
        code = open_gdb(options, gdb, timeout_ms, &made, error);
        if (code != GDBMI_OK)
            return code;
        snprintf(how, sizeof(how), "%s", made->why);
        snprintf(made->why, sizeof(made->why), "%.170s (no Tcl: %.130s)", how, why.text);
    }
    *link = made;
    return GDBMI_OK;
}

/* The gdb port that was named as Tcl port has halted its target for us: as a gdb port it lets it
 * go. If a gdb port was named as well, that is the Tcl port. */
static enum gdbmi_code open_swapped(const struct gdbmi_options *options, int timeout_ms,
                                    struct gdbmi_link **link, struct gdbmi_error *error)
{
    struct gdbmi_options right = *options;
    struct gdbmi_link *made = NULL;
    enum tcl_peer ignored;
    struct address gdb;
    char step[240];

    right.gdb = options->tcl;
    right.tcl = options->gdb;
    enum gdbmi_code code = address_parse(right.gdb, &gdb, error);
    if (code == GDBMI_OK)
        code = open_gdb(&right, &gdb, timeout_ms, &made, error);
    snprintf(step, sizeof(step), "%.100s is a gdb port, not a Tcl port: used as with --gdb; ",
             gdb.text);
    if (code == GDBMI_OK && right.tcl != NULL) {
        code = gdbmi_link_close(made, error);
        made = NULL;
        if (code == GDBMI_OK)
            code = open_named_tcl(&right, &gdb, timeout_ms, &made, &ignored, error);
        snprintf(step, sizeof(step), "--gdb and --tcl are swapped: using --gdb %.90s --tcl %.90s; ",
                 right.gdb, right.tcl);
    }
    if (code != GDBMI_OK)
        return code;
    say_why(made, step);
    *link = made;
    return GDBMI_OK;
}

static enum gdbmi_code open_tcl(const struct gdbmi_options *options, const struct address *gdb,
                                int timeout_ms, struct gdbmi_link **link, struct gdbmi_error *error)
{
    enum tcl_peer peer = TCL_PEER_UNKNOWN;
    enum gdbmi_code code = open_named_tcl(options, gdb, timeout_ms, link, &peer, error);

    if (code == GDBMI_OK || peer != TCL_PEER_GDB)
        return code;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    return open_swapped(options, timeout_ms, link, error);
}

static enum gdbmi_code climb(const struct gdbmi_options *options, const char *default_tcl_port,
                             int timeout_ms, struct gdbmi_link **link, struct gdbmi_error *error)
{
    bool no_tcl = options->tcl != NULL && strcmp(options->tcl, GDBMI_TCL_NONE) == 0;
    struct address gdb;

    if (options->gdb == NULL && (options->tcl == NULL || no_tcl))
        return gdbmi_error_set(error, GDBMI_EARG, "no debug server given");
    if (options->gdb == NULL)
        return open_tcl(options, NULL, timeout_ms, link, error);
    enum gdbmi_code code = address_parse(options->gdb, &gdb, error);
    if (code != GDBMI_OK)
        return code;
    if (options->tcl != NULL && !no_tcl)
        return open_tcl(options, &gdb, timeout_ms, link, error);
    return open_either(options, &gdb, default_tcl_port, timeout_ms, link, error);
}

enum gdbmi_code ladder_open(const struct gdbmi_options *options, const char *default_tcl_port,
                            struct gdbmi_link **link, struct gdbmi_error *error)
{
    int timeout_ms = options->timeout_ms > 0 ? options->timeout_ms : GDBMI_TIMEOUT_MS;
    uint64_t before = link_limit_opening(timeout_ms);

    *error = (struct gdbmi_error){.code = GDBMI_OK};
    enum gdbmi_code code = climb(options, default_tcl_port, timeout_ms, link, error);
    clock_limit_end(before);
    return code;
}
