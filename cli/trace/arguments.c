/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the arguments in the registers that a trace has recorded. */
#include <trace/arguments.h>

#include <stdlib.h>
#include <string.h>

#include <base/identifier.h>

/* Structures and arrays in each other. */
#define LEVELS_MAX 24

/* The type of the result. */
static struct trace_arguments result_of(const struct trace_about *about,
                                        const struct trace_points *points,
                                        const struct trace_function *function,
                                        const struct trace_event *event)
{
    bool none = function->result[0] == 'v' || function->result[0] == '*';

    return (struct trace_arguments){.points = points,
                                    .event = event,
                                    .types = &function->result_type,
                                    .type_count = 1,
                                    .next = none ? "" : function->result,
                                    .word = about->addr_size,
                                    .big_endian = about->big_endian,
                                    .first = true};
}

struct trace_arguments trace_arguments_of(const struct trace_about *about,
                                          const struct trace_points *points,
                                          const struct trace_function *function,
                                          const struct trace_event *event)
{
    bool layout = function->layout && function->layout[0];

    if (trace_point_at(points, event->point)->kind == TRACE_EXIT)
        return result_of(about, points, function, event);
    return (struct trace_arguments){.points = points,
                                    .event = event,
                                    .types = layout ? function->member_types : function->types,
                                    .type_count = layout ? TRACE_MEMBERS : TRACE_PARAMETERS,
                                    .next = (layout ? function->layout : function->parameters) + 1,
                                    .word = about->addr_size,
                                    .big_endian = about->big_endian,
                                    .first = true};
}

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits < 64 ? value & (((uint64_t)1 << bits) - 1) : value;
}

/* Takes the value of some bytes from the next registers. Returns false if not all of them were
 * recorded. */
static bool take_value(struct trace_arguments *w, unsigned size, uint64_t *value)
{
    const struct trace_event *e = w->event;
    unsigned words = size > w->word ? 2 : 1;

    if (words == 2)
        w->at += w->at % 2;
    if (w->at + words > e->argument_count)
        return false;
    *value = e->arguments[w->at];
    if (words == 2) {
        uint64_t next = e->arguments[w->at + 1];
        *value = w->big_endian ? *value << 32 | next : next << 32 | *value;
    }
    w->at += words;
    *value = low_bits(*value, 8 * size);
    return true;
}

/* Takes a word of a structure from the next register. */
static bool take_word(struct trace_arguments *w, unsigned index)
{
    const struct trace_event *e = w->event;
    bool known = w->at < e->argument_count;

    for (unsigned i = 0; i < w->word; i++) {
        unsigned byte = index * w->word + i;
        if (!known || byte >= TRACE_STRUCTURE)
            break;
        w->bytes[byte] = (uint8_t)(e->arguments[w->at] >> 8 * i);
        w->known[byte] = true;
    }
    w->at++;
    return known;
}

/* Takes the registers of a structure. Returns false if nothing is known from here on. */
static bool take_places(struct trace_arguments *w)
{
    bool some = false, none = false;

    memset(w->known, 0, sizeof(w->known));
    for (unsigned index = 0; *w->next && strchr("erfam", *w->next); w->next++) {
        if (*w->next == 'e')
            w->at += w->at % 2;
        else if (*w->next == 'r')
            *(take_word(w, index++) ? &some : &none) = true;
        else
            index++;
        w->at += *w->next == 'a';
    }
    return some || !none;
}

/* Sets a value of the structure from its bytes. */
static void take_member(const struct trace_arguments *w, uint64_t offset, unsigned bit,
                        unsigned bits, struct trace_argument *a)
{
    unsigned bytes = (bit + bits + 7) / 8;

    a->known = bytes <= sizeof(a->value);
    a->value = 0;
    for (unsigned i = 0; i < bytes && a->known; i++) {
        a->known = offset + i < TRACE_STRUCTURE && w->known[offset + i];
        if (a->known)
            a->value |= (uint64_t)w->bytes[offset + i] << 8 * i;
    }
    a->value = low_bits(a->value >> bit, bits);
    if (a->letter == 'i' && bits < 8 * a->size && (a->value >> (bits - 1) & 1))
        a->value = low_bits(a->value | UINT64_MAX << bits, 8 * a->size);
    if (!a->known)
        a->letter = 'f';
}

static uint32_t next_type(struct trace_arguments *w)
{
    return w->index < w->type_count ? w->types[w->index++] : TRACE_PLAIN;
}

/* The structure that a pointer points to is described next. */
static bool is_pointee(const struct trace_arguments *w)
{
    return w->level == 0 && w->next[0] == '*' && w->next[1] == '{';
}

/* Bytes of a structure up to its last value. */
static size_t size_of(const char *structure)
{
    size_t size = 0, end;
    char *at;

    for (const char *next = strchr(structure, '@'); next; next = strchr(next + 1, '@')) {
        if (strcspn(structure, "=*") < (size_t)(next - structure))
            break; /* it is of another parameter */
        end = strtoul(next + 1, &at, 10) + (size_t)(next[-1] - '0');
        size = end > size ? end : size;
    }
    return size;
}

static const struct trace_name *find_pointee(const struct trace_arguments *w)
{
    const struct trace_name *constant = trace_find_name(w->points, TRACE_CONTENT, w->pointer);

    return constant ? constant : trace_find_name(w->points, TRACE_CONTENT_NOW, w->pointer);
}

static unsigned digit_of(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10) & 0xf;
}

static void take_pointee(struct trace_arguments *w, const char *digits)
{
    memset(w->known, 0, sizeof(w->known));
    for (size_t i = 0; i < TRACE_STRUCTURE && digits[0] && digits[1]; i++, digits += 2) {
        w->bytes[i] = (uint8_t)(digit_of(digits[0]) << 4 | digit_of(digits[1]));
        w->known[i] = true;
    }
}

/* Passes over a structure that is not known. */
static void skip_pointee(struct trace_arguments *w)
{
    unsigned level = 0;

    do {
        w->next++;
        level += *w->next == '{' || *w->next == '[';
        level -= *w->next == '}' || *w->next == ']';
        w->index += *w->next == '@';
    } while (level != 0);
    w->next++;
}

bool trace_arguments_points(const struct trace_arguments *walk)
{
    return !walk->over && is_pointee(walk) && find_pointee(walk);
}

/* "i4", or of a member "i4@8" or "i4@8.3.5". */
static void next_value(struct trace_arguments *w, struct trace_argument *a)
{
    char *end;

    a->letter = *w->next;
    if (a->letter != '*') {
        a->size = (unsigned)(w->next[1] - '0');
        a->type = next_type(w);
        w->next += 2;
    }
    if (*w->next == '@') {
        uint64_t offset = strtoul(w->next + 1, &end, 10);
        unsigned bit = *end == '.' ? (unsigned)strtoul(end + 1, &end, 10) : 0;
        unsigned bits = *end == '.' ? (unsigned)strtoul(end + 1, &end, 10) : 8 * a->size;
        w->next = end;
        take_member(w, offset, bit, bits, a);
        return;
    }
    a->known = a->letter != '*' && a->letter != 'f' && take_value(w, a->size, &a->value);
    w->pointer = a->value;
    a->pointee = is_pointee(w) ? size_of(w->next + 1) : 0;
    if (!a->known && a->letter != 'f') {
        a->letter = '*';
        w->over = true;
    }
}

/* Begins or ends a structure. Returns false if it is none. */
static bool next_bracket(struct trace_arguments *w, struct trace_argument *a)
{
    static const char brackets[] = "{}[]";
    const char *bracket = *w->next ? strchr(brackets, *w->next) : NULL;

    if (!bracket)
        return false;
    bool begins = (bracket - brackets) % 2 == 0;
    a->part = (enum trace_part)(TRACE_STRUCTURE_BEGIN + (bracket - brackets));
    w->level += begins ? 1u : -1u;
    if (begins)
        w->arrays = *bracket == '[' ? w->arrays | 1u << w->level : w->arrays & ~(1u << w->level);
    a->level = begins ? w->level - 1 : w->level;
    w->first = begins;
    w->next++;
    return true;
}

/* The name of a member. */
static void next_name(struct trace_arguments *w, struct trace_argument *a)
{
    size_t len = w->level != 0 && *w->next != '}' && *w->next != ']' ? strcspn(w->next, ":") : 0;

    if (w->level == 0 || *w->next == '}' || *w->next == ']')
        return;
    a->name = w->next;
    a->name_len = len;
    w->next += len + 1;
}

/* A structure whose registers are not known is one value that is not known. */
static bool next_structure(struct trace_arguments *w, struct trace_argument *a)
{
    w->next++;
    if (!take_places(w)) {
        a->letter = '*';
        w->over = true;
        return false;
    }
    if (*w->next == '{')
        return true;
    a->letter = 'f';
    return false;
}

bool trace_arguments_next(struct trace_arguments *walk, struct trace_argument *argument)
{
    struct trace_arguments *w = walk;

    const struct trace_name *pointee = !w->over && is_pointee(w) ? find_pointee(w) : NULL;
    bool now = pointee && pointee->type == TRACE_CONTENT_NOW;
    if (pointee) {
        take_pointee(w, pointee->text);
        w->next++;
    } else if (!w->over && is_pointee(w)) {
        skip_pointee(w);
    }
    if (w->over || *w->next == '\0')
        return false;
    *argument = (struct trace_argument){.level = w->level,
                                        .first = w->first,
                                        .name = "",
                                        .element = w->arrays >> w->level & 1,
                                        .now = now};
    w->first = false;
    next_name(w, argument);
    if (w->level == 0 && *w->next == '=' && !next_structure(w, argument))
        return true;
    if (!next_bracket(w, argument))
        next_value(w, argument);
    return true;
}

/* A text that is checked. */
struct check {
    const char *at;
    unsigned values;
    char open[LEVELS_MAX + 1]; /* brackets that are open */
    size_t level;
};

static bool check_number(struct check *c, unsigned long limit)
{
    char *end;

    if (*c->at < '0' || *c->at > '9' || strspn(c->at, "0123456789") > 4)
        return false;
    unsigned long number = strtoul(c->at, &end, 10);
    c->at = end;
    return number < limit;
}

static bool skip(struct check *c, char sign)
{
    bool is = *c->at == sign;

    c->at += is;
    return is;
}

/* What a pointer points to begins after it. */
static bool check_pointee(struct check *c)
{
    if (c->at[0] == '*' && c->at[1] == '{') {
        c->at += 2;
        c->open[++c->level] = '{';
    }
    return true;
}

static bool check_value(struct check *c)
{
    if (!*c->at || !strchr("iuprf", c->at[0]) || !c->at[1] || !strchr("1248", c->at[1]) ||
        ++c->values > TRACE_MEMBERS)
        return false;
    c->at += 2;
    if (c->level == 0)
        return c->at[-2] != 'p' || check_pointee(c);
    unsigned size = (unsigned)(c->at[-1] - '0');
    if (!skip(c, '@') || !check_number(c, TRACE_OFFSET_END))
        return false;
    if (!skip(c, '.'))
        return true;
    return check_number(c, 8) && skip(c, '.') && c->at[0] != '0' &&
           check_number(c, 8 * (unsigned long)size + 1);
}

/* A member with its name, or the end of a structure. */
static bool check_member(struct check *c)
{
    bool array = c->open[c->level] == '[';

    if (skip(c, array ? ']' : '}')) {
        c->level--;
        return true;
    }
    size_t len = 0;
    while (identifier_has(c->at[len]))
        len++;
    if (c->at[len] != ':' || (array && len != 0))
        return false;
    c->at += len + 1;
    if (*c->at != '{' && *c->at != '[')
        return check_value(c);
    if (c->level == LEVELS_MAX)
        return false;
    c->open[++c->level] = *c->at++;
    return true;
}

/* A structure up to where its members begin. */
static bool check_places(struct check *c)
{
    size_t len = strspn(c->at, "erfam");

    c->at += len;
    if (len == 0 || len > 20 || *c->at != '{')
        return len != 0 && len <= 20;
    c->at++;
    c->open[++c->level] = '{';
    return true;
}

bool trace_layout_is_good(const char *text)
{
    struct check c = {.at = text};
    bool good = skip(&c, '(');

    while (good && *c.at && strcmp(c.at, "*") != 0) {
        if (c.level != 0)
            good = check_member(&c);
        else
            good = skip(&c, '=') ? check_places(&c) : check_value(&c);
    }
    return good && c.level == 0;
}
