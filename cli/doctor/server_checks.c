/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug server, and who else uses it. */
#include "checks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>
#include <target/link_words.h>

#include "neighbours.h"
#include "words.h"

/* An OpenOCD that is left alone answers in less. */
#define SLOW_ANSWER_S 0.1
#define ANSWERS       5

static void tell(void *context, enum gdbmi_hint hint, const char *line)
{
    (void)context;
    complain("%s%s", line, link_hint(hint));
}

static bool is_cancelled(void *context)
{
    (void)context;
    return signals_pending() != 0 || signals_stop();
}

char *openocd_says(struct doctor *doctor, const char *command)
{
    char *answer = NULL;

    if (!doctor->info || !doctor->info->openocd_tcl ||
        gdbmi_link_command(doctor->link, command, &answer) != GDBMI_OK)
        answer = NULL;
    if (answer)
        answer[strcspn(answer, "\r\n")] = '\0';
    return answer ? answer : calloc(1, 1);
}

unsigned address_port(const char *address, char *host, size_t capacity)
{
    const char *colon = strrchr(address, ':');
    char *end;
    unsigned long port = colon ? strtoul(colon + 1, &end, 10) : 0;

    if (!colon || end == colon + 1 || *end != '\0' || port > 65535) {
        snprintf(host, capacity, "%s", address);
        return 0;
    }
    snprintf(host, capacity, "%.*s", (int)(colon - address), address);
    return (unsigned)port;
}

static bool is_this_machine(const char *host)
{
    return host[0] == '\0' || strcmp(host, "localhost") == 0 || strncmp(host, "127.", 4) == 0 ||
           strcmp(host, "[::1]") == 0 || strcmp(host, "::1") == 0;
}

/* The clients of the server at address; -1: not known. */
static int clients_at(const struct doctor *d, const struct neighbours *neighbours,
                      const char *address, char text[NEIGHBOURS_TEXT])
{
    char host[256];
    unsigned port = address ? address_port(address, host, sizeof(host)) : 0;

    text[0] = '\0';
    int count = port != 0 && is_this_machine(host) ? neighbours_count(neighbours, port, text) : -1;
    if (d->options->anonymous && text[0])
        snprintf(text, NEIGHBOURS_TEXT, "a program of this machine");
    return count;
}

/* The address that the options name, of a kind that can have clients. */
static const char *named_address(const struct options *o)
{
    if (o->link.gdb)
        return o->link.gdb;
    return o->link.tcl ? o->link.tcl : o->link.qmp;
}

/* "; start the server" -> "start the server" */
static const char *advice_of(const struct doctor *d, const struct gdbmi_error *error)
{
    const char *hint = link_hint(error->hint);

    while (*hint == ';' || *hint == ':' || *hint == ' ')
        hint++;
    if (*hint)
        return hint;
    if (!named_address(d->options))
        return "see what it prints itself";
    switch (error->code) {
    case GDBMI_ETIMEOUT:
        return "end what keeps the server busy, or start it again; --timeout waits longer";
    case GDBMI_ECLOSED:
        return "disconnect other clients of this port, and see what the server prints";
    case GDBMI_EPROTOCOL:
        return "give the port on which the server serves gdb (--gdb), Tcl (--tcl) or QMP (--qmp)";
    default:
        return "see what the server prints";
    }
}

/* What a server that is not used has told of its targets: a list in parentheses, or after a
 * semicolon. */
static void cut_lists(char *text)
{
    char *list = strstr(text, "; there is");

    if (list)
        *list = '\0';
    for (char *open = text; (open = strstr(open, " (")) != NULL;) {
        char *close = strchr(open, ')');
        if (!close)
            break;
        memmove(open, close + 1, strlen(close + 1) + 1);
    }
}

/* A core that cannot be read while it runs is a finding of its own. */
static void say_needs_halt(struct doctor *d, const struct gdbmi_error *error)
{
    finding_add(&d->findings, FINDING_OK, "server", NULL, "it answers at %s",
                named_address(d->options) ? named_address(d->options) : "the address given");
    finding_add(&d->findings, FINDING_FAIL, "reading", advice_of(d, error), "%s", error->text);
}

static void say_failure(struct doctor *d, struct gdbmi_error *error, int others, const char *who)
{
    const char *address = named_address(d->options);
    bool silent = error->code == GDBMI_ETIMEOUT || error->code == GDBMI_ECLOSED;

    if (d->options->anonymous)
        cut_lists(error->text);
    if (error->code == GDBMI_EHALT)
        say_needs_halt(d, error);
    else if (others > 0 && silent)
        finding_add(&d->findings, FINDING_FAIL, "server",
                    "disconnect it, or let it connect through mprof: see --serve",
                    "%s does not answer: it serves another client%s%s", address, who[0] ? ", " : "",
                    who);
    else
        finding_add(&d->findings, FINDING_FAIL, "server", advice_of(d, error), "%s", error->text);
}

/* By what the target is read. */
static const char *way_word(const struct gdbmi_info *info)
{
    static const struct {
        const char *kind, *word;
    } words[] = {{"openocd-tcl", "Tcl port"}, {"gdb-remote", "gdb port"}};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(words[i].kind, info->kind) == 0)
            return words[i].word;
    }
    return info->kind;
}

static void describe(struct doctor *d)
{
    const struct gdbmi_info *info = d->info;
    char *port = openocd_says(d, "[target current] cget -gdb-port");
    bool has_port = port && isdigit((unsigned char)port[0]) && port[0] != '0';
    char why[LINK_WORDS];

    finding_add(&d->findings, FINDING_OK, "server", NULL, "%s%s%s%s%s%s%s", info->server,
                info->server[0] ? ", " : "", way_word(info), info->address[0] ? " " : "",
                info->address, has_port ? "; gdb port " : "", has_port ? port : "");
    finding_add(&d->findings, FINDING_OK, "link", NULL, "%s", link_why(info, why));
    free(port);
}

/* A process has its program where the loader put it. */
static void locate(struct doctor *d)
{
    char text[FINDING_TEXT];

    if (d->elf.symtab && d->has_table &&
        !elf_file_locate(&d->elf, d->options->symbol, d->info->entry, text, sizeof(text)))
        finding_add(&d->findings, FINDING_FAIL, "server",
                    "give the program of this process with --elf", "%s", text);
}

void check_server(struct doctor *doctor)
{
    struct gdbmi_options link = doctor->options->link;
    struct gdbmi_error error = {.code = GDBMI_OK};
    char who[NEIGHBOURS_TEXT];

    if (!gdbmi_way_of(&link)) {
        finding_add(&doctor->findings, FINDING_FAIL, "server",
                    "give --gdb HOST:PORT or set MPROF_GDB", "no debug server was given");
        return;
    }
    link.tell = tell;
    link.cancelled = is_cancelled;
    struct neighbours neighbours = neighbours_read();
    int others = clients_at(doctor, &neighbours, named_address(doctor->options), who);
    neighbours_free(&neighbours);
    if (gdbmi_link_open(&link, &doctor->link, &error) != GDBMI_OK) {
        doctor->link = NULL;
        say_failure(doctor, &error, others, who);
        return;
    }
    doctor->info = gdbmi_link_info(doctor->link);
    describe(doctor);
    locate(doctor);
}

/* The shortest of a few: -1: it cannot be asked. */
static double answer_s(struct doctor *d)
{
    double best_s = -1;

    for (int i = 0; d->info->openocd_tcl && i < ANSWERS; i++) {
        double begin_s = monotonic_s();
        free(openocd_says(d, "expr 1"));
        double took_s = monotonic_s() - begin_s;
        if (best_s < 0 || took_s < best_s)
            best_s = took_s;
    }
    return best_s;
}

/* The clients of the gdb port, if it is another port than the one that is used. */
static int gdb_clients(struct doctor *d, const struct neighbours *neighbours,
                       char text[NEIGHBOURS_TEXT])
{
    char *port = openocd_says(d, "[target current] cget -gdb-port");
    char address[32];

    snprintf(address, sizeof(address), "localhost:%.8s", port ? port : "");
    free(port);
    return clients_at(d, neighbours, address, text);
}

/* A gdb next to mprof is no fault, if the server serves both. A slow probe makes OpenOCD slow too,
 * which is said elsewhere. */
void check_clients(struct doctor *doctor)
{
    char who[NEIGHBOURS_TEXT], gdb[NEIGHBOURS_TEXT], took[WORDS_MAX], host[256];

    if (!doctor->link || address_port(doctor->info->address, host, sizeof(host)) == 0)
        return;
    double took_s = answer_s(doctor);
    struct neighbours neighbours = neighbours_read();
    int others = clients_at(doctor, &neighbours, doctor->info->address, who);
    bool gdbs =
        others >= 0 && doctor->info->openocd_tcl && gdb_clients(doctor, &neighbours, gdb) > 0;
    neighbours_free(&neighbours);
    if (took_s > SLOW_ANSWER_S && took_s > doctor->request_s / 2)
        finding_add(&doctor->findings, FINDING_WARN, "clients",
                    "end what keeps it busy: a flash write, a profile command, another client",
                    "OpenOCD answers slowly: %s for nothing%s%s", words_time(took_s, took),
                    who[0] ? "; also connected: " : "", who);
    else if (others > 0 || gdbs)
        finding_add(&doctor->findings, FINDING_OK, "clients", NULL, "also connected: %s%s%s%s", who,
                    others > 0 && gdbs ? ", " : "",
                    !gdbs    ? ""
                    : gdb[0] ? gdb
                             : "a gdb",
                    gdbs ? " at the gdb port" : "");
    else
        finding_add(&doctor->findings, FINDING_OK, "clients", NULL, "%s",
                    others == 0 ? "nobody else is connected"
                                : "who else is connected is not known: the server is elsewhere");
}
