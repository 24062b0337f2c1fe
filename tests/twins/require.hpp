// What the twins check of their arguments.
#pragma once

#include <stdexcept>

namespace headrace::models::twins {

inline void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

}  // namespace headrace::models::twins
