/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is to be said of the ELF file alone. */
#include "checks.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <base/path.h>
#include <base/signals.h>
#include <load/elf_apply.h>

#define NAME           "elf"
#define BUILD_ID_SHOWN 16

static bool load(struct doctor *d)
{
    const struct options *o = d->options;
    char text[FINDING_TEXT];

    bool loaded = elf_file_load(&d->elf, o->elf, o->symbol, d->no_table, sizeof(d->no_table));
    d->has_table = loaded && (d->elf.kind != SYMTAB_TABLE_UNKNOWN || d->elf.table_addr != 0);
    if (!loaded &&
        symtab_load_until(o->elf, signals_stop, &d->elf.symtab, text, sizeof(text)) != SYMTAB_OK) {
        const char *advice = finding_split(text);
        finding_add(&d->findings, FINDING_FAIL, NAME,
                    advice ? advice : "give the ELF file of this firmware with --elf", "%s", text);
        d->elf.symtab = NULL;
    } else if (!elf_apply(&o->map, d->elf.symtab, text, sizeof(text))) {
        finding_add(&d->findings, FINDING_FAIL, NAME, "correct --elf, --alias or --region", "%s",
                    text);
    } else {
        return true;
    }
    return false;
}

static void describe(struct doctor *d)
{
    const struct symtab_elf *elf = symtab_elf(d->elf.symtab);
    size_t count;

    (void)symtab_functions(d->elf.symtab, &count);
    if (symtab_is_stripped(d->elf.symtab))
        finding_add(&d->findings, FINDING_FAIL, NAME,
                    "give the ELF file from before strip with --elf",
                    "%s is stripped: it has no symbols", path_base_name(elf->path));
    else
        finding_add(&d->findings, FINDING_OK, NAME, NULL, "%s: %s, %u bits, %zu functions, %s%.*s",
                    path_base_name(elf->path), elf->arch[0] ? elf->arch : "unknown processor",
                    elf->addr_size * 8, count, elf->build_id[0] ? "build-id " : "no build-id",
                    BUILD_ID_SHOWN, elf->build_id);
}

/* "-O2 in 12 of 14 units, -pg or the like in 3" */
static void level_words(const struct symtab_flags *f, char *text, size_t capacity)
{
    int len = 0;

    text[0] = '\0';
    if (f->known == 0)
        snprintf(text, capacity, ", options not recorded");
    else if (f->with_level == f->units)
        len = snprintf(text, capacity, ", %s", f->level);
    else
        len = snprintf(text, capacity, ", %s in %u of %u units", f->level, f->with_level, f->units);
    if (f->hooked)
        len += snprintf(text + len, capacity - (size_t)len, ", call hooks (-pg) in %u of %u units",
                        f->hooked, f->units);
    if (f->patchable)
        snprintf(text + len, capacity - (size_t)len, ", patchable entries in %u of %u units",
                 f->patchable, f->units);
}

static void describe_flags(struct doctor *d, const struct symtab_flags *f)
{
    char level[160];
    bool slow = f->with_level * 2 > f->units && strcmp(f->level, "-O0") == 0;
    bool frames = f->debug_frame || f->eh_frame || f->exidx;

    level_words(f, level, sizeof(level));
    finding_add(&d->findings, slow ? FINDING_WARN : FINDING_OK, "build",
                slow ? "profile the build that you ship, like -O2 -g" : NULL,
                "%s%s%s; frame information:%s%s%s%s",
                slow ? "not optimised, so its hot spots are others than those of a release: " : "",
                f->compiler[0] ? f->compiler : "unknown compiler", level,
                f->debug_frame ? " .debug_frame" : "", f->eh_frame ? " .eh_frame" : "",
                f->exidx ? " .ARM.exidx" : "", frames ? "" : " none");
}

static void check_flags(struct doctor *d)
{
    struct symtab_flags flags;
    char text[FINDING_TEXT];

    symtab_read_flags(d->elf.symtab, &flags);
    if (symtab_trouble(d->elf.symtab, text, sizeof(text)))
        finding_add(&d->findings, FINDING_WARN, "build",
                    "link the file again, and report this if it stays so", "%s", text);
    else if (!flags.debug)
        finding_add(&d->findings, FINDING_WARN, "build",
                    "compile with -g, which does not change what is flashed",
                    "%s has no debug information (DWARF): no source lines, no inlined functions",
                    path_base_name(d->elf.path));
    else
        describe_flags(d, &flags);
}

void check_elf(struct doctor *doctor)
{
    const struct options *o = doctor->options;

    doctor->elf = (struct elf_file){.path = o->elf};
    if (!o->elf) {
        finding_add(&doctor->findings, FINDING_FAIL, NAME, "give --elf FILE or set MPROF_ELF",
                    "no ELF file was given");
        return;
    }
    if (!load(doctor))
        return;
    doctor->elf.path = o->elf;
    describe(doctor);
    if (!symtab_is_stripped(doctor->elf.symtab))
        check_flags(doctor);
}
