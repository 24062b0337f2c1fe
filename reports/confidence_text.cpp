#include "reports/confidence_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "models/outcome/outcome.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

std::string grade_of(const Document& confidence) { return words(confidence.value("grade", std::string())); }

std::string line_of(const Document& confidence, const std::string& in, const char* doubt) {
  if (!confidence.is_object()) return {};
  return fmt::format("Confidence{}: {}{}. {}", in, grade_of(confidence), may_change_verdict(confidence) ? doubt : "",
                     text_at(confidence, "reason"));
}

}  // namespace

bool may_change_verdict(const Document& confidence) {
  return confidence.is_object() && confidence.value("may_change_verdict", false);
}

std::string grade_explanation(std::string_view grade) {
  constexpr std::array<std::string_view, models::kConfidenceGradeNames.size()> kMeanings = {
      "A real pipeline ran on the machine of a layer in use, and was compared with its prediction (headrace verify). "
      "Nothing in use lies outside the range of the references.",
      "The scenario lies inside the range of measurements, which others published or this project made, and of "
      "computed "
      "reference cases. headrace evidence SCENARIO names system, source, date and error of each.",
      "A dimension of the scenario lies outside the range of the references, or the GPUs wait in a stage that was "
      "compared with closed forms only, or no measurement lies near. headrace evidence SCENARIO names every part.",
      "An assumed figure limits the answer. State the figure, or measure it with headrace calibrate."};
  const auto found = std::find(models::kConfidenceGradeNames.begin(), models::kConfidenceGradeNames.end(), grade);
  if (found == models::kConfidenceGradeNames.end()) return {};
  return std::string(kMeanings[static_cast<std::size_t>(found - models::kConfidenceGradeNames.begin())]);
}

std::string confidence_line(const Document& confidence, std::string_view of) {
  return line_of(confidence, of.empty() ? "" : fmt::format(" in {}", of), "; the verdict may be wrong");
}

std::string steady_confidence_line(const Document& confidence, bool with_reason) {
  const std::string line = line_of(confidence, " in the steady speed", "; it may be wrong");
  return with_reason || line.empty() ? line : line.substr(0, line.find(". ")) + " (--verbose says why).";
}

std::string verdict_caution(const Document& confidence) {
  if (!may_change_verdict(confidence)) return {};
  return fmt::format("The verdict may be wrong (confidence: {}). {}", grade_of(confidence),
                     text_at(confidence, "reason"));
}

}  // namespace headrace::reports
