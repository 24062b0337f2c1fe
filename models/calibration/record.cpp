#include "models/calibration/record.hpp"

#include <algorithm>

#include "models/describe/describe.hpp"

namespace headrace::models::calibration {
namespace {

/// Words that hold no blanks, as one text.
void words(std::string_view key, std::vector<std::string>& list, std::string_view meaning, Visitor& v) {
  std::string text;
  for (const std::string& word : list) text.append(text.empty() ? "" : " ").append(word);
  v.text(key, text, {.meaning = meaning});
  list.clear();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) list.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

void describe(HostFact& f, Visitor& v) {
  v.text("key", f.key, {.meaning = "What the fact is about"});
  v.text("value", f.value, {.meaning = "The fact"});
}

void describe(Downgrade& d, Visitor& v) {
  v.text("field", d.field, {.meaning = "What was missing"});
  v.text("value", d.value, {.meaning = "What was done instead"});
  v.text("reason", d.reason, {.meaning = "Why"});
}

void describe(Contamination& c, Visitor& v) {
  v.number("other_cpu_cores", c.other_cpu_cores, {.meaning = "Cores that other processes kept busy"});
  v.number("steal_fraction", c.steal_fraction, {.meaning = "Share of the cores' time that the hypervisor took"});
  v.number("foreign_bytes_fraction", c.foreign_bytes_fraction, {.meaning = "Bytes of others over bytes of the probe"});
  v.number("cpu_pressure_percent", c.cpu_pressure_percent, {.meaning = "Pressure stall, cpu some avg10"});
  v.number("io_pressure_percent", c.io_pressure_percent, {.meaning = "Pressure stall, io some avg10"});
}

void describe(Window& w, Visitor& v) {
  v.number("start_s", w.start_s, {.meaning = "Start since the calibration began, s"});
  v.number("length_s", w.length_s, {.meaning = "Length, s"});
  v.number("rate_per_s", w.rate_per_s, {.meaning = "Rate in the window, in the unit of the cell"});
  v.record("contamination", w.contamination, {.meaning = "What else the machine did"});
  v.flag("clean", w.clean, {.meaning = "Nothing else disturbed the window"});
}

void describe(Estimate& e, Visitor& v) {
  v.number("value", e.value, {.meaning = "Trimmed geometric mean of the windows"});
  v.number("low", e.low, {.meaning = "Lower end of the 95 % interval"});
  v.number("high", e.high, {.meaning = "Upper end"});
  v.count("windows", e.windows, {.meaning = "Windows measured"});
  v.count("clean_windows", e.clean_windows, {.meaning = "Windows that nothing disturbed"});
  v.choice("verdict", e.verdict, kVerdictNames, {.meaning = "clean, noisy or undetermined"});
}

void describe(HistogramRecord& h, Visitor& v) {
  v.count("count", h.count, {.meaning = "Operations"});
  v.number("min_ns", h.min_ns, {.meaning = "Shortest, ns"});
  v.number("max_ns", h.max_ns, {.meaning = "Longest, ns"});
  v.number("sum_ns", h.sum_ns, {.meaning = "Sum, ns"});
  v.quantities("bins", h.bins, Unit::one,
               {.meaning = "Pairs of bin and count; 64 bins an octave of nanoseconds, as fio has them"});
}

void describe(Cell& c, Visitor& v) {
  v.text("probe", c.probe, {.meaning = "What was measured"});
  v.text("detail", c.detail, {.meaning = "Which variant of it"});
  v.number("block_bytes", c.block_bytes, {.meaning = "Bytes of one operation"});
  v.count("depth", c.depth, {.meaning = "Outstanding operations"});
  v.count("threads", c.threads, {.meaning = "Threads"});
  v.flag("direct", c.direct, {.meaning = "Past the page cache"});
  v.text("buffers", c.buffers,
         {.meaning = "scattered: ordinary pages; contiguous: one arena of huge pages; none: no such choice"});
  v.text("unit", c.unit, {.meaning = "Unit of the rates"});
  v.list("windows", c.windows, {.meaning = "What was measured, window by window"});
  v.optional_record("latency", c.latency, {.meaning = "Latencies from before submission to completion"});
  v.quantities("series_per_s", c.series_per_s, Unit::one,
               {.meaning = "Rate in pieces of 50 ms of the windows, one after the other"});
  v.number("client_s", c.client_s, {.meaning = "The loop's own time per operation, by Little's law, s"});
  v.number("lag1", c.lag1, {.meaning = "Autocorrelation of the logarithm of successive latencies"});
  v.record("estimate", c.estimate, {.meaning = "Rate from the windows that count"});
  v.optional_record("burst", c.burst, {.meaning = "Rate of the first third, where the rate drifted"});
  v.optional_record("sustained", c.sustained, {.meaning = "Rate of the last third, where the rate drifted"});
  words("flags", c.flags, "drifting, client_bound, cache_suspect, short_page: words with blanks between", v);
}

void describe(FitNumber& n, Visitor& v) {
  v.text("name", n.name, {.meaning = "Parameter of the model"});
  v.number("value", n.value, {.meaning = "Value, SI unit"});
  v.number("low", n.low, {.meaning = "Lower end of the 95 % interval"});
  v.number("high", n.high, {.meaning = "Upper end"});
}

void describe(QuantileRatio& r, Visitor& v) {
  v.number("p", r.p, {.meaning = "Probability"});
  v.number("ratio", r.ratio, {.meaning = "Quantile of the model over quantile of the data"});
}

void describe(Fit& f, Visitor& v) {
  v.text("parameter", f.parameter, {.meaning = "Subject of the model"});
  v.text("family", f.family, {.meaning = "Which law"});
  v.list("numbers", f.numbers, {.meaning = "Its numbers"});
  v.count("count", f.count, {.meaning = "Observations"});
  v.number("ks", f.ks, {.meaning = "Largest distance of the distribution functions (Kolmogorov-Smirnov)"});
  v.number("aic", f.aic,
           {.meaning = "Akaike's criterion; corrected for few observations where it compares throughput"});
  v.number("held_out", f.held_out, {.meaning = "Log-likelihood per observation on windows that were not fitted"});
  v.number("rms_log_error", f.rms_log_error, {.meaning = "Root mean square error of the logarithm"});
  v.list("quantile_ratios", f.quantile_ratios, {.meaning = "Law over data at some quantiles"});
  v.flag("chosen", f.chosen, {.meaning = "This model represents the data"});
  v.text("decision", f.decision, {.meaning = "Why"});
}

void describe(QuantileValue& q, Visitor& v) {
  v.number("p", q.p, {.meaning = "Probability"});
  v.number("value", q.value, {.meaning = "Quantile, in the unit of the parameter"});
}

void describe(Parameter& p, Visitor& v) {
  v.text("name", p.name, {.meaning = "Name of the figure"});
  v.text("unit", p.unit, {.meaning = "SI unit"});
  v.number("value", p.value, {.meaning = "Value; mean of a distribution"});
  v.number("low", p.low, {.meaning = "Lower end of the 95 % interval"});
  v.number("high", p.high, {.meaning = "Upper end"});
  v.choice("evidence", p.evidence, kFigureClassNames, {.meaning = "How the figure is known"});
  v.choice("verdict", p.verdict, kVerdictNames, {.meaning = "clean, noisy or undetermined"});
  v.text("target", p.target, {.meaning = "Place in a scenario; elements of lists by their name"});
  v.text("provenance", p.provenance, {.meaning = "What it was measured from, or read in"});
  v.list("quantiles", p.quantiles, {.meaning = "Table of a distribution"});
  words("flags", p.flags, "What to know about an imported figure: words with blanks between", v);
}

void describe(ImportOrigin& i, Visitor& v) {
  v.text("format", i.format, {.meaning = "Program that wrote the file"});
  v.text("file", i.file, {.meaning = "Name of the file, without folders"});
  v.text("tool", i.tool, {.meaning = "Program and version, from the file"});
  v.text("sha256", i.sha256, {.meaning = "Fingerprint of the file"});
}

void describe(BudgetRecord& b, Visitor& v) {
  v.text("name", b.name, {.meaning = "quick, normal or full"});
  v.number("planned_s", b.planned_s, {.meaning = "Planned time, s"});
  v.number("used_s", b.used_s, {.meaning = "Time that it took, s"});
}

void describe(VerifiedLoop& l, Visitor& v) {
  v.text("date", l.date, {.meaning = "Day of the measurement, UTC"});
  v.count("points", l.points, {.meaning = "Points of the closed loop"});
  v.count("clean_points", l.clean_points, {.meaning = "Of them with a round that nothing disturbed"});
  v.number("idle_error_points", l.idle_error_points, {.meaning = "Mean error of the idle share, percentage points"});
  v.number("idle_error_largest", l.idle_error_largest, {.meaning = "Largest one"});
  v.number("step_error_percent", l.step_error_percent, {.meaning = "Mean error of the step time, per cent"});
  v.number("step_error_largest", l.step_error_largest, {.meaning = "Largest one"});
  v.number("idle_noise_points", l.idle_noise_points, {.meaning = "The same of a point repeated: the noise floor"});
  v.number("step_noise_percent", l.step_noise_percent, {.meaning = "The same of the step time"});
}

void describe(Calibration& c, Visitor& v) {
  v.count("format", c.format, {.low = 1, .high = 1, .min = 1, .max = 1, .meaning = "Version of this record"});
  v.text("tool_version", c.tool_version, {.meaning = "Version of Headrace"});
  v.text("date", c.date, {.meaning = "Day of the measurement, UTC"});
  v.count("seed", c.seed, {.meaning = "Seed of offsets and of the order of windows"});
  v.record("budget", c.budget, {.meaning = "Time planned and used"});
  v.text("path", c.path, {.meaning = "Folder or object store that was measured"});
  v.text("engine", c.engine, {.meaning = "io_uring, threads or libaio; libcurl for an object store"});
  words("engine_flags", c.engine_flags, "Flags of the ring, words with blanks between", v);
  v.list("host", c.host, {.meaning = "Facts about machine and path"});
  v.list("downgrades", c.downgrades, {.meaning = "What was missing, and the replacement"});
  v.list("cells", c.cells, {.meaning = "What was measured"});
  v.list("fits", c.fits, {.meaning = "Models fitted to it"});
  v.list("parameters", c.parameters, {.meaning = "Figures that follow"});
  v.optional_record("verified", c.verified, {.meaning = "What headrace verify found with these figures"});
  v.flag("interrupted", c.interrupted, {.meaning = "It was stopped before its end"});
  v.optional_record("imported", c.imported,
                    {.meaning = "The file of another program that the figures come from; without it measured here"});
}

const Parameter* find_parameter(const Calibration& calibration, std::string_view name) {
  for (const Parameter& parameter : calibration.parameters)
    if (parameter.name == name) return &parameter;
  return nullptr;
}

}  // namespace headrace::models::calibration
