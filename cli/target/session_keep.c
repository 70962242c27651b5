/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links and ELF files that outlive the command that opened them. */
#define _POSIX_C_SOURCE 200809L

#include "session_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/say.h>
#include <target/link_words.h>

/* As there is one terminal, there is one of whom commands take over. */
static struct session *current;

struct session *session_keep(struct session *session)
{
    struct session *before = current;

    current = session;
    return before;
}

struct session *session_keeper(void)
{
    return current;
}

/* All that makes one link another than the next; NULL: no memory. */
static char *key_of(const struct gdbmi_options *o)
{
    const char *texts[] = {o->tcl, o->target, o->serve, o->record};
    char text[GDBMI_WAY_TEXT];
    char *key = NULL;
    size_t len;
    FILE *out = open_memstream(&key, &len);

    if (!out)
        return NULL;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        fprintf(out, "%s%s\n", texts[i] ? "=" : "", texts[i] ? texts[i] : "");
    for (const struct gdbmi_way *way = gdbmi_ways; way->name; way++) {
        const char *named = way->named(o, text);
        if (named)
            fprintf(out, "%s %s\n", way->name, named);
    }
    fprintf(out, "%d", o->allow_halt);
    if (fclose(out) == 0)
        return key;
    free(key);
    return NULL;
}

/* All that makes one ELF's symbols others than the next one's, but its path; NULL: no memory. */
static char *elf_key_of(const struct options *o)
{
    const struct elf_map *m = &o->map;
    char *key = NULL;
    size_t len;
    FILE *out = open_memstream(&key, &len);

    if (!out)
        return NULL;
    fprintf(out, "%s\n", o->symbol);
    for (size_t i = 0; i < m->more_count; i++)
        fprintf(out, "elf %s\n", m->more[i]);
    for (size_t i = 0; i < m->alias_count; i++)
        fprintf(out, "alias %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", m->aliases[i].from,
                m->aliases[i].to, m->aliases[i].size);
    for (size_t i = 0; i < m->region_count; i++)
        fprintf(out, "region %s %" PRIx64 " %" PRIx64 "\n", m->regions[i].name, m->regions[i].start,
                m->regions[i].size);
    if (fclose(out) == 0)
        return key;
    free(key);
    return NULL;
}

void session_note_keys(struct session *s)
{
    free(s->link_key);
    s->link_key = key_of(&s->options->link);
    if (s->borrows_elf || s->elf_path || !s->elf.symtab)
        return;
    s->elf_path = strdup(s->elf.path);
    s->elf_key = elf_key_of(s->options);
    if (s->elf_path)
        s->elf.path = s->elf_path;
}

bool session_link_works(struct session *s)
{
    const struct gdbmi_info *info = gdbmi_link_info(s->link);
    enum gdbmi_state state;
    uint8_t byte;

    /* Of some servers the state is what was heard last: only a read asks them. */
    if (gdbmi_link_state(s->link, &state) == GDBMI_OK && (info->live || info->simulator) &&
        s->elf.symtab)
        (void)!gdbmi_link_read(s->link, s->elf.table_addr, &byte, sizeof(byte));
    /* What was wrong with a request does not last; what a command holds it lets go, but not what a
     * person does. */
    return s->found_held ? gdbmi_link_state(s->link, &state) == GDBMI_OK
                         : gdbmi_link_release(s->link) == GDBMI_OK;
}

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static bool wants_link(const struct session *s, const struct session *k)
{
    char *key = key_of(&s->options->link);
    bool same = same_text(key, k->link_key);

    free(key);
    return same;
}

static bool wants_elf(const struct session *s, const struct session *k)
{
    char *key = elf_key_of(s->options);
    bool same =
        k->elf.symtab && same_text(s->options->elf, k->elf_path) && same_text(key, k->elf_key);

    free(key);
    return same;
}

/* What a link leaves behind when it is handed over, or was lost. */
static void move_link(struct session *from, struct session *to)
{
    to->link = from->link;
    to->past = from->past;
    to->server = from->server;
    to->said = from->said;
    memcpy(to->lost, from->lost, sizeof(to->lost));
    from->link = NULL;
    from->past = (struct gdbmi_stats){0};
}

static void move_elf(struct session *from, struct session *to)
{
    to->elf = from->elf;
    to->elf_path = from->elf_path;
    to->elf_key = from->elf_key;
    from->elf.symtab = NULL;
    from->elf_path = from->elf_key = NULL;
}

static void drop_link(struct session *k)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    char text[LINK_WORDS];

    if (k->link && gdbmi_link_close(k->link, &error) != GDBMI_OK)
        complain("%s", link_words(&error, text));
    k->link = NULL;
    k->past = (struct gdbmi_stats){0};
}

static void drop_elf(struct session *k)
{
    elf_file_free(&k->elf);
    free(k->elf_path);
    free(k->elf_key);
    k->elf_path = k->elf_key = NULL;
}

/* A server may take one client only, so that what is to be replaced is closed first. */
static void take_idle(struct session *s, struct session *k)
{
    bool located = k->elf.symtab && symtab_elf(k->elf.symtab)->bias != 0;

    s->keeper = k;
    if (wants_link(s, k))
        move_link(k, s);
    else
        drop_link(k);
    s->said = false;
    if (wants_elf(s, k) && elf_file_is_loaded(&k->elf) && (s->link || !located))
        move_elf(k, s);
    else
        drop_elf(k);
}

static void take_used(struct session *s, struct session *k)
{
    if (k->link && wants_link(s, k)) {
        s->keeper = k;
        move_link(k, s);
        s->found_held = gdbmi_link_stats(s->link).held;
        s->said = false;
    }
    if (wants_elf(s, k) && s->keeper) {
        s->elf = k->elf;
        s->borrows_elf = true;
    }
}

void session_take(struct session *session)
{
    if (!current || target_is_dump(session->options))
        return;
    if (current->idle)
        take_idle(session, current);
    else
        take_used(session, current);
}

void session_give_back(struct session *session)
{
    struct session *k = session->keeper;

    session->keeper = NULL;
    session->sampler = NULL; /* which was freed */
    if (!k)
        return;
    if (session->link && !session_link_works(session))
        session_lose(session);
    move_link(session, k);
    if (k->sampler)
        sampler_table_relink(k->sampler, k->link);
    if (!k->idle)
        return;
    free(k->link_key);
    k->link_key = session->link_key;
    session->link_key = NULL;
    if (session->elf.symtab)
        move_elf(session, k);
}
