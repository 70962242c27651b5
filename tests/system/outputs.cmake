# SPDX-License-Identifier: GPL-3.0-or-later
mprof_system_test(outputs)
