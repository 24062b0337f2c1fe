// The document as it was a moment ago, kept so that a crash or a power cut takes nothing away.
#pragma once

#include <optional>
#include <string>

#include "gui/presenter/scenario_document.hpp"

namespace headrace::gui {

struct Autosaved {
  std::string path;  ///< file or shipped name that it was opened from
  std::string text;
};

/// Writes it; says nothing when it cannot, since it is a convenience.
void write_autosave(const std::string& file, const ScenarioDocument& document);

/// What is there, unless it cannot be read any more.
std::optional<Autosaved> read_autosave(const std::string& file);

}  // namespace headrace::gui
