/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a link over a faulty wire, reads memory that is known, and says what came of it.
 *
 *   wire-links KIND SERVER MEMORY ADDRESS FAULT FIRST_SEED LAST_SEED
 *
 * KIND: gdb, tcl, qmp; mi, where SERVER is a gdb command with its own wire in it. MEMORY: a file
 * with the bytes that stand at ADDRESS. One line of JSON for each seed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gdbmi/link.h>

#include "relay.h"

/* For an answer: short where none may come, as long as a busy machine may take where it must. */
#define PATIENT_MS  300000
#define HURRIED_MS  300
#define READS       6
#define READ_MAX    1500U
#define CLEAN_BYTES 1500U

struct memory {
    uint8_t *bytes;
    size_t len;
    uint64_t addr;
};

struct outcome {
    struct gdbmi_error error; /* the first one, GDBMI_OK if all went well */
    unsigned right;
    unsigned wrong;
    double slowest_s; /* of all calls */
};

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void time_call(struct outcome *outcome, double since)
{
    double took = now_s() - since;

    if (took > outcome->slowest_s)
        outcome->slowest_s = took;
}

static bool load(const char *path, const char *addr, struct memory *memory)
{
    FILE *file = fopen(path, "rb");

    memory->addr = strtoull(addr, NULL, 0);
    memory->bytes = malloc(1U << 20);
    memory->len =
        file != NULL && memory->bytes != NULL ? fread(memory->bytes, 1, 1U << 20, file) : 0;
    if (file != NULL)
        fclose(file);
    return memory->len > READ_MAX;
}

static struct gdbmi_options options_of(const char *kind, const char *address, enum wire_fault fault)
{
    bool lossy = fault >= WIRE_FLIP && fault != WIRE_NAK && fault != WIRE_CONSOLE;
    struct gdbmi_options options = {.timeout_ms = lossy ? HURRIED_MS : PATIENT_MS};

    if (strcmp(kind, "tcl") == 0)
        options.tcl = address;
    else if (strcmp(kind, "qmp") == 0)
        options.qmp = address;
    else if (strcmp(kind, "mi") == 0)
        options.mi = address;
    else
        options.gdb = address;
    if (options.gdb != NULL)
        options.tcl = "none";
    options.allow_halt = options.mi != NULL;
    return options;
}

static void read_some(struct gdbmi_link *link, const struct memory *memory, uint32_t seed,
                      struct outcome *outcome)
{
    uint8_t bytes[READ_MAX];

    for (unsigned i = 0; i < READS && outcome->error.code == GDBMI_OK; i++) {
        seed = seed * 1664525U + 1013904223U;
        size_t len = 1 + (seed >> 8) % READ_MAX;
        size_t at = (seed >> 4) % (memory->len - len);
        double since = now_s();
        enum gdbmi_code code = gdbmi_link_read(link, memory->addr + at, bytes, len);
        time_call(outcome, since);
        if (code != GDBMI_OK)
            outcome->error = *gdbmi_link_error(link);
        else if (memcmp(bytes, memory->bytes + at, len) == 0)
            outcome->right++;
        else
            outcome->wrong++;
    }
}

static struct outcome try_link(const char *kind, const char *address, const struct memory *memory,
                               enum wire_fault fault, uint32_t seed)
{
    struct gdbmi_options options = options_of(kind, address, fault);
    struct outcome outcome = {.right = 0};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link = NULL;
    double since = now_s();

    enum gdbmi_code code = gdbmi_link_open(&options, &link, &outcome.error);
    time_call(&outcome, since);
    if (code != GDBMI_OK)
        return outcome;
    outcome.error = (struct gdbmi_error){.code = GDBMI_OK};
    read_some(link, memory, seed, &outcome);
    since = now_s();
    code = gdbmi_link_close(link, &error);
    time_call(&outcome, since);
    if (outcome.error.code == GDBMI_OK && code != GDBMI_OK)
        outcome.error = error;
    else if (code != GDBMI_OK) /* what became of the core is said at the end */
        snprintf(outcome.error.text + strlen(outcome.error.text),
                 sizeof(outcome.error.text) - strlen(outcome.error.text), " | %.100s", error.text);
    return outcome;
}

/* For JSON: the text has no character that would have to be written otherwise, but these. */
static void print_text(const char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < 0x20 || *text == '"' || *text == '\\')
            printf("\\u%04x", (unsigned char)*text);
        else if ((unsigned char)*text < 0x7f)
            putchar(*text);
        else
            putchar('?');
    }
}

static bool try_seed(const char *kind, const char *server, const struct memory *memory,
                     enum wire_fault fault, uint32_t seed)
{
    /* Some faults fall into the opening, most behind it. */
    struct wire_plan plan = {
        .fault = fault, .seed = seed, .clean = seed * 2654435761U % CLEAN_BYTES, .gap = 8192};
    struct relay *relay = strcmp(kind, "mi") == 0 ? NULL : relay_open(server, &plan);

    if (relay == NULL && strcmp(kind, "mi") != 0) {
        perror("wire-links");
        return false;
    }
    struct outcome outcome =
        try_link(kind, relay != NULL ? relay_address(relay) : server, memory, fault, seed);
    unsigned faults = relay != NULL ? relay_close(relay) : 0;
    printf("{\"fault\": \"%s\", \"seed\": %" PRIu32 ", \"code\": %d, \"right\": %u, \"wrong\": %u, "
           "\"faults\": %u, \"slowest_s\": %.3f, \"text\": \"",
           wire_fault_name(fault), seed, outcome.error.code, outcome.right, outcome.wrong, faults,
           outcome.slowest_s);
    print_text(outcome.error.text);
    puts("\"}");
    fflush(stdout);
    return true;
}

int main(int argc, char **argv)
{
    struct memory memory;

    if (argc != 8)
        return 2;
    enum wire_fault fault = wire_fault_find(argv[5]);
    if (fault == WIRE_FAULTS || !load(argv[3], argv[4], &memory))
        return 2;
    uint32_t last = (uint32_t)strtoul(argv[7], NULL, 0);
    bool done = true;
    for (uint32_t seed = (uint32_t)strtoul(argv[6], NULL, 0); done && seed <= last; seed++)
        done = try_seed(argv[1], argv[2], &memory, fault, seed);
    free(memory.bytes);
    return done ? 0 : 1;
}
