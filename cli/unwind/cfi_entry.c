/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads CIE and FDE of both sections. */
#include "cfi_entry.h"

#include <dwarf.h>

static struct cursor cursor_at(const struct cfi_section *section, size_t at, size_t end)
{
    return (struct cursor){.bytes = section->bytes.bytes, .at = at, .end = end};
}

/* In .debug_frame an offset from the section's start, in .eh_frame one back from itself. */
static void read_id(const struct cfi_section *section, struct cursor *c, size_t size,
                    struct cfi_head *head)
{
    size_t at = c->at;
    uint64_t id = cursor_number(c, size);
    uint64_t all_ones = size == 8 ? UINT64_MAX : UINT32_MAX;

    head->is_cie = section->is_eh ? id == 0 : id == all_ones;
    if (section->is_eh)
        c->over |= id > at;
    head->cie = (size_t)(section->is_eh ? at - id : id);
}

bool cfi_head_read(const struct cfi_section *section, size_t at, struct cfi_head *head)
{
    struct cursor c = cursor_at(section, at, section->bytes.len);
    uint64_t len = cursor_number(&c, 4);
    size_t size = 4;

    if (len == UINT32_MAX) {
        len = cursor_number(&c, 8);
        size = section->is_eh ? 4 : 8;
    }
    if (c.over || len == 0 || len > c.end - c.at)
        return false;
    head->at = at;
    head->next = c.at + (size_t)len;
    c.end = head->next;
    read_id(section, &c, size, head);
    head->body = c.at;
    return !c.over;
}

static uint64_t read_form(struct cursor *c, unsigned form, unsigned addr_size)
{
    switch (form) {
    case DW_EH_PE_absptr:
        return cursor_number(c, addr_size);
    case DW_EH_PE_uleb128:
        return cursor_leb(c, false);
    case DW_EH_PE_sleb128:
        return cursor_leb(c, true);
    case DW_EH_PE_udata2:
        return cursor_number(c, 2);
    case DW_EH_PE_sdata2:
        return (uint64_t)(int64_t)(int16_t)cursor_number(c, 2);
    case DW_EH_PE_udata4:
        return cursor_number(c, 4);
    case DW_EH_PE_sdata4:
        return (uint64_t)(int64_t)(int32_t)cursor_number(c, 4);
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        return cursor_number(c, 8);
    default:
        c->over = true;
        return 0;
    }
}

uint64_t cfi_address(const struct cfi_section *section, struct cursor *c, unsigned encoding,
                     unsigned addr_size)
{
    uint64_t from = section->bytes.addr + c->at;
    uint64_t value = read_form(c, encoding & 0xf, addr_size);

    if ((encoding & 0xf0) == DW_EH_PE_pcrel)
        value += from;
    else if ((encoding & 0xf0) != DW_EH_PE_absptr)
        c->over = true;
    return addr_size == 4 ? value & UINT32_MAX : value;
}

/* What the letters after z say; data is at the augmentation's data. */
static void read_letters(const struct cfi_section *section, struct cursor *data, const char *letter,
                         struct cfi_entry *entry)
{
    for (; *letter && !data->over; letter++) {
        switch (*letter) {
        case 'R':
            entry->encoding = cursor_byte(data);
            break;
        case 'L':
            (void)cursor_byte(data);
            break;
        case 'P': {
            unsigned encoding = cursor_byte(data) & 0x7f; /* without DW_EH_PE_indirect */
            (void)cfi_address(section, data, encoding, entry->addr_size);
            break;
        }
        case 'S':
            entry->is_trap = true;
            break;
        default:
            return; /* what is not known ends what can be read */
        }
    }
}

static void read_augmentation(const struct cfi_section *section, struct cursor *c,
                              const char *augmentation, struct cfi_entry *entry)
{
    if (augmentation[0] == '\0')
        return;
    entry->is_augmented = augmentation[0] == 'z';
    if (!entry->is_augmented) {
        c->over = true;
        return;
    }
    uint64_t len = cursor_leb(c, false);
    struct cursor data = *c;
    read_letters(section, &data, augmentation + 1, entry);
    c->over |= data.over;
    cursor_skip(c, len);
}

static bool read_cie(const struct cfi_section *section, size_t at, struct cfi_entry *entry)
{
    struct cfi_head head;

    if (at >= section->bytes.len || !cfi_head_read(section, at, &head) || !head.is_cie)
        return false;
    struct cursor c = cursor_at(section, head.body, head.next);
    unsigned version = cursor_byte(&c);
    const char *augmentation = cursor_text(&c);
    if (!augmentation || (version != 1 && version != 3 && version != 4))
        return false;
    if (version == 4) {
        entry->addr_size = cursor_byte(&c);
        c.over |= cursor_byte(&c) != 0; /* segments */
    }
    entry->code_align = cursor_leb(&c, false);
    entry->data_align = (int64_t)cursor_leb(&c, true);
    entry->ra = version == 1 ? cursor_byte(&c) : cursor_leb(&c, false);
    read_augmentation(section, &c, augmentation, entry);
    entry->initial = c.at;
    entry->initial_end = head.next;
    return !c.over && (entry->addr_size == 4 || entry->addr_size == 8);
}

bool cfi_entry_read(const struct cfi_section *section, unsigned addr_size,
                    const struct cfi_head *fde, struct cfi_entry *entry)
{
    struct cursor c = cursor_at(section, fde->body, fde->next);

    *entry = (struct cfi_entry){.addr_size = addr_size};
    if (fde->is_cie || !read_cie(section, fde->cie, entry))
        return false;
    entry->start = cfi_address(section, &c, entry->encoding, entry->addr_size);
    uint64_t size = cfi_address(section, &c, entry->encoding & 0xf, entry->addr_size);
    entry->end = entry->start + size;
    if (entry->is_augmented)
        cursor_skip(&c, cursor_leb(&c, false));
    entry->program = c.at;
    entry->program_end = fde->next;
    return !c.over && entry->end > entry->start;
}
