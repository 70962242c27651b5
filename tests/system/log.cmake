# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET process-fixed)
  mprof_system_test(log)
endif()
