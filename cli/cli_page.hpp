// The reference page of the command line, in Markdown.
#pragma once

#include <string>

namespace headrace::cli {

std::string cli_page();

}  // namespace headrace::cli
