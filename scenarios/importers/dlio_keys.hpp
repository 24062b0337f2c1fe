// The keys of a workload file of the DLIO benchmark, so that a misspelt one is an error instead of a default.
#pragma once

#include <span>
#include <string_view>

namespace headrace::scenarios {

/// Dotted paths. A section that ends in ".*" may hold anything: no answer depends on it.
std::span<const std::string_view> dlio_keys();

}  // namespace headrace::scenarios
