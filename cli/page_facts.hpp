// What a page says beside its document: title and the command that repeats it.
#pragma once

#include <string>
#include <utility>

#include "cli/invocation.hpp"
#include "reports/html/page.hpp"

namespace headrace::cli {

inline reports::PageFacts page_facts(const Invocation& call, std::string title = {}) {
  return {std::move(title), call.program};
}

}  // namespace headrace::cli
