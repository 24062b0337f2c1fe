#include "cli/assistant/scenario_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/readable_files.hpp"

namespace headrace::cli::assistant {
namespace {

namespace fs = std::filesystem;

std::vector<std::string_view> shipped_names() {
  std::vector<std::string_view> names;
  for (const scenarios::EmbeddedText& scenario : scenarios::embedded_scenarios()) names.push_back(scenario.name);
  return names;
}

CallMistake outside(const std::string& name, const std::vector<std::string>& folders) {
  return {fmt::format("'{}' is outside of the folders that may be read", name),
          folders.empty()
              ? "no folder may be read: name a shipped scenario (explain: scenarios lists them), or start "
                "headrace mcp with --folder DIR"
              : "name a file below the folders of --folder, or a shipped scenario (explain: scenarios lists "
                "them)"};
}

}  // namespace

tl::expected<std::string, CallMistake> find_scenario(const std::string& name, const std::vector<std::string>& folders) {
  if (name.empty() || name == "-" || name.find('\0') != std::string::npos)
    return tl::unexpected(CallMistake{"a scenario has no such name", "name a file or a shipped scenario"});
  bool is_outside = false;
  const std::vector<std::string> places = fs::path(name).is_absolute() ? std::vector<std::string>{""} : folders;
  for (const std::string& place : places)
    for (const char* ending : {"", ".json"}) {
      const fs::path candidate = fs::path(place) / (name + ending);
      std::error_code error;
      if (!scenarios::lies_below(candidate, folders))
        is_outside = true;
      else if (fs::is_regular_file(candidate, error))
        return fs::canonical(candidate, error).string();
    }
  const std::vector<std::string_view> shipped = shipped_names();
  if (std::find(shipped.begin(), shipped.end(), name) != shipped.end()) return name;
  const bool is_path = name.find('/') != std::string::npos;
  if (is_outside || (folders.empty() && is_path)) return tl::unexpected(outside(name, folders));
  const std::string_view near = scenarios::nearest(name, shipped);
  return tl::unexpected(CallMistake{fmt::format("there is no scenario '{}'", name),
                                    near.empty() ? "explain with the topic scenarios lists the shipped ones"
                                                 : fmt::format("did you mean the shipped scenario '{}'?", near)});
}

}  // namespace headrace::cli::assistant
