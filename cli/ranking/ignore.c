/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules of what to leave out: read them, apply them. */
#define _POSIX_C_SOURCE 200809L

#include <ranking/ignore.h>

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include <base/number.h>
#include <base/path.h>
#include <profile/match.h>

static bool take_range(const char *word, struct view_ignore_rule *rule)
{
    uint64_t second;
    const char *at = word;

    if (!number_take_size(&at, &rule->first) || (*at != '-' && *at != '+'))
        return false;
    bool size = *at++ == '+';
    if (!number_take_size(&at, &second) || *at != '\0')
        return false;
    rule->last = (size ? rule->first + second : second) - 1;
    return second != 0 && rule->last >= rule->first;
}

/* Why it is wrong, NULL: it is not. No name of a function begins with a digit. */
static const char *take_rule(const char *word, size_t len, struct view_ignore_rule *rule)
{
    *rule = (struct view_ignore_rule){.files = false};
    if (len == 0)
        return "is empty: give names of functions or files, or addresses";
    if (len >= sizeof(rule->glob))
        return "is too long";
    memcpy(rule->glob, word, len);
    rule->files = strpbrk(rule->glob, "./") != NULL;
    if (!isdigit((unsigned char)word[0]))
        return NULL;
    if (!take_range(rule->glob, rule))
        return "is not a range of addresses like 0x1000-0x2000 or 0x1000+0x400";
    rule->glob[0] = '\0';
    rule->files = false;
    return NULL;
}

bool view_ignore_parse(const char *list, struct view_ignore *ignore, char *text, size_t capacity)
{
    size_t count = ignore->count;
    bool files = ignore->files;

    for (const char *word = list;; word++) {
        size_t len = strcspn(word, ",");
        if (count == VIEW_IGNORE_MAX) {
            snprintf(text, capacity, "more than %d names and ranges", VIEW_IGNORE_MAX);
            return false;
        }
        const char *wrong = take_rule(word, len, &ignore->rules[count]);
        if (wrong) {
            snprintf(text, capacity, "'%.*s' %s", (int)(len < 200 ? len : 200), word, wrong);
            return false;
        }
        files |= ignore->rules[count++].files;
        word += len;
        if (*word == '\0')
            break;
    }
    ignore->count = count;
    ignore->files = files;
    return true;
}

static bool is_file(const char *glob, const char *file)
{
    return fnmatch(glob, strchr(glob, '/') ? file : path_base_name(file), 0) == 0;
}

/* The name, what fits the pattern, or as gdb's break does, the end of a name from a "::" on. */
static bool is_function(const char *glob, const char *function)
{
    return fnmatch(glob, function, 0) == 0 || match_is_unqualified(function, glob);
}

bool view_ignore_rule_hit(const struct view_ignore_rule *rule, const char *function,
                          const char *file)
{
    return (function && is_function(rule->glob, function)) ||
           (rule->files && file && is_file(rule->glob, file));
}

bool view_ignore_rule_has(const struct view_ignore_rule *rule, uint64_t addr, const char *function,
                          const char *file)
{
    return rule->glob[0] == '\0' ? addr >= rule->first && addr <= rule->last
                                 : view_ignore_rule_hit(rule, function, file);
}

bool view_ignore_hit(const struct view_ignore *ignore, uint64_t addr, const char *function,
                     const char *file)
{
    for (size_t i = 0; i < ignore->count; i++) {
        if (view_ignore_rule_has(&ignore->rules[i], addr, function, file))
            return true;
    }
    return false;
}
