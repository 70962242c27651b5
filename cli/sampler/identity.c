/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares an ELF file with what the target holds. */
#define _POSIX_C_SOURCE 200809L

#include <sampler/identity.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <instrument/site.h>

#define WINDOWS     64
#define WINDOW_SIZE 32
#define PAUSE_MS    50

/* Bytes of the ELF, and where they should be in the target. */
struct window {
    uint64_t addr;
    const uint8_t *bytes;
    size_t len;
};

struct comparison {
    struct gdbmi_link *link;
    const struct symtab *symtab;
    struct window windows[WINDOWS];
    size_t count;
    struct window differing; /* a few bytes of one that does */
    uint8_t seen[4];         /* in their place */
};

static bool all_zero(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] != 0)
            return false;
    }
    return true;
}

static bool all_hex(const char *text, uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned value;
        if (sscanf(text + 2 * i, "%2x", &value) != 1)
            return false;
        bytes[i] = (uint8_t)value;
    }
    return true;
}

/* The build-id, where it is part of the loaded image, tells builds apart in one read. */
static bool choose_build_id(struct comparison *c)
{
    const char *hex = symtab_elf(c->symtab)->build_id;
    size_t len = strlen(hex) / 2;
    uint8_t id[WINDOW_SIZE];
    size_t count;
    const struct symtab_segment *segments = symtab_segments(c->symtab, &count);

    if (len < 8 || len > sizeof(id) || !all_hex(hex, id, len))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct symtab_segment *s = &segments[i];
        for (size_t at = 0; at + len <= s->len; at++) {
            if (memcmp(s->bytes + at, id, len) == 0) {
                c->windows[c->count++] = (struct window){s->addr + at, s->bytes + at, len};
                return true;
            }
        }
    }
    return false;
}

/* The stretch's windows are spread evenly over it, first and last bytes among them. */
static void choose_in_segment(struct comparison *c, const struct symtab_segment *s, size_t share)
{
    size_t fitting = (s->len + WINDOW_SIZE - 1) / WINDOW_SIZE;
    size_t count = share < fitting ? share : fitting;

    for (size_t i = 0; i < count && c->count < WINDOWS; i++) {
        size_t len = s->len < WINDOW_SIZE ? s->len : WINDOW_SIZE;
        size_t at = count > 1 ? (s->len - len) * i / (count - 1) : 0;
        at &= ~(size_t)3;
        if (!all_zero(s->bytes + at, len))
            c->windows[c->count++] = (struct window){s->addr + at, s->bytes + at, len};
    }
}

static void choose_windows(struct comparison *c)
{
    size_t count, total = 0;
    const struct symtab_segment *segments = symtab_segments(c->symtab, &count);

    for (size_t i = 0; i < count; i++)
        total += segments[i].len;
    for (size_t i = 0; i < count; i++) {
        size_t share = (size_t)((double)segments[i].len / (double)total * WINDOWS);
        choose_in_segment(c, &segments[i], share ? share : 1);
    }
}

/* Bytes of the breakpoint instruction that stands at p in the target, 0 if there is none. A
 * debugger puts it at the start of an instruction, which is aligned to align bytes. */
static size_t breakpoint_at(const char *arch, const uint8_t *p, size_t len, size_t *align)
{
    *align = 2;
    if (strcmp(arch, "arm") == 0)
        return len >= 2 && p[1] == 0xbe ? 2 : 0; /* Thumb BKPT #imm8 */
    if (strcmp(arch, "riscv") == 0) {
        static const uint8_t ebreak[] = {0x73, 0x00, 0x10, 0x00}, c_ebreak[] = {0x02, 0x90};
        if (len >= 4 && memcmp(p, ebreak, 4) == 0)
            return 4;
        return len >= 2 && memcmp(p, c_ebreak, 2) == 0 ? 2 : 0;
    }
    *align = 1;
    return strcmp(arch, "i386") == 0 && p[0] == 0xcc ? 1 : 0;
}

/* Where the first byte stands that differs and is neither a breakpoint's nor of a site, which
 * 'mprof instrument' changes; w->len if there is none. */
static size_t find_difference(const struct symtab *symtab, const struct window *w,
                              const uint8_t *seen)
{
    const char *arch = symtab_elf(symtab)->arch;
    size_t i = 0;

    while (i < w->len) {
        if (w->bytes[i] == seen[i]) {
            i++;
            continue;
        }
        size_t align;
        size_t start = i;
        size_t size = breakpoint_at(arch, seen + start, w->len - start, &align);
        if (size == 0 && start > 0) { /* its first byte was the same by chance */
            start--;
            size = breakpoint_at(arch, seen + start, w->len - start, &align);
        }
        if (size != 0 && (w->addr + start) % align == 0) {
            i = start + size;
            continue;
        }
        size = site_rest(symtab, w->addr + i);
        if (size == 0)
            return i;
        i += size;
    }
    return w->len;
}

/* The word that holds the byte, or what there is of it. */
static void note_difference(struct comparison *c, const struct window *w, const uint8_t *seen,
                            size_t at)
{
    at -= at % sizeof(c->seen);
    c->differing = (struct window){w->addr + at, w->bytes + at, w->len - at};
    if (c->differing.len > sizeof(c->seen))
        c->differing.len = sizeof(c->seen);
    memcpy(c->seen, seen + at, c->differing.len);
}

/* Reads it at an address of the target; whether the bytes are those of the file. */
static enum identity compare_window(struct comparison *c, const struct window *w, uint64_t addr)
{
    uint8_t seen[WINDOW_SIZE];
    enum gdbmi_code code = gdbmi_link_read(c->link, addr, seen, w->len);

    if (code == GDBMI_ETARGET)
        return IDENTITY_UNREADABLE;
    if (code != GDBMI_OK)
        return IDENTITY_LINK;
    if (all_zero(seen, w->len))
        return IDENTITY_UNREADABLE;
    size_t at = find_difference(c->symtab, w, seen);
    if (at == w->len)
        return IDENTITY_SAME;
    note_difference(c, w, seen, at);
    return IDENTITY_DIFFERS;
}

/* The same where an alias says that the code is, too: a loader may have moved it there. */
static enum identity compare_aliases(struct comparison *c, const struct window *w)
{
    size_t count;
    const struct symtab_alias *aliases = symtab_aliases(c->symtab, &count);

    for (size_t i = 0; i < count; i++) {
        const struct symtab_alias *a = &aliases[i];
        if (w->addr - a->to >= a->size || a->size - (w->addr - a->to) < w->len)
            continue;
        enum identity result = compare_window(c, w, w->addr - a->to + a->from);
        if (result != IDENTITY_UNREADABLE)
            return result;
    }
    return IDENTITY_UNREADABLE;
}

static enum identity compare_once(struct comparison *c)
{
    bool readable = false;

    for (size_t i = 0; i < c->count; i++) {
        const struct window *w = &c->windows[i];
        enum identity result = compare_window(c, w, w->addr);
        if (result == IDENTITY_UNREADABLE || result == IDENTITY_DIFFERS) {
            enum identity moved = compare_aliases(c, w);
            result = moved == IDENTITY_UNREADABLE ? result : moved;
        }
        if (result == IDENTITY_DIFFERS || result == IDENTITY_LINK)
            return result;
        readable = readable || result == IDENTITY_SAME;
    }
    return readable ? IDENTITY_SAME : IDENTITY_UNREADABLE;
}

/* One halt for all windows where each read would take one of its own. */
static enum identity compare_gently(struct comparison *c)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    if (gdbmi_link_info(c->link)->live)
        return compare_once(c);
    if (gdbmi_link_state(c->link, &state) != GDBMI_OK)
        return IDENTITY_LINK;
    if (state != GDBMI_STATE_RUNNING)
        return compare_once(c);
    if (gdbmi_link_halt(c->link) != GDBMI_OK)
        return IDENTITY_LINK;
    enum identity result = compare_once(c);
    if (gdbmi_link_release(c->link) != GDBMI_OK)
        return IDENTITY_LINK;
    return result;
}

/* Each byte with a blank before it. */
static void print_bytes(char *text, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        snprintf(text + 3 * i, 4, " %02x", bytes[i]);
}

static void describe(const struct comparison *c, enum identity result, char *text, size_t capacity)
{
    const struct symtab_elf *elf = symtab_elf(c->symtab);
    char target[3 * sizeof(c->seen) + 1] = "", file[sizeof(target)] = "";

    switch (result) {
    case IDENTITY_DIFFERS:
        print_bytes(target, c->seen, c->differing.len);
        print_bytes(file, c->differing.bytes, c->differing.len);
        snprintf(text, capacity, "at 0x%08" PRIx64 " the target has%s, the ELF%s",
                 c->differing.addr, target, file);
        break;
    case IDENTITY_MACHINE:
        snprintf(text, capacity, "the ELF is for %s, the target is %s", elf->arch,
                 gdbmi_link_info(c->link)->arch);
        break;
    case IDENTITY_UNREADABLE:
        snprintf(text, capacity, "cannot read the target's code");
        break;
    case IDENTITY_NOTHING:
        snprintf(text, capacity, "the ELF has no constant data to compare with the target");
        break;
    case IDENTITY_SAME:
    case IDENTITY_LINK:
        break;
    }
}

/* "riscv:rv32" is a "riscv". */
static bool same_arch(const char *a, const char *b)
{
    size_t len = strcspn(a, ":");

    return !a[0] || !b[0] || (len == strcspn(b, ":") && memcmp(a, b, len) == 0);
}

static bool choose(struct comparison *c)
{
    if (!choose_build_id(c))
        choose_windows(c);
    return c->count != 0;
}

enum identity identity_check(struct gdbmi_link *link, const struct symtab *symtab, unsigned looks,
                             char *text, size_t capacity)
{
    struct comparison c = {.link = link, .symtab = symtab};
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    enum identity result = IDENTITY_MACHINE;

    text[0] = '\0';
    if (same_arch(symtab_elf(symtab)->arch, gdbmi_link_info(link)->arch)) {
        result = choose(&c) ? compare_gently(&c) : IDENTITY_NOTHING;
        /* Flash that is being written, or a breakpoint that is being set, looks different for a
         * moment. */
        for (unsigned look = 1; look < looks && result == IDENTITY_DIFFERS; look++) {
            nanosleep(&pause, NULL);
            result = compare_gently(&c);
        }
    }
    describe(&c, result, text, capacity);
    return result;
}

/* The part of a segment that lies within the bytes from addr on. */
static struct window overlap(const struct symtab_segment *s, uint64_t addr, size_t len)
{
    uint64_t from = addr > s->addr ? addr : s->addr;
    uint64_t end = s->addr + s->len < addr + len ? s->addr + s->len : addr + len;

    if (from >= end)
        return (struct window){.len = 0};
    return (struct window){from, s->bytes + (from - s->addr), (size_t)(end - from)};
}

enum identity identity_compare(const struct symtab *symtab, uint64_t addr, const uint8_t *bytes,
                               size_t len, char *text, size_t capacity)
{
    struct comparison c = {.symtab = symtab};
    enum identity result = IDENTITY_NOTHING;
    size_t count;
    const struct symtab_segment *segments = symtab_segments(symtab, &count);

    text[0] = '\0';
    if (len > WINDOW_SIZE || addr > UINT64_MAX - len)
        return result;
    for (size_t i = 0; i < count && result != IDENTITY_DIFFERS; i++) {
        const struct window w = overlap(&segments[i], addr, len);
        if (w.len == 0)
            continue;
        const uint8_t *seen = bytes + (w.addr - addr);
        size_t at = find_difference(symtab, &w, seen);
        result = at < w.len ? IDENTITY_DIFFERS : IDENTITY_SAME;
        if (at < w.len)
            note_difference(&c, &w, seen, at);
    }
    describe(&c, result, text, capacity);
    return result;
}

enum identity identity_glance(struct gdbmi_link *link, const struct symtab *symtab, unsigned turn)
{
    struct comparison c = {.link = link, .symtab = symtab};

    if (!same_arch(symtab_elf(symtab)->arch, gdbmi_link_info(link)->arch))
        return IDENTITY_MACHINE;
    if (!choose(&c))
        return IDENTITY_NOTHING;
    c.windows[0] = c.windows[turn % c.count];
    c.count = 1;
    return compare_once(&c);
}
