#include "gui/presenter/growth_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/path/ingest_path.hpp"
#include "reports/growth_json.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/room_text.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/growth/growth_part.hpp"

namespace headrace::gui {
namespace {

using scenarios::GrowthAnswer;

std::string day_text(const std::optional<std::string>& day) { return day.value_or("later"); }

std::string days_text(const scenarios::RangedDate& date) {
  return date.low ? day_text(date.low) + " to " + day_text(date.high) : day_text(date.high);
}

std::string first_full(const GrowthAnswer& answer) {
  const scenarios::LayerForecast* first = nullptr;
  for (const scenarios::LayerForecast& layer : answer.layers)
    if (layer.quarters_to_full && (first == nullptr || *layer.quarters_to_full < *first->quarters_to_full))
      first = &layer;
  if (first == nullptr) return "No layer becomes full within the horizon.";
  return fmt::format("First to become full: {}, {} ({}).", first->resource, day_text(first->full.nominal),
                     days_text(first->full));
}

std::string costs_of(const GrowthAnswer& answer, const nlohmann::ordered_json& document) {
  const std::string capacity = reports::capacity_sentence(document);
  const std::string text = fmt::format("{}: buying nothing {}", reports::cost_heading(document, "Expected cost"),
                                       reports::round_usd(answer.doing_nothing_expected_usd));
  if (answer.buy_list.empty())
    return text +
           fmt::format(" ({}).{}{}", reports::why_nothing_costs(document), capacity.empty() ? "" : " ", capacity);
  return text + fmt::format(" ({}), buying as listed {} ({} to {} in 80 % of the draws; {}). {}\n{}",
                            reports::why_nothing_costs(document), reports::round_usd(answer.buying_expected_usd),
                            reports::round_usd(answer.buying_draws_usd.low),
                            reports::round_usd(answer.buying_draws_usd.high),
                            answer.payback ? "paid back by " + *answer.payback : "not paid back by the end", capacity,
                            reports::moments_sentence(document));
}

/// What has become of an order on a day; days as text sort by time.
std::string state_on(const scenarios::BuyListItem& item, const std::string& day) {
  if (item.arrives && *item.arrives <= day) return "in use";
  return item.order <= day ? "ordered" : "to be ordered";
}

}  // namespace

std::size_t quarters_of(const GrowthAnswer& answer) {
  return answer.layers.empty() ? 0 : std::min(answer.layers.front().course.size(), answer.dates.size());
}

GrowthForecast run_growth(const ScenarioDocument& document, bool simulate, const std::stop_token& stop,
                          const TellGrowth& tell) {
  GrowthForecast forecast;
  const auto own = document.fresh();
  if (!own) {
    forecast.error = print_text(own.error());
    return forecast;
  }
  auto part = scenarios::growth_part(own->loaded(), scenarios::Catalogue::shipped());
  if (!part) {
    forecast.error = print_text(part.error());
    return forecast;
  }
  tell(-1.0, "quarters by bounds, then the full ones by simulation");
  scenarios::GrowthOptions how;
  how.simulate = simulate;
  how.cancelled = [&stop] { return stop.stop_requested(); };
  try {
    const auto inputs = scenarios::uncertain_inputs(own->scenario(), own->loaded().composition);
    forecast.answer = scenarios::grow(*std::move(part), inputs ? *inputs : std::vector<models::UncertainInput>{}, how);
  } catch (const models::UnusableRequest& problem) {
    forecast.error = std::string(problem.what()) + "; " + problem.fix();
    return forecast;
  }
  const auto recorded = reports::growth_json(forecast.answer, document.title(), own->loaded().sha256);
  forecast.json = reports::json_text(recorded);
  forecast.headline = first_full(forecast.answer);
  forecast.costs = costs_of(forecast.answer, recorded);
  return forecast;
}

GrowthQuarter growth_at(const GrowthAnswer& answer, std::size_t quarter) {
  GrowthQuarter view;
  if (quarter >= quarters_of(answer)) return view;
  view.date = answer.dates[quarter];
  for (const scenarios::LayerForecast& layer : answer.layers) {
    const scenarios::RangedFigure& share = layer.course[quarter].share;
    view.layers.push_back({std::string(models::kLayerNames[static_cast<std::size_t>(layer.layer)]),
                           reports::percent(share.nominal, 0),
                           fmt::format("{} to {}", reports::percent(share.low, 0), reports::percent(share.high, 0)),
                           day_text(layer.full.nominal), days_text(layer.full),
                           reports::fullest_text(layer.resource_today, layer.resource)});
  }
  double spent_usd = 0.0;
  for (const scenarios::BuyListItem& item : answer.buy_list) {
    const models::GrowthPurchase& bought = answer.growth.purchases[item.purchase];
    if (item.order <= view.date) spent_usd += item.price_usd;
    view.orders.push_back({state_on(item, view.date), reports::bought_text(item.steps, bought),
                           item.late ? "today, late" : item.order, day_text(item.arrives),
                           day_text(item.needed.nominal), reports::round_usd(item.price_usd)});
  }
  const scenarios::RangedFigure waiting =
      quarter < answer.waiting_gpus.size() ? answer.waiting_gpus[quarter] : scenarios::RangedFigure{};
  view.summary = fmt::format("Quarter from {}: {} GPUs wait if nothing is bought ({} to {})", view.date,
                             reports::humane_number(waiting.nominal, 3), reports::humane_number(waiting.low, 3),
                             reports::humane_number(waiting.high, 3));
  if (!answer.buy_list.empty()) view.summary += fmt::format("; ordered by then: {}", reports::round_usd(spent_usd));
  if (!answer.buy_list.empty() && quarter < answer.as_bought.size()) {
    const scenarios::QuarterBought& bought = answer.as_bought[quarter];
    view.summary += fmt::format(", with which {} wait", reports::humane_number(bought.waiting_gpus, 3));
    if (const auto& drawn = bought.drawn_waiting_gpus)
      view.summary +=
          fmt::format(" ({} to {})", reports::humane_number(drawn->low, 3), reports::humane_number(drawn->high, 3));
  }
  view.summary += ".";
  if (answer.dates.size() > 1)
    view.summary += fmt::format(" \"later\" is after {}, where the forecast ends.", answer.dates.back());
  if (quarter < answer.as_bought.size())
    if (const std::string holds = reports::room_sentence(answer.as_bought[quarter].room); !holds.empty())
      view.summary += " " + holds;
  return view;
}

}  // namespace headrace::gui
