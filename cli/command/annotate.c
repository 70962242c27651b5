/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof annotate: one function from inside, of a target or of files of snapshots. */
#define _POSIX_C_SOURCE 200809L

#include <ranking/annotate.h>

#include <string.h>
#include <time.h>

#include <base/monotonic.h>
#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>
#include <load/annotate_code.h>
#include <load/annotate_find.h>
#include <load/elf_apply.h>
#include <load/elf_file.h>
#include <load/files.h>
#include <screen/frame.h>
#include <target/watch.h>

#include "annotate_output.h"
#include "verbs.h"

#define TEXT_MAX 600

/* An annotation in the making. */
struct annotate {
    const struct options *options;
    struct annotation annotation;
    struct symtab *symtab; /* of the ELF; NULL: there is none */
    struct symbol_naming names;
    uint64_t bias; /* the program was loaded so much above where the ELF says */
    /* Of files, which are the options' operands. */
    const char *wanted;
    struct snapshot *snapshot;
    struct profile profile;
    uint32_t type;
};

/* Of several ELF files, the one that the function is in. */
static const char *owner_path(const struct annotate *m)
{
    uint64_t addr = m->annotation.parts[0].function->addr;

    return symtab_elf(symtab_owner(m->symtab, addr))->path;
}

static void disassemble(struct annotate *m)
{
    const struct disasm_gdb gdb = {.command = m->options->disassembler,
                                   .timeout_ms = m->options->link.timeout_ms};

    annotate_disassemble(&m->annotation, owner_path(m), m->bias, &gdb);
}

static int build_and_print(struct annotate *m, const struct annotate_input *input,
                           const char *program)
{
    if (!annotate_build(&m->annotation, input)) {
        complain("out of memory");
        return STATUS_FAILED;
    }
    return annotate_print(m->options, &m->annotation, program);
}

static const char *unit_of(const struct profile *profile)
{
    const struct view_status status = {.unit = NULL};

    return view_unit(&status, profile);
}

static void pause_for(double seconds)
{
    const struct timespec step = {.tv_nsec = 10000000};
    double until_s = monotonic_s() + seconds;

    while (monotonic_s() < until_s && !signals_pending())
        nanosleep(&step, NULL);
}

/* Lets the stub's focus count each part of the function. */
static int count_focus(const struct options *o, struct watch *watch, struct annotate *m)
{
    struct focus *focus = &watch->focus;

    signals_hold(true);
    int status = focus_begin(focus, &watch->session, &m->annotation);
    if (status == STATUS_DONE && !focus->on)
        status = fail("--focus: this firmware's stub has no focus: build it with MPROF_FOCUS_CNT "
                      "256");
    for (size_t left = focus->count; status == STATUS_DONE && left > 0; left--) {
        pause_for(o->focus_s);
        status = watch_poll(watch);
        if (status != STATUS_DONE)
            complain("%s", watch->failure);
        if (signals_pending())
            break;
    }
    signals_hold(false);
    return status;
}

/* Of the target, as it was read. */
static int show_target(void *options, struct watch *watch)
{
    const struct options *o = options;
    const struct session *session = &watch->session;
    struct annotate m = {.options = o, .symtab = session->elf.symtab};
    const struct symtab_elf *elf = symtab_elf(m.symtab);
    uint64_t entry = session->server.entry; /* of a process */
    struct annotate_input input = {
        .profile = &watch->profile,
        .names = &m.names,
        .addr_size = elf->addr_size,
        .unit = unit_of(&watch->profile),
        .folders = watch->options->sources,
    };

    m.names = symtab_naming(m.symtab);
    m.bias = entry ? entry - elf->entry : 0;
    int status = annotate_find(o->operands[0], m.symtab, NULL, &m.names, &m.annotation);
    if (status == STATUS_DONE) {
        input.built = annotate_written_at(owner_path(&m));
        disassemble(&m);
    }
    if (status == STATUS_DONE && !signals_pending() && o->focus_s > 0)
        status = count_focus(o, watch, &m);
    if (status == STATUS_DONE && !signals_pending()) {
        char text[FOCUS_TEXT];
        input.focus = focus_profile(&watch->focus, &watch->profile);
        focus_text(&watch->focus, m.annotation.parts[0].function->addr, text);
        input.focus_text = text;
        status = build_and_print(&m, &input, path_base_name(owner_path(&m)));
    }
    annotate_free(&m.annotation);
    return status;
}

static const struct snapshot_mapping *program_of(const struct snapshot *s)
{
    return s->mapping_count ? &s->mappings[0] : NULL;
}

/* What the snapshot has at addr the ELF has too: function and line. */
static bool agrees(const struct annotate *m, const struct symbol_naming *theirs, uint64_t addr)
{
    const struct symbol_naming ours = symtab_naming(m->symtab);
    const struct symtab_function *f = theirs->find(theirs->context, addr);
    const struct symtab_function *g = ours.find(ours.context, addr - m->bias);
    struct symtab_line x, y;

    if (!f)
        return true;
    if (!g || strcmp(f->name, g->name) != 0)
        return false;
    if (!theirs->find_line(theirs->context, addr, &x))
        return true;
    return ours.find_line(ours.context, addr - m->bias, &y) && x.line == y.line &&
           strcmp(x.file, y.file) == 0;
}

/* From the first function to the end of the last one, as the mapping of a snapshot of ours is. */
static bool has_extent(const struct symtab *symtab, const struct snapshot_mapping *program)
{
    size_t count;
    const struct symtab_function *functions = symtab_functions(symtab, &count);

    if (count == 0)
        return false;
    const struct symtab_function *last = &functions[count - 1];
    return last->addr + last->size - functions[0].addr == program->limit - program->start;
}

/* Whether the names of the two builds say that the ELF is the one of the snapshot. */
static enum symtab_build compare_builds(const struct annotate *m)
{
    const struct snapshot_mapping *program = program_of(m->snapshot);

    return program ? symtab_compare_build(m->symtab, program->build_id) : SYMTAB_BUILD_UNKNOWN;
}

/* What is wrong with names of this ELF for these hits; NULL: nothing. If the names of the builds do
 * not tell, its code must stand where the snapshot has it. */
static const char *difference(const struct annotate *m)
{
    const struct snapshot_mapping *program = program_of(m->snapshot);
    const struct symbol_naming names = snapshot_naming(m->snapshot);
    const size_t prefix = strlen(SYMTAB_SEGMENTS);

    switch (compare_builds(m)) {
    case SYMTAB_BUILD_SAME:
        return NULL;
    case SYMTAB_BUILD_OTHER:
        if (strncmp(program->build_id, SYMTAB_SEGMENTS, prefix) == 0)
            return "its code or data differ";
        return "the build-ids differ";
    case SYMTAB_BUILD_UNKNOWN:
        break;
    }
    if (m->snapshot->ours && program && program->limit && !has_extent(m->symtab, program))
        return "the ends of its functions differ";
    for (size_t i = 0; names.find && !names.unplaced && i < m->profile.row_count; i++) {
        if (!agrees(m, &names, m->profile.rows[i].addr))
            return "functions or lines at these addresses differ";
    }
    return NULL;
}

/* A process that was loaded elsewhere: its first function tells. */
static void find_bias(struct annotate *m)
{
    const struct snapshot_mapping *program = program_of(m->snapshot);
    size_t count;
    const struct symtab_function *functions = symtab_functions(m->symtab, &count);

    if (m->snapshot->ours && program && program->start && count)
        m->bias = program->start - functions[0].addr;
}

/* The ELF file that was named, or the one that the snapshot was made with if it still is there. */
static int load_elf(struct annotate *m)
{
    const struct snapshot_mapping *program = program_of(m->snapshot);
    const struct options *o = m->options;
    const char *path = o->elf ? o->elf : program ? program->file : "";
    char text[TEXT_MAX] = "";

    if (!path[0] ||
        symtab_load_until(path, signals_stop, &m->symtab, text, sizeof(text)) != SYMTAB_OK) {
        if (signals_pending())
            return STATUS_DONE;
        if (o->elf) {
            complain("%s", text);
            return STATUS_FAILED;
        }
        annotate_note(&m->annotation, "no instructions: give the ELF file with --elf%s%s",
                      text[0] ? "; " : "", text);
        return STATUS_DONE;
    }
    if (!elf_apply(&o->map, m->symtab, text, sizeof(text)))
        return fail(text);
    find_bias(m);
    const char *wrong = difference(m);
    if (wrong && o->elf && !o->force) {
        complain("%s is not the build of %s: %s; give that build with --elf, or use --force", path,
                 o->operands[0], wrong);
        return STATUS_FAILED;
    }
    bool proved = compare_builds(m) == SYMTAB_BUILD_SAME;
    if (wrong && o->force) {
        annotate_note(&m->annotation, "NOT THE SAME BUILD: %s: %s", path, wrong);
    } else if (!o->elf && (wrong || !proved)) {
        annotate_note(&m->annotation, "no instructions: %s: %s; give the ELF file with --elf", path,
                      wrong ? wrong : "not known whether it is the build of the snapshot");
        symtab_free(m->symtab);
        m->symtab = NULL;
    }
    return STATUS_DONE;
}

/* Where the ELF's names and the hits stand at the same addresses. */
static int use_elf(struct annotate *m)
{
    char text[TEXT_MAX];

    m->names = m->symtab ? symtab_naming(m->symtab) : snapshot_naming(m->snapshot);
    if (!m->symtab || m->bias == 0)
        return STATUS_DONE;
    uint64_t entry = symtab_elf(m->symtab)->entry + m->bias;
    if (symtab_relocate(m->symtab, entry, text, sizeof(text)) == SYMTAB_OK)
        return STATUS_DONE;
    if (m->options->force) {
        m->bias = 0;
        return STATUS_DONE;
    }
    complain("%s", text);
    return STATUS_FAILED;
}

static int load_files(struct annotate *m)
{
    const struct options *o = m->options;
    const char *path = o->operands[0];

    int status = files_load(o->operands, o->operand_count, &m->snapshot);
    if (status == STATUS_DONE)
        status = files_choose_type(o, m->snapshot, false, path, &m->type);
    if (status == STATUS_DONE)
        status = files_profile(m->snapshot, m->type, true, path, &m->profile);
    return status;
}

static unsigned addr_size_of(const struct annotate *m)
{
    if (m->symtab)
        return symtab_elf(m->symtab)->addr_size;
    return m->snapshot->conditions.addr_size == 4 ? 4 : 8;
}

static int show_files(struct annotate *m)
{
    const struct options *o = m->options;
    const struct snapshot *s = m->snapshot;
    const struct snapshot_mapping *program = program_of(s);
    const char *path = program ? program->file : "";
    struct annotate_input input = {
        .profile = &m->profile,
        .names = &m->names,
        .addr_size = addr_size_of(m),
        .unit = s->types[m->type].name,
        .folders = o->sources,
    };

    int status = annotate_find(m->wanted, m->symtab, s, &m->names, &m->annotation);
    if (status != STATUS_DONE)
        return status;
    if (m->symtab) {
        path = owner_path(m);
        input.built = annotate_written_at(path);
        disassemble(m);
    }
    return signals_pending() ? status : build_and_print(m, &input, path_base_name(path));
}

static int annotate_snapshots(const struct options *options, const char *wanted)
{
    struct annotate m = {.options = options, .wanted = wanted};

    profile_init(&m.profile);
    int status = load_files(&m);
    if (status == STATUS_DONE)
        status = load_elf(&m);
    if (status == STATUS_DONE)
        status = use_elf(&m);
    if (status == STATUS_DONE)
        status = show_files(&m);
    annotate_free(&m.annotation);
    profile_free(&m.profile);
    if (!signals_pending())
        elf_say_trouble(m.symtab);
    symtab_free(m.symtab);
    snapshot_free(m.snapshot);
    return status;
}

/* All operands behind the function. */
static int annotate_files(const struct options *options)
{
    struct options files = *options;
    struct file_list list = {.paths = NULL};

    files.operands++;
    files.operand_count--;
    int status = files_expand(&files, &list);
    if (status == STATUS_DONE && !signals_pending())
        status = annotate_snapshots(&files, options->operands[0]);
    file_list_free(&list);
    return status;
}

int command_annotate(const struct command *self, int argc, char **argv)
{
    struct options options;
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    bool files = options.operand_count > 1;
    if (files && options.focus_s > 0) {
        complain("--focus needs a target: give --gdb HOST:PORT in place of files");
        return STATUS_USAGE;
    }
    if (signals_begin() < 0)
        return STATUS_FAILED;
    status = files ? annotate_files(&options) : watch_once(&options, show_target, &options);
    return signals_end(status, false);
}
