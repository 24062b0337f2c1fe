#include "tests/validation/plain_simulator/fluid.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace headrace::plain {

std::size_t Fluid::add_capacity(double per_s) {
  capacities_.push_back(per_s);
  return capacities_.size() - 1;
}

void Fluid::start(double amount, double most_per_s, std::vector<Use> uses, std::function<void()> done) {
  flows_.push_back({amount, most_per_s, std::move(uses), std::move(done)});
  is_shared_ = false;
}

double Fluid::until_end_s() {
  if (!is_shared_) share();
  double least_s = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const double end_s = flows_[i].left / flows_[i].per_s;
    if (end_s >= least_s) continue;
    least_s = end_s;
    first_ = i;
  }
  return least_s;
}

void Fluid::advance(double elapsed_s) {
  for (Flow& flow : flows_) flow.left = std::max(0.0, flow.left - flow.per_s * elapsed_s);
}

std::function<void()> Fluid::end_first() {
  std::function<void()> done = std::move(flows_[first_].done);
  flows_.erase(flows_.begin() + static_cast<std::ptrdiff_t>(first_));
  is_shared_ = false;
  return done;
}

void Fluid::share() {
  free_ = capacities_;
  rising_.assign(capacities_.size(), 0.0);
  for (Flow& flow : flows_) {
    flow.fixed = false;
    for (const Use& use : flow.uses) rising_[use.capacity] += use.cost;
  }
  const auto rises = [](const Flow& flow) { return !flow.fixed; };
  while (std::any_of(flows_.begin(), flows_.end(), rises)) fix_at(level_of_fullest());
  is_shared_ = true;
}

/// The rate at which the first of the rising flows has all it can take, or the first capacity is used up.
double Fluid::level_of_fullest() const {
  double level = std::numeric_limits<double>::infinity();
  for (const Flow& flow : flows_) {
    if (flow.fixed) continue;
    level = std::min(level, flow.most_per_s);
    for (const Use& use : flow.uses) level = std::min(level, free_[use.capacity] / rising_[use.capacity]);
  }
  return level;
}

/// All flows that cannot rise beyond the level. Those of a full capacity are found before any of them is taken out.
void Fluid::fix_at(double level) {
  constexpr double kRounding = 1.0 + 1e-12;
  std::vector<Flow*> full;
  for (Flow& flow : flows_) {
    if (flow.fixed) continue;
    bool ends = flow.most_per_s <= level * kRounding;
    for (const Use& use : flow.uses) ends = ends || free_[use.capacity] <= level * rising_[use.capacity] * kRounding;
    if (ends) full.push_back(&flow);
  }
  for (Flow* flow : full) {
    flow->fixed = true;
    flow->per_s = level;
    for (const Use& use : flow->uses) {
      free_[use.capacity] = std::max(0.0, free_[use.capacity] - level * use.cost);
      rising_[use.capacity] -= use.cost;
    }
  }
}

}  // namespace headrace::plain
