/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The row that an address belongs to. */
#include "row_naming.h"

#include <stdlib.h>
#include <string.h>

#include <base/text.h>
#include <profile/divide.h>

bool naming_is_by_function(enum view_by by)
{
    return by == VIEW_BY_FUNCTION || by == VIEW_BY_ARC || by == VIEW_BY_CONTEXT ||
           by == VIEW_BY_INLINE || by == VIEW_BY_TOTAL;
}

bool naming_is_named(const struct naming *n, const struct view_row *row)
{
    return n->by == VIEW_BY_LINE || n->by == VIEW_BY_FILE ? row->file != NULL
                                                          : row->function != NULL;
}

void naming_line(struct naming *n, uint64_t addr, struct view_row *row)
{
    struct symtab_line line;

    if (!n->names.find_line || !n->names.find_line(n->names.context, addr, &line))
        return;
    row->file = line.file;
    row->line = line.line;
}

/* Where the row's function begins. */
void naming_start(struct naming *n, struct view_row *row)
{
    const struct symtab_function *function = n->names.find(n->names.context, row->addr);
    struct symtab_line line;

    if (!function || !n->names.find_start ||
        !n->names.find_start(n->names.context, function, &line))
        return;
    row->file = line.file;
    row->line = line.line;
}

/* "crc8 (inlined) <- crc16 <- update" */
static void name_inlined(struct naming *n, uint64_t addr, const char *function,
                         struct view_row *row)
{
    struct symtab_inlined frames[SYMTAB_INLINED_MAX];
    struct text chain = {.bytes = NULL};
    size_t count = n->names.find_inlined
                       ? n->names.find_inlined(n->names.context, addr, frames, SYMTAB_INLINED_MAX)
                       : 0;

    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        const char *name = frames[i].name ? frames[i].name : "?";
        text_add(&chain, name, strlen(name));
        text_printf(&chain, "%s <- ", i ? "" : " (inlined)");
    }
    text_add(&chain, function, strlen(function));
    row->function =
        chain.failed ? NULL : string_pool_text(n->made, string_pool_add(n->made, chain.bytes));
    row->symbol = NULL;
    row->file = frames[0].file;
    row->line = frames[0].line;
    row->inlined = true;
    free(chain.bytes);
}

/* The row that the instruction at addr, in the block that starts at block, belongs to. */
struct view_row naming_row(struct naming *n, uint64_t block, uint64_t addr)
{
    struct view_row row = {.addr = block};
    const struct symtab_function *function =
        n->names.find ? n->names.find(n->names.context, addr) : NULL;

    if (function) {
        row.function = function->name;
        row.symbol = function->symbol;
    }
    if (naming_is_by_function(n->by) && function) {
        row.addr = function->addr;
        row.shift = addr - naming_place(&n->names, addr);
    }
    if (n->by == VIEW_BY_INLINE && function)
        name_inlined(n, addr, function->name, &row);
    if (n->by == VIEW_BY_LINE || n->by == VIEW_BY_FILE)
        naming_line(n, addr, &row);
    if (!row.file && function && function->name &&
        function->name[0] == '[') /* a region is one row */
        row.addr = n->by == VIEW_BY_ADDRESS ? row.addr : function->addr;
    return row;
}

void naming_caller(const struct naming *n, uint64_t caller, struct view_row *row)
{
    const struct symtab_function *function = NULL;

    if (n->by != VIEW_BY_ARC || caller == 0)
        return;
    if (n->names.find_caller)
        function = n->names.find_caller(n->names.context, caller);
    row->caller = function ? function->name : NULL;
    row->caller_addr = function ? function->addr : caller;
}

bool naming_ignores(struct naming *n, uint64_t addr, const struct view_row *row)
{
    struct view_row place = *row;

    if (!n->ignore)
        return false;
    if (n->ignore->files && n->by != VIEW_BY_LINE && n->by != VIEW_BY_FILE)
        naming_line(n, addr, &place);
    return view_ignore_hit(n->ignore, addr, place.function, place.file) ||
           (row->symbol && view_ignore_hit(n->ignore, addr, row->symbol, NULL));
}

/* Whether one context is asked for, and that is another one. */
bool naming_ignores_context(const struct naming *n, const struct profile_hit *hit)
{
    return n->ignore && n->ignore->some_contexts &&
           !(hit->exception < PROFILE_CONTEXTS && n->ignore->contexts[hit->exception]);
}

/* For how many bytes from addr on the parts are of one row; ranges that are left out count. */
uint64_t naming_same(const struct naming *n, uint64_t addr)
{
    uint64_t bytes = n->names.same                           ? n->names.same(n->names.context, addr)
                     : !n->names.find && !n->names.find_line ? UINT64_MAX
                                                             : DIVIDE_STEP;

    for (size_t i = 0; n->ignore && i < n->ignore->count; i++) {
        const struct view_ignore_rule *r = &n->ignore->rules[i];
        if (r->glob[0] == '\0' && r->first > addr && r->first - addr < bytes)
            bytes = r->first - addr;
        if (r->glob[0] == '\0' && r->last >= addr && r->last - addr < bytes - 1)
            bytes = r->last - addr + 1;
    }
    return bytes;
}
