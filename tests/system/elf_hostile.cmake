# SPDX-License-Identifier: GPL-3.0-or-later
# ELF files that are made to harm; they are made by the test.
mprof_system_test(elf_hostile)
set_tests_properties(system-elf_hostile PROPERTIES TIMEOUT 1200) # for hangs only
