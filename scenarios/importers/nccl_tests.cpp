// nccl-tests, as JSON (-J FILE) or as text. Fields: NVIDIA/nccl-tests, src/util.cu. Traps: times are means of many
// calls; NaN is the text "nan"; the bus bandwidth, not that of the algorithm, compares with the rate of a link.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Cell;

struct NcclResult {
  double bytes = 0.0;
  double time_s = 0.0;
  double algorithm_bytes_per_s = 0.0;
  double bus_bytes_per_s = 0.0;
  Place place;
};

/// The text has two digits behind the point, which is coarse for small sizes.
constexpr double kRateSlack = 1e7;

void check(Reading& in, const NcclResult& r) {
  in.agree(r.place, fmt::format("{}: algbw and size over time", size_text(r.bytes)), r.algorithm_bytes_per_s,
           r.bytes / r.time_s, kRateSlack);
}

/// The bus bandwidth is that of the algorithm times a number of the operation and of the ranks (nccl-tests,
/// doc/PERFORMANCE.md), the same at every size. The middle one of all sizes is taken for it.
void check_bus(Reading& in, const std::vector<NcclResult>& results) {
  std::vector<double> factors;
  for (const NcclResult& r : results)
    if (r.algorithm_bytes_per_s > 10.0 * kRateSlack) factors.push_back(r.bus_bytes_per_s / r.algorithm_bytes_per_s);
  if (factors.empty()) return;
  std::sort(factors.begin(), factors.end());
  const double factor = factors[factors.size() / 2];
  if (factor <= 0.0)
    return in.refuse("E0140", results.back().place, "busbw is 0 but algbw is not",
                     "is the file damaged, or was it run on one rank?");
  if (factor > 2.0 * (1.0 + kAgreement))  // 2 (n-1)/n of all-reduce is the largest of all operations
    return in.refuse("E0140", results.back().place, fmt::format("busbw is {:.3g} times algbw", factor),
                     "no operation has more than twice: is the file damaged?");
  for (const NcclResult& r : results)
    in.agree(r.place, fmt::format("{}: busbw and {:.4g} times algbw, as at other sizes", size_text(r.bytes), factor),
             r.bus_bytes_per_s, factor * r.algorithm_bytes_per_s, (1.0 + factor) * kRateSlack);
}

std::vector<NcclResult> json_results(Reading& in, double& ranks) {
  std::vector<NcclResult> out;
  const std::vector<Node> objects = in.objects();
  if (in.failed()) return out;
  const Node& root = objects.front();
  if (root.find("results") == nullptr || root.find("nccl_version") == nullptr) {
    in.not_this(root.place, "this JSON has no \"nccl_version\" and \"results\"",
                "write it with all_reduce_perf -J FILE");
    return out;
  }
  in.record.imported->tool = "nccl-tests, NCCL " + in.word(root, "nccl_version");
  in.record.date = in.word(root, "start_time").substr(0, 10);
  if (const Node* config = in.member(root, "config", Node::Type::object, false)) {
    const Node* devices = in.member(*config, "devices", Node::Type::array, false);
    ranks = in.number(*config, "ngpus", {1.0, 1e6}).value_or(1.0) *
            in.number(*config, "nthreads", {1.0, 1e6}).value_or(1.0);
    if (devices != nullptr) ranks = std::max(ranks, static_cast<double>(devices->items.size()));
  }
  const Node* results = in.member(root, "results", Node::Type::array, true);
  if (results == nullptr) return out;
  for (const Node& item : results->items) {
    const Node* body = in.member(item, "out_of_place", Node::Type::object, true);
    if (body == nullptr) return out;
    NcclResult r;
    r.place = item.place;
    r.bytes = in.number(item, "size", {0.0, 1e15, true}).value_or(0.0);
    r.time_s =
        1e-6 *
        in.number(*body, body->find("cpu_time") != nullptr ? "cpu_time" : "time", {0.0, 1e12, true}).value_or(0.0);
    r.algorithm_bytes_per_s = 1e9 * in.number(*body, "alg_bw", {0.0, 1e6, true}).value_or(0.0);
    r.bus_bytes_per_s = 1e9 * in.number(*body, "bus_bw", {0.0, 1e6, true}).value_or(0.0);
    if (in.failed()) return out;
    out.push_back(r);
  }
  return out;
}

/// "  8388608  2097152  float  sum  -1  183.5  45.71  80.00  0  ...": size, count, type, operation, root, then time
/// (us), algbw, busbw (GB/s), under a header with as many names; "# Avg bus bandwidth" closes them.
std::vector<NcclResult> text_results(Reading& in, double& ranks) {
  std::vector<NcclResult> out;
  std::size_t columns = 0;
  bool closed = false;
  for (const Line& line : in.lines()) {
    const auto words = words_of(line.text);
    closed = closed || line.text.starts_with("# Avg bus bandwidth");
    if (line.text.find("Rank ") != std::string_view::npos && line.text.starts_with("#")) ranks += 1.0;
    if (line.text.starts_with("# nccl-tests version") && words.size() > 3)
      in.record.imported->tool = fmt::format("nccl-tests {}", words[3]);
    if (line.text.find("algbw") != std::string_view::npos && line.text.find("busbw") != std::string_view::npos)
      columns = words.size() - (words[0] == "#" ? 1 : 0);
    if (columns == 0 || words.empty() || words[0].starts_with("#") || !decimal(words[0])) continue;
    if (words.size() < std::max<std::size_t>(columns, 8)) {
      in.not_this(line.place, fmt::format("{} cells under {} columns", words.size(), columns),
                  "is the file truncated?");
      return out;
    }
    NcclResult r;
    r.place = line.place;
    r.bytes = in.number_in(words[0], line.place, "size", {0.0, 1e15, true}).value_or(0.0);
    r.time_s = 1e-6 * in.number_in(words[5], line.place, "time", {0.0, 1e12, true}).value_or(0.0);
    r.algorithm_bytes_per_s = 1e9 * in.number_in(words[6], line.place, "algbw", {0.0, 1e6, true}).value_or(0.0);
    r.bus_bytes_per_s = 1e9 * in.number_in(words[7], line.place, "busbw", {0.0, 1e6, true}).value_or(0.0);
    if (in.failed()) return out;
    out.push_back(r);
  }
  if (!out.empty() && !closed)
    in.not_this(in.whole(), "no line '# Avg bus bandwidth' after the results", "is the file truncated?");
  return out;
}

void add_cells(Reading& in, const std::vector<NcclResult>& results, double ranks) {
  for (const NcclResult& r : results) {
    Cell cell;
    cell.probe = "collective";
    cell.detail = fmt::format("{:g} ranks", ranks);
    cell.block_bytes = r.bytes;
    cell.unit = "B/s";
    cell.estimate.value = cell.estimate.low = cell.estimate.high = r.bus_bytes_per_s;
    cell.estimate.verdict = models::calibration::Verdict::noisy;
    cell.flags = {"average_only"};
    in.record.cells.push_back(std::move(cell));
  }
}

}  // namespace

void import_nccl_tests(Reading& in) {
  const std::size_t begin = in.text().find_first_not_of(" \t\r\n");
  in.record.imported->tool = "nccl-tests";
  double ranks = 0.0;
  const bool json = begin != std::string_view::npos && in.text()[begin] == '{';
  std::vector<NcclResult> results = json ? json_results(in, ranks) : text_results(in, ranks);
  if (in.failed()) return;
  std::erase_if(results, [](const NcclResult& r) { return r.bytes <= 0.0 || r.time_s <= 0.0; });
  if (results.empty()) return in.not_this(in.whole(), "no line with size, time, algbw and busbw", "");
  for (const NcclResult& r : results) check(in, r);
  check_bus(in, results);
  if (in.failed()) return;
  add_cells(in, results, ranks);
  const auto by_bus = [](const NcclResult& a, const NcclResult& b) { return a.bus_bytes_per_s < b.bus_bytes_per_s; };
  const auto by_size = [](const NcclResult& a, const NcclResult& b) { return a.bytes < b.bytes; };
  const NcclResult& peak = *std::max_element(results.begin(), results.end(), by_bus);
  const NcclResult& smallest = *std::min_element(results.begin(), results.end(), by_size);
  in.add("collective.bus_bandwidth", "B/s", peak.bus_bytes_per_s, in.job_target("collective/inside_bandwidth"),
         fmt::format("{} on {:g} ranks, out of place", size_text(peak.bytes), ranks), {"average_only"});
  in.add("collective.smallest_time", "s", smallest.time_s, "",
         fmt::format("{} on {:g} ranks, out of place", size_text(smallest.bytes), ranks), {"average_only"});
  if (in.options().job.empty())
    in.note(
        "name the job of these collectives: --job NAME; it must have a \"collective\". The rate counts as the rate "
        "inside a node");
}

}  // namespace headrace::scenarios
