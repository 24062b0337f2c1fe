#include "reports/figure_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "models/outcome/ledger_item.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "reports/humane.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

bool lacks_gpu_price(const std::vector<models::LedgerLine>& ledger) {
  return std::any_of(ledger.begin(), ledger.end(), [](const models::LedgerLine& line) {
    return line.item == "gpu hours" && line.quantity > 0.0 && line.usd == 0.0;
  });
}

using models::Metric;
using models::Outcome;

std::string scaled(double value, const Scale& scale) {
  constexpr double kWhole_usd = 1000.0;
  if (scale.prefix && std::abs(value) >= kWhole_usd) return humane(value, "USD");
  return fmt::format("{}{}", scale.prefix ? scale.unit : "", humane_number(value * scale.factor));
}

/// Ends of an interval in the unit of the mean, with digits enough to tell them from it.
std::string ends_text(const models::Interval& interval, const Scale& scale) {
  // Ends that are equal only as rounded show that they are two.
  if (interval.low == interval.high) return scaled(interval.low, scale);
  return fmt::format("{} .. {}", scaled(interval.low, scale), scaled(interval.high, scale));
}

Scale scale_of(const Metric& metric) { return humane_scale(metric.mean, models::traits_of(metric.name).unit); }

std::string certainty(const Metric& metric) {
  if (metric.kind != models::AnswerKind::simulated) return kind_text(models::name(metric.kind), metric.name);
  constexpr double kRounding = 1e-9;
  if (metric.ci95 && metric.ci95->high - metric.ci95->low <= kRounding * std::abs(metric.mean)) return "no noise";
  return metric.ci95 ? ends_text(*metric.ci95, scale_of(metric)) : "no interval";
}

bool is_nothing(const Metric& metric) {
  const bool sure = !metric.ci95 || (metric.ci95->low == 0.0 && metric.ci95->high == 0.0);
  const bool ranged = metric.input_range && metric.input_range->high != 0.0;
  return metric.mean == 0.0 && sure && !ranged;
}

}  // namespace

std::string figure_table(const Outcome& outcome, const std::function<bool(const Metric&)>& shown) {
  const bool ranges = std::any_of(outcome.metrics.begin(), outcome.metrics.end(),
                                  [](const Metric& metric) { return metric.input_range.has_value(); });
  std::vector<std::vector<std::string>> rows{
      {"", "mean", outcome.stopped_by == "closed_form" ? "kind" : std::string(kNoiseInterval)}};
  if (ranges) rows.front().emplace_back("over input ranges");
  for (const Metric& metric : outcome.metrics) {
    const bool answers = models::traits_of(metric.name).law == models::StepLaw::idle;
    if (!shown(metric) || (is_nothing(metric) && !answers)) continue;
    std::vector<std::string> row{figure_label(metric.name, outcome),
                                 humane(metric.mean, models::traits_of(metric.name).unit), certainty(metric)};
    if (metric.input_range) {
      const Scale scale = scale_of(metric);
      const bool unit_behind = !scale.prefix && !scale.unit.empty();
      row.push_back(ends_text(*metric.input_range, scale) + (unit_behind ? " " + scale.unit : ""));
    }
    rows.push_back(std::move(row));
  }
  // Beside ranges over inputs, or long labels, the short form fits the line, and says enough.
  constexpr std::size_t kRoom = 42;  // for label and mean beside the long form in 80 columns
  std::size_t label = 0;
  std::size_t mean = 0;
  for (const std::vector<std::string>& row : rows) {
    label = std::max(label, row[0].size());
    mean = std::max(mean, row[1].size());
  }
  if (rows.front()[2] == kNoiseInterval && (ranges || label + mean > kRoom)) rows.front()[2] = "95 % interval (noise)";
  return table({{}, {true}, {}, {}}, rows);
}

std::string kind_text(std::string_view kind, std::string_view metric) {
  using models::StepLaw;
  if (kind != models::name(models::AnswerKind::bound)) return std::string(kind);
  switch (models::traits_of(metric).law) {
    case StepLaw::time:
    case StepLaw::first_time:
    case StepLaw::idle:
    case StepLaw::wait_cost:
    case StepLaw::cost:
    case StepLaw::useful_cost:
      return "bound: at least";
    case StepLaw::rate:
    case StepLaw::busy:
      return "bound: at most";
    case StepLaw::other:
      break;
  }
  return "bound";
}

bool has_several_jobs(const Outcome& outcome) {
  return outcome.jobs.size() > 1 && outcome.jobs.front().is_beside_others();
}

bool mixes_jobs(const std::string& metric) {
  if (metric.starts_with("jobs/") || metric.starts_with("blame/")) return false;
  const models::MetricDescription& traits = models::traits_of(metric);
  return metric == "samples_per_s" || metric == "epoch_time_s" || metric == "first_epoch_time_s" ||
         ((traits.over_jobs == models::OverJobs::mean || traits.over_jobs == models::OverJobs::mean_by_samples) &&
          traits.unit != "1");
}

bool lacks_gpu_price(const Outcome& outcome) { return lacks_gpu_price(outcome.ledger); }

const models::LedgerLine* notable_egress(const std::vector<models::LedgerLine>& ledger) {
  constexpr double kNotable = 1e9;
  const auto found = std::find_if(ledger.begin(), ledger.end(), [](const models::LedgerLine& line) {
    return line.item == models::item_name(models::LedgerItem::egress) && line.quantity >= kNotable;
  });
  return found == ledger.end() ? nullptr : &*found;
}

std::string cost_scope(const std::vector<models::LedgerLine>& ledger) {
  if (lacks_gpu_price(ledger)) return "GPUs without price";
  bool nodes = false;
  bool others = false;
  bool unpriced = false;
  bool spares = false;
  bool pays_requests = false;  // as one does of object stores, whose egress is mostly the larger part
  for (const models::LedgerLine& line : ledger) {
    nodes = nodes || (line.item == "node hours" && line.usd != 0.0);
    spares = spares || (line.item == models::kSpareNodes && line.usd != 0.0);
    // The price of a GPU may hold its node.
    if (line.item == "gpu hours" || line.item == "node hours" || line.item == models::kFreeGpuHours ||
        line.item == models::kSpareNodes)
      continue;
    others = others || line.usd != 0.0;
    pays_requests = pays_requests || (line.item == "requests" && line.usd != 0.0);
    unpriced = unpriced || (line.quantity > 0.0 && line.usd == 0.0);
  }
  const models::LedgerLine* egress = notable_egress(ledger);
  if (others) return pays_requests && egress != nullptr && egress->usd == 0.0 ? "egress at $0" : std::string();
  if (!unpriced) return {};
  if (spares) return nodes ? "GPU, node and spare hours alone" : "GPU and spare hours alone";
  return nodes ? "GPU and node hours alone" : "GPU hours alone";
}

std::string figure_label(std::string_view metric, const Outcome& outcome) {
  const bool cost = models::traits_of(metric).law == models::StepLaw::cost;
  const std::string scope = cost ? cost_scope(outcome.ledger) : std::string();
  return spoken_name(metric) + (scope.empty() ? "" : ", " + scope);
}

bool has_no_price(const models::Metric& metric, const Outcome& outcome) {
  const bool of_gpus = metric.name == "idle_cost_per_epoch_usd" || metric.name == "cost_per_useful_gpu_hour_usd";
  if (of_gpus && lacks_gpu_price(outcome)) return true;
  if (models::traits_of(metric.name).unit != "USD" || metric.mean != 0.0) return false;
  const auto is_paid = [](const std::vector<models::LedgerLine>& ledger) {
    return std::any_of(ledger.begin(), ledger.end(), [](const models::LedgerLine& line) { return line.usd != 0.0; });
  };
  return !is_paid(outcome.ledger) && std::none_of(outcome.jobs.begin(), outcome.jobs.end(),
                                                  [&](const models::JobReport& job) { return is_paid(job.ledger); });
}

std::string job_table(const Outcome& outcome, std::size_t most) {
  std::vector<std::vector<std::string>> rows{{"job", "step time", "GPU idle time", "", "epoch time"}};
  const auto row_of = [&](std::string name, const std::vector<Metric>& metrics, bool all) {
    std::vector<std::string> row{std::move(name)};
    for (const std::string_view key : kJobFigures) {
      const Metric* metric = models::find_in(metrics, key);
      const bool said = metric != nullptr && (!all || key == "gpu_idle_fraction");
      row.push_back(said ? humane(metric->mean, models::traits_of(key).unit) : "");
      if (key == "gpu_idle_fraction") row.push_back(said ? certainty(*metric) : "");
    }
    return row;
  };
  for (const models::JobReport& job : outcome.jobs) {
    if (rows.size() > most && outcome.jobs.size() > most) break;
    rows.push_back(row_of(job.name, job.metrics, false));
  }
  if (outcome.jobs.size() > most) rows.push_back({fmt::format("and {} more (--verbose)", outcome.jobs.size() - most)});
  rows.push_back(row_of("all GPUs", outcome.metrics, true));
  return table({{}, {true}, {true}, {}, {true}}, rows);
}

}  // namespace headrace::reports
