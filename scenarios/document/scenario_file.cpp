#include "scenarios/document/scenario_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scenarios/document/input_ranges.hpp"
#include "scenarios/document/parameter_sheet.hpp"
#include "scenarios/document/schema_visitor.hpp"
#include "scenarios/document/site_file.hpp"
#include "scenarios/document/thresholds.hpp"

namespace headrace::scenarios {
namespace {

/// Of a key that is unknown where it stands.
std::string place_in_scenario(std::string_view key) {
  constexpr std::size_t kMostPlaces = 4;  // more of them say that the name alone says little
  const std::string name = fmt::format("/{}/", key);
  std::vector<std::string> places;
  for (const Parameter& parameter : scenario_parameters()) {
    const std::size_t at = (parameter.pointer + "/").find(name);
    if (at == std::string::npos) continue;
    std::string place = parameter.pointer.substr(0, at + name.size() - 1);
    std::replace(place.begin(), place.end(), '*', '0');
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
  }
  return places.size() > kMostPlaces ? std::string() : fmt::format("{}", fmt::join(places, " or "));
}

}  // namespace

tl::expected<LoadedScenario, Diagnostics> load_scenario(std::span<const std::string> paths,
                                                        std::span<const std::string> overrides,
                                                        const LoadOptions& options) {
  LoadOptions of_scenario = options;
  of_scenario.elsewhere = place_in_scenario;
  auto loaded = load<models::Scenario>(paths, overrides, of_scenario);
  if (!loaded) return loaded;
  if (auto thresholds = thresholds_of(loaded->value, loaded->composition); !thresholds)
    return tl::unexpected(std::move(thresholds.error()));
  if (loaded->value.input_ranges.empty()) return loaded;
  auto inputs = uncertain_inputs(loaded->value, loaded->composition);
  if (!inputs) return tl::unexpected(std::move(inputs.error()));
  return loaded;
}

void describe_scenario(models::Scenario& scenario, models::Visitor& visitor) { describe(scenario, visitor); }

nlohmann::ordered_json print_scenario(const models::Scenario& scenario) {
  models::Scenario copy = scenario;
  return print_record([&copy](models::Visitor& visitor) { describe(copy, visitor); });
}

std::string scenario_sha256(const models::Scenario& scenario) {
  models::Scenario copy = scenario;
  return fingerprint([&copy](models::Visitor& visitor) { describe(copy, visitor); });
}

nlohmann::ordered_json scenario_schema() {
  models::Scenario fresh;
  nlohmann::ordered_json schema = record_schema([&fresh](models::Visitor& visitor) { describe(fresh, visitor); },
                                                "https://headrace.dev/scenario.schema.json", "Headrace scenario");
  schema["properties"][std::string(kCalibrationKey)] = {
      {"description", "Record of headrace calibrate (site.schema.json); not part of the scenario"}, {"type", "object"}};
  return schema;
}

}  // namespace headrace::scenarios
