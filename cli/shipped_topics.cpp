#include "cli/shipped_topics.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/style.hpp"
#include "reports/text_layout.hpp"
#include "scenarios/document/embedded_texts.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A remark is one text or a list of lines.
std::string joined(const Json& remark) {
  if (remark.is_string()) return remark.get<std::string>();
  std::string text;
  for (const Json& line : remark) text += (text.empty() ? "" : " ") + line.get<std::string>();
  return text;
}

void add(std::string_view kind, const std::vector<scenarios::EmbeddedText>& texts, std::vector<ShippedFile>& files) {
  for (const scenarios::EmbeddedText& text : texts) {
    const Json document = Json::parse(text.text);
    files.push_back({kind, text.name, document.value("title", ""),
                     document.contains("//") ? joined(document.at("//")) : std::string()});
  }
}

std::string command_for(const ShippedFile& file) {
  if (file.kind == "scenario") return fmt::format("headrace simulate {}", file.name);
  return fmt::format("headrace sweep {}", file.name);
}

}  // namespace

const std::vector<ShippedFile>& shipped_files() {
  static const std::vector<ShippedFile> files = [] {
    std::vector<ShippedFile> all;
    add("scenario", scenarios::embedded_scenarios(), all);
    add("space", scenarios::embedded_spaces(), all);
    return all;
  }();
  return files;
}

std::string shipped_listing() {
  std::string text;
  std::string_view kind;
  for (const ShippedFile& file : shipped_files()) {
    if (file.kind != kind) {
      kind = file.kind;
      text += kind == "scenario" ? "Scenarios that the program carries: headrace simulate NAME\n"
                                 : "\nSpaces that it carries: headrace sweep NAME\n";
    }
    text += fmt::format("  {:<28}{}\n", file.name, reports::wrapped(file.title, reports::kTerminalWidth, 30));
  }
  return text;
}

Json shipped_listing_json() {
  Json list = Json::array();
  for (const ShippedFile& file : shipped_files())
    list.push_back({{"kind", file.kind}, {"name", file.name}, {"title", file.title}});
  return {{"kind", "scenarios"}, {"name", "scenarios"}, {"shipped", std::move(list)}};
}

std::string shipped_text(const ShippedFile& file) {
  std::string text = fmt::format("  {}\n", reports::wrapped(file.title, reports::kTerminalWidth, 2));
  if (!file.remark.empty()) text += fmt::format("  {}\n", reports::wrapped(file.remark, reports::kTerminalWidth, 2));
  return text + fmt::format("  answer it: {}\n", command_for(file));
}

}  // namespace headrace::cli
