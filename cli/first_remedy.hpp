// The change of a drafted scenario that shortens the waits of GPUs most, among those that anybody can make.
#pragma once

#include <optional>
#include <string>

#include "scenarios/document/catalogue.hpp"

namespace headrace::cli {

struct Remedy {
  std::string change;          ///< "pack 1000 samples into each file"
  double idle_fraction = 0.0;  ///< of GPU time, with the change
};

/// By the queueing estimate. nullopt where no change takes a point off `idle_fraction`, the waits without it.
std::optional<Remedy> first_remedy(const std::string& draft, double idle_fraction,
                                   const scenarios::Catalogue& catalogue);

}  // namespace headrace::cli
