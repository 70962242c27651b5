/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects findings, hides names in them, and prints them as a page or as JSON. */
#include "findings.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/output.h>
#include <base/say.h>
#include <base/text.h>
#include <table/json_parts.h>

#define WIDTH_MIN 40
/* Cells before a text: the mark, and what it is about. */
#define INDENT 15

static const char *const mark_words[] = {"ok", "warn", "FAIL"};

void finding_add(struct findings *findings, enum finding_mark mark, const char *about,
                 const char *advice, const char *format, ...)
{
    struct finding *f = &findings->list[findings->count];
    va_list args;

    if (findings->count == FINDINGS_MAX)
        return;
    findings->count++;
    *f = (struct finding){.mark = mark, .about = about};
    va_start(args, format);
    vsnprintf(f->text, sizeof(f->text), format, args);
    va_end(args);
    snprintf(f->advice, sizeof(f->advice), "%s", advice ? advice : "");
}

char *finding_split(char *text)
{
    char *at = NULL;

    for (char *next = text; (next = strstr(next, "; ")) != NULL; next += 2)
        at = next;
    if (at)
        *at = '\0';
    return at ? at + 2 : NULL;
}

const struct finding *finding_first(const struct findings *findings, enum finding_mark mark)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->list[i].mark == mark)
            return &findings->list[i];
    }
    return NULL;
}

enum finding_mark finding_next_failure(const struct findings *findings)
{
    return finding_first(findings, FINDING_FAIL) ? FINDING_WARN : FINDING_FAIL;
}

void findings_hide(struct findings *findings, const char *name, const char *instead)
{
    struct hidden *h = &findings->hidden[findings->hidden_count];

    if (!name || !name[0] || findings->hidden_count == HIDDEN_MAX)
        return;
    snprintf(h->name, sizeof(h->name), "%s", name);
    h->instead = instead;
    findings->hidden_count++;
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The longest name that stands at s as a word of text; NULL: none does. */
static const struct hidden *hidden_at(const struct findings *findings, const char *text,
                                      const char *s)
{
    const struct hidden *best = NULL;
    size_t best_len = 0;

    for (size_t i = 0; i < findings->hidden_count; i++) {
        const struct hidden *h = &findings->hidden[i];
        size_t len = strlen(h->name);
        bool begins = s == text || !is_word_char(s[-1]) || !is_word_char(s[0]);
        if (len > best_len && begins && strncmp(s, h->name, len) == 0 &&
            (!is_word_char(h->name[len - 1]) || !is_word_char(s[len]))) {
            best = h;
            best_len = len;
        }
    }
    return best;
}

/* A copy of a text without the names; the caller frees it. NULL: no memory. */
static char *shown(const struct findings *findings, const char *from)
{
    struct text text = {.bytes = NULL};

    for (const char *s = from; *s;) {
        const struct hidden *h = hidden_at(findings, from, s);
        if (h)
            text_add(&text, h->instead, strlen(h->instead));
        else
            text_add(&text, s, 1);
        s += h ? strlen(h->name) : 1;
    }
    return text_end(&text);
}

static const struct finding *worst(const struct findings *findings, const struct finding *summary)
{
    const struct finding *fail = finding_first(findings, FINDING_FAIL);
    const struct finding *warn = finding_first(findings, FINDING_WARN);

    return fail ? fail : warn ? warn : summary;
}

static const char *verdict_words(const struct finding *first)
{
    static const char *const words[] = {
        "mprof top works: ", "mprof top works, but: ", "mprof top does not work: "};

    return words[first->mark];
}

/* Lines of at most width cells; further ones begin at indent. width 0: one line. */
static void add_wrapped(struct text *page, const char *from, unsigned indent, unsigned width)
{
    struct text safe = {.bytes = NULL};

    text_escape(&safe, from, "", "");
    char *text = text_end(&safe);
    if (!text) {
        page->failed = true;
        return;
    }
    unsigned room = width == 0 ? ~0U : (width < WIDTH_MIN ? WIDTH_MIN : width) - indent;
    for (const char *s = text; *s;) {
        const char *rest = text_next_line(s, room);
        text_printf(page, "%.*s\n%*s", (int)text_line_len(s, room), s, *rest ? (int)indent : 0, "");
        s = rest;
    }
    free(text);
}

static void add_row(struct text *page, const struct findings *findings, const struct finding *f,
                    unsigned width)
{
    char *text = shown(findings, f->text), *advice = shown(findings, f->advice);

    if (!text || !advice) {
        page->failed = true;
    } else {
        text_printf(page, "%-4s  %-7s  ", mark_words[f->mark], f->about);
        add_wrapped(page, text, INDENT, width);
        if (advice[0]) {
            text_printf(page, "%*sdo: ", INDENT, "");
            add_wrapped(page, advice, INDENT + 4, width);
        }
    }
    free(text);
    free(advice);
}

static char *page_of(const struct findings *findings, const struct finding *first, unsigned width)
{
    struct text page = {.bytes = NULL}, line = {.bytes = NULL};
    char *text = shown(findings, first->text);

    text_printf(&line, "%s%s", verdict_words(first), text ? text : "");
    char *verdict = text_end(&line);
    page.failed = !text || !verdict;
    if (!page.failed)
        add_wrapped(&page, verdict, 0, width);
    text_add(&page, "\n", 1);
    for (size_t i = 0; i < findings->count; i++)
        add_row(&page, findings, &findings->list[i], width);
    free(text);
    free(verdict);
    return text_end(&page);
}

static json_t *json_shown(const struct findings *findings, const char *from)
{
    char *text = shown(findings, from);
    json_t *json = text ? json_text(text) : NULL;

    free(text);
    return json;
}

static char *json_of(const struct findings *findings, const struct finding *first)
{
    json_t *list = json_array();

    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *f = &findings->list[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:o, s:o}", "mark", mark_words[f->mark],
                                        "about", f->about, "text", json_shown(findings, f->text),
                                        "do", json_shown(findings, f->advice)));
    }
    return json_line(json_pack("{s:s, s:b, s:s, s:o, s:o}", "mprof", MPROF_VERSION, "works",
                               first->mark != FINDING_FAIL, "about", first->about, "summary",
                               json_shown(findings, first->text), "findings", list));
}

int findings_print(const struct findings *findings, const struct options *options,
                   const struct finding *summary)
{
    const struct finding *first = worst(findings, summary);
    unsigned width = options->output ? 0 : output_width(STDOUT_FILENO);
    char *text = options->format == FORMAT_JSON ? text_with_newline(json_of(findings, first))
                                                : page_of(findings, first, width);

    if (!text)
        return fail("out of memory");
    int status = output_write(options->output, text);
    free(text);
    return status;
}
