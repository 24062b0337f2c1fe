// A page has one thread: tasks run one after the other.
#include "models/base/task_pool.hpp"

namespace headrace::models {

struct TaskPool::Arena {};

TaskPool::TaskPool(unsigned /*threads*/) {}

TaskPool::~TaskPool() = default;

void TaskPool::run(std::size_t tasks, const std::function<void(std::size_t)>& task) {
  for (std::size_t i = 0; i < tasks; ++i) task(i);
}

}  // namespace headrace::models
