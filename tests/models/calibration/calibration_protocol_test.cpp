// The protocol of windows: histograms, estimates, contamination, order of arms, comparison of two calibrations.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "models/calibration/arms.hpp"
#include "models/calibration/compare.hpp"
#include "models/calibration/contamination.hpp"
#include "models/calibration/host_files.hpp"
#include "models/calibration/latency_histogram.hpp"
#include "models/calibration/parameters.hpp"
#include "models/calibration/window_tally.hpp"
#include "sim/portable_math.hpp"
#include "sim/random_stream.hpp"
#include "tests/catch.hpp"

namespace headrace::models::calibration {
namespace {

constexpr sim::Purpose kRateNoise{3901};

std::vector<Window> windows_of(std::initializer_list<double> rates, std::initializer_list<bool> clean) {
  std::vector<Window> windows;
  auto good = clean.begin();
  for (const double rate : rates) {
    windows.emplace_back();
    windows.back().start_s = static_cast<double>(windows.size());
    windows.back().length_s = 0.5;
    windows.back().rate_per_s = rate;
    windows.back().clean = good == clean.end() || *good++;
  }
  return windows;
}

/// A machine made of files.
class FakeHost {
 public:
  FakeHost() {
    std::string pattern = (std::filesystem::temp_directory_path() / "headrace-host-XXXXXX").string();
    root = ::mkdtemp(pattern.data());
    places = {root + "/proc", root + "/sys", root + "/cgroup"};
  }
  ~FakeHost() { std::filesystem::remove_all(root); }
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root + "/" + name).parent_path());
    std::ofstream(root + "/" + name) << text;
  }
  std::string root;
  HostPlaces places;
};

}  // namespace

TEST_CASE("latencies lie in the bins of fio") {
  // plat_val_to_idx of fio: values below 128 have a bin each; 87,552 ns is the middle of bin 723.
  CHECK(LatencyHistogram::bin_of(0) == 0);
  CHECK(LatencyHistogram::bin_of(127) == 127);
  CHECK(LatencyHistogram::bin_of(128) == 128);
  CHECK(LatencyHistogram::bin_of(129) == 128);
  const std::size_t bin = LatencyHistogram::bin_of(87552);
  CHECK(LatencyHistogram::low_edge_ns(bin) == 87040.0);
  CHECK(LatencyHistogram::high_edge_ns(bin) == 88064.0);
  CHECK(0.5 * (LatencyHistogram::low_edge_ns(bin) + LatencyHistogram::high_edge_ns(bin)) == 87552.0);
  for (std::uint64_t value = 1; value < (std::uint64_t{1} << 33); value = value * 5 / 4 + 1) {
    const std::size_t b = LatencyHistogram::bin_of(value);
    CHECK(LatencyHistogram::low_edge_ns(b) <= static_cast<double>(value));
    CHECK(LatencyHistogram::high_edge_ns(b) > static_cast<double>(value));
  }
  CHECK(LatencyHistogram::bin_of(UINT64_MAX) == LatencyHistogram::kBins - 1);
}

TEST_CASE("a histogram survives being written down") {
  LatencyHistogram histogram;
  for (std::uint64_t i = 1; i <= 1000; ++i) histogram.add(i * 1000);
  const LatencyHistogram back = LatencyHistogram::from(histogram.record());
  CHECK(back.count() == 1000);
  CHECK(back.mean_s() == Approx(500.5e-6));
  for (const double p : {0.0, 0.01, 0.5, 0.99, 1.0}) CHECK(back.quantile_s(p) == histogram.quantile_s(p));
  CHECK(histogram.quantile_s(0.5) == Approx(500e-6).epsilon(0.02));
  CHECK(histogram.quantile_s(1.0) == 1e-3);
  CHECK(LatencyHistogram{}.quantile_s(0.5) == 0.0);
}

TEST_CASE("a window counts what ends in it and tells how latencies follow each other") {
  WindowTally tally;
  tally.add(5, 1);
  tally.start(1'000'000'000, 500'000'000);
  tally.add(999'999'999, 10);
  for (std::uint64_t i = 0; i < 1000; ++i) tally.add(1'000'000'000 + i * 500'000, (i / 100) % 2 == 0 ? 1000 : 100000);
  tally.add(1'500'000'000, 10);
  CHECK(tally.operations() == 1000);
  CHECK(tally.rate_per_s() == Approx(2000.0));
  CHECK(tally.pieces().size() == 10);
  CHECK(tally.pieces()[3] == 100);
  CHECK(tally.sequence().lag1() > 0.95);
  CHECK(std::isnan(SequenceSums{}.lag1()));
}

TEST_CASE("too few clean windows give no figure") {
  const EstimateRule rule;
  const auto noisy = windows_of({100, 101, 99, 100}, {true, false, false, true});
  const Estimate none = estimate_of(noisy, rule);
  CHECK(none.verdict == Verdict::undetermined);
  CHECK(none.value == 0.0);
  CHECK(none.windows == 4);
  CHECK(none.clean_windows == 2);
  EstimateRule lenient;
  lenient.accept_noisy = true;
  CHECK(estimate_of(noisy, lenient).verdict == Verdict::noisy);
  CHECK(estimate_of(noisy, lenient).value == Approx(100.0).epsilon(0.01));
  const auto clean = windows_of({100, 101, 99, 500}, {true, true, true, false});
  const Estimate good = estimate_of(clean, rule);
  CHECK(good.verdict == Verdict::clean);
  CHECK(good.value == Approx(100.0).epsilon(1e-3));  // the disturbed one is left out
  CHECK(estimate_of(windows_of({100, 130, 170}, {true, true, true}), rule).verdict == Verdict::noisy);
  CHECK(estimate_of(windows_of({100, 300, 900}, {true, true, true}), lenient).verdict == Verdict::undetermined);
}

TEST_CASE("an outlier is trimmed and drift is seen") {
  const double rates[] = {100, 101, 99, 100, 1000, 100, 101, 99, 100, 100};
  const Estimate estimate = trimmed_estimate(rates);
  CHECK(estimate.value == Approx(100.0).epsilon(0.01));
  CHECK(estimate.low < 100.0);
  CHECK(estimate.high > 100.0);
  CHECK(estimate.high < 105.0);
  std::vector<Window> falling;
  std::vector<Window> steady;
  for (int i = 0; i < 12; ++i) {
    Window window;
    window.start_s = i * 5.0;
    window.rate_per_s = 1000.0 - 30.0 * i + (i % 2);
    falling.push_back(window);
    window.rate_per_s = 1000.0 + (i % 3);
    steady.push_back(window);
  }
  CHECK(is_drifting(falling));
  CHECK_FALSE(is_drifting(steady));
  CHECK_FALSE(is_drifting({}));
}

// 400 intervals of 95 %: 380 +- 4.4 hold the truth; the trimmed interval is slightly wide. False failure below 1e-6.
TEST_CASE("intervals of trimmed means hold the truth", "[statistical]") {
  int held = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    std::vector<double> rates;
    for (std::uint64_t i = 0; i < 12; ++i)
      rates.push_back(1e4 * std::exp(0.2 * sim::normal_quantile(sim::uniform({seed, 0, kRateNoise, 0}, i))));
    const Estimate estimate = trimmed_estimate(rates);
    held += estimate.low <= 1e4 && 1e4 <= estimate.high ? 1 : 0;
  }
  CHECK(held >= 358);
  CHECK(held <= 399);
}

TEST_CASE("a quota and limits are read from the control group") {
  const FakeHost host;
  CHECK_FALSE(cpu_quota_cores(host.places));
  host.write("proc/self/cgroup", "0::/a/b\n");
  host.write("cgroup/cpu.max", "max 100000\n");
  host.write("cgroup/a/cpu.max", "150000 100000\n");
  host.write("cgroup/a/b/cpu.max", "50000 100000\n");
  host.write("cgroup/a/io.max", "8:0 rbps=max\n254:0 rbps=1048576 wbps=max\n");
  CHECK(cpu_quota_cores(host.places).value() == Approx(0.5));
  CHECK(usable_cores(host.places) == 1);
  CHECK(io_limit(host.places, "254:0").value() == "rbps=1048576 wbps=max");
  CHECK_FALSE(io_limit(host.places, "254:1"));
}

TEST_CASE("other work, stolen time and foreign bytes disturb a window") {
  const FakeHost host;
  const auto state = [&host](int user, int steal, int sectors) {
    host.write("proc/stat", "cpu  " + std::to_string(user) + " 0 0 1000 0 0 0 " + std::to_string(steal) +
                                " 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\nintr 5\n");
    host.write("sys/dev/block/8:0/stat", "1 1 " + std::to_string(sectors) + " 1 1 1 0 1 1 1 1\n");
    HostCounters counters = read_counters(host.places, "8:0");
    counters.own_s = 0.0;
    return counters;
  };
  host.write("proc/pressure/cpu", "some avg10=12.50 avg60=0 avg300=0 total=1\n");
  HostCounters before = state(1000, 0, 0);
  HostCounters after = state(1000, 0, 2048);
  CHECK(before.cores == 2.0);
  before.time_ns = 0;
  after.time_ns = 1'000'000'000;
  const auto quiet = contamination_between(before, after, 2048.0 * 512.0, host.places);
  CHECK(is_clean(quiet));
  CHECK(quiet.cpu_pressure_percent.value() == 12.5);
  after = state(1050, 0, 2048);  // half a second of processor time in ticks of 10 ms
  after.time_ns = 1'000'000'000;
  const auto busy = contamination_between(before, after, 2048.0 * 512.0, host.places);
  CHECK(busy.other_cpu_cores.value() == Approx(0.5));
  CHECK_FALSE(is_clean(busy));
  after = state(1000, 5, 2048);
  after.time_ns = 1'000'000'000;
  CHECK(contamination_between(before, after, 2048.0 * 512.0, host.places).steal_fraction.value() == Approx(0.025));
  after = state(1000, 0, 4096);
  after.time_ns = 1'000'000'000;
  const auto foreign = contamination_between(before, after, 2048.0 * 512.0, host.places);
  CHECK(foreign.foreign_bytes_fraction.value() == Approx(1.0));
  CHECK_FALSE(is_clean(foreign));
  CHECK(is_clean(Contamination{}));
}

TEST_CASE("arms take turns in random order until they are precise or time is over") {
  const FakeHost host;  // tells nothing: every window is clean
  std::vector<int> sequence;
  std::vector<Arm> arms;
  for (int i = 0; i < 3; ++i) {
    Arm arm;
    arm.cell.probe = "arm";
    arm.cell.detail = std::to_string(i);
    arm.run = [i, &sequence](const WindowLengths& lengths, std::uint64_t seed) {
      sequence.push_back(i);
      ArmWindow window;
      window.length_s = lengths.window_s;
      window.rate_per_s = i == 0 ? 100.0 : 100.0 + static_cast<double>(seed % 100);
      return window;
    };
    arms.push_back(std::move(arm));
  }
  RoundRule rule;
  rule.most_rounds = 9;
  RoundContext context;
  context.places = host.places;
  const std::vector<MeasuredArm> measured = run_rounds(arms, rule, context);
  REQUIRE(measured.size() == 3);
  CHECK(measured[0].cell.windows.size() == 3);  // no spread: done after the least number of rounds
  CHECK(measured[0].cell.estimate.verdict == Verdict::clean);
  CHECK(measured[1].cell.windows.size() == 9);
  std::vector<std::vector<int>> rounds;
  for (std::size_t i = 0; i < 9; i += 3) rounds.emplace_back(sequence.begin() + i, sequence.begin() + i + 3);
  CHECK((rounds[0] != rounds[1] || rounds[1] != rounds[2]));
  for (std::vector<int>& round : rounds) {
    std::sort(round.begin(), round.end());
    CHECK(round == std::vector<int>{0, 1, 2});
  }
  std::stop_source stop;
  stop.request_stop();
  context.stop = stop.get_token();
  CHECK(run_rounds(arms, rule, context)[0].cell.windows.empty());
}

TEST_CASE("two calibrations differ, agree or leave it open") {
  const auto with = [](double value, double half, Verdict verdict) {
    Calibration c;
    Parameter p;
    p.name = "storage.bandwidth";
    p.unit = "B/s";
    p.value = value;
    p.low = value / (1.0 + half);
    p.high = value * (1.0 + half);
    p.verdict = verdict;
    c.parameters.push_back(p);
    return c;
  };
  const auto verdict = [&](const Calibration& a, const Calibration& b) {
    return compare_calibrations(a, b).front().change;
  };
  const Calibration base = with(2e9, 0.03, Verdict::clean);
  CHECK(verdict(base, with(2.02e9, 0.03, Verdict::clean)) == Change::same);
  CHECK(verdict(base, with(2.6e9, 0.03, Verdict::clean)) == Change::changed);
  CHECK(verdict(base, with(2.2e9, 0.2, Verdict::noisy)) == Change::undetermined);
  CHECK(verdict(base, with(2e9, 0.03, Verdict::undetermined)) == Change::undetermined);
  CHECK(verdict(base, Calibration{}) == Change::undetermined);
  const ParameterChange change = compare_calibrations(base, with(2.6e9, 0.03, Verdict::clean)).front();
  CHECK(change.ratio == Approx(1.3));
  CHECK(change.low == Approx(1.3 * std::exp(-std::sqrt(2.0) * std::log(1.03))));
  CHECK(change.high > 1.3);
  CHECK(compare_calibrations(Calibration{}, base).size() == 1);
}

TEST_CASE("undetermined cells give parameters without a place") {
  Calibration c;
  Cell cell;
  cell.probe = "random_read";
  cell.block_bytes = 4096;
  LatencyHistogram histogram;
  for (std::uint64_t i = 0; i < 100; ++i) histogram.add(50000 + i * 100);
  cell.latency = histogram.record();
  cell.estimate = {18000, 17000, 19000, 3, 3, Verdict::clean};
  c.cells.push_back(cell);
  cell.probe = "write";
  cell.estimate = {};
  c.cells.push_back(cell);
  add_parameters(c, {"disk", "gpus", false});
  const Parameter* latency = find_parameter(c, "storage.latency");
  REQUIRE(latency != nullptr);
  CHECK(latency->target == "/stores/disk/latency");
  CHECK(latency->value == Approx(54.95e-6).epsilon(0.001));
  CHECK(latency->quantiles.front().p == 0.0);
  CHECK(latency->quantiles.back().p == 1.0);
  CHECK(latency->quantiles.back().value == Approx(59.9e-6));
  CHECK(latency->provenance.find("random_read") == 0);
  const Parameter* write = find_parameter(c, "storage.write_bandwidth");
  REQUIRE(write != nullptr);
  CHECK(write->target.empty());
  CHECK(write->verdict == Verdict::undetermined);
  Calibration remote;
  remote.cells = c.cells;
  add_parameters(remote, {"nas", "gpus", true});
  CHECK(find_parameter(remote, "storage.requests")->target.empty());  // one client does not tell what all get
  CHECK(find_parameter(remote, "storage.latency")->target == "/stores/nas/latency");
}

TEST_CASE("a drive whose cache fills has a burst and a sustained rate") {
  Calibration c;
  Cell cell;
  cell.probe = "write";
  for (int i = 0; i < 30; ++i) {
    Window window;
    window.start_s = i;
    window.length_s = 0.5;
    window.rate_per_s = (i < 14 ? 2000e6 : 600e6) * (1.0 + 0.01 * (i % 3));
    window.clean = true;
    cell.windows.push_back(window);
  }
  const EstimateRule rule;
  cell.estimate = estimate_of(cell.windows, rule);
  note_drift(cell, rule);
  CHECK(cell.flags == std::vector<std::string>{"drifting"});
  c.cells.push_back(cell);
  add_parameters(c, {"disk", "gpus", false});
  const Parameter* burst = find_parameter(c, "storage.write_bandwidth.burst");
  const Parameter* sustained = find_parameter(c, "storage.write_bandwidth.sustained");
  REQUIRE(burst != nullptr);
  REQUIRE(sustained != nullptr);
  CHECK(burst->value == Approx(2020e6).epsilon(0.01));
  CHECK(sustained->value == Approx(606e6).epsilon(0.01));
  CHECK(sustained->verdict == Verdict::clean);
  // Both are parameters of the store, with the size of the area that 14 windows fill while it empties.
  CHECK(find_parameter(c, "storage.write_bandwidth")->target.empty());
  CHECK(burst->target == "/stores/disk/write_cache/bandwidth");
  CHECK(sustained->target == "/stores/disk/write_bandwidth");
  const Parameter* size = find_parameter(c, "storage.write_cache");
  REQUIRE(size != nullptr);
  CHECK(size->target == "/stores/disk/write_cache/bytes");
  CHECK(size->value == Approx(14.0 * 0.5 * 2020e6 * (1.0 - 606.0 / 2020.0)).epsilon(0.01));
  CHECK(size->low < size->value);
  CHECK(size->high > size->value);
  Calibration remote;
  remote.cells = c.cells;
  add_parameters(remote, {"disk", "gpus", true});
  CHECK(find_parameter(remote, "storage.write_cache") == nullptr);  // one client does not tell what all get
  Cell steady;
  steady.probe = "write";
  for (int i = 0; i < 30; ++i) steady.windows.push_back(cell.windows[static_cast<std::size_t>(i % 3)]);
  note_drift(steady, rule);
  CHECK(steady.flags.empty());
  CHECK_FALSE(steady.burst);
}

}  // namespace headrace::models::calibration
