#include "cli/option_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

namespace headrace::cli {
namespace {

/// Where the checks of an option begin in the name of its type: "WHEN:{auto,never}", "N:INT in [1 - 80]". A value may
/// have a colon of its own: "SEED:REPLICATION".
std::size_t end_of_name(const std::string& type) {
  std::size_t end = type.size();
  for (const char* check : {":{", ":INT in", ":UINT in", ":FLOAT in"}) end = std::min(end, type.find(check));
  return end;
}

/// What the checks of an option say behind its value's name: "{auto,never}", "INT in [1 - 80]".
std::string limits_in_type(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t end = end_of_name(type);
  return end == type.size() ? std::string() : type.substr(end + 1);
}

/// The words of "{auto,always,never}".
std::vector<std::string> words_of_limits(const std::string& limits) {
  const std::size_t open = limits.find('{');
  const std::size_t end = limits.find('}');
  std::vector<std::string> words;
  for (std::size_t at = open + 1; open != std::string::npos && end != std::string::npos && at <= end;) {
    const std::size_t comma = std::min(limits.find(',', at), end);
    words.push_back(limits.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

std::string choice_of_words(const std::string& limits, const std::string& description) {
  const std::vector<std::string> words = words_of_limits(limits);
  const auto is_said = [&](const std::string& word) { return description.find(word) != std::string::npos; };
  if (std::all_of(words.begin(), words.end(), is_said)) return {};
  return fmt::format("; one of {}", fmt::join(words, ", "));
}

/// Of whole numbers with a limit that somebody may reach.
std::string range_of_counts(const std::string& limits) {
  constexpr long long kNobodyReaches = 1'000'000;
  const std::size_t open = limits.find("INT in [");
  const std::size_t dash = limits.find(" - ", open);
  if (open == std::string::npos || dash == std::string::npos) return {};
  const std::string low = limits.substr(open + 8, dash - open - 8);
  const std::string high = limits.substr(dash + 3, limits.find(']', dash) - dash - 3);
  return std::atoll(high.c_str()) >= kNobodyReaches ? std::string() : fmt::format("; {} to {}", low, high);
}

std::string names_of(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string one_value(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, end_of_name(type));
}

std::string value_name(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  std::string name = one_value(option);
  if (option.get_expected_max() == CLI::detail::expected_max_vector_size) name += " ...";
  return name;
}

std::string option_meaning(const CLI::Option& option) {
  const std::string limits = limits_in_type(option);
  std::string text = option.get_description();
  const bool flag = !option.get_positional();
  if (option.get_required() && flag && text.find("required") == std::string::npos) text += "; required";
  text += choice_of_words(limits, option.get_description() + one_value(option));
  text += range_of_counts(limits);
  if (!option.get_needs().empty()) text += fmt::format("; only with {}", names_of(option.get_needs()));
  if (!option.get_excludes().empty()) text += fmt::format("; not with {}", names_of(option.get_excludes()));
  return text;
}

}  // namespace headrace::cli
