# SPDX-License-Identifier: GPL-3.0-or-later
# What is said where nothing is counted, of files that are none, of times: a program of this host.
if(NOT TARGET process-pie)
  return()
endif()
mprof_system_test(silence)
mprof_system_test(special_files)

# The time of day, as a test makes it up.
add_library(made-clock MODULE made_clock.c)
mprof_target(made-clock)
mprof_system_test(fresh $<TARGET_FILE:made-clock>)

find_program(TMUX tmux)
if(TMUX)
  mprof_system_test(live_safe)
endif()
