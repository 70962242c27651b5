/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the symbol table of an ELF file. */
#include <elf/symbols.h>

bool symbols_are_stripped(const struct image *image)
{
    for (size_t i = 1; i < image->section_count; i++) {
        GElf_Shdr sh;
        if (gelf_getshdr(elf_getscn(image->elf, i), &sh) && sh.sh_type == SHT_SYMTAB)
            return false;
    }
    return true;
}

static bool open_table(const struct image *image, GElf_Word kind, struct symbol_table *table)
{
    for (size_t i = 1; i < image->section_count; i++) {
        Elf_Scn *scn = elf_getscn(image->elf, i);
        GElf_Shdr sh;
        if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type != kind)
            continue;
        Elf_Data *data = image_data(image, scn, &image->budgets->symbols);
        size_t entry = gelf_fsize(image->elf, ELF_T_SYM, 1, EV_CURRENT);
        int extended = elf_scnshndx(scn);
        if (!data || !data->d_buf || entry == 0)
            continue;
        *table = (struct symbol_table){
            .image = image, .data = data, .strings = image_strings(image, sh.sh_link)};
        table->count = data->d_size / entry;
        if (extended > 0)
            table->extended = image_data(image, elf_getscn(image->elf, (size_t)extended),
                                         &image->budgets->symbols);
        return true;
    }
    return false;
}

bool symbols_open(struct symbol_table *table, const struct image *image)
{
    return open_table(image, SHT_SYMTAB, table) || open_table(image, SHT_DYNSYM, table);
}

bool symbols_take(const struct symbol_table *table, size_t index, struct symbol *symbol)
{
    struct symbol *s = symbol;
    Elf32_Word section = 0;

    if (!gelf_getsymshndx(table->data, table->extended, (int)index, &s->sym, &section))
        return false;
    if (s->sym.st_shndx != SHN_XINDEX)
        section = s->sym.st_shndx;
    else if (!table->extended)
        return false;
    s->section = section;
    if (s->sym.st_shndx == SHN_ABS)
        s->section = 0;
    else if (section == SHN_UNDEF || section >= table->image->section_count)
        return false;
    s->name = strings_at(&table->strings, s->sym.st_name);
    s->type = GELF_ST_TYPE(s->sym.st_info);
    s->bind = GELF_ST_BIND(s->sym.st_info);
    return s->name && s->name[0] != '\0';
}
