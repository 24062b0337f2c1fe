#include "models/calibration/s3_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "models/calibration/concurrency_fit.hpp"
#include "models/calibration/host_clock.hpp"
#include "models/calibration/latency_fit.hpp"
#include "models/calibration/parameters.hpp"
#include "models/calibration/preflight.hpp"
#include "models/calibration/sizes.hpp"

namespace headrace::models::calibration {
namespace {

/// What a budget comes to.
struct S3Budget {
  unsigned rounds;
  unsigned connections;
  std::size_t objects;
  bool large_reads;
  double most_s;
};

S3Budget budget_of(const std::string& name) {
  if (name == "quick") return {4, 16, 4, false, 60.0};
  if (name == "normal") return {5, 64, 8, true, 360.0};
  return {12, 128, 16, true, 1800.0};
}

/// 1, 4, 16, ... and the largest.
std::vector<unsigned> connection_counts(unsigned most) {
  std::vector<unsigned> counts;
  for (unsigned n = 1; n < most; n *= 4) counts.push_back(n);
  counts.push_back(most);
  return counts;
}

std::vector<S3Arm> arms_of(const S3Budget& budget, unsigned connections) {
  std::vector<S3Arm> arms;
  arms.push_back({S3Kind::first_byte, 64 * kKi, 1, 16});
  arms.push_back({S3Kind::body, 8 * kMi, 1, 2});
  arms.push_back({S3Kind::list, 0, 1, 4});
  for (const unsigned n : connection_counts(connections)) {
    arms.push_back({S3Kind::get, 64 * kKi, n, 8 * n});
    arms.push_back({S3Kind::get, kMi, n, 4 * n});
    if (budget.large_reads) arms.push_back({S3Kind::get, 8 * kMi, n, 2 * n});
  }
  return arms;
}

/// One run against a store.
class S3Run {
 public:
  S3Run(const S3Request& request, const S3Connect& connect, const std::stop_token& stop,
        const std::function<void(const CalibrationProgress&)>& tell)
      : request_(request),
        plan_(plan_s3(request)),
        stop_(stop),
        tell_(tell),
        begin_ns_(clock_ns()),
        session_(request.target, connect, stop, request.seed) {}

  Calibration run();

 private:
  void measure();
  void write_objects();
  void read_objects();
  void fit(const std::vector<MeasuredArm>& arms);
  void tell_about_requests();
  void delete_objects();
  RoundContext context(double from, double to);
  void downgrade(const char* field, std::string value, std::string reason) {
    record_.downgrades.push_back({field, std::move(value), std::move(reason)});
  }

  const S3Request& request_;
  S3Plan plan_;
  std::stop_token stop_;
  const std::function<void(const CalibrationProgress&)>& tell_;
  std::uint64_t begin_ns_;
  S3Session session_;
  Calibration record_;
  std::string phase_;
};

RoundContext S3Run::context(double from, double to) {
  RoundContext context;
  context.places = request_.places;
  context.seed = request_.seed;
  context.begin_ns = begin_ns_;
  context.deadline_ns = begin_ns_ + static_cast<std::uint64_t>(1e9 * plan_.most_s);
  context.stop = stop_;
  context.tell = [this, from, to, begin = clock_ns()](double) {
    if (!tell_) return;
    const double used_s = seconds_between(begin_ns_, clock_ns());
    const double share = std::min(1.0, seconds_between(begin, clock_ns()) / std::max(plan_.most_s, 1e-9));
    tell_({phase_, from + (to - from) * share, std::max(0.0, plan_.most_s - used_s)});
  };
  return context;
}

/// The record's head, as that of a folder, with a store in its place.
Calibration head_of(const S3Request& request, double planned_s) {
  Calibration record;
  record.tool_version = request.tool_version;
  record.date = request.date;
  record.seed = request.seed;
  record.path = request.target.place();
  record.engine = "libcurl";
  record.budget.name = request.budget;
  record.budget.planned_s = planned_s;
  record.host = host_facts(request.places);
  record.host.push_back({"s3_region", request.target.region});
  return record;
}

void S3Run::write_objects() {
  phase_ = "put";
  RoundRule rule;
  rule.least_rounds = rule.most_rounds = plan_.objects.count;
  rule.budget_s = plan_.most_s;
  rule.estimate.accept_noisy = request_.accept_noisy;
  rule.estimate.good_half_width = 0.0;  // as many windows as there are objects to write
  std::vector<MeasuredArm> written =
      run_rounds({s3_put_arm(session_, plan_.objects.bytes, request_.seed, stop_)}, rule, context(0.0, 0.3));
  if (!written.front().cell.windows.empty()) record_.cells.push_back(std::move(written.front().cell));
  if (stop_.stop_requested()) return;
  if (session_.object_count() == 0)
    throw CalibrationError(fmt::format("'{}': no object was written in time", request_.target.place()),
                           "the connection to the store is too slow: use a larger --budget");
  plan_.objects.count = session_.object_count();
}

void S3Run::read_objects() {
  phase_ = "read";
  RoundRule rule;
  rule.least_rounds = 3;
  rule.most_rounds = plan_.rounds;
  rule.budget_s = plan_.most_s;
  rule.estimate.accept_noisy = request_.accept_noisy;
  std::vector<Arm> arms;
  std::uint64_t keys = 0;
  for (const S3Arm& arm : plan_.arms)
    arms.push_back(arm.kind == S3Kind::list ? s3_list_arm(session_, arm, keys, stop_)
                                            : s3_read_arm(session_, arm, plan_.objects, stop_));
  std::vector<MeasuredArm> measured = run_rounds(std::move(arms), rule, context(0.3, 1.0));
  const std::size_t all = measured.size();
  std::erase_if(measured, [](const MeasuredArm& arm) { return arm.cell.windows.empty(); });
  if (measured.size() < all && !stop_.stop_requested())
    downgrade("budget", fmt::format("{} of {} s3 cells", measured.size(), all),
              "the store was too slow to measure all of them in time");
  for (MeasuredArm& arm : measured) {
    Cell& cell = arm.cell;
    // Time that is no part of these latencies is not the loop's own.
    if (cell.detail != "get") {
      cell.client_s.reset();
      std::erase(cell.flags, "client_bound");
    }
    if (cell.detail == "list" && keys < 1000) cell.flags.emplace_back("short_page");
  }
  record_.host.push_back({"s3_keys_in_page", fmt::format("{}", keys)});
  fit(measured);
  for (MeasuredArm& arm : measured) record_.cells.push_back(std::move(arm.cell));
}

/// The law of the first byte, and rates over connections.
void S3Run::fit(const std::vector<MeasuredArm>& arms) {
  std::map<double, std::vector<Throughput>> curves;  // by size
  for (const MeasuredArm& arm : arms) {
    const Cell& cell = arm.cell;
    if (cell.estimate.verdict == Verdict::undetermined) continue;
    if (cell.detail == "first byte")
      for (Fit& law : fit_latency(arm.odd, arm.even, cell.lag1.value_or(0.0), "s3: first byte"))
        record_.fits.push_back(std::move(law));
    if (cell.detail != "get") continue;
    const bool all = cell.estimate.clean_windows < 3;
    for (const Window& window : cell.windows)
      if (window.clean || all) curves[cell.block_bytes].push_back({static_cast<double>(cell.depth), window.rate_per_s});
  }
  for (const auto& [bytes, points] : curves)
    for (Fit& law : fit_throughput(points, fmt::format("s3 get {:g} KiB: rate over connections", bytes / 1024.0)))
      record_.fits.push_back(std::move(law));
}

void S3Run::tell_about_requests() {
  const S3Counts counts = session_.counts();
  record_.host.push_back(
      {"s3_requests", fmt::format("{} GET, {} PUT, {} LIST", counts.gets, counts.puts, counts.lists)});
  record_.host.push_back({"s3_bytes", fmt::format("{:.1f} MiB down, {:.1f} MiB up", counts.down_bytes / 1048576.0,
                                                  counts.up_bytes / 1048576.0)});
  if (const auto usd = s3_usd(counts, request_.prices))
    record_.host.push_back({"s3_price", fmt::format("{:.4f} USD", *usd)});
  if (session_.slow_downs() > 0)
    downgrade("s3_slow_down", fmt::format("{}", session_.slow_downs()),
              "number of 503 answers (slow down); rates include the back-off after them");
  if (session_.broken() > 0)
    downgrade("s3_broken", fmt::format("{}", session_.broken()),
              "so many connections broke; the requests were sent again");
}

void S3Run::delete_objects() {
  phase_ = "delete";
  const std::string folder = session_.folder();
  std::size_t left = 0;
  std::string why = "the store did not delete them";
  try {
    left = session_.remove_all();
  } catch (const S3Broken& broken) {
    left = session_.object_count();
    why = broken.what;
  }
  if (left > 0) downgrade("s3_objects_left", fmt::format("{}", left), fmt::format("below {}: {}", folder, why));
}

void S3Run::measure() {
  const S3Session::Answered first = session_.list(0, 1);  // are keys, bucket and host right?
  if (stop_.stop_requested() || first.answer.status == 0) return;
  write_objects();
  if (!stop_.stop_requested()) read_objects();
}

Calibration S3Run::run() {
  record_ = head_of(request_, plan_.most_s);
  try {
    measure();
  } catch (const CalibrationError& error) {
    delete_objects();
    if (record_.downgrades.empty() || record_.downgrades.back().field != "s3_objects_left") throw;
    const Downgrade& left = record_.downgrades.back();
    throw CalibrationError(fmt::format("{}; {} objects are left {}", error.what(), left.value, left.reason),
                           error.fix());
  }
  delete_objects();
  tell_about_requests();
  record_.interrupted = stop_.stop_requested();
  add_parameters(record_, {request_.store, request_.pool, true});
  record_.budget.used_s = seconds_between(begin_ns_, clock_ns());
  return std::move(record_);
}

}  // namespace

S3Plan plan_s3(const S3Request& request) {
  const S3Budget budget = budget_of(request.budget);
  S3Plan plan;
  plan.rounds = budget.rounds;
  plan.most_s = budget.most_s;
  plan.objects = {budget.objects, 8 * kMi};
  plan.arms = arms_of(budget, request.connections > 0 ? request.connections : budget.connections);
  plan.most.lists = 1;                              // whether keys and bucket are right
  constexpr double kListingBytes = 512.0 * 1024.0;  // of 1,000 keys
  for (const S3Arm& arm : plan.arms) {
    const std::uint64_t requests = std::uint64_t{plan.rounds} * arm.requests;
    if (arm.kind == S3Kind::list) {
      plan.most.lists += requests;
      plan.most.down_bytes += kListingBytes * static_cast<double>(requests);
    } else {
      plan.most.gets += requests;
      plan.most.down_bytes += static_cast<double>(requests * arm.block_bytes);
    }
  }
  plan.most.puts = plan.most.deletes = plan.objects.count;
  plan.most.up_bytes = static_cast<double>(plan.objects.count * plan.objects.bytes);
  plan.usd = s3_usd(plan.most, request.prices);
  return plan;
}

std::optional<double> s3_usd(const S3Counts& counts, const S3Prices& prices) {
  if (!prices.get_usd || !prices.put_usd || !prices.list_usd || !prices.egress_usd_per_byte) return std::nullopt;
  return static_cast<double>(counts.gets) * *prices.get_usd + static_cast<double>(counts.puts) * *prices.put_usd +
         static_cast<double>(counts.lists) * *prices.list_usd + counts.down_bytes * *prices.egress_usd_per_byte;
}

Calibration without_s3(const S3Request& request, const std::string& reason) {
  Calibration record = head_of(request, 0.0);
  record.engine = "none";
  record.downgrades.push_back(
      {"s3", "no_libcurl", reason + "; figures of object stores come from the catalogue or the scenario"});
  return record;
}

Calibration calibrate_s3(const S3Request& request, const S3Connect& connect, const std::stop_token& stop,
                         const std::function<void(const CalibrationProgress&)>& tell) {
  return S3Run(request, connect, stop, tell).run();
}

}  // namespace headrace::models::calibration
