/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes arguments as a person reads them: by the types and names of their values. */
#include "trace_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>
#include <base/utf8.h>
#include <table/json_parts.h>
#include <trace/arguments.h>

#define NUMBER_MAX 40

struct words {
    struct line_buffer *to;
    bool json;
    const struct trace_points *points;
    const struct trace_about *about;
    const struct trace_event *event;
};

/* A small number is one; a large one may be an address. */
static void word_text(bool json, uint64_t word, char text[NUMBER_MAX])
{
    snprintf(text, NUMBER_MAX, json || word < 10000 ? "%" PRIu64 : "0x%" PRIx64, word);
}

static void add_word(const struct words *w, uint64_t word)
{
    char text[NUMBER_MAX];

    word_text(w->json, word, text);
    line_buffer_text(w->to, text);
}

static void add_words_as_they_are(const struct words *w)
{
    for (unsigned i = 0; i < w->event->argument_count; i++) {
        if (i != 0)
            line_buffer_text(w->to, ", ");
        add_word(w, w->event->arguments[i]);
    }
}

static double float_of(const struct trace_argument *a)
{
    uint32_t low = (uint32_t)a->value;
    float single;
    double number;

    if (a->size == sizeof(single)) {
        memcpy(&single, &low, sizeof(single));
        return (double)single;
    }
    memcpy(&number, &a->value, sizeof(number));
    return number;
}

/* Whether an argument is one that this host has as well. */
static bool is_float(const struct trace_argument *a)
{
    return a->letter == 'r' && (a->size == sizeof(float) || a->size == sizeof(double));
}

/* As few digits as tell the number from all others of its size. */
static void float_text(const struct trace_argument *a, char text[NUMBER_MAX])
{
    double number = float_of(a);
    bool single = a->size == sizeof(float);

    snprintf(text, NUMBER_MAX, "nan");
    for (int digits = 1; !isnan(number) && digits <= 17; digits++) {
        snprintf(text, NUMBER_MAX, "%.*g", digits, number);
        double again = strtod(text, NULL);
        if (single ? (float)again == (float)number : again == number)
            break;
    }
}

static int64_t signed_of(const struct trace_argument *a)
{
    unsigned unused = 64 - 8 * a->size;

    return (int64_t)(a->value << unused) / ((int64_t)1 << unused);
}

static void number_text(bool json, const struct trace_argument *a, char text[NUMBER_MAX])
{
    if (a->letter == 'i') {
        snprintf(text, NUMBER_MAX, "%" PRId64, signed_of(a));
    } else if (is_float(a)) {
        float_text(a, text);
        if (json && !isfinite(float_of(a)))
            snprintf(text, NUMBER_MAX, "null");
    } else if (a->letter == 'u' || json) {
        word_text(json, a->value, text);
    } else {
        snprintf(text, NUMBER_MAX, "0x%" PRIx64, a->value);
    }
}

static void add_number(const struct words *w, const struct trace_argument *a)
{
    char text[NUMBER_MAX];

    number_text(w->json, a, text);
    line_buffer_text(w->to, text);
}

/* A character of a string, or of code points that C has no name for. */
static void put_character(struct text *t, const char *at, const struct utf8_char *c, char quote)
{
    static const char codes[] = "\n\t\r\v\f\a\b", letters[] = "ntrvfab";
    const char *known = c->len == 1 && *at ? strchr(codes, *at) : NULL;
    char shown[UTF8_SHOWN_MAX];

    if (known)
        text_printf(t, "\\%c", letters[known - codes]);
    else if (c->code == UTF8_WRONG || utf8_is_control(c->code))
        text_printf(t, "\\x%02x", (unsigned char)(c->len == 1 ? at[0] : at[1]));
    else if (c->code == '\\' || c->code == (unsigned char)quote)
        text_printf(t, "\\%c", at[0]);
    else if (utf8_shown(c->code, shown))
        text_printf(t, "%s", shown);
    else
        text_add(t, at, c->len);
}

/* As a string of C; what is beyond its first bytes is an ellipsis. */
static void put_string(struct text *t, const char *string)
{
    const char *at = string;
    size_t len = strlen(string);

    text_add(t, "\"", 1);
    while (*at) {
        struct utf8_char c = utf8_next(at);
        if (len > TRACE_STRING_SHOWN && (size_t)(at - string) + c.len > TRACE_STRING_SHOWN)
            break;
        put_character(t, at, &c, '"');
        at += c.len;
    }
    text_printf(t, *at ? "\"..." : "\"");
}

/* Adds " <symbol+offset>". */
static bool put_symbol(struct text *t, const struct words *w, uint64_t value)
{
    bool odd = value & 1;
    uint64_t addr = odd ? value - 1 : value;
    const struct trace_name *name = odd ? trace_find_name(w->points, TRACE_THUMB, addr) : NULL;

    if (!name) {
        addr = value;
        name = trace_find_name(w->points, TRACE_ADDRESS, addr);
    }
    if (!name)
        return false;
    text_printf(t, " <");
    text_escape(t, name->text, "", "");
    if (addr != name->first)
        text_printf(t, "+%" PRIu64, addr - name->first);
    text_printf(t, ">");
    return true;
}

/* A constant string, or an address with what is known of it. */
static bool put_pointer(struct text *t, const struct words *w, const struct trace_argument *a)
{
    bool string = a->type == TRACE_STRING;
    const struct trace_name *constant =
        string ? trace_find_name(w->points, TRACE_STRING, a->value) : NULL;
    const struct trace_name *now = string ? trace_find_name(w->points, TRACE_NOW, a->value) : NULL;

    if (constant) {
        put_string(t, constant->text);
        return true;
    }
    text_printf(t, "0x%" PRIx64, a->value);
    bool known = put_symbol(t, w, a->value);
    if (now) {
        text_add(t, " ", 1);
        put_string(t, now->text);
    } else if ((string || a->pointee != 0) && trace_find_name(w->points, TRACE_GONE, a->value)) {
        text_printf(t, " (gone)");
        known = true;
    }
    return known || now;
}

/* Adds a value that has a text besides its number. Returns false, with anything in the text, if it
 * has none. */
static bool put_named(struct text *t, const struct words *w, const struct trace_argument *a)
{
    const struct trace_name *name;

    if (a->letter == 'p')
        return put_pointer(t, w, a);
    switch (a->type) {
    case TRACE_PLAIN:
        return false;
    case TRACE_BOOL:
        text_printf(t, a->value ? "true" : "false");
        return a->value <= 1;
    case TRACE_CHAR: {
        const char character[] = {(char)a->value, '\0'};
        const struct utf8_char c = {.code = (unsigned char)a->value, .len = 1};
        text_add(t, "'", 1);
        put_character(t, character, &c, '\'');
        text_add(t, "'", 1);
        return a->value < 0x80;
    }
    default:
        name = trace_find_name(w->points, a->type, a->value);
        text_escape(t, name ? name->text : "", "", "");
        return name && name->text[0];
    }
}

/* Whether put_named() may add something, without memory. */
static bool may_be_named(const struct trace_argument *a)
{
    return a->known && (a->letter == 'p' || a->type != TRACE_PLAIN);
}

/* Returns false if memory runs out. */
static bool add_argument(const struct words *w, const struct trace_argument *a)
{
    struct text t = {.bytes = NULL};

    if (!a->known) {
        line_buffer_text(w->to, a->letter == 'f' ? "?" : "...");
        return true;
    }
    if (may_be_named(a) && put_named(&t, w, a))
        line_buffer_text(w->to, t.failed ? "" : t.bytes);
    else
        add_number(w, a);
    free(t.bytes);
    return !t.failed;
}

/* Adds a structure's beginning, end or member to a text, as gdb writes them. */
static void put_part(struct text *t, const struct words *w, const struct trace_argument *a)
{
    char number[NUMBER_MAX];

    if (a->part == TRACE_STRUCTURE_END || a->part == TRACE_ARRAY_END) {
        text_printf(t, "}");
        return;
    }
    text_printf(t, "%s%.*s%s", a->first ? "" : ", ", (int)a->name_len, a->name,
                a->name_len != 0 ? "=" : "");
    if (a->part != TRACE_VALUE) {
        text_printf(t, "{");
        return;
    }
    struct text named = {.bytes = NULL};
    if (!a->known)
        text_printf(t, "?");
    else if (may_be_named(a) && put_named(&named, w, a) && !named.failed)
        text_printf(t, "%s", named.bytes);
    else {
        number_text(false, a, number);
        text_printf(t, "%s", number);
    }
    t->failed |= named.failed;
    free(named.bytes);
}

/* Adds a structure that has begun, up to its end. */
static void put_structure(struct text *t, const struct words *w, struct trace_arguments *walk,
                          struct trace_argument *a)
{
    a->first = true; /* what is before it is not part of the text */
    put_part(t, w, a);
    while (trace_arguments_next(walk, a)) {
        put_part(t, w, a);
        if (a->level == 0)
            break;
    }
}

static bool add_structure(const struct words *w, struct trace_arguments *walk,
                          struct trace_argument *a)
{
    struct text t = {.bytes = NULL};

    put_structure(&t, w, walk, a);
    line_buffer_text(w->to, t.failed ? "" : t.bytes);
    free(t.bytes);
    return !t.failed;
}

static bool add_arguments(const struct words *w, const struct trace_function *function)
{
    struct trace_arguments walk = trace_arguments_of(w->about, w->points, function, w->event);
    struct trace_argument a;
    bool done = true;

    while (trace_arguments_next(&walk, &a)) {
        line_buffer_text(w->to, a.first ? "" : ", ");
        done &= a.part == TRACE_VALUE ? add_argument(w, &a) : add_structure(w, &walk, &a);
        if (trace_arguments_points(&walk) && trace_arguments_next(&walk, &a)) {
            line_buffer_text(w->to, a.now ? " now " : " ");
            done &= add_structure(w, &walk, &a);
        }
    }
    return done;
}

/* The numbers are those of the pointers only. */
static void pass_over_pointee(struct trace_arguments *walk)
{
    struct trace_argument a;

    if (!trace_arguments_points(walk))
        return;
    do {
        (void)trace_arguments_next(walk, &a);
    } while (a.level != 0 || a.part == TRACE_STRUCTURE_BEGIN);
}

/* Numbers, and objects and arrays of them; null where there is one that was not recorded. */
static void add_numbers(const struct words *w, const struct trace_function *function)
{
    static const char *const brackets[] = {[TRACE_STRUCTURE_BEGIN] = "{",
                                           [TRACE_STRUCTURE_END] = "}",
                                           [TRACE_ARRAY_BEGIN] = "[",
                                           [TRACE_ARRAY_END] = "]"};
    struct trace_arguments walk = trace_arguments_of(w->about, w->points, function, w->event);
    struct trace_argument a;

    while (trace_arguments_next(&walk, &a) && a.letter != '*') {
        bool end = a.part == TRACE_STRUCTURE_END || a.part == TRACE_ARRAY_END;
        line_buffer_text(w->to, a.first || end ? "" : ", ");
        if (!end && a.level != 0 && !a.element) { /* its letters are those of C */
            line_buffer_text(w->to, "\"");
            line_buffer_add(w->to, a.name, a.name_len);
            line_buffer_text(w->to, "\":");
        }
        if (a.part != TRACE_VALUE)
            line_buffer_text(w->to, brackets[a.part]);
        else if (a.known)
            add_number(w, &a);
        else
            line_buffer_text(w->to, "null");
        pass_over_pointee(&walk);
    }
}

static bool may_have_names(const struct trace_function *function)
{
    bool any = strchr(function->parameters, 'p') != NULL || function->layout[0];

    for (unsigned i = 0; i < TRACE_PARAMETERS; i++)
        any |= function->types[i] != TRACE_PLAIN;
    return any;
}

/* Fills an array with texts, and null for values that have none. Returns false if all have none, or
 * memory runs out. */
static bool fill_texts(const struct words *w, const struct trace_function *function, json_t *texts,
                       bool *done)
{
    struct trace_arguments walk = trace_arguments_of(w->about, w->points, function, w->event);
    struct trace_argument a;
    bool any = false;

    while (trace_arguments_next(&walk, &a) && a.letter != '*') {
        struct text t = {.bytes = NULL};
        bool named = a.part != TRACE_VALUE || (may_be_named(&a) && put_named(&t, w, &a));
        if (a.part != TRACE_VALUE)
            put_structure(&t, w, &walk, &a);
        if (trace_arguments_points(&walk) && trace_arguments_next(&walk, &a)) {
            text_printf(&t, a.now ? " now " : " ");
            put_structure(&t, w, &walk, &a);
            named = true;
        }
        *done &= !t.failed &&
                 json_array_append_new(texts, named ? json_text(t.bytes) : json_null()) == 0;
        any |= named;
        free(t.bytes);
    }
    return any && *done;
}

/* Adds a member, if there is a text. */
static bool add_texts(const struct words *w, const struct trace_function *function)
{
    json_t *texts = may_have_names(function) ? json_array() : NULL;
    bool done = true;

    if (texts && fill_texts(w, function, texts, &done)) {
        char *line = json_print(texts, JSON_COMPACT);
        line_buffer_text(w->to, ",\"argument_texts\":");
        line_buffer_text(w->to, line ? line : "null");
        done = line != NULL;
        free(line);
    }
    json_decref(texts);
    return done;
}

/* Arguments by their types. */
static bool add_known(const struct words *w, const struct trace_function *function)
{
    bool done = true;

    line_buffer_text(w->to, w->json ? ",\"arguments\":[" : "(");
    if (w->json)
        add_numbers(w, function);
    else
        done = add_arguments(w, function);
    line_buffer_text(w->to, w->json ? "]" : ")");
    return done && (!w->json || add_texts(w, function));
}

/* Adds a string of JSON. */
static bool add_json(struct line_buffer *to, const char *text)
{
    json_t *string = json_text(text);
    char *line = json_print(string, JSON_COMPACT | JSON_ENCODE_ANY);

    line_buffer_text(to, line ? line : "null");
    json_decref(string);
    free(line);
    return line != NULL;
}

/* Adds a member, if there is a text besides the number. */
static bool add_result_text(const struct words *w, const struct trace_argument *a)
{
    struct text t = {.bytes = NULL};
    bool done = true;

    if (may_be_named(a) && put_named(&t, w, a) && !t.failed) {
        line_buffer_text(w->to, ",\"result_text\":");
        done = add_json(w->to, t.bytes);
    }
    done &= !t.failed;
    free(t.bytes);
    return done;
}

/* Nothing if the function returns nothing, or in registers that are not recorded. */
static bool add_result(const struct words *w, const struct trace_function *function)
{
    struct trace_arguments walk = trace_arguments_of(w->about, w->points, function, w->event);
    struct trace_argument a;

    if (!function->result[0] && w->json) {
        line_buffer_text(w->to, ",\"result_registers\":[");
        add_words_as_they_are(w);
        line_buffer_text(w->to, "]");
    }
    if (!trace_arguments_next(&walk, &a) || !a.known)
        return true;
    line_buffer_text(w->to, w->json ? ",\"result\":" : " = ");
    if (!w->json)
        return add_argument(w, &a);
    add_number(w, &a);
    return add_result_text(w, &a);
}

/* Of a mark the value, of a function its arguments; or registers whose meaning is not known. */
static bool add_words(const struct words *w, const struct trace_point *p)
{
    const struct trace_function *function =
        p->kind == TRACE_MARK ? NULL : trace_function_at(w->points, p->function);

    if (p->kind == TRACE_EXIT)
        return add_result(w, function);
    if (function && function->parameters[0])
        return add_known(w, function);
    if (function)
        line_buffer_text(w->to, w->json ? ",\"registers\":[" : "(registers: ");
    else
        line_buffer_text(w->to, w->json ? ",\"value\":" : ": ");
    add_words_as_they_are(w);
    if (function)
        line_buffer_text(w->to, w->json ? "]" : ")");
    return true;
}

static bool add_task_json(struct line_buffer *to, uint64_t task, const char *name)
{
    char text[NUMBER_MAX + 20];

    snprintf(text, sizeof(text), ",\"task\":\"0x%08" PRIx64 "\"", task);
    line_buffer_text(to, text);
    if (!name)
        return true;
    line_buffer_text(to, ",\"task_name\":");
    return add_json(to, name);
}

bool trace_words_add_task(struct line_buffer *to, bool json, const struct trace_points *points,
                          const struct trace_event *event)
{
    const struct trace_name *found =
        event->has_task ? trace_find_name(points, TRACE_TASK, event->task) : NULL;
    const char *name = found && found->text[0] ? found->text : NULL;
    struct text t = {.bytes = NULL};

    if (!event->has_task)
        return true;
    if (json)
        return add_task_json(to, event->task, name);
    text_printf(&t, "  {task ");
    if (name)
        text_escape(&t, name, "", "");
    else
        text_printf(&t, "0x%" PRIx64, event->task);
    text_printf(&t, "}");
    char *text = text_end(&t);
    if (text)
        line_buffer_text(to, text);
    free(text);
    return text != NULL;
}

bool trace_words_add_arguments(struct line_buffer *to, bool json, const struct trace_points *points,
                               const struct trace_about *about, const struct trace_event *event)
{
    const struct words w = {
        .to = to, .json = json, .points = points, .about = about, .event = event};

    return event->argument_count == 0 || add_words(&w, trace_point_at(points, event->point));
}

bool trace_words_add(struct line_buffer *to, bool json, const struct trace_points *points,
                     const struct trace_about *about, const struct trace_event *event)
{
    bool done = trace_words_add_arguments(to, json, points, about, event);

    return trace_words_add_task(to, json, points, event) && done;
}
