# What the probes of `headrace calibrate` use beside the kernel, each optional: without liburing reads go through threads,
# without a codec its decoding is not measured, without libcurl no object store is.
add_library(headrace_probe_libraries INTERFACE)

# headrace_probe_library(<name> <header> <library>): defines HEADRACE_HAS_<NAME> where both are found.
function(headrace_probe_library name header library)
  find_path(HEADRACE_${name}_INCLUDE ${header})
  find_library(HEADRACE_${name}_LIBRARY ${library})
  mark_as_advanced(HEADRACE_${name}_INCLUDE HEADRACE_${name}_LIBRARY)
  if(HEADRACE_${name}_INCLUDE AND HEADRACE_${name}_LIBRARY AND HEADRACE_PROBE_LIBRARIES)
    target_include_directories(headrace_probe_libraries SYSTEM INTERFACE ${HEADRACE_${name}_INCLUDE})
    target_link_libraries(headrace_probe_libraries INTERFACE ${HEADRACE_${name}_LIBRARY})
    target_compile_definitions(headrace_probe_libraries INTERFACE HEADRACE_HAS_${name})
  else()
    message(STATUS "calibrate: built without ${library}")
  endif()
endfunction()

option(HEADRACE_PROBE_LIBRARIES "Use liburing, lz4, zstd, zlib, libjpeg, libcrypto and libcurl in calibrate where they are found" ON)
headrace_probe_library(LIBURING liburing.h uring)
headrace_probe_library(LZ4 lz4.h lz4)
headrace_probe_library(ZSTD zstd.h zstd)
headrace_probe_library(ZLIB zlib.h z)
headrace_probe_library(JPEG jpeglib.h jpeg)

# Opened at run time (codec_probes.cpp, s3_client.cpp in models/calibration/): the header is enough.
function(headrace_run_time_library name header library)
  find_path(HEADRACE_${name}_INCLUDE ${header})
  mark_as_advanced(HEADRACE_${name}_INCLUDE)
  if(HEADRACE_${name}_INCLUDE AND HEADRACE_PROBE_LIBRARIES)
    target_include_directories(headrace_probe_libraries SYSTEM INTERFACE ${HEADRACE_${name}_INCLUDE})
    target_compile_definitions(headrace_probe_libraries INTERFACE HEADRACE_HAS_${name})
  else()
    message(STATUS "calibrate: built without ${library}")
  endif()
endfunction()

headrace_run_time_library(CRYPTO openssl/evp.h libcrypto)
headrace_run_time_library(CURL curl/curl.h libcurl)
