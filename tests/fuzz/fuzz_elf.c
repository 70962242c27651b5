/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF files with their debug information: libelf and libdw read them, and mprof what these give. */
#define _GNU_SOURCE

#include <symbol/symtab.h>
#include <symbol/vectors.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Keeps the compiler from leaving out what is only read. */
static volatile size_t looked_at;

static void ask_function(struct symtab *t, const struct symtab_function *f)
{
    struct symtab_inlined frames[SYMTAB_INLINED_MAX];
    struct symtab_line line;
    size_t sum = strlen(f->name);

    if (f->size == 0 || symtab_find(t, f->addr) != f)
        abort();
    for (uint64_t at = 0; at < f->size && at < 32; at += 4) {
        if (symtab_find_line(t, f->addr + at, &line))
            sum += strlen(line.file);
        size_t count = symtab_find_inlined(t, f->addr + at, frames, SYMTAB_INLINED_MAX);
        for (size_t i = 0; i < count; i++)
            sum += strlen(frames[i].name);
    }
    looked_at = sum;
}

static void ask(struct symtab *t)
{
    struct symtab_table table;
    char text[400];
    uint64_t addr, size;
    size_t count;
    unsigned sum = 0;
    const struct symtab_function *f = symtab_functions(t, &count);

    for (size_t i = 0; i < count; i++) {
        if (i != 0 && f[i - 1].addr >= f[i].addr)
            abort();
        if (i < 100)
            ask_function(t, &f[i]);
    }
    (void)symtab_object(t, "symbol_object", &addr, &size);
    (void)symtab_find_table(t, "symbol_object", &table, text, sizeof(text));
    const struct symtab_segment *s = symtab_segments(t, &count);
    for (size_t i = 0; i < count; i++)
        sum += s[i].bytes[0] + s[i].bytes[s[i].len - 1];
    looked_at = sum;
}

static void ask_vectors(const struct symtab *t)
{
    struct vectors *v = vectors_new(t);
    uint64_t addr;
    char text[200];

    if (!v)
        return;
    if (vectors_count(v, &addr) > VECTORS_MAX)
        abort();
    for (unsigned n = 0; n < VECTORS_MAX; n++) {
        vectors_label(v, n, text, sizeof(text));
        if (vectors_handler(v, n, &addr) && (n >= vectors_count(v, NULL) || (addr & 1) != 0))
            abort();
    }
    vectors_free(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct symtab *t = NULL;
    char path[64], text[600] = "";
    int fd = memfd_create("fuzz.elf", MFD_CLOEXEC);

    if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
        abort();
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    enum symtab_code code = symtab_load(path, &t, text, sizeof(text));
    close(fd);
    if (code == SYMTAB_OK) {
        ask(t);
        ask_vectors(t);
    } else if (text[0] == '\0' || t) {
        abort();
    }
    symtab_free(t);
    return 0;
}
