/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every file that is read as a snapshot must hold to. */
#ifndef FUZZ_SNAPSHOT_H
#define FUZZ_SNAPSHOT_H

#include <snapshot/snapshot.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* What was read is written, read and written to the same bytes again. */
static inline void fuzz_again(const struct snapshot *s)
{
    struct snapshot *again = NULL;
    size_t len, len_again;
    char text[300];
    uint8_t *bytes = snapshot_bytes(s, &len);

    if (!bytes || snapshot_read(bytes, len, "again", &again, text, sizeof(text)) != SNAPSHOT_OK)
        abort();
    uint8_t *bytes_again = snapshot_bytes(again, &len_again);
    if (!bytes_again || len != len_again || memcmp(bytes, bytes_again, len) != 0)
        abort();
    free(bytes);
    free(bytes_again);
    snapshot_free(again);
}

/* Each address that it has is looked up. */
static inline void fuzz_profile(const struct snapshot *s)
{
    const struct symbol_naming names = snapshot_naming(s);
    struct symtab_line line;
    struct profile p;
    char text[300];

    for (uint32_t type = 0; type < s->type_count; type++) {
        if (snapshot_profile(s, type, &p, text, sizeof(text)) != SNAPSHOT_OK)
            continue;
        for (size_t i = 0; i < p.row_count; i++) {
            const struct symtab_function *f = names.find(names.context, p.rows[i].addr);
            (void)names.find_caller(names.context, p.rows[i].caller);
            (void)names.find_line(names.context, p.rows[i].addr, &line);
            if (f)
                (void)names.find_start(names.context, f, &line);
        }
        profile_free(&p);
    }
}

static inline void fuzz_merge(const struct snapshot *s)
{
    const struct snapshot *const pair[] = {s, s};
    static const char *const names[] = {"a", "b"};
    struct snapshot *sum;
    char text[300];

    if (snapshot_merge(pair, names, 2, &sum, text, sizeof(text)) == SNAPSHOT_OK)
        snapshot_free(sum);
}

static inline int fuzz_one(const uint8_t *bytes, size_t len)
{
    struct snapshot *s;
    char text[300] = "";

    if (snapshot_read(bytes, len, "fuzz", &s, text, sizeof(text)) != SNAPSHOT_OK) {
        if (strncmp(text, "fuzz: ", 6) != 0)
            abort();
        return 0;
    }
    fuzz_again(s);
    fuzz_profile(s);
    fuzz_merge(s);
    snapshot_free(s);
    return 0;
}

#endif
