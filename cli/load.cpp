#include "cli/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/refusal.hpp"
#include "models/outcome/unused_inputs.hpp"
#include "reports/completed_outcome.hpp"
#include "reports/figure_date.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/text_layout.hpp"
#include "scenarios/document/catalogue.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/document/visible_text.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;

void visit_values(const Json& node, const std::string& pointer,
                  const std::function<void(const std::string&, const Json&)>& visit) {
  if (!node.is_structured() || node.empty()) return visit(pointer, node);
  for (const auto& [key, child] : node.items()) visit_values(child, scenarios::join_pointer(pointer, key), visit);
}

/// One resolved value of a scenario and where it comes from.
struct ResolvedValue {
  std::string pointer;
  std::string value;
  std::string origin;
};

/// What a price says of its day: a catalogue figure its own, one that is typed into a shipped scenario that of the
/// shipped catalogue, with which it was looked at last. nullopt: no price, or the user's own.
std::optional<std::string> price_date(const std::string& pointer, const Json& value, const LoadedScenario& loaded) {
  if (pointer.find("price") == std::string::npos || pointer.ends_with("/up_to")) return std::nullopt;
  const scenarios::Origin origin = loaded.origin_of(pointer);
  if (origin.kind == scenarios::Origin::Kind::catalogue && !origin.as_of.starts_with("arithmetic")) return origin.as_of;
  const bool shipped = origin.is_shipped();
  const std::string text = value.is_string() ? value.get<std::string>() : std::string();
  const bool money = text.starts_with('$') && !text.starts_with("$0/");
  if (!shipped || !money) return std::nullopt;
  return scenarios::Catalogue::shipped().version();
}

std::vector<ResolvedValue> resolved_values(const LoadedScenario& loaded) {
  std::vector<ResolvedValue> values;
  for_each_value(loaded.resolved, [&](const std::string& pointer, const Json& value) {
    values.push_back({pointer, value.dump(), loaded.origin_of(pointer).print()});
  });
  return values;
}

/// The names of what a list or record holds, as many as a title has room for: "one, other and 2 more".
std::string names_in(const Json& json) {
  constexpr std::size_t kMostOfNames = 32;
  std::vector<std::string> names;
  for (const auto& [key, part] : json.items()) {
    const bool named = part.is_object() && part.contains("name") && part["name"].is_string();
    if (json.is_object())
      names.push_back(key);
    else if (named)
      names.push_back(part["name"].get<std::string>());
    else if (part.is_primitive())
      names.push_back(part.is_string() ? part.get<std::string>() : part.dump());
  }
  if (names.size() < json.size()) return reports::counted(json.size(), "value");
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0 && text.size() + names[i].size() > kMostOfNames)
      return fmt::format("{} and {} more", text, names.size() - i);
    text += (i > 0 ? ", " : "") + names[i];
  }
  return text;
}

/// The files that change what the title was written for: those after its own, and one that extends it. A title that
/// --set gives is of all of them.
std::vector<std::string> files_after_title(const LoadedScenario& loaded) {
  const scenarios::Origin title = loaded.origin_of("/title");
  if (title.kind != scenarios::Origin::Kind::file) return {};
  const std::vector<std::string>& inputs = loaded.composition.inputs;
  std::vector<std::string> files;
  for (std::size_t i = static_cast<std::size_t>(title.layer); i < inputs.size(); ++i)
    if (inputs[i] != title.name)
      files.push_back(inputs[i] == "-" ? "standard input" : std::filesystem::path(inputs[i]).filename().string());
  return files;
}

/// " (with faster.json, /cluster/pools/0/nodes = 96 and 2 more)": what the title of a file does not say.
std::string changes_text(std::vector<std::string> changes, const std::vector<std::string>& sets) {
  const std::size_t files = changes.size();
  for (const std::string& set : sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || set.starts_with("/title=")) continue;
    changes.push_back(fmt::format("{} = {}", set.substr(0, equals), value_in_title(set.substr(equals + 1))));
  }
  if (changes.empty()) return {};
  const std::size_t shown = std::min(changes.size(), files + 1);
  const std::size_t more = changes.size() - shown;
  changes.resize(shown);
  return fmt::format(" (with {}{})", fmt::join(changes, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

tl::expected<scenarios::Catalogue, scenarios::Diagnostics> catalogue_of(const std::vector<std::string>& files) {
  scenarios::Catalogue catalogue = scenarios::Catalogue::shipped();
  scenarios::Diagnostics diagnostics;
  for (const std::string& file : files)
    if (std::optional<std::string> text = scenarios::read_text(file, diagnostics))
      catalogue.add(file, std::move(*text), diagnostics, true);
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return catalogue;
}

tl::expected<LoadedScenario, scenarios::Diagnostics> try_load(const ScenarioOptions& options) {
  scenarios::LoadOptions load_options;
  load_options.slos = options.slos;
  load_options.catalogue = &scenarios::Catalogue::shipped();
  if (options.catalogues.empty()) return scenarios::load_scenario(options.inputs, options.sets, load_options);
  const auto catalogue = catalogue_of(options.catalogues);
  if (!catalogue) return tl::unexpected(catalogue.error());
  load_options.catalogue = &*catalogue;
  return scenarios::load_scenario(options.inputs, options.sets, load_options);
}

std::optional<LoadedScenario> load(const ScenarioOptions& options, Console& console) {
  auto loaded = try_load(options);
  if (loaded) {
    const scenarios::Sources& sources = *loaded->composition.sources;
    for (std::uint32_t i = 0; i < sources.size(); ++i)
      if (sources[i].kind == scenarios::SourceKind::file) console.reads(sources[i].name);
    for (const std::string& note : loaded->composition.notes) console.note("note: " + note);
    warn_implausible(*loaded, console);
    return std::move(*loaded);
  }
  refuse(loaded.error(), console);
  return std::nullopt;
}

tl::expected<LoadedScenario, scenarios::Diagnostics> load_text(const std::string& name, const std::string& text,
                                                               const scenarios::Catalogue& catalogue,
                                                               const std::vector<std::string>& layers,
                                                               const std::vector<std::string>& sets) {
  const std::map<std::string, std::string> texts{{name, text}};
  scenarios::LoadOptions options;
  options.catalogue = &catalogue;
  options.texts = &texts;
  std::vector<std::string> inputs{name};
  inputs.insert(inputs.end(), layers.begin(), layers.end());
  return scenarios::load_scenario(inputs, sets, options);
}

std::string value_in_title(const std::string& value) {
  constexpr std::size_t kMostOfValue = 24;
  const Json json = Json::parse(value, nullptr, false);
  if (json.is_object()) return "{" + names_in(json) + "}";
  if (json.is_array()) return "[" + names_in(json) + "]";
  return value.size() > kMostOfValue ? value.substr(0, kMostOfValue - 2) + ".." : value;
}

std::string title_of(const LoadedScenario& loaded, const ScenarioOptions& options) {
  return scenarios::visible_text(loaded.value.title.empty() ? options.inputs.back() : loaded.value.title) +
         scenarios::visible_text(changes_text(files_after_title(loaded), options.sets));
}

std::function<std::string(const std::string& pointer)> origins_of(const LoadedScenario& loaded) {
  return [&loaded](const std::string& pointer) { return loaded.origin_of(pointer).print(); };
}

int show_resolved(const LoadedScenario& loaded, const OutputOptions& output, Console& console) {
  const std::vector<ResolvedValue> values = resolved_values(loaded);
  std::string text;
  if (output.json) {
    Json list = Json::array();
    for (const ResolvedValue& value : values)
      list.push_back({{"pointer", value.pointer}, {"value", Json::parse(value.value)}, {"origin", value.origin}});
    text = reports::json_text({{"scenario_sha256", loaded.sha256}, {"values", std::move(list)}});
  } else {
    std::vector<std::vector<std::string>> rows{{"value at", "is", "from"}};
    for (const ResolvedValue& value : values) rows.push_back({value.pointer, value.value, value.origin});
    text = reports::table({{}, {}, {}}, rows);
  }
  return console.deliver(text, output.file) ? kOk : kBadInput;
}

void for_each_value(const Json& document, const std::function<void(const std::string&, const Json&)>& visit) {
  visit_values(document, "", visit);
}

std::vector<models::UncertainInput> uncertain_inputs(const LoadedScenario& loaded) {
  return scenarios::uncertain_inputs(loaded.value, loaded.composition).value();
}

void warn_implausible(const LoadedScenario& loaded, Console& console) {
  constexpr std::size_t most = 10;
  const std::vector<models::Warning> warnings = reports::implausible_warnings(loaded);
  for (std::size_t i = 0; i < std::min(most, warnings.size()); ++i)
    console.warn(fmt::format("{}\n  --> {}\n  = help: {}", warnings[i].seen, warnings[i].cause, warnings[i].fix));
  if (warnings.size() > most)
    console.warn(fmt::format("{} more values are outside their plausible ranges", warnings.size() - most));
}

void warn_unused_stores(const LoadedScenario& loaded, Console& console) {
  for (const models::Warning& unused : models::unused_stores(loaded.value))
    console.warn(fmt::format("{}; {}", unused.seen, unused.fix));
}

namespace {

/// Prices of one date, in the order of the document.
struct DatedPrices {
  std::string date;            ///< empty: none
  std::string price, pointer;  ///< of the first
  std::size_t more = 0;
};

std::vector<DatedPrices> old_prices(const LoadedScenario& loaded, int reference, int days_fresh) {
  std::vector<DatedPrices> old;
  for_each_value(loaded.resolved, [&](const std::string& pointer, const Json& value) {
    const std::optional<std::string> dated = price_date(pointer, value, loaded);
    if (!dated) return;
    const std::optional<int> day = reports::last_day(*dated);
    if (day && reference - *day <= days_fresh) return;
    const std::string date = day ? dated->substr(0, dated->find(';')) : "";
    const auto same = std::find_if(old.begin(), old.end(), [&](const DatedPrices& p) { return p.date == date; });
    if (same == old.end())
      old.push_back({date, value.dump(), pointer});
    else
      ++same->more;
  });
  return old;
}

}  // namespace

std::vector<models::Warning> old_price_warnings(const LoadedScenario& loaded, const std::string& date) {
  constexpr int kDaysFresh = 90;
  const std::optional<int> reference = reports::last_day(date);
  std::vector<models::Warning> warnings;
  if (!reference) return warnings;
  for (const DatedPrices& old : old_prices(loaded, *reference, kDaysFresh)) {
    const bool one = old.more == 0;
    const std::string which = one ? fmt::format("the price {} at {}", old.price, old.pointer)
                                  : fmt::format("{} prices, the first {} at {},", old.more + 1, old.price, old.pointer);
    const std::string when = old.date.empty() ? fmt::format("{} no date", one ? "has" : "have")
                                              : fmt::format("{} of {}", one ? "is" : "are", old.date);
    warnings.emplace_back(fmt::format("{} {}", which, when),
                          fmt::format("{} is more than {} days later", date, kDaysFresh),
                          fmt::format("override {}: --set {}=...{}", one ? "it" : "them", old.pointer,
                                      one ? "" : "; --dry-run shows all values"));
  }
  return warnings;
}

}  // namespace headrace::cli
