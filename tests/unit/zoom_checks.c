/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A zoom into a program on disk, and what holds for its frames. */
#include "zoom_checks.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <base/text.h>
#include <load/annotate_code.h>

/* After base/say.h, which has a function of the name of one of its macros. */
#include "unit.h"

uint64_t random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

void check_frame(const struct view_frame *f, const struct view_layout *l)
{
    size_t rows = 0, selected = 0;

    for (size_t i = 0; i < f->count; i++) {
        const struct view_line *line = &f->lines[i];
        selected += line->selected;
        for (size_t s = 0; s < line->span_count; s++)
            assert_true(line->spans[s].column + line->spans[s].cells <= l->width);
        if (line->row == VIEW_NO_ROW)
            continue;
        assert_int_equal(line->row, f->first + rows);
        assert_int_equal(line->selected, line->row == l->selected);
        rows++;
    }
    assert_int_equal(rows, f->shown);
    assert_true(f->first + f->shown <= f->total);
    /* Nothing is scrolled away for nothing. */
    assert_true(f->first == 0 || f->shown > 0 || l->height < 2);
    if (f->shown > 0)
        assert_int_equal(selected, l->selected < f->total);
}

void copy_file(const char *from, const char *to)
{
    char command[400];

    snprintf(command, sizeof(command), "cp '%s' '%s.new' && mv '%s.new' '%s'", from, to, to, to);
    assert_int_equal(system(command), 0);
}

void load_zoom(struct fixture *f)
{
    struct elf_file *elf = &f->watch.session.elf;
    char text[200];

    symtab_free(elf->symtab);
    *elf = (struct elf_file){.path = f->elf, .kind = SYMTAB_TABLE_STUB};
    elf->loaded = file_stamp_at(f->elf);
    assert_int_equal(symtab_load(f->elf, &elf->symtab, text, sizeof(text)), SYMTAB_OK);
}

int begin_zoom(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    assert_non_null(f);
    strcpy(f->folder, "/tmp/mprof-zoom-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->elf, sizeof(f->elf), "%s/a.elf", f->folder);
    snprintf(f->gdb, sizeof(f->gdb), "%s/gdb", f->folder);
    copy_file(ZOOM_ELF, f->elf);
    load_zoom(f);
    f->options = (struct options){.disassembler = NULL};
    f->watch.options = &f->options;
    f->watch.session.options = &f->options;
    f->watch.session.match = IDENTITY_SAME;
    f->hits[0] = (struct profile_hit){.addr = 0x401010, .hits = 30};
    f->hits[1] = (struct profile_hit){.addr = 0x401080, .hits = 10};
    f->watch.profile = (struct profile){.rows = f->hits,
                                        .row_count = 2,
                                        .attributed = 40,
                                        .block_size = 16,
                                        .updated_s = 1,
                                        .unit = DECODE_UNIT_SAMPLES};
    *state = f;
    return 0;
}

int end_zoom(void **state)
{
    struct fixture *f = *state;
    char command[200];

    symtab_free(f->watch.session.elf.symtab);
    annotate_code_forget();
    snprintf(command, sizeof(command), "rm -rf '%s'", f->folder);
    assert_int_equal(system(command), 0);
    free(f);
    return 0;
}

void write_gdb(struct fixture *f, const char *text)
{
    FILE *file = fopen(f->gdb, "w");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(f->gdb, 0700), 0);
    f->options.disassembler = f->gdb;
}

void expect_nobody(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

struct zoom *open_name(struct fixture *f, const char *name)
{
    const struct view_row row = {.function = name};
    char text[600] = "";

    struct zoom *zoom = zoom_open(&f->watch, &row, text, sizeof(text));
    if (!zoom)
        fail_msg("%s", text);
    return zoom;
}

char *zoom_screen(struct zoom *zoom, size_t selected)
{
    const struct view_layout layout = {.width = 120, .height = 150, .selected = selected};
    struct view_frame frame;
    struct text text = {.bytes = NULL};

    assert_true(zoom_frame(zoom, &layout, &frame));
    for (size_t i = 0; i < frame.count; i++)
        text_printf(&text, "%s%s\n", frame.lines[i].selected ? "@" : "", frame.lines[i].text);
    view_frame_free(&frame);
    return text.bytes;
}

void expect_screen(struct zoom *zoom, const char *wanted, bool there)
{
    char *text = zoom_screen(zoom, VIEW_NO_ROW);

    if (!!strstr(text, wanted) != there)
        fail_msg("'%s' is%s in:\n%s", wanted, there ? " not" : "", text);
    free(text);
}

void finish_zoom(struct zoom *zoom, struct fixture *f)
{
    for (int i = 0; i < 3000 && zoom_fd(zoom) >= 0; i++) {
        struct pollfd fd = {.fd = zoom_fd(zoom), .events = POLLIN};
        (void)poll(&fd, 1, 100);
        assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    }
    assert_int_equal(zoom_fd(zoom), -1);
}
