#include "models/outcome/total_cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/outcome/epoch_figures.hpp"
#include "models/outcome/ledger_item.hpp"
#include "models/outcome/machine_room.hpp"
#include "models/outcome/ownership.hpp"
#include "models/path/ingest_path.hpp"
#include "models/twins/cost.hpp"
#include "sim/portable_math.hpp"

namespace headrace::models {

namespace {

constexpr double kHoursOfYear = 8760.0;

/// Something that was bought.
struct Asset {
  double capital_usd = 0.0;
  double lifetime_years = 1.0;
};

/// Payments and useful hours of a year in which nothing is bought.
struct YearlyCost {
  double rent = 0.0;
  double support = 0.0;
  double energy = 0.0;
  double space = 0.0;
  double staff = 0.0;
  double storage = 0.0;
  double useful_gpu_hours = 0.0;
  double idle_usd = 0.0;
};

/// One job in the year: what its report says, copies together.
struct JobYear {
  const Pool* pool = nullptr;
  double gpus = 0.0;
  double goodput = 0.0;
  double idle = 0.0;
  double storage_usd = 0.0;
};

/// A store that a controller enlarges says how much of a period jobs train: no more than that is used.
double used_share(const Scenario& scenario, const TotalCost& terms) {
  double used = scenario.prices.owned ? scenario.prices.owned->used : terms.used;
  for (const Store& store : scenario.stores)
    if (store.schedule && store.schedule->autoscaling)
      used = std::min(used, store.schedule->autoscaling->busy_s / store.schedule->period_s);
  return used;
}

double storage_usd_per_year(const std::vector<LedgerLine>& ledger, double epoch_time_s, double used) {
  double usd = 0.0;
  for (const LedgerLine& line : ledger)
    if (!is_machine_line(line)) usd += line.usd * paid_share(line, used);
  return usd * kHoursOfYear * 3600.0 / epoch_time_s;
}

JobYear job_year(const Pool& pool, const std::vector<Metric>& metrics, const std::vector<LedgerLine>& ledger,
                 const JobFigures& figures, double used) {
  JobYear year;
  year.pool = &pool;
  if (!(figures.epoch_time_s > 0.0)) return year;
  year.gpus = figures.copies * figures.gpu_hours * 3600.0 / figures.epoch_time_s;
  const double between = mean_in(metrics, "epoch_boundary_s") / figures.epoch_time_s;  // when GPUs wait for workers
  year.goodput = mean_in(metrics, "goodput_fraction");
  year.idle = between + (1.0 - between) * mean_in(metrics, "gpu_idle_fraction");
  year.storage_usd = figures.copies * storage_usd_per_year(ledger, figures.epoch_time_s, used);
  return year;
}

/// The pool of the job of a report.
const Pool& pool_named(const Scenario& scenario, const std::string& job_name) {
  const Job* job = detail::find_by_name(scenario.jobs, job_name);
  return pool_of(scenario, job != nullptr ? *job : scenario.jobs.front());
}

std::vector<JobYear> job_years(const Scenario& scenario, const Outcome& outcome, double used) {
  const EpochFigures figures = epoch_figures(outcome);
  std::vector<JobYear> years;
  for (const JobReport& job : outcome.jobs)
    if (job.is_beside_others())
      years.push_back(
          job_year(pool_named(scenario, job.name), job.metrics, job.ledger, figures.jobs[years.size()], used));
  if (years.empty())
    years.push_back(job_year(pool_of(scenario, scenario.jobs.front()), outcome.metrics, outcome.ledger,
                             figures.jobs.front(), used));
  return years;
}

std::vector<Asset> assets_of(const Scenario& scenario) {
  std::vector<Asset> assets;
  if (const std::optional<Ownership>& owned = scenario.prices.owned)
    for (const Pool& pool : scenario.cluster.pools) {
      const double each = static_cast<double>(pool.gpus_per_node) * owned->gpu_capital_usd + owned->node_capital_usd;
      assets.push_back({static_cast<double>(pool.nodes) * each, owned->lifetime_s / kSecondsPerYear});
    }
  for (const Store& store : scenario.stores)
    if (store.purchase) assets.push_back({store.purchase->capital_usd, store.purchase->lifetime_s / kSecondsPerYear});
  return assets;
}

void add_machine_costs(const Scenario& scenario, double used, YearlyCost& cost) {
  const Prices& prices = scenario.prices;
  for (const Pool& pool : scenario.cluster.pools) {
    const auto nodes = static_cast<double>(pool.nodes);
    const double gpus = nodes * static_cast<double>(pool.gpus_per_node);
    if (prices.owned) {
      const double capital = gpus * prices.owned->gpu_capital_usd + nodes * prices.owned->node_capital_usd;
      cost.support += capital * prices.owned->support_per_year;
      continue;
    }
    const double paid = prices.commitment_discount > 0.0 ? 1.0 : used;  // a reservation is paid whether used or not
    cost.rent += (gpus * gpu_hour_usd(scenario, pool) + nodes * node_hour_usd(scenario, pool)) * kHoursOfYear * paid;
  }
}

void add_room_costs(const Scenario& scenario, const TotalCost& terms, double used, YearlyCost& cost) {
  const MachineRoom room = machine_room(scenario);
  const double kw = (room.gpu_node_w * used + room.store_w) / 1000.0;
  cost.energy += kw * site_pue(scenario) * site_usd_per_kwh(scenario) * kHoursOfYear;
  cost.space += room.rack_units * terms.rack_unit_usd_per_hour * kHoursOfYear;
  cost.staff += terms.staff_usd_per_hour * kHoursOfYear;
  for (const Store& store : scenario.stores) {
    if (!store.purchase) continue;
    cost.support += store.purchase->capital_usd * store.purchase->support_per_year;
    cost.rent += store.purchase->contract_usd_per_hour * kHoursOfYear;
  }
}

YearlyCost yearly_cost(const Scenario& scenario, const TotalCost& terms, const std::vector<JobYear>& jobs) {
  const double used = used_share(scenario, terms);
  YearlyCost cost;
  add_machine_costs(scenario, used, cost);
  add_room_costs(scenario, terms, used, cost);
  for (const JobYear& job : jobs) {
    cost.storage += job.storage_usd;
    cost.useful_gpu_hours += job.gpus * job.goodput * kHoursOfYear * used;
    cost.idle_usd += waiting_usd(scenario, *job.pool, job.gpus * job.idle, 1.0);
  }
  return cost;
}

/// Rows of the horizon: the start, then whole periods, then what is left.
std::vector<CashFlow> empty_rows(const TotalCost& terms) {
  const double length = terms.period == CashPeriod::year ? 1.0 : 0.25;
  const double horizon = terms.horizon_s / kSecondsPerYear;
  std::vector<CashFlow> rows(1);
  for (int k = 1; rows.back().end_years < horizon - 1e-9; ++k)
    rows.push_back({.end_years = std::min(horizon, k * length)});
  return rows;
}

/// The first row that does not end before `years`.
CashFlow& row_at(std::vector<CashFlow>& rows, double years) {
  return *std::find_if(rows.begin(), rows.end() - 1,
                       [&](const CashFlow& row) { return row.end_years >= years - 1e-9; });
}

void add_bought(const Asset& asset, double resale, std::vector<CashFlow>& rows) {
  const double horizon = rows.back().end_years;
  double last = 0.0;
  for (int k = 0; k * asset.lifetime_years < horizon - 1e-9; ++k) {
    last = k * asset.lifetime_years;
    row_at(rows, last).capital += asset.capital_usd;
  }
  const double left = std::max(0.0, 1.0 - (horizon - last) / asset.lifetime_years);
  rows.back().capital -= resale * left * asset.capital_usd;
}

void add_leased(const Asset& asset, const Lease& lease, std::vector<CashFlow>& rows) {
  const double term = lease.term_s / kSecondsPerYear;
  const double per_year = twins::annuity_usd_per_year(asset.capital_usd, lease.rate_per_year, term);
  const double horizon = rows.back().end_years;
  for (int k = 0; k * asset.lifetime_years < horizon - 1e-9; ++k) {
    const double from = k * asset.lifetime_years;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const double begin = std::max(rows[i - 1].end_years, from);
      const double end = std::min(rows[i].end_years, from + term);
      rows[i].lease += per_year * std::max(0.0, end - begin);
    }
  }
}

void add_yearly(const YearlyCost& cost, std::vector<CashFlow>& rows) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double years = rows[i].end_years - rows[i - 1].end_years;
    rows[i].rent += cost.rent * years;
    rows[i].support += cost.support * years;
    rows[i].energy += cost.energy * years;
    rows[i].space += cost.space * years;
    rows[i].staff += cost.staff * years;
    rows[i].storage += cost.storage * years;
    rows[i].useful_gpu_hours += cost.useful_gpu_hours * years;
  }
}

InvestmentReturn investment_return(const Investment& investment, double idle_usd_per_year, const TotalCost& terms) {
  InvestmentReturn result;
  result.saves_usd_per_year = idle_usd_per_year * investment.removes;
  result.payback_years = investment.capital_usd / result.saves_usd_per_year;
  const double years = std::min(terms.horizon_s, investment.lifetime_s) / kSecondsPerYear;
  result.net_present_value_usd = -investment.capital_usd;
  for (double from = 0.0; from < years - 1e-9; from += 1.0) {
    const double end = std::min(years, from + 1.0);
    result.net_present_value_usd += present_usd(result.saves_usd_per_year * (end - from), terms.discount_rate, end);
  }
  return result;
}

/// Sums of the rows, and what follows from them.
void sum_up(TotalCostAnswer& answer) {
  answer.total_usd = answer.present_value_usd = answer.useful_gpu_hours = 0.0;
  for (CashFlow& row : answer.cash_flow) {
    row.total = row.capital + row.lease + row.rent + row.support + row.energy + row.space + row.staff + row.storage +
                row.migration;
    row.present_value = present_usd(row.total, answer.discount_rate, row.end_years);
    answer.total_usd += row.total;
    answer.present_value_usd += row.present_value;
    answer.useful_gpu_hours += row.useful_gpu_hours;
  }
  const double useful = present_useful_hours(answer);
  if (useful > 0.0) answer.usd_per_useful_gpu_hour = answer.present_value_usd / useful;
}

/// Payments whatever the jobs do, and those of `yearly`, by the rows of the horizon.
std::vector<CashFlow> cash_flow_of(const Scenario& scenario, const TotalCost& terms, const YearlyCost& yearly) {
  std::vector<CashFlow> rows = empty_rows(terms);
  rows.front().migration = terms.migration_usd;
  for (const Asset& asset : assets_of(scenario))
    terms.lease ? add_leased(asset, *terms.lease, rows) : add_bought(asset, terms.resale, rows);
  add_yearly(yearly, rows);
  return rows;
}

}  // namespace

bool is_machine_line(const LedgerLine& line) {
  constexpr std::array kMachineItems = {LedgerItem::gpu_hours, LedgerItem::node_hours, LedgerItem::owned_capital,
                                        LedgerItem::owned_support, LedgerItem::owned_energy};
  return std::any_of(kMachineItems.begin(), kMachineItems.end(),
                     [&](LedgerItem item) { return line.item == item_name(item); });
}

double paid_share(const LedgerLine& line, double used) { return line.unit == "B month" ? 1.0 : used; }

SitePayments site_payments(const Scenario& scenario) {
  const TotalCost terms = scenario.prices.total_cost.value_or(TotalCost{});
  TotalCostAnswer answer;
  answer.discount_rate = terms.discount_rate;
  answer.cash_flow = cash_flow_of(scenario, terms, yearly_cost(scenario, terms, {}));
  sum_up(answer);
  SitePayments site;
  site.present_value_usd = answer.present_value_usd;
  site.used = used_share(scenario, terms);
  for (std::size_t i = 1; i < answer.cash_flow.size(); ++i) {
    const double years = answer.cash_flow[i].end_years - answer.cash_flow[i - 1].end_years;
    site.present_used_s +=
        present_usd(years * kSecondsPerYear * site.used, terms.discount_rate, answer.cash_flow[i].end_years);
  }
  return site;
}

double waiting_usd(const Scenario& scenario, const Pool& pool, double waiting_gpus, double years) {
  const double used = used_share(scenario, scenario.prices.total_cost.value_or(TotalCost{}));
  return waiting_gpus * gpu_hour_usd(scenario, pool) * kHoursOfYear * used * years;
}

std::optional<double> waiting_gpu_hour_usd(const TotalCostAnswer& answer) {
  const double hours = answer.gpus * answer.gpu_idle_fraction * kHoursOfYear * answer.used_fraction;
  return hours > 0.0 && answer.idle_usd_per_year > 0.0 ? std::optional(answer.idle_usd_per_year / hours) : std::nullopt;
}

double present_usd(double usd, double rate_per_year, double years) {
  return usd * sim::pexp(-years * sim::plog1p(rate_per_year));
}

TotalCostAnswer total_cost(const Scenario& scenario, const Outcome& outcome) {
  const TotalCost terms = scenario.prices.total_cost.value_or(TotalCost{});
  TotalCostAnswer answer;
  answer.used_fraction = used_share(scenario, terms);
  const std::vector<JobYear> jobs = job_years(scenario, outcome, answer.used_fraction);
  const YearlyCost yearly = yearly_cost(scenario, terms, jobs);
  answer.horizon_years = terms.horizon_s / kSecondsPerYear;
  answer.discount_rate = terms.discount_rate;
  for (const JobYear& job : jobs) {
    answer.gpus += job.gpus;
    answer.goodput_fraction += job.gpus * job.goodput;
    answer.gpu_idle_fraction += job.gpus * job.idle;
  }
  if (answer.gpus > 0.0) {
    answer.goodput_fraction /= answer.gpus;
    answer.gpu_idle_fraction /= answer.gpus;
  }
  answer.idle_usd_per_year = yearly.idle_usd;
  answer.room = room_facts(scenario, outcome);
  answer.cash_flow = cash_flow_of(scenario, terms, yearly);
  sum_up(answer);
  for (std::size_t i = 1; i < answer.cash_flow.size(); ++i) {
    const double years = answer.cash_flow[i].end_years - answer.cash_flow[i - 1].end_years;
    answer.doing_nothing_usd +=
        present_usd(yearly.idle_usd * years, terms.discount_rate, answer.cash_flow[i].end_years);
  }
  if (scenario.prices.investment && yearly.idle_usd > 0.0)
    answer.investment = investment_return(*scenario.prices.investment, yearly.idle_usd, terms);
  return answer;
}

TotalCostAnswer weighed(const TotalCostAnswer& normal, const TotalCostAnswer& other, double share) {
  TotalCostAnswer answer = normal;
  const auto mix = [share](double& value, double there) { value = (1.0 - share) * value + share * there; };
  mix(answer.goodput_fraction, other.goodput_fraction);
  mix(answer.gpu_idle_fraction, other.gpu_idle_fraction);
  mix(answer.idle_usd_per_year, other.idle_usd_per_year);
  mix(answer.doing_nothing_usd, other.doing_nothing_usd);
  for (std::size_t i = 0; i < answer.cash_flow.size(); ++i) {
    mix(answer.cash_flow[i].storage, other.cash_flow[i].storage);
    mix(answer.cash_flow[i].useful_gpu_hours, other.cash_flow[i].useful_gpu_hours);
  }
  sum_up(answer);
  return answer;
}

double present_useful_hours(const TotalCostAnswer& answer) {
  double hours = 0.0;
  for (const CashFlow& row : answer.cash_flow)
    hours += present_usd(row.useful_gpu_hours, answer.discount_rate, row.end_years);
  return hours;
}

namespace {

/// Part of row `i` in which an option serves, and from when on.
struct Served {
  Served(const std::vector<CashFlow>& rows, std::size_t i, double lead_years) {
    const double begin = i == 0 ? 0.0 : rows[i - 1].end_years;
    from_years = std::clamp(lead_years, begin, rows[i].end_years);
    if (rows[i].end_years > begin) share = (rows[i].end_years - from_years) / (rows[i].end_years - begin);
  }
  double from_years = 0.0;
  double share = 1.0;
};

}  // namespace

TotalCostAnswer after_lead_time(const TotalCostAnswer& option, const TotalCostAnswer& nothing, double lead_years) {
  TotalCostAnswer answer = option;
  for (std::size_t i = 0; i < answer.cash_flow.size(); ++i) {
    const double share = Served(option.cash_flow, i, lead_years).share;
    const CashFlow before = nothing.cash_flow.empty() ? CashFlow{} : nothing.cash_flow[i];
    CashFlow& row = answer.cash_flow[i];
    for (double CashFlow::*value : {&CashFlow::rent, &CashFlow::support, &CashFlow::energy, &CashFlow::space,
                                    &CashFlow::staff, &CashFlow::storage, &CashFlow::useful_gpu_hours})
      row.*value = share * row.*value + (1.0 - share) * before.*value;
  }
  sum_up(answer);
  return answer;
}

GainOverNothing gain_over_nothing(const TotalCostAnswer& option, const TotalCostAnswer& nothing, double lead_years) {
  GainOverNothing gain;
  gain.usd_per_hour = nothing.usd_per_useful_gpu_hour;
  const auto once = [](const CashFlow& row) { return row.capital + row.lease + row.migration; };
  double sum = 0.0;
  for (std::size_t i = 0; i < option.cash_flow.size(); ++i) {
    const CashFlow& with = option.cash_flow[i];
    const CashFlow& without = nothing.cash_flow[i];
    const auto [serves, share] = Served(option.cash_flow, i, lead_years);
    const double gained = share * (with.useful_gpu_hours - without.useful_gpu_hours) * gain.usd_per_hour;
    const double running = share * ((without.total - once(without)) - (with.total - once(with)));
    const double net = gained + running + once(without) - once(with);
    gain.gained_usd += present_usd(gained, option.discount_rate, with.end_years);
    gain.net_present_value_usd += present_usd(net, option.discount_rate, with.end_years);
    const double before = sum;
    sum += net;
    if (before >= 0.0 || sum < 0.0 || gain.payback_years || i == 0) continue;
    gain.payback_years = serves + (with.end_years - serves) * -before / net;
  }
  if (!gain.payback_years && sum >= 0.0 && !option.cash_flow.empty()) gain.payback_years = 0.0;
  return gain;
}

}  // namespace headrace::models
