/* SPDX-License-Identifier: 0BSD */
/* The one record of this process: which thread's links it is of, and what it does for them. */
#include "record.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "address.h"
#include "clock.h"
#include "player.h"
#include "recorder.h"

/* There is one clock in a process, and the record is a part of it. */
static struct {
    char *path; /* NULL: there is no record */
    pid_t pid;  /* guardians, which are forked, have no part in it */
    bool plays;
    char tcl[300];
    struct player player;
    struct recorder recorder;
} record;

/* Each thread has one of these, whose address tells the thread of the links from others. */
static _Thread_local char mark;
static const char *_Atomic thread;

static bool is_ours(void)
{
    return atomic_load(&thread) == &mark && record.path != NULL && getpid() == record.pid;
}

bool record_plays(void)
{
    return is_ours() && record.plays;
}

static bool records(void)
{
    return is_ours() && !record.plays;
}

uint64_t gdbmi_record_now_ns(void)
{
    return clock_now_ns();
}

static uint64_t now_ns(void)
{
    if (record_plays())
        return player_now_ns(&record.player);
    if (records())
        return recorder_now_ns(&record.recorder);
    return record.plays && getpid() == record.pid ? player_guess_ns(&record.player)
                                                  : clock_system_ns();
}

static bool skip(int ms)
{
    if (!record_plays())
        return false;
    player_skip(&record.player, (uint64_t)(ms > 0 ? ms : 0) * 1000000U);
    return true;
}

bool gdbmi_record_skip(int ms)
{
    return skip(ms);
}

static const struct clock_source source = {.now_ns = now_ns, .skip = skip};

/* An address without the name of a host or a path. */
static void write_address(struct buffer *out, const char *text)
{
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    struct address address;
    char line[80];

    if (strcmp(text, GDBMI_TCL_NONE) == 0)
        snprintf(line, sizeof(line), "%s", text);
    else if (address_parse(text, &address, &ignored) != GDBMI_OK || address.is_unix)
        snprintf(line, sizeof(line), "unix:socket");
    else if (address.is_serial && address.speed != 0)
        snprintf(line, sizeof(line), "/dev/serial@%ld", address.speed);
    else if (address.is_serial)
        snprintf(line, sizeof(line), "/dev/serial");
    else
        snprintf(line, sizeof(line), "%s:%s",
                 address_is_this_host(&address) ? "localhost" : "elsewhere", address.port);
    buffer_add(out, line, strlen(line));
}

/* The same as the name of a connection. */
static void write_label(const char *text, char label[80])
{
    struct buffer out = {.data = NULL};

    write_address(&out, text);
    snprintf(label, 80, "%s", out.data != NULL ? out.data : "");
    buffer_free(&out);
}

static void add(struct buffer *out, const char *text)
{
    buffer_add(out, text, strlen(text));
}

static void write_option(struct buffer *out, const char *name, const char *value, bool address)
{
    if (value == NULL)
        return;
    add(out, "link ");
    add(out, name);
    add(out, " ");
    if (address)
        write_address(out, value);
    else
        record_escape(out, value, strlen(value));
    add(out, "\n");
}

/* "gdb-multiarch" of "/opt/bin/gdb-multiarch -ex ...". */
static void write_program(struct buffer *out, const char *command)
{
    size_t len = strcspn(command, " ");
    const char *begin = command + len;

    while (begin > command && begin[-1] != '/')
        begin--;
    add(out, "link mi ");
    record_escape(out, begin, (size_t)(command + len - begin));
    add(out, "\n");
}

static void write_head(struct buffer *out, const struct gdbmi_options *o, const char *program)
{
    char line[64];

    snprintf(line, sizeof(line), "%s%d\n", RECORD_MAGIC, RECORD_VERSION);
    add(out, line);
    if (program != NULL) {
        add(out, "program ");
        record_escape(out, program, strlen(program));
        add(out, "\n");
    }
    write_option(out, "gdb", o->gdb, true);
    write_option(out, "tcl", o->tcl, true);
    write_option(out, "qmp", o->qmp, true);
    write_option(out, "target", o->target, false);
    if (o->mi != NULL)
        write_program(out, o->mi);
    if (o->mi_attach)
        add(out, "link mi-attach\n");
    if (o->allow_halt)
        add(out, "link allow-halt\n");
    snprintf(line, sizeof(line), "link timeout %d\n", o->timeout_ms);
    if (o->timeout_ms > 0)
        add(out, line);
}

static enum gdbmi_code begin_recording(const struct gdbmi_options *o, const char *program,
                                       struct gdbmi_error *error)
{
    struct buffer head = {.data = NULL};

    write_head(&head, o, program);
    int result = recorder_open(&record.recorder, o->record, &head);
    buffer_free(&head);
    if (result != 0)
        return gdbmi_error_set(error, GDBMI_EPLAY, "%.150s: cannot write a record: %s", o->record,
                               strerror(result));
    return GDBMI_OK;
}

static enum gdbmi_code begin_playing(const char *path, struct gdbmi_error *error)
{
    struct record_script script;

    enum gdbmi_code code = record_load(&script, path, error);
    if (code == GDBMI_OK)
        player_begin(&record.player, path, &script);
    return code;
}

/* Why these options cannot be recorded or played; NULL: they can. */
static const char *objection(const struct gdbmi_options *o)
{
    if (o->play != NULL && o->record != NULL)
        return "a record that is played is not recorded";
    bool other = o->gdb != NULL || o->tcl != NULL || o->qmp != NULL || o->mi != NULL ||
                 o->mi_attach || o->pid != 0 || o->raw != NULL || o->records != NULL;
    if (o->play != NULL && other)
        return "a record is played in place of a debug server: give one of them";
    if (o->serve != NULL)
        return "a server that is shared with a gdb cannot be recorded or played";
    if (o->record != NULL && (o->pid != 0 || o->raw != NULL))
        return "only the connection to a debug server can be recorded, not a process or a file";
    if (o->record != NULL && o->records != NULL)
        return "what a target sends by itself needs no record of a link: keep its bytes in a file";
    return NULL;
}

static void forget(void)
{
    clock_use(NULL);
    atomic_store(&thread, NULL);
    if (record.plays)
        player_free(&record.player);
    free(record.path);
    record.path = NULL;
    record.plays = false;
}

enum gdbmi_code gdbmi_record_begin(const struct gdbmi_options *options, const char *program,
                                   struct gdbmi_error *error)
{
    const char *path = options->play != NULL ? options->play : options->record;
    const char *why = path != NULL ? objection(options) : NULL;

    if (path == NULL)
        return GDBMI_OK;
    if (why != NULL)
        return gdbmi_error_set(error, GDBMI_EARG, "%.150s: %s", path, why);
    if (record.path != NULL && strcmp(record.path, path) == 0 &&
        record.plays == (options->play != NULL)) {
        atomic_store(&thread, &mark);
        return GDBMI_OK;
    }
    if (record.path != NULL)
        return gdbmi_error_set(error, GDBMI_EARG,
                               "%.150s: one file can be recorded or played, and %.100s is", path,
                               record.path);
    char *copy = strdup(path);
    if (copy == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%.150s: out of memory", path);
    enum gdbmi_code code = options->play != NULL ? begin_playing(path, error)
                                                 : begin_recording(options, program, error);
    if (code != GDBMI_OK) {
        free(copy);
        return code;
    }
    record.path = copy;
    record.pid = getpid();
    record.plays = options->play != NULL;
    atomic_store(&thread, &mark);
    clock_use(&source);
    return GDBMI_OK;
}

void gdbmi_record_take(void)
{
    if (record.path != NULL && getpid() == record.pid)
        atomic_store(&thread, &mark);
}

enum gdbmi_code gdbmi_record_end(struct gdbmi_error *error)
{
    enum gdbmi_code code = GDBMI_OK;

    if (record.path == NULL)
        return GDBMI_OK;
    int result = record.plays ? 0 : recorder_end(&record.recorder);
    if (result != 0)
        code = gdbmi_error_set(error, GDBMI_EPLAY, "%.150s: cannot write the record: %s",
                               record.path, strerror(result));
    forget();
    return code;
}

enum gdbmi_code record_connect(const char *label, const char *address, struct gdbmi_stream **stream,
                               struct gdbmi_error *error)
{
    char text[80];

    if (label == NULL)
        write_label(address, text);
    return player_connect(&record.player, label != NULL ? label : text, address, stream, error);
}

enum gdbmi_code record_connection(const char *label, const char *address, enum gdbmi_code code,
                                  struct gdbmi_stream **stream, struct gdbmi_error *error)
{
    char text[80];

    if (!records())
        return code;
    bool masked = label != NULL && strcmp(label, RECORD_LABEL_GDB) == 0;
    if (label == NULL) {
        write_label(address, text);
        label = text;
    }
    if (code != GDBMI_OK) {
        recorder_failed(&record.recorder, label, address, error);
        return code;
    }
    struct gdbmi_stream *made = recorder_wrap(&record.recorder, label, address, masked, *stream);
    if (made != NULL) {
        *stream = made;
        return GDBMI_OK;
    }
    gdbmi_stream_close(*stream);
    *stream = NULL;
    return gdbmi_error_set(error, GDBMI_ENOMEM, "%.150s: out of memory", address);
}

void record_choice(void *bytes, size_t len)
{
    if (record_plays())
        player_choose(&record.player, bytes, len);
    else if (records())
        recorder_write(&record.recorder, 0, RECORD_CHOSEN, bytes, len);
}

struct gdbmi_options *record_options(void)
{
    return &record.player.script.options;
}

void record_set_tcl(const char *address)
{
    snprintf(record.tcl, sizeof(record.tcl), "%s", address);
    record.player.script.options.tcl = record.tcl;
}
