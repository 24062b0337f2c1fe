#include "models/engine/list_herd.hpp"

#include <algorithm>
#include <vector>

#include "models/base/purposes.hpp"
#include "models/twins/request_limits.hpp"
#include "sim/calendar.hpp"
#include "sim/time.hpp"

namespace headrace::models {

namespace {

constexpr std::uint64_t kPaceAttempts = 1'000'000;

/// A bucket of tokens, counted in billionths from instant to instant, whose rate doubles at each multiple of
/// `split_ns`.
class SplittingBucket {
 public:
  SplittingBucket(double tokens_per_s, double burst_s, sim::TimeNs split_ns)
      : rate_(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(tokens_per_s))),
        burst_s_(burst_s),
        split_ns_(split_ns),
        next_split_ns_(split_ns > 0 ? split_ns : sim::kNever),
        level_(depth()) {}

  bool take(sim::TimeNs now) {
    while (now >= next_split_ns_) {
      fill(next_split_ns_);
      if (rate_ < kMostTokensPerS) rate_ *= 2;
      next_split_ns_ += split_ns_;
    }
    fill(now);
    if (level_ < kToken) return false;
    level_ -= kToken;
    return true;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr Wide kToken = 1'000'000'000;  // a rate per second times nanoseconds
  static constexpr std::uint64_t kMostTokensPerS = 1ULL << 40;

  Wide depth() const {
    const auto tokens = static_cast<std::uint64_t>(static_cast<double>(rate_) * burst_s_);
    return Wide{std::max<std::uint64_t>(1, tokens)} * kToken;
  }
  void fill(sim::TimeNs now) {
    level_ = std::min(depth(), level_ + Wide{rate_} * static_cast<std::uint64_t>(now - filled_ns_));
    filled_ns_ = now;
  }

  std::uint64_t rate_;
  double burst_s_;
  sim::TimeNs split_ns_;
  sim::TimeNs next_split_ns_;
  sim::TimeNs filled_ns_ = 0;
  Wide level_;
};

class HerdRun {
 public:
  HerdRun(const ListHerd& herd, SplittingBucket bucket, std::uint64_t seed)
      : herd_(herd),
        bucket_(bucket),
        seed_(seed),
        clients_(herd.clients),
        round_trip_ns_(sim::duration_ns(herd.round_trip_s)) {
    for (std::uint32_t c = 0; c < herd.clients; ++c) schedule(0, c);
  }

  /// Runs for so many attempts, or so long, or until nobody asks any more.
  void advance(std::uint64_t attempts, sim::TimeNs duration_ns) {
    const sim::TimeNs until_ns = calendar_.now() + duration_ns;
    for (const std::uint64_t end = attempts_ + attempts; attempts_ < end && calendar_.now() < until_ns;) {
      bool from_lane = false;
      sim::Action action = calendar_.pop_current(from_lane);
      if (action.run == nullptr) action = calendar_.pop_next(sim::kNever - 1);
      if (action.run == nullptr) return;
      attempt(static_cast<std::uint32_t>(action.argument));
    }
  }

  double now_s() const { return sim::seconds(calendar_.now()); }
  double end_s() const { return sim::seconds(end_ns_); }
  double pages() const { return static_cast<double>(pages_); }
  double throttled() const { return static_cast<double>(attempts_ - pages_); }

 private:
  struct Client {
    std::uint64_t pages = 0;
    std::uint32_t waits = 0;  ///< draws made so far
    std::uint32_t in_row = 0;
  };

  void schedule(sim::TimeNs at, std::uint32_t client) {
    calendar_.schedule(at, {[](void*, std::uint64_t) {}, this, client});
  }

  void attempt(std::uint32_t number) {
    Client& client = clients_[number];
    ++attempts_;
    if (!bucket_.take(calendar_.now())) return schedule(calendar_.now() + backoff_ns(number, client), number);
    ++pages_;
    client.in_row = 0;
    const sim::TimeNs answered = calendar_.now() + round_trip_ns_;
    if (static_cast<double>(++client.pages) < herd_.pages_per_client)
      schedule(answered, number);
    else
      end_ns_ = std::max(end_ns_, answered);
  }

  sim::TimeNs backoff_ns(std::uint32_t number, Client& client) {
    const RequestLimit& limit = herd_.limit;
    double mean_s = limit.first_backoff_s;
    for (std::uint32_t i = 0; i < client.in_row && mean_s < limit.longest_backoff_s; ++i)
      mean_s *= limit.backoff_factor;
    ++client.in_row;
    const double u = sim::uniform({seed_, 0, kDrawListBackoff, number}, client.waits++);
    return std::max<sim::TimeNs>(1, sim::duration_ns(2.0 * std::min(mean_s, limit.longest_backoff_s) * u));
  }

  const ListHerd& herd_;
  SplittingBucket bucket_;
  std::uint64_t seed_;
  std::vector<Client> clients_;
  sim::TimeNs round_trip_ns_;
  sim::Calendar calendar_;
  sim::TimeNs end_ns_ = 0;
  std::uint64_t attempts_ = 0;
  std::uint64_t pages_ = 0;
};

HerdAnswer simulate_all(const ListHerd& herd, double tokens_per_s, std::uint64_t seed) {
  HerdRun run(herd, SplittingBucket(tokens_per_s, herd.limit.burst_s, sim::duration_ns(herd.limit.split_s)), seed);
  run.advance(UINT64_MAX / 2, sim::kNever);
  return {run.end_s(), run.throttled()};
}

struct Pace {
  double pages_per_s = 0.0;
  double throttled_per_page = 0.0;
};

/// In the long run, against a bucket of a fixed rate.
Pace pace_of(const ListHerd& herd, double tokens_per_s, std::uint64_t seed) {
  const double free_pages_per_s = herd.clients / herd.round_trip_s;
  if (tokens_per_s >= free_pages_per_s) return {free_pages_per_s, 0.0};
  ListHerd endless = herd;
  endless.pages_per_client = 1e18;
  HerdRun run(endless, SplittingBucket(tokens_per_s, herd.limit.burst_s, 0), seed);
  // Some clients sleep through long back-offs while others ask on: several of these must pass.
  const sim::TimeNs window_ns = sim::duration_ns(5.0 * std::max(herd.limit.longest_backoff_s, herd.round_trip_s));
  run.advance(kPaceAttempts, window_ns);
  const double from_s = run.now_s();
  const double from_pages = run.pages();
  const double from_throttled = run.throttled();
  run.advance(kPaceAttempts, window_ns);
  const double pages = std::max(1.0, run.pages() - from_pages);
  return {pages / (run.now_s() - from_s), (run.throttled() - from_throttled) / pages};
}

HerdAnswer simulate_paces(const ListHerd& herd, double tokens_per_s, std::uint64_t seed) {
  const double split_s = herd.limit.split_s;
  double left = herd.pages_per_client * herd.clients;
  HerdAnswer answer;
  for (;;) {
    const Pace pace = pace_of(herd, tokens_per_s, seed);
    const bool last = !(split_s > 0.0) || left <= pace.pages_per_s * split_s || pace.throttled_per_page == 0.0;
    const double pages = last ? left : pace.pages_per_s * split_s;
    answer.time_s += pages / pace.pages_per_s;
    answer.throttled += pages * pace.throttled_per_page;
    if (last) return answer;
    left -= pages;
    tokens_per_s *= 2.0;
  }
}

}  // namespace

HerdAnswer simulate_list_herd(const ListHerd& herd, std::uint64_t seed) {
  const std::optional<double> tokens_per_s = herd.limit.requests_per_s();
  if (!tokens_per_s) return {herd.pages_per_client * herd.round_trip_s, 0.0};
  return herd.pages_per_client * herd.clients <= kWholePages ? simulate_all(herd, *tokens_per_s, seed)
                                                             : simulate_paces(herd, *tokens_per_s, seed);
}

double list_herd_bound_s(const ListHerd& herd) {
  const double alone_s = herd.pages_per_client * herd.round_trip_s;
  const std::optional<double> tokens_per_s = herd.limit.requests_per_s();
  if (!tokens_per_s) return alone_s;
  const double pages = herd.pages_per_client * herd.clients;
  return std::max(alone_s, twins::splitting_bucket_drain_s(pages, *tokens_per_s * herd.limit.burst_s, *tokens_per_s,
                                                           herd.limit.split_s));
}

}  // namespace headrace::models
