// fio --output-format=json or json+. Fields: axboe/fio, stat.c and HOWTO ("JSON output"), fio 3.x. Traps: options are
// strings and absent where they have their default; bw is KiB/s; percentiles are those of completion latency unless
// lat_percentiles=1 was given, which leaves submission out; synchronous engines ignore iodepth; without group_reporting
// every process of numjobs has an entry of its own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "models/calibration/latency_histogram.hpp"
#include "models/calibration/parameters.hpp"
#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Cell;
using models::calibration::LatencyHistogram;
using models::calibration::Parameter;
using models::calibration::QuantileValue;

constexpr double kSmallBytes = 16384.0;
constexpr double kLargeBytes = 131072.0;

/// Latencies of one direction of a job.
struct Latency {
  double mean_s = 0.0;
  double min_s = 0.0;
  double max_s = 0.0;
  std::vector<QuantileValue> quantiles;
  std::optional<LatencyHistogram> histogram;
  bool completion_only = false;  ///< the quantiles leave submission out
};

/// One direction of a job, all its processes together.
struct Side {
  std::string job;
  double group = 0.0;  ///< jobs of one group run at the same time
  bool read = true;
  bool random = true;
  bool mixed = false;
  double bytes = 0.0;  ///< of one operation
  double rate_per_s = 0.0;
  double bytes_per_s = 0.0;
  double runtime_s = 0.0;
  double operations = 0.0;
  double places = 1.0;
  bool direct = false;
  Latency latency;
  double deviation = 0.0;  ///< of the rate over samples
  std::size_t samples = 0;
  std::vector<std::string> flags;
  Place place;
};

const Node* find_option(const Node& root, const Node& job, std::string_view key) {
  for (const auto& [owner, section] : {std::pair{&job, "job options"}, std::pair{&root, "global options"}}) {
    const Node* options = owner->find(section);
    const Node* value = options != nullptr && options->is(Node::Type::object) ? options->find(key) : nullptr;
    if (value != nullptr) return value;
  }
  return nullptr;
}

/// An option under any of its spellings; `fallback` is fio's own default. A flag without value counts as "1".
std::string option(const Node& root, const Node& job, std::initializer_list<std::string_view> keys,
                   const char* fallback) {
  for (const std::string_view key : keys)
    if (const Node* value = find_option(root, job, key)) return value->text.empty() ? "1" : value->text;
  return fallback;
}

/// "4k" in bytes. With kb_base 1024, fio's default, k is 1024 and ki 1000; with 1000 the other way round.
std::optional<double> fio_bytes(const std::string& text, bool base_1000) {
  std::string lower;
  for (const char c : text) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const std::size_t end = lower.find_first_not_of("0123456789.");
  const auto value = decimal(lower.substr(0, end));
  if (!value || end == std::string::npos) return value;
  std::string suffix = lower.substr(end);
  if (suffix.ends_with('b')) suffix.pop_back();
  const bool binary_spelling = suffix.ends_with('i');
  if (binary_spelling) suffix.pop_back();
  const std::size_t power = suffix.empty() ? 0 : std::string("kmgtp").find(suffix) + 1;
  if (suffix.size() > 1 || (!suffix.empty() && power == 0)) return std::nullopt;
  return *value * std::pow(binary_spelling == base_1000 ? 1024.0 : 1000.0, static_cast<double>(power));
}

bool keeps_depth(const std::string& engine) {
  static constexpr std::array<std::string_view, 9> kAsynchronous = {
      "io_uring", "io_uring_cmd", "libaio", "posixaio", "libiscsi", "rbd", "http", "nvme", "xnvme"};
  return std::find(kAsynchronous.begin(), kAsynchronous.end(), engine) != kAsynchronous.end();
}

/// Bins of json+: keys are midpoints in ns.
void read_bins(Reading& in, const Node& latency, Latency& out) {
  const Node* bins = in.member(latency, "bins", Node::Type::object, false);
  if (bins == nullptr || bins->members.empty()) return;
  LatencyHistogram histogram;
  for (const Member& bin : bins->members) {
    const auto at = in.number_in(bin.key, bin.key_place, "a latency bin", {0.0, 1e13, true});
    const auto count = in.number_in(bin.value.text, bin.value.place, "count of a latency bin", {0.0, 1e15, true});
    if (!at || !count) return;
    if (*count > 0.0) histogram.add(static_cast<std::uint64_t>(*at), static_cast<std::uint64_t>(*count));
  }
  if (histogram.count() > 0) out.histogram = histogram;
}

void read_quantiles(Reading& in, const Node& latency, double unit_s, Latency& out) {
  const Node* table = in.member(latency, "percentile", Node::Type::object, false);
  if (table == nullptr || table->members.empty()) return;
  double last = out.min_s;
  out.quantiles.push_back({0.0, out.min_s});
  for (const Member& point : table->members) {
    const auto p = in.number_in(point.key, point.key_place, "a percentile", {0.0, 100.0, true});
    const auto value = in.number_in(point.value.text, point.value.place, "latency of a percentile", {0.0, 1e15, true});
    if (!p || !value) return;
    if (*p <= 0.0 || *p >= 100.0 || 0.01 * *p <= out.quantiles.back().p) continue;
    last = std::min(std::max(last, *value * unit_s), std::max(out.max_s, last));
    out.quantiles.push_back({0.01 * *p, last});
  }
  out.quantiles.push_back({1.0, std::max(last, out.max_s)});
}

void read_extremes(Reading& in, const Node& latency, double unit_s, Latency& out) {
  out.mean_s = unit_s * in.number(latency, "mean", {0.0, 1e15}).value_or(0.0);
  out.min_s = unit_s * in.number(latency, "min", {0.0, 1e15}).value_or(0.0);
  out.max_s = unit_s * in.number(latency, "max", {0.0, 1e15}).value_or(0.0);
}

/// Total latency where it has a distribution, else that of completion. fio before 3.0 wrote microseconds under "lat".
Latency read_latency(Reading& in, const Node& side, std::vector<std::string>& flags) {
  Latency out;
  const bool new_names = side.find("lat_ns") != nullptr || side.find("clat_ns") != nullptr;
  const double unit_s = new_names ? 1e-9 : 1e-6;
  const Node* total = in.member(side, new_names ? "lat_ns" : "lat", Node::Type::object, false);
  const Node* completion = in.member(side, new_names ? "clat_ns" : "clat", Node::Type::object, false);
  if (!new_names && total != nullptr) add_flag(flags, "legacy_units");
  if (total != nullptr) {
    read_extremes(in, *total, unit_s, out);
    read_quantiles(in, *total, unit_s, out);
    if (new_names) read_bins(in, *total, out);
  }
  if (out.quantiles.empty() && !out.histogram && completion != nullptr) {
    Latency inner;
    read_extremes(in, *completion, unit_s, inner);
    read_quantiles(in, *completion, unit_s, inner);
    if (new_names) read_bins(in, *completion, inner);
    out.quantiles = inner.quantiles;
    out.histogram = inner.histogram;
    out.completion_only = !inner.quantiles.empty() || inner.histogram.has_value() || out.mean_s == 0.0;
    if (out.mean_s == 0.0) out.mean_s = inner.mean_s;
  }
  return out;
}

void check_bytes(Reading& in, const Node& node, const Side& side) {
  const double kib = in.number(node, "bw").value_or(side.bytes_per_s / 1024.0);
  in.agree(node.place, fmt::format("job {}: bw (KiB/s) and bw_bytes", side.job), kib * 1024.0, side.bytes_per_s,
           2048.0);
  in.agree(node.place, fmt::format("job {}: bw_bytes and iops times the size of an operation", side.job),
           side.bytes_per_s, side.rate_per_s * side.bytes, 1024.0);
  const double by_count = side.operations / side.runtime_s;
  in.agree(node.place, fmt::format("job {}: iops and total_ios over runtime", side.job), side.rate_per_s, by_count,
           side.places / side.runtime_s);
}

void read_size(Reading& in, const Node& root, const Node& job, const Node& node, Side& side) {
  const double moved = in.number(node, "io_bytes", {0.0, 1e18}).value_or(side.bytes_per_s * side.runtime_s);
  side.bytes = side.operations > 0.0 ? moved / side.operations : 0.0;
  const std::string text = option(root, job, {"bs", "blocksize"}, "4k");
  const bool base_1000 = option(root, job, {"kb_base"}, "1024") == "1000";
  const bool ranges = find_option(root, job, "bsrange") != nullptr || find_option(root, job, "bssplit") != nullptr ||
                      text.find_first_of(",-:/") != std::string::npos;
  const auto stated = fio_bytes(text, base_1000);
  if (ranges || !stated) {
    add_flag(side.flags, "mixed_sizes");
    return;
  }
  in.agree(node.place, fmt::format("job {}: size of an operation (bs = {})", side.job, text), *stated, side.bytes);
  if (!in.failed()) side.bytes = *stated;
}

/// Processes that one entry stands for. fio does not always write down group_reporting, a flag without value; but
/// without it each of numjobs processes has an entry of its own.
double processes_of(Reading& in, const Node& root, const Node& job) {
  const double processes =
      in.number_in(option(root, job, {"numjobs"}, "1"), job.place, "numjobs", {1.0, 1e6, true}).value_or(1.0);
  const Node* jobs = root.find("jobs");
  double entries = 0.0;
  for (const Node& other : jobs->items)
    if (other.is(Node::Type::object) && in.word(other, "jobname") == in.word(job, "jobname") &&
        in.word(other, "groupid") == in.word(job, "groupid"))
      entries += 1.0;
  return std::max(1.0, processes / std::max(entries, 1.0));
}

void read_circumstances(Reading& in, const Node& root, const Node& job, Side& side) {
  side.direct = option(root, job, {"direct"}, "0") != "0" || option(root, job, {"buffered"}, "1") == "0";
  if (!side.direct) add_flag(side.flags, "cache_suspect");
  if (side.runtime_s < 5.0) add_flag(side.flags, "short_run");
  const std::string engine = option(root, job, {"ioengine"}, "psync");
  const double depth =
      in.number_in(option(root, job, {"iodepth"}, "1"), job.place, "iodepth", {1.0, 1e6, true}).value_or(1.0);
  if (!keeps_depth(engine) && depth > 1.0) {
    add_flag(side.flags, "depth_ignored");
    in.note(fmt::format("job {}: the engine {} does one operation at a time and ignores iodepth={:g}", side.job, engine,
                        depth));
  }
  side.places = (keeps_depth(engine) ? depth : 1.0) * processes_of(in, root, job);
  for (const char* key : {"rate", "rate_iops", "thinktime"})
    if (find_option(root, job, key) != nullptr) add_flag(side.flags, "paced");
  if (const Node* steady = in.member(job, "steadystate", Node::Type::object, false))
    if (in.number(*steady, "attained").value_or(1.0) == 0.0) add_flag(side.flags, "not_steady");
}

std::optional<Side> read_side(Reading& in, const Node& root, const Node& job, bool read) {
  const Node* node = in.member(job, read ? "read" : "write", Node::Type::object, false);
  if (node == nullptr) return std::nullopt;
  Side side;
  side.job = in.word(job, "jobname");
  side.read = read;
  side.place = node->place;
  side.operations = in.number(*node, "total_ios", {0.0, 1e15}).value_or(0.0);
  side.rate_per_s = in.number(*node, "iops", {0.0, 1e12}).value_or(0.0);
  if (in.failed() || side.operations <= 0.0 || side.rate_per_s <= 0.0) return std::nullopt;
  side.bytes_per_s = in.number(*node, "bw_bytes", {0.0, 1e15}).value_or(1024.0 * in.number(*node, "bw").value_or(0.0));
  side.runtime_s = 1e-3 * in.number(*node, "runtime", {1.0, 1e12, true}).value_or(1.0);
  const std::string pattern = option(root, job, {"rw", "readwrite"}, "read");
  side.random = pattern.find("rand") != std::string::npos;
  side.mixed = pattern.find("rw") != std::string::npos || pattern.find("readwrite") != std::string::npos;
  if (side.mixed) add_flag(side.flags, "mixed_directions");
  read_circumstances(in, root, job, side);
  read_size(in, root, job, *node, side);
  side.latency = read_latency(in, *node, side.flags);
  // Averages over short pieces of the run; with few of them fio's own mean can be far off the rate.
  const double mean = in.number(*node, "iops_mean", {0.0, 1e12}).value_or(0.0);
  if (std::abs(mean - side.rate_per_s) <= 0.1 * side.rate_per_s) {
    side.deviation = in.number(*node, "iops_stddev", {0.0, 1e12}).value_or(0.0);
    side.samples = static_cast<std::size_t>(in.number(*node, "iops_samples", {0.0, 1e9}).value_or(0.0));
  }
  if (!in.failed()) check_bytes(in, *node, side);
  return side;
}

/// Processes of one job that have entries of their own ran at the same time: their rates add up.
void merge(Side& into, const Side& other) {
  const double rate = into.rate_per_s + other.rate_per_s;
  into.latency.mean_s = (into.latency.mean_s * into.rate_per_s + other.latency.mean_s * other.rate_per_s) / rate;
  into.rate_per_s = rate;
  into.bytes_per_s += other.bytes_per_s;
  into.operations += other.operations;
  into.places += other.places;
  into.latency.min_s = std::min(into.latency.min_s, other.latency.min_s);
  into.latency.max_s = std::max(into.latency.max_s, other.latency.max_s);
  if (into.latency.histogram && other.latency.histogram)
    into.latency.histogram->merge(*other.latency.histogram);
  else
    into.latency.histogram.reset();
  into.latency.quantiles.clear();  // tables do not add up; bins do
  into.deviation = 0.0;
  into.samples = 0;
  for (const std::string& flag : other.flags) add_flag(into.flags, flag);
}

std::string described(const Side& side) {
  return fmt::format("job {}: {} {} {} depth {:g}{}, {:.0f} operations in {:.3g} s", side.job,
                     side.random ? "random" : "sequential", side.read ? "reads" : "writes", size_text(side.bytes),
                     side.places, side.direct ? " direct" : " buffered", side.operations, side.runtime_s);
}

void add_cell(Reading& in, const Side& side) {
  Cell cell;
  cell.probe = side.read ? (side.random ? "random_read" : "sequential_read") : (side.random ? "random_write" : "write");
  cell.detail = side.job;
  cell.block_bytes = side.bytes;
  cell.depth = static_cast<std::uint64_t>(side.places);
  cell.direct = side.direct;
  cell.estimate.value = cell.estimate.low = cell.estimate.high = side.rate_per_s;
  Parameter interval;
  interval.value = interval.low = interval.high = side.rate_per_s;
  Reading::set_interval(interval, side.deviation, side.samples);
  cell.estimate.low = interval.low;
  cell.estimate.high = interval.high;
  cell.estimate.verdict = models::calibration::Verdict::noisy;
  if (side.latency.histogram) cell.latency = side.latency.histogram->record();
  cell.flags = side.flags;
  in.record.cells.push_back(std::move(cell));
}

void add_rate(Reading& in, const char* name, const Side* side, bool bytes, const std::string& target) {
  if (side == nullptr) return;
  const double factor = bytes ? side->bytes_per_s / side->rate_per_s : 1.0;
  Parameter& p = in.add(name, bytes ? "B/s" : "1/s", factor * side->rate_per_s, target, described(*side), side->flags);
  Reading::set_interval(p, factor * side->deviation, side->samples);
}

void add_latency(Reading& in, const Side& side) {
  std::vector<std::string> flags = side.flags;
  if (side.latency.completion_only) {
    add_flag(flags, "clat_only");
    add_flag(flags, "excludes_submission");
    in.note(fmt::format(
        "job {}: the table has completion latencies, without submission; run fio with --lat_percentiles=1", side.job));
  }
  const bool table = !side.latency.quantiles.empty() || side.latency.histogram.has_value();
  if (!table) add_flag(flags, "average_only");
  Parameter& p =
      in.add("storage.latency", "s", side.latency.mean_s, in.store_target("latency"), described(side), flags);
  if (side.latency.quantiles.empty() && side.latency.histogram)
    for (const double probability : models::calibration::kTableProbabilities)
      p.quantiles.push_back({probability, side.latency.histogram->quantile_s(probability)});
  else
    p.quantiles = side.latency.quantiles;
  Reading::set_interval(p, side.latency.mean_s * side.deviation / side.rate_per_s, side.samples);
}

template <class Accept>
const Side* best(const std::vector<Side>& sides, bool bytes, const Accept& accept) {
  const Side* found = nullptr;
  const auto figure = [bytes](const Side& side) { return bytes ? side.bytes_per_s : side.rate_per_s; };
  for (const Side& side : sides)
    if (!side.mixed && accept(side) && (found == nullptr || figure(side) > figure(*found))) found = &side;
  return found;
}

void add_parameters(Reading& in, const std::vector<Side>& sides) {
  const auto one_read = [](const Side& s) { return s.read && s.random && s.bytes <= kSmallBytes && s.places == 1.0; };
  const auto alone = std::find_if(sides.begin(), sides.end(), [&](const Side& s) { return !s.mixed && one_read(s); });
  if (alone != sides.end() && alone->latency.mean_s > 0.0)
    add_latency(in, *alone);
  else
    in.note(
        "no job reads small blocks one at a time: the latency of an idle device is unknown (--rw=randread --bs=4k "
        "--iodepth=1 --lat_percentiles=1)");
  const Side* many =
      best(sides, false, [](const Side& s) { return s.read && s.random && s.bytes <= kSmallBytes && s.places > 1.0; });
  add_rate(in, "storage.requests", many, false, in.store_target("requests"));
  if (many == nullptr && alone != sides.end())
    in.note(
        "no job keeps several small reads under way: how many requests a second the store answers is unknown, since "
        "one read at a time measures its latency (--rw=randread --bs=4k --iodepth=32)");
  add_rate(
      in, "storage.bandwidth",
      best(sides, true, [](const Side& s) { return s.read && s.bytes >= kLargeBytes && (s.random || s.places > 1.0); }),
      true, in.store_target("bandwidth"));
  add_rate(in, "storage.stream",
           best(sides, true, [](const Side& s) { return s.read && !s.random && s.places == 1.0; }), true,
           in.store_target("stream"));
  add_rate(in, "storage.write_bandwidth",
           best(sides, true, [](const Side& s) { return !s.read && s.bytes >= kLargeBytes; }), true,
           in.store_target("write_bandwidth"));
  in.doubt_rates_of_one_client();
  if (in.record.parameters.empty())
    in.note(
        "no job gives a parameter: reads and writes are mixed, or sizes are between 16 and 128 KiB; the cells are kept "
        "for headrace calibrate --show");
}

/// All directions of a job were under way together: their sum is what Little's law is about.
void check_little(Reading& in, std::vector<Side>& sides) {
  std::map<std::pair<double, std::string>, std::vector<Side*>> jobs;
  for (Side& side : sides) jobs[{side.group, side.job}].push_back(&side);
  for (auto& [key, parts] : jobs) {
    double under_way = 0.0;
    for (const Side* side : parts) under_way += side->rate_per_s * side->latency.mean_s;
    std::vector<std::string> flags;
    in.little(parts.front()->place, "job " + key.second, parts.front()->places, under_way, under_way, 1.0, flags);
    for (Side* side : parts)
      for (const std::string& flag : flags) add_flag(side->flags, flag);
  }
}

void note_company(Reading& in, const std::map<double, std::vector<std::string>>& groups) {
  for (const auto& [group, names] : groups)
    if (names.size() > 1)
      in.note(
          fmt::format("jobs {} ran at the same time (group {:g}): each figure is only a share of the device's rate; "
                      "put stonewall between the jobs",
                      fmt::join(names, ", "), group));
}

void read_jobs(Reading& in, const Node& root, std::vector<Side>& sides) {
  const Node* jobs = in.member(root, "jobs", Node::Type::array, true);
  if (jobs == nullptr) return;
  std::map<double, std::vector<std::string>> groups;
  for (const Node& job : jobs->items) {
    if (!job.is(Node::Type::object)) return in.refuse("E0201", job.place, "a job of fio is an object", "");
    if (in.number(job, "error", {-1e9, 1e9}).value_or(0.0) != 0.0)
      return in.not_this(job.place,
                         fmt::format("job {} failed with error {}", in.word(job, "jobname"), in.word(job, "error")),
                         "only runs that succeeded are imported");
    const double group = in.number(job, "groupid", {0.0, 1e9}).value_or(0.0);
    auto& names = groups[group];
    for (const bool read : {true, false}) {
      auto side = read_side(in, root, job, read);
      if (in.failed()) return;
      if (!side) continue;
      side->group = group;
      if (std::find(names.begin(), names.end(), side->job) == names.end()) names.push_back(side->job);
      const auto same = std::find_if(sides.begin(), sides.end(), [&](const Side& s) {
        return s.job == side->job && s.group == group && s.read == read;
      });
      if (same == sides.end())
        sides.push_back(std::move(*side));
      else
        merge(*same, *side);
    }
  }
  note_company(in, groups);
}

}  // namespace

void import_fio(Reading& in) {
  const std::vector<Node> objects = in.objects();
  if (in.failed()) return;
  const Node& root = objects.front();
  in.record.imported->tool = in.word(root, "fio version");
  if (in.record.imported->tool.empty() || root.find("jobs") == nullptr)
    return in.not_this(root.place, "this JSON has no \"fio version\" and \"jobs\"",
                       "write it with fio --output-format=json+");
  in.record.date = date_of(in.number(root, "timestamp", {0.0, 1e11}).value_or(0.0));
  std::vector<Side> sides;
  read_jobs(in, root, sides);
  if (in.failed()) return;
  if (sides.empty()) return in.not_this(root.place, "no job read or wrote anything", "was the run stopped?");
  check_little(in, sides);
  if (in.failed()) return;
  for (const Side& side : sides) add_cell(in, side);
  add_parameters(in, sides);
}

}  // namespace headrace::scenarios
