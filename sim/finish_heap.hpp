// Jobs in service, the one that ends first on top. The jobs lie in the heap itself, since there are few and they are
// small.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace headrace::sim {

/// `Order::before(a, b)` is a strict total order.
template <class Job, class Order>
class FinishHeap {
 public:
  bool empty() const { return jobs_.empty(); }
  std::size_t size() const { return jobs_.size(); }
  auto begin() const { return jobs_.begin(); }
  auto end() const { return jobs_.end(); }
  const Job& top() const { return jobs_.front(); }

  /// Fetches what push() writes.
  void prefetch_end() const {
    // As numbers: there may be no jobs yet, and no room for any.
    const std::uintptr_t end = std::bit_cast<std::uintptr_t>(jobs_.data()) + jobs_.size() * sizeof(Job);
    __builtin_prefetch(std::bit_cast<const void*>(end), 1);
    __builtin_prefetch(std::bit_cast<const void*>(end + sizeof(Job)), 1);
  }
  void push(const Job& job) {
    jobs_.push_back(job);
    if (jobs_.size() == 1) return;
    std::push_heap(jobs_.begin(), jobs_.end(), later);
  }
  Job pop() {
    if (jobs_.size() > 1) std::pop_heap(jobs_.begin(), jobs_.end(), later);
    const Job job = jobs_.back();
    jobs_.pop_back();
    return job;
  }
  /// Takes out the first job that `matches`, in a time that grows with the number of jobs.
  template <class Matches>
  std::optional<Job> remove_if(Matches matches) {
    const auto found = std::find_if(jobs_.begin(), jobs_.end(), matches);
    if (found == jobs_.end()) return std::nullopt;
    const Job job = *found;
    *found = jobs_.back();
    jobs_.pop_back();
    std::make_heap(jobs_.begin(), jobs_.end(), later);
    return job;
  }

 private:
  static bool later(const Job& a, const Job& b) { return Order::before(b, a); }

  std::vector<Job> jobs_;
};

}  // namespace headrace::sim
