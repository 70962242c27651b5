/* SPDX-License-Identifier: 0BSD */
/* Memory through OpenOCD's Tcl port: in pieces that keep the server busy for a short time each. */
#include "tcl_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

/* Elements. OpenOCD serves nobody else during a command; see link_cost_piece(). Besides the words a
 * command has three or four more scans, so that shorter ones are mostly overhead. */
#define PIECE_MIN   32U
#define PIECE_FIRST 64U
#define PIECE_MAX   512U
#define GROWTH_MAX  4U
#define WRITE_MAX   256U
/* Bytes that an element costs the time of: a word's. */
#define ELEMENT 4U

struct piece {
    uint64_t addr;
    unsigned width; /* bytes of an element */
    unsigned count;
};

void tcl_memory_init(struct tcl_memory *memory, struct tcl_port *port, struct gdbmi_link *link,
                     bool big_endian)
{
    *memory = (struct tcl_memory){
        .port = port, .link = link, .big_endian = big_endian, .piece = PIECE_FIRST};
}

enum gdbmi_state tcl_memory_state(const char *word)
{
    if (strcmp(word, "halted") == 0)
        return GDBMI_STATE_HALTED;
    return strcmp(word, "running") == 0 ? GDBMI_STATE_RUNNING : GDBMI_STATE_UNKNOWN;
}

/* What to move next: words where they are aligned, bytes at the edges. */
static struct piece next_piece(uint64_t addr, size_t left, unsigned max)
{
    unsigned to_word = (unsigned)(-addr & 3U);

    if (to_word == 0 && left >= 4)
        return (struct piece){addr, 4, left / 4 < max ? (unsigned)(left / 4) : max};
    unsigned bytes = to_word != 0 && to_word < left ? to_word : (unsigned)(left < 4 ? left : 4);
    return (struct piece){addr, 1, bytes};
}

/* Puts the piece's numbers into bytes, in the target's order. */
static bool take_numbers(const struct tcl_memory *memory, const struct piece *piece,
                         const char *text, unsigned char *bytes)
{
    for (unsigned i = 0; i < piece->count; i++) {
        char *end;
        unsigned long long value = strtoull(text, &end, 16);
        if (end == text || value >> 8 * piece->width != 0)
            return false;
        for (unsigned at = 0; at < piece->width; at++) {
            unsigned shift = 8 * (memory->big_endian ? piece->width - 1 - at : at);
            *bytes++ = (unsigned char)(value >> shift);
        }
        text = end;
    }
    return *text == '\0';
}

static enum gdbmi_code ask(struct tcl_memory *memory, const struct piece *piece,
                           struct gdbmi_error *error)
{
    char script[192];
    char query[96];

    snprintf(script, sizeof(script), "%s read_memory 0x%" PRIx64 " %u %u%s", memory->link->target,
             piece->addr, piece->width * 8, piece->count, memory->physical ? " phys" : "");
    snprintf(query, sizeof(query), "%s curstate", memory->link->target);
    return tcl_port_queue(memory->port, script, query, error);
}

static enum gdbmi_code receive_piece(struct tcl_memory *memory, const struct piece *piece,
                                     unsigned char *bytes, enum gdbmi_state *state,
                                     struct gdbmi_error *error)
{
    struct tcl_answer answer;

    enum gdbmi_code code = tcl_port_take(memory->port, &answer, error);
    if (code != GDBMI_OK)
        return code;
    if (!take_numbers(memory, piece, answer.text, bytes)) {
        memory->port->useless = true;
        return gdbmi_error_set(error, GDBMI_EPROTOCOL,
                               "%s: the answer to a read of %u bytes is not numbers: %.40s",
                               memory->port->address, piece->width * piece->count, answer.text);
    }
    *state = tcl_memory_state(answer.state);
    return GDBMI_OK;
}

/* Pieces were read. The next ones may be as long as the time of those before allows. */
static void adapt(struct tcl_memory *memory, unsigned pieces, unsigned elements, uint64_t since_ns)
{
    link_cost_add(&memory->link->cost, pieces, (size_t)elements * ELEMENT,
                  clock_now_ns() - since_ns);
    size_t fits = link_cost_piece(&memory->link->cost, (size_t)PIECE_MIN * ELEMENT,
                                  (size_t)PIECE_MAX * ELEMENT) /
                  ELEMENT;

    if (fits > (size_t)memory->piece * GROWTH_MAX)
        fits = (size_t)memory->piece * GROWTH_MAX;
    memory->piece = (unsigned)fits;
}

/* Reads as many pieces as may be under way at once. Where one can't be read, the answers to the
 * others are taken all the same. Returns how far it came in *done. */
static enum gdbmi_code read_some(struct tcl_memory *memory, uint64_t addr, unsigned char *bytes,
                                 size_t len, size_t *done, enum gdbmi_state *state,
                                 struct gdbmi_error *error)
{
    struct piece pieces[TCL_PIPE_MAX];
    enum gdbmi_code code = GDBMI_OK;
    enum gdbmi_state later;
    unsigned elements = 0;
    unsigned count = 0;
    size_t at = 0;

    for (; code == GDBMI_OK && count < TCL_PIPE_MAX && at < len; count++) {
        pieces[count] = next_piece(addr + at, len - at, memory->piece);
        at += (size_t)pieces[count].width * pieces[count].count;
        elements += pieces[count].count;
        code = ask(memory, &pieces[count], error);
    }
    uint64_t since = clock_now_ns();
    if (code == GDBMI_OK)
        code = tcl_port_send(memory->port, error);
    if (code != GDBMI_OK)
        return code;
    for (unsigned i = 0; i < count; i++) {
        unsigned char *to = bytes + (pieces[i].addr - addr);
        enum gdbmi_code taken =
            receive_piece(memory, &pieces[i], to, i == 0 ? state : &later, error);
        if (taken != GDBMI_OK)
            code = taken;
        if (taken != GDBMI_OK && taken != GDBMI_ETARGET)
            return code;
    }
    if (code == GDBMI_OK)
        adapt(memory, count, elements, since);
    *done = at;
    return code;
}

enum gdbmi_code tcl_memory_read(struct tcl_memory *memory, uint64_t addr, void *bytes, size_t len,
                                enum gdbmi_state *state, struct gdbmi_error *error)
{
    enum gdbmi_state first = GDBMI_STATE_UNKNOWN;
    enum gdbmi_state later;
    enum gdbmi_code code = GDBMI_OK;
    unsigned char *to = bytes;
    size_t done = 0;

    for (size_t at = 0; code == GDBMI_OK && at < len; at += done) {
        if (at > 0)
            code = link_go_on(memory->link, error);
        if (code == GDBMI_OK)
            code = read_some(memory, addr + at, to + at, len - at, &done, at == 0 ? &first : &later,
                             error);
    }
    if (code == GDBMI_OK && state != NULL)
        *state = first;
    return code;
}

static uint32_t value_of(const struct tcl_memory *memory, const unsigned char *bytes,
                         unsigned width)
{
    uint32_t value = 0;

    for (unsigned at = 0; at < width; at++)
        value |= (uint32_t)bytes[at] << 8 * (memory->big_endian ? width - 1 - at : at);
    return value;
}

uint32_t tcl_memory_word(const struct tcl_memory *memory, const unsigned char bytes[4])
{
    return value_of(memory, bytes, 4);
}

static enum gdbmi_code write_piece(struct tcl_memory *memory, const struct piece *piece,
                                   const unsigned char *bytes, struct gdbmi_error *error)
{
    char script[WRITE_MAX * 11 + 192];
    char *result = NULL;

    size_t len = (size_t)snprintf(script, sizeof(script), "%s write_memory 0x%" PRIx64 " %u {",
                                  memory->link->target, piece->addr, piece->width * 8);
    for (unsigned i = 0; i < piece->count; i++) {
        uint32_t value = value_of(memory, bytes + (size_t)i * piece->width, piece->width);
        len += (size_t)snprintf(script + len, sizeof(script) - len, "%s0x%" PRIx32,
                                i > 0 ? " " : "", value);
    }
    snprintf(script + len, sizeof(script) - len, "}");
    enum gdbmi_code code = tcl_port_run(memory->port, script, &result, error);
    free(result);
    return code;
}

enum gdbmi_code tcl_memory_write(struct tcl_memory *memory, uint64_t addr, const void *bytes,
                                 size_t len, struct gdbmi_error *error)
{
    unsigned max = memory->piece < WRITE_MAX ? memory->piece : WRITE_MAX;
    const unsigned char *from = bytes;
    enum gdbmi_code code = GDBMI_OK;
    size_t at = 0;

    while (code == GDBMI_OK && at < len) {
        struct piece piece = next_piece(addr + at, len - at, max);
        code = write_piece(memory, &piece, from + at, error);
        at += (size_t)piece.width * piece.count;
    }
    return code;
}
