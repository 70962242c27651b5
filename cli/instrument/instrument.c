/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads an ELF file, finds its sites, and writes and compares copies of it. */
#define _POSIX_C_SOURCE 200809L

#include <instrument/instrument.h>

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/atomic_write.h>
#include <base/file.h>
#include <instrument/site.h>

#include "left_alone.h"
#include "load_map.h"

/* Of e_flags: compressed instructions (RISC-V ELF psABI). */
#define RISCV_RVC 1U

struct instrument {
    const char *path; /* borrowed from symtab */
    const struct symtab *symtab;
    const struct site_machine *machine;
    uint64_t hook;
    uint8_t *bytes; /* of the file; owned, as all below */
    size_t len;
    mode_t mode;
    struct load_map map;
    struct left_alone *functions;
    struct instrument_site *sites; /* as many, in the same order */
    size_t count;
};

static bool refuse(char *text, size_t capacity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(char *text, size_t capacity, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(text, capacity, format, args);
    va_end(args);
    return false;
}

static bool read_file(const char *path, uint8_t **bytes, size_t *len, mode_t *mode, char *text,
                      size_t capacity)
{
    char why[FILE_WHY_MAX];
    struct stat about;
    int fd = file_open(path, "an ELF file", &about, why);

    if (fd < 0)
        return refuse(text, capacity, "%s: %s", path, why);
    *mode = about.st_mode & 0777;
    *bytes = malloc((size_t)about.st_size + 1);
    bool fine = *bytes && file_read(fd, *bytes, (size_t)about.st_size, len);
    int saved = *bytes ? errno : ENOMEM;
    close(fd);
    if (fine)
        return true;
    free(*bytes);
    *bytes = NULL;
    return refuse(text, capacity, "%s: %s", path, strerror(saved));
}

static bool choose_machine(struct instrument *in, char *text, size_t capacity)
{
    in->machine = site_machine_of(symtab_elf(in->symtab));
    if (!in->machine)
        return refuse(text, capacity,
                      "%s is not for a Cortex-M, RISC-V or x86-64 (little-endian), the machines "
                      "that 'mprof instrument' knows",
                      in->path);
    if (symtab_is_stripped(in->symtab))
        return refuse(text, capacity,
                      "%s has no symbol table, from which functions are known: give the "
                      "file from before 'strip'",
                      in->path);
    if (!site_find_hook(in->symtab, &in->hook))
        return refuse(text, capacity,
                      "%s has no function " SITE_HOOK ": link it with the stub and "
                      "-Wl,-u," SITE_HOOK " (options MPROF_TRACE_CNT and MPROF_PATCHED)",
                      in->path);
    return true;
}

/* Sites are changed where the function's bytes are in the file. */
static void find_code(struct instrument *in, size_t i, const struct symtab_function *f)
{
    struct left_alone *l = &in->functions[i];

    l->function = f;
    in->sites[i] = (struct instrument_site){.function = f, .addr = f->addr};
    l->code = (struct site_code){.addr = f->addr, .addr_size = symtab_elf(in->symtab)->addr_size};
    if (!load_map_find(&in->map, f->addr, f->size, &in->sites[i].offset))
        return;
    l->code.bytes = in->bytes + in->sites[i].offset;
    l->code.len = f->size;
}

/* Returns why a function with nops must be left alone, or NULL. */
static const char *reason(const struct instrument *in, size_t i, const struct site *site)
{
    const struct site_machine *m = in->machine;
    const struct left_alone *l = &in->functions[i];
    uint64_t addr = in->sites[i].addr;
    uint8_t call[SITE_MAX];

    if (l->why)
        return l->why;
    if (l->function->is_label)
        return "is a label, not a function";
    if (i + 1 < in->count && in->functions[i + 1].function->addr < addr + m->size)
        return "has another function in its nops";
    const char *why = m->refuse(&l->code, site->at + m->size);
    return why || m->encode(addr, in->hook, call) ? why : m->far;
}

static void judge(struct instrument *in, size_t i)
{
    const struct site_machine *m = in->machine;
    const struct left_alone *l = &in->functions[i];
    struct instrument_site *s = &in->sites[i];
    struct site site;

    if (!l->code.bytes || !site_find(m, &l->code, in->hook, &site)) {
        s->state = INSTRUMENT_BARE;
        s->why = l->code.bytes ? "has no nops at its start" : "is not loaded from the file";
        return;
    }
    s->addr += site.at;
    s->offset += site.at;
    s->landing = site.at != 0;
    s->nops = site.nops;
    s->calls = m->calls + site.after;
    s->why = reason(in, i, &site);
    s->state = s->why ? INSTRUMENT_REFUSED : site.calls ? INSTRUMENT_CALLS : INSTRUMENT_FREE;
}

/* Before any result is used, all functions are known. */
static bool find_sites(struct instrument *in)
{
    const struct symtab_function *functions = symtab_functions(in->symtab, &in->count);

    in->functions = calloc(in->count + 1, sizeof(*in->functions));
    in->sites = calloc(in->count + 1, sizeof(*in->sites));
    if (!in->functions || !in->sites)
        return false;
    for (size_t i = 0; i < in->count; i++)
        find_code(in, i, &functions[i]);
    if (!left_alone_mark(in->machine, in->hook, in->functions, in->count))
        return false;
    for (size_t i = 0; i < in->count; i++)
        judge(in, i);
    return true;
}

static bool open_all(struct instrument *in, char *text, size_t capacity)
{
    if (!choose_machine(in, text, capacity) ||
        !read_file(in->path, &in->bytes, &in->len, &in->mode, text, capacity))
        return false;
    if (!load_map_read(&in->map, in->bytes, in->len))
        return refuse(text, capacity, "%s: its program headers are damaged", in->path);
    return find_sites(in) || refuse(text, capacity, "%s: out of memory", in->path);
}

struct instrument *instrument_open(const char *path, const struct symtab *symtab, char *text,
                                   size_t capacity)
{
    struct instrument *in = calloc(1, sizeof(*in));

    if (!in) {
        refuse(text, capacity, "%s: out of memory", path);
        return NULL;
    }
    in->path = symtab_elf(symtab)->path;
    in->symtab = symtab;
    if (open_all(in, text, capacity))
        return in;
    instrument_free(in);
    return NULL;
}

void instrument_free(struct instrument *instrument)
{
    if (!instrument)
        return;
    load_map_free(&instrument->map);
    free(instrument->bytes);
    free(instrument->functions);
    free(instrument->sites);
    free(instrument);
}

struct instrument_site *instrument_sites(struct instrument *instrument, size_t *count)
{
    *count = instrument->count;
    return instrument->sites;
}

const char *instrument_option(const struct instrument *instrument)
{
    return instrument->machine->option;
}

/* Returns how often the file's functions have a nop of 2 bytes. */
static size_t count_nops(const struct instrument *in, const uint8_t nop[2])
{
    size_t count = 0;

    for (size_t i = 0; i < in->count; i++) {
        const struct site_code *code = &in->functions[i].code;
        for (size_t at = 0; at + 2 <= code->len; at += 2)
            count += memcmp(code->bytes + at, nop, 2) == 0;
    }
    return count;
}

/* Returns the nops that the compiler probably wrote where no site shows it. */
static const uint8_t *usual_nops(const struct instrument *in)
{
    const struct site_machine *m = in->machine;
    bool second = m->machine == EM_RISCV && !(in->map.flags & RISCV_RVC);

    if (m->machine == EM_ARM)
        second = count_nops(in, m->nops[1]) > count_nops(in, m->nops[0]);
    return m->nops[second];
}

/* Returns the nops that stood at a site which calls the hook: as at the nearest one that does not.
 */
static const uint8_t *nops_at(const struct instrument *in, size_t index)
{
    for (size_t away = 1; away < in->count; away++) {
        if (index >= away && in->sites[index - away].state == INSTRUMENT_FREE)
            return in->bytes + in->sites[index - away].offset;
        if (index + away < in->count && in->sites[index + away].state == INSTRUMENT_FREE)
            return in->bytes + in->sites[index + away].offset;
    }
    return usual_nops(in);
}

/* Writes what the site is in the copy. */
static void write_site(const struct instrument *in, size_t index, uint8_t *to)
{
    const struct instrument_site *s = &in->sites[index];
    uint8_t call[SITE_MAX];

    if (s->chosen && in->machine->encode(s->addr, in->hook, call))
        memcpy(to, call, in->machine->size);
    else if (s->state == INSTRUMENT_CALLS)
        memcpy(to, nops_at(in, index), in->machine->size);
}

unsigned instrument_site_size(const struct instrument *instrument)
{
    return instrument->machine->size;
}

bool instrument_site_is_whole(const struct instrument *instrument, size_t index)
{
    const struct site_machine *m = instrument->machine;

    return m->line == 0 || instrument->sites[index].addr % m->line + m->size <= m->line;
}

void instrument_site_bytes(const struct instrument *instrument, size_t index,
                           uint8_t without[INSTRUMENT_SITE_MAX], uint8_t with[INSTRUMENT_SITE_MAX])
{
    const struct instrument *in = instrument;
    const struct instrument_site *s = &in->sites[index];

    memcpy(without, s->state == INSTRUMENT_CALLS ? nops_at(in, index) : in->bytes + s->offset,
           in->machine->size);
    (void)in->machine->encode(s->addr, in->hook, with);
}

static bool write_bytes(const struct instrument *in, const uint8_t *bytes, const char *path)
{
    struct atomic_write file;

    if (!atomic_write_open(&file, path, false))
        return false;
    bool done = fwrite(bytes, 1, in->len, file.out) == in->len;
    return atomic_write_close(&file, done) &&
           (!atomic_write_stands(path) || chmod(path, in->mode) == 0);
}

bool instrument_write(const struct instrument *instrument, const char *path, char *text,
                      size_t capacity)
{
    const struct instrument *in = instrument;
    uint8_t *bytes = malloc(in->len + 1);

    if (!bytes)
        return refuse(text, capacity, "%s: out of memory", in->path);
    memcpy(bytes, in->bytes, in->len);
    for (size_t i = 0; i < in->count; i++) {
        if (!in->sites[i].why)
            write_site(in, i, bytes + in->sites[i].offset);
    }
    bool done = write_bytes(in, bytes, path);
    int saved = errno;
    free(bytes);
    return done || refuse(text, capacity, "%s: cannot write it: %s", path, strerror(saved));
}

/* Whether the site is nops or a call of the hook in the other file, which is counted. */
static bool is_site(const struct instrument *in, const struct instrument_site *s,
                    const uint8_t *other, size_t *calls)
{
    const struct site_machine *m = in->machine;
    const struct site_code code = {.addr = s->addr, .bytes = other, .len = m->size};
    struct site site;

    if (!site_find(m, &code, in->hook, &site) || site.at != 0)
        return false;
    *calls += site.calls;
    return true;
}

/* Makes the sites of bytes, another file, equal to those of the file. */
static bool level_sites(const struct instrument *in, uint8_t *bytes, const char *path,
                        size_t *calls, char *text, size_t capacity)
{
    for (size_t i = 0; i < in->count; i++) {
        const struct instrument_site *s = &in->sites[i];
        if (s->why)
            continue;
        if (!is_site(in, s, bytes + s->offset, calls))
            return refuse(text, capacity,
                          "%s: the site of %s at 0x%" PRIx64 " is neither nops nor a call of the "
                          "hook",
                          path, s->function->name, s->addr);
        memcpy(bytes + s->offset, in->bytes + s->offset, in->machine->size);
    }
    return true;
}

/* Names a byte of the file by the function that has it. */
static bool say_differs(const struct instrument *in, const char *path, size_t at, char *text,
                        size_t capacity)
{
    for (size_t i = 0; i < in->count; i++) {
        const struct site_code *code = &in->functions[i].code;
        size_t from = code->bytes ? (size_t)(code->bytes - in->bytes) : 0;
        if (code->bytes && at >= from && at - from < code->len)
            return refuse(text, capacity,
                          "%s differs from %s at %s+0x%zx, byte 0x%zx of the file, which is not in "
                          "a site that can be chosen",
                          path, in->path, in->functions[i].function->name, at - from, at);
    }
    return refuse(text, capacity, "%s differs from %s at byte 0x%zx of the file, outside of sites",
                  path, in->path, at);
}

static bool compare(const struct instrument *in, uint8_t *bytes, size_t len, const char *path,
                    size_t *calls, char *text, size_t capacity)
{
    size_t at = 0;

    if (len != in->len)
        return refuse(text, capacity, "%s has %zu bytes, but %s has %zu", path, len, in->path,
                      in->len);
    if (!level_sites(in, bytes, path, calls, text, capacity))
        return false;
    while (at < len && bytes[at] == in->bytes[at])
        at++;
    return at == len || say_differs(in, path, at, text, capacity);
}

bool instrument_check(const struct instrument *instrument, const char *path, size_t *calls,
                      char *text, size_t capacity)
{
    uint8_t *bytes;
    size_t len;
    mode_t mode;

    *calls = 0;
    if (!read_file(path, &bytes, &len, &mode, text, capacity))
        return false;
    bool same = compare(instrument, bytes, len, path, calls, text, capacity);
    free(bytes);
    return same;
}
