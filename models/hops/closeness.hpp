// How closely the time of a batch is known.
#pragma once

#include <cstdint>

namespace headrace::models {

enum class Closeness : std::uint8_t {
  exact,
  close,  ///< no longer than this, by all its draws
  rough,  ///< no longer than this, by the draw that tells most
};

constexpr Closeness closer(Closeness closeness) {
  return closeness == Closeness::rough ? Closeness::close : Closeness::exact;
}

}  // namespace headrace::models
