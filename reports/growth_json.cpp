#include "reports/growth_json.hpp"

#include <nlohmann/json.hpp>

#include "models/base/model_version.hpp"

namespace headrace::reports {
namespace {

using GrowthJson = nlohmann::ordered_json;
using scenarios::GrowthAnswer;

template <class T>
GrowthJson value_or_null(const std::optional<T>& value) {
  return value ? GrowthJson(*value) : GrowthJson();
}

GrowthJson ranged(const scenarios::RangedFigure& figure) {
  return {{"as_stated", figure.nominal}, {"p10", figure.low}, {"p90", figure.high}};
}

GrowthJson ranged(const scenarios::RangedDate& date) {
  return {{"as_stated", value_or_null(date.nominal)},
          {"p10", value_or_null(date.low)},
          {"p90", value_or_null(date.high)},
          {"share_of_draws", date.within}};
}

GrowthJson layers_of(const GrowthAnswer& answer) {
  GrowthJson list = GrowthJson::array();
  for (const scenarios::LayerForecast& layer : answer.layers) {
    GrowthJson course = GrowthJson::array();
    for (const scenarios::LayerQuarter& quarter : layer.course)
      course.push_back({{"quarter", quarter.quarter},
                        {"date", answer.dates[quarter.quarter]},
                        {"busy_share", ranged(quarter.share)}});
    list.push_back({{"layer", models::kLayerNames[static_cast<std::size_t>(layer.layer)]},
                    {"resource", layer.resource},
                    {"quarters_to_full", value_or_null(layer.quarters_to_full)},
                    {"full", ranged(layer.full)},
                    {"quarters", std::move(course)}});
  }
  return list;
}

GrowthJson buy_list_of(const GrowthAnswer& answer) {
  GrowthJson list = GrowthJson::array();
  for (const scenarios::BuyListItem& item : answer.buy_list) {
    const models::GrowthPurchase& about = answer.growth.purchases[item.purchase];
    list.push_back({{"name", about.name},
                    {"relieves", models::kGrowthLayerNames[static_cast<std::size_t>(about.relieves)].name},
                    {"steps", item.steps},
                    {"order", item.order},
                    {"late", item.late},
                    {"needed", ranged(item.needed)},
                    {"lead_time_s", about.lead_time_s},
                    {"price_usd", item.price_usd},
                    {"price_as_of", about.as_of.empty() ? GrowthJson() : GrowthJson(about.as_of)}});
  }
  return list;
}

GrowthJson regret_of(const GrowthAnswer& answer) {
  GrowthJson list = GrowthJson::array();
  for (const scenarios::RegretRow& row : answer.regret)
    list.push_back({{"name", answer.growth.purchases[row.purchase].name},
                    {"shift_quarters", row.shift},
                    {"cost_usd", row.cost_usd},
                    {"over_on_time_usd", row.over_on_time},
                    {"regret_usd", row.regret_usd},
                    {"cheapest", row.cheapest}});
  return list;
}

GrowthJson knees_of(const GrowthAnswer& answer) {
  GrowthJson list = GrowthJson::array();
  for (const scenarios::KneeRun& run : answer.knees)
    list.push_back({{"quarter", run.quarter},
                    {"date", answer.dates[run.quarter]},
                    {"layers", run.layer},
                    {"expected_idle_fraction", run.expected_idle},
                    {"simulated_idle_fraction", run.simulated_idle},
                    {"half_width", run.half_width}});
  return list;
}

}  // namespace

GrowthJson growth_json(const GrowthAnswer& answer, const std::string& title, const std::string& scenario_sha256) {
  GrowthJson waiting = GrowthJson::array();
  for (const scenarios::RangedFigure& figure : answer.waiting_gpus) waiting.push_back(ranged(figure));
  return {{"kind", "growth"},
          {"format_version", 1},
          {"model_version", models::kModelVersion},
          {"scenario_sha256", scenario_sha256},
          {"title", title},
          {"seed", answer.seed},
          {"draws", answer.draws},
          {"uncertain_inputs", answer.inputs},
          {"start", answer.growth.start},
          {"horizon", answer.dates.empty() ? GrowthJson() : GrowthJson(answer.dates.back())},
          {"full_busy_share", answer.growth.full},
          {"discount_rate_per_year", answer.growth.discount_rate},
          {"layers", layers_of(answer)},
          {"buy_list", buy_list_of(answer)},
          {"regret", regret_of(answer)},
          {"doing_nothing_usd", ranged(answer.doing_nothing_usd)},
          {"buying_usd", answer.buying_usd},
          {"payback", value_or_null(answer.payback)},
          {"waiting_gpus", std::move(waiting)},
          {"simulated_quarters", knees_of(answer)},
          {"notes", answer.notes}};
}

}  // namespace headrace::reports
