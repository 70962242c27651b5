/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF files that the build made: their symbol tables, and copies of them to be damaged. */
#define _POSIX_C_SOURCE 200809L

#include "symbol_checks.h"

#include <unistd.h>

#include "unit.h"

static void path_of(const char *name, char path[512])
{
    snprintf(path, 512, "%s%s", name[0] == '/' ? "" : SYMBOL_FILES "/", name);
}

struct symtab *load(const char *name)
{
    struct symtab *t = NULL;
    char path[512], text[600] = "";

    path_of(name, path);
    if (symtab_load(path, &t, text, sizeof(text)) != SYMTAB_OK)
        fail_msg("%s", text);
    return t;
}

const struct symtab_function *named(const struct symtab *t, const char *name)
{
    size_t count;
    const struct symtab_function *f = symtab_functions(t, &count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(f[i].name, name) == 0)
            return &f[i];
    return NULL;
}

const struct symtab_function *the(const struct symtab *t, const char *name)
{
    const struct symtab_function *f = named(t, name);

    if (!f)
        fail_msg("there is no function %s", name);
    return f;
}

struct elf_copy *copy_of(const char *name)
{
    struct elf_copy *copy = calloc(1, sizeof(*copy));
    char path[512];

    path_of(name, path);
    FILE *f = fopen(path, "rb");
    assert_true(copy && f);
    copy->len = fread(copy->bytes, 1, sizeof(copy->bytes), f);
    fclose(f);
    assert_in_range(copy->len, 1000, sizeof(copy->bytes) - 1);
    snprintf(copy->path, sizeof(copy->path), "%s/copy.%ld", SYMBOL_FILES, (long)getpid());
    return copy;
}

/* Some file systems write a truncated file to the disk at once. */
void write_copy(const struct elf_copy *copy, size_t len)
{
    unlink(copy->path);
    FILE *f = fopen(copy->path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(copy->bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

void free_copy(struct elf_copy *copy)
{
    unlink(copy->path);
    free(copy);
}
