// A buffer that fluid enters at a rate that changes now and then, and leaves at one rate while there is some: exact
// sums over time, piece by piece.
#pragma once

#include <algorithm>

#include "sim/assert.hpp"

namespace headrace::sim {

class FluidBuffer {
 public:
  /// `capacity` > 0, `drain_rate` > 0, in one unit of fluid.
  FluidBuffer(double capacity, double drain_rate) : capacity_(capacity), drain_(drain_rate) {
    HEADRACE_ASSERT(capacity > 0.0 && drain_rate > 0.0, "a fluid buffer needs a capacity and a drain");
  }

  /// Fluid comes at `rate` for so long; what does not fit is lost.
  void fill(double rate, double duration_s) {
    const double net = rate - drain_;
    if (net > 0.0) {
      const double rising_s = std::min(duration_s, (capacity_ - content_) / net);
      move(rising_s, net, drain_);
      stay(duration_s - rising_s, capacity_, drain_, full_s_);
      lost_ += net * (duration_s - rising_s);
    } else if (net < 0.0) {
      const double falling_s = std::min(duration_s, content_ / -net);
      move(falling_s, net, drain_);
      stay(duration_s - falling_s, 0.0, rate, empty_s_);
    } else {
      move(duration_s, 0.0, drain_);
    }
  }

  /// An amount of fluid comes at `rate` > 0, and as fast as the drain while the buffer is full: it takes longer.
  void push(double rate, double amount) {
    const double net = rate - drain_;
    if (net <= 0.0) return fill(rate, amount / rate);
    const double rising_s = std::min(amount / rate, (capacity_ - content_) / net);
    move(rising_s, net, drain_);
    stay((amount - rate * rising_s) / drain_, capacity_, drain_, full_s_);
  }

  double content() const { return content_; }
  double elapsed_s() const { return elapsed_s_; }
  double empty_s() const { return empty_s_; }
  double full_s() const { return full_s_; }
  /// Integral of the content over time.
  double content_s() const { return content_s_; }
  double passed() const { return passed_; }
  double lost() const { return lost_; }

 private:
  void move(double duration_s, double net, double out_rate) {
    content_s_ += duration_s * (content_ + 0.5 * net * duration_s);
    content_ = std::clamp(content_ + net * duration_s, 0.0, capacity_);
    passed_ += out_rate * duration_s;
    elapsed_s_ += duration_s;
  }
  void stay(double duration_s, double content, double out_rate, double& counted_s) {
    if (!(duration_s > 0.0)) return;
    content_ = content;
    content_s_ += duration_s * content;
    passed_ += out_rate * duration_s;
    elapsed_s_ += duration_s;
    counted_s += duration_s;
  }

  double capacity_;
  double drain_;
  double content_ = 0.0;
  double elapsed_s_ = 0.0;
  double empty_s_ = 0.0;
  double full_s_ = 0.0;
  double content_s_ = 0.0;
  double passed_ = 0.0;
  double lost_ = 0.0;
};

}  // namespace headrace::sim
