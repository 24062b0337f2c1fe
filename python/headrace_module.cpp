// headrace._core: what the Python package is made of. Texts go in and documents come out; the package around it makes
// mappings of them. The interpreter is free while a question is worked on, and Ctrl-C ends it.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "library/headrace.hpp"

namespace py = pybind11;

namespace {

using Texts = std::vector<std::string>;
using Callback = std::optional<py::function>;

[[noreturn]] void raise(const headrace::Error& error) {
  const char* name = error.kind == headrace::Error::Kind::internal ? "InternalError" : "InputError";
  const py::object kind = py::module_::import("headrace._errors").attr(name);
  const py::object made = kind(error.text, error.code, error.cause, error.place, error.pointer, error.fix);
  PyErr_SetObject(kind.ptr(), made.ptr());
  throw py::error_already_set();
}

template <class T>
T value_or_raise(headrace::Result<T> result) {
  if (!result) raise(result.error());
  return std::move(*result);
}

/// One question on a thread of its own, while the thread of the caller looks for signals.
class Run {
 public:
  /// What a question is given: threads, limit, and where its progress goes.
  headrace::Work work(unsigned threads, double max_wall_s, const Callback& progress) {
    headrace::Work work;
    work.threads = threads;
    work.max_wall_s = max_wall_s;
    work.stop = stop_.get_token();
    if (progress) {
      callback_ = *progress;
      work.progress = [this](const headrace::Progress& told) { tell(told); };
    }
    return work;
  }

  /// The answer of `ask`; raises what a signal handler or the callback raised.
  template <class Ask>
  auto answer(const Ask& ask) {
    std::optional<decltype(ask())> answered;
    bool done = false;
    {
      const py::gil_scoped_release free_interpreter;
      std::jthread thread([&] {
        auto result = ask();
        const std::scoped_lock lock(mutex_);
        answered.emplace(std::move(result));
        done = true;
        ended_.notify_all();
      });
      std::unique_lock lock(mutex_);
      while (!ended_.wait_for(lock, std::chrono::milliseconds(50), [&done] { return done; })) look_for_signals();
    }
    if (raised_) std::rethrow_exception(raised_);
    return value_or_raise(std::move(*answered));
  }

 private:
  void look_for_signals() {
    const py::gil_scoped_acquire interpreter;
    if (PyErr_CheckSignals() != 0) keep_raised();
  }

  /// With an exception of Python pending.
  void keep_raised() {
    if (!raised_) raised_ = std::make_exception_ptr(py::error_already_set());
    PyErr_Clear();
    stop_.request_stop();
  }

  /// At most ten times a second, as the command line does.
  void tell(const headrace::Progress& told) {
    constexpr std::chrono::milliseconds kShortest{100};
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kShortest || stop_.stop_requested()) return;
    last_ = now;
    const py::gil_scoped_acquire interpreter;
    try {
      callback_(told.fraction, told.eta_s, told.phase, told.count);
    } catch (py::error_already_set& error) {
      error.restore();
      keep_raised();
    }
  }

  std::stop_source stop_;
  py::object callback_;
  std::chrono::steady_clock::time_point last_ = {};
  std::mutex mutex_;
  std::condition_variable ended_;
  std::exception_ptr raised_;
};

std::string simulate(const headrace::Scenario& scenario, std::uint64_t seed, std::uint32_t replications,
                     std::optional<double> precision, std::uint64_t steps, bool input_ranges, bool contention,
                     bool relief, double max_wall_s, unsigned threads, const Callback& progress) {
  Run run;
  headrace::SimulateOptions options;
  options.seed = seed;
  options.replications = replications;
  options.precision = precision;
  options.steps = steps;
  options.input_ranges = input_ranges;
  options.contention = contention;
  options.relief = relief;
  options.work = run.work(threads, max_wall_s, progress);
  return run.answer([&] { return scenario.simulate(options); }).json();
}

std::string bound(const headrace::Scenario& scenario, bool input_ranges, std::uint64_t seed, bool estimate) {
  Run run;
  headrace::BoundOptions options;
  options.input_ranges = input_ranges;
  options.seed = seed;
  return run.answer([&] { return estimate ? scenario.estimate(options) : scenario.bound(options); }).json();
}

std::pair<std::string, Texts> plan(const headrace::Scenario& scenario, const Texts& decisions, bool input_ranges,
                                   std::optional<double> confidence_fed, std::uint64_t seed, std::uint64_t max_points,
                                   double max_wall_s, unsigned threads, const Callback& progress) {
  Run run;
  headrace::PlanOptions options;
  options.decisions = decisions;
  options.input_ranges = input_ranges;
  options.confidence_fed = confidence_fed;
  options.seed = seed;
  options.max_points = max_points;
  options.work = run.work(threads, max_wall_s, progress);
  const headrace::Plan found = run.answer([&] { return scenario.plan(options); });
  return {found.json(), found.sets()};
}

headrace::Sweep sweep(const std::string& space, const Texts& sets, const std::string& store, const std::string& level,
                      std::uint64_t limit, std::uint64_t seed, std::uint32_t replications,
                      std::optional<double> precision, std::uint64_t steps, bool contention, unsigned threads,
                      const Callback& progress) {
  Run run;
  headrace::SweepOptions options;
  options.sets = sets;
  options.store = store;
  options.level = level;
  options.limit = limit;
  options.simulate.seed = seed;
  options.simulate.replications = replications;
  options.simulate.precision = precision;
  options.simulate.steps = steps;
  options.simulate.contention = contention;
  options.simulate.work = run.work(threads, 0.0, progress);
  return run.answer([&] { return headrace::sweep(space, options); });
}

/// As tuples: name, unit, default, meaning.
py::list described(const std::vector<headrace::Description>& all) {
  py::list rows;
  for (const headrace::Description& one : all)
    rows.append(py::make_tuple(one.name, one.unit, one.default_text, one.meaning));
  return rows;
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  using headrace::Scenario;
  using headrace::Sweep;
  module.doc() = "The questions of headrace, with texts and JSON documents; use the package headrace.";
  py::class_<Scenario>(module, "Scenario")
      .def("set", [](const Scenario& scenario, const Texts& sets) { return value_or_raise(scenario.set(sets)); })
      .def("title", &Scenario::title)
      .def("sha256", &Scenario::sha256)
      .def("resolved", &Scenario::resolved)
      .def("validate", &Scenario::validate)
      .def("bound", &bound)
      .def("simulate", &simulate)
      .def("plan", &plan);
  py::class_<Sweep>(module, "Sweep")
      .def("json", &Sweep::json)
      .def("csv", [](const Sweep& swept, const Texts& metrics) { return value_or_raise(swept.csv(metrics)); })
      .def("ndjson", [](const Sweep& swept, const Texts& metrics) { return value_or_raise(swept.ndjson(metrics)); });
  module.def("load", [](const std::string& name, const Texts& layers, const Texts& sets) {
    return value_or_raise(headrace::load(name, layers, sets));
  });
  module.def("validate", &headrace::validate);
  module.def("sweep", &sweep);
  module.def("described_parameters", [] { return described(headrace::described_parameters()); });
  module.def("described_metrics", [] { return described(headrace::described_metrics()); });
  module.def("shipped_scenarios", &headrace::shipped_scenarios);
  module.def("version", &headrace::version);
  module.def("model_version", &headrace::model_version);
}
