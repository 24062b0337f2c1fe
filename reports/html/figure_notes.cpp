#include "reports/html/figure_notes.hpp"

#include <fmt/format.h>

#include "models/outcome/outcome_metrics.hpp"
#include "reports/html/markup.hpp"

namespace headrace::reports {
namespace {

std::string formula_text(const models::FigureFormula& formula) {
  return fmt::format("<br><b>Formula:</b> {}.<br><b>From:</b> {}.<br><b>Source:</b> {}.", escaped(formula.formula),
                     escaped(formula.inputs), escaped(formula.source));
}

}  // namespace

std::string figure_note(std::string_view metric) {
  const models::MetricDescription* description = models::find_metric(metric);
  if (description == nullptr) return {};
  const std::string_view better = description->better == models::Better::lower    ? " Lower is better."
                                  : description->better == models::Better::higher ? " Higher is better."
                                                                                  : "";
  return fmt::format("{}{} <code>{}</code>, kept in {}.{}", escaped(description->meaning), better, escaped(metric),
                     description->unit == "1" ? "shares of 1" : description->unit, formula_text(description->how));
}

std::string part_note(std::string_view part) {
  const models::FigureFormula* formula = models::find_formula(part);
  if (formula == nullptr) return {};
  const std::string head = part == "ci95"          ? "Formula of the confidence intervals"
                           : part == "input_range" ? "Formula of the input ranges"
                           : part == "blame"       ? "Formula of blame"
                           : part == "relief"      ? "Formula of the gain if removed"
                                                   : "Formulas of these numbers";
  constexpr std::size_t kBreak = 4;  // the line break that sets a formula off from a meaning
  return note_behind(head, formula_text(*formula).substr(kBreak));
}

}  // namespace headrace::reports
