// Tasks that threads share.
#include "models/base/task_pool.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <vector>

#include "tests/catch.hpp"

using headrace::models::TaskPool;

TEST_CASE("tasks begin in their order, each once") {
  for (const unsigned threads : {1U, 4U}) {
    TaskPool pool(threads);
    std::mutex mutex;
    std::vector<std::size_t> begun;
    pool.run(200, [&](std::size_t task) {
      const std::scoped_lock lock(mutex);
      begun.push_back(task);
    });
    REQUIRE(begun.size() == 200);
    // A thread may be late by what the others took meanwhile.
    if (threads == 1) CHECK(std::is_sorted(begun.begin(), begun.end()));
    std::sort(begun.begin(), begun.end());
    std::vector<std::size_t> all(200);
    std::iota(all.begin(), all.end(), std::size_t{0});
    CHECK(begun == all);
  }
}

TEST_CASE("a task may share out tasks of its own") {
  TaskPool pool(2);
  std::atomic<int> done{0};
  pool.run(2, [&](std::size_t task) {
    if (task == 1) return;
    for (int round = 0; round < 3; ++round) pool.run(10, [&](std::size_t) { ++done; });
  });
  CHECK(done == 30);
}

TEST_CASE("what a task throws reaches the caller") {
  TaskPool pool(2);
  CHECK_THROWS_AS(pool.run(8,
                           [](std::size_t task) {
                             if (task == 3) throw 3;
                           }),
                  int);
}
