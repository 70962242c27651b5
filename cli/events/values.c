/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names values of arguments when they first come: enumerators, symbols, constant strings. */
#define _POSIX_C_SOURCE 200809L

#include "values.h"
#include "strings.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include <base/signals.h>
#include <base/vec.h>
#include <trace/arguments.h>

/* Bytes of the longest text that flags have. */
#define FLAGS_MAX 200

_Static_assert(SYMTAB_MEMBERS_MAX == TRACE_MEMBERS, "all types are taken over");
_Static_assert(SYMTAB_OFFSET_END == TRACE_OFFSET_END, "all offsets are taken over");
_Static_assert(SYMTAB_PARAMETERS_MAX == TRACE_PARAMETERS, "all types are taken over");
_Static_assert((int)SYMTAB_TYPE_STRING == TRACE_STRING, "the types have the same order");

void values_free(struct values *values)
{
    free(values->list);
    *values = (struct values){.list = NULL};
}

static bool number_of(struct values *v, const struct enumeration *e, uint32_t *number)
{
    size_t i = 0;

    while (i < v->count && (v->list[i].part != e->part || v->list[i].type.entry != e->type.entry))
        i++;
    if (i == v->count) {
        if (!VEC_ROOM(v->list, v->capacity, v->count, 1))
            return false;
        v->list[v->count++] = *e;
    }
    *number = TRACE_ENUM + (uint32_t)i;
    return true;
}

static bool set_types(struct values *v, uint64_t addr, const struct symtab_type *from, size_t count,
                      uint32_t *types)
{
    for (size_t i = 0; i < count; i++) {
        const struct enumeration e = {
            .part = symtab_owner(v->symtab, addr), .type = from[i], .addr = addr};
        types[i] = (uint32_t)from[i].kind;
        if (from[i].kind == SYMTAB_TYPE_ENUM && !number_of(v, &e, &types[i]))
            return false;
    }
    return true;
}

bool values_types(struct values *values, uint64_t addr, const struct symtab_parameters *parameters,
                  struct trace_function *function)
{
    const struct symtab_layout *layout = &parameters->layout;
    /* "(", two characters each, and perhaps "*". */
    size_t count = (strlen(parameters->text) - 1) / 2;

    return set_types(values, addr, parameters->types, count, function->types) &&
           (!layout->text[0] ||
            set_types(values, addr, layout->types, layout->count, function->member_types));
}

bool values_result(struct values *values, uint64_t addr, const struct symtab_result *result,
                   struct trace_function *function)
{
    memcpy(function->result, result->text, sizeof(function->result));
    return set_types(values, addr, &result->type, 1, &function->result_type);
}

static bool add(struct values *v, uint32_t type, uint64_t first, uint64_t size, const char *text)
{
    const struct trace_name name = {.type = type, .first = first, .size = size, .text = text};

    return trace_add_name(v->points, &name);
}

/* A value without a name gets an empty one, so that it is searched only once. */
static bool name_enumerator(struct values *v, const struct trace_argument *a)
{
    const struct enumeration *e = &v->list[a->type - TRACE_ENUM];
    char text[FLAGS_MAX];

    signals_finish(true);
    bool found =
        symtab_find_enumerator(v->symtab, e->addr, &e->type, a->value, a->size, text, sizeof(text));
    signals_finish(false);
    return add(v, a->type, a->value, 1, found ? text : "");
}

/* Only the beginning of a string that ends. */
static bool name_string(struct values *v, uint64_t addr, bool *found)
{
    char text[TRACE_STRING_KEPT + 1];
    size_t len;
    const uint8_t *bytes = symtab_constant(v->symtab, addr, &len);

    *found = bytes && memchr(bytes, '\0', len);
    if (!*found)
        return true;
    len = strnlen((const char *)bytes, TRACE_STRING_KEPT);
    memcpy(text, bytes, len);
    text[len] = '\0';
    return add(v, TRACE_STRING, addr, 1, text);
}

/* A pointer to a function, or to an object; it may be one of an alias. */
static bool name_symbol(struct values *v, uint64_t pointer)
{
    bool thumb = symtab_elf(v->symtab)->machine == EM_ARM && (pointer & 1);
    uint64_t addr = symtab_place(v->symtab, thumb ? pointer - 1 : pointer);
    uint64_t distance = (thumb ? pointer - 1 : pointer) - addr;
    const struct symtab_function *f = symtab_find(v->symtab, addr);
    struct symtab_data data;

    if (f)
        return add(v, thumb ? TRACE_THUMB : TRACE_ADDRESS, f->addr + distance, f->size, f->name);
    signals_finish(true);
    bool found = symtab_find_data(v->symtab, thumb ? addr + 1 : addr, &data);
    signals_finish(false);
    return !found || add(v, TRACE_ADDRESS, data.addr + distance, data.size, data.name);
}

/* The bytes of a structure that never change. */
static bool name_constant(struct values *v, uint64_t addr, bool *found)
{
    size_t len;
    const uint8_t *bytes = symtab_constant(v->symtab, addr, &len);

    *found = bytes != NULL;
    return !bytes || contents_add(v->points, TRACE_CONTENT, addr, bytes, len);
}

/* What a pointer to a structure points to. */
static bool name_pointee(struct values *v, const struct trace_argument *a)
{
    bool found = trace_find_name(v->points, TRACE_CONTENT, a->value) != NULL;

    if (!found && !name_constant(v, a->value, &found))
        return false;
    return found || !v->watch ||
           contents_read(v->watch, v->symtab, v->points, a->value, a->pointee, &v->left);
}

static bool name_pointer(struct values *v, const struct trace_argument *a)
{
    bool found = false;

    if (a->value == 0)
        return true;
    if (a->pointee != 0 && !name_pointee(v, a))
        return false;
    if (a->type == TRACE_STRING && !name_string(v, a->value, &found))
        return false;
    if (a->type == TRACE_STRING && !found && v->watch &&
        !strings_read(v->watch, v->symtab, v->points, a->value, &v->left))
        return false;
    if (found || trace_find_name(v->points, TRACE_ADDRESS, a->value) ||
        ((a->value & 1) && trace_find_name(v->points, TRACE_THUMB, a->value - 1)))
        return true;
    return name_symbol(v, a->value);
}

bool values_name(struct values *values, const struct trace_about *about,
                 const struct trace_event *event)
{
    const struct trace_point *point = trace_point_at(values->points, event->point);
    const struct trace_function *function = trace_function_at(values->points, point->function);
    const char *described = point->kind == TRACE_EXIT ? function->result : function->parameters;
    struct trace_argument a;
    bool done = true;

    if (!values->symtab || !described[0] || trace_names_count(values->points) == TRACE_NAMES_MAX)
        return true;
    struct trace_arguments walk = trace_arguments_of(about, values->points, function, event);
    while (done && trace_arguments_next(&walk, &a)) {
        if (!a.known ||
            (a.type == TRACE_STRING && trace_find_name(values->points, a.type, a.value)))
            continue;
        if (a.letter == 'p')
            done = name_pointer(values, &a);
        else if (a.type >= TRACE_ENUM && !trace_find_name(values->points, a.type, a.value))
            done = name_enumerator(values, &a);
    }
    return done;
}
