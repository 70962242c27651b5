/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rows are shown: those with a piece of text, or that match a regular expression. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "live_private.h"

/* As in most pagers: capitals are meant. */
static bool has_capital(const char *text)
{
    for (; *text; text++)
        if (*text >= 'A' && *text <= 'Z')
            return true;
    return false;
}

/* "/fir.*f32/"; the second slash may be missing, as it is while it is typed. */
static bool compile(struct live *l, const char *pattern, regex_t *regex)
{
    int flags = REG_EXTENDED | (has_capital(pattern) ? 0 : REG_ICASE);
    char inner[LIVE_PATTERN], why[120];

    snprintf(inner, sizeof(inner), "%s", pattern + 1);
    size_t len = strlen(inner);
    if (len > 1 && inner[len - 1] == '/')
        inner[len - 1] = '\0';
    int code = regcomp(regex, inner, flags);
    if (code == 0)
        return true;
    regerror(code, regex, why, sizeof(why));
    live_say(l, true, "%s: %s", inner, why);
    return false;
}

bool live_filter_set(struct live *live, const char *pattern)
{
    regex_t regex;
    bool is_regex = pattern[0] == '/' && pattern[1];

    if (is_regex && !compile(live, pattern, &regex))
        return false;
    if (live->model.filter.is_regex)
        regfree(&live->model.filter.regex);
    live->model.filter.is_regex = is_regex;
    if (is_regex)
        live->model.filter.regex = regex;
    snprintf(live->model.filter.pattern, sizeof(live->model.filter.pattern), "%s", pattern);
    return true;
}

static bool fits(const struct live *l, const char *text)
{
    if (!text)
        return false;
    if (l->model.filter.is_regex)
        return regexec(&l->model.filter.regex, text, 0, NULL, 0) == 0;
    return (has_capital(l->model.filter.pattern)
                ? strstr(text, l->model.filter.pattern)
                : strcasestr(text, l->model.filter.pattern)) != NULL;
}

/* Rows are found by what is read in them. */
bool live_filter_fits(const struct live *live, const struct view_row *row)
{
    char address[20];

    snprintf(address, sizeof(address), "0x%llx", (unsigned long long)row->addr);
    return !live->model.filter.pattern[0] || fits(live, row->function) || fits(live, row->file) ||
           fits(live, row->caller) || (!row->function && fits(live, address));
}

/* Section by section, as they stand on the screen: so a row's place there is its index. */
bool live_filter_rows(struct live *live)
{
    struct view_row *rows = malloc((live->model.all.count + 1) * sizeof(*rows));
    size_t count = 0;

    if (!rows)
        return false;
    for (int section = 0; section < VIEW_CONTEXTS; section++) {
        for (size_t i = 0; i < live->model.all.count; i++) {
            const struct view_row *row = &live->model.all.rows[i];
            if ((int)row->context == section &&
                (live->model.filter.show_all || live_filter_fits(live, row)))
                rows[count++] = *row;
        }
    }
    free(live->model.rows.rows);
    live->model.rows = live->model.all;
    live->model.rows.rows = rows;
    live->model.rows.count = count;
    return true;
}
