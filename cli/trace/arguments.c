/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the arguments in the registers that a trace has recorded. */
#include <trace/arguments.h>

struct trace_arguments trace_arguments_of(const struct trace_about *about,
                                          const struct trace_function *function,
                                          const struct trace_event *event)
{
    return (struct trace_arguments){.event = event,
                                    .function = function,
                                    .word = about->addr_size,
                                    .big_endian = about->big_endian};
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
    if (size < sizeof(*value))
        *value &= ((uint64_t)1 << 8 * size) - 1;
    return true;
}

bool trace_arguments_next(struct trace_arguments *walk, struct trace_argument *argument)
{
    const char *p = walk->function->parameters + 1 + (size_t)2 * walk->index;

    if (walk->over || p[0] == '\0')
        return false;
    *argument = (struct trace_argument){.letter = p[0]};
    if (p[0] != '*') {
        argument->size = (unsigned)(p[1] - '0');
        if (walk->index < TRACE_PARAMETERS)
            argument->type = walk->function->types[walk->index];
        argument->known = p[0] != 'f' && take_value(walk, argument->size, &argument->value);
    }
    if (!argument->known && p[0] != 'f') {
        argument->letter = '*';
        walk->over = true;
    }
    walk->index++;
    return true;
}
