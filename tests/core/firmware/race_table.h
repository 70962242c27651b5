/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A door to the table's private state. */
#ifndef RACE_TABLE_H
#define RACE_TABLE_H

/* Makes the next miss in a full set replace a row (1) or be dropped (0). */
void race_admit(int admit);

#endif
