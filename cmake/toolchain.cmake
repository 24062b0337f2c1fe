# Flags that the repeatability promise rests on: the same bits for every compiler, so no contraction into fused
# multiply-adds, no -ffast-math, and one baseline instruction set.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_compile_options(-ffp-contract=off -fno-math-errno -fno-trapping-math)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=x86-64-v2)
endif()
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(HEADRACE_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
  # Coroutines are complete in clang 14 but still carry a warning for the experimental switch.
  add_compile_options(-Wno-deprecated-experimental-coroutine)
endif()
# Code that runs once per command, page or test: optimising it as the engine is took a third of a first build's time.
set(HEADRACE_COLD_CODE $<$<CONFIG:Release>:-O1>)
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
