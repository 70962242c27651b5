/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of functions that can call the hook, for people and for programs. */
#include <table/site_list.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <table/json_parts.h>

#include "getters.h"

static const struct view_site *site_of(const void *row)
{
    return row;
}

GET(get_address)
{
    UNUSED(scale);
    value->kind = VIEW_VALUE_ADDRESS;
    value->address = site_of(of)->addr;
}

SHOW(show_address)
{
    UNUSED(scale), UNUSED(width);
    snprintf(text, capacity, "0x%08" PRIx64, site_of(of)->addr);
}

static void count(uint64_t number, const struct view_site *s, struct view_value *value)
{
    if (!s->site)
        return;
    value->kind = VIEW_VALUE_COUNT;
    value->count = number;
}

GET(get_nops)
{
    UNUSED(scale);
    count(site_of(of)->nops, site_of(of), value);
}

GET(get_calls)
{
    const struct view_site *s = site_of(of);

    UNUSED(scale);
    if (!s->why || s->chosen)
        count(s->calls, s, value);
}

GET(get_place_of)
{
    UNUSED(scale);
    get_place(site_of(of)->file, site_of(of)->line, value);
}

SHOW(show_chosen)
{
    const struct view_site *s = site_of(of);

    UNUSED(scale), UNUSED(width);
    snprintf(text, capacity, "%s",
             s->why      ? s->why
             : s->chosen ? "calls the hook"
                         : "can be chosen");
}

#define AT(member, member_type) .at = VIEW_AT(struct view_site, member, member_type)

static const struct view_column columns[] = {
    {.name = "address",
     .title = "ADDRESS",
     .type = COLUMN_ADDRESS,
     .get = get_address,
     .show = show_address},
    {.name = "site",
     .title = "SITE",
     .type = COLUMN_TEXT,
     AT(site, const char *),
     .unknown = "",
     .drop = 1},
    {.name = "unchosen", .title = "UNCHOSEN", .type = COLUMN_COUNT, .get = get_nops, .unknown = ""},
    {.name = "chosen", .title = "CHOSEN", .type = COLUMN_COUNT, .get = get_calls, .unknown = ""},
    {.name = "function", .title = "FUNCTION", .type = COLUMN_TEXT, AT(function, const char *)},
    {.title = "FILE", .type = COLUMN_TEXT, .get = get_place_of, .unknown = "", .drop = 2},
    {.title = "STATE",
     .type = COLUMN_TEXT,
     .get = NULL,
     AT(why, const char *),
     .unknown = "",
     .show = show_chosen},
    {.name = "file", .type = COLUMN_TEXT, AT(file, const char *)},
    {.name = "line", .type = COLUMN_LINE, AT(line, unsigned)},
    {.name = "calls_hook", .type = COLUMN_FLAG, AT(chosen, bool)},
    {.name = "reason", .type = COLUMN_TEXT, AT(why, const char *)},
};
_Static_assert(sizeof(columns) / sizeof(columns[0]) <= VIEW_FIELDS_MAX, "all can be shown");

static const struct view_columns site_columns = {
    .column = columns,
    .count = sizeof(columns) / sizeof(columns[0]),
};

/* The keys are a contract. */
#define JSON_FIELDS "function,file,line,address,site,unchosen,chosen,calls_hook,reason"

static void add_summary(const struct view_site_list *list, struct text *to)
{
    size_t chosen = 0, free = 0, sites = 0;

    for (size_t i = 0; i < list->count; i++) {
        chosen += list->sites[i].chosen;
        free += !list->sites[i].why;
        sites += list->sites[i].site != NULL;
    }
    text_printf(to, "\n%zu of %zu functions with nops can be chosen; %zu %s.\n", free, sites,
                chosen, chosen == 1 ? "calls the hook" : "call the hook");
    text_printf(to,
                "Numbers are the instructions of the site; docs/costs.md has those of the hook.\n");
    if (list->bare != 0)
        text_printf(to, "%zu more function%s no nops: of the stub, or not compiled with %s.\n",
                    list->bare, list->bare == 1 ? " has" : "s have", list->option);
}

static json_t *list_object(const struct view_site_list *list, const struct view_table *table)
{
    return json_pack("{s:o, s:s, s:I, s:o}", "elf", json_text(list->elf), "hook", list->hook,
                     "without_nops", (json_int_t)list->bare, "functions", view_table_json(table));
}

char *view_site_list(const struct view_site_list *list, enum view_format format,
                     const struct view_page *page)
{
    bool json = format == FORMAT_JSON;
    const struct view_fields fields =
        json ? view_fields_of(&site_columns, JSON_FIELDS) : view_fields_all(&site_columns);
    const struct view_scale scale = {.addr_size = list->addr_size};
    const struct view_table table = {.fields = &fields,
                                     .rows = list->sites,
                                     .size = sizeof(*list->sites),
                                     .count = list->count,
                                     .scale = &scale};
    struct text t = {.bytes = NULL};

    if (json)
        return json_line(list_object(list, &table));
    view_table_write(&table, format, page ? page->width : 0, &t);
    if (format == FORMAT_TABLE)
        add_summary(list, &t);
    return text_end(&t);
}
