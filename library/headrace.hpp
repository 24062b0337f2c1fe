// Headrace as a library: load a scenario, change values in it, ask the questions of the command line.
//
//   auto scenario = headrace::load("imagenet-1250-nodes");
//   if (!scenario) return fail(scenario.error().text);
//   auto changed = scenario->set({"/jobs/0/loader/workers=16"});
//   auto outcome = changed->simulate();
//   std::cout << *outcome->value("gpu_idle_fraction") << "\n" << outcome->json();
//
// This header needs the standard library and nothing else. No function throws for what can be wrong with a question:
// it returns an Error. Equal questions get the bytes that `headrace VERB --json` prints, on any number of threads.
// Objects are cheap to copy, do not change, and may be used from several threads at once.
//
// ABI: see docs/how-to/library.md. Before version 1.0 the name of the library (libheadrace.so.0.N) changes with
// everything in this header that a compiled program could notice.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#if defined(__GNUC__)
#define HEADRACE_API __attribute__((visibility("default")))
#else
#define HEADRACE_API
#endif

namespace headrace {

/// Why there is no answer.
struct Error {
  enum class Kind : std::uint8_t {
    bad_input,  ///< the question: exit status 2 of the command line
    internal    ///< a mistake in Headrace, or no memory: exit status 4
  };

  Kind kind = Kind::bad_input;
  std::string code;     ///< "E0203", which `headrace explain` explains; empty where there is none
  std::string place;    ///< "mine.json:4:5"; empty where no file is to blame
  std::string pointer;  ///< JSON pointer into the scenario, may be empty
  std::string cause;    ///< what is wrong, without a full stop
  std::string fix;      ///< what to write instead, may be empty
  std::string text;     ///< every complaint in full, as the command line prints them
};

/// A value, or why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::move(value)) {}
  Result(Error error) : held_(std::move(error)) {}

  bool has_value() const { return held_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  /// Only where has_value(); std::bad_variant_access otherwise.
  T& value() { return std::get<0>(held_); }
  const T& value() const { return std::get<0>(held_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// Only where there is no value.
  const Error& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, Error> held_;
};

/// How far a question is.
struct Progress {
  double fraction = 0.0;    ///< of the work that is known to be needed, 0 to 1
  double eta_s = 0.0;       ///< seconds left by that measure; 0: not known
  std::string phase;        ///< "steady state", "sweeping", ...
  std::uint64_t count = 0;  ///< steps simulated, configurations run, or points answered
};

/// How a question is worked on; nothing in it changes an answer that is complete.
struct Work {
  unsigned threads = 0;       ///< 0: all cores
  double max_wall_s = 0.0;    ///< stop after so many seconds with what is known by then; 0: no limit
  std::stop_token stop = {};  ///< ends it at the next length that can be repeated, with what is known by then
  /// Called from threads of the question, one at a time; may not throw.
  std::function<void(const Progress&)> progress = {};
};

struct BoundOptions {
  bool input_ranges = false;  ///< --inputs ranges
  std::uint64_t seed = 1;     ///< of the draws of estimate and input ranges
};

struct SimulateOptions {
  std::uint64_t seed = 1;
  std::uint32_t replications = 1;   ///< 1 to 100,000
  std::optional<double> precision;  ///< relative half-width of the step time's interval, 0.00001 to 0.5; open: 0.01
  std::uint64_t steps = 0;          ///< exactly so many; 0: until precise
  bool input_ranges = false;        ///< --inputs ranges
  bool contention = true;           ///< false: every request has the system for itself
  bool relief = true;               ///< false: skip the runs for the gain if a stage is removed
  Work work = {};
};

struct PlanOptions {
  std::vector<std::string> decisions = {};  ///< "/jobs/0/loader/workers=1:32", as --decide takes them
  bool input_ranges = true;                 ///< false: the inputs as stated
  std::optional<double> confidence_fed;     ///< share of the input ranges that must be fed, between 0 and 1
  std::uint64_t seed = 1;
  std::uint64_t max_points = 400;  ///< 4 to 100,000
  Work work = {};
};

struct SweepOptions {
  std::vector<std::string> sets = {};  ///< over the scenario of the space; axes win over them
  std::string store = ":memory:";      ///< file of results, which continues where it was; ":memory:" keeps nothing
  std::string level = "simulate";      ///< "bound", "estimate" or "simulate"
  std::uint64_t limit = 0;             ///< compute at most so many points; 0: all
  SimulateOptions simulate = {};  ///< its seed, length, contention and work without wall limit; nothing else is read
};

/// One figure of an outcome.
struct Metric {
  std::string name;
  std::string unit;
  double mean = 0.0;
  std::optional<std::pair<double, double>> ci95;         ///< 95 % interval of simulation noise
  std::optional<std::pair<double, double>> input_range;  ///< p10 to p90, with input ranges
};

/// What a bound, an estimate or a simulation says.
class HEADRACE_API Outcome {
 public:
  /// The document of `headrace simulate --json` (schema: `headrace schema outcome`).
  const std::string& json() const;
  std::string verdict() const;  ///< "fed", "ingest_bound", ...
  std::string binding() const;  ///< stage with the largest gain if removed; empty: none
  std::string stopped_by()
      const;                    ///< "precision", "max_steps", "other_starts", "max_wall", "interrupted", "closed_form"
  std::uint64_t steps() const;  ///< `steps` that repeats the run exactly

  /// Mean of a metric by its name, such as "step_time_s"; nothing where the outcome does not have it.
  std::optional<double> value(std::string_view metric) const;
  std::optional<Metric> metric(std::string_view name) const;
  std::vector<std::string> metric_names() const;

 private:
  friend struct Access;
  struct State;
  Outcome() = default;
  std::shared_ptr<const State> state_;
};

/// The cheapest configuration that keeps the GPUs fed.
class HEADRACE_API Plan {
 public:
  /// The document of `headrace plan --json`.
  const std::string& json() const;
  bool has_recommendation() const;
  std::string stopped_by() const;  ///< "none": complete; "max_wall", "interrupted", "max_points"

  /// What makes the recommended configuration of the scenario: Scenario::set takes it.
  std::vector<std::string> sets() const;

 private:
  friend struct Access;
  struct State;
  Plan() = default;
  std::shared_ptr<const State> state_;
};

/// The points of a space, answered.
class HEADRACE_API Sweep {
 public:
  /// The document of `headrace sweep --json`.
  const std::string& json() const;
  std::uint64_t points() const;
  std::uint64_t failed() const;
  std::uint64_t left() const;  ///< not answered: limited or stopped
  bool is_interrupted() const;

  /// One row for each point, as `headrace report STORE --format csv` and `ndjson` print them. `metrics`: names, or
  /// "all"; empty: the usual ones in CSV, all in NDJSON.
  Result<std::string> csv(const std::vector<std::string>& metrics = {}) const;
  Result<std::string> ndjson(const std::vector<std::string>& metrics = {}) const;

 private:
  friend struct Access;
  struct State;
  Sweep() = default;
  std::shared_ptr<const State> state_;
};

/// A scenario without mistakes.
class HEADRACE_API Scenario {
 public:
  /// The scenario with values laid over it, "/jobs/0/loader/workers=16", as --set takes them: several at once may be
  /// valid only together. Its files are read again.
  Result<Scenario> set(const std::vector<std::string>& assignments) const;

  std::string title() const;
  std::string sha256() const;    ///< fingerprint of all resolved values
  std::string resolved() const;  ///< JSON: every value with its unit

  /// The document of `headrace validate --json`: fingerprint, and values outside their plausible ranges.
  std::string validate() const;

  /// Lower bound of the step time, in microseconds to milliseconds: `headrace bound`.
  Result<Outcome> bound(const BoundOptions& options = {}) const;
  /// With varying batches, without queueing at what they share: `headrace bound --level estimate`.
  Result<Outcome> estimate(const BoundOptions& options = {}) const;
  /// `headrace simulate`.
  Result<Outcome> simulate(const SimulateOptions& options = {}) const;
  /// `headrace plan`.
  Result<Plan> plan(const PlanOptions& options = {}) const;

 private:
  friend struct Access;
  struct State;
  Scenario() = default;
  std::shared_ptr<const State> state_;
};

/// The scenario of a file, or of a shipped name, with layers over it and overrides, each as the command line takes it.
HEADRACE_API Result<Scenario> load(const std::string& name, const std::vector<std::string>& layers = {},
                                   const std::vector<std::string>& sets = {});

/// The document of `headrace validate --json`, whether or not the scenario has mistakes.
HEADRACE_API std::string validate(const std::string& name, const std::vector<std::string>& layers = {},
                                  const std::vector<std::string>& sets = {});

/// Every point of a space, a file or a shipped name: `headrace sweep`.
HEADRACE_API Result<Sweep> sweep(const std::string& space, const SweepOptions& options = {});

/// What a parameter of a scenario or a metric of an outcome is, as `headrace explain` says it.
struct Description {
  std::string name;          ///< "/jobs/*/loader/workers", where * is any element; "step_time_s"
  std::string unit;          ///< base unit in documents: "s", "B/s", "1" (a share); empty where it has none
  std::string default_text;  ///< of a parameter; empty without one
  std::string meaning;
};

HEADRACE_API std::vector<Description> described_parameters();
HEADRACE_API std::vector<Description> described_metrics();

/// Names of the scenarios that ship.
HEADRACE_API std::vector<std::string> shipped_scenarios();

/// "0.1.0", and the version of the models, which changes with predicted numbers.
HEADRACE_API std::string version();
HEADRACE_API std::string model_version();

}  // namespace headrace
