// Independent tasks on as many threads as a user allows, up to a few for each core.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace headrace::models {

class TaskPool {
 public:
  /// 0 threads: all cores.
  explicit TaskPool(unsigned threads);
  ~TaskPool();

  /// Runs task(0) to task(tasks - 1); what a task throws is thrown here. They begin in this order: where the longest
  /// come first, no thread waits long for the last.
  void run(std::size_t tasks, const std::function<void(std::size_t)>& task);

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

}  // namespace headrace::models
