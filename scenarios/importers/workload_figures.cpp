#include "scenarios/importers/workload_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "scenarios/document/document.hpp"
#include "scenarios/document/embedded_texts.hpp"

namespace headrace::scenarios {
namespace {

using models::WorkloadFigures;

class FiguresReader {
 public:
  FiguresReader(const Sources& sources, Diagnostics& diagnostics) : sources_(sources), diagnostics_(diagnostics) {}

  void complain(const char* code, std::string message, const Place& place, std::string help) {
    diagnostics_.add({code, std::move(message), "", excerpt_at(sources_, place), std::move(help), "", {}});
  }

  double number(const Node& entry, std::string_view key, double otherwise, double least) {
    const Node* node = entry.find(key);
    if (node == nullptr || node->is(Node::Type::null)) return otherwise;
    if (!node->is(Node::Type::number)) {
      complain("E0201", fmt::format("{} is {}, not a number", key, type_name(node->type)), node->place,
               "write a plain number in the unit that the key names");
      return otherwise;
    }
    if (std::isfinite(node->number) && node->number >= least && node->number <= 1e18) return node->number;
    complain("E0207", fmt::format("{} must be at least {:g}", key, least), node->place, "");
    return otherwise;
  }

  std::uint64_t count(const Node& entry, std::string_view key, std::uint64_t otherwise) {
    return static_cast<std::uint64_t>(number(entry, key, static_cast<double>(otherwise), 0.0));
  }

  std::string word(const Node& entry, std::string_view key) {
    const Node* node = entry.find(key);
    return node != nullptr && node->is(Node::Type::string) ? lower_case(node->text) : "";
  }

  /// A share of 1, also as the start of a remark: "0.90 (v0.5 rules)".
  double threshold(const Node& entry) {
    const Node* node = entry.find("au_threshold");
    if (node == nullptr || !node->is(Node::Type::string)) return number(entry, "au_threshold", 0.0, 0.0);
    double value = 0.0;
    const char* begin = node->text.data();
    const auto [end, error] = std::from_chars(begin, begin + node->text.size(), value);
    if (error == std::errc() && value >= 0.0 && value < 1.0) return value;
    complain("E0201", "au_threshold is not a share between 0 and 1", node->place, "write 0.9 for 90 %");
    return 0.0;
  }

  WorkloadFigures entry(const Node& node) {
    WorkloadFigures figures;
    figures.workload = word(node, "workload");
    figures.accelerator = word(node, "accelerator");
    figures.computation_time_s = number(node, "computation_time_s", 0.0, 1e-9);
    figures.batch_size = count(node, "batch_size", 0);
    figures.record_bytes = number(node, "record_length_bytes", 0.0, 1.0);
    figures.record_stdev_bytes = number(node, "record_length_stdev", 0.0, 0.0);
    figures.samples_per_file = std::max<std::uint64_t>(count(node, "samples_per_file", 1), 1);
    figures.read_threads = std::max<std::uint64_t>(count(node, "read_threads_default", 4), 1);
    figures.prefetch_size = count(node, "prefetch_size_default", 2);
    const std::string loader = word(node, "data_loader");
    const std::string framework = loader.empty() ? word(node, "framework") : loader;
    figures.workers_hold_batches = framework != "tensorflow";
    figures.au_threshold = threshold(node);
    return figures;
  }

 private:
  const Sources& sources_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

tl::expected<std::vector<WorkloadFigures>, Diagnostics> read_workload_figures(const std::string& file_name,
                                                                              const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  const std::uint32_t source = sources.add({SourceKind::file, file_name, text, 0});
  const auto root = parse_document(sources, source, diagnostics);
  if (!root || !diagnostics.empty()) return tl::unexpected(diagnostics);
  FiguresReader reader(sources, diagnostics);
  const Node* list = root->find("training");
  if (list == nullptr || !list->is(Node::Type::array)) {
    reader.complain("E0202", "the file has no list \"training\"", {source, 0, 0},
                    "list the workloads there: {\"training\": [{\"workload\": \"unet3d\", ...}]}");
    return tl::unexpected(diagnostics);
  }
  std::vector<WorkloadFigures> all;
  for (const Node& node : list->items) {
    WorkloadFigures figures = reader.entry(node);
    if (figures.computation_time_s > 0.0 && figures.batch_size > 0 && figures.record_bytes > 0.0)
      all.push_back(std::move(figures));
  }
  if (!diagnostics.empty()) return tl::unexpected(diagnostics);
  return all;
}

const std::vector<WorkloadFigures>& shipped_workload_figures() {
  static const std::vector<WorkloadFigures> figures = [] {
    const EmbeddedText& text = embedded_workload_figures().front();
    auto read = read_workload_figures(std::string(text.name), std::string(text.text));
    if (!read) throw std::logic_error(print_text(read.error()));
    return *read;
  }();
  return figures;
}

}  // namespace headrace::scenarios
