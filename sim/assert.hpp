// Invariants that hold in every build. A broken one is a defect of the program, never of the input: the program turns
// it into exit code 4.
#pragma once

#include <stdexcept>
#include <string>

namespace headrace::sim {

/// A broken invariant of the simulator itself.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws InternalError; out of line so that a check costs one compare and one untaken branch.
[[noreturn]] void fail_invariant(const char* condition, const char* text);
[[noreturn]] void fail_invariant(const char* condition, const std::string& text);

}  // namespace headrace::sim

/// Checks `condition` in release builds too; throws headrace::sim::InternalError with `text` (evaluated only then).
#define HEADRACE_ASSERT(condition, text)                 \
  do {                                                   \
    if (!(condition)) [[unlikely]] {                     \
      ::headrace::sim::fail_invariant(#condition, text); \
    }                                                    \
  } while (false)
