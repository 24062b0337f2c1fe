#include "scenarios/document/parameter_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/document/units.hpp"

namespace headrace::scenarios {

const std::vector<Parameter>& scenario_parameters() {
  static const std::vector<Parameter> all = list_parameters([](models::Visitor& visitor) {
    models::Scenario fresh;
    describe_scenario(fresh, visitor);
  });
  return all;
}

std::string general_pointer(const std::string& pointer) {
  const auto is_index = [](const std::string& token) {
    return !token.empty() && token.find_first_not_of("0123456789") == std::string::npos;
  };
  std::string text;
  for (const std::string& token : pointer_tokens(pointer).value_or(std::vector<std::string>{}))
    text = join_pointer(text, is_index(token) ? "*" : token);
  return text;
}

namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string, Parameter>& described_by_pointer() {
  static const std::map<std::string, Parameter> all = [] {
    std::map<std::string, Parameter> by_pointer;
    for (const Parameter& parameter : scenario_parameters()) by_pointer.emplace(parameter.pointer, parameter);
    return by_pointer;
  }();
  return all;
}

std::optional<models::Unit> unit_of_facts(const Parameter& facts) {
  if (facts.type == "count" || facts.type == "number") return models::Unit::one;
  if (facts.type == "fraction") return models::Unit::fraction;
  if (facts.type != "quantity" && facts.type != "distribution") return std::nullopt;
  for (int i = 0; i <= static_cast<int>(models::Unit::usd_per_kwh); ++i) {
    const auto unit = static_cast<models::Unit>(i);
    if (unit_symbol(unit) == facts.unit) return unit;
  }
  return facts.unit.empty() ? std::optional(models::Unit::fraction) : std::nullopt;
}

std::vector<std::string> choices_of(const Parameter& facts) {
  std::vector<std::string> words;
  if (facts.type == "flag") return {"false", "true"};
  if (facts.type != "choice") return words;
  std::istringstream in(facts.choices);
  for (std::string word; std::getline(in, word, ',');) {
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

/// A law keeps its shape when its mean slides: the number that stands for it is below it.
const Parameter* facts_at(const std::string& pointer) {
  const auto found = described_by_pointer().find(general_pointer(pointer));
  if (found != described_by_pointer().end()) return &found->second;
  constexpr std::string_view mean = "/lognormal/mean";
  for (const std::string_view tail : {mean, std::string_view("/exponential/mean"), std::string_view("/constant")})
    if (pointer.ends_with(tail)) {
      const auto law = described_by_pointer().find(general_pointer(pointer.substr(0, pointer.size() - tail.size())));
      if (law != described_by_pointer().end() && law->second.type == "distribution") return &law->second;
    }
  return nullptr;
}

std::string evidence_of(const Origin& origin, const Parameter& facts) {
  if (origin.knowledge) return origin.knowledge->evidence;
  if (origin.name.find("site") != std::string::npos) return "measured";
  return origin.kind == Origin::Kind::default_value ? facts.evidence : "stated";
}

void collect(const Json& node, const std::string& pointer, const LoadedScenario& loaded,
             std::vector<ParameterValue>& all) {
  if (node.is_object()) {
    for (const auto& [key, child] : node.items()) collect(child, join_pointer(pointer, key), loaded, all);
    return;
  }
  if (node.is_array() && !node.empty() && (node[0].is_object() || node[0].is_array())) {
    for (std::size_t i = 0; i < node.size(); ++i)
      collect(node[i], join_pointer(pointer, std::to_string(i)), loaded, all);
    return;
  }
  ParameterValue value;
  value.pointer = pointer;
  value.value = node.is_string() ? node.get<std::string>() : node.dump();
  if (const Parameter* facts = facts_at(pointer)) {
    value.facts = *facts;
    if (!node.is_array()) value.unit = unit_of_facts(*facts);
    value.choices = choices_of(*facts);
  }
  const Origin origin = loaded.origin_of(pointer);
  value.origin = origin.print();
  value.evidence = evidence_of(origin, value.facts);
  for (const models::InputRange& stated : loaded.value.input_ranges)
    if (pointer == stated.parameter || pointer.starts_with(stated.parameter + "/"))
      value.evidence = models::evidence_name(stated.evidence);
  all.push_back(std::move(value));
}

}  // namespace

std::vector<ParameterValue> parameter_sheet(const LoadedScenario& loaded) {
  std::vector<ParameterValue> all;
  collect(loaded.resolved, "", loaded, all);
  return all;
}

std::string told_value(const std::string& pointer, const std::string& value) {
  const Parameter* facts = value == "0" || value.starts_with("0 ") ? facts_at(pointer) : nullptr;
  constexpr std::string_view kOfZero = "; 0: ";
  const std::size_t at = facts == nullptr ? std::string::npos : facts->meaning.find(kOfZero);
  if (at == std::string::npos) return value;
  std::string meaning = facts->meaning.substr(at + kOfZero.size());
  meaning.resize(std::min(meaning.find_first_of(";("), meaning.size()));
  meaning.erase(meaning.find_last_not_of(' ') + 1);
  return meaning.empty() ? value : fmt::format("{} ({})", value, meaning);
}

std::vector<Parameter> described_below(const std::string& record) {
  std::vector<Parameter> below;
  for (const Parameter& parameter : scenario_parameters())
    if (parameter.pointer.starts_with(record + "/") &&
        parameter.pointer.find('/', record.size() + 1) == std::string::npos)
      below.push_back(parameter);
  return below;
}

std::vector<std::string> described_lists() {
  std::vector<std::string> lists;
  for (const Parameter& parameter : scenario_parameters())
    for (std::size_t at = parameter.pointer.find("/*/"); at != std::string::npos;
         at = parameter.pointer.find("/*/", at + 1)) {
      std::string list = parameter.pointer.substr(0, at);
      if (std::find(lists.begin(), lists.end(), list) == lists.end()) lists.push_back(std::move(list));
    }
  return lists;
}

std::vector<std::string> described_sections() {
  std::vector<std::string> sections;
  for (const Parameter& parameter : scenario_parameters()) {
    std::string record = parameter.pointer.substr(0, parameter.pointer.rfind('/'));
    if (record.empty() || record.ends_with("*")) continue;
    if (std::find(sections.begin(), sections.end(), record) == sections.end()) sections.push_back(std::move(record));
  }
  return sections;
}

std::string tooltip(const ParameterValue& parameter) {
  const Parameter& facts = parameter.facts;
  std::string text = parameter.pointer;
  if (!facts.meaning.empty()) text += "\n" + facts.meaning;
  const auto add = [&text](std::string_view label, const std::string& value) {
    if (!value.empty()) text += fmt::format("\n{}: {}", label, value);
  };
  add("value", parameter.value);
  add("from", parameter.origin);
  add("unit", facts.unit);
  add("default", facts.default_text);
  add("plausible", facts.plausible);
  add("limits", facts.limits);
  add("one of", facts.choices);
  add("evidence", parameter.evidence);
  add("source", facts.source);
  return text;
}

std::optional<double> number_of(const ParameterValue& parameter, const std::string& text) {
  if (!parameter.unit) return std::nullopt;
  const auto number = parse_quantity(text, *parameter.unit);
  if (!number) return std::nullopt;
  return *number;
}

std::string spelled(const ParameterValue& parameter, double number) {
  if (parameter.is_whole()) return print_number(std::round(number));
  return print_quantity(number, parameter.unit.value_or(models::Unit::one));
}

}  // namespace headrace::scenarios
