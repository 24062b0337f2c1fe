#include "reports/growth_json.hpp"

#include <algorithm>

#include "models/base/model_version.hpp"
#include "models/outcome/room_description.hpp"
#include "reports/document_reader.hpp"
#include "reports/document_schema.hpp"
#include "reports/document_writer.hpp"

namespace headrace::scenarios {

// The document, each key described once: visitors as in models/outcome/outcome_description.hpp.

template <class V>
void describe(RangedFigure& figure, V& v) {
  v.number("as_stated", figure.nominal, "with every figure as the scenario states it");
  v.number("p10", figure.low, "10th percentile over the draws");
  v.number("p90", figure.high, "90th percentile over the draws");
}

template <class V>
void describe(RangedDate& date, V& v) {
  v.text("as_stated", date.nominal, "with every figure as the scenario states it; null: not within the horizon");
  v.text("p10", date.low, "10th percentile over the draws; null: not within the horizon");
  v.text("p90", date.high, "90th percentile over the draws; null: not within the horizon");
  v.number("share_of_draws", date.within, "share of the draws that reach it within the horizon");
}

/// The first day of a quarter, of which the answer has a list.
template <class V>
void describe_date(GrowthAnswer& answer, unsigned quarter, V& v) {
  constexpr unsigned kMostQuarters = 1000;
  std::string date = quarter < answer.dates.size() ? answer.dates[quarter] : std::string();
  v.text("date", date, "first day of the quarter");
  if constexpr (!V::kReads) return;
  if (quarter >= kMostQuarters) return;
  answer.dates.resize(std::max<std::size_t>(answer.dates.size(), quarter + 1));
  answer.dates[quarter] = date;
}

/// What can be bought; items and rows name it. Of one that is read the answer has a list.
template <class V, class F>
void describe_purchase(GrowthAnswer& answer, std::size_t& number, V& v, const F& visit) {
  std::vector<models::GrowthPurchase>& all = answer.growth.purchases;
  models::GrowthPurchase about;
  if constexpr (!V::kReads)
    if (number < all.size()) about = all[number];
  v.text("name", about.name, "of the purchase in the scenario");
  visit(about);
  if constexpr (!V::kReads) return;
  const auto known = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == about.name; });
  number = static_cast<std::size_t>(known - all.begin());
  if (known == all.end()) all.push_back(std::move(about));
}

template <class V>
void describe_layers(GrowthAnswer& answer, V& v) {
  v.list_of("layers", answer.layers, "layers of the path", [&](LayerForecast& layer, auto& entry) {
    entry.choice("layer", layer.layer, models::kLayerNames, "which layer");
    entry.text("resource", layer.resource, "the fullest of the layer when it is full, or else at the end");
    entry.text("resource_today", layer.resource_today, "the fullest of the layer in the first quarter",
               models::Missing::left_out);
    entry.number("quarters_to_full", layer.quarters_to_full, "as stated; null: not within the horizon");
    entry.record("full", layer.full, "the day on which the layer is full");
    entry.list_of("quarters", layer.course, "its course", [&](LayerQuarter& quarter, auto& one) {
      one.count("quarter", quarter.quarter, "0 is the first");
      describe_date(answer, quarter.quarter, one);
      one.record("busy_share", quarter.share, "share of its capacity that the jobs ask for");
    });
  });
}

template <class V>
void describe_purchases(GrowthAnswer& answer, V& v) {
  v.list_of("buy_list", answer.buy_list, "what to order when", [&](BuyListItem& item, auto& entry) {
    describe_purchase(answer, item.purchase, entry, [&](models::GrowthPurchase& about) {
      auto relieves = static_cast<models::Layer>(about.relieves);
      entry.choice("relieves", relieves, models::kLayerNames, "the layer that it makes larger");
      about.relieves = static_cast<models::GrowthLayer>(relieves);
      entry.count("steps", item.steps, "steps that are needed at the same time");
      entry.list_of("adds", about.adds, "what one step adds", [](models::GrowthAddition& one, auto& added) {
        added.text("parameter", one.parameter, "what it makes larger");
        added.number("share", one.share, "of today's value");
      });
      entry.text("order", item.order, "day of the order");
      entry.text("arrives", item.arrives, "day from which it serves as ordered; null: after the horizon, not counted");
      entry.flag("late", item.late, "to be there when needed it had to be ordered before the start");
      entry.record("needed", item.needed, "day from which it is needed");
      entry.number("lead_time_s", about.lead_time_s, "from the order to the use");
      entry.number("price_usd", item.price_usd, "on the day of the order");
      std::optional<std::string> as_of;
      if (!about.as_of.empty()) as_of = about.as_of;
      entry.text("price_as_of", as_of, "day of the price in the scenario");
      about.as_of = as_of.value_or("");
      entry.number("price_today_usd", about.price_usd, "of one step, as the scenario states it");
      entry.text("source", about.source, "of the price");
    });
  });
  v.list_of("regret", answer.regret, "what a wrong moment costs", [&](RegretRow& row, auto& entry) {
    describe_purchase(answer, row.purchase, entry, [&](models::GrowthPurchase&) {
      entry.integer("shift_quarters", row.shift, "all its orders so much after the stated need; negative: before it");
      entry.number("cost_usd", row.cost_usd, "expected, of the whole schedule, in dollars of today");
      entry.number("over_on_time_usd", row.over_on_time, "expected, less that of orders on time");
      entry.number("regret_usd", row.regret_usd, "expected excess over the best shift of each draw");
      entry.flag("cheapest", row.cheapest, "its cost is the least of all shifts");
    });
  });
}

/// What the forecast rests on.
template <class V>
void describe_trends(models::Growth& growth, V& v) {
  v.list_of("trends", growth.trends, "what grows", [](models::GrowthTrend& trend, auto& entry) {
    entry.text("name", trend.name, "in reports");
    entry.text("parameter", trend.parameter, "the number that grows");
    entry.number("per_quarter", trend.per_quarter, "growth in a quarter over the quarter before");
    entry.number("low", trend.low, "the least plausible; with high, both 0: certain");
    entry.number("high", trend.high, "the largest plausible");
    entry.text("source", trend.source, "where the rates come from");
  });
  v.list_of("swaps", growth.swaps, "machines that are exchanged", [](models::GrowthSwap& swap, auto& entry) {
    entry.text("name", swap.name, "in reports");
    entry.count("quarter", swap.quarter, "that begins with it");
    entry.text("source", swap.source, "where the figures come from");
  });
}

template <class V>
void describe(GrowthAnswer& answer, V& v) {
  v.count("seed", answer.seed, "of all random draws");
  v.count("draws", answer.draws, "points of the ranges");
  v.count("uncertain_inputs", answer.inputs, "figures that are drawn");
  v.text("start", answer.growth.start, "first day");
  std::optional<std::string> horizon;
  if (!answer.dates.empty()) horizon = answer.dates.back();
  v.text("horizon", horizon, "first day of the last quarter");
  v.number("full_busy_share", answer.growth.full, "busy share from which a layer counts as full");
  v.number("discount_rate_per_year", answer.growth.discount_rate, "of later dollars");
  describe_trends(answer.growth, v);
  describe_layers(answer, v);
  describe_purchases(answer, v);
  v.record("doing_nothing_usd", answer.doing_nothing_usd, "paid for machines that wait if nothing is bought");
  v.number("doing_nothing_expected_usd", answer.doing_nothing_expected_usd, "the same, mean over the draws");
  v.number("buying_usd", answer.buying_usd,
           "of the buy list as stated: payments and GPUs that still wait, in dollars of today");
  v.number("buying_expected_usd", answer.buying_expected_usd, "the same, mean over the draws");
  v.record("buying_draws_usd", answer.buying_draws_usd, "the same, over the draws");
  v.number("on_time_expected_usd", answer.on_time_expected_usd,
           "the same, where everything comes on the day on which its layer is full as stated");
  v.text("payback", answer.payback, "day on which it has paid for itself; null: not within the horizon");
  v.list("waiting_gpus", answer.waiting_gpus, "GPUs that wait in each quarter if nothing is bought");
  v.list_of("as_bought", answer.as_bought, "each quarter as stated, with what is bought and has come by then",
            [&](QuarterBought& one, auto& entry) {
              entry.count("quarter", one.quarter, "0 is the first");
              describe_date(answer, one.quarter, entry);
              entry.number("waiting_gpus", one.waiting_gpus, "GPUs that still wait");
              entry.optional("drawn_waiting_gpus", one.drawn_waiting_gpus, "the same over the draws",
                             models::Missing::left_out);
              entry.record("room", one.room, "what the machine room must hold");
            });
  v.list_of("simulated_quarters", answer.knees, "quarters that were simulated, because a layer becomes full",
            [&](KneeRun& run, auto& entry) {
              entry.count("quarter", run.quarter, "0 is the first");
              describe_date(answer, run.quarter, entry);
              entry.text("layers", run.layer, "which become full");
              entry.number("expected_idle_fraction", run.expected_idle, "by the busy shares");
              entry.number("simulated_idle_fraction", run.simulated_idle, "simulated");
              entry.number("half_width", run.half_width, "of its 95 % interval");
            });
  v.texts("notes", answer.notes, "what the reader should know");
  if constexpr (V::kReads)
    if (horizon && (answer.dates.empty() || answer.dates.back() != *horizon)) answer.dates.push_back(*horizon);
}

}  // namespace headrace::scenarios

namespace headrace::reports {
namespace {

template <class V>
void describe_growth(RecordedGrowth& recorded, V& v) {
  v.constant("kind", "growth");
  v.constant("format_version", 1);
  v.text("model_version", recorded.model_version, "changes whenever predicted numbers change");
  v.text("scenario_sha256", recorded.scenario_sha256, "of the resolved scenario");
  v.text("title", recorded.title, "of the scenario");
  describe(recorded.answer, v);
}

}  // namespace

nlohmann::ordered_json growth_json(const RecordedGrowth& recorded) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  DocumentWriter writer(json);
  describe_growth(described(recorded), writer);
  return json;
}

nlohmann::ordered_json growth_json(const scenarios::GrowthAnswer& answer, const std::string& title,
                                   const std::string& scenario_sha256) {
  return growth_json(RecordedGrowth{answer, std::string(models::kModelVersion), scenario_sha256, title});
}

RecordedGrowth read_growth(const nlohmann::ordered_json& document) {
  RecordedGrowth recorded;
  DocumentReader reader(document);
  describe_growth(recorded, reader);
  return recorded;
}

nlohmann::ordered_json growth_schema() {
  return document_schema("Headrace growth", "What headrace growth answers. Generated by: headrace schema growth",
                         "[low, high]", [](SchemaWriter& writer) {
                           RecordedGrowth recorded;
                           describe_growth(recorded, writer);
                         });
}

std::string fullest_text(const std::string& today, const std::string& later) {
  if (today.empty() || today == later) return later;
  const auto kind_end = today.find(" (");
  if (kind_end == std::string::npos || later.compare(0, kind_end + 2, today, 0, kind_end + 2) != 0)
    return fmt::format("{} \u2192 {}", today, later);
  return fmt::format("{} \u2192 {}", today.substr(0, today.size() - 1), later.substr(kind_end + 2));
}

}  // namespace headrace::reports
