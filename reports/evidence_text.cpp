#include "reports/evidence_text.hpp"

#include <fmt/format.h>

#include <vector>

#include "reports/humane.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

using models::ExtrapolatedDimension;
using Rows = std::vector<std::vector<std::string>>;

std::string error_text(const models::ErrorBand& error) {
  const std::string unit = error.unit == "percentage points" ? "points" : error.unit;
  return fmt::format("{} to {} {}", humane_number(error.mean, 3), humane_number(error.largest, 3), unit);
}

std::string outside_text(const std::vector<ExtrapolatedDimension>& dimensions) {
  if (dimensions.empty()) return "inside";
  std::string text;
  for (const ExtrapolatedDimension& d : dimensions) {
    const bool above = d.value > d.high;
    text +=
        fmt::format("{}{} {}: the references {} {}", text.empty() ? "" : "; ", d.dimension, humane_number(d.value, 3),
                    above ? "reach" : "start at", humane_number(above ? d.high : d.low, 3));
  }
  return text;
}

/// What was compared, how far it was off (mean to largest), and where this scenario lies.
void add_part(const std::string& part, const models::ErrorBand* error,
              const std::vector<ExtrapolatedDimension>& outside, const Style& style, std::string& text) {
  text += fmt::format("  {}\n", wrapped(part, style.width, 2));
  if (error != nullptr)
    text += fmt::format("    {}\n",
                        wrapped(fmt::format("error of {}: {}, mean to largest, in {} {}", spoken_name(error->metric),
                                            error_text(*error), error->cases, error->cases == 1 ? "case" : "cases"),
                                style.width, 4));
  text += fmt::format("    {}\n", wrapped("this scenario: " + outside_text(outside), style.width, 4));
}

}  // namespace

std::string evidence_text(const models::Outcome& outcome, const Style& style) {
  const models::EvidenceReport& evidence = outcome.evidence;
  std::string text;
  if (evidence.nearest_case.empty())
    text += "  No reference case is recorded near this scenario.\n";
  else
    add_part("Queues, order and barrier: " + evidence.nearest_case, evidence.error ? &*evidence.error : nullptr,
             evidence.extrapolates, style, text);
  for (const models::MeasuredPart& part : evidence.measured)
    add_part("Measured: " + part.part, &part.error, part.extrapolates, style, text);
  if (evidence.not_validated.empty()) return text;
  text += "  Not compared with a measurement:\n";
  for (const std::string& part : evidence.not_validated) text += fmt::format("    {}\n", wrapped(part, style.width, 6));
  return text;
}

}  // namespace headrace::reports
