# SPDX-License-Identifier: GPL-3.0-or-later
# What is said where nothing is counted, of files that are none, of times: a program of this host.
if(NOT TARGET process-pie)
  return()
endif()
mprof_system_test(special_files)
