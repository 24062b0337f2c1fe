#include "models/verification/loop_pipeline.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "models/calibration/host_clock.hpp"
#include "models/calibration/io_engine.hpp"
#include "models/calibration/io_memory.hpp"
#include "models/verification/loop_reader.hpp"

namespace headrace::models::verification {
namespace {

using calibration::clock_ns;
using calibration::seconds_between;

/// Instants of a batch on its way, ns.
struct Passage {
  std::uint64_t begun = 0;
  std::uint64_t read = 0;
  std::uint64_t decoded = 0;
};

/// The bounded queue between workers and consumer. In order, worker w makes batches w, w + N, ...; batch i may begin
/// when batch i - K was taken. In any order K tokens are shared.
class BatchQueue {
 public:
  BatchQueue(std::uint32_t workers, std::uint32_t outstanding, bool in_order)
      : workers_(workers), outstanding_(outstanding), in_order_(in_order), slots_(outstanding) {
    for (std::uint32_t i = 0; i < workers; ++i) room_.emplace_back();
  }

  /// Waits until worker `worker` may begin batch `number`. False: the loop ends.
  bool may_begin(std::uint32_t worker, std::uint64_t number) {
    std::unique_lock lock(mutex_);
    if (in_order_) {
      room_[worker].wait(lock, [&] { return over_ || number < taken_ + outstanding_; });
      return !over_;
    }
    room_[0].wait(lock, [&] { return over_ || begun_ < taken_ + outstanding_; });
    if (over_) return false;
    ++begun_;
    return true;
  }

  void put(std::uint64_t number, const Passage& passage) {
    const std::scoped_lock lock(mutex_);
    if (in_order_) {
      slots_[number % outstanding_] = {passage, true};
      if (number == taken_) ready_.notify_one();
    } else {
      line_.push_back(passage);
      ready_.notify_one();
    }
  }

  /// The next batch; false: the loop ends.
  bool take(Passage& passage) {
    std::unique_lock lock(mutex_);
    if (in_order_) {
      Slot& slot = slots_[taken_ % outstanding_];
      ready_.wait(lock, [&] { return over_ || slot.full; });
      if (over_) return false;
      passage = slot.passage;
      slot.full = false;
      ++taken_;
      room_[(taken_ - 1 + outstanding_) % workers_].notify_one();
      return true;
    }
    ready_.wait(lock, [&] { return over_ || !line_.empty(); });
    if (over_) return false;
    passage = line_.front();
    line_.pop_front();
    ++taken_;
    room_[0].notify_one();
    return true;
  }

  void end() {
    const std::scoped_lock lock(mutex_);
    over_ = true;
    ready_.notify_all();
    for (auto& room : room_) room.notify_all();
  }

 private:
  struct Slot {
    Passage passage;
    bool full = false;
  };

  const std::uint64_t workers_;
  const std::uint64_t outstanding_;
  const bool in_order_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::condition_variable> room_;
  std::vector<Slot> slots_;
  std::deque<Passage> line_;
  std::uint64_t taken_ = 0;
  std::uint64_t begun_ = 0;
  bool over_ = false;
};

/// What a worker does, until the queue ends.
void work(std::uint32_t worker, const LoopPoint& point, const LoopData& data, BatchQueue& queue, std::uint64_t seed) {
  calibration::IoTask places;
  places.block_bytes = 1;  // numbers of blocks instead of places
  places.file_bytes = data.blocks();
  places.seed = seed + 0x51ed2701U * (std::uint64_t{worker} + 1);
  calibration::Offsets offsets(places);
  const calibration::BlockBuffers buffers(point.batch, data.block_bytes(), calibration::BufferLayout::contiguous);
  LoopReader reader(data);
  std::vector<std::byte> decoded;
  for (std::uint64_t number = worker; queue.may_begin(worker, number); number += point.workers) {
    Passage passage;
    passage.begun = clock_ns();
    for (std::uint32_t i = 0; i < point.batch; ++i) reader.read(offsets.next(), buffers.block(i));
    passage.read = clock_ns();
    for (std::uint32_t i = 0; i < point.batch; ++i) data.decode(buffers.block(i), decoded);
    passage.decoded = clock_ns();
    queue.put(number, passage);
  }
}

/// Where the wait from `asked` to `got` goes.
void attribute(const Passage& passage, std::uint64_t asked, std::uint64_t got, LoopRun& run) {
  const std::uint64_t edges[] = {asked, passage.begun, passage.read, passage.decoded, got};
  std::uint64_t from = asked;
  for (std::size_t part = 0; part < kWaitParts; ++part) {
    const std::uint64_t to = part + 1 == kWaitParts ? got : std::clamp(edges[part + 1], from, got);
    run.wait_parts_s[part] += seconds_between(from, to);
    from = to;
  }
}

double process_time_s(std::uint64_t& switches) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  switches = static_cast<std::uint64_t>(usage.ru_nivcsw);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The consumer: warms up, then counts.
LoopRun consume(const LoopPoint& point, LoopConsumer& consumer, BatchQueue& queue, const LoopLengths& lengths,
                const std::stop_token& stop) {
  const BeforeWorkers before(point.consumer);
  LoopRun run;
  const std::uint64_t warm_until = clock_ns() + static_cast<std::uint64_t>(1e9 * lengths.warm_up_s);
  const auto window_ns = static_cast<std::uint64_t>(1e9 * lengths.window_s);
  const std::uint64_t least_steps = 2 * std::uint64_t{point.outstanding};
  std::uint64_t counted_from = 0;
  std::uint64_t switches_before = 0;
  double processor_before = 0.0;
  std::uint64_t seen = 0;
  std::uint64_t now = clock_ns();
  while (!stop.stop_requested()) {
    if (counted_from == 0 && now >= warm_until && seen >= least_steps) {
      counted_from = now;
      processor_before = process_time_s(switches_before);
    }
    const std::uint64_t asked = now;
    Passage passage;
    if (!queue.take(passage)) break;
    const std::uint64_t got = clock_ns();
    consumer.pass(got, point.step_s);
    now = clock_ns();
    ++seen;
    if (counted_from == 0) continue;
    ++run.steps;
    run.wait_s += seconds_between(asked, got);
    attribute(passage, asked, got, run);
    run.overrun_s += seconds_between(got, now) - point.step_s;
    run.elapsed_s = seconds_between(counted_from, now);
    if (now - counted_from >= window_ns) break;
  }
  if (counted_from != 0) {
    std::uint64_t switches = 0;
    run.processor_s = process_time_s(switches) - processor_before;
    run.involuntary_switches = switches - switches_before;
  }
  return run;
}

}  // namespace

std::string sample_text(const LoopPoint& point) {
  if (point.sleep_s > 0.0) return fmt::format("{:g} ms, cv {:g}", 1e3 * point.sleep_s, point.sleep_cv);
  return fmt::format("{} KiB{}", point.block_bytes / 1024, point.jpeg ? " of JPEG" : "");
}

std::string point_text(const LoopPoint& point) {
  return fmt::format("{} worker{}, K {}, {}, {} x {}, load {:g}, {}", point.workers, point.workers == 1 ? "" : "s",
                     point.outstanding, point.in_order ? "in order" : "any order", point.batch, sample_text(point),
                     point.load, consumer_name(point.consumer));
}

LoopRun run_loop(const LoopPoint& point, const LoopData& data, LoopConsumer& consumer, const LoopLengths& lengths,
                 std::uint64_t seed, const std::stop_token& stop) {
  BatchQueue queue(point.workers, point.outstanding, point.in_order);
  std::mutex mutex;
  std::exception_ptr failure;
  LoopRun run;
  {
    std::vector<std::jthread> workers;
    for (std::uint32_t i = 0; i < point.workers; ++i)
      workers.emplace_back([&, i] {
        try {
          work(i, point, data, queue, seed);
        } catch (...) {
          const std::scoped_lock lock(mutex);
          if (!failure) failure = std::current_exception();
          queue.end();
        }
      });
    try {
      run = consume(point, consumer, queue, lengths, stop);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
    }
    queue.end();
  }
  if (failure) std::rethrow_exception(failure);
  return run;
}

}  // namespace headrace::models::verification
