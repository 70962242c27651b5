/* SPDX-License-Identifier: 0BSD */
/* A gdb that is started to be asked about files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Names can be written so that a demangler takes all memory or time for them. gdb itself has 30 MB
 * and begins with a thread for each processor; a file of 158 MB with 165,000 symbols made it 140 MB
 * and half a second. A listing of 1 MB takes 15 s. */
#define MEMORY_MIN       ((uint64_t)256 << 20)
#define MEMORY_THREAD    ((uint64_t)10 << 20)
#define MEMORY_PER_BYTE  32
#define CPU_MIN_S        60
#define CPU_BYTES_PER_S  ((uint64_t)1 << 20)
#define MEGABYTES(bytes) ((unsigned long long)(bytes) / 1000000)

struct gdbmi_gdb {
    struct mi_port port;
    struct child_stream *child; /* the port's */
    struct child_bounds bounds;
    bool exhausted; /* it has said that there is no more memory */
    bool prompted;  /* the first prompt has come */
    char name[64];  /* of the program, for the texts of errors */
};

/* What gdb says when malloc() has failed, and what its library BFD says. */
static bool tells_of_memory(const char *text)
{
    return strstr(text, "memory exhausted") != NULL || strstr(text, "out of memory") != NULL ||
           strstr(text, "bad_alloc") != NULL;
}

/* gdb may call that an error of its own and end. */
static void hear(void *context, const struct gdbmi_mi_message *message)
{
    struct gdbmi_gdb *gdb = context;

    gdb->exhausted |= tells_of_memory(message->text);
}

static const struct mi_handler handlers[] = {
    {.kind = GDBMI_MI_LOG, .handle = hear},
    {.handle = NULL},
};

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

/* A program and its words take the shell's place, so that they end when this process is killed; not
 * every shell does that of itself. */
static const char *prefix(const char *command)
{
    size_t plain = strspn(command, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                   "0123456789/._+,:@%- ");

    return command[plain] == '\0' && strncmp(command, "exec ", 5) != 0 ? "exec " : "";
}

static struct child_bounds bounds_for(uint64_t len)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t threads = processors > 0 ? (uint64_t)processors : 1;

    if (len > UINT64_MAX / MEMORY_PER_BYTE / 2)
        len = UINT64_MAX / MEMORY_PER_BYTE / 2;
    return (struct child_bounds){
        .memory = MEMORY_MIN + threads * MEMORY_THREAD + len * MEMORY_PER_BYTE,
        .cpu_s = CPU_MIN_S + len / CPU_BYTES_PER_S,
    };
}

/* An error that comes of the bounds says so. */
static enum gdbmi_code explain(const struct gdbmi_gdb *gdb, enum gdbmi_code code,
                               struct gdbmi_error *error)
{
    bool ended = code == GDBMI_ECLOSED;
    bool late = ended && child_stream_overran(gdb->child);
    bool full = (code == GDBMI_ETARGET && tells_of_memory(error->text)) ||
                (ended && (gdb->exhausted || tells_of_memory(gdb->child->said)));

    if (!late && !full)
        return code;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    if (late)
        return gdbmi_error_set(error, GDBMI_ENOMEM,
                               "%s needs more than %llu s of processor time for this file: it is "
                               "too large or malformed",
                               gdb->name, (unsigned long long)gdb->bounds.cpu_s);
    return gdbmi_error_set(error, GDBMI_ENOMEM,
                           "%s needs more than %llu MB of memory for this file: it is too large or "
                           "malformed",
                           gdb->name, MEGABYTES(gdb->bounds.memory));
}

static enum gdbmi_code start(struct gdbmi_gdb *gdb, const char *command, struct gdbmi_error *error)
{
    const char *before = prefix(command);
    size_t room = strlen(before) + strlen(command) + sizeof(OPTIONS);

    char *line = malloc(room);
    if (line == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", gdb->name);
    snprintf(line, room, "%s%s" OPTIONS, before, command);
    enum gdbmi_code code =
        child_stream_open(line, gdb->name, NULL, &gdb->bounds, &gdb->child, error);
    free(line);
    if (code != GDBMI_OK)
        return code;
    return mi_port_open(&gdb->port, &gdb->child->base, gdb->name, SEND_MS, handlers, gdb, error);
}

enum gdbmi_code gdbmi_gdb_begin(const char *command, uint64_t len, struct gdbmi_gdb **gdb,
                                struct gdbmi_error *error)
{
    struct gdbmi_gdb *made = calloc(1, sizeof(*made));

    *error = (struct gdbmi_error){.code = GDBMI_OK};
    if (made == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "gdb: out of memory");
    made->bounds = bounds_for(len);
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
    return explain(gdb, mi_port_send(&gdb->port, command, error), error);
}

enum gdbmi_code gdbmi_gdb_take(struct gdbmi_gdb *gdb, int wait_ms, struct gdbmi_mi_message *answer,
                               struct gdbmi_error *error)
{
    uint64_t deadline = clock_deadline(wait_ms);

    enum gdbmi_code code = gdb->prompted ? mi_port_answer(&gdb->port, deadline, answer, error)
                                         : await_prompt(gdb, deadline, answer, error);
    return explain(gdb, code, error);
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
