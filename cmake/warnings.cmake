# SPDX-License-Identifier: GPL-3.0-or-later
set(MPROF_SANITIZERS -fsanitize=address,undefined)
# libFuzzer, which is clang's, follows the branches of what it is to test.
set(MPROF_SANITIZERS_OF_CODE ${MPROF_SANITIZERS})
if(CMAKE_C_COMPILER_ID MATCHES Clang)
  list(APPEND MPROF_SANITIZERS_OF_CODE -fsanitize=fuzzer-no-link)
  # The sanitizers' libraries are in each program: this linker takes half as long over that.
  find_program(MPROF_LLD ld.lld)
  if(MPROF_LLD)
    list(APPEND MPROF_SANITIZERS -fuse-ld=lld)
  endif()
endif()

# mprof_target(NAME): what every target of ours is compiled with.
function(mprof_target name)
  target_compile_options(${name} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
    -Wcast-qual -Wwrite-strings -Wvla -Wformat=2 -Wundef -Wimplicit-fallthrough)
  if(MPROF_WERROR)
    target_compile_options(${name} PRIVATE -Werror)
  endif()
  if(MPROF_SANITIZE)
    target_compile_options(${name} PRIVATE ${MPROF_SANITIZERS_OF_CODE} -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC ${MPROF_SANITIZERS})
  endif()
  if(MPROF_SANITIZE_THREAD)
    target_compile_options(${name} PRIVATE -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC -fsanitize=thread)
  endif()
endfunction()
