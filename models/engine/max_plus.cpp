#include "models/engine/max_plus.hpp"

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

/// The step for which the workers were done at `last_ready`.
StepStart start_behind(TimeNs last_ready, TimeNs compute_end, const LoaderShape& shape) {
  const TimeNs start = std::max(compute_end, last_ready + shape.pin_ns) + shape.receive_ns;
  return {start, start - compute_end};
}

/// Puts `value` in place of the least element of a heap whose least stands first.
template <class T>
void replace_least(T* heap, std::uint32_t size, const T& value) {
  std::uint32_t at = 0;
  for (std::uint32_t child = 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && heap[child] > heap[child + 1]) ++child;
    if (!(value > heap[child])) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = value;
}

}  // namespace

MaxPlusInOrder::MaxPlusInOrder(const LoaderShape& shape, const ProductionLaw& law, sim::StreamKey key)
    : shape_(checked(shape)),
      draws_(law, key, shape.loaders),
      ready_(shape.loaders, shape.workers, shape.outstanding, shape.pin_ns + shape.receive_ns),
      free_from_(shape.outstanding, -shape.receive_ns) {}

StepStart MaxPlusInOrder::advance(TimeNs compute_ns) {
  const std::span<const TimeNs> production = draws_.row(step_++);
  TimeNs& free_from = free_from_[slot_];
  slot_ = slot_ + 1 == shape_.outstanding ? 0 : slot_ + 1;
  const TimeNs asked_from = free_from;
  const ReadyTimes::Rows rows = ready_.next();
  TimeNs last = 0;
  for (std::size_t i = 0; i < production.size(); ++i) {
    const TimeNs taken = std::max(rows.in_slot_ready.ns[i] + shape_.pin_ns, asked_from) + shape_.receive_ns;
    const TimeNs began = std::max(rows.worker_free.ns[i], taken);
    rows.ready.ns[i] = began + production[i];
    last = std::max(last, rows.ready.ns[i]);
  }
  const StepStart step = start_behind(last, compute_end_, shape_);
  const TimeNs before = compute_end_;
  compute_end_ = step.start_ns + compute_ns;
  free_from = shape_.synchronous ? compute_end_ : before;
  return step;
}

MaxPlusAnyOrder::MaxPlusAnyOrder(const LoaderShape& shape, Dispatch dispatch, const ProductionLaw& law,
                                 sim::StreamKey key)
    : shape_(checked(shape)),
      dispatch_(dispatch),
      draws_(law, key, shape.loaders),
      worker_free_(std::size_t{shape.loaders} * shape.workers, 0),
      ready_(std::size_t{shape.loaders} * shape.outstanding) {
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
      Ready* heap = ready_.data() + std::size_t{loader} * shape_.outstanding;
      heap[asked_] = start_batch(loader, worker, 0, production[loader]);
      std::push_heap(heap, heap + asked_ + 1, std::greater<>{});
    }
  }
}

MaxPlusAnyOrder::Ready MaxPlusAnyOrder::start_batch(std::uint32_t loader, std::uint32_t worker, TimeNs asked_at,
                                                    TimeNs production_ns) {
  TimeNs* free = worker_free_.data() + std::size_t{loader} * shape_.workers;
  if (dispatch_ == Dispatch::kPerWorker) {
    free[worker] = std::max(free[worker], asked_at) + production_ns;
    return {free[worker], worker};
  }
  // The worker that is free first; which one it is does not matter, so the heap holds times only.
  const TimeNs done = std::max(free[0], asked_at) + production_ns;
  replace_least(free, shape_.workers, done);
  return {done, 0};
}

StepStart MaxPlusAnyOrder::advance(TimeNs compute_ns) {
  TimeNs last = 0;
  for (std::uint32_t loader = 0; loader < shape_.loaders; ++loader)
    last = std::max(last, ready_[std::size_t{loader} * shape_.outstanding].at);
  const StepStart step = start_behind(last, compute_end_, shape_);
  const std::span<const TimeNs> production = draws_.row(asked_++);
  for (std::uint32_t loader = 0; loader < shape_.loaders; ++loader) {
    Ready* heap = ready_.data() + std::size_t{loader} * shape_.outstanding;
    const TimeNs taken_at = std::max(compute_end_, heap[0].at + shape_.pin_ns) + shape_.receive_ns;
    replace_least(heap, shape_.outstanding, start_batch(loader, heap[0].worker, taken_at, production[loader]));
  }
  compute_end_ = step.start_ns + compute_ns;
  return step;
}

}  // namespace headrace::models
