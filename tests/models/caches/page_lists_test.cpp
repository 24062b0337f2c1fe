#include "models/caches/page_lists.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

#include "models/caches/cache_policy.hpp"
#include "models/caches/page_list_law.hpp"
#include "sim/random_stream.hpp"
#include "tests/catch.hpp"

using namespace headrace::models;
using headrace::sim::Purpose;
using headrace::sim::uniform_bits;

namespace {

constexpr Purpose kReads{3991};

/// The same rules the plain way: deques that are searched from one end to the other.
class PlainLists {
 public:
  PlainLists(std::size_t capacity, std::size_t ratio) : capacity_(capacity), ratio_(ratio) {}

  bool access(std::uint32_t item) {
    if (erase(active_, item)) {
      // Reading does not move a page on the active list.
      active_.insert(active_.begin() + static_cast<std::ptrdiff_t>(place_), item);
      referenced_[item] = true;
      return true;
    }
    if (erase(inactive_, item)) {
      if (referenced_[item]) {
        active_.push_front(item);
        referenced_[item] = false;
        ++time_;
      } else {
        inactive_.insert(inactive_.begin() + static_cast<std::ptrdiff_t>(place_), item);
        referenced_[item] = true;
      }
      return true;
    }
    const bool soon = left_at_.count(item) > 0 && time_ - left_at_[item] <= active_.size();
    if (active_.size() + inactive_.size() >= capacity_) make_room();
    (soon ? active_ : inactive_).push_front(item);
    referenced_[item] = true;
    time_ += soon ? 1 : 0;
    came_back_ = came_back_ || soon;
    return false;
  }

 private:
  bool erase(std::deque<std::uint32_t>& list, std::uint32_t item) {
    const auto found = std::find(list.begin(), list.end(), item);
    if (found == list.end()) return false;
    place_ = static_cast<std::size_t>(found - list.begin());
    list.erase(found);
    return true;
  }
  void deactivate() {
    inactive_.push_front(active_.back());
    active_.pop_back();
  }
  void make_room() {
    const bool shrink = came_back_ || active_.size() > ratio_ * inactive_.size();
    came_back_ = false;
    if (inactive_.empty()) deactivate();
    left_at_[inactive_.back()] = time_++;
    inactive_.pop_back();
    if (shrink && !active_.empty()) deactivate();
  }

  std::size_t capacity_;
  std::size_t ratio_;
  std::size_t place_ = 0;
  std::uint64_t time_ = 0;
  bool came_back_ = false;
  std::deque<std::uint32_t> active_;
  std::deque<std::uint32_t> inactive_;
  std::map<std::uint32_t, std::uint64_t> left_at_;
  std::map<std::uint32_t, bool> referenced_;
};

double mean(const PageListLaw& law) {
  const auto hits = page_list_hits(law);
  return std::accumulate(hits.begin(), hits.end(), 0.0) / static_cast<double>(hits.size());
}

constexpr std::uint64_t kLong = 1000;

}  // namespace

TEST_CASE("the two lists hit as lists kept the plain way do") {
  const std::uint32_t capacity = GENERATE(1U, 2U, 20U, 65U, 99U, 100U);
  const std::uint32_t ratio = GENERATE(1U, 3U, 64U);
  PageLists lists(100, capacity, ratio);
  PlainLists plain(capacity, ratio);
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    // A few pages are hot, so that all ways between the lists are gone.
    const std::uint64_t bits = uniform_bits({1, 0, kReads, capacity}, i);
    const auto item = static_cast<std::uint32_t>(bits % 4 == 0 ? (bits >> 8) % 10 : (bits >> 8) % 100);
    const bool hit = lists.access(item);
    REQUIRE(hit == plain.access(item));
    REQUIRE(lists.size() <= capacity);
    hits += hit ? 1 : 0;
  }
  CHECK(hits > 0);
}

TEST_CASE("a scan that is longer than a cold page cache finds nothing, as under strict lru") {
  PageLists lists(1000, 650, 64);
  for (int epoch = 0; epoch < 10; ++epoch)
    for (std::uint32_t item = 0; item < 1000; ++item) REQUIRE_FALSE(lists.access(item));
  CHECK(lists.size() == 650);
  CHECK(lists.active() == 0);
  CHECK(mean({0.65, 64, 1.0, 0, kLong, true}) == 0.0);
}

TEST_CASE("a page that is read again goes to the active list") {
  PageLists lists(10, 5, 1);
  CHECK_FALSE(lists.access(0));
  CHECK(lists.active() == 0);
  CHECK(lists.access(0));
  CHECK(lists.active() == 1);
  PageLists none(10, 0, 1);
  CHECK_FALSE(none.access(0));
  CHECK_FALSE(none.access(0));
}

TEST_CASE("the active list may grow with the square root of the memory") {
  CHECK(inactive_ratio(0.5e9) == 1);
  CHECK(inactive_ratio(1.0 * (1 << 30)) == 3);
  CHECK(inactive_ratio(100.0 * (1 << 30)) == 31);
  CHECK(inactive_ratio(1024.0 * (1 << 30)) == 101);
}

TEST_CASE("what the page cache of Linux hits lies between strict lru and what it holds") {
  const double c = GENERATE(0.2, 0.5, 0.8);
  const std::uint32_t ratio = GENERATE(1U, 10U, 64U);
  const double strict = c + (1.0 - c) * std::log(1.0 - c);
  const double hits = mean({c, ratio, 1.0, 0, kLong, false});
  CHECK(hits > strict);
  CHECK(hits < c);
  // One epoch before: nothing was read twice, so that it is strict lru. 2,048 reads: a standard error of 0.01 at most.
  CHECK(mean({c, ratio, 1.0, 0, 1, false}) == Approx(strict).margin(0.03));
}

TEST_CASE("the page cache holds what fits, and nothing before the first epoch") {
  CHECK(mean({1.0, 10, 1.0, 0, 1, false}) == 1.0);
  CHECK(mean({1.0, 10, 1.0, 0, kLong, true}) == 1.0);
  CHECK(page_list_hit_ratio_at({0.5, 10, 1.0, 0, 0, false}, 0.5) == 0.0);
  CHECK(page_list_hit_ratio_at({0.0, 10, 1.0, 0, kLong, false}, 0.5) == 0.0);
  // Four nodes that keep to their parts of the corpus.
  CHECK(page_list_hit_ratio_at({0.25, 10, 4.0, 0, kLong, true}, 0.5) == 1.0);
}

TEST_CASE("with many nodes the order in which pages leave no longer matters") {
  const double at_16 = mean({0.5, 10, 16.0, 0, kLong, false});
  CHECK(at_16 == Approx(0.5).margin(0.03));
  double beyond = 0.0;
  for (int i = 0; i < 8; ++i) beyond += page_list_hit_ratio_at({0.5, 10, 17.0, 0, kLong, false}, (i + 0.5) / 8) / 8;
  CHECK(beyond == Approx(at_16).margin(0.02));
}
