/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a function of a live ranking and keeps its numbers fresh. */
#define _POSIX_C_SOURCE 200809L

#include "zoom_private.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <annotate/zoom_frame.h>
#include <base/say.h>
#include <load/annotate_find.h>

/* In longer functions without instructions, only lines with hits are listed. */
#define ALL_LINES_MAX (1U << 16)

#define WIDTH 80 /* until the screen's is known */

static char *copy_or_null(const char *text)
{
    return text ? strdup(text) : NULL;
}

static bool is_named(const struct symtab_function *f, const struct view_row *row)
{
    return strcmp(f->name, row->function) == 0 &&
           (!row->symbol || !f->symbol || strcmp(f->symbol, row->symbol) == 0);
}

/* Of several of one name the one that begins in the row's file, or else the first. */
static const struct symtab_function *find_name(struct symtab *symtab, const struct view_row *row)
{
    const struct symtab_function *first = NULL;
    size_t count;
    const struct symtab_function *all = symtab_functions(symtab, &count);

    for (size_t i = 0; i < count; i++) {
        struct symtab_line start;
        if (!is_named(&all[i], row))
            continue;
        if (!first)
            first = &all[i];
        if (row->file && symtab_find_line(symtab, all[i].addr, &start) &&
            strcmp(start.file, row->file) == 0)
            return &all[i];
    }
    return first;
}

/* The function of a row; NULL: text says why there is none. */
static const struct symtab_function *
find_function(const struct watch *watch, const struct view_row *row, char *text, size_t capacity)
{
    const struct session *s = &watch->session;
    const struct symtab_function *f = symtab_find(s->elf.symtab, row->addr);

    if (!session_has_names(s)) {
        snprintf(text, capacity, "no names: %s is not the firmware in the target%s%.200s",
                 s->elf.path, s->difference[0] ? ": " : "", s->difference);
        return NULL;
    }
    if (!row->function && row->file && watch->options->by == VIEW_BY_FILE) {
        snprintf(text, capacity, "a file cannot be annotated; 1 shows functions: choose one");
        return NULL;
    }
    if (row->function && (!f || !is_named(f, row)))
        f = find_name(s->elf.symtab, row);
    if (!f && row->function)
        snprintf(text, capacity, "%.100s is not a function of %s", row->function, s->elf.path);
    else if (!f)
        snprintf(text, capacity, "0x%" PRIx64 " is not in a function of %s", row->addr,
                 s->elf.path);
    return f;
}

/* Notes of ours stand before those that a build adds. */
static bool begin_annotation(struct zoom *z)
{
    annotate_free(&z->annotation);
    if (!z->function) {
        annotate_note(&z->annotation, "%s", z->gone);
        return true;
    }
    return annotate_take(z->function, z->symtab, &z->names, &z->annotation) &&
           annotate_code_give(&z->code, &z->annotation);
}

/* What the stub's focus has counted in the function. */
static void add_focus(const struct zoom *z, struct watch *watch, char text[FOCUS_TEXT],
                      struct annotate_input *input)
{
    struct focus *focus = &watch->focus;
    bool paused = input->profile->updated_s == z->updated_s;

    if (focus->count != 0 && focus->addr == z->function->addr)
        input->focus = paused ? focus_counted(focus) : focus_profile(focus, input->profile);
    focus_text(focus, z->function->addr, text);
    input->focus_text = text;
}

static bool build(struct zoom *z, struct watch *watch, const struct profile *profile)
{
    static const struct view_status no_status = {.unit = NULL};
    const struct symtab_elf *elf = symtab_elf(z->symtab);
    struct annotate_input input = {
        .profile = profile,
        .names = &z->names,
        .addr_size = elf->addr_size,
        .unit = view_unit(&no_status, profile),
        .folders = z->options->sources,
        .built = annotate_written_at(elf->path),
    };
    char text[FOCUS_TEXT];
    uint64_t size = 0;

    if (!z->function)
        return true;
    add_focus(z, watch, text, &input);
    for (size_t i = 0; i < z->annotation.part_count; i++)
        size += z->annotation.parts[i].function->size;
    input.all_lines = size <= ALL_LINES_MAX;
    z->updated_s = profile->updated_s;
    z->attributed = profile->attributed;
    return annotate_build(&z->annotation, &input);
}

static bool make_panel(const struct zoom *z, struct annotate_frame *panel)
{
    const struct annotate_layout layout = {.width = z->width, .ascii = z->ascii, .program = ""};
    const struct zoom_calls *c = &z->calls;
    const char *note = c->note[0] ? c->note : c->known ? NULL : "reading callers and callees ...";

    if (z->shows_calls && z->function)
        return view_calls_frame(&c->calls, &z->names, note, &layout, panel);
    return annotate_frame_body(&z->annotation, &layout, panel);
}

static bool same_places(const struct annotate_frame *a, const struct annotate_frame *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++) {
        const struct annotate_text *x = &a->lines[i], *y = &b->lines[i];
        same = x->kind == y->kind && x->has_addr == y->has_addr && x->addr == y->addr &&
               x->line == y->line;
    }
    return same;
}

/* The panel as it was is kept for who has a cursor in it. */
static bool refresh_panel(struct zoom *z)
{
    struct annotate_frame panel;

    if (!make_panel(z, &panel))
        return false;
    if (z->before.count == 0 && z->panel.count > 0 && !same_places(&z->panel, &panel))
        z->before = z->panel;
    else
        annotate_frame_free(&z->panel);
    z->panel = panel;
    return true;
}

/* Nothing that belongs to an ELF that was loaded is used any more. */
static void unbind(struct zoom *z)
{
    annotate_code_end(&z->code);
    annotate_free(&z->annotation);
    annotate_frame_free(&z->panel);
    annotate_frame_free(&z->before);
    zoom_calls_drop(&z->calls);
    z->function = NULL;
}

static bool bind(struct zoom *z, const struct watch *watch)
{
    const struct elf_file *elf = &watch->session.elf;

    z->symtab = elf->symtab;
    z->stamp = elf->loaded;
    z->bias = symtab_elf(elf->symtab)->bias;
    z->names = symtab_naming(elf->symtab);
    z->function = find_function(watch, &z->row, z->gone, sizeof(z->gone));
    if (!z->function)
        return begin_annotation(z);
    if (!begin_annotation(z))
        return false;
    const struct disasm_gdb gdb = {.command = z->options->disassembler,
                                   .timeout_ms = z->options->link.timeout_ms};

    annotate_code_begin(&z->code, elf, &gdb, &z->annotation);
    return begin_annotation(z);
}

/* Names and whether they are believed are as they were. */
static bool is_bound(const struct zoom *z, const struct watch *watch)
{
    const struct elf_file *elf = &watch->session.elf;

    return z->symtab == elf->symtab && file_stamp_same(&z->stamp, &elf->loaded) &&
           z->bias == symtab_elf(elf->symtab)->bias &&
           (z->function != NULL) == session_has_names(&watch->session);
}

/* Copies, since a build may bring another ELF at any time. */
static bool remember(struct zoom *z, const struct symtab_function *f, struct symtab *symtab)
{
    struct symtab_line start = {.file = NULL};

    (void)symtab_find_line(symtab, f->addr, &start);
    z->name = strdup(f->name);
    z->symbol = copy_or_null(f->symbol);
    z->file = copy_or_null(start.file);
    z->row = (struct view_row){
        .function = z->name, .symbol = z->symbol, .file = z->file, .addr = f->addr};
    return z->name && (z->symbol || !f->symbol) && (z->file || !start.file);
}

/* The row's own, or the one that its code was inlined into. */
static const struct symtab_function *
find_around(const struct watch *watch, const struct view_row *row, char *text, size_t capacity)
{
    const struct symtab_function *f = find_function(watch, row, text, capacity);

    if (f || !row->function || !row->addr || !session_has_names(&watch->session))
        return f;
    return symtab_find(watch->session.elf.symtab, row->addr);
}

struct zoom *zoom_open(struct watch *watch, const struct view_row *row, char *text, size_t capacity)
{
    const struct symtab_function *f = find_around(watch, row, text, capacity);
    struct zoom *z = f ? calloc(1, sizeof(*z)) : NULL;

    if (!f)
        return NULL;
    snprintf(text, capacity, "out of memory");
    if (!z)
        return NULL;
    z->options = watch->options;
    z->width = WIDTH;
    profile_init(&z->calls.profile);
    if (remember(z, f, watch->session.elf.symtab) && bind(z, watch) &&
        build(z, watch, &watch->profile) && refresh_panel(z))
        return z;
    zoom_close(z);
    return NULL;
}

void zoom_close(struct zoom *zoom)
{
    if (!zoom)
        return;
    unbind(zoom);
    profile_free(&zoom->calls.profile);
    free(zoom->name);
    free(zoom->symbol);
    free(zoom->file);
    free(zoom);
}

/* gdb says something many times before it has said all. */
static bool is_only_news(const struct zoom *z, const struct profile *profile)
{
    struct pollfd fd = {.fd = zoom_fd(z), .events = POLLIN};

    return fd.fd >= 0 && profile->updated_s == z->updated_s &&
           profile->attributed == z->attributed && poll(&fd, 1, 0) > 0;
}

static bool update_bound(struct zoom *z, struct watch *watch, const struct profile *profile)
{
    bool quiet = !z->turned && is_only_news(z, profile);

    if (annotate_code_step(&z->code)) {
        if (!begin_annotation(z))
            return false;
    } else if (quiet) {
        return true;
    }
    if (z->shows_calls && z->function && !zoom_calls_update(&z->calls, watch, profile, z->function))
        return false;
    return build(z, watch, profile) && refresh_panel(z);
}

bool zoom_update(struct zoom *zoom, struct watch *watch, const struct profile *profile)
{
    if (is_bound(zoom, watch))
        return update_bound(zoom, watch, profile);
    unbind(zoom);
    return bind(zoom, watch) && update_bound(zoom, watch, profile);
}

int zoom_fd(const struct zoom *zoom)
{
    return annotate_code_fd(&zoom->code);
}

size_t zoom_focus_parts(const struct zoom *zoom, const struct profile *profile,
                        struct symtab_function parts[ANNOTATE_PARTS_MAX])
{
    const struct annotation *a = &zoom->annotation;

    if (!zoom->function || profile->unit != DECODE_UNIT_SAMPLES || profile->source == DECODE_STREAM)
        return 0; /* a stream is exact */
    for (size_t i = 0; i < a->part_count; i++)
        parts[i] = (struct symtab_function){.addr = a->parts[i].function->addr,
                                            .size = a->parts[i].function->size};
    return a->part_count;
}

void zoom_next_panel(struct zoom *zoom)
{
    annotate_frame_free(&zoom->before);
    zoom->shows_calls = !zoom->shows_calls;
    zoom->turned = true;
    zoom->calls.due_s = 0;
    if (!refresh_panel(zoom))
        annotate_frame_free(&zoom->panel);
    annotate_frame_free(&zoom->before);
}

const char *zoom_next_panel_name(const struct zoom *zoom)
{
    return zoom->shows_calls ? "code" : "callers";
}

static bool fit(struct zoom *z, const struct view_layout *layout)
{
    struct annotate_frame panel;

    if (z->panel.count > 0 && z->width == layout->width && z->ascii == layout->ascii)
        return true;
    z->width = layout->width;
    z->ascii = layout->ascii;
    if (!make_panel(z, &panel))
        return false;
    annotate_frame_free(&z->panel);
    z->panel = panel;
    return true;
}

bool zoom_frame(struct zoom *zoom, const struct view_layout *layout, struct view_frame *frame)
{
    const struct annotate_layout notes_layout = {.width = layout->width, .program = ""};
    struct annotate_frame notes;

    if (!fit(zoom, layout) || !annotate_frame_notes(&zoom->annotation, &notes_layout, &notes))
        return false;
    const struct view_zoom view = {
        .name = zoom->name,
        .about = zoom->function ? &zoom->annotation : NULL,
        .notes = &notes,
        .panel = &zoom->panel,
    };
    bool done = view_zoom_frame(&view, layout, frame);
    annotate_frame_free(&notes);
    return done;
}
