// The closed forms as a browser runs them.
#pragma once

#include <string_view>

namespace headrace::reports {

/// JavaScript: the function Headrace() that emscripten makes, and its WebAssembly, compressed, as packedProgram. Empty:
/// this build is without (HEADRACE_LIVE_PAGE).
std::string_view live_program();

}  // namespace headrace::reports
