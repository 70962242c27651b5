/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listings of functions: those that gdb is asked for, and those that are kept. */
#define _POSIX_C_SOURCE 200809L

#include <load/annotate_code.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <base/signals.h>

/* Functions that are kept: the oldest one goes. */
#define KEPT_MAX 32

struct kept {
    char *path;
    struct file_stamp stamp;
    uint64_t bias, addr, size;
    struct listing listing;
};

static struct {
    struct kept entries[KEPT_MAX];
    size_t next;
} kept;

time_t annotate_written_at(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 ? about.st_mtim.tv_sec : 0;
}

/* Says why not all is there. */
static void note_missing(struct annotation *annotation, const char *why)
{
    bool any = false;

    for (size_t i = 0; i < annotation->part_count; i++)
        any |= annotation->parts[i].listing.count > 0;
    annotate_note(annotation, "%s: %s", any ? "instructions are missing" : "no instructions", why);
}

void annotate_disassemble(struct annotation *annotation, const char *elf, uint64_t bias,
                          const struct disasm_gdb *gdb)
{
    struct disasm *disasm = NULL;
    char text[CODE_TEXT_MAX];

    bool done = disasm_open(elf, gdb, bias, &disasm, text, sizeof(text));
    for (size_t i = 0; done && i < annotation->part_count; i++) {
        struct annotate_part *part = &annotation->parts[i];
        done = disasm_list(disasm, part->function->addr, part->function->size, &part->listing,
                           signals_stop, text, sizeof(text));
    }
    if (!done)
        note_missing(annotation, text);
    disasm_close(disasm);
}

/* gdb reads the file that stands there now. */
static bool is_as_loaded(const struct annotate_code *c)
{
    struct file_stamp now = file_stamp_at(c->path);

    return now.size >= 0 && file_stamp_same(&now, &c->stamp);
}

static const struct kept *find_kept(const struct annotate_code *c, size_t part)
{
    for (size_t i = 0; i < KEPT_MAX; i++) {
        const struct kept *k = &kept.entries[i];
        if (k->path && k->addr == c->parts[part].addr && k->size == c->parts[part].size &&
            k->bias == c->bias && file_stamp_same(&k->stamp, &c->stamp) &&
            strcmp(k->path, c->path) == 0)
            return k;
    }
    return NULL;
}

static void forget(struct kept *k)
{
    free(k->path);
    listing_free(&k->listing);
    *k = (struct kept){.path = NULL};
}

void annotate_code_forget(void)
{
    for (size_t i = 0; i < KEPT_MAX; i++)
        forget(&kept.entries[i]);
}

static bool copy(const struct listing *from, struct listing *to)
{
    for (size_t i = 0; i < from->count; i++) {
        if (!listing_add(to, &from->items[i]))
            return false;
    }
    return true;
}

/* For want of memory it is not kept. */
static void keep(const struct annotate_code *c, size_t part)
{
    struct kept *k = &kept.entries[kept.next];

    if (find_kept(c, part))
        return;
    forget(k);
    *k = (struct kept){.path = strdup(c->path),
                       .stamp = c->stamp,
                       .bias = c->bias,
                       .addr = c->parts[part].addr,
                       .size = c->parts[part].size};
    if (k->path && copy(&c->parts[part].listing, &k->listing))
        kept.next = (kept.next + 1) % KEPT_MAX;
    else
        forget(k);
}

/* true: all parts were listed before. */
static bool take_kept(struct annotate_code *c)
{
    bool all = true;

    for (size_t i = 0; i < c->count && all; i++) {
        const struct kept *k = find_kept(c, i);
        all = k && copy(&k->listing, &c->parts[i].listing);
    }
    for (size_t i = 0; i < c->count && !all; i++)
        listing_free(&c->parts[i].listing);
    return all;
}

static void want_part(struct annotate_code *c)
{
    disasm_want(c->disasm, c->parts[c->part].addr, c->parts[c->part].size,
                &c->parts[c->part].listing);
}

static void say_changed(struct annotate_code *c)
{
    snprintf(c->why, sizeof(c->why), "%s has changed since it was loaded", c->path);
}

/* Of several ELF files, the one that the function is in. How a further one stood when it was loaded
 * is not known: it is as it is now. */
static void take_file(struct annotate_code *c, const struct elf_file *elf,
                      const struct annotation *annotation)
{
    uint64_t addr = annotation->part_count ? annotation->parts[0].function->addr : 0;
    const char *path = symtab_elf(symtab_owner(elf->symtab, addr))->path;
    bool first = strcmp(path, symtab_elf(elf->symtab)->path) == 0;

    c->path = strdup(first ? elf->path : path);
    c->stamp = first ? elf->loaded : file_stamp_at(path);
    if (c->stamp.size < 0)
        c->stamp = elf->loaded;
}

void annotate_code_begin(struct annotate_code *code, const struct elf_file *elf,
                         const struct disasm_gdb *gdb, const struct annotation *annotation)
{
    struct annotate_code *c = code;
    char text[CODE_TEXT_MAX];

    take_file(c, elf, annotation);
    c->bias = symtab_elf(elf->symtab)->bias;
    for (; c->count < annotation->part_count; c->count++) {
        c->parts[c->count].addr = annotation->parts[c->count].function->addr;
        c->parts[c->count].size = annotation->parts[c->count].function->size;
    }
    if (!c->path)
        snprintf(c->why, sizeof(c->why), "out of memory");
    else if (take_kept(c))
        return;
    else if (!is_as_loaded(c))
        say_changed(c);
    else if (disasm_open(c->path, gdb, c->bias, &c->disasm, text, sizeof(text)))
        want_part(c);
    else
        memcpy(c->why, text, sizeof(c->why));
}

void annotate_code_end(struct annotate_code *code)
{
    disasm_close(code->disasm);
    for (size_t i = 0; i < code->count; i++)
        listing_free(&code->parts[i].listing);
    free(code->path);
    *code = (struct annotate_code){.path = NULL};
}

/* A file that was written meanwhile may have been read by gdb after that. */
static void finish(struct annotate_code *c, bool done)
{
    disasm_close(c->disasm);
    c->disasm = NULL;
    if (!is_as_loaded(c)) {
        say_changed(c);
        for (size_t i = 0; i < c->count; i++)
            listing_free(&c->parts[i].listing);
        return;
    }
    for (size_t i = 0; i < c->count && done; i++)
        keep(c, i);
}

bool annotate_code_step(struct annotate_code *code)
{
    struct annotate_code *c = code;
    char text[CODE_TEXT_MAX];

    if (!c->disasm)
        return false;
    enum disasm_progress progress = disasm_step(c->disasm, 0, text, sizeof(text));
    while (progress == DISASM_DONE && c->part + 1 < c->count) {
        c->part++;
        want_part(c);
        progress = disasm_step(c->disasm, 0, text, sizeof(text));
    }
    if (progress == DISASM_WORKS)
        return false;
    if (progress == DISASM_FAILED)
        memcpy(c->why, text, sizeof(c->why));
    finish(c, progress == DISASM_DONE);
    return true;
}

bool annotate_code_give(const struct annotate_code *code, struct annotation *annotation)
{
    bool whole = code->disasm == NULL;

    for (size_t i = 0; whole && i < code->count && i < annotation->part_count; i++) {
        if (!copy(&code->parts[i].listing, &annotation->parts[i].listing))
            return false;
    }
    if (!whole)
        annotate_note(annotation, "disassembling ...");
    else if (code->why[0])
        note_missing(annotation, code->why);
    return true;
}

int annotate_code_fd(const struct annotate_code *code)
{
    return code->disasm ? disasm_fd(code->disasm) : -1;
}
