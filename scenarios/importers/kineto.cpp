// The trace of the PyTorch profiler (export_chrome_trace): {"traceEvents": [...]}, or the list alone in older versions.
// Times are microseconds. Traps: a step is marked once on the processor and once for each GPU stream; the first step
// profiled pays for the profiler's start; __next__ of the data loader is the wait for data, which is no compute time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Parameter;

/// What is used of one event.
struct Event {
  std::string name, phase, category, process, thread;
  double begin_us = 0.0;
  double length_us = 0.0;
  double bytes = 0.0;
  double bytes_per_s = 0.0;
  bool has_time = false;
};

/// From, to; microseconds.
using Span = std::pair<double, double>;

struct Trace {
  std::vector<Event> steps, waits;
  std::vector<Span> on_gpu;  ///< kernels and copies
  bool computes = false;     ///< with kernels of its own beside those of NCCL
  double copies = 0.0, copied_bytes = 0.0, copy_s = 0.0, copy_stated_bytes_per_s = 0.0;
  double collective_s = 0.0;
};

/// Takes events from the parser one by one, so that a trace of hundreds of megabytes needs no tree.
class Handler final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Handler(Trace& trace) : trace_(trace) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t v) override { return number(static_cast<double>(v)); }
  bool number_unsigned(number_unsigned_t v) override { return number(static_cast<double>(v)); }
  bool number_float(number_float_t v, const string_t&) override { return number(v); }
  bool string(string_t& text) override {
    if (at_event()) {
      if (key_ == "name") event_.name = text;
      if (key_ == "ph") event_.phase = text;
      if (key_ == "cat") event_.category = text;
      if (key_ == "pid") event_.process = text;
      if (key_ == "tid") event_.thread = text;
    }
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    ++depth_;
    if (depth_ == event_depth_) event_ = Event{};
    in_args_ = depth_ == event_depth_ + 1 && key_ == "args";
    return true;
  }
  bool key(string_t& text) override {
    if (depth_ <= event_depth_ || in_args_) key_ = text;
    if (depth_ == 1 && !list_ && text == "traceEvents") expecting_ = true;
    return true;
  }
  bool end_object() override {
    if (depth_ == event_depth_) take();
    --depth_;
    in_args_ = false;
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    if (event_depth_ == 0 && (depth_ == 1 || (depth_ == 2 && expecting_))) {
      list_ = true;
      event_depth_ = depth_ + 1;
    }
    return true;
  }
  bool end_array() override {
    if (depth_ + 1 == event_depth_) event_depth_ = 1'000'000;  // past the events
    --depth_;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) override {
    error_at = position;
    message = error.what();
    return false;
  }

  std::size_t error_at = 0;
  std::string message;
  bool found_list() const { return list_; }

 private:
  bool at_event() const { return depth_ == event_depth_; }

  bool number(double value) {
    if (at_event()) {
      if (key_ == "ts") event_.begin_us = value;
      if (key_ == "dur") event_.length_us = value, event_.has_time = true;
      if (key_ == "pid") event_.process = fmt::format("{:g}", value);
      if (key_ == "tid") event_.thread = fmt::format("{:g}", value);
    } else if (in_args_) {
      if (key_ == "bytes" || key_ == "Bytes") event_.bytes = value;
      if (key_ == "memory bandwidth (GB/s)") event_.bytes_per_s = 1e9 * value;
    }
    return true;
  }

  void take() {
    if (event_.phase != "X" || !event_.has_time) return;
    if (event_.name.starts_with("ProfilerStep#") && !event_.category.starts_with("gpu")) trace_.steps.push_back(event_);
    if (event_.name.starts_with("enumerate(DataLoader)#") && event_.name.ends_with(".__next__") &&
        !event_.category.starts_with("gpu"))
      trace_.waits.push_back(event_);
    const bool copy = event_.name.starts_with("Memcpy HtoD");
    if (copy && event_.length_us > 0.0 && event_.bytes > 0.0) {
      trace_.copies += 1.0;
      trace_.copied_bytes += event_.bytes;
      trace_.copy_s += 1e-6 * event_.length_us;
      trace_.copy_stated_bytes_per_s += event_.bytes_per_s * 1e-6 * event_.length_us;
    }
    if (event_.category == "kernel" || event_.category == "gpu_memcpy" || event_.category == "gpu_memset")
      trace_.on_gpu.emplace_back(event_.begin_us, event_.begin_us + event_.length_us);
    if (event_.category != "kernel") return;
    if (event_.name.starts_with("nccl"))
      trace_.collective_s += 1e-6 * event_.length_us;
    else
      trace_.computes = true;
  }

  Trace& trace_;
  Event event_;
  std::string key_;
  int depth_ = 0;
  int event_depth_ = 0;
  bool in_args_ = false;
  bool list_ = false;
  bool expecting_ = false;
};

struct Steps {
  std::vector<double> compute_s, wait_s, all_s;
  std::vector<Span> spans;  ///< in the order of time, of each lane
};

bool possible(double us) { return us >= 0.0 && us < 1e12; }

/// Each step without the waits that began in it.
Steps split(Reading& in, std::vector<Event> steps, const std::vector<Event>& waits) {
  Steps out;
  std::sort(steps.begin(), steps.end(), [](const Event& a, const Event& b) {
    return std::tie(a.process, a.thread, a.begin_us) < std::tie(b.process, b.thread, b.begin_us);
  });
  std::string last;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Event& step = steps[i];
    if (!possible(step.length_us)) {
      in.refuse("E0207", in.whole(), fmt::format("{} takes {:g} us", step.name, step.length_us),
                "impossible: is the trace damaged?");
      return out;
    }
    const std::string lane = step.process + "\n" + step.thread;
    const bool first = lane != last;
    last = lane;
    if (first && steps.size() > 3) continue;  // pays for the start of the profiler
    double wait_us = 0.0;
    for (const Event& wait : waits)
      if (wait.process == step.process && wait.thread == step.thread && wait.begin_us >= step.begin_us &&
          wait.begin_us < step.begin_us + step.length_us)
        wait_us += wait.length_us;
    if (wait_us > step.length_us * (1.0 + kAgreement) || !possible(wait_us)) {
      in.refuse("E0140", in.whole(),
                fmt::format("{}: {:.6g} us of waiting for data in {:.6g} us", step.name, wait_us, step.length_us),
                "waits must be within their step: is the trace damaged or truncated?");
      return out;
    }
    out.spans.emplace_back(step.begin_us, step.begin_us + step.length_us);
    out.all_s.push_back(1e-6 * step.length_us);
    out.wait_s.push_back(1e-6 * std::min(wait_us, step.length_us));
    out.compute_s.push_back(1e-6 * std::max(step.length_us - wait_us, 0.0));
  }
  return out;
}

void add_steps(Reading& in, const Steps& steps, bool left_out) {
  std::vector<std::string> flags = {"profiled"};
  if (left_out) flags.emplace_back("first_step_left_out");
  double all = 0.0, waits = 0.0;
  for (const double s : steps.all_s) all += s;
  for (const double s : steps.wait_s) waits += s;
  const std::string text =
      fmt::format("{} steps of ProfilerStep#, without waits in the data loader", steps.all_s.size());
  Parameter& compute = in.add("job.step_time", "s", 0.0, in.job_target("step/step_time"), text, flags);
  Reading::set_table(compute, steps.compute_s);
  if (waits > 0.0) {
    Parameter& wait = in.add("job.data_wait", "s", 0.0, "", "waits in DataLoader.__next__, a step", flags);
    Reading::set_table(wait, steps.wait_s);
    in.add("job.data_wait_share", "1", waits / all, "", "to be predicted: compare gpu_idle_fraction", flags);
  } else {
    in.note("the trace has no waits in DataLoader.__next__: the step times include all waits of the loop");
  }
}

/// In the order of time, without overlaps.
std::vector<Span> joined(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end());
  std::vector<Span> all;
  for (const Span& span : spans) {
    if (!all.empty() && span.first <= all.back().second)
      all.back().second = std::max(all.back().second, span.second);
    else
      all.push_back(span);
  }
  return all;
}

/// What of each step no span covers, seconds.
std::vector<double> uncovered_s(const std::vector<Span>& steps, const std::vector<Span>& covers) {
  std::vector<double> rest;
  for (const auto& step : steps) {
    double free_us = step.second - step.first;
    auto cover =
        std::partition_point(covers.begin(), covers.end(), [&](const Span& span) { return span.second <= step.first; });
    for (; cover != covers.end() && cover->first < step.second; ++cover)
      free_us -= std::min(cover->second, step.second) - std::max(cover->first, step.first);
    rest.push_back(1e-6 * std::max(0.0, free_us));
  }
  return rest;
}

/// The time of a step in which neither the GPU works nor the process waits for data: the GPU waits for the process.
void add_host_part(Reading& in, const Steps& steps, Trace& trace) {
  if (!trace.computes) return;
  std::vector<Span> covers = std::move(trace.on_gpu);
  for (const Event& wait : trace.waits) covers.emplace_back(wait.begin_us, wait.begin_us + wait.length_us);
  const std::vector<double> rest = uncovered_s(steps.spans, joined(std::move(covers)));
  double sum = 0.0;
  double squares = 0.0;
  for (const double s : rest) sum += s, squares += s * s;
  const auto n = static_cast<double>(rest.size());
  Parameter& host = in.add("job.host_part", "s", sum / n, in.job_target("step/host_part/time"),
                           "time of a step without a kernel, a copy or a wait for data", {"profiled"});
  Reading::set_interval(host, std::sqrt(std::max(0.0, squares / n - sum * sum / n / n)), rest.size());
}

void add_device(Reading& in, const Trace& trace, double steps) {
  if (trace.copies > 0.0) {
    if (trace.copy_stated_bytes_per_s > 0.0)
      in.agree(in.whole(), "copies to the GPU: 'memory bandwidth' and bytes over time",
               trace.copy_stated_bytes_per_s / trace.copy_s, trace.copied_bytes / trace.copy_s);
    in.add("job.copied_per_step", "B", trace.copied_bytes / steps, "",
           fmt::format("{:.0f} copies to the GPU", trace.copies), {});
    in.add("h2d.in_training", "B/s", trace.copied_bytes / trace.copy_s, "",
           fmt::format("{:.0f} copies to the GPU", trace.copies), {});
  }
  if (trace.collective_s > 0.0)
    in.add("job.collective_time", "s", trace.collective_s / steps, "",
           "NCCL kernels, a step; waits for peers are in it", {"includes_waits"});
}

}  // namespace

void import_kineto(Reading& in) {
  in.record.imported->tool = "PyTorch profiler";
  Trace trace;
  Handler handler(trace);
  const std::string_view text = in.text();
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &handler)) {
    const std::size_t at = std::min(handler.error_at > 0 ? handler.error_at - 1 : 0, text.size());
    const bool gzip = text.starts_with("\x1F\x8B");
    return in.refuse("E0105", in.place(at, std::min(at + 1, text.size())),
                     gzip ? "the trace is compressed" : "not valid JSON",
                     gzip ? "gunzip it first" : "was the trace cut? A profiler that is killed writes half of it");
  }
  if (!handler.found_list())
    return in.not_this(in.whole(), "this JSON has no \"traceEvents\"",
                       "torch.profiler writes it by export_chrome_trace");
  if (trace.steps.empty())
    return in.not_this(in.whole(), "the trace has no ProfilerStep#",
                       "call prof.step() at the end of every step, with a schedule");
  const Steps steps = split(in, trace.steps, trace.waits);
  if (in.failed()) return;
  if (steps.all_s.empty() || *std::max_element(steps.all_s.begin(), steps.all_s.end()) <= 0.0)
    return in.not_this(in.whole(), "no step takes any time", "");
  if (in.record.date.empty()) in.record.date = date_of(1e-6 * trace.steps.front().begin_us);
  add_steps(in, steps, steps.all_s.size() < trace.steps.size());
  add_host_part(in, steps, trace);
  add_device(in, trace, static_cast<double>(trace.steps.size()));
  if (in.options().job.empty()) in.note("name the job of the scenario: --job NAME");
}

}  // namespace headrace::scenarios
