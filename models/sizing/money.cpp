// What waiting costs, what owning costs, what releasing idle machines saves, and whether money against waiting returns.
#include <algorithm>
#include <array>

#include "models/outcome/ownership.hpp"
#include "models/sizing/sizing.hpp"
#include "models/twins/cost.hpp"

namespace headrace::models {

namespace {

constexpr double kHoursPerYear = 8760.0;
constexpr double kSecondsPerHour = 3600.0;
constexpr std::string_view kPrices = "prices/gpu_hour or prices/owned";
constexpr std::string_view kLog = "prices/reclaim and prices";
constexpr std::string_view kInvested = "prices/investment, prices, and a job that waits for data";

constexpr std::array kMoneyFigures = {
    SizingDescription{"machines_usd_per_h", "USD", "n p_g + m p_n", "All machines of the job for an hour.",
                      "models/price-ledger", kPrices},
    SizingDescription{"owned_gpu_hour_usd", "USD", "annuity / (8,760 h u) + support + energy",
                      "An hour of an owned GPU, capital paid back with interest.", "capital recovery factor",
                      "prices/owned"},
    SizingDescription{"waiting_usd_per_h", "USD", "n p_g i", "GPUs that wait for data, at least, per hour.",
                      "definition", kPrices, true},
    SizingDescription{"useful_hour_factor", "", "1 / (1 - i)",
                      "Cost of an hour that does not wait over that of an hour.", "definition", "a step time"},
    SizingDescription{"reclaim_released_s", "s", "sum of (g - t)+", "Time for which the machines are given back.",
                      "definition, on the log of idle times", "prices/reclaim"},
    SizingDescription{"reclaim_saves_usd_per_day", "USD", "(released - k R) c / days",
                      "What releasing idle machines saves in a day; below 0 it costs more than it saves.",
                      "definition, on the log of idle times", kLog, true},
    SizingDescription{"investment_saves_usd_per_year", "USD", "8,760 h n p_g i x",
                      "Waiting that the investment removes, in a year of work.", "definition", kInvested},
    SizingDescription{"investment_pays_back_s", "s", "capital / saved per year",
                      "Time after which it has paid itself back, without interest.", "definition", kInvested},
    SizingDescription{"investment_return", "1", "saved per year / annuity - 1",
                      "Return on the investment over its lifetime, with interest; below 0 it does not pay.",
                      "capital recovery factor", kInvested, true},
};

void add_reclaim(const SizingCase& c, double machines_usd, SizingSheetWriter& sheet) {
  const Reclaim& reclaim = *c.scenario.prices.reclaim;
  double released_s = 0.0;
  double releases = 0.0;
  for (const double gap_s : reclaim.gaps_s) {
    released_s += std::max(0.0, gap_s - reclaim.threshold_s);
    releases += gap_s > reclaim.threshold_s ? 1.0 : 0.0;
  }
  const double days = reclaim.over_s / 86400.0;
  sheet.add("reclaim_released_s", released_s,
            {{"g", "/prices/reclaim/gaps", static_cast<double>(reclaim.gaps_s.size()), "gaps"},
             {"t", "/prices/reclaim/threshold", reclaim.threshold_s, "s"}});
  if (machines_usd > 0.0)
    sheet.add("reclaim_saves_usd_per_day",
              (released_s - releases * reclaim.return_s) / kSecondsPerHour * machines_usd / days,
              {{"released", "reclaim_released_s", released_s, "s"},
               {"k", "/prices/reclaim/gaps", releases, ""},
               {"R", "/prices/reclaim/return", reclaim.return_s, "s"},
               {"c", "machines_usd_per_h", machines_usd, "USD/h"},
               {"days", "/prices/reclaim/over", days, ""}});
}

void add_investment(const SizingCase& c, double waiting_usd, SizingSheetWriter& sheet) {
  const Investment& invested = *c.scenario.prices.investment;
  const double used = c.scenario.prices.owned ? c.scenario.prices.owned->used : 1.0;
  const double saved = kHoursPerYear * used * waiting_usd * invested.removes;
  const double annuity = twins::annuity_usd_per_year(invested.capital_usd, invested.discount_rate,
                                                     invested.lifetime_s / (kHoursPerYear * kSecondsPerHour));
  const SizingInput per_year{"saved per year", "investment_saves_usd_per_year", saved, "USD"};
  sheet.add("investment_saves_usd_per_year", saved,
            {{"n p_g i", "waiting_usd_per_h", waiting_usd, "USD/h"},
             {"x", "/prices/investment/removes", invested.removes, "1"}});
  sheet.add("investment_pays_back_s", invested.capital_usd / saved * kHoursPerYear * kSecondsPerHour,
            {{"capital", "/prices/investment/capital", invested.capital_usd, "USD"}, per_year});
  sheet.add("investment_return", saved / annuity - 1.0,
            {per_year, {"annuity", "/prices/investment/capital", annuity, "USD"}});
}

void fill_money(const SizingCase& c, SizingSheetWriter& sheet) {
  const Prices& prices = c.scenario.prices;
  const double gpu_usd = gpu_hour_usd(c.scenario);
  const double node_usd = node_hour_usd(c.scenario);
  const double machines_usd = c.path.gpus * gpu_usd + c.path.nodes * node_usd;
  const double idle = c.metric("gpu_idle_fraction");
  const double waiting_usd = twins::idle_cost_usd_per_h(c.path.gpus, gpu_usd, idle);
  const SizingInput n{"n", c.pool_key + "/gpus_per_node", static_cast<double>(c.path.gpus), ""};
  const Pool& pool = pool_of(c.scenario, c.scenario.jobs.front());
  const bool of_pool = pool.price && pool.price->gpu_hour_usd;
  const std::string price_key = prices.owned ? "/prices/owned"
                                : of_pool    ? c.pool_key + "/price/gpu_hour"
                                             : "/prices/gpu_hour";
  const SizingInput price{"p_g", price_key, gpu_usd, "USD/h"};
  const SizingInput i{"i", "gpu_idle_fraction", idle, "1"};
  if (machines_usd > 0.0) {
    sheet.add("machines_usd_per_h", machines_usd,
              {n,
               price,
               {"m", c.pool_key + "/nodes", static_cast<double>(c.path.nodes), ""},
               {"p_n", "/prices/node_hour", node_usd, "USD/h"}});
    sheet.add("waiting_usd_per_h", waiting_usd, {n, price, i});
  }
  if (prices.owned)
    sheet.add("owned_gpu_hour_usd", gpu_usd,
              {{"capital", "/prices/owned/gpu_capital", prices.owned->gpu_capital_usd, "USD"},
               {"u", "/prices/owned/used", prices.owned->used, "1"}});
  sheet.add("useful_hour_factor", twins::cost_per_useful_hour(idle), {i});
  if (prices.reclaim) add_reclaim(c, machines_usd, sheet);
  if (prices.investment && waiting_usd > 0.0) add_investment(c, waiting_usd, sheet);
}

}  // namespace

const SizingRoom kMoneyRoom{"money", "What waiting and machines cost", kMoneyFigures, fill_money};

}  // namespace headrace::models
