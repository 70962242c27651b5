/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callers above a function, callees below it. */
#include <annotate/calls.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>

#include "annotate_body.h"

static int compare(const void *a, const void *b)
{
    const struct view_call *x = a, *y = b;

    if (x->hits != y->hits)
        return x->hits < y->hits ? 1 : -1;
    return (x->addr > y->addr) - (x->addr < y->addr);
}

static void finish(struct view_call *calls, size_t count, uint64_t all)
{
    if (count)
        qsort(calls, count, sizeof(*calls), compare);
    for (size_t i = 0; i < count; i++)
        calls[i].share = all ? (double)calls[i].hits / (double)all : 0;
}

/* A row without a function has the address of its block, at which one may begin. */
static void add_row(const struct view_row *row, struct view_calls *c)
{
    uint64_t addr = c->function->addr;

    if (row->function && row->addr == addr) {
        c->callers[c->caller_count++] =
            (struct view_call){.name = row->caller, .addr = row->caller_addr, .hits = row->hits};
        c->in += row->hits;
    }
    if (row->caller && row->caller_addr == addr) {
        c->callees[c->callee_count++] =
            (struct view_call){.name = row->function, .addr = row->addr, .hits = row->hits};
        c->out += row->hits;
    }
}

bool view_calls_build(const struct view_rows *arcs, const struct symtab_function *function,
                      struct view_calls *calls)
{
    struct view_calls c = {
        .function = function,
        .callers = calloc(arcs->count + 1, sizeof(*c.callers)),
        .callees = calloc(arcs->count + 1, sizeof(*c.callees)),
    };

    if (!c.callers || !c.callees) {
        view_calls_free(&c);
        return false;
    }
    for (size_t i = 0; i < arcs->count; i++)
        add_row(&arcs->rows[i], &c);
    finish(c.callers, c.caller_count, c.in);
    finish(c.callees, c.callee_count, c.out);
    *calls = c;
    return true;
}

void view_calls_free(struct view_calls *calls)
{
    free(calls->callers);
    free(calls->callees);
    *calls = (struct view_calls){.callers = NULL};
}

static void add_headings(struct body *b)
{
    struct text t = {.bytes = NULL};

    text_printf(&t, "%6s %*s  CALLERS AND CALLEES", "SHARE%", (int)b->hits_width, "CALLS");
    (void)body_add(b, ANNOTATE_HEADING, &t);
}

static void add_words(struct body *b, enum annotate_kind kind, const char *words)
{
    struct text t = {.bytes = NULL};

    body_numbers(b, &t, 0, 0);
    text_printf(&t, " %s", words);
    (void)body_add(b, kind, &t);
}

/* Where a function begins, behind its name. */
static void add_start(struct text *t, const struct symbol_naming *names, uint64_t addr)
{
    const struct symtab_function *f = names->find ? names->find(names->context, addr) : NULL;
    struct symtab_line start;
    char where[400];

    if (!f || !names->find_start || !names->find_start(names->context, f, &start))
        return;
    body_where(start.file, start.line, where, sizeof(where));
    text_printf(t, "   ");
    text_cell(t, where, 40, false, false);
}

static void add_call(struct body *b, const struct symbol_naming *names,
                     const struct view_call *call, const char *indent)
{
    struct text t = {.bytes = NULL};

    body_numbers(b, &t, call->hits, call->share);
    size_t numbers = t.len;
    text_printf(&t, " %s", indent);
    if (call->name)
        text_cell(&t, call->name, b->layout->width / 2, false, false);
    else if (call->addr)
        text_printf(&t, "0x%" PRIx64, call->addr);
    else
        text_printf(&t, "(not known)");
    if (call->name)
        add_start(&t, names, call->addr);
    struct annotate_text *added = body_add(b, ANNOTATE_STEP, &t);
    body_heat(added, numbers, call->share, call->share);
    if (added && call->name) {
        added->has_addr = true;
        added->addr = call->addr;
    }
}

static void add_calls(struct body *b, const struct symbol_naming *names,
                      const struct view_calls *calls)
{
    const struct view_call self = {.name = calls->function->name,
                                   .addr = calls->function->addr,
                                   .hits = calls->in,
                                   .share = calls->in ? 1 : 0};

    add_words(b, ANNOTATE_TITLE, "called by");
    for (size_t i = 0; i < calls->caller_count; i++)
        add_call(b, names, &calls->callers[i], "  ");
    if (calls->caller_count == 0)
        add_words(b, ANNOTATE_GAP, "  (no caller was recorded)");
    add_call(b, names, &self, "");
    add_words(b, ANNOTATE_TITLE, "calls");
    for (size_t i = 0; i < calls->callee_count; i++)
        add_call(b, names, &calls->callees[i], "  ");
    if (calls->callee_count == 0)
        add_words(b, ANNOTATE_GAP, "  (no call was recorded)");
}

bool view_calls_frame(const struct view_calls *calls, const struct symbol_naming *names,
                      const char *note, const struct annotate_layout *layout,
                      struct annotate_frame *frame)
{
    struct body b = {.layout = layout, .hits_width = 10};

    add_headings(&b);
    if (note)
        body_note(&b, note);
    else
        add_calls(&b, names, calls);
    if (b.failed)
        annotate_frame_free(&b.frame);
    else
        *frame = b.frame;
    return !b.failed;
}
