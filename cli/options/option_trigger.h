/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of --start-at, --stop-at and --between. */
#ifndef OPTIONS_OPTION_TRIGGER_H
#define OPTIONS_OPTION_TRIGGER_H

#include <options/option_table.h>

/* Adds the functions of a list like "init,uart_*%return,flash_write>2ms". Returns false, and writes
 * one line to text (OPTION_TEXT bytes), if the list is wrong. */
bool option_trigger_parse(const char *list, struct option_trigger *trigger, char *text)
    __attribute__((warn_unused_result));

/* Takes two events like "irq_entry,mark:3" or "f,f%return". Returns as option_trigger_parse(). */
bool option_between_parse(const char *list, struct option_trigger *trigger, char *text)
    __attribute__((warn_unused_result));

#endif
