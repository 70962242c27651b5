/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples by OpenOCD's command 'profile': it reads DWT_PCSR 1024 times in one go, serves nobody
 * meanwhile, and writes a gmon.out. */
#define _POSIX_C_SOURCE 200809L

#include <taken/pcsr.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* gmon.out: a header of 20 bytes, then records; that of a histogram has the tag 0, four numbers,
 * a name and its counts of 16 bits (glibc's sys/gmon_out.h). */
#define GMON_HEADER    20
#define GMON_HISTOGRAM (1 + 4 * 4 + 16)
#define GMON_MAX       (1u << 20)

static bool is_here(const char *address)
{
    static const char *const names[] = {"localhost:", "127.", "[::1]:", "::1:"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(address, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static bool add_bins(struct taken *t, const uint8_t *counts, uint32_t bins, uint32_t low,
                     uint32_t high)
{
    for (uint32_t i = 0; i < bins; i++) {
        unsigned hits = counts[2 * i] | (unsigned)counts[2 * i + 1] << 8;
        uint64_t pc = low + (uint64_t)(high - low) * i / bins;
        const struct taken_sample sample = {.pc = pc & ~(uint64_t)1};
        for (; hits > 0; hits--)
            if (!taken_add(t, &sample))
                return false;
    }
    return true;
}

static enum sampler_code take_gmon(struct taken *t, const uint8_t *bytes, size_t len)
{
    const uint8_t *h = bytes + GMON_HEADER;
    bool whole = len >= GMON_HEADER + GMON_HISTOGRAM && memcmp(bytes, "gmon", 4) == 0 && h[0] == 0;
    uint32_t bins = whole ? word_at(h + 9) : 0;

    if (!whole || bins == 0 || len - GMON_HEADER - GMON_HISTOGRAM < 2 * (size_t)bins) {
        snprintf(t->text, sizeof(t->text), "OpenOCD's profile has written no histogram");
        return SAMPLER_EREAD;
    }
    return add_bins(t, h + GMON_HISTOGRAM, bins, word_at(h + 1), word_at(h + 5)) ? SAMPLER_OK
                                                                                 : SAMPLER_ENOMEM;
}

static enum sampler_code read_gmon(struct taken *t, int fd)
{
    uint8_t *bytes = malloc(GMON_MAX);
    ssize_t len = bytes ? pread(fd, bytes, GMON_MAX, 0) : 0;
    enum sampler_code code =
        bytes ? take_gmon(t, bytes, len < 0 ? 0 : (size_t)len) : SAMPLER_ENOMEM;

    free(bytes);
    return code;
}

/* All code of the file, so that one address outside does not make the histogram coarse. */
static void find_code(const struct symtab *symtab, uint64_t *low, uint64_t *high)
{
    size_t count;
    const struct symtab_function *functions = symtab_functions(symtab, &count);

    *low = *high = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t end = functions[i].addr + functions[i].size;
        *low = i == 0 || functions[i].addr < *low ? functions[i].addr : *low;
        *high = end > *high ? end : *high;
    }
}

/* It resumes a core that is halted, and halts one that has no address to give: so neither may be.
 */
static enum sampler_code run_profile(struct taken *t, const char *path, enum gdbmi_state *state)
{
    uint64_t low, high;
    char script[512];
    char *answer = NULL;

    find_code(t->symtab, &low, &high);
    snprintf(script, sizeof(script),
             "apply {{} {set t [target current]; if {[$t curstate] ne {running}} {return halted}; "
             "set v [$t read_memory 0x%x 32 1]; if {$v == 0 || $v >= 0xe0000000} {return none}; "
             "profile 0 {%s} 0x%" PRIx64 " 0x%" PRIx64 "; return done}}",
             PCSR_ADDR, path, low & ~(uint64_t)1, high);
    enum gdbmi_code code = gdbmi_link_command(t->link, script, &answer);
    if (code != GDBMI_OK)
        return taken_fail(t, code);
    const struct taken_sample sample = {.kind = strstr(answer, "halted") ? TAKEN_HALTED
                                                                         : TAKEN_UNKNOWN};
    bool done = strstr(answer, "done") || taken_add(t, &sample);
    *state = strstr(answer, "halted") ? GDBMI_STATE_HALTED : GDBMI_STATE_RUNNING;
    bool none = !strstr(answer, "done");
    free(answer);
    return !done ? SAMPLER_ENOMEM : none ? SAMPLER_WAIT : SAMPLER_OK;
}

enum sampler_code pcsr_burst(struct taken *taken, enum gdbmi_state *state)
{
    const struct gdbmi_info *info = gdbmi_link_info(taken->link);
    char path[] = "/tmp/mprof-XXXXXX";

    if (!info->openocd_tcl || !is_here(info->address)) {
        snprintf(taken->text, sizeof(taken->text),
                 "--burst needs the Tcl port of an OpenOCD on this machine, which writes a file");
        return SAMPLER_ETABLE;
    }
    int fd = mkstemp(path);
    if (fd < 0) {
        snprintf(taken->text, sizeof(taken->text), "%s: %s", path, strerror(errno));
        return SAMPLER_EREAD;
    }
    enum sampler_code code = run_profile(taken, path, state);
    if (code == SAMPLER_OK)
        code = read_gmon(taken, fd);
    close(fd);
    unlink(path);
    return code == SAMPLER_WAIT ? SAMPLER_OK : code;
}
