/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A refresh for programs and for notes. */
#include <table/ranking_output.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <base/text.h>
#include <profile/unsure.h>
#include <ranking/build.h>
#include <table/json_parts.h>
#include <table/table.h>

static size_t shown_of(const struct view_rows *rows, size_t limit)
{
    return limit && limit < rows->count ? limit : rows->count;
}

static struct view_table table_of(const struct view_rows *rows, size_t limit,
                                  const struct view_fields *fields, const struct view_scale *scale)
{
    return (struct view_table){.fields = fields,
                               .rows = rows->rows,
                               .size = sizeof(*rows->rows),
                               .count = shown_of(rows, limit),
                               .scale = scale};
}

/* The keys are a contract. */
#define JSON_FIELDS "function,file,line,address,hits,share,low,high,rate,stale,context,late"

static json_t *rows_array(const struct view_rows *rows, size_t limit)
{
    const struct view_scale scale = {.of = rows};
    char list[sizeof(JSON_FIELDS) + 80];

    snprintf(list, sizeof(list), "%s%s%s", JSON_FIELDS,
             rows->by != VIEW_BY_CONTEXT || !rows->numbered ? ""
             : rows->samples->tasks ? ",exception,task,stack_free,stack_size"
                                    : ",exception",
             rows->arcs ? ",caller_name,caller_address" : "");
    const struct view_fields fields = view_fields_of(&view_ranking_columns, list);
    const struct view_table table = table_of(rows, limit, &fields, &scale);
    return view_table_json(&table);
}

static json_t *number_or_null(double value)
{
    return value < 0 ? json_null() : json_real(value);
}

static json_t *link_object(const struct view_status *s)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:b, s:o, s:I, s:f, s:f, s:f, s:o, s:f}", "kind",
                     json_text(s->kind), "server", json_text(s->server), "address",
                     json_text(s->address), "target", json_text(s->target), "live", s->live,
                     "state", json_text(view_state_word(s->state)), "halts", (json_int_t)s->halts,
                     "halted_ms", s->halted_ms, "halted_share", s->halted_share, "longest_halt_ms",
                     s->longest_ms, "poll_ms", number_or_null(s->poll_ms), "slow_period_ms",
                     s->period_s * 1e3);
}

static json_t *unattributed_object(const struct profile *p, const struct view_rows *rows)
{
    json_t *dropped = p->headerless ? json_null() : json_integer(p->dropped);

    json_t *sleeping = p->headerless ? json_null() : json_integer(p->sleeping);

    return json_pack("{s:I, s:o, s:o}", "ignored", (json_int_t)(p->ignored + rows->ignored),
                     "dropped", dropped, "sleeping", sleeping);
}

static json_t *without_row_or_null(const struct view_rows *rows)
{
    const struct view_without_row *w = &rows->without;

    if (w->most == 0)
        return json_null();
    return json_pack("{s:o, s:o}", "functions",
                     w->functions ? json_integer((json_int_t)w->functions) : json_null(), "high",
                     number_or_null(w->high));
}

/* What the ends low and high of a share cover. */
static json_t *intervals_or_null(const struct view_rows *rows)
{
    const struct profile *p = rows->profile;

    if (rows->attributed == 0 || p->unit != DECODE_UNIT_SAMPLES || !profile_has_intervals(p))
        return json_null();
    return json_string(wander_intervals(rows->cosines, p->spread));
}

static json_t *in_step_or_null(enum lockstep lockstep)
{
    return lockstep == LOCKSTEP_NOT_TESTED ? json_null() : json_boolean(lockstep == LOCKSTEP_FOUND);
}

char *view_json(const struct view_status *status, const struct profile *profile,
                const struct view_rows *rows, size_t limit)
{
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:b, s:b, s:o, s:I, s:o, s:I, s:I, s:I, s:o, "
        "s:o, s:o, s:o}",
        "time", number_or_null(status->time_s), "link", link_object(status), "identity",
        json_text(status->identity), "sampler", json_text(status->sampler), "sampler_reason",
        status->sampler_why ? json_text(status->sampler_why) : json_null(), "batches",
        profile->batches ? json_integer(profile->batches) : json_null(), "variance_factor",
        profile->spread > 0 ? json_real(profile->spread) : json_null(), "unit",
        view_unit(status, profile), "tick_locked", profile->locked, "fixed_period", profile->fixed,
        "in_step", in_step_or_null(status->lockstep), "late", (json_int_t)profile->late,
        "stub_share", number_or_null(view_stub_share(status, profile)), "other_side",
        (json_int_t)profile->other_side, "restarts", (json_int_t)profile->restarts, "hits",
        (json_int_t)rows->attributed, "unattributed", unattributed_object(profile, rows),
        "without_row", without_row_or_null(rows), "intervals", intervals_or_null(rows), "rows",
        rows_array(rows, limit));
    return json_line(object);
}

char *view_csv(const struct view_status *status, const struct view_fields *fields,
               const struct view_rows *rows, size_t limit, bool heading)
{
    const struct view_scale scale = {.time_s = status->time_s, .of = rows};
    struct view_fields timed = {.column = {&view_time_column}, .count = fields->count + 1};
    const struct view_table table = table_of(rows, limit, &timed, &scale);
    struct text t = {.bytes = NULL};

    memcpy(&timed.column[1], fields->column, fields->count * sizeof(fields->column[0]));
    view_table_csv(&table, heading, &t);
    return text_end(&t);
}

static void add_summary(struct text *t, const struct view_status *s, const struct profile *p,
                        const struct view_rows *rows)
{
    text_add(t, "**", 2);
    text_markdown(t, s->elf[0] ? s->elf : s->command);
    text_add(t, "**", 2);
    if (s->build_id[0])
        text_printf(t, " %.*s", view_build_len(s->build_id), s->build_id);
    text_printf(t, ": %" PRIu64 " %s", rows->attributed, view_unit(s, p));
    if (!p->headerless)
        text_printf(t, ", lost %" PRIu32, p->dropped);
    text_printf(t, "%s", view_counting_only(rows) ? ", intervals of counting only" : "");
    text_add(t, "\n\n", 2);
}

char *view_markdown(const struct view_status *status, const struct view_fields *fields,
                    const struct profile *profile, const struct view_rows *rows, size_t limit)
{
    const struct view_scale scale = {.addr_size = status->addr_size, .of = rows};
    const struct view_table table = table_of(rows, limit, fields, &scale);
    char without[VIEW_WITHOUT_TEXT];
    struct text t = {.bytes = NULL};

    add_summary(&t, status, profile, rows);
    view_table_markdown(&table, &t);
    if (table.count < rows->count)
        text_printf(&t, "\n%zu more rows\n", rows->count - table.count);
    view_without_text(rows, without);
    if (without[0])
        text_printf(&t, "\n%s\n", without);
    return text_end(&t);
}
