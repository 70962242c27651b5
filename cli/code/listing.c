/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing list of instructions, and the jumps among them. */
#define _POSIX_C_SOURCE 200809L

#include <code/listing.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

bool listing_add(struct listing *listing, const struct listing_item *item)
{
    const struct listing_item *last = listing->count ? &listing->items[listing->count - 1] : NULL;

    if (item->size == 0 || item->size > LISTING_BYTES_MAX || (last && item->addr < last->addr) ||
        (last && item->addr - last->addr < last->size))
        return false;
    if (!VEC_ROOM(listing->items, listing->capacity, listing->count, 1))
        return false;
    struct listing_item copy = *item;
    size_t len = strlen(item->text);
    if (len > LISTING_TEXT_SHORT && listing->text_len + len > LISTING_TEXTS_MAX)
        len = LISTING_TEXT_SHORT;
    copy.text = strndup(item->text, len);
    if (!copy.text)
        return false;
    listing->text_len += len;
    listing->items[listing->count++] = copy;
    return true;
}

void listing_free(struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        free(listing->items[i].text);
    free(listing->items);
    *listing = (struct listing){.items = NULL};
}

/* What comes back behind itself, of Arm, RISC-V, x86 and others. */
static const char *const calls[] = {
    "bl",    "blx",   "blr",   "jal",   "jalr",  "c.jal", "c.jalr", "call", "callq",
    "callw", "calll", "lcall", "call0", "call4", "call8", "call12", "bal",  "jsr",
    "bsr",   "bleq",  "blne",  "blcs",  "blcc",  "blmi",  "blpl",   "blvs", "blvc",
    "blhi",  "blls",  "blge",  "bllt",  "blgt",  "blle",
};

/* A width may follow behind a dot. */
static bool is_call(const char *text)
{
    size_t len = strcspn(text, strncmp(text, "c.", 2) == 0 ? " " : " .");

    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (strlen(calls[i]) == len && strncmp(text, calls[i], len) == 0)
            return true;
    }
    return false;
}

/* A number that is an operand: the first one or behind a comma, and not in a comment. */
static bool is_operand(const char *text, const char *at)
{
    const char *before = at;

    while (before > text && before[-1] == ' ')
        before--;
    return before > text && !strchr("@;#(/", before[-1]) && (before < at || before[-1] == ',');
}

bool listing_target(const char *text, uint64_t *target)
{
    const char *comment = strstr(text, " // "); /* AArch64's */
    size_t len = comment ? (size_t)(comment - text) : strlen(text);
    uint64_t number;
    int used = 0;

    if (len == 0 || text[len - 1] != '>')
        return false;
    for (const char *at = strstr(text, "0x"); at && at < text + len; at = strstr(at + 2, "0x")) {
        if (!is_operand(text, at))
            continue;
        if (sscanf(at, "0x%16" SCNx64 " <%n", &number, &used) == 1 && used > 0) {
            *target = number;
            return true;
        }
    }
    return false;
}

bool listing_jump(const char *text, uint64_t *target)
{
    return !is_call(text) && listing_target(text, target);
}
