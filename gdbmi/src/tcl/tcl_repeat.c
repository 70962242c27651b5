/* SPDX-License-Identifier: 0BSD */
/* Reads of one word, again and again, by a loop inside OpenOCD. */
#include "tcl_repeat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The server serves nobody else until it ends. It would look at the core before each command of the
 * script, which takes as long as a read, so its polling is off meanwhile. */
static enum gdbmi_code ask(struct tcl_memory *memory, const struct gdbmi_repeat *repeat,
                           struct gdbmi_error *error)
{
    const char *target = memory->link->target;
    char script[sizeof(memory->link->target) + 400];
    char query[sizeof(memory->link->target) + 16];

    snprintf(script, sizeof(script),
             "apply {{t a n m} {set r {}; set e [expr {[ms]+$m}]; "
             "set o [string match {*: on*} [poll]]; poll off; "
             "set c [catch {while {[incr n -1]>=0} "
             "{lappend r [$t read_memory $a 32 1%s]; if {[ms]>=$e} break}} v]; "
             "if {$o} {poll on}; if {$c == 1} {error $v}; set r}} "
             "%s 0x%" PRIx64 " %zu %u",
             memory->physical ? " phys" : "", target, repeat->addr, repeat->times,
             repeat->longest_ms);
    snprintf(query, sizeof(query), "%s curstate", target);
    enum gdbmi_code code = tcl_port_queue(memory->port, script, query, error);
    return code == GDBMI_OK ? tcl_port_send(memory->port, error) : code;
}

/* Returns how many numbers there are, at most capacity; 0: it is something else. */
static size_t take(const char *text, uint32_t *values, size_t capacity)
{
    size_t count = 0;
    char *end;

    for (; count < capacity; count++, text = end) {
        unsigned long long value = strtoull(text, &end, 16);
        if (end == text)
            break;
        if (value > UINT32_MAX)
            return 0;
        values[count] = (uint32_t)value;
    }
    while (*text == ' ')
        text++;
    return *text == '\0' ? count : 0;
}

enum gdbmi_code tcl_repeat(struct tcl_memory *memory, const struct gdbmi_repeat *repeat,
                           uint32_t *values, size_t *count, enum gdbmi_state *state,
                           struct gdbmi_error *error)
{
    struct tcl_answer answer;
    enum gdbmi_code code = ask(memory, repeat, error);

    if (code == GDBMI_OK)
        code = tcl_port_take(memory->port, &answer, error);
    if (code != GDBMI_OK)
        return code;
    *count = take(answer.text, values, repeat->times);
    if (*count == 0) {
        memory->port->useless = true;
        return gdbmi_error_set(error, GDBMI_EPROTOCOL,
                               "%s: the answer to reads of a word is not numbers: %.40s",
                               memory->port->address, answer.text);
    }
    *state = tcl_memory_state(answer.state);
    return GDBMI_OK;
}
