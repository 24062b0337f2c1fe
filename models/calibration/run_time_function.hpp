// Functions of libraries that are opened while the program runs, so that neither its start nor its installation needs
// them.
#pragma once

#include <dlfcn.h>

#include <cstring>

namespace headrace::models::calibration {

/// Null where there is no library, or none of that name in it.
template <class Function>
Function* run_time_function(void* library, const char* name) {
  void* symbol = library == nullptr ? nullptr : ::dlsym(library, name);
  Function* function = nullptr;
  static_assert(sizeof symbol == sizeof function);
  std::memcpy(&function, &symbol, sizeof function);  // the way that POSIX leaves for pointers to functions
  return function;
}

}  // namespace headrace::models::calibration
