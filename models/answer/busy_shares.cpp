#include "models/answer/busy_shares.hpp"

#include <algorithm>
#include <map>

#include "models/cluster/cluster_plan.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/outcome/cluster_outcome.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"
#include "sim/portable_math.hpp"

namespace headrace::models {
namespace {

Layer layer_of(Resource resource) {
  switch (resource) {
    case Resource::cache:
    case Resource::shared_cache:
      return Layer::cache;
    case Resource::spine:
    case Resource::leaf_uplink:
      return Layer::fabric;
    case Resource::nic:
      return Layer::nic;
    case Resource::metadata:
    case Resource::request_limit:
    case Resource::store_requests:
    case Resource::local_drive:
    case Resource::store_bandwidth:
    case Resource::store_front_end:
      return Layer::store;
    default:
      return Layer::workers;
  }
}

/// What one job asks, over what there is.
struct JobLoad {
  std::array<double, kResourceCount> share{};
  std::array<double, kResourceCount> capacity_per_s{};
  std::array<bool, kResourceCount> shared{};
};

JobLoad load_of(const Scenario& alone) {
  IngestPath path = resolve_path(alone, 0, {});
  const std::vector<EpochWindow> windows = closed_form_windows(alone, 0);
  const double fed_s = with_mean_host_part(path, windows).mean_step_floor_s();
  JobLoad load;
  for (const EpochWindow& window : windows) {
    path = in_window(std::move(path), window);
    for (const ResourceFloor& floor : resource_floors(path)) {
      const std::size_t i = index(floor.resource);
      load.share[i] += window.weight * floor.step_time_s / fed_s;
      load.capacity_per_s[i] = floor.capacity_per_s;
      load.shared[i] = scope_of(path, floor.resource) == Scope::cluster && traits(floor.resource).owner != Owner::job;
    }
  }
  return load;
}

/// What the copies of a job ask of a resource, over what there is.
struct Request {
  std::size_t job = 0;
  double share = 0.0;
};

/// Shares as they come together, and who asks for them.
class Sum {
 public:
  explicit Sum(const Scenario& scenario) : scenario_(scenario) {}

  void add(std::size_t number, const JobLoad& load) {
    const Job& job = scenario_.jobs[number];
    const std::string& store = dataset_of(scenario_, job).store;
    for (std::size_t i = 0; i < kResourceCount; ++i) {
      if (!(load.share[i] > 0.0)) continue;
      const ResourceTraits& about = traits(static_cast<Resource>(i));
      const std::string& owner = !load.shared[i] ? job.name : about.owner == Owner::store ? store : job.pool;
      const std::size_t at = place(about, owner);
      const double copies = load.shared[i] ? static_cast<double>(job.copies) : 1.0;
      answer_.shares[at].share += copies * load.share[i];
      requests_[at].push_back({number, copies * load.share[i]});
      if (about.resource == Resource::store_bandwidth) bandwidth_[owner] = load.capacity_per_s[i];
    }
  }

  /// Each background load takes of the bandwidth of its store.
  void add_background() {
    const std::vector<LoadReport> loads = loads_asked(scenario_);
    for (std::size_t b = 0; b < loads.size(); ++b)
      for (BusyShare& one : answer_.shares) {
        const double capacity = bandwidth_of(one);
        if (one.owner == scenario_.background[b].store && capacity > 0.0)
          one.share += loads[b].asked_bytes_per_s / capacity;
      }
  }

  void add_capacity() {
    for (const Store& store : scenario_.stores)
      if (const double share = capacity_share(store); share > 0.0)
        answer_.shares.push_back({Layer::capacity, std::nullopt, "capacity", store.name, share});
  }

  /// Of the store that the job reads.
  double capacity_share_of(std::size_t number) const {
    return capacity_share(store_of(scenario_, dataset_of(scenario_, scenario_.jobs[number])));
  }

  /// Of its time that each job waits, for the resource that serves it the least.
  std::vector<double> waits() const {
    std::vector<double> most(scenario_.jobs.size(), 0.0);
    for (std::size_t at = 0; at < answer_.shares.size(); ++at) {
      if (answer_.shares[at].share <= 1.0) continue;
      const double level = fair_level(at);
      for (const Request& one : requests_[at])
        most[one.job] = std::max(most[one.job], 1.0 - std::min(1.0, level * readers_of(one.job) / one.share));
    }
    return most;
  }

  BusyShares take() { return std::move(answer_); }

 private:
  /// Readers of all copies of a job, which wait at a full resource at the same time.
  double readers_of(std::size_t number) const {
    const Job& job = scenario_.jobs[number];
    const std::uint64_t nodes = job.nodes > 0 ? job.nodes : pool_of(scenario_, job).nodes;
    return static_cast<double>(job.copies * nodes * std::max<std::uint64_t>(1, job.loader.workers));
  }

  /// Of a full resource for each reader, where no job gets more than it asks for: those that ask least for their
  /// readers are served whole, the others share what is left. Background load does not slow down and comes first.
  double fair_level(std::size_t at) const {
    std::vector<Request> requests = requests_[at];
    const auto by_reader = [this](const Request& one) { return one.share / readers_of(one.job); };
    std::sort(requests.begin(), requests.end(),
              [&](const Request& a, const Request& b) { return by_reader(a) < by_reader(b); });
    double left = 1.0 - answer_.shares[at].share;
    double readers = 0.0;
    for (const Request& one : requests) {
      left += one.share;
      readers += readers_of(one.job);
    }
    for (const Request& one : requests) {
      if (by_reader(one) * readers > left) break;
      left -= one.share;
      readers -= readers_of(one.job);
    }
    return readers > 0.0 ? std::max(0.0, left) / readers : sim::kInfinity;
  }

  /// Bytes of the datasets over what the store holds; 0 where that is not stated.
  double capacity_share(const Store& store) const {
    if (!(store.capacity_bytes > 0.0)) return 0.0;
    double bytes = 0.0;
    for (const Dataset& dataset : scenario_.datasets)
      if (dataset.store == store.name) bytes += dataset.bytes();
    return bytes / store.capacity_bytes;
  }

  std::size_t place(const ResourceTraits& about, const std::string& owner) {
    for (std::size_t i = 0; i < answer_.shares.size(); ++i)
      if (answer_.shares[i].resource == about.resource && answer_.shares[i].owner == owner) return i;
    answer_.shares.push_back({layer_of(about.resource), about.resource, std::string(about.name), owner, 0.0});
    requests_.emplace_back();
    return answer_.shares.size() - 1;
  }

  /// Bytes per second of what a share is of; 0 unless it is the bandwidth of a store.
  double bandwidth_of(const BusyShare& one) const {
    if (one.resource != Resource::store_bandwidth) return 0.0;
    const auto found = bandwidth_.find(one.owner);
    return found == bandwidth_.end() ? 0.0 : found->second;
  }

  const Scenario& scenario_;
  BusyShares answer_;
  std::vector<std::vector<Request>> requests_;  ///< by share
  std::map<std::string, double> bandwidth_;     ///< of each store, bytes per second
};

}  // namespace

const BusyShare* BusyShares::fullest(Layer layer) const {
  const BusyShare* found = nullptr;
  for (const BusyShare& one : shares)
    if (one.layer == layer && (found == nullptr || one.share > found->share)) found = &one;
  return found;
}

BusyShares busy_shares(const Scenario& scenario) {
  Sum sum(scenario);
  std::vector<JobWaits> waits;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    sum.add(j, load_of(job_alone(scenario, j)));
    const Pool& pool = pool_of(scenario, scenario.jobs[j]);
    const Job& job = scenario.jobs[j];
    waits.push_back({static_cast<double>(job.copies) * static_cast<double>(job.nodes > 0 ? job.nodes : pool.nodes) *
                     static_cast<double>(job.gpus_per_node > 0 ? job.gpus_per_node : pool.gpus_per_node)});
  }
  sum.add_background();
  const std::vector<double> idle = sum.waits();
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const double missing = 1.0 - 1.0 / std::max(1.0, sum.capacity_share_of(j));
    waits[j].for_data = idle[j] * waits[j].gpus;
    waits[j].unserved = std::max(0.0, missing - idle[j]) * waits[j].gpus;
  }
  sum.add_capacity();
  BusyShares answer = sum.take();
  answer.jobs = std::move(waits);
  return answer;
}

}  // namespace headrace::models
