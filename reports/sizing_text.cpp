#include "reports/sizing_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "models/sizing/sizing.hpp"
#include "reports/humane.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {

std::string sizing_value(double value, std::string_view unit) {
  if (unit == "USD/B") return humane(value * 1e9, "USD") + "/GB";
  if (unit == "USD/B month") return humane(value * 1e9, "USD") + "/GB month";
  if (unit == "USD/h") return humane(value, "USD") + "/h";
  const bool whole = unit.empty() && value == std::floor(value) && std::abs(value) < 1e9;
  if (whole) return humane_number(value, 1);
  return humane(value, unit);
}

namespace {

using models::SizingFigure;
using models::SizingGap;
using models::SizingSheet;

std::string inputs_text(const SizingFigure& figure) {
  std::string text;
  for (const models::SizingInput& input : figure.inputs)
    text += fmt::format("{}{} = {} ({})", text.empty() ? "" : ", ", input.symbol, sizing_value(input.value, input.unit),
                        input.from);
  return text;
}

std::string figure_text(const SizingFigure& figure, const Style& style) {
  constexpr int kIndent = 6;
  const models::SizingDescription& told = *figure.description;
  std::string text = fmt::format("  {} = {}\n", told.name, sizing_value(figure.value, told.unit));
  const std::string pad(kIndent, ' ');
  text += fmt::format("{}{}\n", pad, wrapped(told.meaning, style.width, kIndent));
  text += fmt::format("{}{}\n", pad,
                      wrapped(fmt::format("{};  {}", told.formula, inputs_text(figure)), style.width, kIndent));
  return text + fmt::format("{}source: {}\n", pad, wrapped(told.source, style.width, kIndent + 8));
}

/// Figures that lack the same stand in one line.
std::string missing_text(const SizingSheet& sheet, std::string_view room, const std::string& job, const Style& style) {
  std::vector<std::pair<std::string_view, std::string>> lines;
  for (const SizingGap& gap : sheet.missing) {
    if (gap.room != room || gap.job != job) continue;
    const std::string name(gap.description->name);
    if (!lines.empty() && lines.back().first == gap.description->needs)
      lines.back().second += ", " + name;
    else
      lines.emplace_back(gap.description->needs, name);
  }
  std::string text;
  for (const auto& [needs, names] : lines)
    text += fmt::format("  {}\n", wrapped(fmt::format("not without {}: {}", needs, names), style.width, 6));
  return text;
}

std::string room_text(const SizingSheet& sheet, const models::SizingRoom& room, const std::string& job,
                      const Style& style) {
  std::string text;
  for (const SizingFigure& figure : sheet.figures)
    if (figure.room == room.key && figure.job == job) text += figure_text(figure, style);
  text += missing_text(sheet, room.key, job, style);
  return text.empty() ? text : fmt::format("\n{} ({})\n", style.bold(room.title), room.key) + text;
}

/// In the order in which the sheet has them.
std::vector<std::string> jobs_of(const SizingSheet& sheet) {
  std::vector<std::string> jobs;
  const auto add = [&jobs](const std::string& job) {
    for (const std::string& known : jobs)
      if (known == job) return;
    jobs.push_back(job);
  };
  for (const SizingFigure& figure : sheet.figures) add(figure.job);
  for (const SizingGap& gap : sheet.missing) add(gap.job);
  return jobs;
}

}  // namespace

std::string sizing_summary(const models::Outcome& outcome, const Style& style) {
  if (!outcome.sizing) return {};
  const SizingSheet& sheet = *outcome.sizing;
  const std::vector<std::string> jobs = jobs_of(sheet);
  std::vector<std::vector<std::string>> rows;
  std::string_view room;
  std::string_view job;
  for (const SizingFigure& figure : sheet.figures) {
    if (!figure.description->headline) continue;
    if (jobs.size() > 1 && figure.job != job) rows.push_back({fmt::format("job {}", figure.job), "", ""});
    std::string name(figure.room == room && figure.job == job ? "" : figure.room);
    room = figure.room;
    job = figure.job;
    rows.push_back(
        {std::move(name), std::string(figure.description->name), sizing_value(figure.value, figure.description->unit)});
  }
  if (rows.empty()) return {};
  return fmt::format("\n{}\n", style.bold("By formula")) + table({{}, {}, {true}}, rows) +
         "  --sizing [ROOM] shows every figure with its formula; headrace explain NAME\n";
}

std::string sizing_text(const models::Outcome& outcome, const std::string& title, const Style& style) {
  std::string text = wrapped(title, style.width, 0) + "\n";
  if (!outcome.sizing) return text;
  text += wrapped(std::string(kSizingFrom), style.width, 0) + "\n";
  const std::vector<std::string> jobs = jobs_of(*outcome.sizing);
  for (const std::string& job : jobs) {
    if (jobs.size() > 1) text += fmt::format("\nJob {}\n", job);
    for (const models::SizingRoom* room : models::sizing_rooms()) text += room_text(*outcome.sizing, *room, job, style);
  }
  return text;
}

std::string sizing_explanation(const models::SizingDescription& figure, std::string_view room_title) {
  return fmt::format("{} (figure of the sizing sheet: {})\n  {}\n  formula {}{}\n  source: {}\n  needs {}\n",
                     figure.name, room_title, figure.meaning, figure.formula,
                     figure.unit.empty() ? std::string() : fmt::format(", unit {}", figure.unit), figure.source,
                     figure.needs);
}

}  // namespace headrace::reports
