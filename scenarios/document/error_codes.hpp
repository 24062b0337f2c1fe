// The codes of every complaint about a file, with the page that `headrace explain E0203` prints.
#pragma once

#include <span>
#include <string_view>

namespace headrace::scenarios {

struct ErrorCode {
  std::string_view code;
  std::string_view title;
  std::string_view explanation;  ///< what it means and what to do
};

/// All codes, sorted.
std::span<const ErrorCode> error_codes();

/// The entry of one code, or nullptr.
const ErrorCode* find_error_code(std::string_view code);

}  // namespace headrace::scenarios
