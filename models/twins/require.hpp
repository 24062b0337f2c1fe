// The check of arguments that closed forms share.
#pragma once

#include <stdexcept>

namespace headrace::models::twins {

/// @throws std::invalid_argument with `what` unless it holds
inline void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

}  // namespace headrace::models::twins
