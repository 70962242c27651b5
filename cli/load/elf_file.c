/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads ELF files and notices when another one stands in their place. */
#define _POSIX_C_SOURCE 200809L

#include <load/elf_file.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <base/say.h>
#include <base/signals.h>
#include <profile/decode.h>

/* For so long a file must stay as it is before it is loaded; or have been so, by its own time. */
#define SETTLED_S 0.25
#define OLD_S     2
/* How often it is looked at meanwhile; and where it was seen to change, which may go slowly. */
#define LOOKS      10
#define SLOW_LOOKS 80

#define WHY_MAX 400

/* Loads it as it stands there now; false: it could not be, or is being written. */
static bool load_now(struct elf_file *elf, char *text, size_t capacity)
{
    elf->loaded = file_stamp_at(elf->path);
    if (symtab_load_until(elf->path, signals_stop, &elf->symtab, text, capacity) != SYMTAB_OK)
        return false;
    elf->seen = file_stamp_at(elf->path);
    if (file_stamp_same(&elf->loaded, &elf->seen))
        return true;
    snprintf(text, capacity, "%s: the file is being written: try again", elf->path);
    elf_file_free(elf);
    return false;
}

static void say_no_symbol(const struct symtab *symtab, const char *symbol, char *text,
                          size_t capacity)
{
    if (symtab_is_stripped(symtab))
        snprintf(text, capacity,
                 "stripped: it has no symbols; give the ELF file from before strip with --elf");
    else if (strcmp(symbol, "s_prof") != 0)
        snprintf(text, capacity,
                 "no symbol '%s': give --symbol the name of the stub's table, or of a table of "
                 "addresses and hits",
                 symbol);
    else
        snprintf(text, capacity,
                 "no symbol 's_prof': link the stub (target-stub/) into the firmware and call "
                 "mprof_init() and mprof_systick_start(), or give another table with --symbol");
}

/* Finds integers and pointers whose names begin with len bytes of ring and end like a counter's.
 * Returns their number; name and counter are of the last one, and other of the one before. */
static unsigned count_counters(struct elf_file *elf, const char *ring, size_t len,
                               char other[ELF_FILE_NAME])
{
    static const char *const ends[] = {"cur", "head", "idx",   "index",
                                       "pos", "cnt",  "count", "next"};
    unsigned found = 0;

    for (size_t end = 0; end < 2 * sizeof(ends) / sizeof(ends[0]); end++) {
        char name[ELF_FILE_NAME];
        snprintf(name, sizeof(name), "%.*s%s%s", (int)len, ring, end % 2 ? "_" : "", ends[end / 2]);
        if (!symtab_find_counter(elf->symtab, name, &elf->counter))
            continue;
        memcpy(other, elf->guessed, sizeof(elf->guessed));
        memcpy(elf->guessed, name, sizeof(name));
        found++;
    }
    return found;
}

/* The counter of tbuf is tbuf_head, tcur or the like; of its whole name rather than of a part. */
static bool guess_counter(struct elf_file *elf, const char *ring, char *text, size_t capacity)
{
    static const char *const rests[] = {"", "buf", "ring"};
    char other[ELF_FILE_NAME];
    unsigned found = 0;

    for (size_t i = 0; found == 0 && i < sizeof(rests) / sizeof(rests[0]); i++) {
        size_t len = strlen(ring), rest = strlen(rests[i]);
        if (len < rest || strcmp(ring + len - rest, rests[i]) != 0)
            continue;
        len -= rest;
        len -= rest != 0 && len != 0 && ring[len - 1] == '_';
        found = len != 0 ? count_counters(elf, ring, len, other) : 0;
    }
    if (found == 0)
        snprintf(text, capacity,
                 "no counter of the ring '%s' has a name like %s_head: give '--symbol %s,NAME' "
                 "with the variable that counts its records",
                 ring, ring, ring);
    else if (found > 1)
        snprintf(
            text, capacity,
            "'%.60s' and '%.60s' may both be the counter of the ring '%.60s': give one of them "
            "by '--symbol %.60s,NAME'",
            other, elf->guessed, ring, ring);
    return found == 1;
}

/* Returns false, with one line in text. */
static bool take_counter(struct elf_file *elf, const char *ring, const char *name, char *text,
                         size_t capacity)
{
    uint64_t addr, size;

    if (!symtab_object(elf->symtab, name, &addr, &size)) {
        snprintf(text, capacity,
                 "no counter '%s' of the ring '%s': give '--symbol %s,NAME' with the variable that "
                 "counts its records",
                 name, ring, ring);
        return false;
    }
    if (size == 0 || size > sizeof(uint64_t)) {
        snprintf(text, capacity, "'%s' has %" PRIu64 " bytes: not a counter", name, size);
        return false;
    }
    elf->counter = (struct symtab_counter){.addr = addr, .size = (unsigned)size};
    return true;
}

static bool is_too_large(const struct elf_file *elf)
{
    const struct symtab_table *table = &elf->table;
    bool rows = elf->kind == SYMTAB_TABLE_HEADERLESS || elf->kind == SYMTAB_TABLE_RING;

    return rows && table->count > DECODE_MAX_SIZE / table->stride;
}

/* A variable that is static in a function has its name in the debug information only. */
static bool find_table(struct elf_file *elf, const char *words, char *text, size_t capacity)
{
    char why[WHY_MAX] = "", ring[ELF_FILE_NAME];
    const char *comma = strrchr(words, ','), *symbol = words;

    if (comma && strpbrk(comma, ">)")) /* of a template's arguments, or of parameters */
        comma = NULL;
    if (comma) {
        snprintf(ring, sizeof(ring), "%.*s", (int)(comma - words), words);
        symbol = ring;
    }
    bool named = symtab_object(elf->symtab, symbol, &elf->table_addr, &elf->table_size);

    elf->kind = symtab_find_table(elf->symtab, symbol, &elf->table, why, sizeof(why));
    bool good = elf->kind != SYMTAB_TABLE_OTHER && !is_too_large(elf);
    if (elf->kind == SYMTAB_TABLE_UNKNOWN) {
        good = named;
        say_no_symbol(elf->symtab, symbol, why, sizeof(why));
    } else if (is_too_large(elf)) {
        snprintf(why, sizeof(why), "'%s' has %" PRIu64 " rows: not a table of hits", symbol,
                 elf->table.count);
    } else if (elf->kind == SYMTAB_TABLE_RING) {
        good = comma ? take_counter(elf, symbol, comma + 1, why, sizeof(why))
                     : guess_counter(elf, symbol, why, sizeof(why));
    } else if (good && comma) {
        snprintf(why, sizeof(why), "'%s' is not a ring of calls, so it has no counter '%s'", symbol,
                 comma + 1);
        good = false;
    }
    if (!good) {
        snprintf(text, capacity, "%s: %s", elf->path, why);
    } else if (!named) {
        elf->table_addr = elf->table.addr;
        elf->table_size = elf->table.size;
    }
    if (good && elf->kind == SYMTAB_TABLE_RING) /* of a dump */
        elf->table_size = elf->table.size + elf->counter.size;
    return good;
}

/* Firmware without the stub, whose functions have names. */
static bool is_without_stub(const struct elf_file *elf, const char *symbol)
{
    return elf->kind == SYMTAB_TABLE_UNKNOWN && strcmp(symbol, "s_prof") == 0 &&
           !symtab_is_stripped(elf->symtab);
}

bool elf_file_load(struct elf_file *elf, const char *path, const char *symbol, char *text,
                   size_t capacity)
{
    struct elf_file e = {.path = path, .refused.size = -1};

    if (!load_now(&e, text, capacity))
        return false;
    bool found = find_table(&e, symbol, text, capacity);
    if (!found && is_without_stub(&e, symbol)) {
        snprintf(e.no_table, sizeof(e.no_table), "%s", text);
    } else if (!found) {
        elf_file_free(&e);
        return false;
    }
    *elf = e;
    return true;
}

/* Whether it was written so lately that a build may not be done with it. */
static bool is_young(const struct file_stamp *stamp)
{
    return stamp->size >= 0 && llabs((long long)(time(NULL) - stamp->changed.tv_sec)) <= OLD_S;
}

/* Waits until the file has stayed as it is for long enough; false: it is as it was at before. */
static bool has_changed(const char *path, const struct file_stamp *before, bool *said)
{
    const struct timespec pause = {.tv_nsec = (long)(SETTLED_S / LOOKS * 1e9)};
    struct file_stamp last = *before;

    for (int same = 0; same < (*said ? SLOW_LOOKS : LOOKS) && !signals_stop(); same++) {
        (void)nanosleep(&pause, NULL);
        struct file_stamp now = file_stamp_at(path);
        if (!file_stamp_same(&now, &last)) {
            if (!*said)
                complain("%s: a build is writing it: waiting", path);
            *said = true;
            same = -1;
        }
        last = now;
    }
    return !signals_stop() && !file_stamp_same(&last, before);
}

bool elf_file_load_written(struct elf_file *elf, const char *path, const char *symbol, char *text,
                           size_t capacity)
{
    bool said = false;

    for (;;) {
        struct file_stamp before = file_stamp_at(path);
        if (elf_file_load(elf, path, symbol, text, capacity))
            return true;
        if (!is_young(&before) || !has_changed(path, &before, &said))
            return false;
    }
}

bool elf_file_locate(struct elf_file *elf, const char *symbol, uint64_t entry, char *text,
                     size_t capacity)
{
    if (entry == 0)
        return true;
    return symtab_relocate(elf->symtab, entry, text, capacity) == SYMTAB_OK &&
           (elf->no_table[0] || find_table(elf, symbol, text, capacity));
}

void elf_say_trouble(const struct symtab *symtab)
{
    size_t count = symtab ? symtab_part_count(symtab) : 0;
    char text[WHY_MAX + PATH_MAX];

    for (size_t i = 0; i < count; i++)
        if (symtab_trouble(symtab_part(symtab, i), text, sizeof(text)))
            complain("%s", text);
}

void elf_file_free(struct elf_file *elf)
{
    symtab_free(elf->symtab);
    elf->symtab = NULL;
}

static bool is_settled(const struct elf_file *elf, double now_s)
{
    return now_s - elf->seen_s >= SETTLED_S || time(NULL) - elf->seen.changed.tv_sec > OLD_S;
}

bool elf_file_changed(struct elf_file *elf, double now_s)
{
    struct file_stamp now = file_stamp_at(elf->path);

    /* A build may remove the old one first. */
    if (now.size < 0)
        return false;
    if (!file_stamp_same(&now, &elf->seen)) {
        elf->seen = now;
        elf->seen_s = now_s;
    }
    if (file_stamp_same(&now, &elf->refused))
        return false;
    elf->trouble[0] = '\0';
    return !file_stamp_same(&now, &elf->loaded) && is_settled(elf, now_s);
}

bool elf_file_is_loaded(const struct elf_file *elf)
{
    struct file_stamp now = file_stamp_at(elf->path);

    return file_stamp_same(&now, &elf->loaded);
}

void elf_file_refuse(struct elf_file *elf, const char *why)
{
    elf->refused = elf->seen;
    snprintf(elf->trouble, sizeof(elf->trouble), "%s", why);
}

static bool same_bytes(const struct symtab *a, const struct symtab *b)
{
    size_t count, other;
    const struct symtab_segment *one = symtab_segments(a, &count);
    const struct symtab_segment *two = symtab_segments(b, &other);

    if (count != other || count == 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (one[i].addr != two[i].addr || one[i].len != two[i].len ||
            memcmp(one[i].bytes, two[i].bytes, one[i].len) != 0)
            return false;
    }
    return true;
}

bool elf_file_same_firmware(const struct elf_file *a, const struct elf_file *b)
{
    return a->table_addr == b->table_addr && a->table_size == b->table_size &&
           symtab_elf(a->symtab)->machine == symtab_elf(b->symtab)->machine &&
           same_bytes(a->symtab, b->symtab);
}
