/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which ELF is the target's, and whose names may be shown. */
#include "session_parts.h"

#include <stdio.h>

#include <base/say.h>
#include <load/elf_apply.h>

static enum identity check(struct session *s, const struct elf_file *elf, bool known,
                           char text[SESSION_TEXT])
{
    if (s->options->program != 0 && !s->options->elf_given)
        return IDENTITY_SAME;
    if (target_is_dump(s->options)) {
        snprintf(text, SESSION_TEXT, "%s hold%s no code to compare",
                 s->options->link.records ? "records" : "a dump",
                 s->options->link.records ? "" : "s");
        return IDENTITY_NOTHING;
    }
    return identity_check(s->link, elf->symtab, known ? 1 : IDENTITY_LOOKS, text, SESSION_TEXT);
}

static void take_match(struct session *s, enum identity match, const char *text)
{
    s->match = match;
    snprintf(s->difference, sizeof(s->difference), "%.*s", (int)sizeof(s->difference) - 1, text);
}

static bool is_used(const struct session *s, size_t part)
{
    return s->part_uses_changed ? s->part_uses[part] : symtab_part_is_used(s->elf.symtab, part);
}

/* Names may be looked up in it meanwhile, unless that ELF file is not shown yet. */
static void use_part(struct session *s, size_t part, bool use)
{
    size_t count = symtab_part_count(s->elf.symtab);

    if (!s->shared || s->old_elf.symtab) {
        symtab_use_part(s->elf.symtab, part, use);
        return;
    }
    for (size_t i = 0; !s->part_uses_changed && i < count; i++)
        s->part_uses[i] = symtab_part_is_used(s->elf.symtab, i);
    s->part_uses_changed = true;
    s->part_uses[part] = use;
}

/* Of a further ELF that is not in the target, nobody wants names. false: the link failed. */
static bool compare_parts(struct session *s)
{
    struct symtab *symtab = s->elf.symtab;
    char text[SESSION_TEXT];

    for (size_t i = 1; !target_is_dump(s->options) && i < symtab_part_count(symtab); i++) {
        const struct symtab *part = symtab_part(symtab, i);
        bool before = is_used(s, i);
        enum identity match =
            identity_check(s->link, part, before ? IDENTITY_LOOKS : 1, text, sizeof(text));
        bool differs = match == IDENTITY_DIFFERS || match == IDENTITY_MACHINE;
        if (match == IDENTITY_LINK)
            return false;
        use_part(s, i, !differs || s->options->force);
        if (differs && before && !s->forced)
            complain("%s is not in the target: %s; %s", symtab_elf(part)->path, text,
                     s->options->force ? "its names are shown, as given by --force"
                                       : "its names are not shown");
        else if (!differs && !before)
            complain("%s is now in the target", symtab_elf(part)->path);
    }
    s->forced = s->options->force;
    return true;
}

int session_compare_first(struct session *s, bool any)
{
    char text[SESSION_TEXT];
    enum identity match = check(s, &s->elf, false, text);

    if (match == IDENTITY_LINK || !compare_parts(s))
        return session_link_failed(s);
    take_match(s, match, text);
    /* The kernel reads all that a process has. */
    if (match == IDENTITY_UNREADABLE && s->server.entry != 0) {
        complain("%s is not the program of this process: its code is not there; give the program "
                 "with --elf",
                 s->elf.path);
        return STATUS_FAILED;
    }
    if (match == IDENTITY_MACHINE) {
        complain("%s is for another processor: %s; give the target's ELF file with --elf",
                 s->elf.path, text);
        return STATUS_FAILED;
    }
    if (match == IDENTITY_DIFFERS && !any && !s->options->force) {
        complain("%s is not the firmware in the target: %s; flash this build, or give the running "
                 "build with --elf",
                 s->elf.path, text);
        return STATUS_FAILED;
    }
    return STATUS_DONE;
}

/* Another file than the loaded one, if there is a reason to look at it. */
static bool take_other(struct session *s, double now_s, struct elf_file *other)
{
    char text[SESSION_TEXT];

    if (s->borrows_elf) /* whose it is will see to it */
        return false;
    bool changed = elf_file_changed(&s->elf, now_s);
    if (!changed && !(s->elf.trouble[0] && s->match != IDENTITY_SAME))
        return false;
    if (elf_file_load(other, s->elf.path, s->options->symbol, text, sizeof(text))) {
        if (elf_apply(&s->options->map, other->symtab, text, sizeof(text)) &&
            elf_file_locate(other, s->options->symbol, s->server.entry, text, sizeof(text)))
            return true;
        elf_file_free(other);
    }
    elf_file_refuse(&s->elf, text);
    return false;
}

/* One that was never shown is not kept. */
static void replace_elf(struct session *s, const struct elf_file *other)
{
    if (s->shared && !s->old_elf.symtab) {
        s->old_elf = s->elf;
        s->old_contexts = s->contexts;
        s->contexts = NULL;
    } else {
        elf_file_free(&s->elf);
    }
    s->part_uses_changed = false;
    s->elf = *other;
    (void)session_make_contexts(s); /* without them rows are not marked */
}

void session_settle(struct session *session)
{
    struct symtab *symtab = session->elf.symtab;

    for (size_t i = 0; session->part_uses_changed && i < symtab_part_count(symtab); i++)
        symtab_use_part(symtab, i, session->part_uses[i]);
    session->part_uses_changed = false;
    view_contexts_free(session->old_contexts);
    session->old_contexts = NULL;
    elf_file_free(&session->old_elf);
}

bool session_locate(struct session *s, char text[SESSION_TEXT])
{
    const struct options *o = s->options;
    struct elf_file other;

    if (!s->shared || s->server.entry == 0)
        return elf_file_locate(&s->elf, o->symbol, s->server.entry, text, SESSION_TEXT);
    if (!elf_file_load(&other, s->elf.path, o->symbol, text, SESSION_TEXT))
        return false;
    if (elf_apply(&o->map, other.symtab, text, SESSION_TEXT) &&
        elf_file_locate(&other, o->symbol, s->server.entry, text, SESSION_TEXT)) {
        replace_elf(s, &other);
        return true;
    }
    elf_file_free(&other);
    return false;
}

static enum session_news adopt(struct session *s, struct elf_file *other)
{
    bool same = elf_file_same_firmware(&s->elf, other);
    char text[SESSION_TEXT];

    replace_elf(s, other);
    bool holds = s->elf.kind == SYMTAB_TABLE_HEADERLESS || s->elf.kind == SYMTAB_TABLE_RING;
    if (holds) /* on to the symbols */
        (void)session_make_sampler(s, text);
    else if (same && s->sampler)
        sampler_table_use_names(s->sampler, s->elf.symtab);
    if (same)
        return SESSION_NEW_NAMES;
    if (!holds)
        (void)session_make_sampler(s, text);
    return SESSION_NEW_TABLE;
}

/* The target decides between two builds; where it holds neither, the one on the disk is meant. */
static enum session_news choose(struct session *s, struct elf_file *other)
{
    char of_other[SESSION_TEXT], of_ours[SESSION_TEXT];
    enum identity others = check(s, other, false, of_other);
    enum identity ours = IDENTITY_LINK;

    if (others != IDENTITY_SAME && others != IDENTITY_LINK)
        ours = check(s, &s->elf, s->match == IDENTITY_DIFFERS, of_ours);
    if (others == IDENTITY_SAME || (ours != IDENTITY_LINK && ours != IDENTITY_SAME)) {
        take_match(s, others, of_other);
        return adopt(s, other);
    }
    elf_file_free(other);
    if (ours == IDENTITY_LINK)
        return SESSION_LINK;
    take_match(s, ours, of_ours);
    snprintf(of_other, sizeof(of_other), "%s has changed on disk and is not the running build",
             s->elf.path);
    elf_file_refuse(&s->elf, of_other);
    return SESSION_AS_BEFORE;
}

static enum session_news compare_main(struct session *session, double now_s)
{
    enum session_news news = SESSION_AS_BEFORE;
    struct elf_file other;
    char text[SESSION_TEXT];

    if (take_other(session, now_s, &other)) {
        if (!elf_file_same_firmware(&session->elf, &other))
            return choose(session, &other);
        news = adopt(session, &other);
    }
    enum identity match = check(session, &session->elf, session->match == IDENTITY_DIFFERS, text);
    if (match == IDENTITY_LINK)
        return news == SESSION_AS_BEFORE ? SESSION_LINK : news;
    take_match(session, match, text);
    return news;
}

enum session_news session_compare(struct session *session, double now_s)
{
    enum session_news news = compare_main(session, now_s);

    if (news == SESSION_LINK)
        return news;
    /* What was loaded is told in any case: it is not loaded a second time. */
    return compare_parts(session) || news != SESSION_AS_BEFORE ? news : SESSION_LINK;
}

bool session_glance(struct session *session, bool *suspicious)
{
    *suspicious = false;
    if (target_is_dump(session->options))
        return true;
    enum identity seen = identity_glance(session->link, session->elf.symtab, session->turn++);
    bool says = seen == IDENTITY_SAME || seen == IDENTITY_DIFFERS;

    *suspicious = says && seen != session->match;
    return seen != IDENTITY_LINK;
}

bool session_has_names(const struct session *session)
{
    return session->options->force || session->match == IDENTITY_SAME ||
           session->match == IDENTITY_UNREADABLE || session->match == IDENTITY_NOTHING;
}

bool session_differs(const struct session *session)
{
    return session->match == IDENTITY_DIFFERS || session->match == IDENTITY_MACHINE;
}

const char *session_identity(const struct session *session)
{
    switch (session->match) {
    case IDENTITY_SAME:
        return session->server.entry != 0 ? "= program" : "= flash";
    case IDENTITY_DIFFERS:
    case IDENTITY_MACHINE:
        return session->options->force ? "differs, forced" : "differs";
    case IDENTITY_UNREADABLE:
    case IDENTITY_NOTHING:
    case IDENTITY_LINK:
        break;
    }
    return "not compared";
}

void session_mark(const struct session *session, struct view_rows *rows)
{
    const struct view_contexts *c =
        session_has_names(session) ? session->contexts : session->unnamed;

    if (c)
        view_contexts_mark(c, rows);
}
