/* SPDX-License-Identifier: 0BSD */
/* Greets a gdb, learns what stands behind it, and lets a target run again that its coming halted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "mi_greeting.h"
#include "mi_guard.h"
#include "record.h"

/* A gdb reads symbols and runs its command's -ex before it gives a prompt: it has so long, or the
 * time limit of one answer where that is longer. */
#define START_MS 30000
/* A person is waited for until he wants no more; without anybody to ask, this long. */
#define ATTACH_MS 60000
/* A gdb asks its server many things before it answers; the user's may be busy with what he told it.
 */
#define ANSWER_MS 10000
/* How often he is asked. */
#define ASK_MS 100

static bool is_cancelled(const struct gdbmi_options *options)
{
    return options->cancelled != NULL && options->cancelled(options->context);
}

/* GDBMI_ETIMEOUT: no prompt by the deadline, and nothing is said of it yet. */
static enum gdbmi_code await_prompt(struct mi_link *link, const struct gdbmi_options *options,
                                    uint64_t deadline)
{
    struct gdbmi_mi_message message = {.kind = GDBMI_MI_OTHER};
    enum gdbmi_code code = GDBMI_OK;

    while (code == GDBMI_OK && message.kind != GDBMI_MI_PROMPT) {
        int left_ms = clock_left_ms(deadline);
        if (is_cancelled(options))
            return gdbmi_error_set(&link->base.error, GDBMI_ECONNECT, "%s: no gdb connected",
                                   link->base.address);
        code = mi_port_receive(&link->port, clock_deadline(left_ms < ASK_MS ? left_ms : ASK_MS),
                               &message, &link->base.error);
        if (code == GDBMI_ETIMEOUT && left_ms > 0)
            code = GDBMI_OK;
    }
    return code;
}

static enum gdbmi_code no_prompt(struct mi_link *link, int limit_ms)
{
    const char *address = link->base.address;
    struct gdbmi_error *error = &link->base.error;

    if (!link->ours)
        return gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: no gdb connected within %d s", address,
                               limit_ms / 1000);
    if (link->running)
        return gdbmi_error_set(
            error, GDBMI_ETIMEOUT,
            "%s: gdb waits for the program that its command runs: use 'run &' or 'continue &'",
            address);
    if (link->port.other[0] != '\0')
        return gdbmi_error_set(error, GDBMI_EPROTOCOL, "%s: its output is not GDB/MI: %s", address,
                               link->port.other);
    return gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: gdb showed no prompt within %d s", address,
                           limit_ms / 1000);
}

/* A person is waited for as long as he likes, if he can say that he likes no more. */
static enum gdbmi_code greet(struct mi_link *link, const struct gdbmi_options *options)
{
    int start_ms = options->timeout_ms > START_MS ? options->timeout_ms : START_MS;
    int limit_ms = link->ours ? start_ms : ATTACH_MS;
    enum gdbmi_code code;

    do {
        uint64_t before = clock_limit_begin((uint64_t)limit_ms);
        code = await_prompt(link, options, clock_deadline(limit_ms));
        clock_limit_end(before);
    } while (code == GDBMI_ETIMEOUT && !link->ours && options->cancelled != NULL);
    return code == GDBMI_ETIMEOUT ? no_prompt(link, limit_ms) : code;
}

/* What a gdb that does not know the command leaves empty. The caller frees *text. */
static enum gdbmi_code ask(struct mi_link *link, const char *command, char **text)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    enum gdbmi_code code = mi_port_ask(&link->port, command, text, &error);
    if (code == GDBMI_ETARGET)
        *text = strdup("");
    else if (code != GDBMI_OK)
        return gdbmi_error_take(&link->base.error, &error);
    if (*text == NULL)
        return gdbmi_error_set(&link->base.error, GDBMI_ENOMEM, "%s: out of memory",
                               link->base.address);
    return GDBMI_OK;
}

/* Whether a command of gdb prints one of two texts. */
static enum gdbmi_code ask_for(struct mi_link *link, const char *command, const char *text,
                               const char *other, bool *found)
{
    char *answer = NULL;

    enum gdbmi_code code = ask(link, command, &answer);
    if (code == GDBMI_OK)
        *found = strstr(answer, text) != NULL || strstr(answer, other) != NULL;
    free(answer);
    return code;
}

/* A setting that this gdb does not have is off. */
static enum gdbmi_code ask_setting(struct mi_link *link, const char *name, bool *on)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_mi_message answer;

    enum gdbmi_code code = mi_port_run(&link->port, &answer, &error, "-gdb-show %s", name);
    if (code != GDBMI_OK && code != GDBMI_ETARGET)
        return gdbmi_error_take(&link->base.error, &error);
    const char *value = code == GDBMI_OK ? gdbmi_mi_text(answer.results, "value") : NULL;
    *on = value != NULL && strcmp(value, "on") == 0;
    return GDBMI_OK;
}

static enum gdbmi_code ask_version(struct mi_link *link)
{
    char *text = NULL;

    enum gdbmi_code code = ask(link, "show version", &text);
    if (code == GDBMI_OK)
        snprintf(link->base.server, sizeof(link->base.server), "%.*s", (int)strcspn(text, "\n"),
                 text);
    free(text);
    return code;
}

/* 'The target architecture is set to "auto" (currently "armv7").': the last word in quotes. */
static enum gdbmi_code ask_architecture(struct mi_link *link)
{
    static const char *const known[] = {"arm", "aarch64", "riscv", "i386"};
    char *text = NULL;

    enum gdbmi_code code = ask(link, "show architecture", &text);
    char *end = code == GDBMI_OK ? strrchr(text, '"') : NULL;
    if (end != NULL) {
        *end = '\0';
        char *name = strrchr(text, '"');
        name = name != NULL ? name + 1 : text;
        snprintf(link->base.arch, sizeof(link->base.arch), "%s", name);
        for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
            if (strncmp(name, known[i], strlen(known[i])) == 0)
                snprintf(link->base.arch, sizeof(link->base.arch), "%s", known[i]);
        }
    }
    free(text);
    return code;
}

static void take_server(struct mi_link *link, enum mi_server server, const char *name)
{
    size_t len = strlen(link->base.server);

    link->server = server;
    /* In the user's gdb even a simulator is stopped only if he allows it: it ends his continue. */
    link->base.info.simulator = server == MI_SERVER_QEMU && link->ours;
    snprintf(link->base.server + len, sizeof(link->base.server) - len, ", %s", name);
}

/* What is asked has no effect; a server that does not know it says so. */
static enum gdbmi_code ask_server(struct mi_link *link)
{
    bool found = false;

    enum gdbmi_code code =
        ask_for(link, "maint packet qqemu.sstepbits", "ENABLE=", "ENABLE=", &found);
    if (code != GDBMI_OK || found) {
        if (found)
            take_server(link, MI_SERVER_QEMU, "QEMU");
        return code;
    }
    code = ask_for(link, "monitor version", "Open On-Chip", "Open On-Chip", &found);
    if (found)
        take_server(link, MI_SERVER_OPENOCD, "OpenOCD");
    return code;
}

/* A process that gdb started is its child; one that it has attached to is another's. */
static bool is_child_of_tracer(long pid)
{
    char path[48];
    char line[128];
    long parent = -1;
    long tracer = 0;

    snprintf(path, sizeof(path), "/proc/%ld/status", pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        sscanf(line, "PPid: %ld", &parent);
        sscanf(line, "TracerPid: %ld", &tracer);
    }
    if (file != NULL)
        fclose(file);
    return tracer > 0 && parent == tracer;
}

static enum gdbmi_code ask_process(struct mi_link *link)
{
    struct gdbmi_mi_message answer;

    enum gdbmi_code code =
        mi_port_run(&link->port, &answer, &link->base.error, "-list-thread-groups");
    if (code != GDBMI_OK)
        return code;
    const char *pid = gdbmi_mi_text(answer.results, "groups.0.pid");
    link->created = pid != NULL && is_child_of_tracer(strtol(pid, NULL, 10));
    record_choice(&link->created, sizeof(link->created));
    return GDBMI_OK;
}

static enum gdbmi_code no_target(struct mi_link *link)
{
    const char *complaint = link->greeting.complaint;
    struct gdbmi_error *error = &link->base.error;

    if (!link->ours)
        return gdbmi_error_set(
            error, GDBMI_ECONNECT,
            "%s: your gdb is not connected to a target: type 'target remote HOST:PORT' in it first",
            link->base.address);
    if (complaint[0] != '\0')
        return gdbmi_error_set(error, GDBMI_ECONNECT, "%s is not connected to a target: %.160s",
                               link->base.address, complaint);
    return gdbmi_error_set(
        error, GDBMI_ECONNECT,
        "%s is not connected to a target: add -ex 'target remote :3333' to its command",
        link->base.address);
}

static enum gdbmi_code ask_what(struct mi_link *link)
{
    bool always_non_stop = false;

    enum gdbmi_code code = mi_ask_threads(link);
    if (code == GDBMI_OK && link->ended)
        code = no_target(link);
    if (code == GDBMI_OK)
        code = ask_version(link);
    if (code == GDBMI_OK)
        code = ask_architecture(link);
    if (code == GDBMI_OK)
        code = ask_setting(link, "non-stop", &link->non_stop);
    if (code == GDBMI_OK)
        code = ask_setting(link, "mi-async", &link->async);
    if (code == GDBMI_OK)
        code =
            ask_for(link, "maint show target-non-stop", "currently on", "is on", &always_non_stop);
    if (code == GDBMI_OK)
        code = ask_for(link, "maint print target-stack", "- remote", "- extended-remote",
                       &link->remote);
    link->base.info.live = link->non_stop || always_non_stop;
    link->base.deaf = !link->base.info.live;
    if (code == GDBMI_OK && link->remote && (!link->running || link->base.info.live))
        code = ask_server(link);
    if (code == GDBMI_OK && link->ours && !link->remote)
        code = ask_process(link);
    link->known = code == GDBMI_OK;
    mi_guard_note(link);
    return code;
}

/* What the target is to do is known: until then a guardian of a gdb of ours finds it out. */
static void found_out(struct mi_link *link)
{
    link->base.guardian = link->port.io.stream->guardian;
    if (!link->base.held)
        guardian_say(link->base.guardian, GUARDIAN_FREE);
}

/* Until it is resumed, whatever goes wrong. */
static void hold(struct mi_link *link)
{
    link->base.guardian = link->port.io.stream->guardian;
    link_hold(&link->base, link->greeting.since_ns != 0 ? link->greeting.since_ns : clock_now_ns());
}

/* A halted target can be read: then it is only said what will come. */
static enum gdbmi_code may_halt(struct mi_link *link, const struct gdbmi_options *options)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    if (link->base.info.live || link_may_halt(&link->base, &error) == GDBMI_OK)
        return GDBMI_OK;
    error = (struct gdbmi_error){.code = GDBMI_OK};
    gdbmi_error_set_hint(
        &error, GDBMI_EHALT, link->ours ? GDBMI_HINT_STOP_BY_GDB : GDBMI_HINT_STOP_BY_YOUR_GDB,
        "%.60s: gdb reads this target only while it is halted%s", link->base.address,
        link->ours ? "; 'set non-stop on' before connecting avoids that if the server supports it"
                   : "");
    if (link->running || link->base.held)
        link->base.error = error;
    else if (options->tell != NULL)
        options->tell(options->context, error.hint, error.text);
    return link->base.error.code;
}

/* One line of a screen. */
static void say_how(struct mi_link *link)
{
    const char *how = link->base.info.live ? "reads live" : "reads by halts";
    double ms = (double)link->base.halted_ns / 1e6;
    char *why = link->base.why;
    size_t capacity = sizeof(link->base.why);

    if (!link->ours && link->base.info.live)
        snprintf(why, capacity, "your gdb reads live");
    else if (!link->ours)
        snprintf(why, capacity,
                 "your gdb %s: each halt ends your 'continue'; stop the target with 'interrupt', "
                 "not Ctrl-C",
                 how);
    else if (link->base.halts > 0)
        snprintf(why, capacity, "our own gdb %s; connecting halted the core for %.1f ms", how, ms);
    else
        snprintf(why, capacity, "our own gdb %s; the target was %s when it connected", how,
                 link->running ? "running" : "halted");
}

/* After its first prompt. */
static enum gdbmi_code take_over(struct mi_link *link, const struct gdbmi_options *options)
{
    enum gdbmi_code code = GDBMI_OK;

    if (link->ours)
        code = mi_port_run(&link->port, NULL, &link->base.error, "-gdb-set debug remote 0");
    if (code == GDBMI_OK && link->ours && !link->running && mi_was_running(&link->greeting))
        hold(link);
    if (code == GDBMI_OK)
        code = ask_what(link);
    /* A process of this machine ran, unless gdb has started it. */
    bool ran = options->held || (link->ours && !link->remote && !link->created);
    if (code == GDBMI_OK && !link->running && !link->base.held && ran)
        hold(link);
    if (code == GDBMI_OK)
        found_out(link);
    if (code == GDBMI_OK)
        code = may_halt(link, options);
    if (code == GDBMI_OK && link->base.held) {
        code = mi_link_ops.resume(&link->base);
        if (code == GDBMI_OK)
            link_let_go(&link->base);
    }
    if (code == GDBMI_OK)
        say_how(link);
    return code;
}

static enum gdbmi_code open_link(struct mi_link *link, const struct gdbmi_options *options)
{
    enum gdbmi_code code = greet(link, options);

    if (code != GDBMI_OK)
        return code;
    uint64_t before = link_limit_opening(link->base.timeout_ms);
    code = take_over(link, options);
    clock_limit_end(before);
    return code;
}

/* The target is let go, if it can be, before the error is told. */
static void give_up(struct mi_link *link, struct gdbmi_error *error)
{
    struct gdbmi_error first = link->base.error;
    struct gdbmi_error second = {.code = GDBMI_OK};
    uint64_t before = link_limit_release(&link->base);

    if (link->port.io.useless)
        link_abandon(&link->base, &first);
    mi_link_ops.close(&link->base, link->base.held && first.code != GDBMI_ESTOPPED, &second);
    clock_limit_end(before);
    if (second.code != GDBMI_OK) {
        struct gdbmi_error both = {.code = GDBMI_OK};
        gdbmi_error_set_hint(&both, first.code, first.hint, "%.150s; %.160s", first.text,
                             second.text);
        both.left = first.left != GDBMI_LEFT_NOTHING ? first.left : second.left;
        first = both;
    }
    gdbmi_error_take(error, &first);
}

enum gdbmi_code mi_link_on_stream(struct gdbmi_stream *stream, bool ours, const char *name,
                                  const struct gdbmi_options *options, struct gdbmi_link **link,
                                  struct gdbmi_error *error)
{

    struct mi_link *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        gdbmi_stream_close(stream);
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", name);
    }
    link_init(&made->base, &mi_link_ops, "gdb-mi", name,
              options->timeout_ms > 0 ? options->timeout_ms : ANSWER_MS);
    made->base.allow_halt = options->allow_halt;
    made->ours = ours;
    made->greeting.signal = -1;
    enum gdbmi_code code = mi_port_open(&made->port, stream, made->base.address,
                                        made->base.timeout_ms, mi_link_handlers, made, error);
    if (code != GDBMI_OK) {
        free(made);
        return code;
    }
    code = open_link(made, options);
    if (code != GDBMI_OK) {
        give_up(made, error);
        return code;
    }
    *link = &made->base;
    return GDBMI_OK;
}
