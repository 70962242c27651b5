/* SPDX-License-Identifier: 0BSD */
/* What a server says of the target itself: its architecture, its registers, where a process began.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "rsp_exchange.h"

#define DESCRIPTION_PIECES   32
#define DESCRIPTION_OVERHEAD 8
/* Of the feature org.gnu.gdb.arm.m-profile, and of QEMU's file that has it. */
#define M_PROFILE      "arm.m-profile"
#define M_PROFILE_FILE "arm-m-profile.xml"

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
    if (strstr(text, M_PROFILE) != NULL || strstr(text, M_PROFILE_FILE) != NULL) {
        link->m_profile = true;
        take_architecture(link, "arm", strlen("arm"));
    }
    if (strcmp(link->base.arch, "arm") == 0)
        return !link->m_profile;
    if (strcmp(link->base.arch, "riscv") == 0)
        return link->server == RSP_SERVER_UNKNOWN && link->dcsr_number < 0;
    return link->base.arch[0] == '\0';
}

/* Files that a description includes. */
#define FILES_MAX 12
#define FILE_NAME 40

/* Elements of the description, which comes in pieces. */
struct elements {
    char text[160]; /* of the last one, from after its '<' on; what is longer is cut */
    size_t len;
    bool inside;
    int next_number; /* of a register without a number of its own */
    char files[FILES_MAX][FILE_NAME];
    unsigned file_count;
};

/* The text of an attribute up to its closing quote and beyond; NULL: there is none. */
static const char *attribute(const char *element, const char *name)
{
    const char *at = strstr(element, name);

    return at != NULL ? at + strlen(name) + 1 : NULL;
}

static bool is_name(const char *attribute, const char *name)
{
    size_t len = strlen(name);

    return attribute != NULL && strncmp(attribute, name, len) == 0 &&
           strcspn(attribute, "'\"") == len;
}

/* Further files are named in the order of their registers. */
static void take_file(struct elements *elements)
{
    const char *href = attribute(elements->text, " href=");

    if (href == NULL || elements->file_count == FILES_MAX)
        return;
    snprintf(elements->files[elements->file_count++], FILE_NAME, "%.*s", (int)strcspn(href, "'\""),
             href);
}

static void take_element(struct rsp_link *link, struct elements *elements)
{
    const char *number = attribute(elements->text, " regnum=");
    const char *name = attribute(elements->text, " name=");

    if (strncmp(elements->text, "xi:include ", 11) == 0)
        take_file(elements);
    if (strncmp(elements->text, "reg ", 4) != 0)
        return;
    if (number != NULL)
        elements->next_number = (int)strtol(number, NULL, 10);
    if (is_name(name, "dcsr"))
        link->dcsr_number = elements->next_number;
    for (size_t i = 0; i < LINK_SPECIALS; i++) {
        if (is_name(name, link_special_names[i]))
            link->specials[i] = elements->next_number;
    }
    elements->next_number++;
}

static void take_registers(struct rsp_link *link, struct elements *elements, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '<') {
            elements->inside = true;
            elements->len = 0;
        } else if (*text == '>' && elements->inside) {
            elements->inside = false;
            take_element(link, elements);
        } else if (elements->inside && elements->len + 1 < sizeof(elements->text)) {
            elements->text[elements->len++] = *text;
        }
        elements->text[elements->len] = '\0';
    }
}

/* A piece may end within a tag, so the next one is asked for from a little before. How long the
 * text is was not known when the limit of opening was set: so it grows with what came. */
enum gdbmi_code rsp_describe(struct rsp_link *link)
{
    const size_t overlap = 32;
    struct elements elements = {.len = 0};
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
        const char *fresh = answer.data + 1 + (i == 0 ? 0 : overlap);
        if (fresh < answer.data + answer.len)
            take_registers(link, &elements, fresh);
        if (!take_description(link, answer.data + 1) || answer.data[0] == 'l')
            return GDBMI_OK;
        if (answer.len <= overlap + 1)
            return GDBMI_OK;
        offset += answer.len - 1 - overlap;
    }
    return GDBMI_OK;
}

/* A description of many registers is some ten pieces. */
#define FILE_PIECES 256

static enum gdbmi_code read_file(struct rsp_link *link, const char *name, struct elements *elements)
{
    struct gdbmi_rsp_message answer;
    char request[FILE_NAME + 64];
    size_t offset = 0;

    for (int i = 0; i < FILE_PIECES; i++) {
        snprintf(request, sizeof(request), "qXfer:features:read:%s:%zx,%zx", name, offset,
                 link->packet_size - DESCRIPTION_OVERHEAD);
        enum gdbmi_code code = rsp_exchange(link, request, rsp_form_xfer, &answer);
        if (code != GDBMI_OK || (answer.data[0] != 'l' && answer.data[0] != 'm'))
            return code;
        clock_limit_grow((uint64_t)answer.len * LINK_BYTE_MS);
        take_registers(link, elements, answer.data + 1);
        offset += answer.len - 1;
        if (answer.data[0] == 'l' || answer.len == 1)
            break;
    }
    return GDBMI_OK;
}

enum gdbmi_code rsp_find_specials(struct rsp_link *link)
{
    struct elements elements = {.len = 0};

    link->specials_known = true;
    for (size_t i = 0; i < LINK_SPECIALS; i++)
        link->specials[i] = -1;
    enum gdbmi_code code = read_file(link, "target.xml", &elements);
    for (unsigned i = 0; code == GDBMI_OK && i < elements.file_count; i++)
        code = read_file(link, elements.files[i], &elements);
    return code;
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
