# What answers in pages (--report FILE.html --live): the closed forms as WebAssembly, by the packaged emscripten, in the
# program as text. Off, the program says how to have it. See docs/decisions/0173-a-page-that-answers.md.
option(HEADRACE_LIVE_PAGE "Carry the closed forms as WebAssembly for pages that answer (needs em++)" OFF)
set(live_program_cpp ${PROJECT_BINARY_DIR}/generated/live_program.cpp)
target_sources(headrace_html PRIVATE ${live_program_cpp})
if(NOT HEADRACE_LIVE_PAGE)
  file(CONFIGURE OUTPUT ${live_program_cpp} CONTENT
       "#include \"reports/html/live_program.hpp\"\nstd::string_view headrace::reports::live_program() { return {}; }\n" @ONLY)
  return()
endif()

find_program(HEADRACE_EMXX em++ REQUIRED)
find_program(HEADRACE_GZIP gzip REQUIRED)
find_program(HEADRACE_BASE64 base64 REQUIRED)
set(live ${PROJECT_BINARY_DIR}/live)
# Header-only packages alone: the other headers of the system are for another processor.
file(MAKE_DIRECTORY ${live}/packages)
get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
foreach(header IN ITEMS nlohmann/json.hpp boost/version.hpp fmt/format.h tl/expected.hpp Eigen/Core Random123/philox.h)
  cmake_path(GET header PARENT_PATH package)
  find_path(live_folder ${header} HINTS ${eigen} REQUIRED NO_CACHE)
  file(CREATE_LINK ${live_folder}/${package} ${live}/packages/${package} SYMBOLIC)
  unset(live_folder)
endforeach()

# Headers name coroutines, which clang has of itself since 15.
execute_process(COMMAND ${HEADRACE_EMXX} --version OUTPUT_VARIABLE version ERROR_QUIET)
set(coroutines "")
if(version MATCHES "([0-9]+\\.[0-9]+\\.[0-9]+)" AND CMAKE_MATCH_1 VERSION_LESS 3.1.20)
  set(coroutines -fcoroutines-ts)
endif()
set(live_flags -std=c++20 -Os -fexceptions ${coroutines} -ffp-contract=off -fno-math-errno -fno-trapping-math
    -ffunction-sections -fdata-sections -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=.
    -Wno-deprecated-experimental-coroutine -DFMT_HEADER_ONLY ${HEADRACE_JSON_ASSERT}
    -isystem ${PROJECT_SOURCE_DIR}/live/library -isystem ${live}/packages -I${PROJECT_SOURCE_DIR})
# What needs processes or threads stays out: the linker takes what the closed forms reach.
set(live_objects "")
foreach(folder IN ITEMS sim models/answer models/base models/caches models/cluster models/describe models/engine models/hops
                        models/interruptions models/outcome models/path models/sizing models/spec models/study
                        models/twins scenarios/document reports live)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/(sim/(simulation|process)|models/base/task_pool)\\.cpp$")
  if(folder STREQUAL reports)
    list(FILTER sources INCLUDE REGEX "/(humane|live_answer|verdict_text)\\.cpp$")
  elseif(folder STREQUAL models/study)
    list(FILTER sources INCLUDE REGEX "/uncertain_input\\.cpp$")
  endif()
  string(REPLACE / _ unit ${folder})
  list(TRANSFORM sources REPLACE "(.+)" "#include \"\\1\"\n")
  string(JOIN "" content ${sources})
  file(CONFIGURE OUTPUT ${live}/${unit}.cpp CONTENT "${content}" @ONLY)
  add_custom_command(OUTPUT ${live}/${unit}.o
                     COMMAND ${HEADRACE_EMXX} ${live_flags} -MD -MF ${live}/${unit}.d -MT ${live}/${unit}.o
                             -c ${live}/${unit}.cpp -o ${live}/${unit}.o
                     DEPENDS ${live}/${unit}.cpp DEPFILE ${live}/${unit}.d
                     COMMENT "Compiling ${folder} for pages" VERBATIM)
  list(APPEND live_objects ${live}/${unit}.o)
endforeach()
# Where another node than Debian's is first, emscripten does not find Debian's modules for it.
add_custom_command(OUTPUT ${live}/program.js ${live}/program.wasm
                   COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs ${HEADRACE_EMXX} -Os -fexceptions
                           -sENVIRONMENT=web -sMODULARIZE=1 -sEXPORT_NAME=Headrace -sALLOW_MEMORY_GROWTH=1 -sFILESYSTEM=0
                           -sEXPORTED_RUNTIME_METHODS=ccall -sEXPORTED_FUNCTIONS=_headrace_answer,_malloc,_free
                           --no-entry ${live_objects} -o ${live}/program.js
                   DEPENDS ${live_objects} COMMENT "Linking the program of pages" VERBATIM)
add_custom_command(OUTPUT ${live_program_cpp}
                   COMMAND ${CMAKE_COMMAND} -DGLUE=${live}/program.js -DWASM=${live}/program.wasm -DOUTPUT=${live_program_cpp}
                           -DGZIP=${HEADRACE_GZIP} -DBASE64=${HEADRACE_BASE64}
                           -P ${PROJECT_SOURCE_DIR}/cmake/write_live_program.cmake
                   DEPENDS ${live}/program.js ${live}/program.wasm ${PROJECT_SOURCE_DIR}/cmake/write_live_program.cmake
                   COMMENT "Writing the program of pages as text" VERBATIM)
