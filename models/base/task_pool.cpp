#include "models/base/task_pool.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

namespace headrace::models {

struct TaskPool::Arena {
  std::optional<tbb::global_control> more_threads;
  tbb::task_arena arena;
};

namespace {

/// More threads than a few for each core gain nothing, and a machine may refuse to start them.
unsigned bounded(unsigned threads) {
  constexpr unsigned kPerCore = 4;
  constexpr unsigned kAlways = 8;
  return std::min(threads, std::max(kAlways, kPerCore * std::thread::hardware_concurrency()));
}

}  // namespace

TaskPool::TaskPool(unsigned wanted) : arena_(std::make_unique<Arena>()) {
  const unsigned threads = bounded(wanted);
  if (threads > 1) arena_->more_threads.emplace(tbb::global_control::max_allowed_parallelism, threads);
  arena_->arena.initialize(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads));
}

TaskPool::~TaskPool() = default;

void TaskPool::run(std::size_t tasks, const std::function<void(std::size_t)>& task) {
  // What the caller wrote is there when a task begins, and what the tasks wrote when the call returns. The library sees
  // to that out of a thread sanitizer's sight; these two say it in its sight.
  std::atomic<bool> begun{false};
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  begun.store(true, std::memory_order_release);
  const auto one = [&](std::size_t) {
    static_cast<void>(begun.load(std::memory_order_acquire));
    task(next.fetch_add(1, std::memory_order_relaxed));
    done.fetch_add(1, std::memory_order_release);
  };
  arena_->arena.execute([&] { tbb::parallel_for(std::size_t{0}, tasks, one); });
  static_cast<void>(done.load(std::memory_order_acquire));
}

}  // namespace headrace::models
