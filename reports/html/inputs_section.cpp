// Every value that the outcome stands on, with its unit, origin, evidence and meaning; and how far the answer can be
// trusted.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/confidence_text.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/humane.hpp"
#include "reports/known_parameters.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

void add_rows(const Document& value, const std::string& pointer, const OutcomePageFacts& facts,
              std::vector<std::vector<std::string>>& rows) {
  if (value.is_object() && !value.empty()) {
    for (const auto& [key, member] : value.items()) add_rows(member, pointer + "/" + key, facts, rows);
    return;
  }
  if (value.is_array() && !value.empty() && value.front().is_structured()) {
    for (std::size_t i = 0; i < value.size(); ++i) add_rows(value[i], pointer + "/" + std::to_string(i), facts, rows);
    return;
  }
  const scenarios::Parameter* parameter = known_parameter(pointer);
  const std::string origin = facts.origin_of ? facts.origin_of(pointer) : std::string();
  std::string name = "<code>" + escaped(pointer) + "</code>";
  const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
  std::string evidence = "&ndash;";
  if (parameter != nullptr) {
    std::string page = parameter->meaning;
    if (!parameter->default_text.empty()) page += "; default " + parameter->default_text;
    if (!parameter->plausible.empty()) page += "; plausible " + parameter->plausible;
    if (!parameter->source.empty()) page += "; source of the default: " + parameter->source;
    name = fmt::format("<details><summary>{}</summary><p>{}</p></details>", name, escaped(page));
    const bool is_default = origin.empty() ? shown == parameter->default_text : origin == "default";
    if (is_default && !parameter->evidence.empty()) evidence = escaped(parameter->evidence);
  }
  rows.push_back({name, escaped(shown), origin.empty() ? "&ndash;" : escaped(origin), evidence});
}

}  // namespace

std::string inputs_section(const Document& outcome, const OutcomePageFacts& facts) {
  const auto scenario = outcome.find("scenario");
  if (scenario == outcome.end() || !scenario->is_object()) return {};
  std::vector<std::vector<std::string>> rows;
  add_rows(*scenario, "", facts, rows);
  return "<p>The resolved scenario, catalogue figures in place. Open a parameter for its meaning. Defaults show their "
         "evidence.</p><details><summary>" +
         std::to_string(rows.size()) + " values</summary>" +
         html_table("Inputs", {{"parameter"}, {"value"}, {"origin"}, {"evidence"}}, rows) + "</details>";
}

/// What was measured, by whom and when, and how far the model was off.
std::string measurements(const Document& evidence) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& part : at(evidence, "measured")) {
    const Document& error = at(part, "error");
    rows.push_back({escaped(text_at(part, "part")), escaped(text_at(part, "system")),
                    prose_html(text_at(part, "source")), "<time>" + escaped(text_at(part, "date")) + "</time>",
                    fmt::format("{}: {} on average, {} at most ({}, {} results)",
                                escaped(spoken_name(error.value("metric", std::string()))),
                                number(at(error, "mean"), ""), number(at(error, "largest"), ""),
                                escaped(error.value("unit", std::string())), count(at(error, "cases")))});
  }
  if (rows.empty()) return "<p>No measurement lies near this scenario.</p>";
  return html_table("Measurements", {{"part of the model"}, {"system"}, {"source"}, {"date"}, {"error"}}, rows);
}

std::string evidence_section(const Document& outcome) {
  const Document& evidence = at(outcome, "evidence");
  const std::string nearest = text_at(evidence, "nearest_case");
  const std::string grade = confidence_line(at(outcome, "confidence"));
  std::string html = grade.empty() ? "" : "<p><b>" + escaped(grade) + "</b></p>";
  html += measurements(evidence);
  html += "<p>Nearest group of computed reference cases, which are no measurements: <b>" +
          escaped(nearest.empty() ? "none" : nearest) + "</b>. ";
  if (at(evidence, "error").is_object())
    html += fmt::format("There {} errs by {} in the mean and {} at most ({}, {} cases).",
                        escaped(spoken_name(at(evidence, "error").value("metric", std::string()))),
                        number(at(at(evidence, "error"), "mean"), ""), number(at(at(evidence, "error"), "largest"), ""),
                        escaped(at(evidence, "error").value("unit", std::string())),
                        count(at(at(evidence, "error"), "cases")));
  html += "</p>";
  std::vector<std::vector<std::string>> rows;
  for (const Document& dimension : at(evidence, "extrapolates"))
    rows.push_back({escaped(dimension.value("dimension", std::string())), number(at(dimension, "value"), ""),
                    interval(at(dimension, "validated"), at(dimension, "value"), ""),
                    number(at(dimension, "factor"), "")});
  if (!rows.empty())
    html += html_table("Outside the range of those cases",
                       {{"dimension"}, {"here", true}, {"validated"}, {"factor beyond", true}}, rows);
  std::string parts;
  for (const Document& part : at(evidence, "not_validated"))
    parts += "<li>" + escaped(part.get<std::string>()) + "</li>";
  if (!parts.empty()) html += "<p>Not validated:</p><ul>" + parts + "</ul>";
  if (outcome.contains("estimate")) {
    const Document& error = at(at(outcome, "estimate"), "certified_error");
    html += error.is_number() ? "<p>The estimate's step time is certified to " + share(error) + ".</p>"
                              : "<p>The estimate is good for ranking only.</p>";
  }
  return html;
}

std::string warnings_section(const Document& outcome) {
  std::string html;
  for (const Document& warning : at(outcome, "warnings")) {
    html += "<li>" + escaped(warning.value("seen", std::string()));
    if (const std::string cause = warning.value("cause", std::string()); !cause.empty())
      html += "<br>Cause: " + escaped(cause);
    if (const std::string fix = warning.value("fix", std::string()); !fix.empty())
      html += "<br>To fix: " + escaped(fix);
    html += "</li>";
  }
  return html.empty() ? html : "<ul>" + html + "</ul>";
}

std::string repeat_section(const Document& outcome, const OutcomePageFacts& facts) {
  std::string html;
  if (!facts.command.empty()) html += "<pre tabindex=\"0\">" + command_html(facts.command) + "</pre>";
  const auto word = [&](const char* key) {
    const auto found = outcome.find(key);
    if (found == outcome.end()) return std::string("&ndash;");
    return escaped(found->is_string() ? found->get<std::string>() : found->dump());
  };
  return html + html_table("The same scenario, seed and model give the same bytes on any machine", {{""}, {""}},
                           {{"scenario, SHA-256", "<code>" + word("scenario_sha256") + "</code>"},
                            {"seed", word("seed")},
                            {"model version", word("model_version")},
                            {"catalogue", word("catalogue_version")},
                            {"ended", escaped(ended_text(text_at(outcome, "stopped_by")))},
                            {"steps of the longest run", word("steps")}});
}

}  // namespace headrace::reports
