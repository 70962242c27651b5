# SPDX-License-Identifier: GPL-3.0-or-later
find_package(Threads REQUIRED)
mprof_unit_test(stub test_stub.c LIBS mprof_stub Threads::Threads)

# The same sources with other options, and with all blocks.
file(GLOB stub_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/target-stub/src/*.c)
foreach(name options blocks large small)
  mprof_unit_test(stub-${name} test_stub_${name}.c ${stub_sources} LIBS mprof_layout)
  target_include_directories(test-stub-${name} PRIVATE ${PROJECT_SOURCE_DIR}/target-stub/src
    ${PROJECT_SOURCE_DIR}/target-stub/port/host)
endforeach()
target_compile_definitions(test-stub-options
  PRIVATE MPROF_CONFIG_FILE="${CMAKE_CURRENT_LIST_DIR}/data/stub_options.h")
target_compile_definitions(test-stub-blocks PRIVATE MPROF_CALL_CNT=64 MPROF_ARC_CNT=64
  MPROF_STREAM_CNT=32 MPROF_TRACE_CNT=32 MPROF_HIST_CNT=64 MPROF_HIST_BASE=0x10000
  MPROF_FOCUS_CNT=16 MPROF_IGNORE_CNT=2 "MPROF_IGNORE_LIST={0x14000,0x14100}" MPROF_HITCNT_INC=3 MPROF_CUSTOM_SINK=sink MPROF_CALL_SINK=on_call)
target_compile_definitions(test-stub-small PRIVATE MPROF_SMALL=1)
target_compile_definitions(test-stub-large PRIVATE MPROF_CNT=16384 MPROF_CALL_CNT=16384
  MPROF_ARC_CNT=16384)

mprof_unit_test(stub-tasks test_stub_tasks.c ${stub_sources} LIBS mprof-profile mprof_layout)
target_include_directories(test-stub-tasks PRIVATE ${PROJECT_SOURCE_DIR}/target-stub/src
  ${PROJECT_SOURCE_DIR}/target-stub/port/host)
target_compile_definitions(test-stub-tasks
  PRIVATE MPROF_CONFIG_FILE="${CMAKE_CURRENT_LIST_DIR}/data/stub_tasks.h")

mprof_unit_test(stream-overrun test_stream_overrun.c ${stub_sources}
  LIBS mprof-sampler gdbmi-inside mprof_layout)
target_include_directories(test-stream-overrun PRIVATE ${PROJECT_SOURCE_DIR}/target-stub/src
  ${PROJECT_SOURCE_DIR}/target-stub/port/host)
target_compile_definitions(test-stream-overrun PRIVATE MPROF_STREAM_CNT=256)

mprof_unit_test(trace-reader test_trace_reader.c ${stub_sources}
  LIBS mprof-sampler gdbmi-inside mprof_layout)
target_include_directories(test-trace-reader PRIVATE ${PROJECT_SOURCE_DIR}/target-stub/src
  ${PROJECT_SOURCE_DIR}/target-stub/port/host)
target_compile_definitions(test-trace-reader PRIVATE MPROF_CNT=0 MPROF_TRACE_CNT=256)
mprof_unit_test(trace-sent test_trace_sent.c ${stub_sources}
  LIBS mprof-sampler gdbmi-inside mprof_layout)
target_include_directories(test-trace-sent PRIVATE ${PROJECT_SOURCE_DIR}/target-stub/src
  ${PROJECT_SOURCE_DIR}/target-stub/port/host)
target_compile_definitions(test-trace-sent PRIVATE MPROF_CNT=0 MPROF_TRACE_CNT=256)
mprof_unit_test(trace-cores test_trace_cores.c ${stub_sources}
  LIBS mprof-sampler gdbmi-inside mprof_layout)
target_include_directories(test-trace-cores PRIVATE ${PROJECT_SOURCE_DIR}/target-stub/src
  ${PROJECT_SOURCE_DIR}/target-stub/port/host)
target_compile_definitions(test-trace-cores
  PRIVATE MPROF_CONFIG_FILE="${CMAKE_CURRENT_LIST_DIR}/data/stub_cores.h")
mprof_unit_test(systick-time test_systick_time.c LIBS mprof_layout)
target_include_directories(test-systick-time PRIVATE ${PROJECT_SOURCE_DIR}/target-stub/src
  ${PROJECT_SOURCE_DIR}/target-stub/port/host)
target_compile_definitions(test-systick-time PRIVATE MPROF_CNT=0 MPROF_TRACE_CNT=256)

# What wrong options get from the compiler, and that the smallest right ones are taken.
set(stub ${CMAKE_CURRENT_LIST_DIR}/../../target-stub)
set(stub_compile ${CMAKE_C_COMPILER} -std=c99 -fsyntax-only -I${stub}/include -I${stub}/src
  -I${stub}/port/host)
add_test(NAME stub-wrong-count COMMAND ${stub_compile} -DMPROF_CNT=3 ${stub}/src/table.c)
set_tests_properties(stub-wrong-count PROPERTIES
  PASS_REGULAR_EXPRESSION "MPROF_CNT is the number of items, a power of two up to 16384: write 64")
add_test(NAME stub-wrong-large COMMAND ${stub_compile} -DMPROF_CNT=32768 ${stub}/src/table.c)
set_tests_properties(stub-wrong-large PROPERTIES
  PASS_REGULAR_EXPRESSION "MPROF_CNT is the number of items, a power of two up to 16384")
add_test(NAME stub-wrong-grain COMMAND ${stub_compile} -DMPROF_ERR=12 ${stub}/src/table.c)
set_tests_properties(stub-wrong-grain PROPERTIES
  PASS_REGULAR_EXPRESSION "MPROF_ERR is the bytes of code of an item.*: write 8, 16 or 32")
# stub_refuses(NAME PATTERN OPTION...): the compiler says PATTERN.
function(stub_refuses name pattern)
  add_test(NAME stub-wrong-${name} COMMAND ${stub_compile} ${ARGN} ${stub}/src/table.c)
  set_tests_properties(stub-wrong-${name} PROPERTIES PASS_REGULAR_EXPRESSION ${pattern})
endfunction()
stub_refuses(word "no block is chosen: write MPROF_CNT 256" -DMPROF_CNT=many)
stub_refuses(calls "MPROF_CALL_CNT is the number .*: write 64 or 128" -DMPROF_CALL_CNT=100)
stub_refuses(arcs "MPROF_ARC_CNT is the number of arcs.*: write 128" -DMPROF_ARC_CNT=-4)
stub_refuses(many-calls "MPROF_CALL_CNT is the number" -DMPROF_CALL_CNT=32768)
stub_refuses(many-arcs "MPROF_ARC_CNT is the number of arcs" -DMPROF_ARC_CNT=32768)
stub_refuses(stream "MPROF_STREAM_CNT is the number of records.*: write 128" -DMPROF_STREAM_CNT=3)
stub_refuses(trace "MPROF_TRACE_CNT is the number of records.*: write 256" -DMPROF_TRACE_CNT=131072)
stub_refuses(traced "MPROF_TRACED_CNT is the number of ranges" -DMPROF_TRACE_CNT=64 -DMPROF_TRACED_CNT=256)
stub_refuses(untraced "there is no trace: write MPROF_TRACED_CNT 0" -DMPROF_TRACED_CNT=8)
stub_refuses(call-sink "MPROF_CALL_SINK gets calls, and no block counts any" -DMPROF_CALL_SINK=f)
stub_refuses(small-sink "MPROF_SMALL is for a table" -DMPROF_SMALL=1 -DMPROF_CALL_CNT=64 -DMPROF_CALL_SINK=f)
stub_refuses(histogram "write MPROF_HIST_BASE 0x08000000" -DMPROF_HIST_CNT=64)
stub_refuses(entries "MPROF_HIST_CNT is the number of .*: write 1024" -DMPROF_HIST_CNT=-1
  -DMPROF_HIST_BASE=0)
stub_refuses(focus "MPROF_FOCUS_CNT is the number .*: write 128 or 256" -DMPROF_FOCUS_CNT=100)
stub_refuses(focus-alone "the focus divides the hits of the table" -DMPROF_FOCUS_CNT=64
  -DMPROF_CNT=0 -DMPROF_STREAM_CNT=64)
stub_refuses(focus-unit "MPROF_FOCUS_ERR is the bytes of code of an entry" -DMPROF_FOCUS_ERR=32)
stub_refuses(ranges "MPROF_IGNORE_CNT is the number of ranges.*: write 4" -DMPROF_IGNORE_CNT=-2)
stub_refuses(list "MPROF_IGNORE_LIST needs room: write MPROF_IGNORE_CNT" -DMPROF_IGNORE_LIST=1)
stub_refuses(increment "MPROF_HITCNT_INC is what a hit adds: write 1" -DMPROF_HITCNT_INC=0)
stub_refuses(small-trace "MPROF_SMALL is for a table" -DMPROF_SMALL=1 -DMPROF_TRACE_CNT=64)
stub_refuses(small "MPROF_SMALL is for a table of samples and nothing else" -DMPROF_SMALL=1
  -DMPROF_CALL_CNT=64)
stub_refuses(tasks "MPROF_TASK_CNT is the number of .*: write 16 or 32" -DMPROF_TASK=1 -DMPROF_TASK_CNT=256)
stub_refuses(no-task "MPROF_TASK_CNT counts samples by MPROF_TASK" -DMPROF_TASK_CNT=4)
stub_refuses(systick "MPROF_TIME_SYSTICK is for a trace on a Cortex-M"
  -DMPROF_TRACE_CNT=64 -DMPROF_TIME_SYSTICK=1)
stub_refuses(threads "MPROF_THREADS is the number .*: write 2 to 16" -DMPROF_THREADS=17)
stub_refuses(cores "define MPROF_CORE, on RP2040" -DMPROF_CORES=2)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/wrong_source.c
  "#include <mprof/mprof.h>\nvoid f(void);\nvoid f(void)\n{\n    mprof_systick_start(1, 1);\n}\n")
add_test(NAME stub-wrong-source COMMAND ${CMAKE_C_COMPILER} -std=c99 -O1 -I${stub}/include -c
  ${CMAKE_CURRENT_BINARY_DIR}/wrong_source.c -o ${CMAKE_CURRENT_BINARY_DIR}/wrong_source.o)
set_tests_properties(stub-wrong-source PROPERTIES
  PASS_REGULAR_EXPRESSION "no SysTick here: call .*mprof_timer_start")
add_test(NAME stub-smallest COMMAND ${stub_compile} -Wall -Wextra -Werror -DMPROF_CNT=4
  -DMPROF_ERR=2 ${stub}/src/table.c ${stub}/src/init.c ${stub}/src/clear.c ${stub}/src/call.c)

# Entries of mprof/isr.h keep their C names in C++.
find_program(MPROF_ARM_GXX arm-none-eabi-g++)
if(MPROF_ARM_GXX)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/isr_entry.cpp "#include <mprof/isr.h>\n"
    "MPROF_TIMER_ISR(TIM7_IRQHandler)\n{\n}\nMPROF_TICK_ISR(SysTick_Handler, owner);\n"
    "extern \"C\" void TIM7_IRQHandler(void);\nextern \"C\" void SysTick_Handler(void);\n"
    "extern \"C\" void owner(void);\n")
  add_test(NAME stub-isr-c++ COMMAND ${MPROF_ARM_GXX} -mthumb -mcpu=cortex-m3 -Wall -Wextra -Werror
    -ffreestanding -I${stub}/include -c ${CMAKE_CURRENT_BINARY_DIR}/isr_entry.cpp
    -o ${CMAKE_CURRENT_BINARY_DIR}/isr_entry.o)
endif()

# docs/layout.md and docs/trace.md say what the compilers do.
find_program(MPROF_CLANG NAMES clang clang-14)
find_program(MPROF_ARM_GCC arm-none-eabi-gcc)

# The assembly suits the small cores as their compiler is by default.
if(MPROF_ARM_GCC)
  file(GLOB stub_arm_sources CONFIGURE_DEPENDS ${stub}/port/cortex-m/*.c)
  foreach(core cortex-m0 cortex-m23)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/stub-${core})
    add_test(NAME stub-assembles-${core} WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/stub-${core}
      COMMAND ${MPROF_ARM_GCC} -mthumb -mcpu=${core} -std=c99 -Wall -Wextra -Werror -Os
      -ffreestanding -I${stub}/include -I${stub}/src -I${stub}/port/cortex-m -DMPROF_CALL_CNT=64
      -DMPROF_ARC_CNT=64 -DMPROF_STREAM_CNT=32 -DMPROF_HIST_CNT=64 -DMPROF_HIST_BASE=0
      -DMPROF_FOCUS_CNT=64 -DMPROF_TRACE_CNT=64 -DMPROF_TIME_SYSTICK=1 -DMPROF_TASK=0 -c ${stub_sources} ${stub_arm_sources})
  endforeach()
endif()
if(Python3_FOUND)
  set(layout_asserts ${CMAKE_CURRENT_BINARY_DIR}/layout_asserts.c)
  add_test(NAME layout-document COMMAND ${Python3_EXECUTABLE} -B
    ${CMAKE_CURRENT_LIST_DIR}/layout_asserts.py
    ${CMAKE_CURRENT_LIST_DIR}/../../docs/layout.md ${CMAKE_CURRENT_LIST_DIR}/../../docs/trace.md
    ${CMAKE_CURRENT_LIST_DIR}/../../docs/records.md
    ${layout_asserts})
  set_tests_properties(layout-document PROPERTIES FIXTURES_SETUP layout_asserts)
else()
  message(STATUS "the test of docs/layout.md is left out: python3 is missing")
endif()

# layout_test(NAME COMPILER...): the document is right for that compiler.
function(layout_test name)
  add_test(NAME layout-${name} COMMAND ${ARGN} -std=c11 -Wall -Wextra -Werror -fsyntax-only
    -I${stub}/include ${layout_asserts})
  set_tests_properties(layout-${name} PROPERTIES FIXTURES_REQUIRED layout_asserts)
endfunction()

if(Python3_FOUND)
  layout_test(native ${CMAKE_C_COMPILER})
endif()
find_program(MPROF_RISCV_GCC riscv64-unknown-elf-gcc)
set(layout_gcc_arm ${MPROF_ARM_GCC})
set(layout_gcc_riscv ${MPROF_RISCV_GCC})
foreach(core "arm cortex-m0 -mthumb -mcpu=cortex-m0" "arm cortex-m3 -mthumb -mcpu=cortex-m3"
    "arm cortex-m33 -mthumb -mcpu=cortex-m33" "arm big-endian -mthumb -mcpu=cortex-m3 -mbig-endian"
    "riscv rv32 -march=rv32imac -mabi=ilp32" "riscv rv64 -march=rv64imac -mabi=lp64")
  separate_arguments(words UNIX_COMMAND ${core})
  list(POP_FRONT words family name)
  if(Python3_FOUND AND layout_gcc_${family})
    layout_test(gcc-${name} ${layout_gcc_${family}} ${words} -ffreestanding)
  else()
    message(STATUS "the test of docs/layout.md for ${name} is left out: gcc is missing")
  endif()
endforeach()
if(Python3_FOUND AND MPROF_CLANG)
  layout_test(clang ${MPROF_CLANG})
  foreach(target arm-none-eabi riscv32-unknown-elf riscv64-unknown-elf)
    layout_test(clang-${target} ${MPROF_CLANG} --target=${target} -ffreestanding)
  endforeach()
endif()
