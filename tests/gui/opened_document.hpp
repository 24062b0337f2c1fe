// A scenario as the presenters hold it, without a window.
#pragma once

#include <string>
#include <utility>

#include "gui/presenter/scenario_document.hpp"
#include "tests/catch.hpp"

namespace headrace::gui {

inline ScenarioDocument opened(const std::string& name) {
  auto document = ScenarioDocument::open(name);
  REQUIRE(document);
  return std::move(*document);
}

}  // namespace headrace::gui
