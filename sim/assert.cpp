#include "sim/assert.hpp"

namespace headrace::sim {

void fail_invariant(const char* condition, const char* text) { fail_invariant(condition, std::string(text)); }

void fail_invariant(const char* condition, const std::string& text) {
  throw InternalError(text + " (violated: " + condition + ")");
}

}  // namespace headrace::sim
