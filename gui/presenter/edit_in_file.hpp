// Where an edit belongs in the file that the user wrote: the file may use short forms ("job" for a list of one), may be
// laid over another one ("extends") and name elements of its lists, and holds remarks that must stay.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/document/scenario_file.hpp"

namespace headrace::gui {

struct Edit;

/// The text with the edits in it; nullopt when the edited text, under the layers, would not mean the scenario that
/// `meant` holds.
std::optional<std::string> edited_text(const std::string& text, const std::string& path,
                                       const std::vector<std::string>& layers, const std::vector<Edit>& edits,
                                       const scenarios::LoadedScenario& meant);

/// A new file over a shipped scenario; nullopt as above.
std::optional<std::string> text_over(const std::string& shipped_name, const std::vector<std::string>& layers,
                                     const std::vector<Edit>& edits, const scenarios::LoadedScenario& meant);

}  // namespace headrace::gui
