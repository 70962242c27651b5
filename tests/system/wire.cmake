# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET wire-links AND TARGET mprof-rig AND TARGET firmware-cortex-m3)
  mprof_system_test(wire $<TARGET_FILE:wire-links>)
endif()
