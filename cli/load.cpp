#include "cli/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

/// Days since 1970-01-01 of the last date that the text names before its source ("2024-12; vendor page"), at the end of
/// its month or year where it is not told closer; nullopt when it names none.
std::optional<int> last_day(const std::string& text) {
  const std::string head = text.substr(0, text.find(';'));
  std::optional<int> last;
  for (std::size_t at = 0; at + 4 <= head.size(); ++at) {
    if (at > 0 && (std::isdigit(static_cast<unsigned char>(head[at - 1])) != 0)) continue;
    int year = 0;
    unsigned month = 12;
    unsigned day = 0;
    const int read = std::sscanf(head.c_str() + at, "%4d-%2u-%2u", &year, &month, &day);
    if (read < 1 || year < 1990 || year > 2200) continue;
    if (read < 2 || month > 12 || month == 0) month = 12;  // "2024-2025" is two years
    const std::chrono::year_month when = std::chrono::year(year) / std::chrono::month(month);
    const std::chrono::year_month_day date = read == 3 && day > 0 && (when / std::chrono::day(day)).ok()
                                                 ? when / std::chrono::day(day)
                                                 : std::chrono::year_month_day(when / std::chrono::last);
    const auto number = static_cast<int>(std::chrono::sys_days(date).time_since_epoch().count());
    last = std::max(last.value_or(number), number);
  }
  return last;
}

/// What a price says of its day: a catalogue figure its own, one that is typed into a shipped scenario that of the
/// shipped catalogue, with which it was looked at last. nullopt: no price, or the user's own.
std::optional<std::string> price_date(const ResolvedValue& value, const LoadedScenario& loaded) {
  if (value.pointer.find("price") == std::string::npos || value.pointer.ends_with("/up_to")) return std::nullopt;
  const scenarios::Origin origin = loaded.origin_of(value.pointer);
  if (origin.kind == scenarios::Origin::Kind::catalogue && !origin.as_of.starts_with("arithmetic")) return origin.as_of;
  const bool shipped = origin.kind == scenarios::Origin::Kind::file && origin.name.starts_with("shipped:");
  const bool money = value.value.starts_with("\"$") && !value.value.starts_with("\"$0/");
  if (!shipped || !money) return std::nullopt;
  return scenarios::Catalogue::shipped().version();
}

}  // namespace

tl::expected<scenarios::Catalogue, scenarios::Diagnostics> catalogue_of(const Invocation& call) {
  scenarios::Catalogue catalogue = scenarios::Catalogue::shipped();
  scenarios::Diagnostics diagnostics;
  for (const std::string& file : call.catalogues)
    if (std::optional<std::string> text = scenarios::read_text(file, diagnostics))
      catalogue.add(file, std::move(*text), diagnostics, true);
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return catalogue;
}

tl::expected<LoadedScenario, scenarios::Diagnostics> try_load(const Invocation& call) {
  const auto catalogue = catalogue_of(call);
  if (!catalogue) return tl::unexpected(catalogue.error());
  scenarios::LoadOptions options;
  options.catalogue = &*catalogue;
  return scenarios::load_scenario(call.inputs, call.sets, options);
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
  constexpr int kDaysFresh = 90;
  const std::optional<int> reference = last_day(date);
  std::vector<models::Warning> warnings;
  if (!reference) return warnings;
  for (const ResolvedValue& value : resolved_values(loaded)) {
    const std::optional<std::string> dated = price_date(value, loaded);
    if (!dated) continue;
    const std::optional<int> day = last_day(*dated);
    if (day && *reference - *day <= kDaysFresh) continue;
    warnings.emplace_back(
        day ? fmt::format("the price {} at {} is of {}", value.value, value.pointer, dated->substr(0, dated->find(';')))
            : fmt::format("the price {} at {} has no date", value.value, value.pointer),
        fmt::format("{} is more than {} days later", date, kDaysFresh),
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

}  // namespace headrace::cli
