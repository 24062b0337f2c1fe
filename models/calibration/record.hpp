// What a calibration found out: the machine, the cells that were measured window by window, the laws fitted to them and
// the parameters that follow, each with its interval and a verdict. Numbers are in SI units; `unit` names the unit of a
// parameter. The file that holds it (scenarios/document/site_file.hpp) is also a layer for scenarios.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/describe/declarations.hpp"

namespace headrace::models::calibration {

/// How far a figure can be trusted. Noisy: other load was at work, or the interval is wide. Undetermined: too few clean
/// windows, and the figure is not used.
enum class Verdict : std::uint8_t { clean, noisy, undetermined };
inline constexpr ChoiceName<Verdict> kVerdictNames[] = {
    {Verdict::clean, "clean"}, {Verdict::noisy, "noisy"}, {Verdict::undetermined, "undetermined"}};
constexpr std::string_view verdict_name(Verdict v) { return kVerdictNames[static_cast<std::size_t>(v)].name; }

/// How a figure is known: evidence of the model's own classes, or the catalogue's word for a device that was not
/// measured.
enum class FigureClass : std::uint8_t { assumed, datasheet, published, measured, catalogue };
inline constexpr ChoiceName<FigureClass> kFigureClassNames[] = {{FigureClass::assumed, "assumed"},
                                                                {FigureClass::datasheet, "datasheet"},
                                                                {FigureClass::published, "published"},
                                                                {FigureClass::measured, "measured"},
                                                                {FigureClass::catalogue, "catalogue"}};

/// One fact about the machine or the path, as text.
struct HostFact {
  std::string key;
  std::string value;
};

/// An ingredient that was missing, and what was done instead.
struct Downgrade {
  std::string field;   ///< "engine", "cache_control", "metadata_cold", ...
  std::string value;   ///< "threads", "fadvise", "skipped", ...
  std::string reason;  ///< one line
};

/// What else the machine did while a window was measured. Unknown figures are absent.
struct Contamination {
  std::optional<double> other_cpu_cores;
  std::optional<double> steal_fraction;
  std::optional<double> foreign_bytes_fraction;
  std::optional<double> cpu_pressure_percent;
  std::optional<double> io_pressure_percent;
};

struct Window {
  double start_s = 0.0;  ///< since the calibration began
  double length_s = 0.0;
  double rate_per_s = 0.0;
  Contamination contamination;
  bool clean = false;
};

/// Estimate of a positive figure from its windows.
struct Estimate {
  double value = 0.0;
  double low = 0.0;  ///< 95 % interval
  double high = 0.0;
  std::uint64_t windows = 0;
  std::uint64_t clean_windows = 0;
  Verdict verdict = Verdict::undetermined;
};

/// Latencies of a cell, ns: fio's layout (64 bins an octave), as pairs of bin and count.
struct HistogramRecord {
  std::uint64_t count = 0;
  double min_ns = 0.0;
  double max_ns = 0.0;
  double sum_ns = 0.0;
  std::vector<double> bins;  ///< bin, count, bin, count, ...
};

struct Cell {
  std::string probe;  ///< "random_read", "sequential_read", "write", "memcpy", ...
  std::string detail;
  double block_bytes = 0.0;
  std::uint64_t depth = 1;
  std::uint64_t threads = 1;
  bool direct = false;
  std::string buffers = "none";  ///< "scattered", "contiguous", "none"
  std::string unit = "1/s";      ///< of the rate
  std::vector<Window> windows;
  std::optional<HistogramRecord> latency;
  std::vector<double> series_per_s;  ///< rate in 50 ms pieces of the windows, one after the other
  std::optional<double> client_s;    ///< the loop's own time per operation, by Little's law
  std::optional<double> lag1;        ///< autocorrelation of the logarithm of successive latencies
  Estimate estimate;
  std::optional<Estimate> burst;      ///< of the first third of the windows, where the rate drifted
  std::optional<Estimate> sustained;  ///< of the last third
  std::vector<std::string> flags;     ///< "drifting", "client_bound", "cache_suspect"
};

/// One number of a fitted law.
struct FitNumber {
  std::string name;
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// Model over data at one quantile.
struct QuantileRatio {
  double p = 0.0;
  double ratio = 0.0;
};

struct Fit {
  std::string parameter;  ///< what the law is about: "random_read 4 KiB depth 1: latency"
  std::string family;
  std::vector<FitNumber> numbers;
  std::uint64_t count = 0;
  std::optional<double> ks;
  std::optional<double> aic;            ///< AICc for laws of throughput
  std::optional<double> held_out;       ///< log-likelihood per observation on windows that were not fitted
  std::optional<double> rms_log_error;  ///< laws of throughput
  std::vector<QuantileRatio> quantile_ratios;
  bool chosen = false;
  std::string decision;
};

struct QuantileValue {
  double p = 0.0;
  double value = 0.0;
};

/// A figure that a scenario can use, or that stands for itself.
struct Parameter {
  std::string name;  ///< "storage.bandwidth"
  std::string unit;  ///< "B/s"
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
  FigureClass evidence = FigureClass::measured;
  Verdict verdict = Verdict::undetermined;
  std::string target;  ///< place in a scenario, lists by name: "/stores/storage/bandwidth"; empty: none
  std::string provenance;
  std::vector<QuantileValue> quantiles;  ///< of a law: its table
  std::vector<std::string> flags;  ///< what to know about an imported figure: "cache_suspect", "average_only", ...
};

/// The file of another program that figures were imported from.
struct ImportOrigin {
  std::string format;  ///< "fio", "elbencho", ...
  std::string file;    ///< its name, without folders
  std::string tool;    ///< program and version as the file tells them
  std::string sha256;  ///< of its text
};

struct BudgetRecord {
  std::string name = "quick";
  double planned_s = 0.0;
  double used_s = 0.0;
};

/// How far predictions of the closed loop were from what this machine did (`headrace verify`).
struct VerifiedLoop {
  std::string date;
  std::uint64_t points = 0;
  std::uint64_t clean_points = 0;   ///< with an undisturbed round
  double idle_error_points = 0.0;   ///< mean of the absolute errors, percentage points
  double idle_error_largest = 0.0;  ///< percentage points
  double step_error_percent = 0.0;
  double step_error_largest = 0.0;
  double idle_noise_points = 0.0;  ///< of the same point repeated
  double step_noise_percent = 0.0;
};

/// Everything that `headrace calibrate` writes down.
struct Calibration {
  std::uint64_t format = 1;
  std::string tool_version;
  std::string date;  ///< "YYYY-MM-DD", UTC
  std::uint64_t seed = 1;
  BudgetRecord budget;
  std::string path;
  std::string engine;
  std::vector<std::string> engine_flags;
  std::vector<HostFact> host;
  std::vector<Downgrade> downgrades;
  std::vector<Cell> cells;
  std::vector<Fit> fits;
  std::vector<Parameter> parameters;
  std::optional<VerifiedLoop> verified;
  bool interrupted = false;
  std::optional<ImportOrigin> imported;  ///< none: measured by this program
};

/// The description, compiled once in record.cpp.
void describe(HostFact& f, Visitor& v);
void describe(Downgrade& d, Visitor& v);
void describe(Contamination& c, Visitor& v);
void describe(Window& w, Visitor& v);
void describe(Estimate& e, Visitor& v);
void describe(HistogramRecord& h, Visitor& v);
void describe(Cell& c, Visitor& v);
void describe(FitNumber& n, Visitor& v);
void describe(QuantileRatio& r, Visitor& v);
void describe(Fit& f, Visitor& v);
void describe(QuantileValue& q, Visitor& v);
void describe(Parameter& p, Visitor& v);
void describe(ImportOrigin& i, Visitor& v);
void describe(BudgetRecord& b, Visitor& v);
void describe(VerifiedLoop& l, Visitor& v);
void describe(Calibration& c, Visitor& v);

/// The parameter of that name, or nullptr.
const Parameter* find_parameter(const Calibration& calibration, std::string_view name);

}  // namespace headrace::models::calibration
