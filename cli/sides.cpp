#include "cli/sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/refusal.hpp"
#include "scenarios/document/read_json.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;

tl::expected<LoadedScenario, scenarios::Diagnostics> load_resolved(const Json& resolved,
                                                                   const std::vector<std::string>& catalogues,
                                                                   const std::vector<std::string>& layers = {},
                                                                   const std::vector<std::string>& sets = {}) {
  const auto catalogue = catalogue_of(catalogues);
  if (!catalogue) return tl::unexpected(catalogue.error());
  return load_text("<scenario in the result>", resolved.dump(), *catalogue, layers, sets);
}

/// Nothing where the file is no JSON: reading it as a scenario then says why.
std::optional<Json> json_in(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  auto json = scenarios::read_json(path);
  return json ? std::optional(std::move(*json)) : std::nullopt;
}

std::vector<std::pair<std::string, std::string>> values_of(const Side& side) {
  std::vector<std::pair<std::string, std::string>> values;
  for_each_value(side.resolved, [&values](const std::string& pointer, const Json& value) {
    values.emplace_back(pointer, value.is_string() ? value.get<std::string>() : value.dump());
  });
  std::erase_if(values, [](const auto& value) { return value.first.starts_with("/slo/") || value.first == "/title"; });
  return values;
}

/// Name of the entry around a value, where the record has one: "/cluster/pools/0/gpu/name".
std::string entry_name(const Side& side, const std::string& pointer) {
  for (std::string around = pointer; !around.empty();) {
    around.resize(around.rfind('/'));
    const nlohmann::ordered_json::json_pointer place(around);
    if (!side.resolved.contains(place)) continue;
    const Json& record = side.resolved[place];
    if (record.is_object() && record.contains("name") && record["name"].is_string())
      return record["name"].get<std::string>();
  }
  return {};
}

}  // namespace

std::string Side::origin_of(const std::string& pointer) const {
  if (recorded) return "result " + name;
  return loaded ? loaded->origin_of(pointer).print() : std::string();
}

Side side_of(std::string name, reports::RecordedOutcome recorded, const ScenarioOptions& options) {
  Side side;
  side.name = std::move(name);
  side.resolved = recorded.scenario;
  side.catalogue_version = recorded.catalogue_version;
  auto loaded = load_resolved(recorded.scenario, options.catalogues, options.inputs, options.sets);
  side.changed = !options.inputs.empty() || !options.sets.empty();
  if (loaded) {
    side.loaded = std::move(*loaded);
    if (side.changed) side.resolved = side.loaded->resolved;
  } else {
    side.reason = loaded.error().sorted().front().message;
    side.complaints = std::move(loaded.error());
  }
  side.recorded = std::move(recorded);
  return side;
}

namespace {

std::vector<std::string> layered(const std::string& name, const std::vector<std::string>& layers) {
  std::vector<std::string> all{name};
  all.insert(all.end(), layers.begin(), layers.end());
  return all;
}

/// A result whose scenario is changed must be read again: there are no recorded numbers of what was asked for.
std::optional<Side> changed_side(const std::string& title, reports::RecordedOutcome recorded,
                                 const ScenarioOptions& options, Console& console) {
  Side side = side_of(title, std::move(recorded), options);
  if (side.loaded || !side.changed) return side;
  refuse(side.complaints, console);
  return std::nullopt;
}

}  // namespace

std::optional<Side> load_side(const std::string& name, ScenarioOptions options, Console& console) {
  const std::string title = fmt::format("{}", fmt::join(layered(name, options.inputs), " + "));
  if (const std::optional<Json> document = json_in(name); document && reports::is_outcome(*document)) {
    auto recorded = reports::read_outcome(*document);
    if (recorded) return changed_side(title, std::move(*recorded), options, console);
    console.error(fmt::format("'{}' is not a result: {}", name, recorded.error()),
                  "a result is the output of headrace simulate --json (E0306)");
    return std::nullopt;
  }
  options.inputs = layered(name, options.inputs);
  std::optional<LoadedScenario> loaded = load(options, console);
  if (!loaded) return std::nullopt;
  warn_unused_stores(*loaded, console);
  Side side;
  side.name = title;
  side.resolved = loaded->resolved;
  side.catalogue_version = loaded->composition.catalogue_version;
  side.loaded = std::move(*loaded);
  return side;
}

std::vector<InputDifference> input_differences(const Side& before, const Side& after) {
  std::map<std::string, std::string> old;
  for (const auto& [pointer, value] : values_of(before)) old.emplace(pointer, value);
  std::vector<InputDifference> differences;
  const bool other_catalogue = before.catalogue_version != after.catalogue_version;
  for (const auto& [pointer, value] : values_of(after)) {
    const auto found = old.find(pointer);
    if (found != old.end() && found->second == value) {
      old.erase(found);
      continue;
    }
    InputDifference difference{pointer, found == old.end() ? "" : found->second, value, after.origin_of(pointer)};
    difference.catalogue = other_catalogue && !after.recorded && after.loaded && found != old.end() &&
                           after.loaded->origin_of(pointer).kind == scenarios::Origin::Kind::catalogue &&
                           entry_name(before, pointer) == entry_name(after, pointer);
    differences.push_back(std::move(difference));
    if (found != old.end()) old.erase(found);
  }
  for (const auto& [pointer, value] : old) differences.push_back({pointer, value, "", ""});
  return differences;
}

std::optional<LoadedScenario> with_catalogue_of(const Side& before, const Side& after,
                                                const std::vector<InputDifference>& differences,
                                                const std::vector<std::string>& catalogues) {
  if (!before.loaded || !after.loaded) return std::nullopt;
  Json mixed = before.resolved;
  bool any = false;
  for (const InputDifference& difference : differences) {
    if (!difference.catalogue) continue;
    const Json::json_pointer place(difference.pointer);
    if (!mixed.contains(place)) continue;
    mixed[place] = after.resolved[place];
    any = true;
  }
  if (!any) return std::nullopt;
  auto loaded = load_resolved(mixed, catalogues);
  if (!loaded) return std::nullopt;
  return std::move(*loaded);
}

}  // namespace headrace::cli
