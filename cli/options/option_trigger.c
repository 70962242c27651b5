/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions, each with the event at which something happens: spelled as by perf probe. */
#include "option_trigger.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <base/number.h>

#define RETURN   "%return"
#define MARK     "mark:"
#define LONGEST  86400.0
#define WORD_MAX 200

static bool refuse(char *text, const char *word, const char *why)
{
    snprintf(text, OPTION_TEXT, "'%s' %s", word, why);
    return false;
}

/* C++ has functions like operator> and operator%, and templates. */
static bool is_name(const char *word)
{
    bool opens = strchr(word, '<') != NULL, closes = strchr(word, '>') != NULL;

    return strstr(word, "operator") || (opens == closes && !strchr(word, '%'));
}

/* Takes what follows the function's name off word. */
static bool take_moment(char *word, struct option_moment *moment, char *text)
{
    char *longer = strrchr(word, '>'), *exit = strrchr(word, '%');

    *moment = (struct option_moment){.at = OPTION_ENTRY};
    if (exit && strcmp(exit, RETURN) == 0) {
        moment->at = OPTION_EXIT;
        *exit = '\0';
    } else if (exit && isalpha((unsigned char)exit[1])) {
        return refuse(text, word, "has an unknown event: give FUNCTION%return, or FUNCTION>TIME");
    } else if (longer && (isdigit((unsigned char)longer[1]) || longer[1] == '.')) {
        moment->at = OPTION_LONGER;
        if (!isalpha((unsigned char)word[strlen(word) - 1]) ||
            !number_parse_duration(longer + 1, 0, LONGEST, &moment->longer_s))
            return refuse(text, word, "needs a time with a unit, up to 24h, like FUNCTION>20us");
        *longer = '\0';
    }
    return is_name(word) ||
           refuse(text, word, "is no function: give FUNCTION, FUNCTION%return or FUNCTION>20us");
}

/* C++ has namespaces: mark::send is a function. */
static bool is_mark(const char *word)
{
    return strncmp(word, MARK, sizeof(MARK) - 1) == 0 && word[sizeof(MARK) - 1] != ':';
}

/* Takes "mark:3". */
static bool take_mark(const char *word, struct option_moment *moment)
{
    *moment = (struct option_moment){.at = OPTION_MARK};
    return is_mark(word) && number_parse_digits(word + sizeof(MARK) - 1, 10, &moment->mark);
}

static bool parse(const char *list, bool marks, struct option_trigger *trigger, char *text)
{
    for (const char *at = list;; at++) {
        char word[WORD_MAX];
        size_t len = strcspn(at, ",");
        struct option_moment moment;
        snprintf(word, sizeof(word), "%.*s", (int)(len < WORD_MAX ? len : WORD_MAX), at);
        bool mark = marks && take_mark(word, &moment);
        if (marks && !mark && is_mark(word))
            return refuse(text, word, "has no number: give mark:N, like mark:3");
        if ((!mark && !take_moment(word, &moment, text)) ||
            !view_ignore_parse(word, &trigger->functions, text, OPTION_TEXT))
            return false;
        trigger->moments[trigger->functions.count - 1] = moment;
        at += len;
        if (*at == '\0')
            return true;
    }
}

bool option_trigger_parse(const char *list, struct option_trigger *trigger, char *text)
{
    return parse(list, false, trigger, text);
}

bool option_between_parse(const char *list, struct option_trigger *trigger, char *text)
{
    if (!parse(list, true, trigger, text))
        return false;
    for (size_t i = 0; i < trigger->functions.count; i++)
        if (trigger->moments[i].at == OPTION_LONGER)
            return refuse(text, list, "has a duration: give F, F%return or mark:N");
    return trigger->functions.count == 2 ||
           refuse(text, list, "is not two events: give it once, like irq_entry,task_done");
}
