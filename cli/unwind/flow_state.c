/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of registers and of the stack's memory. */
#include "flow.h"

static void drop_slots(struct flow_state *state, unsigned number)
{
    for (unsigned i = state->slot_count; i > 0; i--) {
        const struct value *v = &state->slots[i - 1].value;
        if (v->kind == VALUE_ENTRY && v->number == number)
            state->slots[i - 1] = state->slots[--state->slot_count];
    }
}

void flow_set(struct flow_state *state, unsigned to, struct value value)
{
    if (to >= FLOW_REGISTERS)
        return;
    if (value.kind == VALUE_ENTRY && value.number == to)
        drop_slots(state, to);
    state->registers[to] = value;
}

void flow_forget(struct flow_state *state, uint64_t mask)
{
    for (unsigned i = 0; i < FLOW_REGISTERS; i++) {
        if (mask >> i & 1)
            state->registers[i] = (struct value){.kind = VALUE_UNKNOWN};
    }
}

struct value flow_sum(struct value value, int64_t offset)
{
    int64_t sum = value.offset + offset;

    if ((value.kind != VALUE_CFA && value.kind != VALUE_CONSTANT) || sum < INT32_MIN ||
        sum > INT32_MAX)
        return (struct value){.kind = VALUE_UNKNOWN};
    value.offset = (int32_t)sum;
    return value;
}

void flow_store(struct flow_state *state, struct value addr, struct value value)
{
    unsigned i = 0;

    if (addr.kind != VALUE_CFA)
        return;
    while (i < state->slot_count && state->slots[i].offset != addr.offset)
        i++;
    if (value.kind == VALUE_UNKNOWN || value.kind == VALUE_CONSTANT) {
        if (i < state->slot_count)
            state->slots[i] = state->slots[--state->slot_count];
        return;
    }
    if (i == FLOW_SLOTS)
        return;
    if (value.kind == VALUE_ENTRY)
        flow_forget(state, (uint64_t)1 << value.number);
    state->slots[i] = (struct flow_slot){.offset = addr.offset, .value = value};
    if (i == state->slot_count)
        state->slot_count++;
}

struct value flow_load(const struct flow_state *state, struct value addr)
{
    for (unsigned i = 0; addr.kind == VALUE_CFA && i < state->slot_count; i++) {
        if (state->slots[i].offset == addr.offset)
            return state->slots[i].value;
    }
    return (struct value){.kind = VALUE_UNKNOWN};
}
