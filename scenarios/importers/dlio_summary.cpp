// summary.json of a DLIO (MLPerf Storage) run. Fields: argonne-lcf/dlio_benchmark, statscounter.py. It is what a whole
// run came to, so it becomes a row for headrace backtest, to be predicted, and never a figure of a device. Traps: "MB"
// are MiB; throughput is short by two steps whatever was excluded; lists have a value for each epoch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/importers/importers.hpp"
#include "scenarios/importers/workload_figures.hpp"

namespace headrace::scenarios {
namespace {

const models::WorkloadFigures* find_figures(Reading& in) {
  const auto& options = in.options();
  std::string known;
  for (const models::WorkloadFigures& f : shipped_workload_figures()) {
    if (f.workload == options.workload && f.accelerator == options.accelerator) return &f;
    known += fmt::format("{}{} on {}", known.empty() ? "" : ", ", f.workload, f.accelerator);
  }
  if (options.workload.empty() || options.accelerator.empty())
    in.refuse("E0202", in.whole(), "the summary does not say which workload ran on which accelerator",
              "give it: --workload unet3d --accelerator h100");
  else
    in.note(
        fmt::format("'{}' on '{}' is not a shipped workload ({}): give its figures to headrace backtest with "
                    "--workloads; sizes are not checked",
                    options.workload, options.accelerator, known));
  return nullptr;
}

/// Mean of a list of figures of epochs.
std::optional<double> mean_of(Reading& in, const Node& metric, const char* key, double max) {
  const Node* list = in.member(metric, key, Node::Type::array, false);
  if (list == nullptr || list->items.empty()) return std::nullopt;
  double sum = 0.0;
  for (const Node& item : list->items) {
    const auto value = in.number_in(item.text, item.place, key, {0.0, max, true});
    if (!value) return std::nullopt;
    sum += *value;
  }
  return sum / static_cast<double>(list->items.size());
}

void check(Reading& in, const Node& metric, const models::WorkloadFigures* figures, double au_percent,
           double samples_per_s, double accelerators) {
  if (const auto epochs = mean_of(in, metric, "train_au_percentage", 101.0))
    in.agree(metric.place, "train_au_mean_percentage and the mean of its epochs", au_percent, *epochs);
  if (const auto epochs = mean_of(in, metric, "train_throughput_samples_per_second", 1e12))
    in.agree(metric.place, "train_throughput_mean_samples_per_second and the mean of its epochs", samples_per_s,
             *epochs);
  if (figures == nullptr || in.failed()) return;
  if (const auto mib = in.number(metric, "train_io_mean_MB_per_second", {0.0, 1e12}))
    in.agree(metric.place,
             fmt::format("train_io_mean_MB_per_second (MiB/s) and samples/s times the {:.6g} B of a sample of {}",
                         figures->record_bytes, figures->workload),
             *mib * 1048576.0, samples_per_s * figures->record_bytes);
  // AU is compute time over all time, which the rate tells too; the rate is short by two steps.
  const double by_rate =
      100.0 * samples_per_s * figures->computation_time_s / (static_cast<double>(figures->batch_size) * accelerators);
  if (by_rate > 100.0 * (1.0 + kAgreement))
    in.refuse("E0140", metric.place,
              fmt::format("{:.6g} samples/s are {:.0f} % of what {:g} accelerators can compute", samples_per_s, by_rate,
                          accelerators),
              "is it another workload or accelerator than stated?");
  else if (std::abs(by_rate - au_percent) > 5.0)
    in.note(
        fmt::format("AU is {:.1f} % by its own figure and {:.1f} % by samples/s: few steps, or other batches than the "
                    "workload's",
                    au_percent, by_rate));
}

bool may_be_cached(const Node& root) {
  const Node* caching = root.find("potential_caching");
  if (caching == nullptr) return false;
  if (!caching->is(Node::Type::array)) return caching->boolean || caching->number != 0.0;
  return std::any_of(caching->items.begin(), caching->items.end(),
                     [](const Node& n) { return n.boolean || n.number != 0.0; });
}

/// A cell of a table: quoted where it must be.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

void import_dlio_summary(Reading& in) {
  in.record.imported->tool = "DLIO";
  const std::vector<Node> objects = in.objects();
  if (in.failed()) return;
  const Node& root = objects.front();
  const Node* metric = root.find("metric");
  if (metric == nullptr || !metric->is(Node::Type::object) || root.find("num_accelerators") == nullptr)
    return in.not_this(root.place, "this JSON has no \"metric\" and \"num_accelerators\"",
                       "DLIO writes it as summary.json");
  if (metric->find("train_au_mean_percentage") == nullptr)
    return in.not_this(metric->place, "the run has no training: there is no train_au_mean_percentage",
                       "checkpoint runs are not supported yet");
  const models::WorkloadFigures* figures = find_figures(in);
  if (in.failed()) return;
  const double accelerators = in.number(root, "num_accelerators", {1.0, 1e7, true}).value_or(1.0);
  const double au = in.number(*metric, "train_au_mean_percentage", {0.0, 101.0, true}).value_or(0.0);
  const double rate = in.number(*metric, "train_throughput_mean_samples_per_second", {0.0, 1e12, true}).value_or(0.0);
  const double hosts = in.number(root, "num_hosts", {1.0, 1e6}).value_or(1.0);
  const double files = in.number(root, "num_files_train", {0.0, 1e12}).value_or(0.0);
  if (in.failed()) return;
  check(in, *metric, figures, au, rate, accelerators);
  if (in.failed()) return;
  if (may_be_cached(root))
    in.note("potential_caching: the dataset may have come from memory; the prediction assumes it did not");
  in.table =
      "system,workload,accelerator,num_accelerators,num_client_hosts,num_files_train,AU_pct_mean,samples_per_s,role\n";
  in.table += fmt::format("{},{},{},{:.0f},{:.0f},{},{},{},predict\n",
                          cell(in.options().name.empty() ? in.file() : in.options().name), cell(in.options().workload),
                          cell(in.options().accelerator), accelerators, hosts,
                          files > 0.0 ? fmt::format("{:.0f}", files) : "", au, rate);
  in.note(
      "this is the result of a whole run, not a figure of a device: headrace backtest predicts it and shows the error");
}

}  // namespace headrace::scenarios
