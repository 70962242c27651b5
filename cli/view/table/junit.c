/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JUnit XML, in the shape that Jenkins, GitLab and others agree on. */
#define _POSIX_C_SOURCE 200809L

#include <table/junit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/utf8.h>
#include <base/vec.h>

bool verdicts_add(struct verdicts *verdicts, enum verdict_kind kind, const char *group,
                  const char *name, const char *message)
{
    struct verdicts *v = verdicts;

    if (!VEC_ROOM(v->all, v->room, v->count, 1))
        return false;
    struct verdict verdict = {
        .kind = kind, .group = group, .name = strdup(name), .message = strdup(message)};
    if (!verdict.name || !verdict.message) {
        free(verdict.name);
        free(verdict.message);
        return false;
    }
    v->all[v->count++] = verdict;
    v->kinds[kind]++;
    return true;
}

void verdicts_free(struct verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->count; i++) {
        free(verdicts->all[i].name);
        free(verdicts->all[i].message);
    }
    free(verdicts->all);
    *verdicts = (struct verdicts){.all = NULL};
}

static void put_ascii(FILE *out, char c)
{
    switch (c) {
    case '&':
        fputs("&amp;", out);
        break;
    case '<':
        fputs("&lt;", out);
        break;
    case '>':
        fputs("&gt;", out);
        break;
    case '"':
        fputs("&quot;", out);
        break;
    default:
        fputc(c, out);
    }
}

/* What to print in place of a character that is unsafe, or that XML 1.0 does not allow. */
static const char *shown(uint32_t code, char buffer[UTF8_SHOWN_MAX])
{
    return code == 0xfffe || code == 0xffff ? "?" : utf8_shown(code, buffer);
}

static void put_escaped(FILE *out, const char *text)
{
    char buffer[UTF8_SHOWN_MAX];

    for (struct utf8_char c; *text; text += c.len) {
        c = utf8_next(text);
        const char *instead = shown(c.code, buffer);
        size_t len = instead ? strlen(instead) : c.len;
        for (size_t i = 0; i < len; i++)
            put_ascii(out, (instead ? instead : text)[i]);
    }
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    put_escaped(out, value);
    fputc('"', out);
}

static void put_case(FILE *out, const struct verdict *v)
{
    static const char *const elements[] = {
        [VERDICT_SKIPPED] = "skipped", [VERDICT_FAILED] = "failure", [VERDICT_ERROR] = "error"};
    char class[60];

    snprintf(class, sizeof(class), "mprof.diff.%s", v->group);
    fputs("    <testcase", out);
    put_attribute(out, "classname", class);
    put_attribute(out, "name", v->name);
    fputs(">", out);
    if (v->kind >= VERDICT_SKIPPED) {
        fprintf(out, "<%s", elements[v->kind]);
        if (v->kind != VERDICT_SKIPPED)
            put_attribute(out, "type", v->group);
        put_attribute(out, "message", v->message);
        fputs("/>", out);
    } else if (v->message[0]) {
        fputs("<system-out>", out);
        put_escaped(out, v->message);
        fputs("</system-out>", out);
    }
    fputs("</testcase>\n", out);
}

static void put_counts(FILE *out, const char *element, const struct verdicts *v)
{
    fprintf(out,
            "<%s name=\"mprof diff\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
            "skipped=\"%zu\">\n",
            element, v->count, v->kinds[VERDICT_FAILED], v->kinds[VERDICT_ERROR],
            v->kinds[VERDICT_SKIPPED]);
}

char *junit_text(const struct verdicts *verdicts)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    if (!out)
        return NULL;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    put_counts(out, "testsuites", verdicts);
    fputs("  ", out);
    put_counts(out, "testsuite", verdicts);
    for (size_t i = 0; i < verdicts->count; i++)
        put_case(out, &verdicts->all[i]);
    fputs("  </testsuite>\n</testsuites>\n", out);
    bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}
