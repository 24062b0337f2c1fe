#include "reports/evidence_text.hpp"

#include <fmt/format.h>

#include <vector>

#include "models/base/model_version.hpp"
#include "reports/humane.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

using models::ExtrapolatedDimension;
using Rows = std::vector<std::vector<std::string>>;

std::string outside_text(const std::vector<ExtrapolatedDimension>& dimensions) {
  if (dimensions.empty()) return "inside";
  std::string text;
  for (const ExtrapolatedDimension& d : dimensions) {
    const bool above = d.value > d.high;
    text +=
        fmt::format("{}{} {}: the references {} {}", text.empty() ? "outside: " : "; ", d.dimension,
                    humane_number(d.value, 3), above ? "reach" : "start at", humane_number(above ? d.high : d.low, 3));
  }
  return text;
}

std::string error_line(const models::ErrorBand& error, std::string_view of) {
  const std::string unit = error.unit == "percentage points" ? "points" : error.unit;
  return fmt::format("error: {} off by {:.3g} {} on average, {:.3g} at most, in {}", spoken_name(error.metric),
                     error.mean, unit, error.largest, counted(error.cases, of));
}

void add_line(const std::string& line, const Style& style, std::string& text) {
  text += fmt::format("    {}\n", wrapped(line, style.width, 6));
}

/// What was measured, by whom and when, how far the model was off, and where this scenario lies.
void add_measured(const models::MeasuredPart& part, const Style& style, std::string& text) {
  text += fmt::format("  {}\n", wrapped("Measured: " + part.part, style.width, 4));
  if (!part.system.empty()) add_line("system: " + part.system, style, text);
  if (!part.source.empty()) add_line("source: " + part.source, style, text);
  if (!part.date.empty()) add_line("date: " + part.date, style, text);
  add_line(error_line(part.error, "result"), style, text);
  add_line("this scenario: " + outside_text(part.extrapolates), style, text);
}

/// Cases with an exact or a simulated answer, which show that the program computes what it models, and no more.
void add_computed(const models::EvidenceReport& evidence, const Style& style, std::string& text) {
  if (evidence.nearest_case.empty()) return;
  text += fmt::format("  {}\n", wrapped("Computed, no measurement: " + evidence.nearest_case, style.width, 4));
  add_line(fmt::format("source: exact and simulated answers of the project's tests, models {}", models::kModelVersion),
           style, text);
  if (evidence.error) add_line(error_line(*evidence.error, "case"), style, text);
  add_line("this scenario: " + outside_text(evidence.extrapolates), style, text);
}

}  // namespace

std::string evidence_text(const models::Outcome& outcome, const Style& style) {
  const models::EvidenceReport& evidence = outcome.evidence;
  std::string text;
  for (const models::MeasuredPart& part : evidence.measured) add_measured(part, style, text);
  if (evidence.measured.empty()) text += "  No measurement lies near this scenario.\n";
  add_computed(evidence, style, text);
  if (!evidence.not_validated.empty()) text += "  In use, but not validated by a measurement:\n";
  for (const std::string& part : evidence.not_validated) add_line(part, style, text);
  return text +
         "  headrace explain accuracy lists every comparison with its rows, headrace\n"
         "  explain validation how each was made.\n";
}

}  // namespace headrace::reports
