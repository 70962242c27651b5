/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake of OpenOCD's Tcl port with two targets, and with faults to be switched on. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fake_tcl.h"

unsigned char fake_tcl_byte(uint64_t addr)
{
    return (unsigned char)(addr * 5 + addr / 256);
}

static void answer(struct fake_tcl *tcl, unsigned sequence, int status, const char *text)
{
    static const char note[] = "type target_state state halted\r\n\x1a";
    char frame[40];

    if (tcl->notifications)
        fake_stream_put(&tcl->stream, note, sizeof(note) - 1);
    int len = snprintf(frame, sizeof(frame), "mp%u %d ", sequence + tcl->wrong_sequence, status);
    fake_stream_put(&tcl->stream, frame, (size_t)len);
    fake_stream_put(&tcl->stream, text, strlen(text));
    fake_stream_put(&tcl->stream, "\x1a", 1);
}

static void serve_read(struct fake_tcl *tcl, unsigned sequence, uint64_t addr, unsigned bits,
                       unsigned count)
{
    char result[16384] = "";
    size_t len = 0;

    tcl->reads++;
    if (bits == 32 && count > tcl->words_max)
        tcl->words_max = count;
    if (addr >= FAKE_TCL_BAD || addr % (bits / 8) != 0) {
        answer(tcl, sequence, 1, "read_memory: failed to read memory");
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        uint32_t value = 0;
        for (unsigned at = 0; at < bits / 8; at++, addr++)
            value |= (uint32_t)fake_tcl_byte(addr)
                     << 8 * (tcl->big_endian ? bits / 8 - 1 - at : at);
        len +=
            (size_t)snprintf(result + len, sizeof(result) - len, "%s%" PRIx32, i ? " " : "", value);
    }
    answer(tcl, sequence, 0, tcl->odd_result != NULL ? tcl->odd_result : result);
}

static void serve_halt(struct fake_tcl *tcl, unsigned sequence, const char *target,
                       const char *script)
{
    char expected[256];

    snprintf(expected, sizeof(expected),
             "catch {%s arp_poll}; set _mprof_s [%s curstate]; "
             "if {$_mprof_s ne {halted}} {%s arp_halt}; set _mprof_s",
             target, target, target);
    assert_string_equal(script, expected);
    answer(tcl, sequence, 0, tcl->running && !tcl->break_at_halt ? "running" : "halted");
    tcl->running = false;
}

static void serve_script(struct fake_tcl *tcl, unsigned sequence, const char *script)
{
    char target[32] = "";
    char rest[200] = "";
    uint64_t addr;
    unsigned bits;
    unsigned count;

    if (strcmp(script, "version") == 0) {
        answer(tcl, sequence, 0, tcl->version);
    } else if (strstr(script, "[target names]") != NULL) {
        answer(tcl, sequence, 0, tcl->targets);
    } else if (sscanf(script, "string map {0x {}} [%31s read_memory 0x%" SCNx64 " %u %u]", target,
                      &addr, &bits, &count) == 4) {
        serve_read(tcl, sequence, addr, bits, count);
    } else if (sscanf(script, "catch {%31s arp_poll}; set _mprof_s [%199s", target, rest) == 2) {
        serve_halt(tcl, sequence, target, script);
    } else if (sscanf(script, "%31s write_memory %199[^\n]", target, rest) == 2) {
        strncat(tcl->written, rest, sizeof(tcl->written) - strlen(tcl->written) - 1);
        answer(tcl, sequence, 0, "");
    } else if (sscanf(script, "targets %31[^;]; %199[^\n]", target, rest) == 2) {
        bool resume = strcmp(rest, "resume") == 0;
        tcl->running = tcl->running || resume;
        tcl->resumes += resume;
        answer(tcl, sequence, resume ? 0 : 1, resume ? "" : rest);
    } else if (sscanf(script, "lindex [%31s get_reg -force %199s", target, rest) == 2) {
        answer(tcl, sequence, 0, "0x080002a0");
    } else if (sscanf(script, "%31s %199s", target, rest) == 2) {
        answer(tcl, sequence, 0, tcl->running ? "running" : "halted");
    }
    if (target[0] != '\0')
        assert_string_equal(target, tcl->chosen);
}

/* Undoes the quoting as Tcl does between double quotes; fails on what would be substituted. */
static void unquote(const char *quoted, char *script)
{
    for (; *quoted != '\0'; quoted++) {
        assert_null(strchr("\"$[]", *quoted));
        if (*quoted == '\\')
            quoted++;
        *script++ = *quoted;
    }
    *script = '\0';
}

static void serve_command(struct fake_tcl *tcl, char *command)
{
    static const char tail[] = "\" _mprof] $_mprof";
    char script[sizeof(tcl->in)];
    unsigned sequence;
    int head = 0;

    if (tcl->close_at != NULL && strstr(command, tcl->close_at) != NULL)
        tcl->stream.closed = true;
    tcl->stream.mute = tcl->silent_at != NULL && strstr(command, tcl->silent_at) != NULL;
    if (tcl->raw != NULL) {
        fake_stream_put(&tcl->stream, tcl->raw, strlen(tcl->raw));
        return;
    }
    assert_int_equal(sscanf(command, "format {mp%u %%d %%s} [catch \"%n", &sequence, &head), 1);
    size_t len = strlen(command);
    assert_true(head > 0 && len > sizeof(tail));
    assert_string_equal(command + len - (sizeof(tail) - 1), tail);
    command[len - (sizeof(tail) - 1)] = '\0';
    unquote(command + head, script);
    serve_script(tcl, sequence, script);
}

static void serve(void *server, const char *bytes, size_t len)
{
    struct fake_tcl *tcl = server;

    for (size_t i = 0; i < len; i++) {
        assert_true(tcl->in_len < sizeof(tcl->in));
        tcl->in[tcl->in_len++] = bytes[i];
        if (bytes[i] != '\x1a')
            continue;
        tcl->in[tcl->in_len - 1] = '\0';
        tcl->in_len = 0;
        serve_command(tcl, tcl->in);
    }
}

void fake_tcl_init(struct fake_tcl *tcl)
{
    *tcl = (struct fake_tcl){
        .version = "Open On-Chip Debugger 0.12.0",
        .targets = "a.cpu cortex_m little 3333\nb.cpu cortex_m big 3334\n",
        .chosen = "a.cpu",
        .running = true,
    };
    fake_stream_init(&tcl->stream, serve, tcl);
}
