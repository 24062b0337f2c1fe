// What a service station measures about itself. Counts and times are integers, so that Little's law, the integral of
// the number present equals the time that jobs spent there, can be checked exactly.
#pragma once

#include <cstdint>

#include "sim/time.hpp"

namespace headrace::sim {

/// Over the time since the start or the last reset.
struct StationStatistics {
  std::uint64_t arrivals = 0;
  std::uint64_t completions = 0;
  std::uint64_t withdrawals = 0;  ///< Jobs that were interrupted or destroyed.
  TimeNs elapsed_ns = 0;
  double busy_server_s = 0;          ///< Time integral of the number of busy servers.
  double utilization = 0;            ///< Busy part of all servers, 0 to 1.
  double mean_in_system = 0;         ///< Time average.
  double mean_in_queue = 0;          ///< Time average; 0 for stations without a queue.
  double mean_wait_s = 0;            ///< Queueing time over jobs that have begun service.
  double mean_sojourn_s = 0;         ///< Queueing and service over completed jobs.
  std::uint64_t largest_number = 0;  ///< In the system.
};

/// Keeps the number of jobs present against the time that they spent, both exactly.
class Occupancy {
 public:
  __extension__ using Wide = __int128;

  explicit Occupancy(TimeNs now) : since_(now), last_(now) {}

  void arrive(TimeNs now) {
    advance(now);
    ++present_;
    if (present_ > largest_) largest_ = present_;
    present_arrivals_ += now;
  }
  /// `arrived` is the time that was given to arrive().
  void depart(TimeNs now, TimeNs arrived) {
    advance(now);
    --present_;
    const TimeNs counted_from = arrived > since_ ? arrived : since_;
    present_arrivals_ -= counted_from;
    departed_time_ += now - counted_from;
  }
  /// Starts the counts again; jobs present count from now on.
  void reset(TimeNs now) {
    since_ = last_ = now;
    area_ = departed_time_ = 0;
    present_arrivals_ = Wide{now} * static_cast<Wide>(present_);
    largest_ = present_;
  }
  /// Little's law at this very moment; throws InternalError if it is broken.
  void check(TimeNs now, const char* text) const;

  std::uint64_t present() const { return present_; }
  std::uint64_t largest() const { return largest_; }
  TimeNs since() const { return since_; }
  /// Integral of the number present, in nanoseconds.
  Wide area(TimeNs now) const { return area_ + Wide{now - last_} * static_cast<Wide>(present_); }
  /// Time average of the number present.
  double mean(TimeNs now) const {
    return now > since_ ? static_cast<double>(area(now)) / static_cast<double>(now - since_) : 0.0;
  }

 private:
  void advance(TimeNs now) {
    area_ = area(now);
    last_ = now;
  }

  Wide area_ = 0;
  Wide departed_time_ = 0;
  Wide present_arrivals_ = 0;  // sum over jobs present of the time from which they count
  std::uint64_t present_ = 0;
  std::uint64_t largest_ = 0;
  TimeNs since_;
  TimeNs last_;
};

}  // namespace headrace::sim
