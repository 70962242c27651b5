/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff for programs and for pull requests. */
#include <table/change_output.h>

#include <math.h>
#include <stdlib.h>

#include <base/text.h>
#include <table/change_about.h>
#include <table/json_parts.h>
#include <table/table.h>

static struct view_table table_of(const struct view_changes *c, const struct view_fields *fields,
                                  size_t limit)
{
    return (struct view_table){.fields = fields,
                               .rows = c->rows,
                               .size = sizeof(*c->rows),
                               .count = limit && limit < c->count ? limit : c->count};
}

/* The keys are a contract. */
#define JSON_FIELDS                                                                          \
    "function,file,line,state_word,old_name,old_file,verdict,base,new,change,base_share,"    \
    "new_share,delta,low,high,p,significant,idle,adjusted,ratio,ratio_low,ratio_high,share_" \
    "change,base_hits,new_hits,base_time,"                                                   \
    "new_time,noise,address"

static json_t *rows_array(const struct view_changes *c, size_t limit)
{
    const char *list =
        c->by == VIEW_BY_ARC ? JSON_FIELDS ",caller_name,caller_address" : JSON_FIELDS;
    const struct view_fields fields = view_fields_of(&view_change_columns, list);
    const struct view_table table = table_of(c, &fields, limit);

    return view_table_json(&table);
}

/* Neither JSON nor anybody else has a number for "not known" or "infinite". */
static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *positive_or_null(double value)
{
    return value > 0 ? json_real(value) : json_null();
}

static json_t *side_object(const struct view_side_about *s)
{
    json_t *files = json_array();

    for (size_t i = 0; i < s->name_count; i++)
        (void)json_array_append_new(files, json_text(s->names[i]));
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:I, s:I, s:o, s:o, s:b, s:b}", "files",
                     files, "elf", json_text(s->elf), "build_id", json_text(s->build_id),
                     "snapshots", (json_int_t)s->count, "spare", (json_int_t)s->spare, "hits",
                     (json_int_t)s->hits, "dropped",
                     s->headerless ? json_null() : json_integer((json_int_t)s->dropped), "ignored",
                     (json_int_t)s->ignored, "unnamed", (json_int_t)s->unnamed, "duration",
                     positive_or_null(s->duration_s), "rate", positive_or_null(s->sample_hz),
                     "tick_locked", s->locked, "fixed_period", s->fixed);
}

static const char *per_word(const struct view_changes *c)
{
    static const char *const words[] = {[DIFF_PER_MEDIAN] = "median",
                                        [DIFF_PER_SECOND] = "second",
                                        [DIFF_PER_ITERATION] = "iteration",
                                        [DIFF_PER_FUNCTION] = "function"};

    return words[c->whole.per];
}

static json_t *notes_array(const struct view_changes *c)
{
    json_t *array = json_array();

    for (size_t i = 0; i < c->note_count; i++) {
        struct text t = {.bytes = NULL};
        change_add_note(&t, &c->notes[i]);
        char *line = text_end(&t);
        (void)json_array_append_new(array, line ? json_text(line) : NULL);
        free(line);
    }
    return array;
}

static json_t *whole_object(const struct view_changes *c, size_t limit)
{
    const struct diff *d = &c->whole;
    bool median = c->whole.per == DIFF_PER_MEDIAN;

    return json_pack(
        "{s:o, s:o, s:o, s:s, s:s, s:o, s:f, s:s, s:f, s:o, s:o, s:o, s:o, s:b, s:b, s:f, "
        "s:I, s:I, s:I, s:o, s:o}",
        "base", side_object(&c->sides[VIEW_BASE]), "new", side_object(&c->sides[VIEW_NEW]), "unit",
        json_text(c->unit), "by", view_change_word(c->by, 1), "per", per_word(c), "per_function",
        json_text(c->per_function), "fdr", c->options.fdr, "control", "any", "scale", d->scale,
        "noise", number_or_null(d->noise), "support", number_or_null(d->support), "rival",
        number_or_null(d->rival), "rival_support",
        median ? number_or_null(d->rival_support) : json_null(), "contested", d->contested,
        "judged", c->judged, "together", d->together, "runs", (json_int_t)d->runs, "significant",
        (json_int_t)c->significant, "row_count", (json_int_t)c->count, "notes", notes_array(c),
        "rows", rows_array(c, limit));
}

char *view_changes_json(const struct view_changes *changes, size_t limit)
{
    json_t *object = whole_object(changes, limit);
    return json_line(object);
}

char *view_changes_csv(const struct view_change_layout *layout, const struct view_changes *changes)
{
    const struct view_table table = table_of(changes, layout->fields, layout->limit);
    struct text t = {.bytes = NULL};

    view_table_csv(&table, true, &t);
    return text_end(&t);
}

/* The most rows that are shown although they are not significant. */
#define OTHERS 5

static void add_headline(struct text *t, const struct view_changes *c)
{
    struct text about = {.bytes = NULL};
    char line[200], build[VIEW_SIDES][40];

    view_changes_headline(c, line, sizeof(line));
    for (int side = 0; side < VIEW_SIDES; side++)
        view_build_name(c->sides[side].build_id, build[side], sizeof(build[side]));
    text_printf(t, "**mprof diff:** %s.\n\n", line);
    for (int side = 0; side < VIEW_SIDES; side++) {
        const struct view_side_about *s = &c->sides[side];
        text_printf(&about, "%s: ", side == VIEW_BASE ? "Base" : "new");
        text_printf(&about, "%s%s%s, ", s->elf, s->elf[0] ? " " : "", build[side]);
        change_add_side(&about, c, (enum view_side)side);
        text_printf(&about, "; ");
    }
    change_add_method(&about, c);
    text_printf(&about, ".");
    text_markdown(t, about.bytes ? about.bytes : "");
    t->failed |= about.failed;
    free(about.bytes);
    text_add(t, "\n\n", 2);
}

static void add_notes(struct text *t, const struct view_changes *c)
{
    for (size_t i = 0; i < c->note_count; i++) {
        struct text line = {.bytes = NULL};
        change_add_note(&line, &c->notes[i]);
        text_printf(t, "> ");
        text_markdown(t, line.bytes ? line.bytes : "");
        t->failed |= line.failed;
        free(line.bytes);
        text_printf(t, "  \n");
    }
    if (c->note_count)
        text_add(t, "\n", 1);
}

char *view_changes_markdown(const struct view_change_layout *layout,
                            const struct view_changes *changes)
{
    size_t limit = layout->limit ? layout->limit : changes->significant + OTHERS;
    const struct view_table table = table_of(changes, layout->fields, limit);
    struct text t = {.bytes = NULL};

    add_headline(&t, changes);
    add_notes(&t, changes);
    view_table_markdown(&table, &t);
    if (table.count < changes->count)
        text_printf(&t, "\n%zu more rows.\n", changes->count - table.count);
    return text_end(&t);
}
