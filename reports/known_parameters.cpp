#include "reports/known_parameters.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "reports/humane.hpp"
#include "scenarios/document/parameter_sheet.hpp"

namespace headrace::reports {
namespace {

bool is_element(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<std::string> words_of_pointer(const std::string& pointer) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    parts.push_back(pointer.substr(at + 1, end - at - 1));
    at = end;
  }
  return parts;
}

/// "/jobs/0/loader/workers" as the list of parameters names it: "/jobs/*/loader/workers".
std::string general_pointer(const std::string& pointer) {
  std::string general;
  for (const std::string& word : words_of_pointer(pointer)) general += '/' + (is_element(word) ? "*" : word);
  return general;
}

std::map<std::string, scenarios::Parameter> all_parameters() {
  std::map<std::string, scenarios::Parameter> known;
  for (const scenarios::Parameter& parameter : scenarios::scenario_parameters())
    known.emplace(parameter.pointer, parameter);
  return known;
}

}  // namespace

const scenarios::Parameter* known_parameter(const std::string& pointer) {
  static const std::map<std::string, scenarios::Parameter> known = all_parameters();
  const auto found = known.find(general_pointer(pointer));
  return found == known.end() ? nullptr : &found->second;
}

std::string spoken_parameter(const nlohmann::ordered_json& scenario, const std::string& pointer) {
  const std::vector<std::string> parts = words_of_pointer(pointer);
  if (parts.empty()) return pointer;
  std::string text = words(parts.back());
  // "metadata latency" beside the "latency" of the store itself.
  if (parts.size() > 1 && !is_element(parts[parts.size() - 2]) && parts[parts.size() - 2] == "metadata")
    text = words(parts[parts.size() - 2]) + " " + text;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (!is_element(parts[i])) continue;
    std::string place;
    for (std::size_t k = 0; k <= i; ++k) place += '/' + parts[k];
    const auto name = nlohmann::ordered_json::json_pointer(place + "/name");
    if (!scenario.contains(name) || !scenario[name].is_string()) continue;
    std::string kind = words(parts[i - 1]);
    if (kind.ends_with('s')) kind.pop_back();
    text += fmt::format(" of {} {}", kind, scenario[name].get<std::string>());
  }
  return text;
}

}  // namespace headrace::reports
