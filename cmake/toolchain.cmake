# Flags that the repeatability promise rests on: the same bits for every compiler, so no contraction into fused
# multiply-adds, no -ffast-math, and one baseline instruction set.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_compile_options(-ffp-contract=off -fno-math-errno -fno-trapping-math)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=x86-64-v2)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A string instruction takes longer to begin than a record of some hundred bytes takes to clear or copy.
    set(HEADRACE_STRATEGY unrolled_loop:256:noalign,libcall:-1:noalign)
    add_compile_options(-mmemset-strategy=${HEADRACE_STRATEGY} -mmemcpy-strategy=${HEADRACE_STRATEGY})
  endif()
endif()
# Hardening: overruns of the stack and of copies end the program, and what the loader fills cannot be written afterwards.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
add_compile_options(-fstack-protector-strong -fstack-clash-protection $<$<CONFIG:Release>:-U_FORTIFY_SOURCE>
                    $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The compiler looks for garbage from 0.6 GB on, not from 0.1 GB: a seventh of its time.
  add_compile_options(--param=ggc-min-heapsize=600000)
endif()
if(HEADRACE_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
  # Coroutines are complete in clang 14 but still carry a warning for the experimental switch.
  add_compile_options(-Wno-deprecated-experimental-coroutine)
endif()
# Code that runs once per command or page: optimising it as the engine is took a third of a first build's time.
set(HEADRACE_COLD_CODE $<$<CONFIG:Release>:-O1>)
# Tests themselves take up to twice as long to compile with any. Without optimisation there is nothing to fortify.
set(HEADRACE_TEST_CODE $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> -O0)
# Searched for once per build folder: a ccache that is installed later would compile everything again.
if(NOT DEFINED CACHE{HEADRACE_CCACHE})
  find_program(ccache_program ccache NO_CACHE)
  set(HEADRACE_CCACHE ${ccache_program} CACHE FILEPATH "Compiler cache of this build folder")
endif()
if(HEADRACE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache keeps what was compiled with precompiled headers only if it may ignore their macros and times. With the base
  # folder, clones share entries.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${HEADRACE_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  else()
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()
