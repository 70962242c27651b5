# SPDX-License-Identifier: GPL-3.0-or-later
# mprof_target(NAME): what every target of ours is compiled with.
function(mprof_target name)
  target_compile_options(${name} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
    -Wcast-qual -Wwrite-strings -Wvla -Wformat=2 -Wundef -Wimplicit-fallthrough)
  if(MPROF_WERROR)
    target_compile_options(${name} PRIVATE -Werror)
  endif()
  if(MPROF_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()
