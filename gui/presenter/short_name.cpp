#include "gui/presenter/short_name.hpp"

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "reports/humane.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::gui {
namespace {

constexpr const char* kComputeTime = "compute time";

bool is_place(const std::string& token) {
  return !token.empty() && token.find_first_not_of("0123456789") == std::string::npos;
}

/// "store" of "stores".
std::string one_of(std::string list) {
  if (list.size() > 1 && list.back() == 's') list.pop_back();
  return reports::words(list);
}

/// "step time" is what a step takes with its waits, a figure of the answer; this input is what it computes.
std::string words_of(const std::string& token) { return token == "step_time" ? kComputeTime : reports::words(token); }

/// Only steps compute: their name says no more.
std::string without_step(const std::string& text) {
  constexpr std::string_view kStep = "step ";
  return text.starts_with(std::string(kStep) + kComputeTime) ? text.substr(kStep.size()) : text;
}

/// Words of the tokens from `first` on, without the shape of a law.
std::string rest_of(const std::vector<std::string>& tokens, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < tokens.size(); ++i) {
    if (tokens[i] == "lognormal" || tokens[i] == "exponential" || tokens[i] == "constant") continue;
    const std::string words = words_of(tokens[i]);
    if (!text.empty() && words.starts_with(text)) text.clear();  // "cache cache bytes" is cache bytes
    text += (text.empty() ? "" : " ") + words;
  }
  if (text == "nic bandwidth") return "bandwidth of each nic";  // a node may have several
  return without_step(text);
}

}  // namespace

std::string short_name(const std::string& pointer) {
  const auto tokens = scenarios::pointer_tokens(pointer).value_or(std::vector<std::string>{});
  std::string text;
  for (std::size_t i = tokens.size() > 2 ? tokens.size() - 2 : 0; i < tokens.size(); ++i) {
    if (tokens[i].find_first_not_of("0123456789") == std::string::npos && i > 0) {
      text = tokens[i - 1] + " " + tokens[i];
      continue;
    }
    const std::string words = words_of(tokens[i]);
    if (words.starts_with(text)) text.clear();  // "cache cache bytes" is cache bytes
    text += (text.empty() ? "" : " ") + words;
  }
  return without_step(text);
}

std::string name_of_key(const std::string& key) { return words_of(key); }

std::string place_name(const ScenarioDocument& document, const std::string& pointer) {
  const auto tokens = scenarios::pointer_tokens(pointer).value_or(std::vector<std::string>{});
  std::size_t place = 0;  // the last element of a list on the way
  for (std::size_t i = 1; i < tokens.size(); ++i)
    if (is_place(tokens[i])) place = i;
  if (place == 0) return tokens.empty() ? pointer : rest_of(tokens, tokens.size() > 2 ? tokens.size() - 2 : 0);
  std::string list;
  for (std::size_t i = 0; i < place; ++i) list = scenarios::join_pointer(list, tokens[i]);
  const std::string element = scenarios::join_pointer(list, tokens[place]);
  const std::string rest = rest_of(tokens, place + 1);
  const nlohmann::ordered_json::json_pointer second(scenarios::join_pointer(list, "1"));
  const bool alone = !document.loaded().resolved.contains(second);
  if (alone && place + 2 < tokens.size()) return rest;
  std::string text = one_of(tokens[place - 1]);
  if (!alone) {
    const auto name = document.value_at(element + "/name");
    text += name ? " '" + *name + "'" : " " + std::to_string(std::stoul(tokens[place]) + 1);
  }
  if (rest.empty()) return text;
  return text + (alone ? " " : ": ") + rest;
}

}  // namespace headrace::gui
