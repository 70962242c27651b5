# SPDX-License-Identifier: GPL-3.0-or-later
mprof_unit_test(poller test_poller.c LIBS mprof-target)

# The same under ThreadSanitizer, with the few files that two threads use at once. The whole program
# is built so by the preset "thread".
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -fsanitize=thread)
check_c_source_compiles("int main(void) { return 0; }" MPROF_HAS_TSAN)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT MPROF_HAS_TSAN OR MPROF_SANITIZE OR MPROF_SANITIZE_THREAD)
  return()
endif()
find_package(Threads REQUIRED)
set(cli ${PROJECT_SOURCE_DIR}/cli)
mprof_unit_test(poller-thread test_poller.c ${cli}/target/poller.c ${cli}/base/say.c
  ${cli}/base/csv_cell.c ${cli}/base/output_size.c ${cli}/base/signals.c ${cli}/base/text.c
  ${cli}/base/utf8.c LIBS Threads::Threads)
target_include_directories(test-poller-thread PRIVATE ${cli}/target/include ${cli}/base/include)
target_compile_options(test-poller-thread PRIVATE -fsanitize=thread)
target_link_options(test-poller-thread PRIVATE -fsanitize=thread)
