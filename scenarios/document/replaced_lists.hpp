// "replaces": ["datasets", "jobs"] of a layer: lists of the layers below that it takes the place of. Without it, lists
// of named records merge by their names, and a job of another name is one more job.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

inline constexpr std::string_view kReplacesKey = "replaces";

/// Why a layer's "replaces" cannot be used, and where.
struct ReplacesError {
  std::string message;
  std::string help;
  Place place;
};

/// Takes "replaces" out of `layer` and what it names out of `base`, with the ranges of inputs that lie in it. Returns
/// what went, as people say it: "job 'train'".
tl::expected<std::vector<std::string>, ReplacesError> drop_replaced(Node& base, Node& layer);

}  // namespace headrace::scenarios
