/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words that the value of an option may be, for its setter, for --help and for completion. */
#include "option_words.h"

#include <options/option_table.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *const option_samplers[OPTION_SAMPLERS] = {"auto",   "table",     "calls", "arcs",
                                                      "stream", "histogram", "pcsr",  "halt"};

const char *const option_bys[OPTION_BYS] = {"function", "line",   "file",    "address",
                                            "arc",      "inline", "context", "total"};

const char *const option_formats[OPTION_FORMATS] = {
    [FORMAT_TABLE] = "table",
    [FORMAT_JSON] = "json",
    [FORMAT_CSV] = "csv",
    [FORMAT_MARKDOWN] = "markdown",
};

size_t option_list_formats(unsigned accepted, const char *names[OPTION_FORMATS])
{
    size_t count = 0;

    for (size_t i = 0; i < OPTION_FORMATS; i++) {
        if (accepted == 0 || (accepted & 1U << i))
            names[count++] = option_formats[i];
    }
    return count;
}

static const char *word_at(const char *const *words, size_t count, size_t index)
{
    return index < count ? words[index] : NULL;
}

const char *option_word(enum option_value type, size_t index)
{
    static const char *const pers[] = {"iteration", "second", "median", "function:"};
    static const char *const tcls[] = {GDBMI_TCL_NONE};

    switch (type) {
    case VALUE_BY:
        return word_at(option_bys, OPTION_BYS, index);
    case VALUE_PER:
        return word_at(pers, COUNT(pers), index);
    case VALUE_SAMPLER:
        return word_at(option_samplers, OPTION_SAMPLERS, index);
    case VALUE_FORMAT:
        return word_at(option_formats, OPTION_FORMATS, index);
    case VALUE_EXPORTER:
        return exporters[index].name;
    case VALUE_TCL:
        return word_at(tcls, COUNT(tcls), index);
    case VALUE_OTHER:
    case VALUE_PATH:
    case VALUE_FUNCTIONS:
    case VALUE_COLUMNS:
    case VALUE_CHANGE_COLUMNS:
        break;
    }
    return NULL;
}
