# The probes of GPUs, a library of their own that the program loads at run time and never links: built where nvcc is found.
# nvcc is called as a program, so that the project needs no language CUDA and none of its flags reach the other compilers.
option(HEADRACE_CUDA "Build the probes of GPUs where nvcc is found" ON)
if(HEADRACE_CUDA)
  find_program(HEADRACE_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  mark_as_advanced(HEADRACE_NVCC)
endif()
if(HEADRACE_CUDA AND HEADRACE_NVCC)
  set(gpu_library ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/libheadrace_cuda.so)
  set(gpu_source ${PROJECT_SOURCE_DIR}/models/calibration/cuda/gpu_probes.cu)
  set(gpu_header ${PROJECT_SOURCE_DIR}/models/calibration/cuda/gpu_interface.h)
  # An explicit list instead of nvcc's default would have to follow its versions: the driver compiles for newer GPUs.
  add_custom_command(
    OUTPUT ${gpu_library}
    COMMAND ${HEADRACE_NVCC} -std=c++17 -O2 -I${PROJECT_SOURCE_DIR} -Xcompiler -fPIC,-Wall,-Wextra -shared -cudart static
            ${gpu_source} -o ${gpu_library} -ldl
    DEPENDS ${gpu_source} ${gpu_header}
    COMMENT "Compiling the probes of GPUs"
    VERBATIM)
  add_custom_target(headrace_cuda ALL DEPENDS ${gpu_library})
  install(FILES ${gpu_library} DESTINATION ${CMAKE_INSTALL_LIBDIR}/headrace COMPONENT cuda OPTIONAL)
else()
  message(STATUS "calibrate: built without the probes of GPUs (no nvcc)")
endif()
