/* SPDX-License-Identifier: 0BSD */
/* The operations of a link through gdb's machine interface, and how it leaves the target. */
#include "mi_link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "hex.h"

#define READ_CHUNK  16384
#define WRITE_CHUNK 1024
/* Messages that are looked at in a row without waiting. */
#define DRAIN_MAX 4096
/* How often a target is asked whether all of its threads have stopped. */
#define THREADS_MS 5
/* When an interrupt is taken for lost. */
#define AGAIN_MS 500

static struct mi_link *mi_of(struct gdbmi_link *base)
{
    return (struct mi_link *)base;
}

/* Whether gdb refused the last command because the target runs. */
static bool has_refused_running(const struct mi_link *link)
{
    return strstr(link->port.refusal, "running") != NULL;
}

enum gdbmi_code mi_ask_threads(struct mi_link *link)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_mi_message answer;

    enum gdbmi_code code = mi_port_run(&link->port, &answer, &error, "-thread-info");
    if (code == GDBMI_ETARGET && has_refused_running(link)) {
        link->running = true;
        return GDBMI_OK;
    }
    if (code != GDBMI_OK)
        return gdbmi_error_take(&link->base.error, &error);
    const struct gdbmi_mi_value *threads = gdbmi_mi_get(answer.results, "threads");
    link->ended = threads == NULL || threads->count == 0;
    link->running = false;
    for (const struct gdbmi_mi_value *at = link->ended ? NULL : threads->first; at != NULL;
         at = at->next) {
        const char *state = gdbmi_mi_text(at, "state");
        link->running = link->running || (state != NULL && strcmp(state, "running") == 0);
    }
    return GDBMI_OK;
}

/* Looks at what gdb has told meanwhile. */
static enum gdbmi_code drain(struct mi_link *link)
{
    uint64_t deadline = clock_now_ns();
    struct gdbmi_mi_message message;
    enum gdbmi_code code = GDBMI_OK;

    for (int i = 0; i < DRAIN_MAX && code == GDBMI_OK; i++)
        code = mi_port_receive(&link->port, deadline, &message, &link->base.error);
    return code == GDBMI_ETIMEOUT ? GDBMI_OK : code;
}

static enum gdbmi_code no_target(struct mi_link *link)
{
    return gdbmi_error_set(&link->base.error, GDBMI_ETARGET, "%s: gdb lost its target (%s)",
                           link->base.address,
                           link->reason[0] != '\0' ? link->reason : "it disconnected");
}

static enum gdbmi_code mi_state(struct gdbmi_link *base, enum gdbmi_state *state)
{
    struct mi_link *link = mi_of(base);

    enum gdbmi_code code = drain(link);
    if (code == GDBMI_OK && link->non_stop)
        code = mi_ask_threads(link);
    if (code != GDBMI_OK)
        return code;
    if (link->ended)
        return no_target(link);
    *state = link->running ? GDBMI_STATE_RUNNING : GDBMI_STATE_HALTED;
    return GDBMI_OK;
}

/* Servers report a halt that was asked for by these signals; without server it is "0". */
bool mi_is_stop_ours(const char *reason, const char *signal)
{
    static const char *const signals[] = {"SIGINT", "SIGTRAP", "SIGSTOP", "0"};

    if (strcmp(reason, "signal-received") != 0)
        return false;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        if (strcmp(signal, signals[i]) == 0)
            return true;
    }
    return false;
}

/* GDBMI_ETIMEOUT: it runs all the same, and nothing is said of it. */
static enum gdbmi_code await_stop(struct mi_link *link, uint64_t deadline)
{
    struct gdbmi_mi_message message;
    enum gdbmi_code code = GDBMI_OK;

    while (code == GDBMI_OK) {
        if (link->non_stop)
            code = mi_ask_threads(link);
        if (code != GDBMI_OK || !link->running)
            break;
        int left_ms = clock_left_ms(deadline);
        int wait_ms = link->non_stop && left_ms > THREADS_MS ? THREADS_MS : left_ms;
        code = mi_port_receive(&link->port, clock_deadline(wait_ms), &message, &link->base.error);
        if (code == GDBMI_ETIMEOUT && left_ms > 0)
            code = GDBMI_OK;
    }
    return code;
}

/* QEMU hears no interrupt while a stop is dealt with of which gdb makes nothing (the condition of a
 * breakpoint does not hold): so it is sent again. OpenOCD would remember one too many. */
static enum gdbmi_code mi_halt(struct gdbmi_link *base, bool *ours)
{
    struct mi_link *link = mi_of(base);
    uint64_t deadline = clock_deadline(link->port.io.timeout_ms);
    enum gdbmi_code code;

    do {
        int left_ms = clock_left_ms(deadline);
        int wait_ms = link->server == MI_SERVER_QEMU && left_ms > AGAIN_MS ? AGAIN_MS : left_ms;
        link->reason[0] = '\0';
        code = mi_port_run(&link->port, NULL, &base->error, "-exec-interrupt%s",
                           link->non_stop ? " --all" : "");
        if (code == GDBMI_OK)
            code = await_stop(link, clock_deadline(wait_ms));
    } while (code == GDBMI_ETIMEOUT && clock_left_ms(deadline) > 0 && !link->port.io.useless);
    *ours = code == GDBMI_OK && mi_is_stop_ours(link->reason, link->signal);
    if (code != GDBMI_ETIMEOUT)
        return code;
    return gdbmi_error_set(&base->error, code, "%s: gdb did not stop the target within %g s",
                           base->address, link->port.io.timeout_ms / 1000.0);
}

const char *mi_resume_command(const struct mi_link *link)
{
    if (link->async)
        return link->non_stop ? "-exec-continue --all" : "-exec-continue";
    return link->non_stop ? "-interpreter-exec console \"continue -a &\""
                          : "-interpreter-exec console \"continue &\"";
}

/* gdb answers before it lets the target go, and gives its prompt behind that. */
static enum gdbmi_code await_prompt(struct mi_link *link)
{
    uint64_t deadline = clock_deadline(link->port.io.timeout_ms);
    struct gdbmi_mi_message message = {.kind = GDBMI_MI_OTHER};
    enum gdbmi_code code = GDBMI_OK;

    while (code == GDBMI_OK && message.kind != GDBMI_MI_PROMPT)
        code = mi_port_receive(&link->port, deadline, &message, &link->base.error);
    return code == GDBMI_ETIMEOUT ? mi_port_silence(&link->port, &link->base.error) : code;
}

static enum gdbmi_code mi_resume(struct gdbmi_link *base)
{
    struct mi_link *link = mi_of(base);
    struct gdbmi_error error = {.code = GDBMI_OK};

    guardian_say(base->guardian, GUARDIAN_RESUMING);
    enum gdbmi_code code = mi_port_run(&link->port, NULL, &error, "%s", mi_resume_command(link));
    bool refused = code == GDBMI_ETARGET && has_refused_running(link);
    if (code != GDBMI_OK && !refused)
        return gdbmi_error_take(&base->error, &error);
    link->running = true;
    return refused ? GDBMI_OK : await_prompt(link);
}

static enum gdbmi_code mi_send_resume(struct gdbmi_link *base)
{
    struct mi_link *link = mi_of(base);

    return mi_port_send(&link->port, mi_resume_command(link), &base->error);
}

/* What gdb answers covers the whole of it, in order; each piece is of at least one byte. */
static bool take_memory(const struct gdbmi_mi_message *answer, uint64_t addr, unsigned char *bytes,
                        size_t len)
{
    const struct gdbmi_mi_value *memory = gdbmi_mi_get(answer->results, "memory");
    size_t at = 0;

    for (const struct gdbmi_mi_value *piece = memory != NULL ? memory->first : NULL; piece != NULL;
         piece = piece->next) {
        const char *begin = gdbmi_mi_text(piece, "begin");
        const char *contents = gdbmi_mi_text(piece, "contents");
        if (begin == NULL || contents == NULL || strtoull(begin, NULL, 16) != addr + at)
            return false;
        long count = hex_read(contents, strlen(contents), bytes + at, len - at);
        if (count <= 0)
            return false;
        at += (size_t)count;
    }
    return at == len;
}

static enum gdbmi_code read_some(struct mi_link *link, uint64_t addr, unsigned char *bytes,
                                 size_t len)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_mi_message answer;

    enum gdbmi_code code = mi_port_run(&link->port, &answer, &error,
                                       "-data-read-memory-bytes 0x%" PRIx64 " %zu", addr, len);
    if (code == GDBMI_ETARGET)
        return gdbmi_error_set(&link->base.error, code,
                               "%s: cannot read %zu bytes at 0x%" PRIx64 " (gdb says: %.80s)",
                               link->base.address, len, addr, link->port.refusal);
    if (code != GDBMI_OK)
        return gdbmi_error_take(&link->base.error, &error);
    if (take_memory(&answer, addr, bytes, len))
        return GDBMI_OK;
    return gdbmi_error_set(&link->base.error, GDBMI_ETARGET,
                           "%s: gdb read only part of the %zu bytes at 0x%" PRIx64,
                           link->base.address, len, addr);
}

static enum gdbmi_code read_all(struct mi_link *link, uint64_t addr, unsigned char *bytes,
                                size_t len)
{
    enum gdbmi_code code = GDBMI_OK;

    for (size_t at = 0; code == GDBMI_OK && at < len; at += READ_CHUNK)
        code =
            read_some(link, addr + at, bytes + at, len - at < READ_CHUNK ? len - at : READ_CHUNK);
    return code;
}

/* The user let it run since we looked (commands of a breakpoint do so at once), or gdb cannot read
 * while it runs after all. The generic part lets a target go that is held when the read is over. */
static enum gdbmi_code halt_for_read(struct mi_link *link)
{
    uint64_t since = clock_now_ns();
    bool ours = false;

    link->running = true;
    link->base.info.live = false;
    link->base.deaf = true;
    link->base.error = (struct gdbmi_error){.code = GDBMI_OK};
    enum gdbmi_code code = link_may_halt(&link->base, &link->base.error);
    if (code != GDBMI_OK)
        return code;
    guardian_say(link->base.guardian, GUARDIAN_HALTING);
    code = mi_halt(&link->base, &ours);
    if (ours)
        link_hold(&link->base, since);
    else if (code == GDBMI_OK)
        guardian_say(link->base.guardian, GUARDIAN_FREE);
    return code;
}

static enum gdbmi_code mi_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len)
{
    struct mi_link *link = mi_of(base);
    uint64_t deadline = clock_deadline(link->port.io.timeout_ms);

    enum gdbmi_code code = read_all(link, addr, bytes, len);
    while (code == GDBMI_ETARGET && has_refused_running(link) && clock_left_ms(deadline) > 0) {
        code = halt_for_read(link);
        if (code == GDBMI_OK)
            code = read_all(link, addr, bytes, len);
    }
    /* Without a target gdb reads from the ELF file. */
    return code == GDBMI_OK && link->ended ? no_target(link) : code;
}

static enum gdbmi_code mi_write(struct gdbmi_link *base, uint64_t addr, const void *bytes,
                                size_t len)
{
    struct mi_link *link = mi_of(base);
    const unsigned char *from = bytes;
    enum gdbmi_code code = GDBMI_OK;
    char hex[2 * WRITE_CHUNK + 1];

    for (size_t at = 0; code == GDBMI_OK && at < len; at += WRITE_CHUNK) {
        hex_write(from + at, len - at < WRITE_CHUNK ? len - at : WRITE_CHUNK, hex);
        code = mi_port_run(&link->port, NULL, &base->error,
                           "-data-write-memory-bytes 0x%" PRIx64 " %s", addr + at, hex);
    }
    return code;
}

static enum gdbmi_code mi_pc(struct gdbmi_link *base, uint64_t *pc)
{
    struct gdbmi_mi_message answer;
    char *end = NULL;

    enum gdbmi_code code =
        mi_port_run(&mi_of(base)->port, &answer, &base->error, "-stack-list-frames 0 0");
    if (code != GDBMI_OK)
        return code;
    const char *text = gdbmi_mi_text(answer.results, "stack.0.addr");
    uint64_t value = text != NULL ? strtoull(text, &end, 16) : 0;
    if (text == NULL || end == text || *end != '\0')
        return gdbmi_error_set(&base->error, GDBMI_ETARGET,
                               "%s: gdb cannot read the program counter", base->address);
    *pc = value;
    return GDBMI_OK;
}

static enum gdbmi_code mi_command(struct gdbmi_link *base, const char *command, char **answer)
{
    static const char monitor[] = "monitor ";
    size_t room = sizeof(monitor) + strlen(command);

    char *line = malloc(room);
    if (line == NULL)
        return gdbmi_error_set(&base->error, GDBMI_ENOMEM, "%s: out of memory", base->address);
    snprintf(line, room, "%s%s", monitor, command);
    enum gdbmi_code code = mi_port_ask(&mi_of(base)->port, line, answer, &base->error);
    free(line);
    return code;
}

/* A target that we hold, or that runs, runs when its gdb is gone. All servers resume on a detach
 * but OpenOCD, which leaves things as they are; and of a resume just before the end of a connection
 * it may never hear, where its own command is answered. */
static enum gdbmi_code detach_running(struct mi_link *link)
{
    struct gdbmi_error *error = &link->base.error;
    enum gdbmi_code code = GDBMI_OK;
    bool ours;

    if (link->running && !link->base.info.live) {
        /* It acks a resume, and runs on when the connection is closed. */
        if (link->server == MI_SERVER_QEMU && link->breakpoints == 0)
            return mi_port_run(&link->port, NULL, error, "-target-disconnect");
        guardian_say(link->base.guardian, GUARDIAN_HALTING);
        code = mi_halt(&link->base, &ours);
    }
    if (code == GDBMI_OK && link->server == MI_SERVER_OPENOCD)
        code = mi_port_console(&link->port, "monitor resume", NULL, error);
    return code != GDBMI_OK ? code : mi_port_run(&link->port, NULL, error, "-target-detach");
}

/* A gdb of ours goes; the target stays as it was found. */
static enum gdbmi_code leave(struct mi_link *link, bool resume)
{
    if (!link->known)
        return resume ? mi_resume(&link->base) : GDBMI_OK;
    if (link->ended || link->created)
        return GDBMI_OK;
    if (resume || link->running || !link->remote)
        return detach_running(link);
    return mi_port_run(&link->port, NULL, &link->base.error, "-target-disconnect");
}

static enum gdbmi_code mi_close(struct gdbmi_link *base, bool resume, struct gdbmi_error *error)
{
    struct mi_link *link = mi_of(base);
    enum gdbmi_code code = GDBMI_OK;

    base->error = (struct gdbmi_error){.code = GDBMI_OK};
    if (!link->port.io.useless)
        code = drain(link);
    if (code == GDBMI_OK && link->ours && (resume || !link->port.io.useless))
        code = leave(link, resume);
    else if (code == GDBMI_OK && resume)
        code = mi_resume(base);
    link_warn_held(base, &base->error);
    *error = base->error;
    if (link->ours && !link->port.io.lost)
        (void)mi_port_send(&link->port, "-gdb-exit", &base->error);
    /* Else gdb's input would not end. */
    guardian_say(link->port.io.stream->guardian, GUARDIAN_FREE);
    guardian_lend(link->port.io.stream->guardian, NULL, 0);
    mi_port_close(&link->port);
    free(link);
    return code;
}

const struct gdbmi_link_ops mi_link_ops = {
    .read = mi_read,
    .write = mi_write,
    .state = mi_state,
    .halt = mi_halt,
    .resume = mi_resume,
    .send_resume = mi_send_resume,
    .pc = mi_pc,
    .registers = mi_registers,
    .command = mi_command,
    .close = mi_close,
};
