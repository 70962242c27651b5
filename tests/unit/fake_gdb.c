/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake gdb server with a core behind it, and with faults to be switched on. */
#include "fake_gdb.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_memory.h"

#define DFSR 0xe000ed30U
#define PC   0x080002a0U

#define DCSR_NUMBER "7f1"

static const char riscv[] =
    "l<target><architecture>riscv:rv32</architecture><feature name=\"org.gnu.gdb.riscv.csr\">"
    "<reg name=\"dcsr2\" regnum=\"9\"/><reg name='dpc-1' bitsize='32' regnum='2032'/>"
    "<reg type='int' name='%s' bitsize='32'/></feature></target>";

unsigned fake_gdb_count(const struct fake_gdb *gdb, const char *request)
{
    unsigned count = 0;

    for (const char *at = gdb->log; *at != '\0'; at = strchr(at, ' ') + 1)
        count += strncmp(at, request, strlen(request)) == 0;
    return count;
}

static void note(struct fake_gdb *gdb, const char *request)
{
    size_t len = strlen(gdb->log);

    snprintf(gdb->log + len, sizeof(gdb->log) - len, "%s ", request);
}

static bool is_at(const char *prefix, const char *request)
{
    return prefix != NULL && strncmp(prefix, request, strlen(prefix)) == 0;
}

/* Runs of one character as the protocol has them: at least 4 in a row, no '#' or '$' as count. */
static size_t compress(const char *text, char *out)
{
    size_t len = 0;

    while (*text != '\0') {
        size_t run = strspn(text, (char[]){*text, '\0'});
        if (run > 90)
            run = 90;
        if (run == 7 || run == 8)
            run = 6;
        out[len++] = *text;
        if (run >= 4) {
            out[len++] = '*';
            out[len++] = (char)(run - 1 + 29);
        }
        text += run >= 4 ? run : 1;
    }
    return len;
}

/* OpenOCD has room for 1,024 bytes, and snprintf() ends them with a NUL. */
#define OPENOCD_CUTS 1020

static void put_packet(struct fake_gdb *gdb, const char *payload)
{
    char packet[sizeof(gdb->last)];
    unsigned char sum = 0;
    size_t len = strlen(payload);

    packet[0] = '$';
    if (gdb->run_lengths)
        len = compress(payload, packet + 1);
    else
        memcpy(packet + 1, payload, len);
    for (size_t i = 1; i <= len; i++)
        sum = (unsigned char)(sum + packet[i]);
    sum ^= gdb->damaging;
    len += (size_t)snprintf(packet + 1 + len, 4, "#%02x", sum) + 1;
    if (gdb->kind == FAKE_OPENOCD && len == OPENOCD_CUTS + 4)
        packet[len - 1] = '\0';
    memcpy(gdb->last, packet, len);
    gdb->unacked = true;
    gdb->last_len = len;
    if (gdb->whole_count > 0) {
        gdb->whole_count--;
    } else if (gdb->damage_count > 0) {
        gdb->damage_count--;
        packet[len - 1] ^= 1;
    }
    fake_stream_put(&gdb->stream, packet, len);
}

static void put_noise(struct fake_gdb *gdb)
{
    static const char noise[] = "$O6c6f670a#82$O#4f%oocd_keepalive:07#5b";

    if (gdb->noise)
        fake_stream_put(&gdb->stream, noise, sizeof(noise) - 1);
}

void fake_gdb_answer(struct fake_gdb *gdb, const char *payload)
{
    put_noise(gdb);
    put_packet(gdb, payload);
}

void fake_gdb_stop(struct fake_gdb *gdb, int signal)
{
    char reply[32];

    gdb->running = false;
    gdb->connect_signal = signal;
    snprintf(reply, sizeof(reply), "T%02xthread:01;", (unsigned)signal);
    fake_gdb_answer(gdb, reply);
}

static void put_word(uint32_t word, char reply[static 9])
{
    unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8),
                              (unsigned char)(word >> 16), (unsigned char)(word >> 24)};

    gdbmi_rsp_hex(bytes, 4, reply);
}

static void put_register(const struct fake_gdb *gdb, uint32_t word, char reply[static 9])
{
    put_word(gdb->big_endian ? __builtin_bswap32(word) : word, reply);
}

static void serve_memory(struct fake_gdb *gdb, const char *request)
{
    char reply[8192] = "E14";
    uint64_t addr;
    size_t len;

    if (sscanf(request, "m%" SCNx64 ",%zx", &addr, &len) != 2 || addr >= BAD ||
        (gdb->bad_addr != 0 && addr == gdb->bad_addr) ||
        (gdb->bad_end != 0 && addr + len > gdb->bad_end)) {
        fake_gdb_answer(gdb, reply);
        return;
    }
    if (gdb->short_reads != 0 && len > gdb->short_reads)
        len = gdb->short_reads;
    len += gdb->extra_bytes;
    for (size_t i = 0; i < len && 2 * i + 3 < sizeof(reply); i++)
        snprintf(reply + 2 * i, 3, "%02x", fake_byte(addr + i));
    if (addr == DFSR)
        snprintf(reply, sizeof(reply), "%02x000000", gdb->dfsr);
    if (addr == PC && gdb->halts_at != 0) {
        put_word(gdb->halts_at, reply);
        reply[2 * len] = '\0';
    }
    fake_gdb_answer(gdb, reply);
}

static void serve_supported(struct fake_gdb *gdb)
{
    char reply[160];

    snprintf(reply, sizeof(reply), "PacketSize=%x;qXfer:features:read+%s%s", gdb->packet_size,
             gdb->offers_no_ack ? ";QStartNoAckMode+" : "",
             gdb->offers_non_stop ? ";QNonStop+;QPassSignals+" : "");
    fake_gdb_answer(gdb, reply);
}

/* "...}} [target current] DPC WORD WORDS": a sample of 100 us. */
static void serve_short_halt(struct fake_gdb *gdb, const char *script)
{
    char text[120] = "halted\n", packet[250] = "O";
    unsigned long long addr = 0;
    unsigned words = 0, flip = gdb->big_endian ? 3 : 0;

    if (sscanf(strrchr(script, '}'), "} [target current] %*s 0x%llx %u", &addr, &words) != 2)
        abort();
    if (gdb->running)
        snprintf(text, sizeof(text),
                 words == 0    ? "sampled 0x64 0 0x080002a0 0x10\n"
                 : addr >= BAD ? "sampled 0x64 0 0x080002a0 0x10 none\n"
                               : "sampled 0x64 0 0x080002a0 0x10 0x%02x%02x%02x%02x\n",
                 fake_byte(addr + (3 ^ flip)), fake_byte(addr + (2 ^ flip)),
                 fake_byte(addr + (1 ^ flip)), fake_byte(addr + flip));
    gdbmi_rsp_hex(text, strlen(text), packet + 1);
    put_packet(gdb, packet);
    fake_gdb_answer(gdb, "OK");
}

static void serve_command(struct fake_gdb *gdb, const char *hex)
{
    char command[2000] = "";

    if (gdbmi_rsp_unhex(hex, strlen(hex), command, sizeof(command) - 1) < 0)
        abort();
    if (gdb->probe_rs) {
        /* "    info - print session information" */
        put_packet(gdb,
                   "O20202020696e666f202d207072696e742073657373696f6e20696e666f726d6174696f6e");
        fake_gdb_answer(gdb, "OK");
    } else if (gdb->kind != FAKE_OPENOCD) {
        fake_gdb_answer(gdb, "");
    } else if (strcmp(command, "version") == 0) {
        put_packet(gdb, "O4f70656e204f6e2d4368697020446562756767657220302e31322e300a");
        fake_gdb_answer(gdb, "OK");
    } else if (strcmp(command, "[target current] curstate") == 0) {
        fake_gdb_answer(gdb, gdb->running ? "72756e6e696e67" : "68616c746564");
    } else if (strcmp(command, "[target current] cget -endian") == 0) {
        fake_gdb_answer(gdb, gdb->big_endian ? "6269670a" : "6c6974746c650a");
    } else if (strstr(command, "sampled") != NULL) {
        serve_short_halt(gdb, command);
    } else if (strcmp(command, "halt") == 0) {
        gdb->running = false;
        gdb->halted_by_client = true;
        fake_gdb_answer(gdb, "OK");
    } else {
        fake_gdb_answer(gdb, "E01");
    }
}

static void serve_resume(struct fake_gdb *gdb)
{
    gdb->running = true;
    gdb->halted_by_client = false;
    if (!gdb->remembered_interrupt)
        return;
    gdb->remembered_interrupt = false;
    gdb->halted_by_client = true;
    fake_gdb_stop(gdb, 2);
}

/* "OFFSET,LEN" of a long one. */
static void serve_description(struct fake_gdb *gdb, const char *request)
{
    static const char end[] = "<architecture>arm</architecture>";
    size_t total = gdb->padding + sizeof(end) - 1;
    char reply[4096] = "m";
    size_t offset, len;

    if (sscanf(request, "%zx,%zx", &offset, &len) != 2 || len + 2 > sizeof(reply))
        abort();
    for (size_t i = 0; i < len && offset + i < total; i++)
        reply[1 + i] = offset + i < gdb->padding ? ' ' : end[offset + i - gdb->padding];
    if (offset + len >= total)
        reply[0] = 'l';
    fake_gdb_answer(gdb, reply);
}

static void serve_register(struct fake_gdb *gdb, const char *request)
{
    char dcsr[9], value[9];

    put_word(gdb->dcsr, dcsr);
    put_register(gdb, strcmp(request, "p1") == 0 ? 0x1001 : 0x080002a0, value);
    if (!gdb->knows_p)
        fake_gdb_answer(gdb, "");
    else if (gdb->has_specials && strcmp(request, "pf") != 0)
        fake_gdb_answer(gdb, strcmp(request, "p5c") == 0   ? "5c000020"
                             : strcmp(request, "p1a") == 0 ? "1a000020"
                                                           : "E45");
    else if (gdb->riscv && strcmp(request, "p1") == 0)
        fake_gdb_answer(gdb, value);
    else if (strcmp(request, gdb->riscv ? "p20" : "pf") == 0)
        fake_gdb_answer(gdb, gdb->riscv ? value : "a1020008");
    else
        fake_gdb_answer(gdb, strcmp(request, "p" DCSR_NUMBER) == 0 ? dcsr : "E45");
}

static void serve_all_registers(struct fake_gdb *gdb)
{
    unsigned count = gdb->riscv ? 33 : 17;
    unsigned sp = gdb->riscv ? 2 : 13;
    unsigned pc = gdb->riscv ? 32 : 15;
    char reply[33 * 8 + 1];

    for (unsigned i = 0; i < count && !gdb->refuses_g; i++)
        put_register(gdb, i == sp ? gdb->sp : i == pc ? 0x080002a0 : 0x1000 + i, reply + 8 * i);
    fake_gdb_answer(gdb, gdb->refuses_g ? "E01" : reply);
}

/* r0 to r15, of which the last one is known. */
static void serve_registers(struct fake_gdb *gdb)
{
    char reply[16 * 8 + 1];

    memset(reply, 'x', sizeof(reply));
    memcpy(reply + 15 * 8, "a1020008", 9);
    fake_gdb_answer(gdb, reply);
}

static void serve_request(struct fake_gdb *gdb, const char *request)
{
    if ((gdb->running || gdb->kind == FAKE_QEMU) && is_at(gdb->break_at, request))
        fake_gdb_stop(gdb, 5);
    if (is_at(gdb->silent_at, request))
        return;
    gdb->damaging = is_at(gdb->damage_at, request);
    if (fake_nonstop_serve(gdb, request))
        return;
    if (is_at("qSupported", request)) {
        serve_supported(gdb);
    } else if (strcmp(request, "QStartNoAckMode") == 0) {
        fake_gdb_answer(gdb, "OK");
        gdb->no_ack = true;
    } else if (strcmp(request, "?") == 0 && gdb->ended) {
        fake_gdb_answer(gdb, "W00");
    } else if (strcmp(request, "?") == 0) {
        fake_gdb_stop(gdb, gdb->connect_signal);
    } else if (request[0] == 'm') {
        serve_memory(gdb, request);
    } else if (request[0] == 'M') {
        fake_gdb_answer(
            gdb, strstr(request, ":0123456789") != NULL || strstr(request, ",4:") != NULL ? "OK"
                                                                                          : "E01");
    } else if (request[0] == 'p') {
        serve_register(gdb, request);
    } else if (strcmp(request, "g") == 0 && gdb->knows_g) {
        serve_all_registers(gdb);
    } else if (strcmp(request, "g") == 0) {
        serve_registers(gdb);
    } else if (strcmp(request, "c") == 0 || strcmp(request, "vCont;c") == 0) {
        serve_resume(gdb);
    } else if (strcmp(request, "D") == 0 && gdb->multiprocess) {
        fake_gdb_answer(gdb, "E22");
    } else if (strcmp(request, "D") == 0) {
        serve_resume(gdb);
        fake_gdb_answer(gdb, "OK");
    } else if (strncmp(request, "qRcmd,", 6) == 0) {
        serve_command(gdb, request + 6);
    } else if (strcmp(request, "qqemu.sstepbits") == 0 && gdb->kind == FAKE_QEMU && !gdb->hides) {
        fake_gdb_answer(gdb, "ENABLE=1,NOIRQ=2,NOTIMER=4");
    } else if (is_at("qXfer:features:read:target.xml:", request) && gdb->padding > 0) {
        serve_description(gdb, request + strlen("qXfer:features:read:target.xml:"));
    } else if (strncmp(request, "qXfer:features:read:target.xml:0,", 33) == 0 && gdb->riscv) {
        char text[sizeof(riscv) + 8];
        snprintf(text, sizeof(text), riscv, gdb->dcsr != 0 ? "dcsr" : "dscratch");
        fake_gdb_answer(gdb, text);
    } else if (is_at("qXfer:features:read:target.xml:0,", request) && gdb->has_specials) {
        fake_gdb_answer(gdb, "l<target><architecture>arm</architecture>"
                             "<feature name=\"org.gnu.gdb.arm.m-profile\"/>"
                             "<reg name=\"msp\" bitsize=\"32\" regnum=\"92\"/>"
                             "<xi:include href=\"more.xml\"/></target>");
    } else if (is_at("qXfer:features:read:more.xml:0,", request)) {
        fake_gdb_answer(gdb, "l<feature><reg name='xpsr' regnum='25'/><reg name='psp'/></feature>");
    } else if (is_at("qXfer:auxv:read::", request) && gdb->process) {
        fake_gdb_answer(gdb, "l");
    } else if (strncmp(request, "qXfer:features:read:target.xml:0,", 33) == 0) {
        fake_gdb_answer(gdb, gdb->m_profile
                                 ? "l<target><feature name=\"org.gnu.gdb.arm.m-profile\"/></target>"
                                 : "l<target><architecture>arm</architecture></target>");
    } else {
        fake_gdb_answer(gdb, "");
    }
}

static void take_request(struct fake_gdb *gdb, const char *request)
{
    if (is_at(gdb->close_at, request)) {
        gdb->stream.closed = true;
        return;
    }
    if (gdb->nak_count > 0) {
        gdb->nak_count--;
        fake_stream_put(&gdb->stream, "-", 1);
        return;
    }
    note(gdb, request);
    gdb->stream.mute = gdb->stream.mute || is_at(gdb->mute_at, request);
    if (!gdb->no_ack)
        fake_stream_put(&gdb->stream, "+", 1);
    if (gdb->kind == FAKE_DEAF && gdb->running)
        snprintf(gdb->kept, sizeof(gdb->kept), "%s", request);
    else
        serve_request(gdb, request);
}

static void take_interrupt(struct fake_gdb *gdb)
{
    note(gdb, "^C");
    if (is_at(gdb->close_at, "^C")) {
        gdb->stream.closed = true;
        gdb->halted_by_client = true;
        return;
    }
    if (gdb->break_at_interrupt && gdb->running) {
        fake_gdb_stop(gdb, 5);
        gdb->remembered_interrupt = gdb->kind == FAKE_OPENOCD;
    } else if (gdb->running) {
        gdb->halted_by_client = true;
        fake_gdb_stop(gdb, 2);
    }
    if (gdb->kept[0] != '\0')
        serve_request(gdb, gdb->kept);
    gdb->kept[0] = '\0';
}

/* QEMU: what is left of a request whose first byte was eaten is no packet any more. */
static bool eaten(struct fake_gdb *gdb, char byte)
{
    if (gdb->kind != FAKE_QEMU || byte == '\003')
        return false;
    if (byte == '+' && gdb->unacked) {
        gdb->unacked = false;
        return true;
    }
    if (!gdb->running)
        return false;
    note(gdb, "eaten");
    gdb->halted_by_client = true;
    fake_gdb_stop(gdb, 2);
    return true;
}

/* As gdbserver does for the ack of an answer, and hears nothing else. */
static bool is_waiting(const struct fake_gdb *gdb)
{
    return gdb->kind == FAKE_DEAF && gdb->damaging && gdb->unacked;
}

static void serve(void *server, const char *bytes, size_t len)
{
    struct fake_gdb *gdb = server;
    struct gdbmi_rsp_message message;
    size_t used;

    for (; len > 0 && !gdb->stream.closed; bytes++, len--) {
        if (eaten(gdb, *bytes))
            continue;
        if (*bytes == '\003' && !gdbmi_rsp_inside(gdb->reader)) {
            take_interrupt(gdb);
            continue;
        }
        int result = gdbmi_rsp_feed(gdb->reader, bytes, 1, &used, &message);
        if (result < 0)
            abort();
        if (result == 1 && message.kind == GDBMI_RSP_ACK && gdb->kind == FAKE_DEAF)
            gdb->unacked = false;
        if (result == 1 && message.kind == GDBMI_RSP_PACKET && !is_waiting(gdb))
            take_request(gdb, message.data);
        else if (result == 1 && message.kind == GDBMI_RSP_NAK)
            fake_stream_put(&gdb->stream, gdb->last, gdb->last_len);
    }
}

void fake_gdb_init(struct fake_gdb *gdb, enum fake_kind kind, bool running)
{
    memset(gdb, 0, sizeof(*gdb));
    fake_stream_init(&gdb->stream, serve, gdb);
    gdb->reader = gdbmi_rsp_reader_new();
    if (gdb->reader == NULL)
        abort();
    gdb->kind = kind;
    gdb->packet_size = 1024;
    gdb->offers_no_ack = kind == FAKE_OPENOCD;
    gdb->halted_by_client = running;
    gdb->knows_p = true;
    gdb->sp = RAM;
    gdb->connect_signal = running ? 2 : 5;
    gdb->non_stop.threads = 1;
    if (kind == FAKE_QEMU && running)
        fake_gdb_stop(gdb, 2);
}

void fake_gdb_free(struct fake_gdb *gdb)
{
    gdbmi_rsp_reader_free(gdb->reader);
    fake_stream_free(&gdb->stream);
}
