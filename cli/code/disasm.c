/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a gdb for the instructions of an ELF file. */
#include <code/disasm.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <gdbmi/gdb.h>

#include "disasm_parse.h"
#include "mapping.h"

#define FIND_ROOM 4096

/* Bytes that are asked for at once. An answer is one line of 1 MB at most; where names of thousands
 * of characters make it longer than that, less is asked for. */
#define CHUNK       1024
#define CHUNK_SMALL 32

#define LIST_S 60

struct disasm {
    char *path;
    char *command;
    struct mapping mapping;
    struct gdbmi_gdb *gdb;
    uint64_t bias;
    unsigned chunk;
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

static bool run(struct disasm *d, const char *command, struct gdbmi_mi_message *answer, char *text,
                size_t capacity)
{
    struct gdbmi_error error;

    if (gdbmi_gdb_run(d->gdb, command, answer, &error) == GDBMI_OK)
        return true;
    snprintf(text, capacity, "%s", error.text);
    return false;
}

/* gdb's command line asks for a path in words of its own, where a backslash counts. */
static bool load_at_bias(struct disasm *d, char *text, size_t capacity)
{
    char word[FIND_ROOM], again[FIND_ROOM], command[2 * FIND_ROOM];

    if (!quote(d->path, word, sizeof(word))) {
        snprintf(text, capacity, "%s: its name is not one that gdb can be told", d->path);
        return false;
    }
    snprintf(command, sizeof(command), "add-symbol-file \"%s\" -o 0x%" PRIx64, word, d->bias);
    if (!quote(command, again, sizeof(again))) {
        snprintf(text, capacity, "%s: its name is too long for gdb", d->path);
        return false;
    }
    snprintf(command, sizeof(command), "-interpreter-exec console \"%s\"", again);
    return run(d, command, NULL, text, capacity);
}

static bool load(struct disasm *d, char *text, size_t capacity)
{
    char path[FIND_ROOM], command[FIND_ROOM + 64];

    if (!quote(d->path, path, sizeof(path))) {
        snprintf(text, capacity, "%s: its name is not one that gdb can be told", d->path);
        return false;
    }
    snprintf(command, sizeof(command), "-file-exec-and-symbols \"%s\"", path);
    return run(d, command, NULL, text, capacity) &&
           (d->bias == 0 || load_at_bias(d, text, capacity));
}

static bool start(struct disasm *d, char *text, size_t capacity)
{
    struct gdbmi_error error;

    gdbmi_gdb_close(d->gdb);
    d->gdb = NULL;
    if (gdbmi_gdb_start(d->command, 0, &d->gdb, &error) != GDBMI_OK) {
        snprintf(text, capacity, "no instructions: %s", error.text);
        return false;
    }
    return load(d, text, capacity);
}

bool disasm_open(const char *path, const char *command, struct disasm **disasm, char *text,
                 size_t capacity)
{
    struct disasm *d = calloc(1, sizeof(*d));
    const char *gdb = command ? command : find_gdb();
    bool done = false;

    if (!gdb)
        snprintf(text, capacity,
                 "no instructions: neither gdb-multiarch nor gdb is in the PATH: install "
                 "gdb-multiarch, or name a gdb with --disassembler");
    else
        snprintf(text, capacity, "out of memory");
    if (d) {
        d->path = strdup(path);
        d->command = gdb ? strdup(gdb) : NULL;
        d->chunk = CHUNK;
        done = d->path && d->command && mapping_read(path, &d->mapping, text, capacity) &&
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
    gdbmi_gdb_close(disasm->gdb);
    mapping_free(&disasm->mapping);
    free(disasm->command);
    free(disasm->path);
    free(disasm);
}

bool disasm_relocate(struct disasm *disasm, uint64_t bias, char *text, size_t capacity)
{
    disasm->bias = bias;
    return bias == 0 || load_at_bias(disasm, text, capacity);
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool no_sense(const struct disasm *d, uint64_t addr, char *text, size_t capacity)
{
    snprintf(text, capacity, "%s: no instruction that makes sense at 0x%" PRIx64, d->path, addr);
    return false;
}

/* Instructions from *at on, a chunk of them, and where they end. */
static bool list_code(struct disasm *d, uint64_t *at, uint64_t end, struct listing *listing,
                      char *text, size_t capacity)
{
    struct gdbmi_mi_message answer;
    struct gdbmi_error error;
    char command[120];
    uint64_t from = *at;
    uint64_t to = end - from > d->chunk ? from + d->chunk : end;

    snprintf(command, sizeof(command), "-data-disassemble -s 0x%" PRIx64 " -e 0x%" PRIx64 " -- 2",
             from, to);
    enum gdbmi_code code = gdbmi_gdb_run(d->gdb, command, &answer, &error);
    if (code == GDBMI_EPROTOCOL && d->chunk != CHUNK_SMALL) {
        d->chunk = CHUNK_SMALL;
        return start(d, text, capacity);
    }
    if (code != GDBMI_OK) {
        snprintf(text, capacity, "%s", error.text);
        return false;
    }
    if (!disasm_take(answer.results, end, listing, at) || *at == from)
        return no_sense(d, from, text, capacity);
    return true;
}

static bool list_data(struct disasm *d, uint64_t *at, uint64_t end, struct listing *listing,
                      char *text, size_t capacity)
{
    struct gdbmi_mi_message answer;
    char command[120];
    uint64_t to = end - *at > CHUNK ? *at + CHUNK : end;

    snprintf(command, sizeof(command), "-data-read-memory-bytes 0x%" PRIx64 " %" PRIu64, *at,
             to - *at);
    if (!run(d, command, &answer, text, capacity))
        return false;
    if (!disasm_take_data(answer.results, *at, to, d->mapping.big_endian, listing))
        return no_sense(d, *at, text, capacity);
    *at = to;
    return true;
}

bool disasm_list(struct disasm *disasm, uint64_t addr, uint64_t size, struct listing *listing,
                 char *text, size_t capacity)
{
    uint64_t end = addr + size, bias = disasm->bias;
    double until_s = now_s() + LIST_S;
    bool done = size <= DISASM_MAX && end >= addr;

    if (!done)
        snprintf(text, capacity, "%s: a function of %" PRIu64 " bytes is too long", disasm->path,
                 size);
    for (uint64_t at = addr; done && at < end;) {
        uint64_t stop;
        bool data = mapping_is_data(&disasm->mapping, at - bias, end - bias, &stop);
        if (now_s() > until_s) {
            snprintf(text, capacity, "%s: gdb takes longer than %d s", disasm->path, LIST_S);
            return false;
        }
        done = data ? list_data(disasm, &at, stop + bias, listing, text, capacity)
                    : list_code(disasm, &at, stop + bias, listing, text, capacity);
    }
    return done;
}
