#include "reports/reference_pages.hpp"

#include <fmt/format.h>

#include "models/hops/hop.hpp"
#include "models/outcome/outcome.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/sizing/sizing.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

/// Text inside a table cell: bars would end it.
std::string table_cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string record_of(const std::string& pointer) {
  const std::size_t slash = pointer.rfind('/');
  return slash == 0 ? "/" : pointer.substr(0, slash);
}

std::string allowed(const scenarios::Parameter& parameter) {
  std::string text;
  for (const std::string& part : {parameter.choices, parameter.limits})
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  return text;
}

std::string default_of(const scenarios::Parameter& parameter) {
  if (parameter.required) return "required";
  if (parameter.type == "not modelled") return "-";
  std::string text = parameter.default_text;
  if (text.empty() && !parameter.rule.empty()) text = "rule: " + parameter.rule;
  if (!text.empty() && !parameter.evidence.empty()) text += " (" + parameter.evidence + ")";
  return text;
}

std::string meaning_of(const scenarios::Parameter& parameter) {
  std::string text = parameter.type == "not modelled" ? "Not modelled yet: " + parameter.meaning : parameter.meaning;
  if (!parameter.source.empty()) text += fmt::format(". Source: {}", parameter.source);
  return text;
}

std::string list_section(std::string_view title, std::string_view head) {
  return fmt::format("\n## {}\n\n| {} | meaning |\n|---|---|\n", title, head);
}

std::string_view better_name(const models::MetricDescription& metric) {
  if (metric.better == models::Better::higher) return "higher";
  return metric.better == models::Better::lower ? "lower" : "-";
}

std::string_view over_jobs_name(const models::MetricDescription& metric) {
  switch (metric.over_jobs) {
    case models::OverJobs::mean:
      return "mean by GPUs";
    case models::OverJobs::mean_by_samples:
      return "mean by samples";
    case models::OverJobs::mean_by_compute:
      return "mean by compute time of GPUs";
    case models::OverJobs::sum:
      return "sum";
    case models::OverJobs::longest:
      break;
  }
  return "largest";
}

/// "Why this number?", for each metric and part of an outcome.
std::string formulas_section() {
  std::string text =
      "\n## How each figure is computed\n\nSources that begin with `models/` are pages of docs/models.\n\n"
      "| figure | formula | from | source |\n|---|---|---|---|\n";
  const auto add = [&text](const auto& row) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.name, table_cell(row.how.formula), table_cell(row.how.inputs),
                        table_cell(row.how.source));
  };
  for (const models::MetricDescription& metric : models::kMetricDescriptions) add(metric);
  for (const models::PartDescription& part : models::kPartDescriptions) add(part);
  return text;
}

/// Figures of the sizing sheet, room by room.
std::string sizing_section() {
  std::string text =
      "\n## Sizing sheet\n\nFigures by formula of `headrace bound SCENARIO --sizing`; see docs/models/sizing.md.\n";
  for (const models::SizingRoom* room : models::sizing_rooms()) {
    text += fmt::format("\n### {} (`{}`)\n\n| figure | unit | formula | meaning |\n|---|---|---|---|\n", room->title,
                        room->key);
    for (const models::SizingDescription& figure : room->figures)
      text += fmt::format("| `{}` | {} | {} | {} |\n", figure.name, figure.unit.empty() ? "-" : figure.unit,
                          table_cell(figure.formula), table_cell(figure.meaning));
  }
  return text;
}

std::string_view side_name(models::ResourceSide side) {
  switch (side) {
    case models::ResourceSide::store:
      return "store";
    case models::ResourceSide::network:
      return "network";
    case models::ResourceSide::node:
      return "nodes";
    case models::ResourceSide::loader:
      return "loader";
  }
  return {};
}

/// The data path, hop by hop, and the resources that batches compete for.
std::string hops_section() {
  std::string text =
      "\n## Data path\n\nHops in the order in which a piece of a batch passes them.\n\n"
      "| hop | stage | time of a worker that is alone |\n|---|---|---|\n";
  for (const models::Hop* hop : models::hops())
    text += fmt::format("| {} | `{}` | {} |\n", hop->name, name(hop->stage), table_cell(hop->asks));
  text += "\n## Resources\n\n| resource | where | unit of the capacity |\n|---|---|---|\n";
  for (std::size_t i = 0; i < models::kResourceCount; ++i) {
    const models::ResourceTraits& one = models::traits(static_cast<models::Resource>(i));
    text += fmt::format("| {} | {} | {} |\n", one.name, side_name(one.side), one.unit);
  }
  return text;
}

}  // namespace

std::string parameters_page(const std::vector<scenarios::Parameter>& parameters) {
  std::string text =
      "# Parameters of a scenario\n\nGenerated by `headrace explain --reference parameters`. `*` stands for any "
      "element "
      "of a list. `headrace explain KEY` tells more about one of them.\n";
  std::string record = "none";
  for (const scenarios::Parameter& parameter : parameters) {
    if (record_of(parameter.pointer) != record) {
      record = record_of(parameter.pointer);
      text += fmt::format(
          "\n## {}\n\n| key | type | default | plausible | allowed | meaning |\n|---|---|---|---|---|---|\n", record);
    }
    text +=
        fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", parameter.pointer.substr(parameter.pointer.rfind('/') + 1),
                    table_cell(parameter.type), table_cell(default_of(parameter)), table_cell(parameter.plausible),
                    table_cell(allowed(parameter)), table_cell(meaning_of(parameter)));
  }
  return text;
}

std::string metrics_page() {
  std::string text =
      "# Outcome: metrics, stages, states, verdicts\n\nGenerated by `headrace explain --reference metrics`. "
      "`schemas/outcome.schema.json` has the schema of the document.\n\n## Metrics\n\n| metric | label | unit | better "
      "| of several jobs | meaning |\n|---|---|---|---|---|---|\n";
  for (const models::MetricDescription& metric : models::kMetricDescriptions)
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", metric.name, metric.label, metric.unit,
                        better_name(metric), over_jobs_name(metric), table_cell(metric.meaning));
  text += formulas_section();
  text += sizing_section();
  text += list_section("Stages of a batch", "stage");
  for (std::size_t i = 0; i < models::kStageNames.size(); ++i)
    text += fmt::format("| `{}` | {} |\n", models::kStageNames[i],
                        table_cell(stage_explanation(static_cast<models::Stage>(i))));
  text += hops_section();
  text += list_section("States of GPU time", "state");
  for (std::size_t i = 0; i < models::kGpuStateCount; ++i)
    text += fmt::format("| `{}` | {} |\n", models::kGpuStateNames[i],
                        table_cell(gpu_state_explanation(static_cast<models::GpuState>(i))));
  text += list_section("Verdicts", "verdict");
  for (std::size_t i = 0; i < models::kVerdictNames.size(); ++i)
    text += fmt::format("| `{}` | {} |\n", models::kVerdictNames[i],
                        table_cell(verdict_explanation(static_cast<models::Verdict>(i))));
  return text;
}

}  // namespace headrace::reports
