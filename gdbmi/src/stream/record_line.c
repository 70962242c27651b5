/* SPDX-License-Identifier: 0BSD */
/* Bytes and errors as text in the lines of a record. */
#include "record_line.h"

#include <stdio.h>
#include <string.h>

#include "hex.h"

const char *const record_words[RECORD_KINDS] = {
    [RECORD_OPEN] = "open",     [RECORD_FAILED] = "failed", [RECORD_SENT] = ">",
    [RECORD_RECEIVED] = "<",    [RECORD_SILENT] = "silent", [RECORD_LOST] = "lost",
    [RECORD_UNSENT] = "unsent", [RECORD_CLOSED] = "closed", [RECORD_CHOSEN] = "chosen",
    [RECORD_CLOCK] = "clock",   [RECORD_END] = "end",
};

static const struct {
    const char *word;
    enum gdbmi_code code;
    enum gdbmi_hint hint;
} errors[] = {
    {"refused", GDBMI_ECONNECT, GDBMI_HINT_REFUSED}, {"connect", GDBMI_ECONNECT, GDBMI_HINT_NONE},
    {"timeout", GDBMI_ETIMEOUT, GDBMI_HINT_NONE},    {"argument", GDBMI_EARG, GDBMI_HINT_NONE},
    {"closed", GDBMI_ECLOSED, GDBMI_HINT_NONE},
};

#define ERRORS (sizeof(errors) / sizeof(errors[0]))

void record_escape(struct buffer *out, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < len; i++) {
        const char escaped[] = {'\\', 'x', hex_digits[at[i] >> 4], hex_digits[at[i] & 15]};
        bool plain = at[i] >= ' ' && at[i] <= '~' && at[i] != '\\' && (at[i] != ' ' || i + 1 < len);
        if (plain)
            buffer_add(out, at + i, 1);
        else
            buffer_add(out, escaped, sizeof(escaped));
    }
}

bool record_unescape(char *text, size_t *len)
{
    size_t out = 0;

    for (size_t i = 0; i < *len; i++, out++) {
        if (text[i] != '\\') {
            text[out] = text[i];
            continue;
        }
        if (*len - i < 4 || text[i + 1] != 'x')
            return false;
        int high = hex_value((unsigned char)text[i + 2]);
        int low = hex_value((unsigned char)text[i + 3]);
        if (high < 0 || low < 0)
            return false;
        text[out] = (char)(high << 4 | low);
        i += 3;
    }
    *len = out;
    return true;
}

void record_write_error(struct buffer *out, const struct gdbmi_error *error, const char *address)
{
    size_t len = strlen(address);
    size_t word = 0;

    while (word < ERRORS - 1 &&
           (errors[word].code != error->code ||
            (errors[word].hint != GDBMI_HINT_NONE && errors[word].hint != error->hint)))
        word++;
    buffer_add(out, errors[word].word, strlen(errors[word].word));
    if (strncmp(error->text, address, len) != 0 || strncmp(error->text + len, ": ", 2) != 0)
        return;
    buffer_add(out, " ", 1);
    record_escape(out, error->text + len + 2, strlen(error->text + len + 2));
}

enum gdbmi_code record_read_error(const char *text, const char *address, struct gdbmi_error *error)
{
    size_t len = strcspn(text, " ");
    size_t at = 0;

    while (at < ERRORS - 1 &&
           (strlen(errors[at].word) != len || strncmp(errors[at].word, text, len) != 0))
        at++;
    gdbmi_error_set_hint(error, errors[at].code, errors[at].hint, "%.100s: %.200s", address,
                         text[len] != '\0' ? text + len + 1 : "the connection was lost");
    for (char *c = error->text; *c != '\0'; c++) /* whoever made the record */
        *c = *c >= ' ' && *c <= '~' ? *c : '?';
    return error->code;
}
