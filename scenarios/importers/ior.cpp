// IOR -O summaryFormat=JSON. Fields: hpc/ior, ior-output.c. Traps: bandwidth is MiB/s, sizes are KiB; a reader that was
// the writer of its file reads its own page cache, unless tasks were reordered (-C, -Z); dropping caches needs root.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Cell;
using models::calibration::Parameter;

/// Repetitions of one test in one direction.
struct IorSeries {
  bool read = true;
  double transfer_bytes = 0.0;
  double tasks = 1.0;
  bool random = false;
  std::vector<double> bytes_per_s;
  std::vector<double> latency_s;
  std::vector<std::string> flags;

  double mean() const {
    double sum = 0.0;
    for (const double x : bytes_per_s) sum += x;
    return sum / static_cast<double>(bytes_per_s.size());
  }
  double deviation() const {
    double squares = 0.0;
    for (const double x : bytes_per_s) squares += (x - mean()) * (x - mean());
    return bytes_per_s.size() < 2 ? 0.0 : std::sqrt(squares / static_cast<double>(bytes_per_s.size() - 1));
  }
};

bool set(Reading& in, const Node* section, const char* key) {
  if (section == nullptr) return false;
  const Node* value = section->find(key);
  return value != nullptr && (value->boolean || in.number(*section, key).value_or(0.0) != 0.0);
}

void read_result(Reading& in, const Node& result, const Node* parameters, double tasks,
                 std::map<bool, IorSeries>& out) {
  if (!result.is(Node::Type::object)) return in.refuse("E0201", result.place, "a result of IOR is an object", "");
  const std::string access = in.word(result, "access");
  if (access != "read" && access != "write") return;
  const bool read = access == "read";
  IorSeries& series = out[read];
  series.read = read;
  series.tasks = tasks;
  const double bytes = kMiB * in.number(result, "bwMiB", {0.0, 1e12, true}).value_or(0.0);
  series.transfer_bytes = 1024.0 * in.number(result, "xferKiB", {0.0, 1e12, true}).value_or(0.0);
  if (in.failed()) return;
  // Operations are counted over reading or writing alone, bytes over opening and closing too.
  if (const auto rate = in.number(result, "iops", {0.0, 1e12}); rate && *rate > 0.0 && series.transfer_bytes > 0.0) {
    const double total = in.number(result, "totalTime", {0.0, 1e9}).value_or(0.0);
    const double inner = in.number(result, "wrRdTime", {0.0, 1e9}).value_or(total);
    if (inner > total * (1.0 + kAgreement))
      in.refuse("E0140", result.place, "wrRdTime is longer than totalTime", "is the file damaged or edited?");
    const double share = total > 0.0 && inner > 0.0 ? inner / total : 1.0;
    if (bytes < 0.95 * *rate * series.transfer_bytes * share || bytes > 1.05 * *rate * series.transfer_bytes / share)
      in.agree(result.place, access + ": bwMiB and iops times xferKiB", bytes, *rate * series.transfer_bytes);
    if (const auto latency = in.number(result, "latency", {0.0, 1e9}); latency && *latency > 0.0) {
      in.little(result.place, access, tasks, *rate, *rate, *latency, series.flags);
      series.latency_s.push_back(*latency);
    }
  }
  series.bytes_per_s.push_back(bytes);
  series.random = set(in, parameters, "randomOffset");
  const bool direct = set(in, parameters, "useO_DIRECT") || set(in, parameters, "odirect");
  const bool reordered = set(in, parameters, "reorderTasks") || set(in, parameters, "reorderTasksRandom");
  if (!direct) add_flag(series.flags, read && !reordered ? "cache_suspect" : "buffered");
}

void add(Reading& in, const IorSeries& series) {
  const std::string text = fmt::format("{} of {} by {:g} tasks, {} repetitions", series.read ? "read" : "write",
                                       size_text(series.transfer_bytes), series.tasks, series.bytes_per_s.size());
  Cell cell;
  cell.probe = series.read ? (series.random ? "random_read" : "sequential_read") : "write";
  cell.block_bytes = series.transfer_bytes;
  cell.threads = static_cast<std::uint64_t>(series.tasks);
  cell.unit = "B/s";
  Parameter& p = in.add(series.read ? "storage.bandwidth" : "storage.write_bandwidth", "B/s", series.mean(),
                        in.store_target(series.read ? "bandwidth" : "write_bandwidth"), text, series.flags);
  Reading::set_interval(p, series.deviation(), series.bytes_per_s.size());
  cell.estimate = {p.value, p.low, p.high, series.bytes_per_s.size(), 0, p.verdict};
  cell.flags = series.flags;
  in.record.cells.push_back(std::move(cell));
}

void read_test(Reading& in, const Node& test, std::vector<IorSeries>& all) {
  const Node* parameters = in.member(test, "Parameters", Node::Type::object, false);
  const Node* options = in.member(test, "Options", Node::Type::object, false);
  double tasks = 1.0;
  if (options != nullptr) tasks = in.number(*options, "tasks", {1.0, 1e8}).value_or(1.0);
  const Node* results = in.member(test, "Results", Node::Type::array, false);
  if (results == nullptr && options != nullptr) results = in.member(*options, "Results", Node::Type::array, false);
  if (results == nullptr) return in.not_this(test.place, "a test without Results", "was the run stopped?");
  std::map<bool, IorSeries> found;
  for (const Node& one : results->items) {
    if (one.is(Node::Type::array))  // some versions group repetitions
      for (const Node& inner : one.items) read_result(in, inner, parameters, tasks, found);
    else
      read_result(in, one, parameters, tasks, found);
    if (in.failed()) return;
  }
  for (auto& [read, series] : found) all.push_back(std::move(series));
}

}  // namespace

void import_ior(Reading& in) {
  const std::vector<Node> objects = in.objects();
  if (in.failed()) return;
  const Node& root = objects.front();
  if (root.find("tests") == nullptr || root.find("Version") == nullptr)
    return in.not_this(root.place, "this JSON has no \"Version\" and \"tests\"",
                       "write it with ior -O summaryFormat=JSON");
  in.record.imported->tool = "IOR " + in.word(root, "Version");
  const Node* tests = in.member(root, "tests", Node::Type::array, true);
  if (tests == nullptr) return;
  std::vector<IorSeries> all;
  for (const Node& test : tests->items) {
    if (!test.is(Node::Type::object)) return in.refuse("E0201", test.place, "a test of IOR is an object", "");
    read_test(in, test, all);
    if (in.failed()) return;
  }
  for (const bool read : {true, false}) {
    const IorSeries* best = nullptr;
    for (const IorSeries& series : all)
      if (series.read == read && (best == nullptr || series.mean() > best->mean())) best = &series;
    if (best != nullptr) add(in, *best);
  }
  if (in.record.parameters.empty()) in.not_this(tests->place, "no test read or wrote anything", "");
}

}  // namespace headrace::scenarios
