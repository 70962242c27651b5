/* SPDX-License-Identifier: 0BSD */
/* What a server says of the target itself: its architecture, where a process began, why a core is
 * halted. */
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "rsp_exchange.h"

#define DESCRIPTION_PIECES   32
#define DESCRIPTION_OVERHEAD 8
#define M_PROFILE            "org.gnu.gdb.arm.m-profile"

/* The debug fault status of a Cortex-M: what halted it. */
#define DFSR           "me000ed30,4"
#define DFSR_HALTED    0x01 /* a debugger's request, or a step */
#define DFSR_EVENTS    0x1f
#define AUXV_ENTRY     9
#define AUXV_KEY_LIMIT 4096
#define AUXV_MAX       2048
#define WORD_64        8
#define WORD_32        4

static void take_architecture(struct rsp_link *link, const char *text, size_t len)
{
    static const struct {
        const char *prefix;
        const char *arch;
        int pc_number;
        size_t pc_size; /* 0: not known */
    } known[] = {
        {"arm", "arm", 15, WORD_32},
        {"aarch64", "aarch64", 32, WORD_64},
        {"riscv:rv32", "riscv", 32, WORD_32},
        {"riscv:rv64", "riscv", 32, WORD_64},
        {"riscv", "riscv", 32, 0},
        {"i386:x86-64", "i386", 16, WORD_64},
        {"i386", "i386", 8, WORD_32},
    };

    snprintf(link->base.arch, sizeof(link->base.arch), "%.*s", (int)len, text);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strncmp(text, known[i].prefix, strlen(known[i].prefix)) != 0)
            continue;
        snprintf(link->base.arch, sizeof(link->base.arch), "%s", known[i].arch);
        link->pc_number = known[i].pc_number;
        link->pc_size = known[i].pc_size;
        return;
    }
}

/* false: no more of the description is needed. pyOCD gives no architecture, but its registers'. */
static bool take_description(struct rsp_link *link, const char *text)
{
    static const char tag[] = "<architecture>";
    const char *begin = strstr(text, tag);
    const char *end = begin != NULL ? strstr(begin, "</architecture>") : NULL;

    if (end != NULL) {
        begin += strlen(tag);
        take_architecture(link, begin, (size_t)(end - begin));
    }
    if (strstr(text, M_PROFILE) != NULL) {
        link->m_profile = true;
        take_architecture(link, "arm", strlen("arm"));
    }
    bool is_arm = strcmp(link->base.arch, "arm") == 0;
    return link->base.arch[0] == '\0' || (is_arm && !link->m_profile);
}

/* A piece may end within a tag, so the next one is asked for from a little before. How long the
 * text is was not known when the limit of opening was set: so it grows with what came. */
enum gdbmi_code rsp_describe(struct rsp_link *link)
{
    const size_t overlap = 32;
    struct gdbmi_rsp_message answer;
    size_t offset = 0;

    for (int i = 0; i < DESCRIPTION_PIECES; i++) {
        char request[80];
        snprintf(request, sizeof(request), "qXfer:features:read:target.xml:%zx,%zx", offset,
                 link->packet_size - DESCRIPTION_OVERHEAD);
        enum gdbmi_code code = rsp_exchange(link, request, rsp_form_xfer, &answer);
        if (code != GDBMI_OK)
            return code;
        clock_limit_grow((uint64_t)answer.len * LINK_BYTE_MS);
        if (answer.data[0] != 'l' && answer.data[0] != 'm')
            return GDBMI_OK;
        if (!take_description(link, answer.data + 1) || answer.data[0] == 'l')
            return GDBMI_OK;
        if (answer.len <= overlap + 1)
            return GDBMI_OK;
        offset += answer.len - 1 - overlap;
    }
    return GDBMI_OK;
}

static uint64_t word_at(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0;

    while (size-- > 0)
        value = value << 8 | bytes[size];
    return value;
}

/* false: the pairs are no auxiliary vector of words of that size. */
static bool find_entry(const unsigned char *bytes, size_t len, size_t size, uint64_t *entry)
{
    uint64_t found = 0;

    for (size_t at = 0; at + 2 * size <= len; at += 2 * size) {
        uint64_t key = word_at(bytes + at, size);
        if (key == 0) {
            *entry = found;
            return true;
        }
        if (key >= AUXV_KEY_LIMIT)
            return false;
        if (key == AUXV_ENTRY)
            found = word_at(bytes + at + size, size);
    }
    return false;
}

enum gdbmi_code rsp_ask_entry(struct rsp_link *link)
{
    struct gdbmi_rsp_message answer;
    char request[64];

    snprintf(request, sizeof(request), "qXfer:auxv:read::0,%x", AUXV_MAX);
    enum gdbmi_code code = rsp_exchange(link, request, rsp_form_xfer, &answer);
    if (code != GDBMI_OK || (answer.data[0] != 'l' && answer.data[0] != 'm'))
        return code;
    const unsigned char *bytes = (const unsigned char *)answer.data + 1;
    if (!find_entry(bytes, answer.len - 1, WORD_64, &link->base.info.entry))
        find_entry(bytes, answer.len - 1, WORD_32, &link->base.info.entry);
    return GDBMI_OK;
}

enum gdbmi_code rsp_ask_why_halted(struct rsp_link *link, bool *by_request)
{
    struct gdbmi_rsp_message answer;
    unsigned char bytes[4];

    *by_request = false;
    if (!link->m_profile)
        return GDBMI_OK;
    enum gdbmi_code code = rsp_exchange(link, DFSR, rsp_form_hex, &answer);
    if (code == GDBMI_OK && gdbmi_rsp_unhex(answer.data, answer.len, bytes, sizeof(bytes)) == 4)
        *by_request = (word_at(bytes, 4) & DFSR_EVENTS) == DFSR_HALTED;
    return code;
}
