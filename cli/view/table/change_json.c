/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff as one JSON object: the keys are a contract. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <table/change_output.h>
#include <table/json_parts.h>

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

    for (size_t i = 0; i < s->count; i++)
        (void)json_array_append_new(files, json_text(s->names[i]));
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:o, s:I, s:I, s:o, s:o, s:b}", "files", files,
                     "elf", json_text(s->elf), "build_id", json_text(s->build_id), "snapshots",
                     (json_int_t)s->count, "hits", (json_int_t)s->hits, "dropped",
                     s->plain ? json_null() : json_integer((json_int_t)s->dropped), "ignored",
                     (json_int_t)s->ignored, "unnamed", (json_int_t)s->unnamed, "duration",
                     positive_or_null(s->duration_s), "rate", positive_or_null(s->sample_hz),
                     "tick_locked", s->locked);
}

static const char *state_word(const struct view_change *row)
{
    const char *state = view_change_state(row);

    return state[0] ? state : "both";
}

static const char *per_word(const struct view_changes *c)
{
    static const char *const words[] = {[DIFF_PER_MEDIAN] = "median",
                                        [DIFF_PER_SECOND] = "second",
                                        [DIFF_PER_FUNCTION] = "function"};

    return words[c->options.per];
}

static void add_place(json_t *object, const struct view_change *row, bool arcs)
{
    char address[32];

    snprintf(address, sizeof(address), "0x%" PRIx64, row->addr);
    (void)json_object_set_new(object, "address", row->placed ? json_string(address) : json_null());
    if (!arcs)
        return;
    snprintf(address, sizeof(address), "0x%" PRIx64, row->caller_addr);
    (void)json_object_set_new(object, "caller", json_text(row->caller));
    (void)json_object_set_new(object, "caller_address",
                              row->caller_addr ? json_string(address) : json_null());
}

static json_t *row_object(const struct view_change *row, bool arcs)
{
    const struct diff_row *d = &row->d;
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:s, s:o, s:o, s:f, s:f, s:o, s:o, s:o, s:o, s:b}", "function",
        json_text(row->function), "file", json_text(row->file), "line",
        row->line ? json_integer(row->line) : json_null(), "state", state_word(row), "old_name",
        json_text(row->old_name), "old_file", json_text(row->old_file), "base_share", d->base_share,
        "new_share", d->new_share, "delta", number_or_null(d->change), "low",
        number_or_null(d->change_low), "high", number_or_null(d->change_high), "p",
        number_or_null(d->p), "significant", d->significant);
    json_t *more = json_pack(
        "{s:o, s:o, s:o, s:o, s:f, s:I, s:I, s:o, s:o, s:o}", "adjusted",
        number_or_null(d->adjusted), "ratio", number_or_null(d->ratio), "ratio_low",
        number_or_null(d->ratio_low), "ratio_high", number_or_null(d->ratio_high), "share_change",
        d->share_change, "base_hits", (json_int_t)d->base_hits, "new_hits", (json_int_t)d->new_hits,
        "base_time", number_or_null(row->time[VIEW_BASE]), "new_time",
        number_or_null(row->time[VIEW_NEW]), "noise", number_or_null(d->noise));

    if (object && more && json_object_update(object, more) == 0)
        add_place(object, row, arcs);
    json_decref(more);
    return object;
}

static json_t *rows_array(const struct view_changes *c, size_t limit)
{
    json_t *array = json_array();

    for (size_t i = 0; array && i < c->count && (limit == 0 || i < limit); i++) {
        if (json_array_append_new(array, row_object(&c->rows[i], c->by == VIEW_BY_ARC)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *notes_array(const struct view_changes *c)
{
    json_t *array = json_array();

    for (size_t i = 0; i < c->note_count; i++)
        (void)json_array_append_new(array, json_text(c->notes[i].text));
    return array;
}

static json_t *whole_object(const struct view_changes *c, size_t limit)
{
    const struct diff *d = &c->whole;
    bool median = c->options.per == DIFF_PER_MEDIAN;
    bool any = c->options.control == DIFF_CONTROL_ANY;

    return json_pack(
        "{s:o, s:o, s:o, s:s, s:s, s:o, s:f, s:s, s:f, s:o, s:o, s:o, s:o, s:b, s:b, s:b, "
        "s:I, s:I, s:o, s:o}",
        "base", side_object(&c->sides[VIEW_BASE]), "new", side_object(&c->sides[VIEW_NEW]), "unit",
        json_text(c->unit), "by", view_change_word(c->by), "per", per_word(c), "per_function",
        json_text(c->per_function), "fdr", c->options.fdr, "control", any ? "any" : "rate", "scale",
        d->scale, "noise", number_or_null(d->noise), "support", number_or_null(d->support), "rival",
        number_or_null(d->rival), "rival_support",
        median ? number_or_null(d->rival_support) : json_null(), "contested", d->contested,
        "uneven", d->uneven, "judged", c->judged, "significant", (json_int_t)c->significant,
        "row_count", (json_int_t)c->count, "notes", notes_array(c), "rows", rows_array(c, limit));
}

char *view_changes_json(const struct view_changes *changes, size_t limit)
{
    json_t *object = whole_object(changes, limit);
    return json_line(object);
}
