/* SPDX-License-Identifier: 0BSD */
/* Who halted a target that is found halted, of a server that gives every stop a breakpoint's
 * signal.
 */
#include "rsp_halter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rsp_exchange.h"

/* The debug fault status of a Cortex-M: what halted it (ARMv7-M Architecture Reference Manual,
 * C1.6.1). It is 0 if the server cleared it, as probe-rs does after each halt. */
#define DFSR        "me000ed30,4"
#define DFSR_HALTED 0x01 /* a debugger's request, or a step */
#define DFSR_BKPT   0x02
#define DFSR_EVENTS 0x1f

/* RISC-V External Debug Support 0.13, 4.8.1. */
#define DCSR_VERSION(dcsr) ((dcsr) >> 28 & 0xf)
#define DCSR_CAUSE(dcsr)   ((dcsr) >> 6 & 0x7)
#define CAUSE_NONE         0
#define CAUSE_REQUEST      3

/* Instructions that halt, as they lie in memory. */
#define BKPT_HIGH_BYTE  0xbe /* Armv6-M and later, bkpt #0 to #255 */
#define RISCV_C_EBREAK  0x9002
#define RISCV_EBREAK    0x00100073
#define HALFWORD(value) ((value)&0xffff)

static uint64_t word_at(const unsigned char *bytes, long size)
{
    uint64_t value = 0;

    while (size-- > 0)
        value = value << 8 | bytes[size];
    return value;
}

/* *len is how many bytes of the value came; 0: the server cannot tell. */
static enum gdbmi_code ask_value(struct rsp_link *link, const char *request, uint64_t *value,
                                 long *len)
{
    struct gdbmi_rsp_message answer;
    unsigned char bytes[8];

    *len = 0;
    enum gdbmi_code code = rsp_exchange(link, request, rsp_form_value, &answer);
    if (code != GDBMI_OK || rsp_is_error(&answer))
        return code;
    *len = gdbmi_rsp_unhex(answer.data, answer.len, bytes, sizeof(bytes));
    if (*len < 0)
        *len = 0;
    *value = word_at(bytes, *len);
    return code;
}

static enum gdbmi_code ask_process(struct rsp_link *link, enum rsp_halter *halter)
{
    struct gdbmi_rsp_message answer;

    enum gdbmi_code code = rsp_exchange(link, "qXfer:auxv:read::0,8", rsp_form_xfer, &answer);
    if (code == GDBMI_OK && (answer.data[0] == 'l' || answer.data[0] == 'm'))
        *halter = RSP_HALTER_PROCESS;
    return code;
}

/* Its flags stay until they are cleared, and some servers never do that. So of a breakpoint and a
 * request one may be old, and the two together tell nothing. */
static enum gdbmi_code ask_dfsr(struct rsp_link *link, enum rsp_halter *halter)
{
    uint64_t dfsr = 0;
    long len;

    enum gdbmi_code code = ask_value(link, DFSR, &dfsr, &len);
    uint64_t events = dfsr & DFSR_EVENTS;
    if (code == GDBMI_OK && len == 4 && events != 0 && events != (DFSR_HALTED | DFSR_BKPT))
        *halter = events == DFSR_HALTED ? RSP_HALTER_REQUEST : RSP_HALTER_OTHER;
    return code;
}

static enum gdbmi_code ask_dcsr(struct rsp_link *link, enum rsp_halter *halter)
{
    char request[16];
    uint64_t dcsr = 0;
    long len;

    snprintf(request, sizeof(request), "p%x", (unsigned)link->dcsr_number);
    enum gdbmi_code code = ask_value(link, request, &dcsr, &len);
    if (code == GDBMI_OK && len >= 4 && DCSR_VERSION(dcsr) != 0 && DCSR_CAUSE(dcsr) != CAUSE_NONE)
        *halter = DCSR_CAUSE(dcsr) == CAUSE_REQUEST ? RSP_HALTER_REQUEST : RSP_HALTER_OTHER;
    return code;
}

static bool is_breakpoint(const struct rsp_link *link, uint64_t instruction, long len)
{
    if (link->m_profile)
        return len == 2 && instruction >> 8 == BKPT_HIGH_BYTE;
    return len == 4 && (HALFWORD(instruction) == RISCV_C_EBREAK || instruction == RISCV_EBREAK);
}

/* The core stands at an instruction of the firmware that halts it: that is what did. */
static enum gdbmi_code ask_instruction(struct rsp_link *link, enum rsp_halter *halter)
{
    char request[RSP_PORT_SHORT];
    uint64_t instruction = 0;
    uint64_t pc = 0;
    long len;

    enum gdbmi_code code = rsp_pc(&link->base, &pc);
    if (code == GDBMI_ETARGET || code == GDBMI_EUNSUPPORTED) {
        link->base.error = (struct gdbmi_error){.code = GDBMI_OK};
        return GDBMI_OK;
    }
    if (code != GDBMI_OK)
        return code;
    snprintf(request, sizeof(request), "m%" PRIx64 ",%d", link->m_profile ? pc & ~(uint64_t)1 : pc,
             link->m_profile ? 2 : 4);
    code = ask_value(link, request, &instruction, &len);
    if (code == GDBMI_OK && is_breakpoint(link, instruction, len))
        *halter = RSP_HALTER_OTHER;
    return code;
}

static enum gdbmi_code ask(struct rsp_link *link, enum rsp_halter *halter)
{
    enum gdbmi_code code = rsp_describe(link);
    bool is_riscv = strcmp(link->base.arch, "riscv") == 0;

    if (code == GDBMI_OK)
        code = ask_process(link, halter);
    if (code == GDBMI_OK && *halter == RSP_HALTER_UNKNOWN && link->m_profile)
        code = ask_dfsr(link, halter);
    if (code == GDBMI_OK && *halter == RSP_HALTER_UNKNOWN && link->dcsr_number >= 0)
        code = ask_dcsr(link, halter);
    if (code == GDBMI_OK && *halter == RSP_HALTER_UNKNOWN && (link->m_profile || is_riscv))
        code = ask_instruction(link, halter);
    return code;
}

enum gdbmi_code rsp_ask_halter(struct rsp_link *link, enum rsp_halter *halter)
{
    *halter = RSP_HALTER_UNKNOWN;
    if (link->server != RSP_SERVER_UNKNOWN) {
        *halter = RSP_HALTER_OTHER;
        return GDBMI_OK;
    }
    link->opening = true;
    enum gdbmi_code code = ask(link, halter);
    link->opening = false;
    return code;
}
