/* SPDX-License-Identifier: 0BSD */
/* A gdb that is started to be asked about files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gdbmi/gdb.h>

#include "clock.h"
#include "mi_port.h"
#include "stream_child.h"

#define START_MS  30000
#define ANSWER_MS 10000

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

static enum gdbmi_code start(struct gdbmi_gdb *gdb, const char *command, int timeout_ms,
                             struct gdbmi_error *error)
{
    size_t room = strlen(command) + sizeof(LIMIT OPTIONS);

    char *line = malloc(room);
    if (line == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", gdb->name);
    snprintf(line, room, LIMIT "%s" OPTIONS, command);
    enum gdbmi_code code = child_stream_open(line, gdb->name, &gdb->child, error);
    free(line);
    if (code != GDBMI_OK)
        return code;
    return mi_port_open(&gdb->port, &gdb->child->base, gdb->name,
                        timeout_ms > 0 ? timeout_ms : ANSWER_MS, no_handlers, NULL, error);
}

static enum gdbmi_code start_gdb(const char *command, int timeout_ms, struct gdbmi_gdb **gdb,
                                 struct gdbmi_error *error)
{
    struct gdbmi_gdb *made = calloc(1, sizeof(*made));

    *error = (struct gdbmi_error){.code = GDBMI_OK};
    if (made == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "gdb: out of memory");
    child_program_name(command, made->name, sizeof(made->name));
    enum gdbmi_code code = made->name[0] != '\0'
                               ? start(made, command, timeout_ms, error)
                               : gdbmi_error_set(error, GDBMI_EARG, "no command that starts a gdb");
    if (code == GDBMI_OK)
        *gdb = made;
    else
        free(made);
    return code;
}

enum gdbmi_code gdbmi_gdb_start(const char *command, int timeout_ms, struct gdbmi_gdb **gdb,
                                struct gdbmi_error *error)
{
    struct gdbmi_mi_message message;
    struct gdbmi_gdb *made = NULL;

    enum gdbmi_code code = start_gdb(command, timeout_ms, &made, error);
    if (code != GDBMI_OK)
        return code;
    code = await_prompt(made, clock_deadline(START_MS), &message, error);
    if (code == GDBMI_ETIMEOUT)
        gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: no prompt of gdb within %d s", made->name,
                        START_MS / 1000);
    if (code == GDBMI_OK)
        *gdb = made;
    else
        gdbmi_gdb_close(made);
    return code;
}

enum gdbmi_code gdbmi_gdb_begin(const char *command, struct gdbmi_gdb **gdb,
                                struct gdbmi_error *error)
{
    return start_gdb(command, 0, gdb, error);
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
    if (gdb != NULL)
        child_stream_kill(gdb->child);
    gdbmi_gdb_close(gdb);
}

enum gdbmi_code gdbmi_gdb_run(struct gdbmi_gdb *gdb, const char *command,
                              struct gdbmi_mi_message *answer, struct gdbmi_error *error)
{
    uint64_t before = clock_limit_begin((uint64_t)gdb->port.io.timeout_ms);

    *error = (struct gdbmi_error){.code = GDBMI_OK};
    enum gdbmi_code code = mi_port_run(&gdb->port, answer, error, "%s", command);
    clock_limit_end(before);
    return code;
}

void gdbmi_gdb_close(struct gdbmi_gdb *gdb)
{
    if (gdb == NULL)
        return;
    mi_port_close(&gdb->port);
    free(gdb);
}
