# headrace_folder(<folder> [EXCEPT rooms...] [PUBLIC targets...] [PRIVATE targets...] [SYSTEM_INCLUDES dirs...])
# Makes the library headrace::<folder> from every source in the folder, without the rooms of it that are libraries of
# their own (EXCEPT). Its headers are reached from the root ("sim/calendar.hpp"), but only through a private copy of the
# include tree that holds the folder and what it may include: a wrong include is a build error, not a habit.
function(headrace_folder folder)
  cmake_parse_arguments(ARG "" "" "EXCEPT;PUBLIC;PRIVATE;SYSTEM_INCLUDES" ${ARGN})
  headrace_headers(${folder} PUBLIC ${ARG_PUBLIC} SYSTEM_INCLUDES ${ARG_SYSTEM_INCLUDES})
  headrace_make(${folder} ${folder} FILES *.cpp EXCEPT ${ARG_EXCEPT} PUBLIC headrace_${folder}_headers PRIVATE ${ARG_PRIVATE})
endfunction()

# headrace_rooms(<folder> ROOMS rooms... [PUBLIC targets...]): a folder of which every room is a library of its own, so that
# a program builds only the rooms that it links. headrace::<folder> is all of them; headrace_room() makes each.
function(headrace_rooms folder)
  cmake_parse_arguments(ARG "" "" "ROOMS;PUBLIC" ${ARGN})
  headrace_headers(${folder} PUBLIC ${ARG_PUBLIC})
  add_library(headrace_${folder} INTERFACE)
  list(TRANSFORM ARG_ROOMS PREPEND headrace_)
  target_link_libraries(headrace_${folder} INTERFACE ${ARG_ROOMS})
  add_library(headrace::${folder} ALIAS headrace_${folder})
endfunction()

# headrace_room(<folder> <room> [FILES patterns...] [EXCEPT patterns...] [PUBLIC targets...] [PRIVATE targets...])
# A room of a folder as a library of its own, headrace::<room>, from the sources in folder/room, or from those that FILES
# names. It links the headers of the folder and what PUBLIC and PRIVATE name, such as the rooms before it.
function(headrace_room folder room)
  cmake_parse_arguments(ARG "" "" "FILES" ${ARGN})
  if(NOT ARG_FILES)
    set(ARG_FILES ${room}/*.cpp)
  endif()
  headrace_make(${room} ${folder} FILES ${ARG_FILES} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(headrace_${room} PUBLIC headrace_${folder}_headers)
endfunction()

# headrace_headers(<folder> [PUBLIC targets...] [SYSTEM_INCLUDES dirs...]): what every source of a folder sees.
function(headrace_headers folder)
  cmake_parse_arguments(ARG "" "" "PUBLIC;SYSTEM_INCLUDES" ${ARGN})
  set(view ${PROJECT_BINARY_DIR}/include/${folder})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${view}/${folder} SYMBOLIC)
  add_library(headrace_${folder}_headers INTERFACE)
  target_include_directories(headrace_${folder}_headers INTERFACE ${view})
  target_include_directories(headrace_${folder}_headers SYSTEM INTERFACE ${ARG_SYSTEM_INCLUDES})
  target_link_libraries(headrace_${folder}_headers INTERFACE ${ARG_PUBLIC})
endfunction()

# headrace_make(<name> <folder> FILES patterns... [EXCEPT patterns...] [PUBLIC targets...] [PRIVATE targets...])
# The library headrace::<name> from the sources whose paths in the folder match FILES, without the folders and sources that EXCEPT names.
function(headrace_make name folder)
  cmake_parse_arguments(ARG "" "" "FILES;EXCEPT;PUBLIC;PRIVATE" ${ARGN})
  list(TRANSFORM ARG_FILES PREPEND ${PROJECT_SOURCE_DIR}/${folder}/)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ARG_FILES})
  foreach(except IN LISTS ARG_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "/${folder}/${except}[/.]")
  endforeach()
  add_library(headrace_${name} STATIC ${sources})
  target_link_libraries(headrace_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  headrace_unity(headrace_${name})
  add_library(headrace::${name} ALIAS headrace_${name})
endfunction()
