# headrace_unity(<target>): compiles the sources of a folder together, some sixteen at a time, so that their headers are
# parsed once. Names in anonymous namespaces are therefore unique within a folder. On in the release preset and those that
# inherit it; off for everyday work, where one source is compiled again after an edit.
option(HEADRACE_UNITY_BUILD "Compile the sources of a folder together" OFF)
set(HEADRACE_UNITY_SOURCES 16)  # per unit: a compiler stays below 1 GiB
function(headrace_unity target)
  if(NOT HEADRACE_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # g++ takes an included source for a header, whose types must not hold those of an anonymous namespace; and where it sees
  # more to inline, g++ 12 warns about overflows in std::string and fmt that cannot happen (GCC bug 105329).
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage -Wno-stringop-overflow>)
  get_target_property(sources ${target} SOURCES)
  set(folders "")
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND in_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH in_${folder} count)
    math(EXPR units "(${count} + ${HEADRACE_UNITY_SOURCES} - 1) / ${HEADRACE_UNITY_SOURCES}")
    math(EXPR per_unit "(${count} + ${units} - 1) / ${units}")
    set(index 0)
    foreach(source IN LISTS in_${folder})
      math(EXPR unit "${index} / ${per_unit}")
      math(EXPR index "${index} + 1")
      set_source_files_properties(${PROJECT_SOURCE_DIR}/${source} TARGET_DIRECTORY ${target}
                                  PROPERTIES UNITY_GROUP ${folder}_${unit})
    endforeach()
  endforeach()
endfunction()
