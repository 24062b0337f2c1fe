// The command line that gives what the window shows.
#pragma once

#include <string>
#include <vector>

#include "gui/presenter/scenario_document.hpp"

namespace headrace::gui {

/// "headrace simulate FILE --set '/jobs/0/loader/workers=16'", quoted for a POSIX shell.
std::string command_text(const ScenarioDocument& document);

/// One word for a POSIX shell.
std::string shell_word(const std::string& word);

}  // namespace headrace::gui
