// What is handed to somebody else: the scenario as it is written, every value of it resolved, the answer, and the
// report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

struct BundledFile {
  std::string name;
  std::string text;
};

/// The HTML report of an answer, as `headrace simulate --report` writes it.
std::string report_of(const ScenarioDocument& document, const models::Outcome& outcome);

/// "scenario.headrace.json" (resolved: it needs no other file and no catalogue), "outcome.json", "report.html" and
/// "README.txt" with the command that repeats the answer.
std::vector<BundledFile> bundle_of(const ScenarioDocument& document, const models::Outcome& outcome);

/// Writes it into a folder, which is made. What is wrong, in words; nullopt: nothing.
std::optional<std::string> write_bundle(const std::string& folder, const std::vector<BundledFile>& files);

}  // namespace headrace::gui
