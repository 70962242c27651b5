/* SPDX-License-Identifier: 0BSD */
/* Reads GDB/MI line by line; a line's values are a tree whose texts lie in the line itself. */
#include <gdbmi/mi.h>

#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "hex.h"

struct gdbmi_mi_reader {
    struct buffer line;
    bool taken; /* the line was given out, the next byte begins another */
    bool failed;
    char beginning[GDBMI_MI_OTHER_MAX + 1]; /* of the line, before its escapes are undone */
    struct gdbmi_mi_value *values;          /* [0] is the tuple of all results */
    size_t value_count;
    size_t value_capacity;
};

enum outcome { FINE, BROKEN, TOO_MUCH };

/* A place in a line, and the lists and tuples that are open there. */
struct cursor {
    struct gdbmi_mi_reader *reader;
    char *at;
    const char *end;
    size_t depth;
    struct {
        struct gdbmi_mi_value *value;
        struct gdbmi_mi_value *last; /* of its members */
    } open[GDBMI_MI_DEPTH_MAX + 1];
};

struct gdbmi_mi_reader *gdbmi_mi_reader_new(void)
{
    return calloc(1, sizeof(struct gdbmi_mi_reader));
}

void gdbmi_mi_reader_free(struct gdbmi_mi_reader *reader)
{
    if (reader == NULL)
        return;
    buffer_free(&reader->line);
    free(reader->values);
    free(reader);
}

/* Each value begins with one of these characters, so no line holds more values than of them. The
 * tree is made in memory that does not move. */
static bool reserve(struct gdbmi_mi_reader *r)
{
    size_t count = 1;

    for (size_t i = 0; i < r->line.len; i++)
        count += r->line.data[i] == '"' || r->line.data[i] == '{' || r->line.data[i] == '[';
    if (count > GDBMI_MI_VALUES_MAX + 1)
        count = GDBMI_MI_VALUES_MAX + 1;
    if (count <= r->value_capacity)
        return true;
    free(r->values);
    r->value_capacity = 0;
    r->values = malloc(count * sizeof(*r->values));
    if (r->values == NULL)
        return false;
    r->value_capacity = count;
    return true;
}

static struct gdbmi_mi_value *new_value(struct gdbmi_mi_reader *r, enum gdbmi_mi_type type,
                                        const char *name)
{
    if (r->value_count == r->value_capacity)
        return NULL;
    struct gdbmi_mi_value *value = &r->values[r->value_count++];
    *value = (struct gdbmi_mi_value){.type = type, .name = name, .text = ""};
    return value;
}

/* Takes the next character if it is this one. */
static bool accept(struct cursor *c, char wanted)
{
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static int digit_of(char character, int base)
{
    int digit = hex_value((unsigned char)character);

    return digit < base ? digit : -1;
}

/* At most max digits of a character's number; false where there is none or it is no byte. */
static bool take_number(struct cursor *c, int base, int max, char *out)
{
    int number = 0;
    int count = 0;

    while (count < max && c->at < c->end && digit_of(*c->at, base) >= 0) {
        number = number * base + digit_of(*c->at++, base);
        count++;
    }
    *out = (char)(unsigned char)number;
    return count > 0 && number <= 0xff;
}

/* What stands behind a backslash. */
static bool take_escape(struct cursor *c, char *out)
{
    static const char names[] = "\"\\'?abefnrtv";
    static const char means[] = "\"\\'?\a\b\033\f\n\r\t\v";

    if (c->at == c->end)
        return false;
    if (digit_of(*c->at, 8) >= 0)
        return take_number(c, 8, 3, out);
    if (accept(c, 'x'))
        return take_number(c, 16, 2, out);
    const char *found = memchr(names, *c->at, sizeof(names) - 1);
    if (found == NULL)
        return false;
    *out = means[found - names];
    c->at++;
    return true;
}

/* A text between double quotes, which gets shorter in its place. */
static bool take_string(struct cursor *c, const char **text, size_t *len)
{
    if (!accept(c, '"'))
        return false;
    char *out = c->at;
    *text = out;
    while (c->at < c->end && *c->at != '"') {
        char character = *c->at++;
        if (character == '\\' && !take_escape(c, &character))
            return false;
        *out++ = character;
    }
    *len = (size_t)(out - *text);
    if (!accept(c, '"'))
        return false;
    *out = '\0';
    return true;
}

static bool is_word(char character)
{
    return (unsigned char)character > ' ' && strchr("\",={}[]\x7f", character) == NULL;
}

/* A class or a name; it is to be ended by a NUL when what follows was taken. */
static char *take_word(struct cursor *c)
{
    char *begin = c->at;

    while (c->at < c->end && is_word(*c->at))
        c->at++;
    return c->at > begin ? begin : NULL;
}

static void adopt(struct cursor *c, struct gdbmi_mi_value *child)
{
    struct gdbmi_mi_value *parent = c->open[c->depth].value;

    if (parent->count++ == 0)
        parent->first = child;
    else
        c->open[c->depth].last->next = child;
    c->open[c->depth].last = child;
}

static enum outcome open_value(struct cursor *c, struct gdbmi_mi_value *value)
{
    if (c->depth == GDBMI_MI_DEPTH_MAX)
        return TOO_MUCH;
    c->depth++;
    c->open[c->depth].value = value;
    return FINE;
}

/* name=value or value, up to where its first member begins. */
static enum outcome take_value(struct cursor *c)
{
    const char *name = "";
    size_t len;

    char *word = take_word(c);
    if (word != NULL) {
        if (!accept(c, '='))
            return BROKEN;
        c->at[-1] = '\0';
        name = word;
    }
    if (c->at == c->end)
        return BROKEN;
    enum gdbmi_mi_type type = *c->at == '{'   ? GDBMI_MI_TUPLE
                              : *c->at == '[' ? GDBMI_MI_LIST
                                              : GDBMI_MI_CONST;
    struct gdbmi_mi_value *value = new_value(c->reader, type, name);
    if (value == NULL)
        return *c->at == '"' || type != GDBMI_MI_CONST ? TOO_MUCH : BROKEN;
    adopt(c, value);
    if (type == GDBMI_MI_CONST) {
        if (!take_string(c, &value->text, &len))
            return BROKEN;
        value->len = len;
        return FINE;
    }
    c->at++;
    return open_value(c, value);
}

/* Closes what ends here. *more: a comma says that another member follows. */
static enum outcome close_values(struct cursor *c, bool *more)
{
    *more = false;
    while (c->at < c->end) {
        if (accept(c, ',')) {
            *more = true;
            return FINE;
        }
        bool is_tuple = c->open[c->depth].value->type == GDBMI_MI_TUPLE;
        if (c->depth == 0 || !accept(c, is_tuple ? '}' : ']'))
            return BROKEN;
        c->depth--;
    }
    return c->depth == 0 ? FINE : BROKEN;
}

/* The results behind a class: ",name=value,..." to the end of the line. */
static enum outcome take_results(struct cursor *c)
{
    bool more = true;
    enum outcome outcome = FINE;

    while (outcome == FINE && more) {
        const struct gdbmi_mi_value *open = c->open[c->depth].value;
        bool is_empty = c->depth > 0 && open->count == 0 && c->at < c->end &&
                        *c->at == (open->type == GDBMI_MI_TUPLE ? '}' : ']');
        if (!is_empty)
            outcome = take_value(c);
        /* A list or tuple that was just opened has its members next. */
        if (outcome == FINE && !is_empty && c->depth > 0 && c->open[c->depth].value->count == 0)
            continue;
        if (outcome == FINE)
            outcome = close_values(c, &more);
    }
    return outcome;
}

static const char *const marks = "^*+=~@&"; /* in the order of enum gdbmi_mi_kind */

static bool take_token(struct cursor *c, struct gdbmi_mi_message *message)
{
    while (c->at < c->end && digit_of(*c->at, 10) >= 0) {
        unsigned digit = (unsigned)digit_of(*c->at++, 10);
        if (message->token > (UINT64_MAX - digit) / 10)
            return false;
        message->token = message->token * 10 + digit;
        message->has_token = true;
    }
    return true;
}

static enum outcome take_record(struct cursor *c, struct gdbmi_mi_message *message)
{
    message->name = take_word(c);
    if (message->name == NULL)
        return BROKEN;
    if (c->at == c->end)
        return FINE;
    if (!accept(c, ','))
        return BROKEN;
    c->at[-1] = '\0';
    return take_results(c);
}

static enum outcome take_stream(struct cursor *c, struct gdbmi_mi_message *message)
{
    if (message->has_token || !take_string(c, &message->text, &message->len))
        return BROKEN;
    return c->at == c->end ? FINE : BROKEN;
}

static bool is_prompt(const char *line, size_t len)
{
    static const char prompt[] = "(gdb)";

    while (len > 0 && line[len - 1] == ' ')
        len--;
    return len == sizeof(prompt) - 1 && memcmp(line, prompt, len) == 0;
}

static enum outcome parse(struct gdbmi_mi_reader *r, struct gdbmi_mi_message *message)
{
    struct cursor c = {.reader = r, .at = r->line.data, .end = r->line.data + r->line.len};

    *message = (struct gdbmi_mi_message){.name = "", .results = r->values, .text = ""};
    r->value_count = 0;
    c.open[0].value = new_value(r, GDBMI_MI_TUPLE, "");
    if (is_prompt(r->line.data, r->line.len)) {
        message->kind = GDBMI_MI_PROMPT;
        return FINE;
    }
    if (!take_token(&c, message) || c.at == c.end)
        return BROKEN;
    const char *mark = memchr(marks, *c.at, strlen(marks));
    if (mark == NULL)
        return BROKEN;
    message->kind = (enum gdbmi_mi_kind)(mark - marks);
    c.at++;
    return message->kind < GDBMI_MI_CONSOLE ? take_record(&c, message) : take_stream(&c, message);
}

static void keep_beginning(struct gdbmi_mi_reader *r)
{
    size_t len = r->line.len < GDBMI_MI_OTHER_MAX ? r->line.len : GDBMI_MI_OTHER_MAX;

    memcpy(r->beginning, r->line.data, len);
    r->beginning[len] = '\0';
}

static void give_as_other(struct gdbmi_mi_reader *r, struct gdbmi_mi_message *message)
{
    r->values[0] = (struct gdbmi_mi_value){.type = GDBMI_MI_TUPLE, .name = "", .text = ""};
    *message = (struct gdbmi_mi_message){
        .kind = GDBMI_MI_OTHER,
        .name = "",
        .results = r->values,
        .text = r->beginning,
        .len = r->line.len < GDBMI_MI_OTHER_MAX ? r->line.len : GDBMI_MI_OTHER_MAX,
    };
}

/* 1: *message is a line, 0: it was empty, -1: it is beyond the limits. */
static int take_line(struct gdbmi_mi_reader *r, struct gdbmi_mi_message *message)
{
    r->taken = true;
    if (r->line.len > 0 && r->line.data[r->line.len - 1] == '\r')
        r->line.data[--r->line.len] = '\0';
    if (r->line.len == 0)
        return 0;
    if (!reserve(r))
        return -1;
    keep_beginning(r);
    enum outcome outcome = parse(r, message);
    if (outcome == BROKEN)
        give_as_other(r, message);
    return outcome == TOO_MUCH ? -1 : 1;
}

int gdbmi_mi_feed(struct gdbmi_mi_reader *reader, const void *bytes, size_t len, size_t *used,
                  struct gdbmi_mi_message *message)
{
    const char *at = bytes;
    int result = reader->failed ? -1 : 0;

    *used = 0;
    while (result == 0 && len > 0) {
        const char *newline = memchr(at, '\n', len);
        size_t part = newline != NULL ? (size_t)(newline - at) : len;
        if (reader->taken)
            reader->line.len = 0;
        reader->taken = false;
        if (part > GDBMI_MI_LINE_MAX - reader->line.len || !buffer_add(&reader->line, at, part)) {
            result = -1;
            break;
        }
        part += newline != NULL;
        at += part;
        len -= part;
        *used += part;
        if (newline != NULL)
            result = take_line(reader, message);
    }
    reader->failed = result < 0;
    return result;
}

/* An index, where the member of a list is one; SIZE_MAX: it is none. */
static size_t index_of(const char *name, size_t len)
{
    size_t index = 0;

    for (size_t i = 0; i < len; i++) {
        if (digit_of(name[i], 10) < 0 || index > GDBMI_MI_VALUES_MAX)
            return SIZE_MAX;
        index = index * 10 + (size_t)digit_of(name[i], 10);
    }
    return len > 0 ? index : SIZE_MAX;
}

static const struct gdbmi_mi_value *member(const struct gdbmi_mi_value *value, const char *name,
                                           size_t len)
{
    size_t index = value->type == GDBMI_MI_LIST ? index_of(name, len) : SIZE_MAX;

    for (const struct gdbmi_mi_value *at = value->first; at != NULL; at = at->next) {
        if (index != SIZE_MAX ? index-- == 0
                              : strlen(at->name) == len && memcmp(at->name, name, len) == 0)
            return at;
    }
    return NULL;
}

const struct gdbmi_mi_value *gdbmi_mi_get(const struct gdbmi_mi_value *value, const char *path)
{
    while (value != NULL && *path != '\0') {
        size_t len = strcspn(path, ".");
        value = member(value, path, len);
        path += len;
        path += *path == '.';
    }
    return value;
}

const char *gdbmi_mi_text(const struct gdbmi_mi_value *value, const char *path)
{
    const struct gdbmi_mi_value *found = gdbmi_mi_get(value, path);

    return found != NULL && found->type == GDBMI_MI_CONST ? found->text : NULL;
}
