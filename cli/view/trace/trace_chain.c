/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes calls from the outermost one to the entry. */
#include "trace_chain.h"

#include <stdlib.h>
#include <string.h>

#include <table/json_parts.h>

#include "trace_names.h"
#include "trace_words.h"

struct writing {
    struct line_buffer *to;
    const struct trace_points *points;
    const struct trace_about *about;
    bool json;
    bool some; /* something was written */
    bool failed;
};

static void separate(struct writing *w)
{
    if (w->some)
        line_buffer_text(w->to, w->json ? "," : " -> ");
    w->some = true;
}

static void add_gap(struct writing *w)
{
    separate(w);
    line_buffer_text(w->to, w->json ? "null" : "...");
}

static char *text_of(const struct writing *w, uint32_t function, uint64_t addr)
{
    struct text t = {.bytes = NULL};

    trace_put_name(&t, w->points, function, addr);
    return text_end(&t);
}

static char *json_of(const struct writing *w, uint32_t function, uint64_t addr)
{
    char buffer[TRACE_ADDRESS_TEXT];

    return json_line(json_pack("{s:o, s:o}", "function",
                               json_text(trace_function_name(w->points, function)), "address",
                               json_text(trace_address_text(addr, buffer))));
}

/* Adds a function, with the arguments of an event unless that is NULL. */
static void add_function(struct writing *w, uint32_t function, uint64_t addr,
                         const struct trace_event *e)
{
    char *text = w->json ? json_of(w, function, addr) : text_of(w, function, addr);
    size_t len = text ? strlen(text) : 0;
    size_t brace = w->json && len != 0; /* it comes after the arguments */

    separate(w);
    w->failed |= text == NULL;
    if (text)
        line_buffer_add(w->to, text, len - brace);
    free(text);
    if (e)
        w->failed |= !trace_words_add_arguments(w->to, w->json, w->points, w->about, e);
    if (brace)
        line_buffer_text(w->to, "}");
}

static void add_link(struct writing *w, const struct trace_link *link)
{
    const struct trace_point *p = trace_point_at(w->points, link->entry.point);

    if (link->gap)
        add_gap(w);
    if (link->caller)
        add_function(w, p->caller_function, p->caller, NULL);
    add_function(w, p->function, p->callee, &link->entry);
}

bool trace_chain_add(struct line_buffer *to, bool json, const struct trace_points *points,
                     const struct trace_about *about, const struct trace_chain *chain)
{
    struct writing w = {.to = to, .points = points, .about = about, .json = json};

    line_buffer_text(to, json ? ",\"stack\":[" : "");
    for (size_t i = 0; i < chain->count; i++)
        add_link(&w, &chain->links[i]);
    line_buffer_text(to, json ? "]" : "");
    return !w.failed;
}
