#include "cli/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "reports/outcome_json.hpp"
#include "reports/text_layout.hpp"
#include "scenarios/catalogue.hpp"
#include "scenarios/input_ranges.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;

void collect(const Json& node, const std::string& pointer, const LoadedScenario& loaded,
             std::vector<ResolvedValue>& values) {
  if (node.is_object() && !node.empty()) {
    for (const auto& [key, child] : node.items()) collect(child, scenarios::join_pointer(pointer, key), loaded, values);
  } else if (node.is_array() && !node.empty()) {
    for (std::size_t i = 0; i < node.size(); ++i)
      collect(node[i], scenarios::join_pointer(pointer, std::to_string(i)), loaded, values);
  } else {
    values.push_back({pointer, node.dump(), loaded.origin_of(pointer).print()});
  }
}

/// Days since 1970-01-01; nullopt when the text does not start with a date.
std::optional<int> day_number(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  if (std::sscanf(text.c_str(), "%4d-%2u-%2u", &year, &month, &day) != 3) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  return static_cast<int>(std::chrono::sys_days(date).time_since_epoch().count());
}

}  // namespace

tl::expected<LoadedScenario, scenarios::Diagnostics> try_load(const Invocation& call) {
  return scenarios::load_scenario(call.inputs, call.sets);
}

std::optional<LoadedScenario> load(const Invocation& call, Console& console) {
  auto loaded = try_load(call);
  if (loaded) return std::move(*loaded);
  console.raw_error(print_text(loaded.error(), console.err_colour()));
  return std::nullopt;
}

std::vector<ResolvedValue> resolved_values(const LoadedScenario& loaded) {
  std::vector<ResolvedValue> values;
  collect(loaded.resolved, "", loaded, values);
  return values;
}

int show_resolved(const LoadedScenario& loaded, const Invocation& call, Console& console) {
  const std::vector<ResolvedValue> values = resolved_values(loaded);
  std::string text;
  if (call.json) {
    Json list = Json::array();
    for (const ResolvedValue& value : values)
      list.push_back({{"pointer", value.pointer}, {"value", Json::parse(value.value)}, {"origin", value.origin}});
    text = reports::json_text({{"scenario_sha256", loaded.sha256}, {"values", std::move(list)}});
  } else {
    std::vector<std::vector<std::string>> rows{{"value at", "is", "from"}};
    for (const ResolvedValue& value : values) rows.push_back({value.pointer, value.value, value.origin});
    text = reports::table({{}, {}, {}}, rows);
  }
  return console.deliver(text, call.output) ? kOk : kBadInput;
}

std::vector<models::UncertainInput> uncertain_inputs(const LoadedScenario& loaded) {
  return scenarios::uncertain_inputs(loaded.value, loaded.composition).value();
}

std::vector<models::Warning> old_price_warnings(const LoadedScenario& loaded, const std::string& date) {
  constexpr int kDaysFresh = 366;
  const std::optional<int> reference = day_number(date);
  std::vector<models::Warning> warnings;
  if (!reference) return warnings;
  for (const ResolvedValue& value : resolved_values(loaded)) {
    if (value.pointer.find("price") == std::string::npos) continue;
    const std::string as_of = loaded.origin_of(value.pointer).as_of;
    const std::optional<int> day = day_number(as_of);
    if (!day || *reference - *day <= kDaysFresh) continue;
    warnings.emplace_back(fmt::format("the price {} at {} is of {}", value.value, value.pointer, as_of.substr(0, 10)),
                          fmt::format("{} is more than a year later", date),
                          fmt::format("override it: --set {}=...", value.pointer));
  }
  return warnings;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  ::gmtime_r(&now, &utc);
  char text[16] = {};
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

std::string catalogue_version() {
  std::string newest;
  for (const std::string_view section : {"gpu", "nic", "store", "price"})
    newest = std::max(newest, scenarios::Catalogue::shipped().version(section));
  return newest;
}

}  // namespace headrace::cli
