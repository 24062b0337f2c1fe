#include "gui/presenter/closed_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/outcome/workers_load.hpp"
#include "models/study/input_study.hpp"
#include "models/study/metric_value.hpp"
#include "reports/outcome_summary.hpp"
#include "reports/slider_scale.hpp"
#include "reports/sliders.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/input_ranges.hpp"

namespace headrace::gui {
namespace {

constexpr std::uint64_t kSeed = 1;

std::vector<double> spread_of(const ParameterValue& parameter, int count) {
  const auto now = number_of(parameter, parameter.value);
  if (!parameter.can_slide() || !now) return {};
  return reports::SliderScale(parameter, *now).spread(count);
}

std::optional<models::Outcome> estimate_of(const models::Scenario& scenario) {
  try {
    return models::queueing_estimate(scenario, kSeed);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// `answer` of the scenario and its uncertain inputs, where it has one.
template <class Answer>
std::optional<models::Outcome> over_inputs(const ScenarioDocument& document, Answer answer) {
  const auto inputs = scenarios::uncertain_inputs(document.scenario(), document.loaded().composition);
  if (!inputs) return std::nullopt;
  try {
    return answer(document.scenario(), *inputs, kSeed);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

ClosedForm closed_form(const ScenarioDocument& document) {
  ClosedForm answer;
  try {
    answer.outcome = models::flow_bound(document.scenario());
    answer.outcome->scenario_sha256 = document.loaded().sha256;
  } catch (const std::exception& error) {
    answer.error = error.what();
  }
  return answer;
}

namespace {

Curve curve_at(const ScenarioDocument& document, const ParameterValue& parameter, const std::string& metric,
               const std::vector<double>& values, const std::stop_token& stop) {
  Curve curve;
  for (const double x : values) {
    if (stop.stop_requested()) break;
    const auto varied = document.with(parameter.pointer, spelled(parameter, x));
    if (!varied) continue;
    const ClosedForm answer = closed_form(*varied);
    const auto found = answer.outcome ? models::metric_of(*answer.outcome, metric) : std::nullopt;
    if (!found) continue;
    curve.x.push_back(x);
    curve.y.push_back(found->mean);
  }
  return curve;
}

/// From nothing to twice the present value, or as near to it as the limits of the parameter allow.
std::vector<double> around(const ParameterValue& parameter, int count) {
  const double now = number_of(parameter, parameter.value).value_or(0.0);
  std::vector<double> values;
  if (!(now > 0.0)) return values;
  for (int i = 0; i < count; ++i) values.push_back(2.0 * now * i / (count - 1));
  return values;
}

}  // namespace

Curve bound_curve(const ScenarioDocument& document, const ParameterValue& parameter, const std::string& metric,
                  int count, const std::stop_token& stop) {
  constexpr std::size_t kFew = 5;
  Curve curve = curve_at(document, parameter, metric, spread_of(parameter, count), stop);
  // Other parameters may refuse most of a plausible range: a cache is no larger than the drives that hold it.
  if (curve.x.size() >= kFew || !parameter.can_slide()) return curve;
  Curve near = curve_at(document, parameter, metric, around(parameter, count), stop);
  return near.x.size() > curve.x.size() ? near : curve;
}

std::optional<models::Outcome> bound_with_ranges(const ScenarioDocument& document) {
  return over_inputs(document, models::flow_bound_over);
}

std::optional<models::Outcome> estimate_with_ranges(const ScenarioDocument& document) {
  return over_inputs(document, models::estimate_over);
}

Band input_band(const ScenarioDocument& document, const ParameterValue& parameter, const std::string& metric, int count,
                const std::stop_token& stop) {
  Band band;
  for (const double x : spread_of(parameter, count)) {
    if (stop.stop_requested()) break;
    const auto varied = document.with(parameter.pointer, spelled(parameter, x));
    if (!varied) continue;
    const auto answer = bound_with_ranges(*varied);
    const models::Metric* found = answer ? answer->find(metric) : nullptr;
    if (found == nullptr || !found->input_range) continue;
    band.x.push_back(x);
    band.low.push_back(found->input_range->low);
    band.high.push_back(found->input_range->high);
  }
  return band;
}

Surface estimate_surface(const ScenarioDocument& document, const ParameterValue& across, const ParameterValue& up,
                         const std::string& metric, int columns, int rows, const std::stop_token& stop) {
  Surface surface;
  surface.x = spread_of(across, columns);
  surface.y = spread_of(up, rows);
  for (const double y : surface.y) {
    std::vector<double>& row = surface.values.emplace_back();
    for (const double x : surface.x) {
      if (stop.stop_requested()) return {};
      row.push_back(std::numeric_limits<double>::quiet_NaN());
      const auto varied = document.with({{across.pointer, spelled(across, x)}, {up.pointer, spelled(up, y)}});
      if (!varied) continue;
      const auto answer = estimate_of(varied->scenario());
      const auto found = answer ? models::metric_of(*answer, metric) : std::nullopt;
      if (found) row.back() = found->mean;
    }
  }
  return surface;
}

namespace {

/// Whether the estimate, which knows queues, moves between the ends of a slider.
bool moves_estimate(const ScenarioDocument& document, const ParameterValue& parameter) {
  const std::vector<double> ends = spread_of(parameter, 2);
  constexpr double kVisible = 1e-4;
  std::vector<double> step_s;
  for (const double end : ends) {
    const auto varied = document.with(parameter.pointer, spelled(parameter, end));
    const auto answer = varied ? estimate_of(varied->scenario()) : std::nullopt;
    if (answer) step_s.push_back(models::mean_in(answer->metrics, "step_time_s"));
  }
  if (step_s.size() < 2) return true;  // one end is refused or has no estimate: nothing is known
  return std::abs(step_s[0] - step_s[1]) > kVisible * std::max(step_s[0], step_s[1]);
}

bool is_of_loader(const std::string& pointer) {
  return pointer.ends_with("/loader/workers") || pointer.ends_with("/loader/prefetch");
}

}  // namespace

std::vector<std::string> pins_of(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet,
                                 const models::Outcome& bound) {
  const auto varied = [&](const std::string& pointer, const std::string& value) -> std::optional<models::Outcome> {
    const auto other = document.with(pointer, value);
    return other ? closed_form(*other).outcome : std::nullopt;
  };
  std::vector<std::string> pins =
      reports::sliders_of(document.scenario(), sheet, bound, varied, reports::SliderAnswer::simulation);
  std::erase_if(pins, [&](const std::string& pointer) {
    const auto found =
        std::find_if(sheet.begin(), sheet.end(), [&](const ParameterValue& value) { return value.pointer == pointer; });
    return is_of_loader(pointer) && found != sheet.end() && !moves_estimate(document, *found);
  });
  return pins;
}

bool is_cache_unused(const models::Scenario& scenario) {
  return !scenario.jobs.empty() &&
         std::any_of(scenario.cluster.pools.begin(), scenario.cluster.pools.end(), [&](const models::Pool& pool) {
           return pool.name == scenario.jobs.front().pool && pool.cache.bytes > 0.0 &&
                  pool.cache.policy == models::CachePolicy::none;
         });
}

const ParameterValue* cache_size(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet) {
  const models::Scenario& scenario = document.scenario();
  if (scenario.jobs.empty()) return nullptr;
  for (std::size_t p = 0; p < scenario.cluster.pools.size(); ++p) {
    const models::Pool& pool = scenario.cluster.pools[p];
    if (pool.name != scenario.jobs.front().pool || pool.cache.policy == models::CachePolicy::none) continue;
    const std::string pointer = "/cluster/pools/" + std::to_string(p) + "/cache/bytes";
    for (const ParameterValue& value : sheet)
      if (value.pointer == pointer && value.can_slide()) return &value;
  }
  return nullptr;
}

std::string limit_text(const ScenarioDocument& document, const models::Outcome& bound) {
  const std::string verdict = bound.verdict == models::Verdict::fed ? std::string("no resource is too slow on average")
                                                                    : reports::spoken_verdict(bound.verdict);
  const std::string limit = reports::bottleneck_text(bound, models::busiest_workers(document.scenario(), bound));
  return fmt::format("Closed form: {}.{}{}", verdict, limit.empty() ? "" : " ", limit);
}

}  // namespace headrace::gui
