#include "models/task_pool.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <optional>

namespace headrace::models {

struct TaskPool::Arena {
  std::optional<tbb::global_control> more_threads;
  tbb::task_arena arena;
};

TaskPool::TaskPool(unsigned threads) : arena_(std::make_unique<Arena>()) {
  if (threads > 1) arena_->more_threads.emplace(tbb::global_control::max_allowed_parallelism, threads);
  arena_->arena.initialize(threads == 0 ? tbb::task_arena::automatic : static_cast<int>(threads));
}

TaskPool::~TaskPool() = default;

void TaskPool::run(std::size_t tasks, const std::function<void(std::size_t)>& task) {
  arena_->arena.execute([&] { tbb::parallel_for(std::size_t{0}, tasks, task); });
}

}  // namespace headrace::models
