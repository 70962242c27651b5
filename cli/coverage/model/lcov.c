/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcov's tracefiles: what genhtml reads. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>
#include <model/coverage.h>

/* The name of the test says what counts are, for who reads the file again. */
static const char *const tests[] = {[COVERAGE_TIMES] = "mprof_times",
                                    [COVERAGE_REACHED] = "mprof_reached",
                                    [COVERAGE_SEEN] = "mprof_seen"};
#define TESTS (sizeof(tests) / sizeof(tests[0]))

/* A comma ends a name there. */
static void add_name(struct text *t, const char *name)
{
    for (; *name; name++)
        text_printf(t, "%c", *name == ',' || *name == '\n' ? ';' : *name);
}

static void add_functions(const struct coverage *c, size_t first, size_t end, struct text *t)
{
    size_t hit = 0;

    for (size_t i = first; i < end; i++) {
        text_printf(t, "FN:%u,", c->functions[i].line ? c->functions[i].line : 1);
        add_name(t, string_pool_text(c->names, c->functions[i].name));
        text_printf(t, "\n");
    }
    for (size_t i = first; i < end; i++) {
        text_printf(t, "FNDA:%" PRIu64 ",", c->functions[i].count);
        add_name(t, string_pool_text(c->names, c->functions[i].name));
        text_printf(t, "\n");
        hit += c->functions[i].count != 0;
    }
    if (end > first)
        text_printf(t, "FNF:%zu\nFNH:%zu\n", end - first, hit);
}

static void add_lines(const struct coverage *c, size_t first, size_t end, struct text *t)
{
    size_t hit = 0;

    for (size_t i = first; i < end; i++) {
        text_printf(t, "DA:%u,%" PRIu64 "\n", c->lines[i].line, c->lines[i].count);
        hit += c->lines[i].count != 0;
    }
    text_printf(t, "LF:%zu\nLH:%zu\n", end - first, hit);
}

/* Functions and lines are sorted by their file's number. */
char *coverage_lcov(const struct coverage *coverage)
{
    const struct coverage *c = coverage;
    struct text t = {.bytes = NULL};
    size_t function = 0, line = 0;

    for (string_pool_id file = 0; file <= string_pool_count(c->names); file++) {
        size_t function_end = function, line_end = line;
        while (function_end < c->function_count && c->functions[function_end].file == file)
            function_end++;
        while (line_end < c->line_count && c->lines[line_end].file == file)
            line_end++;
        if (function_end > function || line_end > line) {
            text_printf(&t, "TN:%s\nSF:%s\n", tests[c->counts],
                        file ? string_pool_text(c->names, file) : "??");
            add_functions(c, function, function_end, &t);
            add_lines(c, line, line_end, &t);
            text_printf(&t, "end_of_record\n");
        }
        function = function_end;
        line = line_end;
    }
    return text_end(&t);
}

bool coverage_is_lcov(const char *bytes, size_t len)
{
    return len >= 3 && (strncmp(bytes, "TN:", 3) == 0 || strncmp(bytes, "SF:", 3) == 0);
}

/* A file on its way. */
struct reading {
    struct coverage *c;
    const char *file; /* of the lines that follow; NULL: none */
    size_t first;     /* index of the first function of that file */
    size_t next;      /* index of the function whose count probably is next */
    uint64_t index;   /* of the last FNL, and the line where its functions begin */
    uint64_t line;
    bool failed; /* memory ran out */
};

static bool take_number(char **at, char end, uint64_t *number)
{
    char *after;

    if (**at < '0' || **at > '9')
        return false;
    *number = strtoull(*at, &after, 10);
    if (*after != end && !(end == '\0' && *after == ','))
        return false;
    *at = after + (*after != '\0');
    return true;
}

static void take_test(struct reading *r, const char *name)
{
    enum coverage_counts counts = COVERAGE_TIMES;

    for (size_t i = 0; i < TESTS; i++) {
        if (strcmp(name, tests[i]) == 0)
            counts = (enum coverage_counts)i;
    }
    if (counts > r->c->counts)
        r->c->counts = counts;
}

/* FN:LINE,NAME, or with the last line before the name. */
static bool take_function(struct reading *r, char *at)
{
    uint64_t line, last;

    if (!r->file || !take_number(&at, ',', &line) || line > UINT32_MAX)
        return false;
    char *name = at;
    if (take_number(&name, ',', &last))
        at = name;
    r->failed = !coverage_add_function(r->c, r->file, (unsigned)line, at, 0);
    return true;
}

static bool take_function_count(struct reading *r, char *at)
{
    uint64_t count;

    if (!r->file || !take_number(&at, ',', &count))
        return false;
    size_t all = r->c->function_count - r->first;

    /* Counts come in the order of the functions. */
    for (size_t i = 0; i < all; i++) {
        size_t index = r->first + (r->next - r->first + i) % all;
        struct coverage_function *f = &r->c->functions[index];
        if (strcmp(string_pool_text(r->c->names, f->name), at) == 0) {
            f->count = count;
            r->next = index + 1;
            break;
        }
    }
    return true;
}

/* FNL:INDEX,LINE, or with the last line after it; lcov 2.2 has these in place of FN. */
static bool take_start(struct reading *r, char *at)
{
    return r->file && take_number(&at, ',', &r->index) && take_number(&at, '\0', &r->line) &&
           r->line <= UINT32_MAX;
}

/* FNA:INDEX,COUNT,NAME, of the FNL with the same index, which is before it. */
static bool take_alias(struct reading *r, char *at)
{
    uint64_t index, count;

    if (!r->file || !take_number(&at, ',', &index) || !take_number(&at, ',', &count))
        return false;
    unsigned line = index == r->index ? (unsigned)r->line : 0;
    r->failed = !coverage_add_function(r->c, r->file, line, at, count);
    return true;
}

static bool take_line(struct reading *r, char *at)
{
    uint64_t line, count;

    if (!r->file || !take_number(&at, ',', &line) || !take_number(&at, '\0', &count) ||
        line > UINT32_MAX)
        return false;
    r->failed = !coverage_add_line(r->c, r->file, (unsigned)line, count);
    return true;
}

/* Of what else is in such a file only the form is known: a word and a colon. */
static bool take(struct reading *r, char *text)
{
    size_t word = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    if (strcmp(text, "end_of_record") == 0) {
        r->file = NULL;
        return true;
    }
    if (*text == '#' || *text == '\0')
        return true;
    if (word == 0 || text[word] != ':')
        return false;
    char *value = text + word + 1;
    if (strncmp(text, "TN:", 3) == 0)
        take_test(r, value);
    else if (strncmp(text, "SF:", 3) == 0)
        r->file = value, r->first = r->next = r->c->function_count, r->line = 0;
    else if (strncmp(text, "FN:", 3) == 0)
        return take_function(r, value);
    else if (strncmp(text, "FNDA:", 5) == 0)
        return take_function_count(r, value);
    else if (strncmp(text, "FNL:", 4) == 0)
        return take_start(r, value);
    else if (strncmp(text, "FNA:", 4) == 0)
        return take_alias(r, value);
    else if (strncmp(text, "DA:", 3) == 0)
        return take_line(r, value);
    return true;
}

bool coverage_read_lcov(struct coverage *coverage, char *text, size_t *bad)
{
    struct reading r = {.c = coverage};
    char *next;

    *bad = 0;
    for (size_t number = 1; *text && !r.failed; number++, text = next) {
        size_t len = strcspn(text, "\n");
        next = text + len + (text[len] != '\0');
        text[len] = '\0';
        if (len != 0 && text[len - 1] == '\r')
            text[len - 1] = '\0';
        if (!take(&r, text)) {
            *bad = number;
            return true;
        }
        if (*next == '\0' && r.file)
            *bad = number;
    }
    return !r.failed;
}
