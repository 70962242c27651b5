/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screens of random sizes, rows and settings: what holds for every screen holds for them. */
#include <math.h>

#include "unit.h"

#include "counted.h"
#include "screen_checks.h"

static uint32_t seed = 7;

static uint32_t draw(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static const char *draw_name(char *room, size_t size)
{
    static const char *const names[] = {"short",
                                        "a_name_that_is_longer_than_most_columns_are",
                                        "\x1b[31mevil\n",
                                        "\xff\xfe",
                                        "\u00fcn\u00efcode",
                                        ""};
    size_t len = draw(2) ? 0 : draw((uint32_t)size);

    if (len == 0)
        return names[draw(COUNT(names))];
    for (size_t i = 0; i < len; i++)
        room[i] = (char)(draw(4) ? 'a' + draw(26) : 1 + draw(255));
    room[len] = '\0';
    return room;
}

static void draw_rows(struct scene *s)
{
    s->rows.count = draw(10) ? draw(40) : draw(ROWS_MAX);
    for (size_t i = 0; i < s->rows.count; i++) {
        const char *name = draw(8) ? draw_name(s->names[i], sizeof(s->names[i])) : NULL;
        s->row[i] = make_row(name, draw(4) ? "/x/y.c" : NULL, draw(100000), draw(100000), 300000);
        s->row[i].context = (enum view_context)draw(3);
        s->row[i].stale = draw(8) == 0;
        s->row[i].split = draw(8) == 0;
        s->row[i].recent_share = draw(2) ? -1 : 0.3;
        if (draw(8) == 0)
            s->row[i].share.low = s->row[i].share.high = -1;
    }
}

static void draw_fields(struct scene *s, struct view_fields *fields)
{
    const struct view_columns *of = &view_ranking_columns;

    fields->count = 1 + draw(VIEW_FIELDS_MAX);
    for (size_t i = 0; i < fields->count; i++)
        fields->column[i] = &of->column[draw((uint32_t)of->count)];
    s->layout.fields = draw(2) ? fields : NULL;
    s->layout.sort = draw(4) ? &of->column[draw((uint32_t)of->count)] : NULL;
    s->layout.reversed = draw(2);
}

static void draw_layout(struct scene *s)
{
    static char message[400], words[400];

    s->layout.ascii = draw(2);
    s->layout.by = (enum view_by)draw(5);
    s->rows.arcs = draw(8) == 0;
    s->layout.first = draw(2) ? draw(ROWS_MAX) : 0;
    s->layout.selected = draw(2) && s->rows.count ? draw((uint32_t)s->rows.count) : VIEW_NO_ROW;
    s->layout.usage = draw(2) ? &s->usage : NULL;
    s->usage.idle = draw(2) ? -1 : 0.1;
    s->usage.total_tasks = draw(2) ? -1 : 0.1;
    s->layout.hints = draw(4) ? scene_hints : NULL;
    s->layout.hint_count = s->layout.hints ? draw(SCENE_HINTS + 1) : 0;
    s->layout.time_range = draw(2) ? "last 10 s" : NULL;
    s->layout.search = draw(4) ? NULL : draw(2) ? "a" : "e_";
    s->status.message = draw(2) ? draw_name(message, sizeof(message)) : "";
    s->status.alarm = draw(2);
    s->status.elf = draw_name(words, sizeof(words));
    s->status.age_s = draw(4) ? draw(100000) : NAN;
    s->status.origin = draw(4) ? NULL : "a.mprof";
    s->status.addr_size = draw(2) ? 4 : 8;
    s->profile.dropped = draw(2) ? draw(1000000) : 0;
    s->profile.recent_s = draw(2);
}

/* Nothing but ASCII is drawn, but names are what they are. */
static void check_any(struct scene *s)
{
    bool ascii = s->layout.ascii;
    struct view_frame frame = frame_of(s);

    s->layout.ascii = false;
    check_frame(s, &frame);
    s->layout.ascii = ascii;
    view_frame_free(&frame);
}

static size_t random_frames;

static void test_random(void **state)
{
    const char *soak = getenv("MPROF_SOAK");
    int times = soak && strcmp(soak, "1") == 0 ? 100000 : 2000 / (int)sanitized(4);
    static struct scene s;

    for (int i = 0; i < times; i++) {
        struct view_fields fields;
        make_scene(&s, 1 + draw(draw(2) ? 90 : 260), 1 + draw(draw(2) ? 30 : 80));
        draw_rows(&s);
        draw_layout(&s);
        draw_fields(&s, &fields);
        struct sparklines *past = draw(16) ? NULL : make_past(&s);
        check_any(&s);
        sparklines_free(past);
        random_frames++;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
    };

    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, random_frames, "random frames");
}
