// A parameter as people call it.
#pragma once

#include <string>

#include "gui/presenter/scenario_document.hpp"

namespace headrace::gui {

/// "loader workers" of "/jobs/0/loader/workers", "stores 1 bandwidth" of "/stores/1/bandwidth".
std::string short_name(const std::string& pointer);

/// A key of a file in words: "step_time" is a compute time.
std::string name_of_key(const std::string& key);

/// "store 'objects': bandwidth" of "/stores/1/bandwidth", "loader workers" where the scenario has one job alone: what
/// lists show.
std::string place_name(const ScenarioDocument& document, const std::string& pointer);

}  // namespace headrace::gui
