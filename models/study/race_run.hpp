// Step times of one configuration, for races between many: the windows of its epoch, run on as long as the race is
// open. All configurations take the same keyed draws (common random numbers).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace headrace::models {

class Sampler;
struct NodeSample;
struct RunSeries;
struct Scenario;

/// A mean and its standard error, from batch means.
struct RaceMean {
  double mean = 0.0;
  double standard_error = 0.0;
  std::uint64_t degrees_of_freedom = 1;
};

class RaceRun {
 public:
  enum class Engine : std::uint8_t {
    uncontended,  ///< the max-plus engine E1: a lower bound on the other, path by path, where bounds_by_uncontended()
    contended,    ///< the event engine E2
    sampled,      ///< E2 on some of many like nodes, where these stand for all (models/cluster/like_nodes.hpp)
  };

  /// The scenario must be plain (models/answer/point_bound.hpp); it is not kept. Runs begin with empty buffers, which
  /// fill for twice as many steps as batches may be outstanding.
  RaceRun(const Scenario& scenario, std::uint64_t seed, Engine engine);
  ~RaceRun();
  RaceRun(const RaceRun&) = delete;
  RaceRun& operator=(const RaceRun&) = delete;

  /// Runs every window on to `steps` steps after its warm-up. Throws Abandoned once the token asks for it: what was
  /// measured before stays.
  void run_to(std::uint64_t steps, const std::stop_token& abandon = {});
  std::uint64_t steps() const { return steps_; }
  /// Nodes that stand for all; 0 where all are simulated, or none.
  std::uint32_t sampled_nodes() const { return sampled_nodes_; }
  /// Step time of the epoch: windows by their weights, each after its warm-up.
  RaceMean step_time_s() const;
  /// own_slope x step time of this run less base_slope x that of `base`. Steps of the same number have the same draws,
  /// so that what both owe to them cancels; the standard error allows for neighbours that are alike. Runs over other
  /// windows, or too short to have steps in common, count as independent.
  RaceMean difference_from(const RaceRun& base, double own_slope, double base_slope) const;

 private:
  class Window;
  /// After the warm-up, of the window that has the fewest.
  std::size_t measured_steps() const;
  std::vector<RunSeries> series(double slope) const;
  std::optional<NodeSample> sample_of_windows() const;

  std::unique_ptr<Sampler> sampler_;  ///< without windows where the engine is uncontended
  std::vector<std::unique_ptr<Window>> windows_;
  std::uint64_t steps_ = 0;
  std::uint32_t sampled_nodes_ = 0;
};

/// The same from two means that have nothing in common.
RaceMean independent_difference(const RaceMean& own, const RaceMean& base, double own_slope = 1.0,
                                double base_slope = 1.0);

/// Where E2 is never faster than E1, path by path: batches in order, static assignment, draws that do not depend on the
/// state. Otherwise nothing may be pruned by E1.
bool bounds_by_uncontended(const Scenario& scenario);

/// Batches of all loaders in one step, over all windows: what a step costs to simulate.
double batches_per_step(const Scenario& scenario);

}  // namespace headrace::models
