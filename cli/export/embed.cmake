# SPDX-License-Identifier: GPL-3.0-or-later
# Files as arrays of bytes in a C source.
#
#   cmake -DOUT=FILE.c -Dhtml_style=FILE -Dhtml_script=FILE -P embed.cmake
set(text "/* Made by embed.cmake. */\n#include \"html.h\"\n")
foreach(name html_style html_script)
  file(READ "${${name}}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "\nconst char ${name}[] = {${bytes}0x00};\n")
endforeach()
file(WRITE "${OUT}" "${text}")
