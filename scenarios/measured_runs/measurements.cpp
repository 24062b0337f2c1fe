#include "scenarios/measured_runs/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

#include "models/backtest/closed_loop.hpp"
#include "scenarios/document/csv_table.hpp"
#include "scenarios/document/edit_distance.hpp"
#include "scenarios/importers/workload_figures.hpp"
#include "scenarios/measured_runs/declared_limits.hpp"
#include "sim/portable_math.hpp"

namespace headrace::scenarios {
namespace {

using models::MeasuredRun;
using models::WorkloadFigures;

/// Steps of an epoch where the number of files is not stated: the least that MLPerf Storage allows.
constexpr std::uint64_t kLeastRunSteps = 500;
constexpr double kMost = 1e15;
constexpr double kBeyondCards = 4.0;     ///< times the declared cards of a client, drives of its own included
constexpr double kMostOfClient = 1e12;   ///< bytes/s of one that declares no card: 16 lanes of PCIe 6 into 8 devices
constexpr double kBeyondCompute = 1.05;  ///< times the rate of accelerators that never wait

/// A column under the name of the results table and the shorter one of a user's own history.
struct ColumnName {
  std::string_view name;
  std::string_view other;
};
constexpr ColumnName kWorkload{"workload", ""};
constexpr ColumnName kAccelerator{"accelerator", ""};
constexpr ColumnName kAccelerators{"num_accelerators", "accelerators"};
constexpr ColumnName kHosts{"num_client_hosts", "hosts"};
constexpr ColumnName kSubmitter{"submitter", ""};
constexpr ColumnName kSystem{"system", ""};
constexpr ColumnName kDivision{"division", ""};
constexpr ColumnName kRole{"role", ""};
constexpr ColumnName kAu{"AU_pct_mean", "au_percent"};
constexpr ColumnName kSamples{"samples_per_s", ""};
constexpr ColumnName kThreads{"read_threads", ""};
constexpr ColumnName kBatch{"batch_size", ""};
constexpr ColumnName kCompute{"computation_time_s", ""};
constexpr ColumnName kRecord{"record_length_B", "record_bytes"};
constexpr ColumnName kRecordStdev{"record_length_stdev_B", "record_stdev_bytes"};
constexpr ColumnName kFiles{"num_files_train", "files"};
constexpr ColumnName kPerFile{"samples_per_file", ""};
constexpr ColumnName kMemory{"client_mem_GB", ""};
constexpr ColumnName kMedia{"media", ""};
constexpr ColumnName kNetwork{"network", ""};
constexpr ColumnName kNodes{"nodes", ""};
constexpr ColumnName kStorage{"storage_GB_per_s", ""};
constexpr ColumnName kVersion{"version", ""};
constexpr ColumnName kThreshold{"AU_threshold_pct", ""};
constexpr ColumnName kCpuModel{"client_cpu_model", ""};
constexpr ColumnName kProduct{"storage_description", ""};

constexpr ColumnName kRead[] = {kWorkload,    kAccelerator, kAccelerators, kHosts,    kSubmitter, kSystem,  kDivision,
                                kRole,        kAu,          kSamples,      kThreads,  kBatch,     kCompute, kRecord,
                                kRecordStdev, kFiles,       kPerFile,      kMemory,   kMedia,     kNetwork, kNodes,
                                kStorage,     kVersion,     kThreshold,    kCpuModel, kProduct};

/// Columns of the results table that repeat or describe and decide nothing.
constexpr std::string_view kDescriptive[] = {"row_kind",
                                             "MiB_per_s",
                                             "GB_per_s",
                                             "AU_pct_min_epoch",
                                             "AU_pct_max_epoch",
                                             "AU_pct_stdev_across_runs",
                                             "runs",
                                             "ideal_samples_per_s",
                                             "throughput_vs_ideal_pct",
                                             "overhead_ms_per_step",
                                             "epoch_duration_s_mean",
                                             "dataset_TB",
                                             "client_cpus",
                                             "per_step_rank_outputs",
                                             "checkpoint_save_GB_s",
                                             "checkpoint_load_GB_s",
                                             "checkpoint_size_GB",
                                             "notes",
                                             "source"};

using Row = std::vector<CsvCell>;

class MeasurementReader {
 public:
  MeasurementReader(const Sources& sources, Diagnostics& diagnostics, const CsvTable& table,
                    const std::vector<WorkloadFigures>& figures)
      : sources_(sources), diagnostics_(diagnostics), table_(table), figures_(figures) {}

  void check_columns() {
    for (const ColumnName& column : {kWorkload, kAccelerator, kAccelerators})
      if (!find(column))
        complain("E0202", fmt::format("the table has no column '{}'", column.name), table_.header.front().place,
                 "every row needs workload, accelerator and num_accelerators; docs/how-to/backtest.md lists the rest");
    if (!find(kAu) && !find(kSamples))
      complain("E0202", "the table has neither AU_pct_mean nor samples_per_s", table_.header.front().place,
               "a backtest needs at least one measured column");
  }

  std::vector<std::string> unused_columns() const {
    std::vector<std::string> unused;
    for (const CsvCell& cell : table_.header) {
      const bool read = std::any_of(std::begin(kRead), std::end(kRead), [&](const ColumnName& column) {
        return cell.text == column.name || cell.text == column.other;
      });
      const auto* end = std::end(kDescriptive);
      if (!read && !cell.text.empty() && std::find(std::begin(kDescriptive), end, cell.text) == end)
        unused.push_back(cell.text);
    }
    return unused;
  }

  MeasuredRun run_of(const Row& row) {
    MeasuredRun run;
    run.line = static_cast<std::size_t>(position_of(row.front().place).line);
    run.submitter = word(row, kSubmitter);
    run.system = word(row, kSystem);
    run.figures = figures_for(row, run.missing);
    run.kind = kind_of(row);
    run.storage = storage_of(row);
    run.hands_over = !word(row, kVersion).starts_with("v3");  // its workers pass a batch on without a copy
    run.hosts = count(row, kHosts, run.missing).value_or(1);
    run.accelerators = count(row, kAccelerators, run.missing).value_or(0);
    run.read_threads = count(row, kThreads, run.missing).value_or(run.figures.read_threads);
    run.au_percent = number(row, kAu, 1e-6, 101.0, run.missing);
    run.samples_per_s = number(row, kSamples, 1e-9, kMost, run.missing);
    const bool failed = run.au_percent && *run.au_percent < 100.0 * run.figures.au_threshold;
    run.published = !word(row, kDivision).empty() && !failed;  // a run below the threshold is no result
    add_missing(run);
    if (!run.missing.empty()) return run;
    set_steps(run, row);
    set_limits(run, row);
    if (!run.au_percent && run.samples_per_s) derive_au(run);
    refuse_impossible(run);
    return run;
  }

  std::optional<std::size_t> find(const ColumnName& column) const {
    const auto by_name = table_.column(column.name);
    return by_name || column.other.empty() ? by_name : table_.column(column.other);
  }

  void complain(const char* code, std::string message, const Place& place, std::string help) {
    diagnostics_.add({code, std::move(message), "", excerpt_at(sources_, place), std::move(help), "", {}});
  }

  const CsvCell* cell(const Row& row, const ColumnName& column) const {
    const auto index = find(column);
    return index && !row[*index].text.empty() ? &row[*index] : nullptr;
  }

  std::string word(const Row& row, const ColumnName& column) const {
    const CsvCell* found = cell(row, column);
    return found == nullptr ? "" : found->text;
  }

 private:
  Position position_of(const Place& place) const { return position_at(sources_[place.source].text, place.begin); }

  /// Nothing for an empty cell and for what people write there. A value that cannot be is the row's fault: `missing`
  /// then says so. Text that is no number is complained about, since it may mean another format of the whole table.
  std::optional<double> number(const Row& row, const ColumnName& column, double least, double most,
                               std::string& missing) {
    const CsvCell* found = cell(row, column);
    if (found == nullptr || means_nothing(found->text)) return std::nullopt;
    double value = 0.0;
    const char* end = found->text.data() + found->text.size();
    const auto [stop, error] = std::from_chars(found->text.data(), end, value);
    if (error != std::errc() || stop != end) {
      complain("E0201", fmt::format("'{}' in the column {} is not a number", found->text, column.name), found->place,
               "write a plain number with a decimal point, or leave the cell empty");
      return std::nullopt;
    }
    if (value >= least && value <= most) return value;
    if (missing.empty()) missing = fmt::format("{} is {}, outside {:g} to {:g}", column.name, found->text, least, most);
    return std::nullopt;
  }

  static bool means_nothing(const std::string& text) {
    const std::string word = lower_case(text);
    constexpr std::string_view kNothing[] = {"n/a", "na", "nan", "-", "--", "none", "null"};
    return std::find(std::begin(kNothing), std::end(kNothing), word) != std::end(kNothing);
  }

  std::optional<std::uint64_t> count(const Row& row, const ColumnName& column, std::string& missing) {
    const auto value = number(row, column, 1.0, kMost, missing);
    if (!value) return std::nullopt;
    if (std::floor(*value) == *value) return static_cast<std::uint64_t>(*value);
    if (missing.empty()) missing = fmt::format("{} is {}, not a whole number", column.name, cell(row, column)->text);
    return std::nullopt;
  }

  /// AMD calls the same accelerator MI355X, MLPerf Storage MI355.
  static std::string_view model_of(std::string_view accelerator) {
    return accelerator.substr(0, accelerator.size() - (accelerator.ends_with('x') ? 1 : 0));
  }

  WorkloadFigures figures_for(const Row& row, std::string& missing) {
    const std::string workload = lower_case(word(row, kWorkload));
    const std::string accelerator = lower_case(word(row, kAccelerator));
    WorkloadFigures result;
    bool known = false;
    for (const WorkloadFigures& figures : figures_) {
      if (figures.workload != workload) continue;
      const bool exact = model_of(figures.accelerator) == model_of(accelerator);
      if (known && !exact) continue;
      result = figures;  // another accelerator of the workload: its samples and threshold hold, its times do not
      if (!exact) result.computation_time_s = 0.0;
      if (!exact) result.batch_size = 0;
      result.accelerator = exact ? figures.accelerator : accelerator;
      known = true;
      if (figures.accelerator == accelerator) break;
    }
    result.workload = workload;
    if (!known) result.accelerator = accelerator;
    result.computation_time_s = number(row, kCompute, 1e-9, 1e6, missing).value_or(result.computation_time_s);
    result.batch_size = count(row, kBatch, missing).value_or(result.batch_size);
    result.record_bytes = number(row, kRecord, 1e-6, kMost, missing).value_or(result.record_bytes);
    result.record_stdev_bytes = number(row, kRecordStdev, 0.0, kMost, missing).value_or(result.record_stdev_bytes);
    result.samples_per_file = count(row, kPerFile, missing).value_or(result.samples_per_file);
    if (const auto percent = number(row, kThreshold, 0.0, 100.0, missing)) result.au_threshold = 0.01 * *percent;
    if (workload.empty()) missing = "the workload is missing";
    return result;
  }

  /// Product and size, or drives and network.
  std::string storage_of(const Row& row) const {
    const std::string product = word(row, kProduct);
    return product.empty() ? word(row, kMedia) + word(row, kNetwork) : product;
  }

  /// What two systems that differ in size only have in common: product, or drives and network, processor and cards of a
  /// client. A product ends before the first figure of its size.
  std::string kind_of(const Row& row) const {
    std::string storage = storage_of(row);
    if (!word(row, kProduct).empty()) storage.erase(std::min(storage.find_first_of(";,"), storage.size()));
    const std::string processor = word(row, kCpuModel);
    if (storage.empty() || processor.empty()) return "";
    return fmt::format("{}|{}|{:g}", storage, processor, declared_client_nic_bytes_per_s(word(row, kNodes)));
  }

  /// A slip in a unit is a factor of 8 or 1000, one in a count may be smaller: a row of figures that no hardware gives
  /// calibrates nothing. Drives in the clients are read without their cards.
  static void refuse_impossible(MeasuredRun& run) {
    if (!run.missing.empty()) return;
    const double ideal = models::ideal_samples_per_s(run);
    const double carried = ideal * run.figures.record_bytes * run.au_percent.value_or(0.0) / 100.0;
    const double cards = run.client_nic_bytes_per_s > 0.0
                             ? run.client_nic_bytes_per_s
                             : kMostOfClient / kBeyondCards * static_cast<double>(run.hosts);
    if (carried > kBeyondCards * cards)
      run.missing = fmt::format(
          "{:.4g} GB/s into {} clients is more than their network and drives can carry: check "
          "num_accelerators, record_length_B and computation_time_s",
          1e-9 * carried, run.hosts);
    else if (run.samples_per_s.value_or(0.0) > kBeyondCompute * ideal)
      run.missing = fmt::format("samples_per_s is {:.4g}, the accelerators compute at most {:.4g}: check the unit",
                                *run.samples_per_s, ideal);
  }

  static void add_missing(MeasuredRun& run) {
    if (!run.missing.empty()) return;
    const WorkloadFigures& figures = run.figures;
    const std::string which = fmt::format("{} on {}", figures.workload, figures.accelerator);
    if (run.accelerators == 0)
      run.missing = "num_accelerators is missing";
    else if (run.accelerators < run.hosts)
      run.missing = "fewer accelerators than hosts";
    else if (figures.computation_time_s <= 0.0)
      run.missing = fmt::format("the computation time of {} is not known", which);
    else if (figures.batch_size == 0)
      run.missing = fmt::format("the batch size of {} is not known", which);
    else if (figures.record_bytes <= 0.0)
      run.missing = fmt::format("the record size of {} is not known", figures.workload);
  }

  void set_steps(MeasuredRun& run, const Row& row) {
    run.steps = kLeastRunSteps;
    const auto files = count(row, kFiles, run.missing);
    if (!files) return;
    const double samples = static_cast<double>(*files) * static_cast<double>(run.figures.samples_per_file);
    const double per_step = static_cast<double>(run.accelerators) * static_cast<double>(run.figures.batch_size);
    run.steps = static_cast<std::uint64_t>(samples / per_step);
    if (run.steps < 2 && run.missing.empty()) run.missing = "the dataset has fewer than two steps of every accelerator";
  }

  void set_limits(MeasuredRun& run, const Row& row) {
    const auto hosts = static_cast<double>(run.hosts);
    run.client_nic_bytes_per_s = hosts * declared_client_nic_bytes_per_s(word(row, kNodes));
    if (const auto stated = number(row, kStorage, 1e-9, 1e9, run.missing)) {
      run.storage_bytes_per_s = *stated * 1e9;
      return;
    }
    if (!word(row, kNetwork).empty()) return;  // drives behind a network: how many machines is not in the table
    run.storage_bytes_per_s = hosts * declared_drive_bytes_per_s(word(row, kMedia));
    const double memory = number(row, kMemory, 1e-3, 1e9, run.missing).value_or(0.0) * 1e9;
    const double dataset = static_cast<double>(run.steps) * static_cast<double>(run.accelerators) *
                           static_cast<double>(run.figures.batch_size) * run.figures.record_bytes;
    run.page_cache_hits = reshuffled_hits(memory / dataset);
  }

  /// Hits of an LRU cache of share c under a new random order every epoch: c + (1 - c) ln(1 - c).
  static double reshuffled_hits(double c) { return c >= 1.0 ? 1.0 : c + (1.0 - c) * sim::plog1p(-c); }

  static void derive_au(MeasuredRun& run) {
    run.au_percent = std::min(100.0 * *run.samples_per_s / models::ideal_samples_per_s(run), 100.0);
  }

  const Sources& sources_;
  Diagnostics& diagnostics_;
  const CsvTable& table_;
  const std::vector<WorkloadFigures>& figures_;
};

/// Marks the smallest count of every series, by the facts of its rows; a series of one row has nothing to predict from
/// it, so it calibrates its system as well. A row that can tell nothing is passed over where another can.
void choose_smallest(std::vector<MeasuredRun>& runs) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, MeasuredRun*> smallest;
  for (MeasuredRun& run : runs) {
    const std::string& kind = run.kind.empty() ? run.system : run.kind;
    MeasuredRun*& least = smallest[{run.submitter, kind, run.figures.workload, run.figures.accelerator}];
    const auto order = [](const MeasuredRun& of) {
      return std::pair{!of.missing.empty() || !of.au_percent, of.accelerators};
    };
    if (least == nullptr || order(run) < order(*least)) least = &run;
  }
  for (auto& [series, run] : smallest) run->calibrates = true;
}

void choose_by_role(std::vector<MeasuredRun>& runs, const CsvTable& table, MeasurementReader& reader) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const CsvCell* cell = reader.cell(table.rows[i], kRole);
    const std::string role = cell == nullptr ? "predict" : lower_case(cell->text);
    if (role != "calibrate" && role != "predict")
      reader.complain("E0208", fmt::format("'{}' is not a role", cell->text), cell->place, "calibrate or predict");
    runs[i].calibrates = role == "calibrate";
  }
}

struct Condition {
  std::size_t column = 0;
  std::string value;
};

class FilterReader {
 public:
  FilterReader(const CsvTable& table, MeasurementReader& reader, Diagnostics& diagnostics)
      : table_(table), reader_(reader), diagnostics_(diagnostics) {}

  void complain(std::string message, std::string help) {
    Excerpt where;
    where.file = "--from";
    diagnostics_.add({"E0211", std::move(message), "", where, std::move(help), "", {}});
  }

  std::vector<Condition> conditions(std::string_view filter) {
    std::vector<Condition> all;
    while (!filter.empty()) {
      const std::size_t comma = filter.find(',');
      add(all, filter.substr(0, comma));
      filter.remove_prefix(comma == std::string_view::npos ? filter.size() : comma + 1);
    }
    return all;
  }

 private:
  void add(std::vector<Condition>& all, std::string_view part) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      complain(fmt::format("'{}' is not a condition", part), "write column=value, smallest or role");
      return;
    }
    const std::string_view name = part.substr(0, equals);
    auto column = table_.column(name);
    for (const ColumnName& known : kRead)
      if (!column && (name == known.name || (!known.other.empty() && name == known.other)))
        column = reader_.find(known);
    if (column) {
      all.push_back({*column, lower_case(std::string(part.substr(equals + 1)))});
      return;
    }
    std::vector<std::string_view> names;
    for (const CsvCell& cell : table_.header) names.emplace_back(cell.text);
    const std::string_view near = nearest(name, names);
    complain(fmt::format("the table has no column '{}'", name),
             near.empty() ? "--from selects by the columns of the table" : fmt::format("did you mean '{}'?", near));
  }

  const CsvTable& table_;
  MeasurementReader& reader_;
  Diagnostics& diagnostics_;
};

void choose_by_conditions(std::vector<MeasuredRun>& runs, const CsvTable& table, const std::vector<Condition>& all) {
  for (std::size_t i = 0; i < runs.size(); ++i)
    runs[i].calibrates = std::all_of(all.begin(), all.end(), [&](const Condition& condition) {
      return lower_case(table.rows[i][condition.column].text) == condition.value;
    });
}

void choose(std::vector<MeasuredRun>& runs, const CsvTable& table, const std::string& filter, MeasurementReader& reader,
            Diagnostics& diagnostics) {
  FilterReader filters(table, reader, diagnostics);
  if (filter.empty() || filter == "role") {
    if (reader.find(kRole))
      choose_by_role(runs, table, reader);
    else if (!filter.empty())
      filters.complain("the table has no column 'role'", "add it, or select by another: accelerator=a100, smallest");
    return;
  }
  if (filter == "smallest") {
    choose_smallest(runs);
    return;
  }
  const std::size_t before = diagnostics.size();
  const std::vector<Condition> conditions = filters.conditions(filter);
  if (diagnostics.size() != before) return;
  choose_by_conditions(runs, table, conditions);
  if (std::none_of(runs.begin(), runs.end(), [](const MeasuredRun& run) { return run.calibrates; }))
    filters.complain(fmt::format("no row has {}", filter), "write the value as in the table");
}

}  // namespace

tl::expected<Measurements, Diagnostics> read_measurements(const std::string& file_name, const std::string& text,
                                                          const std::string& filter,
                                                          const std::vector<WorkloadFigures>& figures) {
  Sources sources;
  Diagnostics diagnostics;
  const std::uint32_t source = sources.add({SourceKind::file, file_name, text, 0});
  const auto table = parse_csv(sources, source, diagnostics);
  if (!table) return tl::unexpected(diagnostics);
  MeasurementReader reader(sources, diagnostics, *table, figures);
  reader.check_columns();
  if (!diagnostics.empty()) return tl::unexpected(diagnostics);
  Measurements result;
  for (const Row& row : table->rows) result.runs.push_back(reader.run_of(row));
  choose(result.runs, *table, filter, reader, diagnostics);
  if (!diagnostics.empty()) return tl::unexpected(diagnostics);
  result.unused_columns = reader.unused_columns();
  return result;
}

}  // namespace headrace::scenarios
