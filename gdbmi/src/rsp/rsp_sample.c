/* SPDX-License-Identifier: 0BSD */
/* The core registers through a GDB remote link, and the halt for a sample of them. */
#include <stdio.h>
#include <string.h>

#include "rsp_exchange.h"

/* Bytes of a register. */
#define WORD_64 8U
#define WORD_32 4U

/* Registers of which the server does not know the value are x. */
static bool form_registers(const struct gdbmi_rsp_message *message)
{
    return rsp_is_error(message) ||
           (message->len % 2 == 0 &&
            strspn(message->data, "0123456789abcdefABCDEFxX") == message->len);
}

static enum gdbmi_code refused(struct rsp_link *link, const struct gdbmi_rsp_message *answer)
{
    return gdbmi_error_set(&link->base.error, GDBMI_ETARGET,
                           "%s: cannot read the registers (the server says \"%.40s\")",
                           link->base.address, answer->data);
}

/* Takes one register of that many bytes, in the target's order. */
static void take_one(const struct rsp_link *link, struct gdbmi_sample *sample, unsigned index,
                     const char *hex, size_t size)
{
    bool big = link->short_halt.big_endian;
    unsigned char bytes[WORD_64];
    uint64_t value = 0;

    long len = gdbmi_rsp_unhex(hex, 2 * size, bytes, sizeof(bytes));
    if (len != (long)size)
        return;
    for (long i = 0; i < len; i++)
        value = value << 8 | bytes[big ? i : len - 1 - i];
    link_registers_set(sample, index, value);
}

static size_t size_of(const struct rsp_link *link, const struct link_registers *map, size_t len)
{
    if (map->size != 0)
        return map->size;
    if (link->pc_size != 0)
        return link->pc_size;
    return len / 2 >= (size_t)map->count * WORD_64 ? WORD_64 : WORD_32;
}

/* The answer to "g" has more registers behind these. Only a Cortex-M has its xPSR there: before the
 * description was read, QEMU gives old floating-point registers in its place. */
static enum gdbmi_code take_all(struct rsp_link *link, const struct link_registers *map,
                                const struct gdbmi_rsp_message *answer, struct gdbmi_sample *sample)
{
    size_t size = size_of(link, map, answer->len);
    bool m_profile = link->m_profile || link->server == RSP_SERVER_OPENOCD;

    if (answer->len == 0 || rsp_is_error(answer))
        return refused(link, answer);
    for (unsigned i = 0; i < map->count && 2 * size * (i + 1) <= answer->len; i++) {
        if (map->psr != (int)i || m_profile)
            take_one(link, sample, i, answer->data + 2 * size * i, size);
    }
    return GDBMI_OK;
}

/* OpenOCD reads each register of a RISC-V hart by itself, and slowly: so no more than needed. */
static enum gdbmi_code ask_few(struct rsp_link *link, const struct link_registers *map,
                               struct gdbmi_sample *sample)
{
    const unsigned few[] = {map->pc, map->ra};
    struct gdbmi_rsp_message answer;
    char request[16];
    enum gdbmi_code code = GDBMI_OK;

    for (size_t i = 0; code == GDBMI_OK && i < sizeof(few) / sizeof(few[0]); i++) {
        snprintf(request, sizeof(request), "p%x", few[i]);
        code = rsp_exchange(link, request, rsp_form_value, &answer);
        if (code == GDBMI_OK && (answer.len == 0 || rsp_is_error(&answer)))
            code = refused(link, &answer);
        if (code == GDBMI_OK)
            take_one(link, sample, few[i], answer.data, answer.len / 2);
    }
    if (code == GDBMI_OK)
        short_halt_found(&link->short_halt, &link->base, false, answer.len / 2 == WORD_64);
    return code;
}

/* What the server does not have, or cannot read, stays not known. */
static enum gdbmi_code ask_specials(struct rsp_link *link, struct gdbmi_sample *sample)
{
    struct gdbmi_rsp_message answer;
    enum gdbmi_code code = GDBMI_OK;
    char request[16];

    for (unsigned i = 0; code == GDBMI_OK && i < LINK_SPECIALS; i++) {
        if (link->specials[i] < 0)
            continue;
        snprintf(request, sizeof(request), "p%x", (unsigned)link->specials[i]);
        code = rsp_exchange(link, request, rsp_form_value, &answer);
        if (code == GDBMI_OK && answer.len > 0 && !rsp_is_error(&answer))
            take_one(link, sample, GDBMI_MSP + i, answer.data, answer.len / 2);
    }
    return code;
}

enum gdbmi_code rsp_registers(struct gdbmi_link *base, const struct link_registers *map, bool all,
                              struct gdbmi_sample *sample)
{
    struct rsp_link *link = (struct rsp_link *)base;
    struct gdbmi_rsp_message answer;

    if (!all && link->server == RSP_SERVER_OPENOCD && map->size == 0)
        return ask_few(link, map, sample);
    enum gdbmi_code code = rsp_exchange(link, "g", form_registers, &answer);
    if (code == GDBMI_OK)
        code = take_all(link, map, &answer, sample);
    if (code == GDBMI_OK && link->server == RSP_SERVER_OPENOCD && link->m_profile)
        short_halt_found(&link->short_halt, &link->base, true, false);
    if (code == GDBMI_OK && all && !link->specials_known)
        code = rsp_find_specials(link);
    return code == GDBMI_OK && all ? ask_specials(link, sample) : code;
}

/* OpenOCD gives registers and words of memory in its target's order, which nothing else tells. One
 * that does not say it has a little-endian one. */
static enum gdbmi_code ask_order(struct rsp_link *link)
{
    const char *text = NULL;

    if (link->order_known || link->server != RSP_SERVER_OPENOCD)
        return GDBMI_OK;
    enum gdbmi_code code = rsp_run_command(link, "[target current] cget -endian", &text);
    link->order_known = true;
    link->short_halt.big_endian = code == GDBMI_OK && strncmp(text, "big", strlen("big")) == 0;
    if (code != GDBMI_ETARGET && code != GDBMI_EUNSUPPORTED)
        return code;
    link->base.error = (struct gdbmi_error){.code = GDBMI_OK};
    return GDBMI_OK;
}

/* The description is long, and a server that hears us while the core runs gives it then. */
static enum gdbmi_code sample_with_halt(struct rsp_link *link, bool all)
{
    enum gdbmi_code code = GDBMI_OK;

    if (all && !link->specials_known && !link->base.deaf)
        code = rsp_find_specials(link);
    return code == GDBMI_OK ? GDBMI_EUNSUPPORTED : code;
}

/* OpenOCD's commands are heard while the core runs, too. */
static enum gdbmi_code sample_short(struct rsp_link *link, const struct link_registers *map,
                                    const struct gdbmi_sample_request *request,
                                    struct gdbmi_sample *sample)
{
    char script[SHORT_HALT_SCRIPT];
    const char *result = NULL;
    bool reset = false;

    short_halt_say(&link->short_halt, "[target current]", request, script);
    enum gdbmi_code code = rsp_run_command(link, script, &result);
    if (code == GDBMI_OK)
        code =
            short_halt_take(&link->short_halt, &link->base, map, request, result, sample, &reset);
    link->base.resets += reset;
    return code;
}

enum gdbmi_code rsp_sample(struct gdbmi_link *base, const struct link_registers *map,
                           const struct gdbmi_sample_request *request, struct gdbmi_sample *sample,
                           bool *ours, bool *runs)
{
    bool all = request->all || request->stack_len > 0;
    struct rsp_link *link = (struct rsp_link *)base;
    struct gdbmi_rsp_message answer;

    *ours = *runs = false;
    enum gdbmi_code code = ask_order(link);
    if (code != GDBMI_OK)
        return code;
    if (short_halt_can(&link->short_halt, base, request)) {
        code = sample_short(link, map, request, sample);
        *ours = *runs = code == GDBMI_OK && sample->known != 0;
        if (code != GDBMI_EUNSUPPORTED)
            return code;
    }
    if (!rsp_may_ask_at_once(link) || (all && !link->specials_known))
        return sample_with_halt(link, all);
    code = rsp_interrupt_and_ask(link, "g", form_registers, &answer, ours);
    if (code != GDBMI_OK || !*ours)
        return code;
    code = take_all(link, map, &answer, sample);
    return code == GDBMI_OK && all ? ask_specials(link, sample) : code;
}
