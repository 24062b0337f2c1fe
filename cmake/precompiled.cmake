# headrace_precompile(<target> [headers...] | REUSE_FROM <other>): the headers of the standard library and of the packages that nearly every
# source of the target reads, parsed once. A source still includes what it uses: the minimal build does without.
option(HEADRACE_PRECOMPILED_HEADERS "Parse the headers of libraries once per target" ON)
function(headrace_precompile target)
  if(NOT HEADRACE_PRECOMPILED_HEADERS)
    return()
  endif()
  if("REUSE_FROM" IN_LIST ARGN)
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <span> <stdexcept> <string>
      <string_view> <utility> <variant> <vector> ${ARGN})
  endif()
endfunction()
