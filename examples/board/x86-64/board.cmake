# SPDX-License-Identifier: 0BSD
# A process under Linux on x86-64: simulated firmware.
set(board_family linux)
set(board_machine -m64)
