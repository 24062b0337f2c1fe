#include "scenarios/planner/same_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "models/outcome/ownership.hpp"
#include "models/path/ingest_path.hpp"
#include "scenarios/document/complaint.hpp"

namespace headrace::scenarios {

using models::Scenario;
using models::Warning;

namespace {

/// Counts of files are whole: datasets of different shards cannot have quite the same samples.
constexpr double kSame = 0.01;

struct EpochData {
  double samples = 0.0;
  double bytes = 0.0;
};

EpochData data_of_epoch(const Scenario& scenario) {
  EpochData all;
  for (const models::Job& job : scenario.jobs)
    for (const models::DatasetShare& share : job.datasets)
      for (const models::Dataset& dataset : scenario.datasets) {
        if (dataset.name != share.dataset) continue;
        const double samples = dataset.samples() * static_cast<double>(job.copies);
        all.samples += samples;
        all.bytes += samples * mean_of(dataset.sample_bytes);
      }
  return all;
}

bool same(double a, double b) { return std::abs(a - b) <= kSame * std::max(std::abs(a), std::abs(b)); }

template <class Predicate>
bool any_parameter(const PlanAxis& axis, const Predicate& holds) {
  const auto any = [&](const Axis& one) {
    return std::any_of(one.parameters.begin(), one.parameters.end(),
                       [&](const AxisParameter& parameter) { return holds(parameter.pointer); });
  };
  return any(axis.axis) || std::any_of(axis.with.begin(), axis.with.end(), any);
}

/// The scenarios at all values of an axis, the others at their first; without those that contradict themselves.
std::vector<Scenario> along(const Space& space, std::size_t axis) {
  std::vector<Scenario> all;
  std::vector<std::size_t> where(space.axes().size(), 0);
  for (where[axis] = 0; where[axis] < space.axes()[axis].size(); ++where[axis]) {
    std::string conflict;
    Scenario scenario = space.at(space.point(where), conflict);
    if (conflict.empty()) all.push_back(std::move(scenario));
  }
  return all;
}

/// Whether a figure is the same at all values; false too where it cannot be told.
bool is_constant(const std::vector<Scenario>& scenarios, const std::function<double(const Scenario&)>& figure) {
  if (scenarios.size() < 2) return false;
  try {
    const double first = figure(scenarios.front());
    return std::all_of(scenarios.begin(), scenarios.end(),
                       [&](const Scenario& one) { return std::abs(figure(one) - first) <= 1e-9 * std::abs(first); });
  } catch (const models::UnusableRequest&) {
    return false;
  }
}

/// Mean compute time of a step of all jobs together.
double compute_s(const Scenario& scenario) {
  double sum_s = 0.0;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) sum_s += resolve_path(scenario, j, {}).compute_s.mean();
  return sum_s;
}

Node count_node(double value, const Node& like) {
  Node node;
  node.type = Node::Type::number;
  node.number = value;
  node.text = fmt::format("{:.0f}", value);
  node.place = like.place;
  return node;
}

/// The part of an axis that sets a parameter, or nullptr.
const Axis* part_that_sets(const PlanAxis& axis, const std::string& pointer) {
  const auto sets = [&](const Axis& one) {
    return std::any_of(one.parameters.begin(), one.parameters.end(),
                       [&](const AxisParameter& parameter) { return parameter.pointer == pointer; });
  };
  if (sets(axis.axis)) return &axis.axis;
  const auto linked = std::find_if(axis.with.begin(), axis.with.end(), sets);
  return linked == axis.with.end() ? nullptr : &*linked;
}

/// What is wrong with values that are none is told where they are read.
bool are_counts(const Axis& axis) {
  return std::all_of(axis.values.begin(), axis.values.end(),
                     [](const Node& value) { return value.is(Node::Type::number) && value.number >= 1.0; });
}

/// Packed files that are read sample by sample in any order cost a request for each sample all the same.
void note_order(const models::Dataset& dataset, const std::string& own, const std::vector<PlanAxis>& axes,
                const Axis& sizes, std::vector<Warning>& notes) {
  const bool packs =
      std::any_of(sizes.values.begin(), sizes.values.end(), [](const Node& v) { return v.number > 1.0; });
  const auto sets_order = [&](const std::string& pointer) { return pointer == own + "/order" || pointer == own; };
  if (!packs || dataset.order != models::SampleOrder::random ||
      std::any_of(axes.begin(), axes.end(), [&](const PlanAxis& axis) { return any_parameter(axis, sets_order); }))
    return;
  notes.emplace_back(fmt::format("{}/order stays random", own),
                     "samples of packed files are then read one by one in any order, so that packing hardly gains",
                     fmt::format("to read file by file, add --set {}/order=shard_sequential", own));
}

}  // namespace

void keep_samples(const LoadedScenario& loaded, std::vector<PlanAxis>& axes, std::vector<Warning>& notes) {
  for (std::size_t d = 0; d < loaded.value.datasets.size(); ++d) {
    const models::Dataset& dataset = loaded.value.datasets[d];
    const std::string own = fmt::format("/datasets/{}", d);
    const std::string files = own + "/files";
    const auto sets_files = [&](const std::string& pointer) { return pointer == files || pointer == own; };
    if (std::any_of(axes.begin(), axes.end(), [&](const PlanAxis& axis) { return any_parameter(axis, sets_files); }))
      continue;
    for (PlanAxis& axis : axes) {
      const Axis* sizes = part_that_sets(axis, own + "/samples_per_file");
      if (sizes == nullptr || !are_counts(*sizes)) continue;
      Axis linked;
      linked.name = "files";
      linked.place = sizes->place;
      linked.parameters.push_back({files, sizes->place});
      for (const Node& value : sizes->values)
        linked.values.push_back(count_node(std::ceil(dataset.samples() / value.number), value));
      axis.with.push_back(std::move(linked));
      notes.emplace_back(fmt::format("{} follows samples_per_file", files),
                         fmt::format("an epoch keeps its {:.0f} samples for any size of a shard", dataset.samples()),
                         "to set it yourself, name it in the decision's `with`");
      note_order(dataset, own, axes, *sizes, notes);
    }
  }
}

tl::expected<void, Diagnostics> check_same_data(const LoadedScenario& loaded, const Space& space) {
  Diagnostics diagnostics;
  for (std::size_t a = 0; a < space.axes().size(); ++a) {
    const PlanAxis& axis = space.axes()[a];
    const auto may = [](const std::string& pointer) {
      return pointer.starts_with("/datasets") || pointer.starts_with("/jobs");
    };
    if (!any_parameter(axis, may)) continue;
    const std::vector<Scenario> scenarios = along(space, a);
    for (std::size_t i = 1; i < scenarios.size(); ++i) {
      const EpochData first = data_of_epoch(scenarios.front());
      const EpochData other = data_of_epoch(scenarios[i]);
      if (same(first.samples, other.samples) || same(first.bytes, other.bytes)) continue;
      diagnostics.add(complaint_at(
          *loaded.composition.sources, axis.axis.place, "E0508", axis.axis.parameters.front().pointer,
          fmt::format("an epoch has {:.6g} samples with one value of '{}' and {:.6g} with another, so that epochs "
                      "cannot be compared",
                      first.samples, axis.name(), other.samples),
          "use `with` to change the parameter that keeps the data the same (samples_per_file with files)"));
      break;
    }
  }
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return {};
}

std::vector<Warning> one_sided_decisions(const LoadedScenario& loaded, const Space& space) {
  std::vector<Warning> notes;
  for (std::size_t a = 0; a < space.axes().size(); ++a) {
    const PlanAxis& axis = space.axes()[a];
    const auto is_batch = [](const std::string& pointer) { return pointer.ends_with("/step/batch"); };
    const auto is_gpu = [](const std::string& pointer) { return pointer.ends_with("/gpu"); };
    const bool batch = any_parameter(axis, is_batch);
    const bool gpu = any_parameter(axis, is_gpu);
    if (axis.size() < 2 || (!batch && !gpu)) continue;
    const std::vector<Scenario> scenarios = along(space, a);
    if (is_constant(scenarios, compute_s))
      notes.emplace_back(fmt::format("the time of a step is the same for every {}", axis.name()),
                         batch ? "step_time is a constant of the scenario, so the largest batch always looks best"
                               : "step_time is a constant of the scenario, so a faster GPU has no effect",
                         "give step/arithmetic, or the step times in the decision's `with`");
    const auto price = [](const Scenario& scenario) { return gpu_hour_usd(scenario); };
    if (gpu && gpu_hour_usd(loaded.value) > 0.0 && is_constant(scenarios, price))
      notes.emplace_back(fmt::format("an hour costs the same for every {}", axis.name()),
                         "prices/gpu_hour does not change with the GPU",
                         "give the price of each in the decision's `with`: /prices/gpu_hour");
  }
  return notes;
}

}  // namespace headrace::scenarios
