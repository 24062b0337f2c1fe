#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/twins/prefetch_queue.hpp"

namespace headrace::models::twins {
namespace {

/// Mixture of two exponentials with equal shares of the mean; one phase when cv is 1.
struct Phases {
  double share;  // of batches that are of phase 1
  double rate_1;
  double rate_2;
};

Phases balanced_means(double mean, double cv) {
  const double scv = cv * cv;
  const double share = 0.5 * (1.0 + std::sqrt((scv - 1.0) / (scv + 1.0)));
  return {share, 2.0 * share / mean, 2.0 * (1.0 - share) / mean};
}

/// States (ready, in_phase_1); the number of busy producers follows from `ready`.
class LumpedChain {
 public:
  LumpedChain(int workers, int slots, Phases phases) : workers_(workers), slots_(slots), phases_(phases) {
    for (int ready = 0; ready <= workers + slots; ++ready) {
      first_.push_back(states_);
      states_ += busy(ready) + 1;
    }
  }

  int states() const { return states_; }
  int busy(int ready) const { return std::min(workers_, workers_ + slots_ - ready); }
  int index(int ready, int in_phase_1) const { return first_[ready] + in_phase_1; }

  /// Calls f(to_ready, to_phase_1, rate) for each way in which a batch can complete.
  template <class F>
  void completions(int ready, int in_phase_1, const F& f) const {
    const int in_phase_2 = busy(ready) - in_phase_1;
    const bool restarts = busy(ready + 1) == busy(ready);
    for (const auto& [left, rate] :
         {std::pair{in_phase_1 - 1, in_phase_1 * phases_.rate_1}, std::pair{in_phase_1, in_phase_2 * phases_.rate_2}}) {
      if (rate <= 0.0) continue;
      if (!restarts) {
        f(ready + 1, left, rate);
        continue;
      }
      f(ready + 1, left + 1, rate * phases_.share);
      f(ready + 1, left, rate * (1.0 - phases_.share));
    }
  }

  /// v = v exp(Q t) by uniformization, which adds positive terms only.
  void advance(std::vector<double>& v, double time) const {
    const double rate = workers_ * std::max(phases_.rate_1, phases_.rate_2);
    std::vector<double> term = v;
    double weight = std::exp(-rate * time);
    double covered = weight;
    for (double& x : v) x *= weight;
    for (int k = 1; covered < 1.0 - 1e-15 && k < 100'000; ++k) {
      step(term, rate);
      weight *= rate * time / k;
      covered += weight;
      for (int i = 0; i < states_; ++i) v[i] += weight * term[i];
      if (k > rate * time && weight < 1e-18) break;
    }
  }

 private:
  void step(std::vector<double>& v, double rate) const {
    std::vector<double> next = v;
    for (int ready = 0; ready < workers_ + slots_; ++ready) {
      for (int one = 0; one <= busy(ready); ++one) {
        const int from = index(ready, one);
        if (v[from] == 0.0) continue;
        completions(ready, one, [&](int to_ready, int to_one, double r) {
          const double flow = v[from] * r / rate;
          next[index(to_ready, to_one)] += flow;
          next[from] -= flow;
        });
      }
    }
    v.swap(next);
  }

  int workers_;
  int slots_;
  Phases phases_;
  int states_ = 0;
  std::vector<int> first_;
};

/// What the GPU's taking of a batch does to the distribution at the end of a step, and the mean wait before it.
struct Taking {
  std::vector<double> law;
  double wait = 0.0;
  double empty = 0.0;
};

Taking take(const LumpedChain& chain, int levels, double share, const std::vector<double>& end) {
  Taking result{std::vector<double>(end.size(), 0.0)};
  for (int ready = 0; ready <= levels; ++ready) {
    for (int one = 0; one <= chain.busy(ready); ++one) {
      const double mass = end[chain.index(ready, one)];
      if (mass == 0.0) continue;
      if (ready == 0) {  // waits for the first completion, which goes straight to the GPU
        double rate = 0.0;
        chain.completions(0, one, [&](int, int, double r) { rate += r; });
        result.wait += mass / rate;
        result.empty += mass;
        // With no slot the level above has one producer fewer; the token given back starts it again.
        const bool idle_producer = chain.busy(1) < chain.busy(0);
        chain.completions(0, one, [&](int, int to_one, double r) {
          const double flow = mass * r / rate;
          if (!idle_producer) {
            result.law[chain.index(0, to_one)] += flow;
          } else {
            result.law[chain.index(0, to_one + 1)] += flow * share;
            result.law[chain.index(0, to_one)] += flow * (1.0 - share);
          }
        });
      } else if (chain.busy(ready - 1) > chain.busy(ready)) {
        result.law[chain.index(ready - 1, one + 1)] += mass * share;
        result.law[chain.index(ready - 1, one)] += mass * (1.0 - share);
      } else {
        result.law[chain.index(ready - 1, one)] += mass;
      }
    }
  }
  return result;
}

}  // namespace

PrefetchIdle prefetch_phase_type(int workers, double batch_mean_s, double batch_cv, double compute_s, int slots) {
  if (workers < 1 || slots < 0 || !(batch_mean_s > 0.0) || !(compute_s > 0.0)) {
    throw std::invalid_argument("a prefetch chain needs workers and positive times");
  }
  if (!(batch_cv >= 1.0)) throw std::invalid_argument("two exponential phases have a variation of at least 1");
  const Phases phases = balanced_means(batch_mean_s / compute_s, batch_cv);
  const LumpedChain chain(workers, slots, phases);
  const int n = chain.states();
  if (n > 3000) throw std::invalid_argument("a prefetch chain of over 3,000 states is too large to solve");
  Eigen::MatrixXd balance(n, n);  // transposed transition matrix minus the identity
  Eigen::VectorXd wait(n);
  Eigen::VectorXd empty(n);
  for (int from = 0; from < n; ++from) {
    std::vector<double> law(static_cast<std::size_t>(n), 0.0);
    law[from] = 1.0;
    chain.advance(law, 1.0);
    const Taking taken = take(chain, workers + slots, phases.share, law);
    for (int to = 0; to < n; ++to) balance(to, from) = taken.law[to] - (to == from ? 1.0 : 0.0);
    wait(from) = taken.wait;
    empty(from) = taken.empty;
  }
  balance.row(n - 1).setOnes();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
  right(n - 1) = 1.0;
  const Eigen::VectorXd pi = balance.partialPivLu().solve(right);
  const double mean_wait = pi.dot(wait);
  return {mean_wait / (1.0 + mean_wait), pi.dot(empty)};
}

}  // namespace headrace::models::twins
