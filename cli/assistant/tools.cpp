#include "cli/assistant/tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "cli/assistant/scenario_names.hpp"
#include "cli/command_line.hpp"
#include "scenarios/document/edit_distance.hpp"

namespace headrace::cli::assistant {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

enum class Kind : std::uint8_t { scenario, scenarios, sets, number, text, texts, yes };

/// One member of the arguments of a tool.
struct Parameter {
  std::string_view name;
  Kind kind = Kind::text;
  std::string_view flag;  ///< of the verb; empty: its positional words
  bool required = false;
  std::string_view meaning = {};  ///< empty: that of the flag
};

constexpr std::string_view kNameOfScenario =
    "name of a shipped scenario (explain with the topic scenarios lists them), or a file below the folders that may be "
    "read";
constexpr std::string_view kSets =
    "values laid over the scenario, by JSON pointer: {\"/jobs/0/loader/workers\": 16, \"/stores/0/bandwidth\": \"2 "
    "TB/s\"}";
constexpr std::string_view kJson = "JSON with every figure in place of the text, which is much shorter";
constexpr std::string_view kVerbose = "the whole text: GPU states, waits, resources, costs, evidence";

constexpr Parameter kScenario{"scenario", Kind::scenario, "", true, kNameOfScenario};
constexpr Parameter kLayers{"layers", Kind::scenarios, "", false, "files laid over it, from left to right"};
constexpr Parameter kSet{"set", Kind::sets, "--set", false, kSets};
constexpr Parameter kInputs{"inputs", Kind::text, "--inputs"};
constexpr Parameter kSeed{"seed", Kind::number, "--seed"};
constexpr Parameter kSteps{"steps", Kind::number, "--steps"};
constexpr Parameter kAsJson{"json", Kind::yes, "--json", false, kJson};
constexpr Parameter kWhole{"verbose", Kind::yes, "--verbose", false, kVerbose};

constexpr Parameter kValidate[] = {kScenario, kLayers, kSet, kAsJson};
constexpr Parameter kExplain[] = {
    {"topics", Kind::texts, "", false,
     "such as scenarios, catalogue, jobs/loader/workers, step_time_s, fed, E0203, models/loader; none: lists all"},
    kAsJson};
constexpr Parameter kBound[] = {kScenario, kLayers, kSet,    {"level", Kind::text, "--level"},
                                kInputs,   kSeed,   kAsJson, kWhole};
constexpr Parameter kSimulate[] = {kScenario, kLayers,
                                   kSet,      kInputs,
                                   kSeed,     {"replications", Kind::number, "--replications"},
                                   kSteps,    {"precision", Kind::number, "--precision"},
                                   kAsJson,   kWhole};
constexpr Parameter kPlan[] = {kScenario,
                               kLayers,
                               kSet,
                               {"decide", Kind::sets, "--decide", false,
                                "what may be chosen, by JSON pointer, before the scenario's own: "
                                "{\"/jobs/0/loader/workers\": \"1:32\"}, \"4,8,16\", \"1 TB:8 TB/8\""},
                               kInputs,
                               {"confidence_fed", Kind::number, "--confidence-fed"},
                               {"max_points", Kind::number, "--max-points"},
                               kSeed,
                               kAsJson,
                               kWhole};
constexpr Parameter kCompare[] = {
    {"a", Kind::scenario, "", true, kNameOfScenario},
    {"b", Kind::scenario, "", true, kNameOfScenario},
    {"layers", Kind::scenarios, "--with", false, "files laid over both"},
    {"set", Kind::sets, "--set", false, kSets},
    {"set_a", Kind::sets, "--set-a", false, "the same over a only"},
    {"set_b", Kind::sets, "--set-b", false, "the same over b only"},
    {"fail_if", Kind::texts, "--fail-if", false, "changes from a to b that are too large: \"step_time_s > +3 %\""},
    kSeed,
    kSteps,
    kAsJson};

struct Tool {
  std::string_view name;  ///< also the verb
  std::span<const Parameter> parameters;
  bool has_wall = false;  ///< the verb has --max-wall
};

constexpr Tool kTools[] = {{"validate", kValidate},       {"explain", kExplain}, {"bound", kBound},
                           {"simulate", kSimulate, true}, {"plan", kPlan, true}, {"compare", kCompare, true}};

const Tool* find_tool(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kTools), std::end(kTools), [name](const Tool& tool) { return tool.name == name; });
  return found == std::end(kTools) ? nullptr : found;
}

/// The type of a parameter as JSON Schema.
Json type_of(Kind kind) {
  switch (kind) {
    case Kind::number:
      return Json::object({{"type", "number"}});
    case Kind::yes:
      return Json::object({{"type", "boolean"}});
    case Kind::sets:
      return Json::object({{"type", "object"}});
    case Kind::scenarios:
    case Kind::texts:
      return {{"type", "array"}, {"items", {{"type", "string"}}}};
    default:
      return Json::object({{"type", "string"}});
  }
}

bool has_type(const Json& value, Kind kind) {
  const Json schema = type_of(kind);
  const std::string type = schema["type"].get<std::string>();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  if (type == "object") return value.is_object();
  if (type == "string") return value.is_string();
  return value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_string(); });
}

Json schema_of(const Parameter& parameter, const VerbInfo& verb) {
  Json schema = type_of(parameter.kind);
  std::string meaning(parameter.meaning);
  for (const FlagInfo& flag : verb.flags) {
    if (std::find(flag.names.begin(), flag.names.end(), parameter.flag) == flag.names.end()) continue;
    if (meaning.empty()) meaning = flag.help;
    if (!flag.choices.empty() && parameter.kind == Kind::text) schema["enum"] = flag.choices;
  }
  schema["description"] = meaning;
  return schema;
}

Json schema_of(const Tool& tool, const VerbInfo& verb) {
  Json schema{{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  for (const Parameter& parameter : tool.parameters) {
    schema["properties"][std::string(parameter.name)] = schema_of(parameter, verb);
    if (parameter.required) schema["required"].push_back(parameter.name);
  }
  schema["additionalProperties"] = false;
  return schema;
}

/// Flags before positional words, so that no value is taken for a flag.
struct CallWords {
  Words flags;
  Words positional;
  std::optional<CallMistake> mistake;

  void put(const Parameter& parameter, const std::string& value) {
    if (parameter.flag.empty())
      positional.push_back(value);
    else
      flags.push_back(fmt::format("{}={}", parameter.flag, value));
  }
  void put_scenario(const Parameter& parameter, const Json& name, const Words& folders) {
    auto found = find_scenario(name.get<std::string>(), folders);
    if (found) return put(parameter, *found);
    mistake = CallMistake{fmt::format("{}: {}", parameter.name, found.error().message), found.error().help};
  }
  void put_value(const Parameter& parameter, const Json& value, const Words& folders);
};

/// A text is written as it is, as --set takes it; everything else as JSON.
std::string word_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void CallWords::put_value(const Parameter& parameter, const Json& value, const Words& folders) {
  switch (parameter.kind) {
    case Kind::scenario:
      return put_scenario(parameter, value, folders);
    case Kind::scenarios:
      for (const Json& name : value) put_scenario(parameter, name, folders);
      return;
    case Kind::sets:
      for (const auto& [pointer, what] : value.items()) put(parameter, fmt::format("{}={}", pointer, word_of(what)));
      return;
    case Kind::texts:
      for (const Json& text : value) put(parameter, text.get<std::string>());
      return;
    case Kind::yes:
      if (value.get<bool>()) flags.emplace_back(parameter.flag);
      return;
    default:
      put(parameter, word_of(value));
  }
}

CallMistake unknown_argument(const Tool& tool, const std::string& name) {
  std::vector<std::string_view> known;
  for (const Parameter& parameter : tool.parameters) known.push_back(parameter.name);
  return {fmt::format("{} has no argument '{}'", tool.name, name), scenarios::suggest(name, known)};
}

}  // namespace

Json list_tools() {
  const std::vector<VerbInfo> verbs = command_tree();
  Json list = Json::array();
  for (const Tool& tool : kTools) {
    const auto verb =
        std::find_if(verbs.begin(), verbs.end(), [&tool](const VerbInfo& info) { return info.name == tool.name; });
    list.push_back({{"name", tool.name},
                    {"description", verb->summary},
                    {"inputSchema", schema_of(tool, *verb)},
                    {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}});
  }
  return list;
}

bool is_tool(std::string_view name) { return find_tool(name) != nullptr; }

std::string tool_like(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Tool& tool : kTools) known.push_back(tool.name);
  return scenarios::suggest(name, known);
}

tl::expected<Words, CallMistake> words_of(std::string_view name, const Json& arguments, const Words& folders,
                                          double max_wall_s) {
  const Tool& tool = *find_tool(name);
  for (const auto& argument : arguments.items()) {
    const std::string& given = argument.key();
    if (std::none_of(tool.parameters.begin(), tool.parameters.end(),
                     [&given](const Parameter& parameter) { return parameter.name == given; }))
      return tl::unexpected(unknown_argument(tool, given));
  }
  CallWords words;
  for (const Parameter& parameter : tool.parameters) {
    const auto value = arguments.find(std::string(parameter.name));
    if (value == arguments.end() && parameter.required)
      return tl::unexpected(CallMistake{fmt::format("{} needs '{}'", name, parameter.name),
                                        fmt::format("{}: {}", parameter.name, parameter.meaning)});
    if (value == arguments.end()) continue;
    if (!has_type(*value, parameter.kind))
      return tl::unexpected(CallMistake{fmt::format("{}: expected {}", parameter.name, type_of(parameter.kind).dump()),
                                        std::string(parameter.meaning)});
    words.put_value(parameter, *value, folders);
    if (words.mistake) return tl::unexpected(*words.mistake);
  }
  Words all{std::string(name)};
  if (tool.has_wall) all.push_back(fmt::format("--max-wall={}", max_wall_s));
  all.insert(all.end(), words.flags.begin(), words.flags.end());
  if (!words.positional.empty()) all.emplace_back("--");
  all.insert(all.end(), words.positional.begin(), words.positional.end());
  return all;
}

}  // namespace headrace::cli::assistant
