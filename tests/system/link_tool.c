/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A link from the command line: opens one and does what each argument says, a line of output each.
 *
 *   link-tool ADDRESS [halt-allowed] STEP...
 *
 * read=ADDR,LEN (hexadecimal digits), poll=ADDR,LEN (state and digits), state, halt, resume, pc,
 * stats (JSON), wait (until a line comes on stdin). An error ends it with status 1 and its text on
 * stderr. */
#include <gdbmi/link.h>
#include <gdbmi/rsp.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A busy machine is no fault. */
#define ANSWER_MS 300000

static const char *state_name(enum gdbmi_state state)
{
    return state == GDBMI_STATE_RUNNING ? "running" : "halted";
}

static enum gdbmi_code step_read(struct gdbmi_link *link, const char *range, bool poll)
{
    char *end;
    uint64_t addr = strtoull(range, &end, 0);
    size_t len = strtoul(end + 1, NULL, 0);
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;
    unsigned char *bytes = malloc(len);
    char *text = malloc(2 * len + 1);

    if (bytes == NULL || text == NULL)
        abort();
    enum gdbmi_code code = poll ? gdbmi_link_poll(link, addr, bytes, len, &state)
                                : gdbmi_link_read(link, addr, bytes, len);
    if (code == GDBMI_OK) {
        gdbmi_rsp_hex(bytes, len, text);
        printf("%s%s%s\n", poll ? state_name(state) : "", poll ? " " : "", text);
    }
    free(bytes);
    free(text);
    return code;
}

static enum gdbmi_code step_state(struct gdbmi_link *link)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    enum gdbmi_code code = gdbmi_link_state(link, &state);
    if (code == GDBMI_OK)
        puts(state_name(state));
    return code;
}

static enum gdbmi_code step_pc(struct gdbmi_link *link)
{
    uint64_t pc = 0;

    enum gdbmi_code code = gdbmi_link_pc(link, &pc);
    if (code == GDBMI_OK)
        printf("0x%" PRIx64 "\n", pc);
    return code;
}

static void step_stats(struct gdbmi_link *link)
{
    struct gdbmi_stats stats = gdbmi_link_stats(link);
    const struct gdbmi_info *info = gdbmi_link_info(link);

    printf("{\"halts\": %" PRIu64 ", \"live\": %s, \"server\": \"%s\", \"arch\": \"%s\", "
           "\"entry\": %" PRIu64 ", \"why\": \"%s\"}\n",
           stats.halts, info->live ? "true" : "false", info->server, info->arch, info->entry,
           info->why);
}

static void step_wait(void)
{
    int c;

    do {
        c = getchar();
    } while (c != EOF && c != '\n');
    puts("waited");
}

static enum gdbmi_code step(struct gdbmi_link *link, const char *name)
{
    if (strncmp(name, "read=", 5) == 0)
        return step_read(link, name + 5, false);
    if (strncmp(name, "poll=", 5) == 0)
        return step_read(link, name + 5, true);
    if (strcmp(name, "state") == 0)
        return step_state(link);
    if (strcmp(name, "halt") == 0)
        return gdbmi_link_halt(link);
    if (strcmp(name, "resume") == 0)
        return gdbmi_link_resume(link);
    if (strcmp(name, "pc") == 0)
        return step_pc(link);
    if (strcmp(name, "stats") == 0)
        step_stats(link);
    else
        step_wait();
    return GDBMI_OK;
}

int main(int argc, char **argv)
{
    struct gdbmi_options options = {.tcl = "none", .timeout_ms = ANSWER_MS};
    struct gdbmi_error error;
    struct gdbmi_link *link;
    int status = 0;
    int at = 2;

    if (argc < 2)
        return 2;
    options.gdb = argv[1];
    if (at < argc && strcmp(argv[at], "halt-allowed") == 0) {
        options.allow_halt = true;
        at++;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (gdbmi_link_open(&options, &link, &error) != GDBMI_OK) {
        fprintf(stderr, "open: %s\n", error.text);
        return 1;
    }
    for (; at < argc && status == 0; at++) {
        if (step(link, argv[at]) == GDBMI_OK)
            continue;
        fprintf(stderr, "%s: %s\n", argv[at], gdbmi_link_error(link)->text);
        status = 1;
    }
    if (gdbmi_link_close(link, &error) != GDBMI_OK) {
        fprintf(stderr, "close: %s\n", error.text);
        status = 1;
    }
    return status;
}
