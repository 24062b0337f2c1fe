#include "models/contended_loader.hpp"

#include <deque>
#include <stdexcept>

#include "sim/gate.hpp"
#include "sim/simulation.hpp"

namespace headrace::models {

using sim::Process;
using sim::TimeNs;

struct ContendedJob::State {
  explicit State(const ContendedJobSpec& from)
      : spec(from),
        latency{from.latency_s, 0},
        network(clock, from.network),
        slots(from.shape.workers),
        arrived(from.shape.outstanding, 0) {}

  sim::Simulation& simulation() { return clock; }
  bool has_slot(std::uint64_t batch) const { return batch < started + spec.shape.outstanding; }
  std::uint32_t& arrivals(std::uint64_t batch) { return arrived[batch % spec.shape.outstanding]; }

  ContendedJobSpec spec;
  ProductionLaw latency;
  sim::Simulation clock;
  sim::FluidNetwork network;
  std::deque<sim::Gate> slots;  // one per worker number: every loader's next batch is that worker's
  sim::Gate data;
  std::vector<std::uint32_t> arrived;  // loaders that have batch i, for the batches that may be outstanding
  std::uint64_t started = 0;           // steps
  std::vector<StepStart> steps;
  std::size_t wanted = 0;
};

namespace {

Process worker(ContendedJob::State& job, std::uint32_t loader, std::uint32_t number) {
  const ContendedJobSpec& spec = job.spec;
  for (std::uint64_t batch = number;; batch += spec.shape.workers) {
    while (!job.has_slot(batch)) co_await job.slots[number].wait();
    co_await job.clock.delay(ProductionDraws::single(job.latency, spec.key, loader, batch));
    co_await job.network.transfer(loader, spec.batch_bytes, spec.flow_cap_bytes_per_s);
    if (++job.arrivals(batch) == spec.shape.loaders && batch == job.started) job.data.pulse();
  }
}

Process accelerators(ContendedJob::State& job) {
  const LoaderShape& shape = job.spec.shape;
  for (;;) {
    const TimeNs ready_at = job.clock.now();
    while (job.arrivals(job.started) != shape.loaders) co_await job.data.wait();
    job.arrivals(job.started) = 0;
    job.steps.push_back({job.clock.now(), job.clock.now() - ready_at});
    const std::uint64_t freed = job.started++ + shape.outstanding;
    job.slots[freed % shape.workers].pulse();
    if (job.steps.size() == job.wanted) job.clock.request_stop();
    co_await job.clock.delay(shape.compute_ns);
  }
}

}  // namespace

ContendedJob::ContendedJob(const ContendedJobSpec& spec) {
  const LoaderShape& shape = spec.shape;
  if (shape.loaders == 0 || shape.workers == 0 || shape.outstanding == 0) {
    throw std::invalid_argument("a job has loaders, workers and outstanding batches");
  }
  if (spec.network.nodes.size() != shape.loaders) throw std::invalid_argument("every loader has a node");
  state_ = std::make_unique<State>(spec);
  state_->clock.spawn(accelerators(*state_), "accelerators");
  for (std::uint32_t loader = 0; loader < shape.loaders; ++loader) {
    for (std::uint32_t number = 0; number < shape.workers; ++number) {
      state_->clock.spawn(worker(*state_, loader, number), "worker", loader * shape.workers + number);
    }
  }
}

ContendedJob::~ContendedJob() = default;

const std::vector<StepStart>& ContendedJob::run(std::size_t steps) {
  state_->steps.clear();
  state_->wanted = steps;
  if (steps > 0) state_->clock.run();
  return state_->steps;
}

}  // namespace headrace::models
