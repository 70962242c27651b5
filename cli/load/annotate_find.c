/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses a function by what a person typed. */
#define _POSIX_C_SOURCE 200809L

#include <load/annotate_find.h>

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/nearest.h>
#include <base/number.h>
#include <base/path.h>
#include <base/say.h>
#include <profile/match.h>

/* Names that are listed when none, or several, are meant. */
#define LIST_MAX 10

struct search {
    const char *wanted;
    const char *name; /* of it, without the file */
    size_t file_len;  /* of the file before it, 0: none */
    const struct symbol_naming *names;
    const struct symtab_function **all;
    size_t count;
    const struct symtab_function *found[LIST_MAX];
    size_t found_count; /* may be more than are kept */
};

typedef bool (*fits)(const struct search *s, const struct symtab_function *function);

static bool is_same(const struct search *s, const struct symtab_function *f)
{
    return strcmp(f->name, s->name) == 0;
}

static bool is_cold_name(const char *behind)
{
    return strncmp(behind, ".cold", 5) == 0 && (behind[5] == '\0' || behind[5] == '.');
}

static bool is_clone(const struct search *s, const struct symtab_function *f)
{
    size_t len = strlen(s->name);

    return strncmp(f->name, s->name, len) == 0 && f->name[len] == '.' &&
           !is_cold_name(f->name + len);
}

/* "put" of app::Store::put. */
static bool is_unqualified(const struct search *s, const struct symtab_function *f)
{
    return match_is_unqualified(f->name, s->name) && !strstr(f->name, " [clone ");
}

static bool is_unqualified_clone(const struct search *s, const struct symtab_function *f)
{
    return match_is_unqualified(f->name, s->name) && !strstr(f->name, " [clone .cold");
}

static bool fits_pattern(const struct search *s, const struct symtab_function *f)
{
    return fnmatch(s->name, f->name, 0) == 0;
}

static bool has_in_it(const struct search *s, const struct symtab_function *f)
{
    return strstr(f->name, s->name) != NULL;
}

/* The end of the path is what was typed. */
static bool is_in_file(const struct search *s, const struct symtab_function *f)
{
    struct symtab_line line;

    if (s->file_len == 0)
        return true;
    if (!s->names->find_start || !s->names->find_start(s->names->context, f, &line) || !line.file)
        return false;
    size_t len = strlen(line.file);
    if (len < s->file_len || strncmp(line.file + len - s->file_len, s->wanted, s->file_len) != 0)
        return false;
    return len == s->file_len || line.file[len - s->file_len - 1] == '/';
}

static void find_fitting(struct search *s, fits fit)
{
    s->found_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!fit(s, s->all[i]) || !is_in_file(s, s->all[i]))
            continue;
        if (s->found_count < LIST_MAX)
            s->found[s->found_count] = s->all[i];
        s->found_count++;
    }
}

/* "uart.c:update"; a name in C++ has colons of its own. */
static void split_file(struct search *s)
{
    const char *colon = strrchr(s->wanted, ':');

    s->name = s->wanted;
    if (!colon || colon == s->wanted || colon[-1] == ':' || !colon[1])
        return;
    s->name = colon + 1;
    s->file_len = (size_t)(colon - s->wanted);
}

static void look_at_address(struct search *s)
{
    uint64_t addr;

    if (strncmp(s->wanted, "0x", 2) != 0 || !number_parse_digits(s->wanted + 2, 16, &addr) ||
        !s->names->find)
        return;
    s->found[0] = s->names->find(s->names->context, addr);
    s->found_count = s->found[0] != NULL;
}

static void search(struct search *s)
{
    static const fits ways[] = {is_same, is_clone, is_unqualified, is_unqualified_clone,
                                fits_pattern};

    look_at_address(s);
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && s->found_count == 0; i++)
        find_fitting(s, ways[i]);
    if (s->found_count)
        return;
    split_file(s);
    for (size_t i = 0; s->file_len && i < sizeof(ways) / sizeof(ways[0]) && s->found_count == 0;
         i++)
        find_fitting(s, ways[i]);
}

/* "update (uart.c:40), update (spi.c:12)" */
static void list(const struct search *s, char *text, size_t capacity)
{
    size_t shown = s->found_count < LIST_MAX ? s->found_count : LIST_MAX;
    size_t len = 0;

    for (size_t i = 0; i < shown && len < capacity; i++) {
        const struct symtab_function *f = s->found[i];
        struct symtab_line line = {.file = NULL};
        char where[120];
        if (s->names->find_start)
            (void)s->names->find_start(s->names->context, f, &line);
        if (line.file)
            snprintf(where, sizeof(where), "%.80s:%u", path_base_name(line.file), line.line);
        else
            snprintf(where, sizeof(where), "0x%" PRIx64, f->addr);
        len += (size_t)snprintf(text + len, capacity - len, "%s%.60s (%s)", i ? ", " : "", f->name,
                                where);
    }
    if (s->found_count > shown && len < capacity)
        snprintf(text + len, capacity - len, ", and %zu more", s->found_count - shown);
}

static const char *near(const struct search *s, char hint[NEAREST_HINT])
{
    struct nearest nearest;

    nearest_begin(&nearest, s->name, strlen(s->name));
    for (size_t i = 0; i < s->count; i++)
        nearest_offer(&nearest, s->all[i]->name);
    return nearest_hint(&nearest, "", hint, NEAREST_HINT);
}

static int refuse(struct search *s)
{
    char text[900] = "", hint[NEAREST_HINT];

    if (s->found_count > 1) {
        list(s, text, sizeof(text));
        complain("'%.60s' is ambiguous: %s; write FILE:NAME or 0xADDRESS", s->wanted, text);
        return STATUS_FAILED;
    }
    find_fitting(s, has_in_it);
    list(s, text, sizeof(text));
    if (s->found_count)
        complain("no function named '%.60s'; similar: %s", s->wanted, text);
    else
        complain("no function named '%.200s'%s", s->wanted,
                 near(s, hint)[0] ? hint : "; 'mprof report' lists the functions");
    return STATUS_FAILED;
}

static void add_part(struct annotation *a, const struct symtab_function *function)
{
    if (a->part_count < ANNOTATE_PARTS_MAX)
        a->parts[a->part_count++].function = function;
}

/* Of two functions of one name in two files each has its own cold part. */
static bool same_file(const struct search *s, const struct symtab_function *a,
                      const struct symtab_function *b)
{
    struct symtab_line x, y;

    if (!s->names->find_start || !s->names->find_start(s->names->context, a, &x) ||
        !s->names->find_start(s->names->context, b, &y))
        return true;
    return strcmp(x.file, y.file) == 0;
}

static void annotate_function(const struct search *s, const struct symtab_function *function,
                              struct annotation *a)
{
    size_t len = strlen(function->name);

    add_part(a, function);
    for (size_t i = 0; i < s->count; i++) {
        const struct symtab_function *f = s->all[i];
        if (strncmp(f->name, function->name, len) == 0 && is_cold_name(f->name + len) &&
            same_file(s, function, f))
            add_part(a, f);
    }
}

/* Those of the snapshot that are no inlined ones. */
static bool list_snapshot(struct search *s, const struct snapshot *snapshot)
{
    s->all = calloc(snapshot->function_count + 1, sizeof(const struct symtab_function *));
    for (size_t i = 0; s->all && s->names->find && i < snapshot->function_count; i++) {
        const struct snapshot_function *f = &snapshot->functions[i];
        const struct symtab_function *function = s->names->find(s->names->context, f->addr);
        if (function && strcmp(function->name, f->name) == 0)
            s->all[s->count++] = function;
    }
    return s->all != NULL;
}

static bool list_symtab(struct search *s, const struct symtab *symtab)
{
    size_t parts = symtab_part_count(symtab), all = 0, count;

    for (size_t p = 0; p < parts; p++) {
        (void)symtab_functions(symtab_part(symtab, p), &count);
        all += count;
    }
    s->all = calloc(all + 1, sizeof(const struct symtab_function *));
    for (size_t p = 0; s->all && p < parts; p++) {
        const struct symtab *part = symtab_part(symtab, p);
        const struct symtab_function *functions = symtab_functions(part, &count);
        for (size_t i = 0; i < count; i++) {
            if (parts == 1 || symtab_owner(symtab, functions[i].addr) == part)
                s->all[s->count++] = &functions[i];
        }
    }
    return s->all != NULL;
}

int annotate_find(const char *wanted, struct symtab *symtab, const struct snapshot *snapshot,
                  const struct symbol_naming *names, struct annotation *annotation)
{
    struct search s = {.wanted = wanted, .name = wanted, .names = names};
    int status = STATUS_DONE;

    if (symtab ? !list_symtab(&s, symtab) : !list_snapshot(&s, snapshot)) {
        complain("out of memory");
        return STATUS_FAILED;
    }
    search(&s);
    if (s.found_count == 1)
        annotate_function(&s, s.found[0], annotation);
    else
        status = refuse(&s);
    free(s.all);
    return status;
}

bool annotate_take(const struct symtab_function *function, const struct symtab *symtab,
                   const struct symbol_naming *names, struct annotation *annotation)
{
    struct search s = {.names = names};

    if (!list_symtab(&s, symtab))
        return false;
    annotate_function(&s, function, annotation);
    free(s.all);
    return true;
}
