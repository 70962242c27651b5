/* SPDX-License-Identifier: 0BSD */
/* The beginning and the end of a conversation with OpenOCD: the proof, the quiet channel. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "tcl_port.h"
#include "tcl_quiet.h"

/* What answers wrongly may be OpenOCD behind a wire that damages bytes; and where it is OpenOCD its
 * gdb port must not be touched. */
#define TRIES    3
#define RETRY_MS 500

#define ID_CHARS 8

/* Info would print on gdb's console that notifications are on. */
static const char notify[] =
    "catch {if {[scan [debug_level] {debug_level: %d} mprof_level] == 1} {"
    "debug_level 1;catch {tcl_notifications on};debug_level $mprof_level}};"
    "unset -nocomplain mprof_level";

static enum gdbmi_code not_openocd(struct tcl_port *port, struct gdbmi_error *error)
{
    port->useless = true;
    return gdbmi_error_set(error, GDBMI_EPROTOCOL, "%s: not OpenOCD's Tcl port", port->address);
}

/* A name that nobody else in that server has. Returns whether a channel can be proven. */
static bool choose_name(struct tcl_port *port, char nonce[static TCL_NONCE_CHARS + 1])
{
    char id[ID_CHARS + 1];

    bool random = tcl_quiet_random(id, ID_CHARS) && tcl_quiet_random(nonce, TCL_NONCE_CHARS);
    if (!random)
        snprintf(id, sizeof(id), "%08x", (unsigned)(clock_now_ns() ^ (uint64_t)getpid()));
    snprintf(port->name, sizeof(port->name), "mprof_%s", id);
    return random;
}

/* Sends the first script, behind another that ends what an earlier try began. */
static enum gdbmi_code say_hello(struct tcl_port *port, const char *before, unsigned channel,
                                 const char *nonce, char **message, struct gdbmi_error *error)
{
    char hello[TCL_HELLO_MAX];
    char script[2 * TCL_HELLO_MAX];

    tcl_proof_hello(port->name, channel, nonce, hello);
    snprintf(script, sizeof(script), "%s%s%s", before, before[0] != '\0' ? ";" : "", hello);
    enum gdbmi_code code = tcl_port_tell(port, script, error);
    return code == GDBMI_OK ? tcl_port_result(port, message, error) : code;
}

/* Tries the channel. *made: there is one, and the procedure with it. */
static enum gdbmi_code define_quiet(struct tcl_port *port, const char *before, const char *nonce,
                                    bool *made, struct gdbmi_error *error)
{
    unsigned channel = 0;
    char *message;

    int listener = tcl_quiet_listen(&channel);
    if (listener < 0)
        return GDBMI_OK;
    enum gdbmi_code code = say_hello(port, before, channel, nonce, &message, error);
    if (code == GDBMI_OK && message[0] == '\0') {
        tcl_inbox_open(&port->quiet, tcl_quiet_accept(listener, nonce, RETRY_MS));
        *made = port->quiet.stream != NULL;
        code = *made ? GDBMI_OK : not_openocd(port, error);
    } else if (code == GDBMI_OK && strcmp(message, "mp") != 0) {
        code = not_openocd(port, error);
    }
    close(listener);
    return code;
}

static enum gdbmi_code define(struct tcl_port *port, const char *before, struct gdbmi_error *error)
{
    char nonce[TCL_NONCE_CHARS + 1] = "";
    enum gdbmi_code code = GDBMI_OK;
    bool made = false;
    char *message;

    if (choose_name(port, nonce) && tcl_quiet_is_near(port->address))
        code = define_quiet(port, before, nonce, &made, error);
    if (code != GDBMI_OK || made)
        return code;
    code = say_hello(port, before, 0, nonce, &message, error);
    if (code == GDBMI_OK && strcmp(message, "mp") != 0)
        code = not_openocd(port, error);
    return code;
}

/* Whether the procedure there is the one that was sent. */
static enum gdbmi_code compare(struct tcl_port *port, struct gdbmi_error *error)
{
    char script[TCL_HELLO_MAX];
    char expected[TCL_HELLO_MAX];
    char *shown = NULL;

    tcl_proof_show(port->name, script);
    tcl_proof_shown(port->name, expected);
    enum gdbmi_code code = tcl_port_run(port, script, &shown, error);
    if (code == GDBMI_ETARGET) {
        *error = (struct gdbmi_error){.code = GDBMI_OK};
        return not_openocd(port, error);
    }
    if (code != GDBMI_OK)
        return code;
    bool known = strncmp(shown, "1 ", 2) == 0 || strncmp(shown, "2 ", 2) == 0;
    if (!known || strcmp(shown + 2, expected) != 0)
        code = not_openocd(port, error);
    else
        port->utf8 = shown[0] == '1';
    free(shown);
    return code;
}

enum gdbmi_code tcl_port_greet(struct tcl_port *port, struct gdbmi_error *error)
{
    int timeout_ms = port->timeout_ms;
    enum gdbmi_code code = GDBMI_EPROTOCOL;
    char before[TCL_HELLO_MAX] = "";
    char *ignored = NULL;

    for (int i = 0; i < TRIES && code == GDBMI_EPROTOCOL && !port->gdb_port; i++) {
        struct gdbmi_error why = {.code = GDBMI_OK};
        port->timeout_ms = i > 0 && timeout_ms > RETRY_MS ? RETRY_MS : timeout_ms;
        port->useless = false;
        port->tcl.at = port->tcl.in.len;
        tcl_inbox_close(&port->quiet);
        code = define(port, before, &why);
        if (code == GDBMI_OK)
            code = compare(port, &why);
        tcl_proof_goodbye(port->name, before);
        if (code != GDBMI_OK)
            *error = why;
        /* OpenOCD's gdb port sends an ack, QEMU's says that it has halted its machine. */
        port->gdb_port = tcl_inbox_is_gdb(&port->tcl);
    }
    port->timeout_ms = timeout_ms;
    if (code != GDBMI_OK)
        return code;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    port->proven = true;
    port->tcl.unknown = false;
    code = tcl_port_run(port, notify, &ignored, error);
    free(ignored);
    return code;
}

void tcl_port_close(struct tcl_port *port)
{
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    char goodbye[TCL_HELLO_MAX];

    if (port->name[0] != '\0' && !port->gdb_port) {
        tcl_proof_goodbye(port->name, goodbye);
        (void)tcl_port_tell(port, goodbye, &ignored);
    }
    tcl_inbox_close(&port->tcl);
    tcl_inbox_close(&port->quiet);
    buffer_free(&port->out);
}
