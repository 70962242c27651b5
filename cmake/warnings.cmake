# SPDX-License-Identifier: GPL-3.0-or-later
set(MPROF_SANITIZERS -fsanitize=address,undefined)
set(MPROF_SANITIZERS_OF_LINKS ${MPROF_SANITIZERS})
# What fuzzers and the longest unit tests run. Under sanitizers optimized code takes four times as
# long to compile, so the rest is not optimized; and libFuzzer, which is clang's, follows the branches
# of what it tests only.
set(MPROF_FUZZED "^(gdbmi.*|fuzz-.*|mprof-(base|coverage-model|export|gate|profile|profile-stacks\
|sampler|snapshot|symbol.*|trace|trace-view|unwind|wander))$")
set(MPROF_SANITIZERS_OF_FUZZED -O1)
if(CMAKE_C_COMPILER_ID MATCHES Clang)
  list(APPEND MPROF_SANITIZERS_OF_FUZZED -fsanitize=fuzzer-no-link)
  # The sanitizers' libraries are in each program: this linker takes half as long over that.
  find_program(MPROF_LLD ld.lld)
  if(MPROF_LLD)
    list(APPEND MPROF_SANITIZERS_OF_LINKS -fuse-ld=lld)
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
    if(name MATCHES "${MPROF_FUZZED}")
      target_compile_options(${name} PRIVATE ${MPROF_SANITIZERS_OF_FUZZED})
    endif()
    target_compile_options(${name} PRIVATE ${MPROF_SANITIZERS} -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC ${MPROF_SANITIZERS_OF_LINKS})
  endif()
  if(MPROF_SANITIZE_THREAD)
    target_compile_options(${name} PRIVATE -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC -fsanitize=thread)
  endif()
endfunction()
