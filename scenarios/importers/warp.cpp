// The JSON of warp analyze --json and of warp's aggregated file. Fields: minio/warp, api/aggregate (version 0) and
// pkg/aggregate (version 1). Traps: the median of segments of a second, not the average over the run, compares; an
// object that is read again comes from the server's cache; latencies of version 0 are whole milliseconds.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Parameter;

struct Operation {
  std::string type;
  Place place;
  double concurrency = 0.0;
  double bytes_per_s = 0.0;       ///< median of the segments where there are any
  double operations_per_s = 0.0;  ///< the same
  double average_bytes_per_s = 0.0;
  double average_per_s = 0.0;
  double object_bytes = 0.0;
  double mean_s = 0.0;
  std::vector<models::calibration::QuantileValue> first_byte;
  double first_byte_s = 0.0;
  std::vector<std::string> flags;
};

double milli(Reading& in, const Node& node, const char* key) {
  return 1e-3 * in.number(node, key, {0.0, 1e12}).value_or(0.0);
}

void read_first_byte(Reading& in, const Node& requests, Operation& op) {
  const Node* first = in.member(requests, "first_byte", Node::Type::object, false);
  if (first == nullptr) return;
  op.first_byte_s = milli(in, *first, "average_millis");
  constexpr std::array<std::pair<double, const char*>, 7> kPoints = {{{0.0, "fastest_millis"},
                                                                      {0.25, "p25_millis"},
                                                                      {0.5, "median_millis"},
                                                                      {0.75, "p75_millis"},
                                                                      {0.9, "p90_millis"},
                                                                      {0.99, "p99_millis"},
                                                                      {1.0, "slowest_millis"}}};
  double last = 0.0;
  for (const auto& [p, key] : kPoints) {
    if (first->find(key) == nullptr) continue;
    last = std::max(last, milli(in, *first, key));
    op.first_byte.push_back({p, last});
  }
  if (op.first_byte.size() < 3 || op.first_byte.front().p > 0.0 || op.first_byte.back().p < 1.0 || last <= 0.0)
    op.first_byte.clear();
}

void read_requests(Reading& in, const Node& requests, Operation& op) {
  op.object_bytes = in.number(requests, "obj_size", {0.0, 1e15}).value_or(0.0);
  op.mean_s = milli(in, requests, "dur_avg_millis");
  read_first_byte(in, requests, op);
  if (requests.find("last_access") != nullptr || requests.find("first_access") != nullptr)
    add_flag(op.flags, "cache_suspect");
}

void read_throughput(Reading& in, const Node& owner, Operation& op) {
  const Node* t = in.member(owner, "throughput", Node::Type::object, true);
  if (t == nullptr) return;
  op.average_bytes_per_s = in.number(*t, "average_bps", {0.0, 1e15}).value_or(0.0);
  op.average_per_s = in.number(*t, "average_ops", {0.0, 1e12}).value_or(0.0);
  const double seconds = milli(in, *t, "measure_duration_millis");
  if (op.average_bytes_per_s == 0.0 && seconds > 0.0) {
    op.average_bytes_per_s = in.number(*t, "bytes", {0.0, 1e18}).value_or(0.0) / seconds;
    op.average_per_s = in.number(*t, "ops", {0.0, 1e15}).value_or(0.0) / seconds;
  }
  op.bytes_per_s = op.average_bytes_per_s;
  op.operations_per_s = op.average_per_s;
  const Node* parts = in.member(*t, "segmented", Node::Type::object, false);
  if (parts == nullptr) return add_flag(op.flags, "average_only");
  op.bytes_per_s = in.number(*parts, "median_bps", {0.0, 1e15}).value_or(op.bytes_per_s);
  op.operations_per_s = in.number(*parts, "median_ops", {0.0, 1e12}).value_or(op.operations_per_s);
}

Operation operation_of(Reading& in, const Node& node, std::string type) {
  Operation op;
  op.type = std::move(type);
  op.place = node.place;
  op.concurrency = in.number(node, "concurrency", {0.0, 1e8}).value_or(0.0);
  read_throughput(in, node, op);
  if (const Node* single = in.member(node, "single_sized_requests", Node::Type::object, false))
    read_requests(in, *single, op);
  const Node* clients = in.member(node, "requests_by_client", Node::Type::object, false);
  if (clients != nullptr && !clients->members.empty()) {
    const Node& windows = clients->members.front().value;
    if (windows.is(Node::Type::array) && !windows.items.empty())
      if (const Node* single = in.member(windows.items.front(), "single_sized_requests", Node::Type::object, false)) {
        read_requests(in, *single, op);
        if (clients->members.size() > 1 || windows.items.size() > 1) add_flag(op.flags, "first_window");
      }
  }
  return op;
}

void check(Reading& in, Operation& op) {
  if (op.object_bytes > 0.0 && op.average_per_s > 0.0)
    in.agree(op.place, op.type + ": bytes/s and requests/s times the object size", op.average_bytes_per_s,
             op.average_per_s * op.object_bytes);
  const double least = std::min(op.average_per_s, op.operations_per_s);
  const double most = std::max(op.average_per_s, op.operations_per_s);
  in.little(op.place, op.type, op.concurrency, least, most, op.mean_s, op.flags);
}

void add(Reading& in, const Operation& op) {
  const bool get = op.type == "GET";
  const std::string text =
      fmt::format("{} of {}, {:g} at a time, median of segments", op.type, size_text(op.object_bytes), op.concurrency);
  if (get || op.type == "PUT")
    in.add(get ? "object_store.bandwidth" : "object_store.write_bandwidth", "B/s", op.bytes_per_s,
           in.store_target(get ? "bandwidth" : "write_bandwidth"), text, op.flags);
  if (!get) {
    in.add(fmt::format("object_store.{}", op.type), "1/s", op.operations_per_s, "", text, op.flags);
    return;
  }
  in.add("object_store.requests", "1/s", op.operations_per_s, in.store_target("requests"), text, op.flags);
  std::vector<std::string> flags = op.flags;
  add_flag(flags, "under_load");
  if (op.first_byte_s > 0.0) {
    if (op.first_byte.empty()) add_flag(flags, "average_only");
    Parameter& p = in.add("object_store.first_byte", "s", op.first_byte_s, in.store_target("latency"), text, flags);
    p.quantiles = op.first_byte;
  }
  if (op.mean_s > op.first_byte_s && op.first_byte_s > 0.0 && op.object_bytes > 0.0)
    in.add("object_store.stream", "B/s", op.object_bytes / (op.mean_s - op.first_byte_s), in.store_target("stream"),
           text + ": size over mean time after the first byte", flags);
}

std::vector<Operation> operations_of(Reading& in, const Node& root) {
  std::vector<Operation> out;
  if (const Node* by_type = in.member(root, "by_op_type", Node::Type::object, false)) {
    for (const Member& one : by_type->members) out.push_back(operation_of(in, one.value, one.key));
    return out;
  }
  const Node* list = in.member(root, "operations", Node::Type::array, false);
  if (list == nullptr) return out;
  for (const Node& one : list->items) {
    const Node* skipped = one.find("skipped");
    if (skipped == nullptr || !skipped->boolean) out.push_back(operation_of(in, one, in.word(one, "type")));
  }
  return out;
}

}  // namespace

void import_warp(Reading& in) {
  in.record.imported->tool = "warp";
  if (in.text().starts_with("\x28\xB5\x2F\xFD"))
    return in.not_this(in.whole(), "this is the compressed list of requests",
                       "warp analyze --json FILE.csv.zst > FILE.json");
  const std::vector<Node> objects = in.objects();
  if (in.failed()) return;
  std::vector<Operation> operations = operations_of(in, objects.front());
  if (in.failed()) return;
  if (operations.empty())
    return in.not_this(objects.front().place, "this JSON has no \"operations\" or \"by_op_type\" with results",
                       "warp analyze --json FILE");
  for (Operation& op : operations) {
    check(in, op);
    if (in.failed()) return;
    add(in, op);
  }
}

}  // namespace headrace::scenarios
