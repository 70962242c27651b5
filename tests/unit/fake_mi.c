/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake gdb that speaks GDB/MI, with a target behind it, and with faults to be switched on. */
#include "fake_mi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNNING_ERROR                                             \
    "Cannot execute this command while the target is running.\\n" \
    "Use the \\\"interrupt\\\" command to stop the target\\nand then try again."

unsigned fake_mi_count(const struct fake_mi *mi, const char *command)
{
    unsigned count = 0;

    for (const char *at = mi->log; *at != '\0'; at = strchr(at, '\n') + 1)
        count += strncmp(at, command, strlen(command)) == 0;
    return count;
}

void fake_mi_say(struct fake_mi *mi, const char *line)
{
    fake_stream_put(&mi->stream, line, strlen(line));
    fake_stream_put(&mi->stream, mi->crlf ? "\r\n" : "\n", mi->crlf ? 2 : 1);
}

static bool is_at(const char *prefix, const char *command)
{
    return prefix != NULL && strncmp(prefix, command, strlen(prefix)) == 0;
}

static bool is_live(const struct fake_mi *mi)
{
    return mi->non_stop || mi->always_non_stop;
}

static void set_running(struct fake_mi *mi)
{
    mi->running = true;
    mi->runs = true;
    fake_mi_say(mi, "*running,thread-id=\"all\"");
}

void fake_mi_stop(struct fake_mi *mi, const char *reason, const char *signal)
{
    char line[200];

    mi->running = false;
    mi->runs = false;
    fake_mi_say(mi, "~\"\\nProgram\"");
    snprintf(line, sizeof(line),
             "*stopped,reason=\"%s\",signal-name=\"%s\",frame={addr=\"0x000001a0\",func=\"f\","
             "args=[]},thread-id=\"1\",stopped-threads=\"all\"",
             reason, signal);
    fake_mi_say(mi, line);
}

static void answer(struct fake_mi *mi, const char *token, const char *text)
{
    char line[40000];

    if (mi->noise) {
        fake_mi_say(mi, "~\"a line\\n\"");
        fake_mi_say(mi, "=library-loaded,id=\"x\",ranges=[{from=\"0x1\"}]");
        fake_mi_say(mi, "999999^done,memory=[{begin=\"0x0\",contents=\"00\"}]");
        fake_mi_say(mi, "^running");
        fake_mi_say(mi, "what a program prints");
    }
    snprintf(line, sizeof(line), "%s^%s", token, text);
    fake_mi_say(mi, line);
    fake_mi_say(mi, "(gdb) ");
}

static void refuse_running(struct fake_mi *mi, const char *token)
{
    answer(mi, token, "error,msg=\"" RUNNING_ERROR "\"");
}

static void serve_read(struct fake_mi *mi, const char *token, const char *command)
{
    char text[36000];
    uint64_t addr;
    size_t len;

    if (sscanf(command, "-data-read-memory-bytes 0x%" SCNx64 " %zu", &addr, &len) != 2)
        abort();
    if (mi->running && !is_live(mi)) {
        refuse_running(mi, token);
        return;
    }
    if (addr >= BAD) {
        answer(mi, token, "error,msg=\"Unable to read memory.\"");
        return;
    }
    size_t half = len / 2;
    int at = snprintf(text, sizeof(text), "done,memory=[");
    /* In two pieces, as gdb gives what lies in two regions. */
    for (size_t i = 0; i < len - (mi->short_read ? 1 : 0); i++) {
        if (i == 0 || i == half)
            at += snprintf(text + at, sizeof(text) - (size_t)at,
                           "%s{begin=\"0x%08" PRIx64 "\",offset=\"0x0\",contents=\"",
                           i == 0 ? "" : "\"},", addr + i + mi->shifted_read);
        at += snprintf(text + at, sizeof(text) - (size_t)at, "%02x", fake_byte(addr + i));
    }
    snprintf(text + at, sizeof(text) - (size_t)at, "\"}]");
    answer(mi, token, text);
}

/* Of each number the value 0x1000 + number. */
static void serve_values(struct fake_mi *mi, const char *token, const char *numbers)
{
    char text[4096] = "done,register-values=[";
    size_t len = strlen(text);
    char *end;

    for (unsigned long n = strtoul(numbers, &end, 10); end != numbers;
         n = strtoul(numbers, &end, 10)) {
        len +=
            (size_t)snprintf(text + len, sizeof(text) - len, "%s{number=\"%lu\",value=\"0x%lx\"}",
                             text[len - 1] == '[' ? "" : ",", n, 0x1000 + n);
        numbers = end;
    }
    snprintf(text + len, sizeof(text) - len, "]");
    answer(mi, token, text);
}

static void serve_interrupt(struct fake_mi *mi, const char *token)
{
    if (mi->breaks)
        fake_mi_stop(mi, "breakpoint-hit", "SIGTRAP");
    answer(mi, token, "done");
    if (!mi->breaks && mi->running && !mi->never_stops)
        fake_mi_stop(mi, "signal-received", mi->non_stop ? "0" : "SIGINT");
    mi->breaks = false;
}

static void serve_continue(struct fake_mi *mi, const char *token)
{
    if (mi->running) {
        answer(mi, token,
               "error,msg=\"Cannot execute this command while the selected thread is running.\"");
        return;
    }
    answer(mi, token, "running");
    set_running(mi);
}

static void serve_leave(struct fake_mi *mi, const char *token, bool detach)
{
    if (detach && mi->running && !is_live(mi)) {
        refuse_running(mi, token);
        return;
    }
    if (detach && mi->server != FAKE_MI_OPENOCD)
        mi->runs = true;
    mi->left = true;
    mi->running = false;
    fake_mi_say(mi, "=thread-group-exited,id=\"i1\"");
    answer(mi, token, "done");
}

static const char *const not_defined = "error,msg=\"Undefined command: \\\"x\\\".\"";

static void serve_console(struct fake_mi *mi, const char *token, const char *command)
{
    bool halted = !mi->running || is_live(mi);

    if (is_at("show version", command)) {
        fake_mi_say(mi, "~\"GNU gdb (Fake) 13.1\\nCopyright\\n\"");
        answer(mi, token, "done");
    } else if (is_at("show architecture", command)) {
        fake_mi_say(mi, "~\"The target architecture is set to \\\"auto\\\" (currently "
                        "\\\"armv7\\\").\\n\"");
        answer(mi, token, "done");
    } else if (is_at("maint show target-non-stop", command)) {
        fake_mi_say(mi, mi->always_non_stop ? "~\"Whether ... is auto (currently on).\\n\""
                                            : "~\"Whether ... is auto (currently off).\\n\"");
        answer(mi, token, "done");
    } else if (is_at("maint print target-stack", command)) {
        fake_mi_say(mi, "~\"The current target stack is:\\n\"");
        fake_mi_say(mi, mi->server == FAKE_MI_NATIVE ? "~\"  - native (Native process)\\n\""
                                                     : "~\"  - remote (Remote target)\\n\"");
        answer(mi, token, "done");
    } else if (is_at("maint packet qqemu.sstepbits", command) && halted) {
        fake_mi_say(mi, mi->server == FAKE_MI_QEMU ? "~\"received: \\\"ENABLE=1,NOIRQ=2\\\"\\n\""
                                                   : "~\"received: \\\"\\\"\\n\"");
        answer(mi, token, "done");
    } else if (is_at("monitor", command) && halted && mi->server == FAKE_MI_OPENOCD) {
        if (is_at("monitor resume", command))
            mi->runs = true;
        fake_mi_say(mi, "@\"Open On-Chip Debugger 0.12.0\\n\"");
        answer(mi, token, "done");
    } else if (is_at("continue &", command) || is_at("continue -a &", command)) {
        serve_continue(mi, token);
    } else {
        answer(mi, token, not_defined);
    }
}

static void serve_threads(struct fake_mi *mi, const char *token)
{
    if (mi->no_target || mi->left)
        answer(mi, token, "done,threads=[]");
    else if (mi->running && !is_live(mi))
        refuse_running(mi, token);
    else if (mi->running)
        answer(mi, token, "done,threads=[{id=\"1\",state=\"stopped\"},{state=\"running\"}]");
    else
        answer(mi, token, "done,threads=[{id=\"1\",state=\"stopped\"}],current-thread-id=\"1\"");
}

static void serve_setting(struct fake_mi *mi, const char *token, const char *name)
{
    bool on = (strcmp(name, "non-stop") == 0 && mi->non_stop) ||
              (strcmp(name, "mi-async") == 0 && mi->async);

    answer(mi, token, on ? "done,value=\"on\"" : "done,value=\"off\"");
}

static void serve_command(struct fake_mi *mi, const char *token, const char *command)
{
    static const char console[] = "-interpreter-exec console \"";

    if (is_at(console, command))
        serve_console(mi, token, command + sizeof(console) - 1);
    else if (is_at("-gdb-set", command) || is_at("-data-write-memory-bytes", command))
        answer(mi, token, "done");
    else if (is_at("-gdb-show ", command))
        serve_setting(mi, token, command + strlen("-gdb-show "));
    else if (is_at("-thread-info", command))
        serve_threads(mi, token);
    else if (is_at("-list-thread-groups", command))
        answer(mi, token, "done,groups=[{id=\"i1\",type=\"process\",pid=\"1\"}]");
    else if (is_at("-data-read-memory-bytes", command))
        serve_read(mi, token, command);
    else if (is_at("-data-list-register-values --skip-unavailable x", command))
        serve_values(mi, token, strchr(command, 'x') + 1);
    else if (is_at("-exec-interrupt", command))
        serve_interrupt(mi, token);
    else if (is_at("-exec-continue", command))
        serve_continue(mi, token);
    else if (is_at("-stack-list-frames 0 0", command))
        answer(mi, token, "done,stack=[frame={level=\"0\",addr=\"0x000001a0\",func=\"f\"}]");
    else if (is_at("-target-detach", command) || is_at("-target-disconnect", command))
        serve_leave(mi, token, is_at("-target-detach", command));
    else if (is_at("-gdb-exit", command))
        answer(mi, token, "exit");
    else
        answer(mi, token, not_defined);
}

static void take_line(struct fake_mi *mi)
{
    char token[32];
    size_t digits = strspn(mi->line, "0123456789");
    const char *command = mi->line + digits;
    size_t len = strlen(mi->log);

    snprintf(token, sizeof(token), "%.*s", (int)digits, mi->line);
    snprintf(mi->log + len, sizeof(mi->log) - len, "%s\n", command);
    if (is_at(mi->continue_at, command)) {
        mi->continue_at = NULL;
        set_running(mi);
    }
    if (is_at(mi->exit_at, command)) {
        mi->left = true;
        mi->running = mi->runs = false;
        fake_mi_say(mi, "*stopped,reason=\"exited-normally\"");
        fake_mi_say(mi, "=thread-group-exited,id=\"i1\",exit-code=\"0\"");
    }
    if (is_at(mi->close_at, command))
        mi->stream.closed = true;
    else if (is_at(mi->refuse_at, command))
        answer(mi, token, "error,msg=\"You can't do that.\",code=\"x\"");
    else if (is_at(mi->damage_at, command))
        answer(mi, token, "done,memory=[{begin=\"0x2");
    else if (!is_at(mi->silent_at, command))
        serve_command(mi, token, command);
}

static void serve(void *server, const char *bytes, size_t len)
{
    struct fake_mi *mi = server;

    for (size_t i = 0; i < len && !mi->stream.closed; i++) {
        if (bytes[i] != '\n') {
            mi->line[mi->line_len++] = bytes[i];
            continue;
        }
        mi->line[mi->line_len] = '\0';
        mi->line_len = 0;
        take_line(mi);
    }
}

static void say_greeting(struct fake_mi *mi, bool ran)
{
    static const char *const replies[][2] = {
        [FAKE_MI_QEMU] = {"T05thread:01;", "T05thread:01;"},
        [FAKE_MI_OPENOCD] = {"S05", "S02"},
        [FAKE_MI_OTHER] = {"T05", "T11"},
    };
    char line[160];

    fake_mi_say(mi, "=thread-group-added,id=\"i1\"");
    fake_mi_say(mi, "&\"warning: a warning\\n\"");
    if (mi->server != FAKE_MI_NATIVE) {
        fake_mi_say(mi, "&\"  [remote] Sending packet: $qSupported:x#77\\n\"");
        if (ran && mi->server == FAKE_MI_QEMU)
            fake_mi_say(mi, "&\"  [remote] putpkt_binary: Packet instead of Ack, ignoring it\\n\"");
        fake_mi_say(mi, "&\"  [remote] Packet received: PacketSize=1000\\n\"");
        /* As older versions log it: a line in pieces. */
        fake_mi_say(mi, "&\"Sending packet: $?#3f...\"");
        fake_mi_say(mi, "&\"Ack\\n\"");
        snprintf(line, sizeof(line), "&\"Packet received: %s\\n\"", replies[mi->server][ran]);
        fake_mi_say(mi, line);
        fake_mi_say(mi, "&\"  [remote] Packet received: T1f\\n\"");
    }
    fake_mi_say(mi, "*stopped,frame={addr=\"0x000001a0\"},thread-id=\"1\",stopped-threads=\"all\"");
    fake_mi_say(mi, "(gdb) ");
}

void fake_mi_init(struct fake_mi *mi, enum fake_mi_server server, bool ran)
{
    memset(mi, 0, sizeof(*mi));
    fake_stream_init(&mi->stream, serve, mi);
    mi->server = server;
    mi->async = true;
    say_greeting(mi, ran);
}

void fake_mi_free(struct fake_mi *mi)
{
    fake_stream_free(&mi->stream);
}
