/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the options of the compiler from the root entries of all units. */
#include "producers.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#define KINDS_MAX 12

/* How many units have each option that begins with -O. */
struct tally {
    char words[KINDS_MAX][SYMTAB_FLAG_TEXT];
    unsigned units[KINDS_MAX];
    size_t count;
};

static void count_word(struct tally *tally, const char *word, size_t len)
{
    size_t i = 0;

    if (len >= SYMTAB_FLAG_TEXT)
        return;
    while (i < tally->count &&
           (strlen(tally->words[i]) != len || strncmp(tally->words[i], word, len) != 0))
        i++;
    if (i == KINDS_MAX)
        return;
    if (i == tally->count)
        snprintf(tally->words[tally->count++], SYMTAB_FLAG_TEXT, "%.*s", (int)len, word);
    tally->units[i]++;
}

/* GCC appends its options; clang does so with -grecord-command-line only, with its path before. */
static bool has_options(const char *producer)
{
    return strncmp(producer, "GNU ", 4) == 0 || strstr(producer, " -g") != NULL;
}

static bool is_hook(const char *word, size_t len)
{
    static const char *const hooks[] = {"-pg", "-p", "-finstrument-functions"};

    for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++) {
        if (strlen(hooks[i]) == len && strncmp(hooks[i], word, len) == 0)
            return true;
    }
    return false;
}

static bool is_patchable(const char *word, size_t len)
{
    static const char option[] = "-fpatchable-function-entry=";

    return len > sizeof(option) - 1 && strncmp(word, option, sizeof(option) - 1) == 0;
}

/* The last of several options counts. */
static void take_options(const char *producer, struct symtab_flags *flags, struct tally *tally)
{
    const char *level = "-O0";
    size_t level_len = strlen(level);
    bool hooks = false, patchable = false;

    for (const char *word = producer; *word;) {
        size_t len = strcspn(word, " ");
        if (len > 1 && word[0] == '-' && word[1] == 'O') {
            level = word;
            level_len = len;
        }
        hooks |= is_hook(word, len);
        patchable |= is_patchable(word, len);
        word += len;
        word += strspn(word, " ");
    }
    count_word(tally, level, level_len);
    flags->hooked += hooks;
    flags->patchable += patchable;
    flags->known++;
}

static void take_unit(Dwarf_Die *die, struct symtab_flags *flags, struct tally *tally)
{
    Dwarf_Attribute attribute;
    const char *producer = NULL;

    if (dwarf_attr(die, DW_AT_producer, &attribute))
        producer = dwarf_formstring(&attribute);
    if (!producer || dwarf_srclang(die) == DW_LANG_Mips_Assembler)
        return;
    flags->units++;
    if (!flags->compiler[0]) {
        const char *options = strstr(producer, " -");
        int len = options ? (int)(options - producer) : (int)strlen(producer);
        snprintf(flags->compiler, sizeof(flags->compiler), "%.*s", len, producer);
    }
    if (has_options(producer))
        take_options(producer, flags, tally);
}

static void choose_level(struct symtab_flags *flags, const struct tally *tally)
{
    for (size_t i = 0; i < tally->count; i++) {
        if (tally->units[i] <= flags->with_level)
            continue;
        flags->with_level = tally->units[i];
        memcpy(flags->level, tally->words[i], sizeof(flags->level));
    }
}

void producers_read(struct debug *debug, struct symtab_flags *flags)
{
    struct budget *budget = &debug_image(debug)->budgets->debug;
    struct tally tally = {.count = 0};
    Dwarf *dwarf = debug_dwarf(debug);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    Dwarf_Half version;
    uint8_t type;

    while (dwarf && budget_work(budget, budget->entry) &&
           dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL) == 0) {
        flags->debug = true;
        if (type == DW_UT_compile || type == DW_UT_skeleton)
            take_unit(&die, flags, &tally);
    }
    choose_level(flags, &tally);
}
