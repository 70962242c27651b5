/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening, losing and closing a session, and which ELF is the target's. */
#define _GNU_SOURCE /* strcasestr */

#include <target/session.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <base/say.h>
#include <base/signals.h>
#include <load/elf_apply.h>

#define TEXT_MAX 480

static int load_elf(struct session *s, const struct options *o)
{
    char text[TEXT_MAX];

    if (s->elf.symtab)
        return STATUS_DONE;
    if (elf_file_load(&s->elf, o->elf, o->symbol, text, sizeof(text)) &&
        elf_apply(&o->map, s->elf.symtab, text, sizeof(text))) {
        elf_apply_say(s->elf.symtab);
        return STATUS_DONE;
    }
    if (signals_pending() != 0)
        signals_die(signals_pending());
    else
        complain("%s", text);
    return STATUS_FAILED;
}

static void keep(char *copy, size_t capacity, const char *text)
{
    snprintf(copy, capacity, "%.*s", (int)capacity - 1, text);
}

static void know_server(struct session *s)
{
    const struct gdbmi_info *info = gdbmi_link_info(s->link);
    struct session_server *server = &s->server;

    keep(server->kind, sizeof(server->kind), info->kind);
    keep(server->name, sizeof(server->name), info->server);
    keep(server->address, sizeof(server->address), info->address);
    keep(server->target, sizeof(server->target), info->target);
    keep(server->arch, sizeof(server->arch), info->arch);
    link_why(info, server->why);
    server->live = info->live;
    server->simulator = info->simulator;
    server->entry = info->entry;
}

static void tell(void *context, enum gdbmi_hint hint, const char *line)
{
    (void)context;
    complain("%s%s", line, link_hint(hint));
}

static void complain_of_link(const struct gdbmi_error *error)
{
    char text[LINK_WORDS];

    complain("%s", link_words(error, text));
}

static bool is_cancelled(void *context)
{
    (void)context;
    return signals_pending() != 0;
}

static struct gdbmi_options link_options(const struct session *s)
{
    struct gdbmi_options link = s->options->link;

    link.raw_addr = s->elf.table_addr;
    link.tell = tell;
    link.cancelled = is_cancelled;
    return link;
}

/* What is longer or shorter than the table is a dump of something else, or of another build. */
static int check_dump(const struct session *s, const struct options *o)
{
    struct stat about;

    if (!o->link.raw || s->elf.table_size == 0 || stat(o->link.raw, &about) != 0 ||
        !S_ISREG(about.st_mode) || about.st_size == 0 ||
        (uint64_t)about.st_size == s->elf.table_size)
        return STATUS_DONE;
    complain("%s has %jd bytes, and %s in %s has %" PRIu64
             ": dump the whole of it, from a target that runs this build",
             o->link.raw, (intmax_t)about.st_size, o->symbol, o->elf, s->elf.table_size);
    return STATUS_FAILED;
}

/* A process has its program where the loader put it. */
static int locate(struct session *s)
{
    char text[TEXT_MAX];

    if (elf_file_locate(&s->elf, s->options->symbol, s->server.entry, text, sizeof(text)))
        return STATUS_DONE;
    complain("%s", text);
    return STATUS_FAILED;
}

static int open_link(struct session *s, const struct options *o)
{
    struct gdbmi_options link = link_options(s);
    struct gdbmi_error error = {.code = GDBMI_OK};

    if (gdbmi_link_open(&link, &s->link, &error) != GDBMI_OK) {
        complain_of_link(&error);
        if (signals_pending() != 0)
            signals_die(signals_pending());
        return error.code == GDBMI_EARG ? STATUS_USAGE : STATUS_FAILED;
    }
    know_server(s);
    if (o->verbose)
        complain("%s", s->server.why);
    return STATUS_DONE;
}

int session_link_failed(struct session *session)
{
    if (!session->said)
        complain_of_link(gdbmi_link_error(session->link));
    session->said = true;
    return STATUS_FAILED;
}

static enum identity check(struct session *s, const struct elf_file *elf, bool known,
                           char text[TEXT_MAX])
{
    if (s->options->link.raw) {
        keep(text, TEXT_MAX, "a dump holds no code to compare");
        return IDENTITY_NOTHING;
    }
    return identity_check(s->link, elf->symtab, known ? 1 : IDENTITY_LOOKS, text, TEXT_MAX);
}

static void take_match(struct session *s, enum identity match, const char *text)
{
    s->match = match;
    keep(s->difference, sizeof(s->difference), text);
}

/* Of a further ELF that is not in the target, nobody wants names. false: the link failed. */
static bool compare_parts(struct session *s)
{
    struct symtab *symtab = s->elf.symtab;
    char text[TEXT_MAX];

    for (size_t i = 1; !s->options->link.raw && i < symtab_part_count(symtab); i++) {
        const struct symtab *part = symtab_part(symtab, i);
        bool before = symtab_part_is_used(symtab, i);
        enum identity match =
            identity_check(s->link, part, before ? IDENTITY_LOOKS : 1, text, sizeof(text));
        bool differs = match == IDENTITY_DIFFERS || match == IDENTITY_MACHINE;
        if (match == IDENTITY_LINK)
            return false;
        symtab_use_part(symtab, i, !differs || s->options->force);
        if (differs && before && !s->forced)
            complain("%s is not in the target: %s; %s", symtab_elf(part)->path, text,
                     s->options->force ? "its names are shown by --force"
                                       : "none of its names are shown");
        else if (!differs && !before)
            complain("%s is in the target now", symtab_elf(part)->path);
    }
    s->forced = s->options->force;
    return true;
}

static int compare_first(struct session *s, bool any)
{
    char text[TEXT_MAX];
    enum identity match = check(s, &s->elf, false, text);

    if (match == IDENTITY_LINK || !compare_parts(s))
        return session_link_failed(s);
    take_match(s, match, text);
    /* The kernel reads all that a process has. */
    if (match == IDENTITY_UNREADABLE && s->server.entry != 0) {
        complain("%s is not the program of this process: its code is not where it would be",
                 s->elf.path);
        return STATUS_FAILED;
    }
    if (match == IDENTITY_MACHINE) {
        complain("%s cannot run on this target: %s", s->elf.path, text);
        return STATUS_FAILED;
    }
    if (match == IDENTITY_DIFFERS && !any && !s->options->force) {
        complain("%s is not the firmware in the target: %s; flash this build, or name the ELF file "
                 "of the one that runs",
                 s->elf.path, text);
        return STATUS_FAILED;
    }
    return STATUS_DONE;
}

/* What a table without a header counts, its name must tell. */
static enum decode_unit unit_of(const char *symbol)
{
    return strcasestr(symbol, "call") ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES;
}

static bool make_sampler(struct session *s)
{
    const struct elf_file *elf = &s->elf;

    sampler_table_free(s->sampler);
    if (elf->kind == SYMTAB_TABLE_HEADERLESS)
        s->sampler = sampler_table_new_headerless(s->link, elf->symtab, &elf->table,
                                                  unit_of(s->options->symbol), s->options->grain);
    else
        s->sampler = sampler_table_new(s->link, elf->table_addr, elf->table_size,
                                       symtab_elf(elf->symtab)->addr_size, s->options->sampler);
    if (s->sampler && strcmp(symtab_elf(elf->symtab)->arch, "arm") == 0)
        sampler_table_has_exceptions(s->sampler);
    return s->sampler != NULL;
}

/* They are those of the ELF that is there now. false: said why not. */
static bool make_contexts(struct session *s)
{
    const char *context = s->options->context;

    view_contexts_free(s->contexts);
    s->contexts = view_contexts_new(s->elf.symtab);
    if (!s->unnamed)
        s->unnamed = view_contexts_new(NULL);
    if (!s->contexts || !s->unnamed) {
        complain("out of memory");
        return false;
    }
    view_contexts_set_idle(s->contexts, &s->options->idle);
    s->ignore = s->options->ignore;
    if (!context)
        return true;
    const struct vectors *vectors = view_contexts_vectors(s->contexts);
    s->ignore.some_contexts = true;
    if (vectors && vectors_choose(vectors, context, s->ignore.contexts))
        return true;
    complain("--context %s: no exception of %s is called so", context, s->elf.path);
    return false;
}

/* Unless a link was taken over; whose server may be lost meanwhile. */
static int connect_link(struct session *s)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    if (s->link && !session_link_works(s))
        session_lose(s);
    else if (s->link)
        return STATUS_DONE;
    else if (!s->past.held)
        return open_link(s, s->options);
    if (session_reconnect(s, &error))
        return STATUS_DONE;
    complain_of_link(&error);
    s->said = true;
    return STATUS_FAILED;
}

static int connect_and_compare(struct session *s, bool any)
{
    int status = connect_link(s);

    session_note_keys(s);
    if (status == STATUS_DONE)
        status = locate(s);
    if (status == STATUS_DONE && !make_contexts(s))
        status = STATUS_FAILED;
    if (status == STATUS_DONE)
        status = compare_first(s, any);
    return status;
}

static int open_session(struct session *session, const struct options *options, bool any)
{
    *session = (struct session){.options = options};
    session_take(session);
    int status = load_elf(session, options);
    if (status == STATUS_DONE)
        status = check_dump(session, options);
    if (status == STATUS_DONE)
        status = connect_and_compare(session, any);
    if (status == STATUS_DONE && !make_sampler(session)) {
        complain("out of memory");
        status = STATUS_FAILED;
    }
    if (status != STATUS_DONE)
        (void)session_close(session);
    return status;
}

int session_open(struct session *session, const struct options *options)
{
    return open_session(session, options, false);
}

int session_open_any(struct session *session, const struct options *options)
{
    return open_session(session, options, true);
}

int session_close(struct session *session)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    int status = STATUS_DONE;

    sampler_table_free(session->sampler);
    session_give_back(session);
    if (session->link && gdbmi_link_close(session->link, &error) != GDBMI_OK) {
        if (!session->said)
            complain_of_link(&error);
        status = STATUS_FAILED;
    }
    if (!session->link && session->past.held) {
        if (!session->said)
            complain("%s", session->lost);
        status = STATUS_FAILED;
    }
    view_contexts_free(session->contexts);
    view_contexts_free(session->unnamed);
    if (!session->borrows_elf) {
        if (!signals_pending())
            elf_say_trouble(session->elf.symtab);
        elf_file_free(&session->elf);
    }
    free(session->link_key);
    free(session->elf_path);
    free(session->elf_key);
    *session = (struct session){.options = NULL};
    return status;
}

bool session_may_return(const struct session *session)
{
    const struct gdbmi_way *way = gdbmi_way_of(&session->options->link);

    return way && way->is_server;
}

struct gdbmi_stats session_stats(const struct session *session)
{
    struct gdbmi_stats sum = session->past;

    if (session->link) {
        struct gdbmi_stats now = gdbmi_link_stats(session->link);
        sum.halts += now.halts;
        sum.halted_ns += now.halted_ns;
        sum.age_ns += now.age_ns;
        sum.held |= now.held;
    }
    return sum;
}

void session_lose(struct session *session)
{
    link_words(gdbmi_link_error(session->link), session->lost);
    session->past = session_stats(session);
    (void)gdbmi_link_close(session->link, NULL);
    session->link = NULL;
}

/* What somebody else halted meanwhile cannot be told from what we left halted. */
static bool let_go(struct session *s, struct gdbmi_error *error)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    enum gdbmi_code code = gdbmi_link_state(s->link, &state);
    if (code == GDBMI_OK && state == GDBMI_STATE_HALTED)
        code = gdbmi_link_resume(s->link);
    s->past.held = code != GDBMI_OK;
    if (code != GDBMI_OK)
        *error = *gdbmi_link_error(s->link);
    return code == GDBMI_OK;
}

bool session_reconnect(struct session *session, struct gdbmi_error *error)
{
    struct gdbmi_options link = link_options(session);

    link.held = session->past.held;
    /* An OpenOCD that is not quite there yet must not be reached by its gdb port, which halts. */
    if (strcmp(session->server.kind, "openocd-tcl") == 0)
        link.tcl = session->server.address;
    if (gdbmi_link_open(&link, &session->link, error) != GDBMI_OK) {
        session->link = NULL;
        return false;
    }
    bool done = !session->past.held || let_go(session, error);
    if (done && session->sampler)
        sampler_table_relink(session->sampler, session->link);
    else if (done && !make_sampler(session)) {
        gdbmi_error_set(error, GDBMI_ENOMEM, "out of memory");
        done = false;
    }
    if (done) {
        know_server(session);
    } else {
        (void)gdbmi_link_close(session->link, NULL);
        session->link = NULL;
    }
    return done;
}

/* Another file than the loaded one, if there is a reason to look at it. */
static bool take_other(struct session *s, double now_s, struct elf_file *other)
{
    char text[TEXT_MAX];

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

static enum session_news adopt(struct session *s, struct elf_file *other)
{
    bool same = elf_file_same_firmware(&s->elf, other);

    elf_file_free(&s->elf);
    s->elf = *other;
    (void)make_contexts(s);                     /* without them rows are not marked */
    if (s->elf.kind == SYMTAB_TABLE_HEADERLESS) /* it holds on to the symbols */
        (void)make_sampler(s);
    if (same)
        return SESSION_NEW_NAMES;
    if (s->elf.kind != SYMTAB_TABLE_HEADERLESS)
        (void)make_sampler(s);
    return SESSION_NEW_TABLE;
}

/* The target decides between two builds; where it holds neither, the one on the disk is meant. */
static enum session_news choose(struct session *s, struct elf_file *other)
{
    char of_other[TEXT_MAX], of_ours[TEXT_MAX];
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
    snprintf(of_other, sizeof(of_other), "%s has changed on the disk and is not what runs",
             s->elf.path);
    elf_file_refuse(&s->elf, of_other);
    return SESSION_AS_BEFORE;
}

static enum session_news compare_main(struct session *session, double now_s)
{
    enum session_news news = SESSION_AS_BEFORE;
    struct elf_file other;
    char text[TEXT_MAX];

    if (take_other(session, now_s, &other)) {
        if (!elf_file_same_firmware(&session->elf, &other))
            return choose(session, &other);
        news = adopt(session, &other);
    }
    enum identity match = check(session, &session->elf, session->match == IDENTITY_DIFFERS, text);
    if (match == IDENTITY_LINK)
        return SESSION_LINK;
    take_match(session, match, text);
    return news;
}

enum session_news session_compare(struct session *session, double now_s)
{
    enum session_news news = compare_main(session, now_s);

    return news != SESSION_LINK && !compare_parts(session) ? SESSION_LINK : news;
}

bool session_glance(struct session *session, bool *suspicious)
{
    *suspicious = false;
    if (session->options->link.raw)
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

const char *session_arch(const struct session *session)
{
    const struct symtab_elf *elf = symtab_elf(session->elf.symtab);
    const char *arch = session->server.arch[0] ? session->server.arch : elf->arch;

    return strcmp(arch, "i386") == 0 && elf->addr_size == 8 ? "i386:x86-64" : arch;
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
