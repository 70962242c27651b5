/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which core the stub takes this one for. It comes before all of a file, so it has no header of the
 * library: those depend on what the file defines first. */
#ifndef THIS_CORE_H
#define THIS_CORE_H

extern volatile __UINT32_TYPE__ this_core;

#endif
