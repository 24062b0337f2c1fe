// The version of the models. It changes whenever predicted numbers change, so that a result says which models it is
// from.
#pragma once

#include <string_view>

namespace headrace::models {

inline constexpr std::string_view kModelVersion = "2026.5";

}  // namespace headrace::models
