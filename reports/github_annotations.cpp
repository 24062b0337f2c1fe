#include <fmt/format.h>

#include "reports/gate_report.hpp"

namespace headrace::reports {
namespace {

/// As the runner's toolkit escapes data: a line break would end the command.
std::string escaped_data(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else
      out += c;
  }
  return out;
}

/// The same for a property, where colons and commas end it.
std::string escaped_property(std::string_view text) {
  std::string out;
  for (const char c : escaped_data(text)) {
    if (c == ':')
      out += "%3A";
    else if (c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

std::string place(const GateCase& item) {
  if (item.file.empty()) return {};
  std::string text = fmt::format("file={}", escaped_property(item.file));
  if (item.line > 0) text += fmt::format(",line={}", item.line);
  if (item.column > 0) text += fmt::format(",col={}", item.column);
  return text + ",";
}

}  // namespace

std::string github_annotations(const GateReport& report) {
  std::string text;
  for (const GateCase& item : report.cases) {
    if (item.decision == models::Ruling::pass) continue;
    const bool failed = item.decision == models::Ruling::fail;
    std::string message = item.value.empty() ? item.name : fmt::format("{}: is {}", item.name, item.value);
    if (!item.interval.empty()) message += fmt::format(" ({})", item.interval);
    if (!item.reason.empty()) message += fmt::format("; {}", item.reason);
    text += fmt::format("::{} {}title={}::{}\n", failed ? "error" : "warning", place(item),
                        escaped_property(fmt::format("headrace {} {}", report.verb, failed ? "failed" : "undecided")),
                        escaped_data(message));
  }
  if (!report.caution.empty())
    text += fmt::format("::warning title={}::{}\n", escaped_property("headrace " + report.verb),
                        escaped_data(report.caution));
  const std::string word(models::kRulingNames[static_cast<std::size_t>(report.decision)]);
  return text + fmt::format("::notice title={}::{}{}\n", escaped_property("headrace " + report.verb),
                            report.asked_nothing() ? "" : word + ": ", escaped_data(report.headline));
}

}  // namespace headrace::reports
