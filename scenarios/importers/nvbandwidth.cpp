// nvbandwidth -j. Fields: NVIDIA/nvbandwidth, json_output.cpp. Traps: cells of the matrix are texts and may be "N/A",
// which the tool's own minimum counts as 0; the unit stands in brackets at the end of the description; one size (512
// MiB), pinned memory and no launch: what a loader copies is smaller and slower.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Parameter;

struct Meaning {
  std::string_view test;
  const char* name;
  const char* target;  ///< below the pool; empty: none
};

constexpr std::array<Meaning, 8> kMeanings = {{{"host_to_device_memcpy_ce", "h2d.pinned", "gpu/pcie"},
                                               {"host_to_device_memcpy_sm", "h2d.pinned_by_kernel", ""},
                                               {"device_to_host_memcpy_ce", "d2h.pinned", ""},
                                               {"host_to_device_bidirectional_memcpy_ce", "h2d.pinned_both_ways", ""},
                                               {"device_to_host_bidirectional_memcpy_ce", "d2h.pinned_both_ways", ""},
                                               {"all_to_host_memcpy_ce", "d2h.all_gpus", ""},
                                               {"host_to_all_memcpy_ce", "h2d.all_gpus", ""},
                                               {"device_local_copy", "gpu.memory_copy", ""}}};

/// Factor and unit of "... bandwidth (GB/s)".
std::optional<std::pair<double, const char*>> unit_of(std::string_view description) {
  if (description.find("(GB/s)") != std::string_view::npos) return std::pair{1e9, "B/s"};
  if (description.find("(MB/s)") != std::string_view::npos) return std::pair{1e6, "B/s"};
  if (description.find("(ns)") != std::string_view::npos) return std::pair{1e-9, "s"};
  if (description.find("(us)") != std::string_view::npos) return std::pair{1e-6, "s"};
  return std::nullopt;
}

std::vector<double> cells_of(Reading& in, const Node& test) {
  std::vector<double> cells;
  const Node* matrix = in.member(test, "bandwidth_matrix", Node::Type::array, true);
  if (matrix == nullptr) return cells;
  for (const Node& row : matrix->items) {
    if (row.is(Node::Type::null)) continue;
    if (!row.is(Node::Type::array)) {
      in.refuse("E0201", row.place, "a row of the matrix is a list", "");
      return cells;
    }
    for (const Node& cell : row.items) {
      if (cell.text == "N/A") continue;
      if (const auto value = in.number_in(cell.text, cell.place, "a cell of the matrix", {0.0, 1e9, true}))
        cells.push_back(*value);
    }
  }
  return cells;
}

void check_sum(Reading& in, const Node& test, const std::vector<double>& cells) {
  double sum = 0.0;
  for (const double cell : cells) sum += cell;
  if (const auto stated = in.number(test, "sum", {0.0, 1e12}))
    in.agree(test.place, fmt::format("{}: sum of the matrix", in.word(test, "name")), *stated, sum);
}

void read_test(Reading& in, const Node& test) {
  const std::string name = in.word(test, "name");
  const std::string status = in.word(test, "status");
  if (status != "Passed") return in.note(fmt::format("{}: {}, left out", name, status.empty() ? "no status" : status));
  const std::string description = in.word(test, "bandwidth_description");
  const auto unit = unit_of(description);
  if (!unit)
    return in.not_this(test.place, fmt::format("{}: no unit in '{}'", name, description), "GB/s or ns in brackets");
  std::vector<double> cells = cells_of(in, test);
  if (in.failed()) return;
  if (cells.empty()) return in.note(name + ": every cell is N/A, left out");
  check_sum(in, test, cells);
  const auto known = std::find_if(kMeanings.begin(), kMeanings.end(), [&](const Meaning& m) { return m.test == name; });
  const auto [least, most] = std::minmax_element(cells.begin(), cells.end());
  std::vector<std::string> flags = {"pinned_only", "one_size"};
  if (cells.size() > 1) flags.emplace_back("interval_across_gpus");
  double sum = 0.0;
  for (const double cell : cells) sum += cell;
  const bool has_target = known != kMeanings.end() && known->target[0] != '\0';
  Parameter& p =
      in.add(known == kMeanings.end() ? "nvbandwidth." + name : known->name, unit->second,
             unit->first * sum / static_cast<double>(cells.size()), has_target ? in.pool_target(known->target) : "",
             fmt::format("{}: {} cells, buffers of 512 MiB by default", name, cells.size()), flags);
  p.low = unit->first * *least;
  p.high = unit->first * *most;
}

}  // namespace

void import_nvbandwidth(Reading& in) {
  const std::vector<Node> objects = in.objects();
  if (in.failed()) return;
  const Node* root = objects.front().find("nvbandwidth");
  if (root == nullptr || !root->is(Node::Type::object))
    return in.not_this(objects.front().place, "this JSON has no \"nvbandwidth\"", "write it with nvbandwidth -j");
  if (root->find("error") != nullptr && root->find("testcases") == nullptr)
    return in.not_this(root->place, "the run failed: " + in.word(*root, "error"), "");
  in.record.imported->tool =
      fmt::format("nvbandwidth {}",
                  in.word(*root, "git_version").empty() ? in.word(*root, "version") : in.word(*root, "git_version"));
  for (const char* key : {"CUDA Runtime Version", "Driver Version"})
    if (const std::string text = in.word(*root, key); !text.empty()) in.record.host.push_back({key, text});
  const Node* tests = in.member(*root, "testcases", Node::Type::array, true);
  if (tests == nullptr) return;
  for (const Node& test : tests->items) {
    if (!test.is(Node::Type::object)) return in.refuse("E0201", test.place, "a test case is an object", "");
    read_test(in, test);
    if (in.failed()) return;
  }
  if (in.record.parameters.empty()) in.not_this(tests->place, "no test passed", "");
}

}  // namespace headrace::scenarios
