#include "scenarios/growth/growth_part.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/describe/describe.hpp"
#include "models/spec/number_scaling.hpp"
#include "scenarios/document/calendar.hpp"
#include "scenarios/document/complaint.hpp"

namespace headrace::scenarios {
namespace {

Diagnostics without_growth() {
  Diagnostic d;
  d.code = "E0202";
  d.message = "the scenario has no growth part";
  d.pointer = "/growth";
  d.help = R"(add "growth": {"start": "2026-10-01", "trends": [...]}; headrace growth growing-fleet shows one)";
  Diagnostics diagnostics;
  diagnostics.add(std::move(d));
  return diagnostics;
}

/// Where a value of the growth part stands.
class Places {
 public:
  explicit Places(const LoadedScenario& loaded) : composition_(loaded.composition) {}

  void complain(std::string_view code, const std::string& pointer, std::string message, std::string help) {
    const Node* node = find_at(composition_.document, pointer);
    all.add(complaint_at(*composition_.sources, node == nullptr ? Place{} : node->place, code, pointer,
                         std::move(message), std::move(help)));
  }
  const Node* at(const std::string& pointer) const { return find_at(composition_.document, pointer); }

  Diagnostics all;

 private:
  const Composition& composition_;
};

void check_dates(const models::Growth& growth, Places& places) {
  const std::string help = "write YYYY-MM-DD: 2026-10-01";
  if (const std::string reason = reason_against_date(growth.start); !reason.empty())
    places.complain("E0220", "/growth/start", reason, help);
  for (std::size_t i = 0; i < growth.purchases.size(); ++i) {
    const std::string& date = growth.purchases[i].as_of;
    if (date.empty()) continue;
    if (const std::string reason = reason_against_date(date); !reason.empty())
      places.complain("E0220", fmt::format("/growth/purchases/{}/as_of", i), reason, help);
  }
}

void check_pointers(const models::Growth& growth, const models::Scenario& scenario, Places& places) {
  const auto check = [&](const std::string& parameter, const std::string& where) {
    if (without_number({{parameter, 1.0}}, scenario).empty()) return;
    places.complain("E0216", where, fmt::format("'{}' names no number of the scenario", parameter),
                    "headrace explain /" + std::string("datasets shows parameters; --dry-run shows all pointers"));
  };
  for (std::size_t i = 0; i < growth.trends.size(); ++i)
    check(growth.trends[i].parameter, fmt::format("/growth/trends/{}/parameter", i));
  for (std::size_t i = 0; i < growth.purchases.size(); ++i)
    for (std::size_t k = 0; k < growth.purchases[i].adds.size(); ++k)
      check(growth.purchases[i].adds[k].parameter, fmt::format("/growth/purchases/{}/adds/{}/parameter", i, k));
}

/// Numbers of the swaps by quarter.
std::vector<std::size_t> by_quarter(const models::Growth& growth) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < growth.swaps.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&growth](auto a, auto b) { return growth.swaps[a].quarter < growth.swaps[b].quarter; });
  return order;
}

std::vector<Setting> settings_of(std::size_t swap, const models::GrowthSwap& about, const Places& places) {
  std::vector<Setting> settings;
  for (std::size_t k = 0; k < about.set.size(); ++k)
    if (const Node* value = places.at(fmt::format("/growth/swaps/{}/set/{}/value", swap, k)))
      settings.push_back({about.set[k].parameter, value->place, *value});
  return settings;
}

}  // namespace

bool has_growth(const LoadedScenario& loaded) { return find_at(loaded.composition.document, "/growth") != nullptr; }

tl::expected<GrowthPart, Diagnostics> growth_part(const LoadedScenario& loaded, const Catalogue& catalogue) {
  const Node* node = find_at(loaded.composition.document, "/growth");
  if (node == nullptr) return tl::unexpected(without_growth());
  Places places(loaded);
  GrowthPart part;
  Node root = make_object(node->place);
  root.members.push_back({"growth", node->place, *node});
  const auto describe_part = [&part](models::Visitor& v) {
    part.growth = {};
    v.record("growth", part.growth, {.meaning = "What grows"});
  };
  parse_record(root, *loaded.composition.sources, catalogue, Names::keep, describe_part, places.all);
  if (!places.all.empty()) return tl::unexpected(std::move(places.all));
  check_dates(part.growth, places);
  check_pointers(part.growth, loaded.value, places);
  if (!places.all.empty()) return tl::unexpected(std::move(places.all));
  part.generations.push_back(loaded);
  std::vector<Setting> settings;
  std::vector<models::GrowthSwap> sorted;
  for (const std::size_t swap : by_quarter(part.growth)) {
    sorted.push_back(part.growth.swaps[swap]);
    for (Setting& setting : settings_of(swap, sorted.back(), places)) settings.push_back(std::move(setting));
    auto next = load_variant<models::Scenario>(loaded.composition, settings, catalogue);
    if (!next) return tl::unexpected(std::move(next.error()));
    part.generations.push_back(std::move(*next));
  }
  part.growth.swaps = std::move(sorted);
  return part;
}

}  // namespace headrace::scenarios
