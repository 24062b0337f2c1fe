// What `headrace --version` says.
#pragma once

#include <string>

namespace headrace::cli {

/// "headrace 0.1.0 (models 2026.5, outcome format 1.0)".
std::string version_text();

}  // namespace headrace::cli
