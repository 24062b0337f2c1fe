#include "scenarios/document/shipped_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "scenarios/document/document.hpp"
#include "scenarios/document/edit_distance.hpp"

namespace headrace::scenarios {

std::string help_for_missing_file(const std::string& path, const std::vector<EmbeddedText>& shipped,
                                  std::string_view what) {
  const std::string name = std::filesystem::path(path).stem().string();
  std::vector<std::string_view> known;
  for (const EmbeddedText& text : shipped) known.push_back(text.name);
  if (const std::string_view near = nearest(name, known); !near.empty())
    return fmt::format("did you mean the shipped {} '{}'?", what, near);
  for (const EmbeddedText& scenario : embedded_scenarios())
    if (scenario.name == name)
      return fmt::format("'{}' is a scenario, and {} {} is needed here; shipped ones: {}", name,
                         what.starts_with('o') ? "an" : "a", what, fmt::join(known, ", "));
  return fmt::format("check the path; shipped {}s: {}", what, fmt::join(known, ", "));
}

std::optional<std::string> read_text_or_propose(const std::string& path, const std::vector<EmbeddedText>& shipped,
                                                std::string_view what, Diagnostics& diagnostics) {
  std::error_code error;
  if (path == "-" || std::filesystem::exists(path, error)) return read_text(path, diagnostics);
  Diagnostic d;
  d.code = "E0101";
  d.message = fmt::format("cannot read '{}': no such file", path);
  d.where.file = path;
  d.help = help_for_missing_file(path, shipped, what);
  diagnostics.add(std::move(d));
  return std::nullopt;
}

}  // namespace headrace::scenarios
