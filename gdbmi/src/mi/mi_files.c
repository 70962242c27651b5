/* SPDX-License-Identifier: 0BSD */
/* A gdb that is started to be asked about files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gdbmi/gdb.h>

#include "clock.h"
#include "mi_port.h"
#include "stream_child.h"

/* To take a command; how long an answer may take, the caller decides. */
#define SEND_MS 10000

/* A name may be demangled by a library; a file's own scripts are not run. */
#define OPTIONS                                                          \
    " -nx -nh -q --readnever -iex 'set debuginfod enabled off' "         \
    "-iex 'set auto-load no' -iex 'set confirm off' -iex 'set width 0' " \
    "-iex 'set print asm-demangle on' --interpreter=mi3"

struct gdbmi_gdb {
    struct mi_port port;
    struct child_stream *child; /* the port's */
    bool prompted;              /* the first prompt has come */
    char name[64];              /* of the program, for the texts of errors */
};

static const struct mi_handler no_handlers[] = {{.handle = NULL}};

/* GDBMI_ETIMEOUT: it has not come. */
static enum gdbmi_code await_prompt(struct gdbmi_gdb *gdb, uint64_t deadline,
                                    struct gdbmi_mi_message *message, struct gdbmi_error *error)
{
    enum gdbmi_code code = GDBMI_OK;

    while (code == GDBMI_OK && !gdb->prompted) {
        code = mi_port_receive(&gdb->port, deadline, message, error);
        gdb->prompted = code == GDBMI_OK && message->kind == GDBMI_MI_PROMPT;
    }
    return code;
}

/* Names can be written so that a demangler takes all memory for them: 8 GB are enough. */
#define LIMIT "ulimit -v 8000000; "

static enum gdbmi_code start(struct gdbmi_gdb *gdb, const char *command, struct gdbmi_error *error)
{
    size_t room = strlen(command) + sizeof(LIMIT OPTIONS);

    char *line = malloc(room);
    if (line == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", gdb->name);
    snprintf(line, room, LIMIT "%s" OPTIONS, command);
    enum gdbmi_code code = child_stream_open(line, gdb->name, NULL, &gdb->child, error);
    free(line);
    if (code != GDBMI_OK)
        return code;
    return mi_port_open(&gdb->port, &gdb->child->base, gdb->name, SEND_MS, no_handlers, NULL,
                        error);
}

enum gdbmi_code gdbmi_gdb_begin(const char *command, struct gdbmi_gdb **gdb,
                                struct gdbmi_error *error)
{
    struct gdbmi_gdb *made = calloc(1, sizeof(*made));

    *error = (struct gdbmi_error){.code = GDBMI_OK};
    if (made == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "gdb: out of memory");
    child_program_name(command, made->name, sizeof(made->name));
    enum gdbmi_code code = made->name[0] != '\0'
                               ? start(made, command, error)
                               : gdbmi_error_set(error, GDBMI_EARG, "no command to start a gdb");
    if (code == GDBMI_OK)
        *gdb = made;
    else
        free(made);
    return code;
}

enum gdbmi_code gdbmi_gdb_send(struct gdbmi_gdb *gdb, const char *command,
                               struct gdbmi_error *error)
{
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    return mi_port_send(&gdb->port, command, error);
}

enum gdbmi_code gdbmi_gdb_take(struct gdbmi_gdb *gdb, int wait_ms, struct gdbmi_mi_message *answer,
                               struct gdbmi_error *error)
{
    uint64_t deadline = clock_deadline(wait_ms);

    if (!gdb->prompted)
        return await_prompt(gdb, deadline, answer, error);
    return mi_port_answer(&gdb->port, deadline, answer, error);
}

int gdbmi_gdb_fd(const struct gdbmi_gdb *gdb)
{
    return gdb->child->out;
}

void gdbmi_gdb_kill(struct gdbmi_gdb *gdb)
{
    if (gdb == NULL)
        return;
    child_stream_kill(gdb->child);
    mi_port_close(&gdb->port);
    free(gdb);
}
