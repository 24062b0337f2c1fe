#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/document.hpp"
#include "reports/growth_json.hpp"
#include "reports/humane.hpp"
#include "reports/room_text.hpp"
#include "reports/text_layout.hpp"
#include "scenarios/document/calendar.hpp"
#include "scenarios/growth/growth.hpp"

namespace headrace::reports {
namespace {

using GrowthDocument = nlohmann::ordered_json;
using GrowthRows = std::vector<std::vector<std::string>>;

constexpr std::size_t kMostItems = 3;

std::string date_text(const GrowthDocument& date) {
  return date.is_null() ? std::string("later") : date.get<std::string>();
}

std::string interval_text(const GrowthDocument& dates) {
  const std::string low = date_text(dates["p10"]);
  const std::string high = date_text(dates["p90"]);
  return low == high ? low : fmt::format("{} to {}", low, high);
}

std::string layers_text(const GrowthDocument& document, const Style& style) {
  GrowthRows rows{{"layer", "full", "interval (80 % of draws)", "today", kFullestLaterHeading}};
  for (const GrowthDocument& layer : document["layers"])
    rows.push_back({layer["layer"], date_text(layer["full"]["as_stated"]), interval_text(layer["full"]),
                    percent(element_at(layer["quarters"], 0)["busy_share"]["as_stated"], 0),
                    fullest_text(text_at(layer, "resource_today"), text_at(layer, "resource"))});
  return folded_table({{}, {}, {}, {true, 0}, {}}, rows, style.width);
}

/// Of an order in a document.
std::string order_text(const GrowthDocument& item) {
  models::GrowthPurchase purchase;
  purchase.name = text_at(item, "name");
  for (const GrowthDocument& one : at(item, "adds"))
    purchase.adds.push_back({text_at(one, "parameter"), number_at(one, "share")});
  return bought_text(item["steps"].get<unsigned>(), purchase);
}

std::string buy_text(const GrowthDocument& document, bool all, const Style& style) {
  const GrowthDocument& list = document["buy_list"];
  if (list.empty()) return "  Nothing has to be bought.\n";
  GrowthRows rows{{"order", "needed", "interval (80 % of draws)", "what", "price"}};
  for (std::size_t i = 0; i < list.size() && (all || i < kMostItems); ++i) {
    const GrowthDocument& item = element_at(list, i);
    rows.push_back({item["late"].get<bool>() ? std::string("today, late") : item["order"].get<std::string>(),
                    date_text(item["needed"]["as_stated"]), interval_text(item["needed"]), order_text(item),
                    round_usd(item["price_usd"])});
  }
  return folded_table({{}, {}, {}, {}, {true, 0}}, rows, style.width);
}

std::string buy_heading(const GrowthDocument& document, bool all, const Style& style) {
  const std::size_t items = document["buy_list"].size();
  return style.bold("Buy") +
         (all || items <= kMostItems
              ? std::string()
              : fmt::format(" (the first {} of {} orders; --verbose lists all)", kMostItems, items));
}

/// "4 q early".
std::string moment_head(int shift) {
  return shift == 0 ? "on time" : fmt::format("{} q {}", std::abs(shift), shift < 0 ? "early" : "late");
}

std::string regret_text(const GrowthDocument& document, const Style& style) {
  GrowthRows rows{{"all orders of"}};
  for (const GrowthDocument& row : document["regret"]) {
    const auto name = row["name"].get<std::string>();
    if (rows.size() == 1 || rows.back().front() != name) rows.push_back({name});
    if (rows.size() == 2) rows.front().push_back(moment_head(static_cast<int>(number_at(row, "shift_quarters"))));
    rows.back().push_back(round_usd(row["regret_usd"]));
  }
  if (rows.size() == 1) return {};
  std::vector<Column> columns(rows.front().size(), kRight);
  columns.front() = kLeft;
  return "\nRegret: expected cost above the best moment of each draw, all others as listed;\n  what would come before "
         "the start comes at the start\n" +
         folded_table(columns, rows, style.width);
}

/// "31.2 kW, 48 rack units": without drive writes.
std::string machines_text(const models::RoomFacts& room) {
  const std::string power = power_text(room);
  const std::string units = rack_units_text(room);
  if (units.empty()) return power;
  return fmt::format("{}{}{} rack units", power, power.empty() ? "" : ", ", units);
}

/// The room at the start and at the end of the horizon, with what is bought.
std::string rooms_text(const GrowthDocument& document, const Style& style) {
  if (!document.contains("as_bought") || document["as_bought"].empty()) return {};
  const models::RoomFacts last = room_in(document["as_bought"].back());
  const std::string now = machines_text(room_in(document["as_bought"].front()));
  const std::string then = machines_text(last);
  std::string text;
  if (!now.empty() || !then.empty())
    text = fmt::format("Owned: {}; at the end {}", now.empty() ? "nothing" : now, then);
  if (const std::string writes = drive_writes_text(last); !writes.empty())
    text += fmt::format("{}drive writes a day at the end, in capacities: {}", text.empty() ? "" : "; ", writes);
  return text.empty() ? text : wrapped(text + ".", style.width, 2) + "\n";
}

std::string course_text(const GrowthDocument& document, const Style& style) {
  GrowthRows rows{{"quarter"}};
  for (const GrowthDocument& layer : document["layers"]) rows.front().push_back(layer["layer"]);
  rows.front().emplace_back("GPUs waiting");
  const bool buys = !document["buy_list"].empty() && document.contains("as_bought");
  if (buys) rows.front().emplace_back("waiting as bought");
  const auto waiting = [](const GrowthDocument& gpus) {
    return fmt::format("{} ({} to {})", humane_number(gpus["as_stated"], 3), humane_number(gpus["p10"], 3),
                       humane_number(gpus["p90"], 3));
  };
  for (std::size_t q = 0; q < document["waiting_gpus"].size(); ++q) {
    rows.push_back({document["layers"].empty()
                        ? std::to_string(q)
                        : element_at(element_at(document["layers"], 0)["quarters"], q)["date"].get<std::string>()});
    for (const GrowthDocument& layer : document["layers"]) {
      const GrowthDocument& share = element_at(layer["quarters"], q)["busy_share"];
      rows.back().push_back(fmt::format("{} ({} to {})", percent(share["as_stated"], 0), percent(share["p10"], 0),
                                        percent(share["p90"], 0)));
    }
    rows.back().push_back(waiting(element_at(document["waiting_gpus"], q)));
    if (!buys) continue;
    const GrowthDocument& bought = element_at(document["as_bought"], q);
    rows.back().push_back(bought.contains("drawn_waiting_gpus") ? waiting(bought["drawn_waiting_gpus"])
                                                                : humane_number(number_at(bought, "waiting_gpus"), 3));
  }
  std::vector<Column> columns(rows.front().size(), kRight);
  columns.front() = kLeft;
  return "\nBusy share of each layer if nothing is bought (80 % of draws)\n" + folded_table(columns, rows, style.width);
}

/// "14.0 +- 1.4 %", with its 95 % interval.
std::string simulated_idle_text(const GrowthDocument& run) {
  return fmt::format("{:.1f} +- {}", 100.0 * number_at(run, "simulated_idle_fraction"),
                     percent(number_at(run, "half_width")));
}

std::string knees_text(const GrowthDocument& document) {
  std::string text;
  for (const GrowthDocument& run : document["simulated_quarters"])
    text += fmt::format(
        "{} {} on {} (simulated {})", text.empty() ? "All by flow bounds. If nothing is bought GPUs wait" : ",",
        percent(run["expected_idle_fraction"], 1), run["date"].get<std::string>(), simulated_idle_text(run));
  return text.empty() ? "All figures are flow bounds; no quarter was simulated." : text + ".";
}

/// "8 quarters before the stated need (no more was tried)".
std::string shift_text(const GrowthDocument& document, const GrowthDocument& row) {
  const auto shift = static_cast<int>(number_at(row, "shift_quarters"));
  if (shift == 0) return moment_of(shift);
  int farthest = 0;
  for (const GrowthDocument& other : at(document, "regret")) {
    const auto tried = static_cast<int>(number_at(other, "shift_quarters"));
    if ((tried < 0) == (shift < 0)) farthest = std::max(farthest, std::abs(tried));
  }
  return moment_of(shift) + (std::abs(shift) == farthest ? " (no more was tried)" : "");
}

}  // namespace

std::string added_text(const models::GrowthPurchase& purchase) {
  return purchase.adds.empty() ? std::string() : "+" + percent(purchase.adds.front().share, 0);
}

std::string bought_text(std::uint64_t steps, const models::GrowthPurchase& purchase) {
  const std::string adds = added_text(purchase);
  return fmt::format("{}{}{}{}", steps == 1 ? "" : fmt::format("{} x ", steps), purchase.name, adds.empty() ? "" : " ",
                     adds);
}

std::string moment_of(int shift) {
  if (shift == 0) return "on the day of the stated need";
  return fmt::format("{} {} the stated need", counted(static_cast<std::uint64_t>(std::abs(shift)), "quarter"),
                     shift < 0 ? "before" : "after");
}

namespace {

std::string drawn_text(const GrowthDocument& usd) {
  return fmt::format("{} to {}", round_usd(number_at(usd, "p10")), round_usd(number_at(usd, "p90")));
}

}  // namespace

std::vector<GrowthCost> growth_costs(const GrowthDocument& document) {
  const auto expected = [&](const char* key) {
    const std::optional<double> usd = optional_at(document, key);
    return usd ? round_usd(*usd) : std::string();  // a document from before there was one
  };
  const GrowthDocument& nothing = at(document, "doing_nothing_usd");
  std::vector<GrowthCost> costs{{fmt::format("buy nothing: {}", why_nothing_costs(document)),
                                 expected("doing_nothing_expected_usd"), round_usd(number_at(nothing, "as_stated")),
                                 drawn_text(nothing)}};
  if (const std::string buying = expected("buying_expected_usd");
      !at(document, "buy_list").empty() && !buying.empty()) {
    const GrowthDocument& draws = at(document, "buying_draws_usd");
    costs.push_back({"buy as listed", buying, round_usd(number_at(document, "buying_usd")),
                     draws.is_object() ? drawn_text(draws) : std::string()});
  }
  return costs;
}

std::string cost_heading(const GrowthDocument& document, std::string_view cost) {
  return fmt::format("{}, discounted at {} a year", cost,
                     percent(optional_at(document, "discount_rate_per_year").value_or(0.0), 0));
}

namespace {

bool is_store_filled(const GrowthDocument& document) {
  const GrowthDocument& layers = at(document, "layers");
  return std::any_of(layers.begin(), layers.end(), [](const GrowthDocument& layer) {
    return text_at(layer, "layer") == "capacity" && at(layer, "full").is_object();
  });
}

}  // namespace

std::string capacity_sentence(const GrowthDocument& document) {
  if (!is_store_filled(document)) return {};
  return "Where a store is full, the work on data that does not fit counts as waiting.";
}

std::string why_nothing_costs(const GrowthDocument& document) {
  return is_store_filled(document) ? "GPUs wait or lack space" : "GPUs wait";
}

namespace {

/// "(0 at the end, 243 or more in a tenth of the draws)" of the GPUs that wait although all is bought as listed.
std::string still_waiting(const GrowthDocument& document) {
  const GrowthDocument& quarters = at(document, "as_bought");
  if (quarters.empty() || !quarters.back().contains("drawn_waiting_gpus")) return {};
  const double stated = number_at(quarters.back(), "waiting_gpus");
  const double high = number_at(at(quarters.back(), "drawn_waiting_gpus"), "p90");
  const std::string drawn =
      high > stated ? fmt::format(", {} or more in a tenth of the draws", humane_number(high, 3)) : std::string();
  return fmt::format(" ({} at the end{})", humane_number(stated, 3), drawn);
}

}  // namespace

std::string buying_sentence(const GrowthDocument& document) {
  const GrowthDocument& list = at(document, "buy_list");
  if (list.empty() || !optional_at(document, "buying_expected_usd")) return {};
  double paid_usd = 0.0;
  double later_usd = 0.0;
  for (const GrowthDocument& item : list)
    (at(item, "arrives").is_string() ? paid_usd : later_usd) += number_at(item, "price_usd");
  const std::string later =
      later_usd > 0.0
          ? fmt::format(", and {} for what serves after the horizon, which is not counted", round_usd(later_usd))
          : std::string();
  const std::string payback = text_at(document, "payback");
  return fmt::format("Buying so: orders of {}{}, upkeep, GPUs that still wait{}, less what is left; {}.",
                     round_usd(paid_usd), later, still_waiting(document),
                     payback.empty() ? "not paid back by then" : "paid back by " + payback);
}

std::string moments_sentence(const GrowthDocument& document) {
  const std::optional<double> on_time_usd = optional_at(document, "on_time_expected_usd");
  std::vector<std::pair<std::string, std::vector<std::string>>> moments;  // names by their moment
  bool moved = false;
  for (const GrowthDocument& row : at(document, "regret")) {
    if (at(row, "cheapest") != true) continue;
    moved = moved || number_at(row, "shift_quarters") != 0.0;
    const std::string moment = shift_text(document, row);
    const auto same =
        std::find_if(moments.begin(), moments.end(), [&](const auto& one) { return one.first == moment; });
    if (same == moments.end())
      moments.push_back({moment, {text_at(row, "name")}});
    else
      same->second.push_back(text_at(row, "name"));
  }
  if (moments.empty() || !on_time_usd) return {};
  if (!moved) return "Everything comes on the day of the stated need: no other moment is cheaper on average.";
  std::string text;
  for (const auto& [moment, names] : moments)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        moments.size() == 1 && names.size() > 1 ? "all" : fmt::format("{}", fmt::join(names, " and ")),
                        moment);
  return fmt::format("Cheapest on average: {}; at need {}.", text, round_usd(*on_time_usd));
}

std::string round_usd(double usd) {
  const double size = std::abs(usd);
  const char* sign = usd < 0.0 ? "-" : "";
  if (size < 999.5) return fmt::format("{}${:.0f}", sign, size);
  if (size < 999.5e3) return fmt::format("{}${} k", sign, humane_number(size / 1e3, 3));
  if (size < 999.5e6) return fmt::format("{}${} M", sign, humane_number(size / 1e6, 3));
  return fmt::format("{}${} billion", sign, humane_number(size / 1e9, 3));
}

namespace {

std::string costs_text(const GrowthDocument& document, const Style& style) {
  GrowthRows rows{{cost_heading(document, "cost"), "expected", "stated", "80 % of draws"}};
  for (const GrowthCost& cost : growth_costs(document))
    rows.push_back({cost.what, cost.expected, cost.as_stated, cost.drawn});
  return folded_table({{}, {true, 0}, {true, 0}, {}}, rows, style.width);
}

}  // namespace

std::string growth_text(const GrowthDocument& document, bool all, const Style& style) {
  std::string text =
      style.bold(wrapped(fmt::format("{}: {} to {}", document["title"].get<std::string>(),
                                     document["start"].get<std::string>(), document["horizon"].get<std::string>()),
                         style.width, 0)) +
      "\n" + layers_text(document, style);
  text += buy_heading(document, all, style) + "\n" + buy_text(document, all, style);
  text += costs_text(document, style);
  for (const std::string& sentence : {buying_sentence(document), moments_sentence(document)})
    if (!sentence.empty()) text += wrapped(sentence, style.width, 2) + "\n";
  text += rooms_text(document, style);
  text += wrapped(knees_text(document), style.width, 2) + "\n";
  for (const GrowthDocument& note : document["notes"])
    text += wrapped("Note: " + note.get<std::string>(), style.width, 2) + "\n";
  if (const std::string capacity = capacity_sentence(document); all && !capacity.empty())
    text += wrapped(capacity, style.width, 2) + "\n";
  if (all) text += regret_text(document, style) + course_text(document, style);
  return text;
}

std::string growth_csv(const GrowthDocument& document) {
  std::string text = "quarter,date,layer,resource,busy_share,busy_share_p10,busy_share_p90\n";
  for (const GrowthDocument& layer : document["layers"])
    for (const GrowthDocument& quarter : layer["quarters"]) {
      const GrowthDocument& share = quarter["busy_share"];
      text += fmt::format("{},{},{},\"{}\",{},{},{}\n", quarter["quarter"].dump(), quarter["date"].get<std::string>(),
                          layer["layer"].get<std::string>(), layer["resource"].get<std::string>(),
                          share["as_stated"].dump(), share["p10"].dump(), share["p90"].dump());
    }
  return text;
}

}  // namespace headrace::reports
