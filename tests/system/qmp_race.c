/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a word over QMP that the core writes all the time, 0 and ~0 in turn, and looks for one that
 * is half of each: qmp-race HOST:PORT ADDRESS ROUNDS. It goes on until it has seen both. */
#include <gdbmi/link.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is read begins and ends in the middle of the words beside it. */
#define BEFORE 6
#define LENGTH 16

/* A busy machine is no fault. */
#define ANSWER_MS 300000

static int fail(const char *text)
{
    fprintf(stderr, "qmp-race: %s\n", text);
    return 1;
}

static int race(struct gdbmi_link *link, uint64_t addr, unsigned long rounds)
{
    unsigned long zeros = 0, ones = 0;
    unsigned char bytes[LENGTH];
    uint32_t word;

    for (unsigned long i = 0; i < rounds || zeros == 0 || ones == 0; i++) {
        if (gdbmi_link_read(link, addr - BEFORE, bytes, sizeof(bytes)) != GDBMI_OK)
            return fail(gdbmi_link_error(link)->text);
        memcpy(&word, bytes + BEFORE, sizeof(word));
        zeros += word == 0;
        ones += word == UINT32_MAX;
        if (word != 0 && word != UINT32_MAX)
            return fail("a torn word");
    }
    printf("%lu zeros, %lu ones\n", zeros, ones);
    return 0;
}

int main(int argc, char **argv)
{
    struct gdbmi_options options = {.qmp = argc == 4 ? argv[1] : NULL, .timeout_ms = ANSWER_MS};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link = NULL;

    if (argc != 4)
        return fail("usage: qmp-race HOST:PORT ADDRESS ROUNDS");
    if (gdbmi_link_open(&options, &link, &error) != GDBMI_OK)
        return fail(error.text);
    int status = race(link, strtoull(argv[2], NULL, 0), strtoul(argv[3], NULL, 0));
    if (gdbmi_link_close(link, &error) != GDBMI_OK)
        status = fail(error.text);
    return status;
}
