#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "reports/gate_report.hpp"

namespace headrace::reports {
namespace {

/// Length of the UTF-8 sequence at `at` that XML 1.0 allows, 0 if there is none: no control characters but tab, line
/// feed and carriage return, no surrogates, no U+FFFE and U+FFFF.
std::size_t allowed_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = byte(at);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80) return 0;
    code = code << 6 | (byte(at + i) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool good = code >= kLeast[length] && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF) &&
                    code != 0xFFFE && code != 0xFFFF;
  return good ? length : 0;
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = allowed_length(text, i);
    if (length == 0) {
      out += "\xEF\xBF\xBD";  // U+FFFD, the replacement character
      ++i;
      continue;
    }
    const std::string_view symbol = text.substr(i, length);
    i += length;
    if (symbol == "&")
      out += "&amp;";
    else if (symbol == "<")
      out += "&lt;";
    else if (symbol == ">")
      out += "&gt;";
    else if (symbol == "\"")
      out += "&quot;";
    else if (symbol == "'")
      out += "&apos;";
    else if (symbol == "\n")
      out += "&#10;";
    else if (symbol == "\r")
      out += "&#13;";
    else if (symbol == "\t")
      out += "&#9;";
    else
      out += symbol;
  }
  return out;
}

std::string details(const GateCase& item) {
  std::string text = fmt::format("{}: {}", item.name, item.value.empty() ? "no value" : item.value);
  if (!item.interval.empty()) text += fmt::format(", interval {}", item.interval);
  if (!item.reason.empty()) text += fmt::format("; {}", item.reason);
  return text;
}

std::string case_xml(const GateCase& item, const std::string& suite, double elapsed_s) {
  std::string xml = fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\" time=\"{:.3f}\"", xml_escaped(suite),
                                xml_escaped(item.group), xml_escaped(item.name), elapsed_s);
  if (!item.file.empty()) xml += fmt::format(" file=\"{}\" line=\"{}\"", xml_escaped(item.file), item.line);
  const std::string text = xml_escaped(details(item));
  switch (item.decision) {
    case models::Ruling::pass:
      return xml + fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n", text);
    case models::Ruling::fail:
      return xml +
             fmt::format(">\n      <failure type=\"threshold\" message=\"{0}\">{0}</failure>\n    </testcase>\n", text);
    case models::Ruling::undecided:
      break;
  }
  return xml + fmt::format(">\n      <error type=\"undecided\" message=\"{0}\">{0}</error>\n    </testcase>\n", text);
}

std::size_t count(const GateReport& report, models::Ruling decision) {
  return static_cast<std::size_t>(std::count_if(report.cases.begin(), report.cases.end(),
                                                [&](const GateCase& item) { return item.decision == decision; }));
}

}  // namespace

std::string junit_xml(const GateReport& report, double elapsed_s) {
  const std::string suite = "headrace " + report.verb;
  const std::string counts = fmt::format(
      "name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{:.3f}\"", xml_escaped(suite),
      report.cases.size(), count(report, models::Ruling::fail), count(report, models::Ruling::undecided), elapsed_s);
  const double case_s = elapsed_s / static_cast<double>(std::max<std::size_t>(1, report.cases.size()));
  std::string xml =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite {0}>\n", counts);
  xml += "    <properties>\n";
  xml += fmt::format("      <property name=\"title\" value=\"{}\"/>\n", xml_escaped(report.title));
  for (const auto& [name, value] : report.properties)
    xml += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", xml_escaped(name), xml_escaped(value));
  xml += "    </properties>\n";
  for (const GateCase& item : report.cases) xml += case_xml(item, suite, case_s);
  std::string found = report.headline;
  for (const std::string& note : report.notes) found += "\n" + note;
  xml += fmt::format("    <system-out>{}</system-out>\n", xml_escaped(found));
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace headrace::reports
