/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of a shell's defaults; it is the process', as the shell is. */
#define _POSIX_C_SOURCE 200809L

#include <options/option_defaults.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/nearest.h>
#include <base/vec.h>

/* Of verbs that read and show; where a command writes to, and what it ends with, is said to it. */
#define SETTABLE                                                                                  \
    (OPTION_ELF | OPTION_TARGET | OPTION_SAMPLER | OPTION_ROWS | OPTION_FORMAT | OPTION_REFRESH | \
     OPTION_SCREEN | OPTION_TYPE | OPTION_STORE | OPTION_LIMIT | OPTION_CHANGES | OPTION_EXPORT | \
     OPTION_ANNOTATE)

static struct option_default *all;
static size_t all_count, all_room;
static size_t old_count; /* of all: those that a line replaces */
static const struct options *inherited;

const struct option_default *option_defaults_all(size_t *count)
{
    *count = all_count;
    return all;
}

/* The way that has the name of the option, or NULL. */
static const struct gdbmi_way *way_of(const struct option_spec *spec)
{
    const struct gdbmi_way *way = gdbmi_ways;

    while (way->name && strcmp(spec->name, way->name) != 0)
        way++;
    return spec->set && way->name ? way : NULL;
}

bool option_is_link(const struct option_spec *spec)
{
    return way_of(spec) != NULL;
}

bool option_has_default(const struct option_spec *spec)
{
    return spec->set && (spec->group & SETTABLE) != 0;
}

static void remove_at(size_t i)
{
    free(all[i].value);
    memmove(all + i, all + i + 1, (all_count - i - 1) * sizeof(*all));
    all_count--;
    old_count -= i < old_count;
}

void option_defaults_begin(void)
{
    old_count = all_count;
}

/* OpenOCD's two ports name one server. */
static bool go_together(const struct option_spec *a, const struct option_spec *b)
{
    const struct gdbmi_way *way_a = way_of(a), *way_b = way_of(b);

    return way_a && way_b && way_a != way_b && way_a->is_openocd && way_b->is_openocd;
}

/* Of those of earlier lines none goes together with one of a new line. */
static void remove_links(const struct option_spec *spec, size_t old)
{
    for (size_t i = all_count; i-- > 0;) {
        if (option_is_link(all[i].spec) && (i < old || !go_together(all[i].spec, spec)))
            remove_at(i);
    }
}

static bool append(const struct option_spec *spec, const char *value)
{
    char *copy = value ? strdup(value) : NULL;

    if ((value && !copy) || !VEC_ROOM(all, all_room, all_count, 1)) {
        free(copy);
        return false;
    }
    all[all_count++] = (struct option_default){.spec = spec, .value = copy};
    return true;
}

bool option_default_add(const struct option_spec *spec, const char *value)
{
    if (!option_has_default(spec))
        return true;
    if (option_is_link(spec))
        remove_links(spec, old_count);
    for (size_t i = old_count; i-- > 0;) {
        if (all[i].spec == spec)
            remove_at(i);
    }
    return append(spec, value);
}

static bool is_named(const struct option_spec *spec, const char *name)
{
    return option_has_default(spec) && strcmp(spec->name, name) == 0;
}

/* Verbs may mean different things by a name: a value is for those that take it. */
static bool accepts(const struct option_spec *spec, char **values, size_t count, char *text)
{
    struct options scratch;
    bool optional = spec->value && spec->value[0] == '[';

    option_defaults(&scratch);
    if (count == 0 && spec->value && !optional) {
        snprintf(text, OPTION_TEXT, "%s needs a value: %s %s", spec->name, spec->name, spec->value);
        return false;
    }
    if (count > 0 && !spec->value) {
        snprintf(text, OPTION_TEXT, "%s takes no value; 'unset %s' switches it off", spec->name,
                 spec->name);
        return false;
    }
    if (count == 0)
        return spec->set(&scratch, NULL, text);
    for (size_t i = 0; i < count; i++) {
        if (!values[i][0]) {
            snprintf(text, OPTION_TEXT, "%s has an empty value", spec->name);
            return false;
        }
        if (!spec->set(&scratch, values[i], text))
            return false;
    }
    return true;
}

static bool add_values(const struct option_spec *spec, char **values, size_t count)
{
    bool done = count > 0 || append(spec, NULL);

    for (size_t i = 0; done && i < count; i++)
        done = append(spec, values[i]);
    return done;
}

bool option_default_unset(const char *name)
{
    bool known = name == NULL;

    for (const struct option_spec *s = option_specs; s->name && name; s++)
        known = known || is_named(s, name);
    for (size_t i = all_count; i-- > 0;) {
        if (!name || strcmp(all[i].spec->name, name) == 0)
            remove_at(i);
    }
    return known;
}

static void say_unknown(const char *name, char *text)
{
    char hint[NEAREST_HINT];
    struct nearest near;

    nearest_begin(&near, name, strlen(name));
    for (const struct option_spec *s = option_specs; s->name; s++) {
        if (option_has_default(s))
            nearest_offer(&near, s->name);
    }
    snprintf(text, OPTION_TEXT, "no shared option '%.100s'%s", name,
             nearest_hint(&near, "", hint, sizeof(hint)));
}

bool option_default_set(const char *name, char **values, size_t count, char *text)
{
    bool accepted = false, known = false, done = true;

    for (const struct option_spec *s = option_specs; s->name; s++) {
        if (is_named(s, name)) {
            known = true;
            accepted = accepts(s, values, count, text) || accepted;
        }
    }
    if (!known)
        say_unknown(name, text);
    if (!accepted)
        return false;
    (void)option_default_unset(name);
    for (const struct option_spec *s = option_specs; done && s->name; s++) {
        if (!is_named(s, name) || !accepts(s, values, count, text))
            continue;
        if (option_is_link(s))
            remove_links(s, 0);
        done = add_values(s, values, count);
    }
    if (!done)
        snprintf(text, OPTION_TEXT, "out of memory");
    return done;
}

const struct options *option_inherit_from(const struct options *options)
{
    const struct options *before = inherited;

    inherited = options;
    return before;
}

bool option_inherits(void)
{
    return inherited != NULL;
}

void option_inherit(struct options *o, bool other)
{
    const struct options *from = inherited;
    bool allow_halt = o->link.allow_halt;

    if (!o->elf_given) {
        o->elf = from->elf;
        if (strcmp(o->symbol, "s_prof") == 0)
            o->symbol = from->symbol;
        o->block_size = o->block_size ? o->block_size : from->block_size;
        o->force |= from->force;
    }
    if (other)
        return;
    o->link = from->link;
    o->link.allow_halt |= allow_halt;
    o->link_share = o->link_share > 0 ? o->link_share : from->link_share;
    o->duty = allow_halt ? o->duty : from->duty;
}
