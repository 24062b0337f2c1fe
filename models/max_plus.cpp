#include "models/max_plus.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace headrace::models {
namespace {

using sim::TimeNs;

LoaderShape checked(const LoaderShape& shape) {
  if (shape.loaders == 0 || shape.workers == 0 || shape.outstanding == 0 || shape.compute_ns < 0) {
    throw std::invalid_argument("a job has loaders, workers, outstanding batches and a compute time");
  }
  return shape;
}

}  // namespace

MaxPlusInOrder::MaxPlusInOrder(const LoaderShape& shape, const ProductionLaw& law, sim::StreamKey key)
    : shape_(checked(shape)),
      draws_(law, key, shape.loaders),
      worker_free_(std::size_t{shape.loaders} * shape.workers, 0),
      taken_(shape.outstanding, 0) {}

StepStart MaxPlusInOrder::advance() {
  const std::span<const TimeNs> production = draws_.row(step_++);
  TimeNs& slot_freed = taken_[slot_];
  TimeNs* free = worker_free_.data() + std::size_t{worker_} * shape_.loaders;
  slot_ = slot_ + 1 == shape_.outstanding ? 0 : slot_ + 1;
  worker_ = worker_ + 1 == shape_.workers ? 0 : worker_ + 1;
  const TimeNs asked_at = slot_freed;
  TimeNs last = 0;
  for (std::size_t i = 0; i < production.size(); ++i) {
    free[i] = std::max(free[i], asked_at) + production[i];
    last = std::max(last, free[i]);
  }
  const StepStart step{std::max(compute_end_, last), std::max<TimeNs>(0, last - compute_end_)};
  slot_freed = step.start_ns;
  compute_end_ = step.start_ns + shape_.compute_ns;
  return step;
}

MaxPlusAnyOrder::MaxPlusAnyOrder(const LoaderShape& shape, Dispatch dispatch, const ProductionLaw& law,
                                 sim::StreamKey key)
    : shape_(checked(shape)),
      dispatch_(dispatch),
      draws_(law, key, shape.loaders),
      worker_free_(std::size_t{shape.loaders} * shape.workers, 0),
      ready_(std::size_t{shape.loaders} * shape.outstanding),
      ready_count_(shape.loaders, 0),
      taken_from_(shape.loaders, 0) {
  if (dispatch == Dispatch::kPerWorker && shape.outstanding % shape.workers != 0) {
    throw std::invalid_argument("a limit per worker needs as many outstanding batches for each of them");
  }
  ask_for_first_batches();
}

void MaxPlusAnyOrder::ask_for_first_batches() {
  for (; asked_ < shape_.outstanding; ++asked_) {
    const std::span<const TimeNs> production = draws_.row(asked_);
    const auto worker = static_cast<std::uint32_t>(asked_ % shape_.workers);
    for (std::uint32_t loader = 0; loader < shape_.loaders; ++loader) {
      start_batch(loader, worker, 0, production[loader]);
    }
  }
}

void MaxPlusAnyOrder::push_ready(std::uint32_t loader, Ready ready) {
  Ready* heap = ready_.data() + std::size_t{loader} * shape_.outstanding;
  heap[ready_count_[loader]++] = ready;
  std::push_heap(heap, heap + ready_count_[loader], std::greater<>{});
}

void MaxPlusAnyOrder::start_batch(std::uint32_t loader, std::uint32_t worker, TimeNs asked_at, TimeNs production_ns) {
  TimeNs* free = worker_free_.data() + std::size_t{loader} * shape_.workers;
  if (dispatch_ == Dispatch::kPerWorker) {
    free[worker] = std::max(free[worker], asked_at) + production_ns;
    push_ready(loader, {free[worker], worker});
    return;
  }
  // The worker that is free first; which one it is does not matter, so the heap holds times only.
  std::pop_heap(free, free + shape_.workers, std::greater<>{});
  TimeNs& first = free[shape_.workers - 1];
  first = std::max(first, asked_at) + production_ns;
  push_ready(loader, {first, 0});
  std::push_heap(free, free + shape_.workers, std::greater<>{});
}

StepStart MaxPlusAnyOrder::advance() {
  TimeNs last = 0;
  for (std::uint32_t loader = 0; loader < shape_.loaders; ++loader) {
    Ready* heap = ready_.data() + std::size_t{loader} * shape_.outstanding;
    std::pop_heap(heap, heap + ready_count_[loader], std::greater<>{});
    const Ready& taken = heap[--ready_count_[loader]];
    taken_from_[loader] = taken.worker;
    last = std::max(last, taken.at);
  }
  const StepStart step{std::max(compute_end_, last), std::max<TimeNs>(0, last - compute_end_)};
  compute_end_ = step.start_ns + shape_.compute_ns;
  const std::span<const TimeNs> production = draws_.row(asked_++);
  for (std::uint32_t loader = 0; loader < shape_.loaders; ++loader) {
    start_batch(loader, taken_from_[loader], step.start_ns, production[loader]);
  }
  return step;
}

}  // namespace headrace::models
