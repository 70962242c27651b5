/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names addresses of an ELF file as addr2line -afi does, and says what each step cost. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <symbol/symtab.h>

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Kilobytes of a line like "RssAnon:  123 kB" of /proc/self/status. */
static long memory(const char *what)
{
    char line[200];
    long value = -1;
    FILE *status = fopen("/proc/self/status", "r");

    while (status && fgets(line, sizeof(line), status))
        if (strncmp(line, what, strlen(what)) == 0)
            value = strtol(line + strlen(what) + 1, NULL, 10);
    if (status)
        fclose(status);
    return value;
}

/* Caches give memory back now and then: the most that was seen counts. */
static long anon_kb, shmem_kb;

static void look(void)
{
    long anon = memory("RssAnon"), shmem = memory("RssShmem");

    anon_kb = anon > anon_kb ? anon : anon_kb;
    shmem_kb = shmem > shmem_kb ? shmem : shmem_kb;
}

/* One JSON object a line on stderr. */
static void report(const char *step, double wall, double cpu)
{
    look();
    fprintf(stderr,
            "{\"step\": \"%s\", \"wall_s\": %.4f, \"cpu_s\": %.4f, \"anon_kb\": %ld, "
            "\"shmem_kb\": %ld}\n",
            step, seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, anon_kb,
            shmem_kb);
}

static void print_place(const char *function, const char *file, unsigned line)
{
    printf("%s\n%s:%u\n", function ? function : "??", file ? file : "??", file ? line : 0);
}

static void name_address(struct symtab *symtab, uint64_t addr)
{
    struct symtab_inlined frames[SYMTAB_INLINED_MAX];
    struct symtab_line line = {.file = NULL};
    const struct symtab_function *f = symtab_find(symtab, addr);
    size_t count = symtab_find_inlined(symtab, addr, frames, SYMTAB_INLINED_MAX);

    (void)symtab_find_line(symtab, addr, &line);
    printf("0x%016" PRIx64 "\n", addr);
    for (size_t i = 0; i < count; i++) {
        print_place(frames[i].name, line.file, line.line);
        line = (struct symtab_line){.file = frames[i].call_file, .line = frames[i].call_line};
    }
    print_place(f ? f->name : NULL, line.file, line.line);
}

/* usage: symbolize ELF <ADDRESSES, one a line in hexadecimal digits; symbolize --names ELF */
int main(int argc, char **argv)
{
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    struct symtab *symtab;
    char text[400];
    size_t count;

    bool names = argc == 3 && strcmp(argv[1], "--names") == 0;
    if (argc != 2 && !names) {
        fprintf(stderr, "usage: symbolize [--names] ELF <ADDRESSES\n");
        return 2;
    }
    if (symtab_load(argv[argc - 1], &symtab, text, sizeof(text)) != SYMTAB_OK) {
        fprintf(stderr, "symbolize: %s\n", text);
        return 1;
    }
    const struct symtab_function *functions = symtab_functions(symtab, &count);
    struct symtab_line line;
    if (count != 0 && symtab_find(symtab, functions[count / 2].addr))
        report("names", wall, cpu);
    if (names)
        goto out;
    if (count != 0 && symtab_find_line(symtab, functions[count / 2].addr, &line))
        report("first line", wall, cpu);
    for (size_t i = 0; fgets(text, sizeof(text), stdin); i++) {
        name_address(symtab, strtoull(text, NULL, 16));
        if (i % 1024 == 0)
            look();
    }
    report("all", wall, cpu);
out:
    symtab_free(symtab);
    return 0;
}
