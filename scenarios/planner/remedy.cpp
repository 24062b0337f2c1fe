#include "scenarios/planner/remedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/answer/queueing_estimate.hpp"
#include "scenarios/document/print_visitor.hpp"
#include "scenarios/planner/levers.hpp"
#include "scenarios/results/slurm_array.hpp"

namespace headrace::scenarios {
namespace {

using models::Scenario;

constexpr double kLeastGain = 0.01;
constexpr double kNearlyBest = 0.8;
constexpr double kDoubled = 2.0;
constexpr double kEnough = 0.5;    ///< of the wait: one change that gains so much is enough
constexpr double kPairPays = 2.0;  ///< gain of two changes over that of the first
constexpr std::uint64_t kPacked = 1000;
constexpr std::string_view kPrefixes = "stores/limit/prefixes";

/// Single files become shards that are read in order: one open for a thousand samples.
bool pack_samples(Scenario& scenario, double /*factor*/) {
  bool any = false;
  for (models::Dataset& data : scenario.datasets) {
    if (data.samples_per_file != 1 || data.files < 2 * kPacked || data.stream) continue;
    data.files = (data.files + kPacked - 1) / kPacked;
    data.samples_per_file = kPacked;
    data.order = models::SampleOrder::shard_sequential;
    any = true;
  }
  return any;
}

/// Names of objects spread over twice as many prefixes, each with its own limit.
bool double_prefixes(Scenario& scenario, double factor) {
  bool any = false;
  for (models::Store& store : scenario.stores) {
    if (!(store.limit.requests_per_s_per_prefix > 0.0)) continue;
    store.limit.prefixes *= static_cast<decltype(store.limit.prefixes)>(factor);
    any = true;
  }
  return any;
}

/// In nodes that have neither a cache nor the data on their own drives.
bool cache_on_nvme(Scenario& scenario, double /*factor*/) {
  const bool remote = std::any_of(scenario.stores.begin(), scenario.stores.end(),
                                  [](const models::Store& store) { return store.is_shared(); });
  bool any = false;
  for (models::Pool& pool : scenario.cluster.pools) {
    if (!remote || pool.cache.policy != models::CachePolicy::none) continue;
    pool.drives.capacity_bytes = std::max(pool.drives.capacity_bytes, 15e12);
    pool.cache.policy = models::CachePolicy::lru;
    pool.cache.medium = models::CacheMedium::nvme;
    pool.cache.bytes = 13e12;
    pool.cache.bandwidth_bytes_per_s = 12e9;
    pool.cache.latency_s = models::DistributionSpec::constant(100e-6);
    any = true;
  }
  return any;
}

struct Change {
  std::string_view advice;
  std::string_view parameter;
  bool (*make)(Scenario& scenario, double factor);
  int effort;  ///< 0: a setting of the job; 1: other files; 2: other machines
};

int effort_of(std::string_view parameter) {
  if (parameter == "loader/workers" || parameter == "loader/prefetch") return 0;
  return parameter.starts_with("loader/") || parameter == kPrefixes ? 1 : 2;
}

std::vector<Change> all_changes() {
  std::vector<Change> changes{{"pack 1,000 samples into each file", "datasets/samples_per_file", pack_samples, 1},
                              {"cache the data on 15 TB of NVMe in each node", "pools/cache", cache_on_nvme, 2}};
  for (const Lever& lever : kLevers)
    if (!lever.doubled.empty())
      changes.push_back({lever.doubled, lever.parameter, lever.parameter == kPrefixes ? double_prefixes : lever.pull,
                         effort_of(lever.parameter)});
  std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.effort < b.effort; });
  return changes;
}

using Document = nlohmann::ordered_json;

Document document_of(Scenario scenario) {
  return print_record([&scenario](models::Visitor& visitor) { describe(scenario, visitor); });
}

void add_changed(const Document& before, const Document& after, const std::string& pointer,
                 std::vector<ChangedValue>& values) {
  if (before == after) return;
  const bool inside =
      after.is_structured() && before.type() == after.type() && (after.is_object() || after.size() == before.size());
  if (!inside) {
    values.push_back({pointer, after.is_string() ? after.get<std::string>() : after.dump()});
    return;
  }
  static const Document kNone;
  for (const auto& [key, child] : after.items()) {
    const bool known = after.is_array() || before.contains(key);
    const Document& old = !known ? kNone : after.is_array() ? before[std::stoul(key)] : before[key];
    add_changed(old, child, join_pointer(pointer, key), values);
  }
}

/// What makes `after` of `before`, as options of the command line.
std::string sets_between(const Scenario& before, const Scenario& after) {
  std::string sets;
  for (const ChangedValue& one : changed_values(before, after))
    sets +=
        fmt::format("{}--set {}", sets.empty() ? "" : " ", shell_quoted(fmt::format("{}={}", one.pointer, one.value)));
  return sets;
}

struct Estimated {
  double idle = 0.0;
  double cost_usd = 0.0;  ///< of an epoch; 0: the scenario states no prices
};

std::optional<Estimated> estimated(const Scenario& scenario) {
  const models::Outcome outcome = models::queueing_estimate(scenario, 1);
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  if (idle == nullptr || outcome.verdict == models::Verdict::infeasible) return std::nullopt;
  return Estimated{idle->mean, models::mean_in(outcome.metrics, "cost_per_epoch_usd")};
}

/// A change and what it gains over the scenario that it was made in.
struct Tried {
  const Change* change = nullptr;
  Scenario scenario;
  double gain = 0.0;
  double cost_usd = 0.0;  ///< of an epoch afterwards
};

/// Every change that the scenario allows, easiest first. `idle_fraction` is the scenario's, by the estimate.
std::vector<Tried> tried(const Scenario& scenario, const std::vector<Change>& changes, double idle_fraction) {
  std::vector<Tried> all;
  for (const Change& change : changes) {
    Tried one{&change, scenario, 0.0, 0.0};
    if (!change.make(one.scenario, kDoubled)) continue;
    const std::optional<Estimated> then = estimated(one.scenario);
    if (!then) continue;
    one.gain = idle_fraction - then->idle;
    one.cost_usd = then->cost_usd;
    all.push_back(std::move(one));
  }
  return all;
}

bool gains_less(const Tried& one, const Tried& other) { return one.gain < other.gain; }

/// The easiest of those that gain nearly as much as the best.
const Tried* easiest(const std::vector<Tried>& all) {
  const auto best = std::max_element(all.begin(), all.end(), gains_less);
  if (best == all.end() || best->gain < kLeastGain) return nullptr;
  return &*std::find_if(all.begin(), all.end(), [&](const Tried& one) { return one.gain >= kNearlyBest * best->gain; });
}

/// Remedies of one scenario, whose share of waiting is known.
class Remedies {
 public:
  Remedies(const Scenario& scenario, double idle_fraction, const Estimated& now)
      : scenario_(scenario), idle_fraction_(idle_fraction), now_(now) {}

  Remedy single(const Tried& one) const {
    return made(one, {std::string(one.change->advice), std::string(one.change->parameter),
                      sets_between(scenario_, one.scenario), one.gain});
  }

  Remedy pair(const Tried& first, const Tried& second) const {
    return made(second, {fmt::format("{} and {}", first.change->advice, second.change->advice),
                         fmt::format("{}, {}", first.change->parameter, second.change->parameter),
                         sets_between(scenario_, second.scenario), second.gain});
  }

 private:
  Remedy made(const Tried& last, models::RemedyReport report) const {
    report.gain = std::min(idle_fraction_, report.gain);
    Remedy remedy{std::move(report), last.scenario, std::nullopt};
    if (now_.cost_usd > 0.0) remedy.cost_usd = last.cost_usd - now_.cost_usd;
    return remedy;
  }

  const Scenario& scenario_;
  double idle_fraction_;
  Estimated now_;
};

}  // namespace

std::vector<ChangedValue> changed_values(const Scenario& before, const Scenario& after) {
  std::vector<ChangedValue> values;
  add_changed(document_of(before), document_of(after), "", values);
  return values;
}

std::vector<Remedy> remedies(const Scenario& scenario, double idle_fraction, std::size_t most) {
  const std::optional<Estimated> now = estimated(scenario);
  if (!now || most == 0) return {};
  const Remedies make(scenario, idle_fraction, *now);
  const std::vector<Change> changes = all_changes();
  std::vector<Tried> singles = tried(scenario, changes, now->idle);
  const Tried* first = easiest(singles);
  if (first == nullptr) return {};
  std::vector<Remedy> all{make.single(*first)};
  if (first->gain < kEnough * now->idle) {
    // Two limits that lie close together: a change of one alone gains little.
    const std::vector<Tried> pairs = tried(first->scenario, changes, now->idle);
    const Tried* second = easiest(pairs);
    if (second != nullptr && second->change != first->change && second->gain >= kPairPays * first->gain)
      all.front() = make.pair(*first, *second);
  }
  const Change* taken = first->change;
  std::stable_sort(singles.begin(), singles.end(), [](const Tried& a, const Tried& b) { return a.gain > b.gain; });
  for (const Tried& one : singles)
    if (all.size() < most && one.change != taken && one.gain >= kLeastGain) all.push_back(make.single(one));
  return all;
}

std::optional<models::RemedyReport> first_remedy(const Scenario& scenario, double idle_fraction) {
  std::vector<Remedy> first = remedies(scenario, idle_fraction, 1);
  if (first.empty()) return std::nullopt;
  return std::move(first.front().report);
}

}  // namespace headrace::scenarios
