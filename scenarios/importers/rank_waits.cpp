// Times at the barrier of every rank and step: CSV with the columns step, rank and wait_s (seconds that the rank waited
// for the others), and load_wait_s where ranks also waited for data before it. Traps: the last rank waits for nobody,
// so that a wait is not a delay but what is missing to the longest one; a wait for data delays a rank too; rows come in
// any order.
//
// Delay of rank r in a step: D_r = max over k of (w_k + l_k) - w_r - l_r, w the wait for the others, l that for data.
// The least delay of a step counts as 0, which is too small where there are few ranks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scenarios/document/csv_table.hpp"
#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

constexpr std::size_t kLeastRankedSteps = 40;
constexpr std::size_t kLeastRanks = 2;
constexpr std::size_t kFewRanks = 8;
constexpr double kIndependent = 0.25;

/// By step, then by rank: seconds of waits, for the others and for data.
using Waits = std::map<double, std::map<double, double>>;

struct WaitColumns {
  std::size_t step, rank, wait;
  std::optional<std::size_t> load;
};

std::optional<WaitColumns> columns_in(Reading& in, const CsvTable& table) {
  const auto step = table.column("step");
  const auto rank = table.column("rank");
  const auto wait = table.column("wait_s");
  if (step && rank && wait) return WaitColumns{*step, *rank, *wait, table.column("load_wait_s")};
  in.not_this(table.header.front().place, "this table has no columns step, rank and wait_s",
              "one row for each rank and step; wait_s is the time in s that the rank waited for the others");
  return std::nullopt;
}

Waits waits_in(Reading& in, const CsvTable& table, const WaitColumns& columns) {
  Waits waits;
  for (const std::vector<CsvCell>& row : table.rows) {
    const auto number = [&](std::size_t column) {
      return in.number_in(row[column].text, row[column].place, table.header[column].text);
    };
    const auto step = number(columns.step);
    const auto rank = number(columns.rank);
    const auto wait = number(columns.wait);
    const auto load = columns.load ? number(*columns.load) : std::optional(0.0);
    if (!step || !rank || !wait || !load) continue;
    if (!waits[*step].emplace(*rank, *wait + *load).second)
      in.refuse("E0140", row[columns.rank].place, fmt::format("step {:g} has rank {:g} twice", *step, *rank),
                "one row for each rank and step");
  }
  return waits;
}

/// Every step must have the ranks of the first.
void check_ranks(Reading& in, const Waits& waits) {
  const std::size_t ranks = waits.begin()->second.size();
  for (const auto& [step, by_rank] : waits) {
    if (by_rank.size() == ranks) continue;
    return in.refuse("E0140", in.whole(),
                     fmt::format("step {:g} has {} ranks, the first step {}", step, by_rank.size(), ranks),
                     "leave out steps that were not recorded on all ranks");
  }
  if (ranks < kLeastRanks || waits.size() < kLeastRankedSteps)
    in.not_this(in.whole(), fmt::format("the file has {} steps of {} ranks", waits.size(), ranks),
                fmt::format("at least {} steps of {} ranks are needed", kLeastRankedSteps, kLeastRanks));
}

/// Mean of the longest of n independent delays, each one of `sorted`: sum of x_i ((i/m)^n - ((i-1)/m)^n).
double mean_of_longest(const std::vector<double>& sorted, double n) {
  const auto m = static_cast<double>(sorted.size());
  double mean = 0.0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto below = static_cast<double>(i);
    mean += sorted[i] * (std::pow((below + 1.0) / m, n) - std::pow(below / m, n));
  }
  return mean;
}

void add_delays(Reading& in, const Waits& waits) {
  std::vector<double> delays;
  std::vector<double> longest;
  for (const auto& [step, by_rank] : waits) {
    const auto by_wait = [](const auto& a, const auto& b) { return a.second < b.second; };
    const double most = std::max_element(by_rank.begin(), by_rank.end(), by_wait)->second;
    const double least = std::min_element(by_rank.begin(), by_rank.end(), by_wait)->second;
    longest.push_back(most - least);
    for (const auto& [rank, wait_s] : by_rank) delays.push_back(most - wait_s);
  }
  const std::size_t ranks = waits.begin()->second.size();
  const std::string text = fmt::format("{} steps of {} ranks", waits.size(), ranks);
  auto& delay = in.add("job.rank_delay", "s", 0.0, in.job_target("step/barrier/rank_delay"), text, {});
  Reading::set_table(delay, delays);
  auto& slowest = in.add("job.slowest_rank_wait", "s", 0.0, "", text, {});
  Reading::set_table(slowest, longest);
  const double measured_s = slowest.value;
  std::sort(delays.begin(), delays.end());
  const double independent_s = mean_of_longest(delays, static_cast<double>(ranks));
  if (std::abs(measured_s - independent_s) > kIndependent * independent_s)
    in.note(fmt::format(
        "the slowest rank of a step is {:.3g} ms late; ranks that are late independently of one another would "
        "make it {:.3g} ms: some ranks are slow for long, or several at once",
        1e3 * measured_s, 1e3 * independent_s));
  if (ranks < kFewRanks)
    in.note(fmt::format("with {} ranks delays come out too small: the least delay of each step counts as 0", ranks));
}

}  // namespace

void import_rank_waits(Reading& in) {
  in.record.imported->tool = "times at the barrier";
  const auto table = parse_csv(in.sources(), in.source(), in.diagnostics());
  if (!table) return;
  const auto columns = columns_in(in, *table);
  if (!columns) return;
  const Waits waits = waits_in(in, *table, *columns);
  if (in.failed()) return;
  if (waits.empty()) return in.not_this(in.whole(), "the table has no rows", "one row for each rank and step");
  check_ranks(in, waits);
  if (in.failed()) return;
  add_delays(in, waits);
  if (in.options().job.empty()) in.note("name the job of the scenario: --job NAME");
}

}  // namespace headrace::scenarios
