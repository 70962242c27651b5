# SPDX-License-Identifier: GPL-3.0-or-later
# The articles' tables: firmware of the tests on the core, and programs of this host.
find_program(QEMU_SYSTEM_ARM qemu-system-arm)
if(NOT TARGET firmware-core-tests OR NOT QEMU_SYSTEM_ARM OR
    NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|aarch64|riscv64")
  message(STATUS "tests of the articles' tables are left out: a cross compiler or QEMU is missing, "
    "or this machine has not 64 bits")
  return()
endif()

set(articles_dir ${CMAKE_CURRENT_SOURCE_DIR}/../core/firmware)
foreach(kind pie no-pie)
  add_executable(articles-${kind} process.c articles_feed.c ${articles_dir}/articles.c)
  mprof_target(articles-${kind})
  target_include_directories(articles-${kind} PRIVATE ${articles_dir}
    ${PROJECT_SOURCE_DIR}/target-stub/include)
  target_compile_options(articles-${kind} PRIVATE -O1 -g)
  target_link_options(articles-${kind} PRIVATE -${kind})
endforeach()
target_compile_options(articles-pie PRIVATE -fPIE)
target_compile_options(articles-no-pie PRIVATE -fno-pie)

# Programs with a ring of calls of their own.
foreach(kind counted index pointer plain)
  string(TOUPPER ${kind} define)
  add_executable(ring-${kind} ring.c)
  mprof_target(ring-${kind})
  target_compile_options(ring-${kind} PRIVATE -O1 -g)
  target_compile_definitions(ring-${kind} PRIVATE ${define})
endforeach()
foreach(kind counted index)
  target_compile_options(ring-${kind} PRIVATE -fno-pie)
  target_link_options(ring-${kind} PRIVATE -no-pie)
endforeach()

mprof_system_test(articles)
mprof_system_test(ring)
