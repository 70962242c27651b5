# SPDX-License-Identifier: 0BSD
# Firmware for the Cortex-M3 of QEMU's mps2-an385, whatever MPROF_BOARD says.
set(MPROF_BOARD cortex-m3)
include(${CMAKE_CURRENT_LIST_DIR}/firmware.cmake)
