/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a gdb for the instructions of an ELF file. */
#include <code/disasm.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/monotonic.h>
#include <gdbmi/gdb.h>

#include "disasm_parse.h"
#include "mapping.h"

#define FIND_ROOM 4096

/* Bytes that are asked for at once. An answer is one line of 1 MB at most; where names of thousands
 * of characters make it longer than that, less is asked for. */
#define CHUNK       1024
#define CHUNK_SMALL 32

#define START_S  30.0
#define ANSWER_S 10.0
#define LIST_S   60.0

/* How long Ctrl-C may go unnoticed. */
#define STOP_MS 50

/* What gdb was asked for last. */
enum asked {
    ASKED_NOTHING,
    ASKED_PROMPT,
    ASKED_FILE,
    ASKED_PLACE, /* the same file, where the program was loaded */
    ASKED_CODE,
    ASKED_DATA,
};

struct disasm {
    char *path;
    char *command;
    double least_s; /* gdb has at least that for each thing */
    uint64_t len;   /* of the file, bytes */
    struct mapping mapping;
    struct gdbmi_gdb *gdb;
    uint64_t bias;
    unsigned chunk;
    enum asked asked;
    double answer_s; /* when the answer is too late */
    /* What is wanted; NULL: nothing is. */
    struct listing *listing;
    uint64_t addr, at, end; /* it is listed up to at */
    uint64_t stop;          /* what was asked for ends there */
    double until_s;
};

/* The first of two names that is a program in the PATH; NULL: none. */
static const char *find_gdb(void)
{
    static const char *const names[] = {"gdb-multiarch", "gdb"};
    const char *paths = getenv("PATH");
    char path[FIND_ROOM];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        for (const char *at = paths; at && *at; at += strspn(at, ":")) {
            size_t len = strcspn(at, ":");
            snprintf(path, sizeof(path), "%.*s/%s", (int)len, at, names[i]);
            if (access(path, X_OK) == 0)
                return names[i];
            at += len;
        }
    }
    return NULL;
}

/* A path as a C string in an MI command. */
static bool quote(const char *path, char *out, size_t capacity)
{
    size_t len = 0;

    for (; *path; path++) {
        if (len + 3 > capacity || (unsigned char)*path < ' ')
            return false;
        if (*path == '"' || *path == '\\')
            out[len++] = '\\';
        out[len++] = *path;
    }
    out[len] = '\0';
    return true;
}

static bool ask(struct disasm *d, enum asked asked, const char *command, char *text,
                size_t capacity)
{
    struct gdbmi_error error;

    if (gdbmi_gdb_send(d->gdb, command, &error) != GDBMI_OK) {
        snprintf(text, capacity, "%s", error.text);
        return false;
    }
    d->asked = asked;
    d->answer_s = monotonic_s() + fmax(ANSWER_S, d->least_s);
    return true;
}

static bool ask_file(struct disasm *d, char *text, size_t capacity)
{
    char path[FIND_ROOM], command[FIND_ROOM + 64];

    if (!quote(d->path, path, sizeof(path))) {
        snprintf(text, capacity, "%s: gdb cannot open a file of this name", d->path);
        return false;
    }
    snprintf(command, sizeof(command), "-file-exec-and-symbols \"%s\"", path);
    return ask(d, ASKED_FILE, command, text, capacity);
}

/* gdb's command line asks for a path in words of its own, where a backslash counts. */
static bool ask_place(struct disasm *d, char *text, size_t capacity)
{
    char word[FIND_ROOM], again[FIND_ROOM], command[2 * FIND_ROOM];

    if (!quote(d->path, word, sizeof(word))) {
        snprintf(text, capacity, "%s: gdb cannot open a file of this name", d->path);
        return false;
    }
    snprintf(command, sizeof(command), "add-symbol-file \"%s\" -o 0x%" PRIx64, word, d->bias);
    if (!quote(command, again, sizeof(again))) {
        snprintf(text, capacity, "%s: the file name is too long for gdb", d->path);
        return false;
    }
    snprintf(command, sizeof(command), "-interpreter-exec console \"%s\"", again);
    return ask(d, ASKED_PLACE, command, text, capacity);
}

static bool start(struct disasm *d, char *text, size_t capacity)
{
    struct gdbmi_error error;

    gdbmi_gdb_kill(d->gdb);
    d->gdb = NULL;
    if (gdbmi_gdb_begin(d->command, d->len, &d->gdb, &error) != GDBMI_OK) {
        snprintf(text, capacity, "%s", error.text);
        return false;
    }
    d->asked = ASKED_PROMPT;
    d->answer_s = monotonic_s() + fmax(START_S, d->least_s);
    return true;
}

bool disasm_open(const char *path, const struct disasm_gdb *gdb, uint64_t bias,
                 struct disasm **disasm, char *text, size_t capacity)
{
    struct disasm *d = calloc(1, sizeof(*d));
    const char *command = gdb->command ? gdb->command : find_gdb();
    bool done = false;

    if (!command)
        snprintf(text, capacity,
                 "neither gdb-multiarch nor gdb is in PATH: install gdb-multiarch, or give a gdb "
                 "with --disassembler");
    else
        snprintf(text, capacity, "out of memory");
    if (d) {
        d->path = strdup(path);
        d->command = command ? strdup(command) : NULL;
        d->least_s = gdb->timeout_ms / 1e3;
        d->bias = bias;
        d->chunk = CHUNK;
        done = d->path && d->command && mapping_read(path, &d->mapping, &d->len, text, capacity) &&
               start(d, text, capacity);
    }
    if (done)
        *disasm = d;
    else
        disasm_close(d);
    return done;
}

void disasm_close(struct disasm *disasm)
{
    if (!disasm)
        return;
    gdbmi_gdb_kill(disasm->gdb);
    mapping_free(&disasm->mapping);
    free(disasm->command);
    free(disasm->path);
    free(disasm);
}

int disasm_fd(const struct disasm *disasm)
{
    return disasm->gdb ? gdbmi_gdb_fd(disasm->gdb) : -1;
}

void disasm_want(struct disasm *disasm, uint64_t addr, uint64_t size, struct listing *listing)
{
    disasm->listing = listing;
    disasm->addr = disasm->at = addr;
    disasm->end = addr + size;
    disasm->until_s =
        monotonic_s() + fmax(START_S, disasm->least_s) + fmax(LIST_S, disasm->least_s);
}

/* The next piece of what is wanted. */
static bool ask_piece(struct disasm *d, char *text, size_t capacity)
{
    uint64_t stop, bias = d->bias;
    char command[120];

    bool data = mapping_is_data(&d->mapping, d->at - bias, d->end - bias, &stop);
    unsigned chunk = data ? CHUNK : d->chunk;
    d->stop = stop + bias;
    uint64_t to = d->stop - d->at > chunk ? d->at + chunk : d->stop;
    if (data) {
        d->stop = to;
        snprintf(command, sizeof(command), "-data-read-memory-bytes 0x%" PRIx64 " %" PRIu64, d->at,
                 to - d->at);
    } else {
        snprintf(command, sizeof(command),
                 "-data-disassemble -s 0x%" PRIx64 " -e 0x%" PRIx64 " -- 2", d->at, to);
    }
    return ask(d, data ? ASKED_DATA : ASKED_CODE, command, text, capacity);
}

static bool take_piece(struct disasm *d, const struct gdbmi_mi_message *answer, char *text,
                       size_t capacity)
{
    uint64_t from = d->at;
    bool taken;

    if (d->asked == ASKED_DATA) {
        taken = disasm_take_data(answer->results, from, d->stop, d->mapping.big_endian, d->listing);
        d->at = d->stop;
    } else {
        taken = disasm_take(answer->results, d->stop, d->listing, &d->at) && d->at != from;
    }
    if (!taken)
        snprintf(text, capacity, "%s: no valid instruction at 0x%" PRIx64, d->path, from);
    return taken;
}

/* What follows an answer. */
static bool go_on(struct disasm *d, const struct gdbmi_mi_message *answer, char *text,
                  size_t capacity)
{
    enum asked asked = d->asked;

    d->asked = ASKED_NOTHING;
    switch (asked) {
    case ASKED_PROMPT:
        return ask_file(d, text, capacity);
    case ASKED_FILE:
        return d->bias == 0 || ask_place(d, text, capacity);
    case ASKED_CODE:
    case ASKED_DATA:
        d->asked = asked;
        if (!take_piece(d, answer, text, capacity))
            return false;
        d->asked = ASKED_NOTHING;
        break;
    case ASKED_PLACE:
    case ASKED_NOTHING:
        break;
    }
    return true;
}

/* An answer that has not come. */
static bool wait_on(struct disasm *d, char *text, size_t capacity)
{
    if (monotonic_s() < d->answer_s)
        return true;
    if (d->asked == ASKED_PROMPT)
        snprintf(text, capacity, "%s: gdb showed no prompt within %.0f s", d->command,
                 fmax(START_S, d->least_s));
    else
        snprintf(text, capacity, "%s: gdb did not answer within %.0f s", d->command,
                 fmax(ANSWER_S, d->least_s));
    return false;
}

static bool take_answer(struct disasm *d, int wait_ms, bool *waits, char *text, size_t capacity)
{
    struct gdbmi_mi_message answer;
    struct gdbmi_error error = {.code = GDBMI_OK};

    enum gdbmi_code code = gdbmi_gdb_take(d->gdb, wait_ms, &answer, &error);
    *waits = code == GDBMI_ETIMEOUT;
    if (code == GDBMI_ETIMEOUT)
        return wait_on(d, text, capacity);
    if (code == GDBMI_OK)
        return go_on(d, &answer, text, capacity);
    if (code == GDBMI_EPROTOCOL && d->asked == ASKED_CODE && d->chunk != CHUNK_SMALL) {
        d->chunk = CHUNK_SMALL;
        return start(d, text, capacity);
    }
    snprintf(text, capacity, "%s", error.text);
    return false;
}

static bool is_possible(const struct disasm *d, char *text, size_t capacity)
{
    bool possible = d->end >= d->addr && d->end - d->addr <= DISASM_MAX;

    if (!possible)
        snprintf(text, capacity, "%s: a function of %" PRIu64 " bytes is too long to disassemble",
                 d->path, d->end - d->addr);
    else if (monotonic_s() > d->until_s)
        snprintf(text, capacity, "%s: gdb took longer than %.0f s", d->path,
                 fmax(LIST_S, d->least_s));
    return possible && monotonic_s() <= d->until_s;
}

/* So many answers in one step that does not wait: each takes a millisecond or more to read. */
#define PIECES_MAX 8

enum disasm_progress disasm_step(struct disasm *disasm, int wait_ms, char *text, size_t capacity)
{
    struct disasm *d = disasm;
    bool waits = false;
    bool fine = d->gdb != NULL && is_possible(d, text, capacity);

    for (int i = 0; fine && !waits && i < PIECES_MAX; i++) {
        if (d->asked != ASKED_NOTHING)
            fine = take_answer(d, wait_ms, &waits, text, capacity);
        if (!fine || d->asked != ASKED_NOTHING)
            continue;
        if (!d->listing || d->at >= d->end) {
            d->listing = NULL;
            return DISASM_DONE;
        }
        fine = ask_piece(d, text, capacity);
    }
    if (fine)
        return DISASM_WORKS;
    gdbmi_gdb_kill(d->gdb);
    d->gdb = NULL;
    d->listing = NULL;
    return DISASM_FAILED;
}

bool disasm_list(struct disasm *disasm, uint64_t addr, uint64_t size, struct listing *listing,
                 bool (*stop)(void), char *text, size_t capacity)
{
    enum disasm_progress progress = DISASM_WORKS;

    disasm_want(disasm, addr, size, listing);
    while (progress == DISASM_WORKS && !stop())
        progress = disasm_step(disasm, STOP_MS, text, capacity);
    if (progress == DISASM_WORKS)
        snprintf(text, capacity, "%s: disassembly was interrupted", disasm->path);
    return progress == DISASM_DONE;
}
