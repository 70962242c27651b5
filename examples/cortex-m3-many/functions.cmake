# SPDX-License-Identifier: 0BSD
# generate_functions(FILE): 300 functions, f000 to f299, whose costs are skewed.
#
# The dearest takes 200000 turns. Each of the next 19 takes 15 % less than the one before it, and
# the eleventh another 30 % less, so that the first ten stand apart. All others take 4000. The ranks
# are scattered: the function of rank r (from 0) is number (89 r + 41) mod 300.
function(generate_functions file)
  set(cost 200000)
  foreach(rank RANGE 299)
    math(EXPR number "(89 * ${rank} + 41) % 300")
    if(rank EQUAL 10)
      math(EXPR cost "${cost} * 70 / 100")
    endif()
    if(rank LESS 20)
      set(turns_${number} ${cost})
    else()
      set(turns_${number} 4000)
    endif()
    math(EXPR cost "${cost} * 85 / 100")
  endforeach()

  set(bodies "")
  set(names "")
  foreach(number RANGE 299)
    math(EXPR digits "1000 + ${number}")
    string(SUBSTRING ${digits} 1 3 digits)
    string(APPEND bodies "KEEP_APART static void f${digits}(void)\n{\n"
      "    work_long(${turns_${number}});\n}\n\n")
    string(APPEND names "    f${digits},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
"/* SPDX-License-Identifier: 0BSD */
/* Made by functions.cmake. */
#include \"functions.h\"

@bodies@const function_t functions[FUNCTIONS] = {
@names@};
")
endfunction()
