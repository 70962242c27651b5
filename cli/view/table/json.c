/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The object of --format json: the keys are a contract. */
#include <table/json.h>

#include <inttypes.h>
#include <stdio.h>

#include <table/json_parts.h>

static json_t *number_or_null(double value)
{
    return value < 0 ? json_null() : json_real(value);
}

static json_t *link_object(const struct view_status *s)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:b, s:o, s:I, s:f, s:f, s:o}", "kind", json_text(s->kind), "server",
        json_text(s->server), "address", json_text(s->address), "target", json_text(s->target),
        "live", s->live, "state", json_text(s->state), "halts", (json_int_t)s->halts, "halted_ms",
        s->halted_ms, "halted_share", s->halted_share, "poll_ms", number_or_null(s->poll_ms));
}

static json_t *unattributed_object(const struct profile *p, const struct view_rows *rows)
{
    json_t *dropped = p->plain ? json_null() : json_integer(p->dropped);

    json_t *sleeping = p->plain ? json_null() : json_integer(p->sleeping);

    return json_pack("{s:I, s:o, s:o}", "ignored", (json_int_t)(p->ignored + rows->ignored),
                     "dropped", dropped, "sleeping", sleeping);
}

static json_t *row_object(const struct view_row *row, const struct view_rows *rows)
{
    char address[32] = "";

    if (!row->unplaced)
        snprintf(address, sizeof(address), "0x%" PRIx64, row->addr + row->shift);
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:I, s:f, s:o, s:o, s:o, s:b, s:o, s:o}", "function",
                  json_text(row->function), "file", json_text(row->file), "line",
                  row->line ? json_integer(row->line) : json_null(), "address", json_text(address),
                  "hits", (json_int_t)row->hits, "share", row->share.value, "low",
                  number_or_null(row->share.low), "high", number_or_null(row->share.high), "rate",
                  number_or_null(row->rate), "stale", row->stale, "context",
                  rows->marked ? json_string(view_context_name(row->context)) : json_null(), "late",
                  rows->late ? json_integer((json_int_t)row->late) : json_null());

    if (rows->by == VIEW_BY_CONTEXT && rows->exceptions)
        (void)json_object_set_new(object, "exception", json_integer(row->exception));
    if (!rows->arcs)
        return object;
    snprintf(address, sizeof(address), "0x%" PRIx64, row->caller_addr);
    bool known = row->caller || row->caller_addr != 0;
    (void)json_object_set_new(object, "caller", json_text(row->caller));
    (void)json_object_set_new(object, "caller_address", known ? json_string(address) : json_null());
    return object;
}

static json_t *rows_array(const struct view_rows *rows, size_t limit)
{
    json_t *array = json_array();

    for (size_t i = 0; array && i < rows->count && (limit == 0 || i < limit); i++) {
        if (json_array_append_new(array, row_object(&rows->rows[i], rows)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

char *view_json(const struct view_status *status, const struct profile *profile,
                const struct view_rows *rows, size_t limit)
{
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:s, s:b, s:I, s:I, s:I, s:I, s:o, s:o}", "time",
        number_or_null(status->time_s), "link", link_object(status), "identity",
        json_text(status->identity), "sampler", json_text(status->sampler), "unit",
        view_unit(status, profile), "tick_locked", profile->locked, "late",
        (json_int_t)profile->late, "other_side", (json_int_t)profile->other_side, "restarts",
        (json_int_t)profile->restarts, "hits", (json_int_t)rows->attributed, "unattributed",
        unattributed_object(profile, rows), "rows", rows_array(rows, limit));
    return json_line(object);
}
