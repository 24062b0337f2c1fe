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

/// "Confidence in the steady speed: extrapolated; it may be wrong".
std::string grade_line(const Document& confidence, const std::string& in, const char* doubt) {
  return fmt::format("Confidence{}: {}{}", in, grade_of(confidence), may_change_verdict(confidence) ? doubt : "");
}

std::string reasoned_line(const Document& confidence, const std::string& in, const char* doubt, bool with_reason) {
  if (!confidence.is_object()) return {};
  return grade_line(confidence, in, doubt) +
         (with_reason ? ". " + text_at(confidence, "reason") : " (--verbose says why).");
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
      "What decides the answer is assumed: a figure that limits it, a range in which the verdict turns, or figures "
      "that "
      "the scenario leaves out and that count as perfect. State the figure, or measure it with headrace calibrate."};
  const auto found = std::find(models::kConfidenceGradeNames.begin(), models::kConfidenceGradeNames.end(), grade);
  if (found == models::kConfidenceGradeNames.end()) return {};
  return std::string(kMeanings[static_cast<std::size_t>(found - models::kConfidenceGradeNames.begin())]);
}

std::string confidence_line(const Document& confidence, std::string_view of) {
  if (!confidence.is_object()) return {};
  const std::string in = of.empty() ? "" : fmt::format(" in {}", of);
  return grade_line(confidence, in, "; the verdict may be wrong") + ". " + text_at(confidence, "reason");
}

std::string steady_confidence_line(const Document& confidence, bool with_reason) {
  return reasoned_line(confidence, " in the steady speed", "; it may be wrong", with_reason);
}

std::string requirements_confidence_line(const Document& confidence, bool with_reason) {
  return reasoned_line(confidence, " in these figures", "; they may be wrong",
                       with_reason || may_change_verdict(confidence));
}

std::string verdict_caution(const Document& confidence) {
  if (!may_change_verdict(confidence)) return {};
  return fmt::format("The verdict may be wrong (confidence: {}). {}", grade_of(confidence),
                     text_at(confidence, "reason"));
}

}  // namespace headrace::reports
