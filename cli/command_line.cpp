#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "cli/version.hpp"
#include "models/calibration/calibrate.hpp"
#include "models/calibration/engine_choice.hpp"
#include "models/sizing/sizing.hpp"
#include "scenarios/edit_distance.hpp"
#include "scenarios/importers/import_file.hpp"
#include "scenarios/questionnaire.hpp"
#include "scenarios/units.hpp"

namespace headrace::cli {
namespace {

struct LaterVerb {
  const char* name;
  const char* summary;
};

constexpr LaterVerb kLaterVerbs[] = {
    {"bakeoff", "hold several ways to feed the same job against each other"},
};

constexpr std::uint64_t kMostSteps = 1'000'000'000'000;

/// The parser with the invocation that its flags write to.
class Parser {
 public:
  Parser() {
    app_.set_version_flag("--version", version_text());
    app_.set_help_flag("-h,--help", "show this help");
    app_.get_formatter()->column_width(30);
    app_.require_subcommand(0, 1);
    app_.footer(
        "Exit status: 0 ok, 1 a threshold failed, 2 bad input, 3 inconclusive, 4 internal error, 130 interrupted.\n"
        "A scenario is a file or the name of a shipped one; later files are laid over earlier ones.\n"
        "First steps: headrace simulate unet3d-h100    headrace explain verdict    headrace init");
    add_simulate();
    add_bound();
    add_plan();
    add_check();
    add_compare();
    add_validate();
    add_explain();
    add_schema();
    add_sweep();
    add_merge();
    add_report();
    add_backtest();
    add_calibrate();
    add_verify();
    add_import();
    add_init();
    add_completion();
    for (const LaterVerb& later : kLaterVerbs)
      app_.add_subcommand(later.name, std::string(later.summary) + " (not available yet)")
          ->group("Later versions")
          ->allow_extras();
  }

  CLI::App& app() { return app_; }
  Invocation& call() { return call_; }

 private:
  CLI::App* add_verb(const char* name, const char* summary) {
    CLI::App* verb = app_.add_subcommand(name, summary)->group("Verbs");
    verb->set_help_flag("-h,--help", "show this help");
    verb->get_formatter()->column_width(30);
    return verb;
  }

  void add_output(CLI::App* verb) {
    verb->add_flag("--json", call_.json, "print JSON instead of text")->group("Output");
    verb->add_option("-o,--output", call_.output, "write the document here, whole or not at all")
        ->type_name("FILE")
        ->group("Output");
    verb->add_flag("-q,--quiet", call_.quiet, "only errors on standard error")->group("Output");
    add_when(verb, "--color", call_.colour, "colour: auto (terminal without NO_COLOR), always, never");
  }

  void add_report(CLI::App* verb) {
    verb->add_option("--report", call_.report, "also write a report to look at, one HTML file")
        ->type_name("FILE.html")
        ->group("Output");
  }

  void add_timeline(CLI::App* verb) {
    verb->add_option("--timeline", call_.timeline, "also write the first steps as a trace for ui.perfetto.dev")
        ->type_name("FILE.json")
        ->group("Output");
    verb->add_option("--timeline-nodes", call_.timeline_nodes, "nodes in the timeline (default 2)")
        ->type_name("N")
        ->check(CLI::Range(1, 100000))
        ->group("Output");
  }

  static void add_when(CLI::App* verb, const char* name, When& when, const char* help) {
    const std::map<std::string, When> names{
        {"auto", When::automatic}, {"always", When::always}, {"never", When::never}};
    verb->add_option_function<std::string>(
            name, [&when, names](const std::string& word) { when = names.at(word); }, help)
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->type_name("WHEN")
        ->group("Output");
  }

  void add_scenarios(CLI::App* verb) {
    verb->add_option("scenario", call_.inputs, "scenario files or names, laid over each other from left to right")
        ->type_name("SCENARIO")
        ->required()
        ->expected(1, -1);
    verb->add_option("--set", call_.sets, "override one value: --set /jobs/0/loader/workers=16 (repeatable)")
        ->type_name("/KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Scenario");
    add_catalogue(verb);
    verb->add_option("--as-of", call_.as_of, "date against which the age of prices is told")
        ->type_name("YYYY-MM-DD")
        ->check(date_check())
        ->group("Scenario");
    verb->add_flag("--dry-run", call_.dry_run, "show every resolved value and where it comes from, run nothing")
        ->group("Scenario");
  }

  void add_catalogue(CLI::App* verb) {
    verb->add_option("--catalogue", call_.catalogues, "a file of your own figures over those that ship (repeatable)")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Scenario");
  }

  static CLI::Validator date_check() {
    return CLI::Validator(
        [](std::string& text) {
          const bool shape = text.size() == 10 && text[4] == '-' && text[7] == '-' &&
                             std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) == 8;
          if (!shape) return fmt::format("'{}' is not a date like 2026-11-20", text);
          const int month = std::stoi(text.substr(5, 2));
          const int day = std::stoi(text.substr(8, 2));
          return month >= 1 && month <= 12 && day >= 1 && day <= 31
                     ? std::string()
                     : fmt::format("'{}' is no day of the calendar", text);
        },
        "");
  }

  void add_inputs(CLI::App* verb) {
    verb->add_option("--inputs", call_.input_mode,
                     "fixed: as the scenario says (default); ranges: draw what is assumed or from data sheets over its "
                     "plausible range, and tell what to measure next")
        ->type_name("MODE")
        ->check(CLI::IsMember({"fixed", "ranges"}))
        ->group("Scenario");
  }

  void add_simulate() {
    CLI::App* verb = add_verb("simulate", "simulate a scenario: where do the GPUs wait, and why");
    add_scenarios(verb);
    add_inputs(verb);
    add_output(verb);
    add_report(verb);
    add_timeline(verb);
    add_when(verb, "--progress", call_.progress, "progress on standard error: auto (terminal), always, never");
    const auto group = [](CLI::Option* option) { option->group("Simulation"); };
    add_length(verb);
    group(verb->add_option("--max-wall", call_.max_wall_s,
                           "stop after so much real time: 10s, 2 min; seconds without a unit")
              ->type_name("TIME")
              ->transform(quantity(models::Unit::seconds))
              ->check(CLI::Range(0.001, 1e9)));
    group(verb->add_option("--threads", call_.threads,
                           "threads for replications (default: all cores); never changes a result")
              ->type_name("N")
              ->check(CLI::Range(1, 4096)));
    add_fidelity(verb);
    group(verb->add_flag_callback(
        "--no-relief", [this] { call_.relief = false; }, "skip the runs that tell what a fix would buy"));
    group(add_replay(verb));
  }

  /// How long a simulation is, and what it draws.
  void add_length(CLI::App* verb) {
    const auto group = [](CLI::Option* option) { option->group("Simulation"); };
    group(verb->add_option("--seed", call_.seed, "seed of all random draws (default 1)")->type_name("N"));
    group(verb->add_option("--replications", call_.replications, "independent repetitions (default 1)")
              ->type_name("N")
              ->check(CLI::Range(1, 100000)));
    group(verb->add_option_function<double>(
                  "--precision",
                  [this](double precision) {
                    call_.precision = precision;
                    call_.precision_given = true;
                  },
                  "half-width of the step time's interval: 1%, 0.01 (default); given and missed: exit status 3")
              ->type_name("P")
              ->transform(quantity(models::Unit::fraction))
              ->check(CLI::Range(1e-5, 0.5)));
    group(verb->add_option("--steps", call_.steps, "simulate exactly so many steps (default: until precise)")
              ->type_name("N")
              ->check(CLI::Range(std::uint64_t{1}, kMostSteps)));
  }

  /// What a simulation looks at.
  void add_fidelity(CLI::App* verb) {
    const auto group = [](CLI::Option* option) { option->group("Simulation"); };
    group(verb->add_option("--granularity", call_.granularity,
                           "batch, chunk(M) for M pieces of a batch, or sample (default batch)")
              ->type_name("G")
              ->check(granularity_check()));
    const std::map<std::string, bool> switches{{"on", true}, {"off", false}};
    group(verb->add_option_function<std::string>(
                  "--contention", [this, switches](const std::string& word) { call_.contention = switches.at(word); },
                  "off: every request has the system for itself")
              ->type_name("on|off")
              ->check(CLI::IsMember({"on", "off"})));
    group(verb->add_flag_callback(
        "--no-control-variate", [this] { call_.control = false; },
        "never narrow an interval by means of the uncontended twin"));
  }

  CLI::Option* add_replay(CLI::App* verb) {
    CLI::Option* replay = verb->add_option_function<std::string>(
        "--replay",
        [this](const std::string& text) {
          const std::size_t colon = text.find(':');
          call_.replay = true;
          call_.seed = std::stoull(text.substr(0, colon));
          call_.first_replication = static_cast<std::uint32_t>(std::stoul(text.substr(colon + 1)));
        },
        "repeat one replication of a study alone; with --steps, to the last bit");
    for (const char* other : {"--seed", "--replications", "--inputs"}) replay->excludes(verb->get_option(other));
    return replay->type_name("SEED:REPLICATION")->check(replay_check());
  }

  static CLI::Validator replay_check() {
    return CLI::Validator(
        [](std::string& text) {
          const std::size_t colon = text.find(':');
          const auto number = [](const std::string& part, std::size_t most_digits) {
            return !part.empty() && part.size() <= most_digits &&
                   std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
          };
          const bool shape =
              colon != std::string::npos && number(text.substr(0, colon), 19) && number(text.substr(colon + 1), 6);
          return shape ? std::string()
                       : fmt::format("'{}' is not a seed and the number of a replication, such as 1:0", text);
        },
        "");
  }

  /// Turns "1%" or "2 min" into the number in the base unit; a bare number is in the base unit already.
  static CLI::Validator quantity(models::Unit unit) {
    return CLI::Validator(
        [unit](std::string& text) {
          const bool bare = !text.empty() && text.find_first_not_of("0123456789.+-eE") == std::string::npos;
          const std::string with_unit =
              bare && scenarios::needs_unit(unit) ? fmt::format("{} {}", text, scenarios::unit_symbol(unit)) : text;
          const auto value = scenarios::parse_quantity(with_unit, unit);
          if (!value) return fmt::format("'{}': {}", text, value.error().message);
          text = scenarios::print_number(*value);
          return std::string();
        },
        "");
  }

  static CLI::Validator granularity_check() {
    return CLI::Validator(
        [](std::string& text) {
          if (text == "batch" || text == "sample") return std::string();
          const bool chunk =
              text.size() > 7 && text.size() < 15 && text.rfind("chunk(", 0) == 0 && text.back() == ')' &&
              std::all_of(text.begin() + 6, text.end() - 1, [](char c) { return c >= '0' && c <= '9'; }) &&
              text[6] != '0';
          return chunk ? std::string() : fmt::format("'{}' is none of batch, chunk(M), sample", text);
        },
        "");
  }

  void add_slurm(CLI::App* verb) {
    const auto group = [](CLI::Option* option) {
      option->group("Slurm");
      return option;
    };
    group(verb->add_option("--engine", call_.where,
                           "local: on this machine (default); slurm: as a job array that is submitted and followed"))
        ->type_name("ENGINE")
        ->check(CLI::IsMember({"local", "slurm"}));
    group(verb->add_option("--shards", call_.shards, "tasks of the job array, each with a part of the points"))
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    group(verb->add_option("--sbatch", call_.sbatch, "option for both jobs: --sbatch=--partition=cpu (repeatable)"))
        ->type_name("OPTION")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  void add_sweep() {
    CLI::App* verb = add_verb("sweep", "answer every point of a space of scenarios, into a store of results");
    verb->add_option("space", call_.inputs, "a file with a scenario and its axes, or the name of a shipped space")
        ->type_name("SPACE")
        ->required()
        ->expected(1);
    const auto group = [](CLI::Option* option) { option->group("Sweep"); };
    group(verb->add_option(
                  "-o,--output", call_.results,
                  "store of results (default results.db); what it holds is not computed again; :memory: keeps nothing")
              ->type_name("FILE"));
    group(verb->add_option("--level", call_.sweep_level,
                           "bound: what no run can beat; estimate: with queueing; simulate (default)")
              ->type_name("LEVEL")
              ->check(CLI::IsMember({"bound", "estimate", "simulate"})));
    group(verb->add_option("--shard", call_.shard,
                           "I/N: only the I-th of N parts, into a store of its own (results.I-of-N.db); auto: as a job "
                           "array says; auto/N")
              ->type_name("I/N"));
    add_slurm(verb);
    group(verb->add_option(
                  "--rank", call_.rank,
                  "order the points by a metric: short runs of all, longer ones of those that compete; --steps is "
                  "the length of the first")
              ->type_name("METRIC"));
    group(verb->add_option("--within", call_.within,
                           "with --rank: known to this part of the best value is known well enough (default 2%)")
              ->type_name("P")
              ->transform(quantity(models::Unit::fraction))
              ->check(CLI::Range(1e-5, 1.0)));
    group(verb->add_option("--limit", call_.limit, "compute at most so many points in this call")
              ->type_name("N")
              ->check(CLI::Range(std::uint64_t{1}, kMostSteps)));
    group(verb->add_flag("--fresh", call_.fresh, "compute again what the store holds"));
    group(verb->add_flag("--dry-run", call_.dry_run, "tell how many points there are and how many are in the store"));
    group(verb->add_option("--set", call_.sets, "override one value of the scenario (repeatable); axes win over it")
              ->type_name("/KEY=VALUE")
              ->expected(1)
              ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
    add_catalogue(verb);
    add_length(verb);
    const auto simulation = [](CLI::Option* option) { option->group("Simulation"); };
    simulation(
        verb->add_option("--threads", call_.threads, "points at a time (default: all cores); never changes a result")
            ->type_name("N")
            ->check(CLI::Range(1, 4096)));
    add_fidelity(verb);
    simulation(
        verb->add_flag("--relief", call_.with_relief, "also tell what a fix would buy at each point (more runs)"));
    verb->add_flag("--json", call_.json, "print JSON instead of text")->group("Output");
    add_report(verb);
    verb->add_flag("-q,--quiet", call_.quiet, "only errors on standard error")->group("Output");
    add_when(verb, "--color", call_.colour, "colour: auto (terminal without NO_COLOR), always, never");
    add_when(verb, "--progress", call_.progress, "progress on standard error: auto (terminal), always, never");
  }

  void add_merge() {
    CLI::App* verb = add_verb("merge", "join stores of results, such as those of the shards of a sweep");
    verb->add_option("stores", call_.inputs, "stores to take in")->type_name("FILE")->required()->expected(1, -1);
    verb->add_option("-o,--output", call_.results, "store that takes them in, made when it is missing")
        ->type_name("FILE")
        ->required()
        ->group("Output");
    verb->add_flag("--json", call_.json, "print JSON instead of text")->group("Output");
    verb->add_flag("-q,--quiet", call_.quiet, "only errors on standard error")->group("Output");
    add_when(verb, "--color", call_.colour, "colour: auto (terminal without NO_COLOR), always, never");
  }

  void add_report() {
    CLI::App* verb = add_verb("report", "show a saved result, or the results of sweeps: HTML, CSV, JSON");
    verb->add_option(
            "store", call_.inputs,
            "what simulate, bound, plan, check, compare, verify or backtest --json has written, a file of calibrate, "
            "or a store of results")
        ->type_name("FILE")
        ->required()
        ->expected(1);
    const auto group = [](CLI::Option* option) { option->group("Report"); };
    group(verb->add_option("--format", call_.format,
                           "html (default of documents, and with -o FILE.html), csv (default of "
                           "stores), json; ndjson: one row a line, of a store; markdown, openmetrics: of a document; "
                           "junit: of a check or a comparison")
              ->type_name("FORMAT")
              ->check(CLI::IsMember({"html", "csv", "ndjson", "json", "markdown", "junit", "openmetrics"})));
    group(verb->add_option("--metrics", call_.metrics, "metrics joined by commas, or all (default: the usual ones)")
              ->type_name("NAMES"));
    group(
        verb->add_option("--best", call_.best, "only the point with the best value of a metric")->type_name("METRIC"));
    group(verb->add_option("--sweep", call_.sweep_id, "only sweeps whose id begins so")->type_name("ID"));
    add_output(verb);
  }

  void add_bound() {
    CLI::App* verb = add_verb("bound", "a quick answer without simulation: flow bound or queueing estimate");
    add_scenarios(verb);
    add_inputs(verb);
    add_output(verb);
    add_report(verb);
    verb->add_option("--level", call_.level, "flow: what no run can beat (default); estimate: with queueing")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"flow", "estimate"}));
    verb->add_option_function<std::string>(
            "--sizing",
            [this](const std::string& room) {
              call_.sizing = true;
              call_.sizing_room = room == "all" ? std::string() : room;
            },
            "the sizing sheet instead: every figure by formula, of one room (" + sizing_room_names() + ") or of all")
        ->type_name("[ROOM]")
        ->expected(0, 1)
        ->default_str("all")
        ->check(sizing_room_check());
    verb->add_option("--seed", call_.seed, "seed of the random draws of estimate and input ranges (default 1)")
        ->type_name("N");
  }

  static std::string sizing_room_names() {
    std::string names;
    for (const models::SizingRoom* room : models::sizing_rooms())
      names.append(names.empty() ? "" : ", ").append(room->key);
    return names;
  }

  static CLI::Validator sizing_room_check() {
    return CLI::Validator(
        [](std::string& text) {
          if (text.empty() || text == "all" || models::find_sizing_room(text) != nullptr) return std::string();
          return fmt::format("'{}' is no room of the sizing sheet: all, {}; scenarios stand before --sizing", text,
                             sizing_room_names());
        },
        "");
  }

  void add_plan() {
    CLI::App* verb = add_verb("plan", "the cheapest configuration that keeps the GPUs fed, how sure, why not cheaper");
    add_scenarios(verb);
    add_output(verb);
    add_report(verb);
    add_when(verb, "--progress", call_.progress, "progress on standard error: auto (terminal), always, never");
    const auto group = [](CLI::Option* option) { option->group("Plan"); };
    group(verb->add_option("--decide", call_.decisions,
                           "what may be chosen: /jobs/0/loader/workers=1:32, =4,8,16, '=1 TB:8 TB/8' (8 values), "
                           "/8log (equal ratios); repeatable, before the scenario's own of that parameter")
              ->type_name("/KEY=VALUES")
              ->expected(1)
              ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
    group(verb->add_flag("--explain", call_.explain_search, "show the whole search, point by point"));
    group(verb->add_option("--seed", call_.seed, "seed of all random draws (default 1)")->type_name("N"));
    group(verb->add_option("--max-points", call_.most_points, "simulate at most so many configurations (default 400)")
              ->type_name("N")
              ->check(CLI::Range(4, 100000)));
    add_wall_and_threads(verb, "Plan", "stop after so much real time: 30s, 2 min; seconds without a unit");
  }

  void add_wall_and_threads(CLI::App* verb, const char* group, const char* help) {
    verb->add_option("--max-wall", call_.max_wall_s, help)
        ->type_name("TIME")
        ->transform(quantity(models::Unit::seconds))
        ->check(CLI::Range(0.001, 1e9))
        ->group(group);
    verb->add_option("--threads", call_.threads, "threads (default: all cores); never changes a result")
        ->type_name("N")
        ->check(CLI::Range(1, 4096))
        ->group(group);
  }

  /// How long a gate may run, and with which draws.
  void add_budget(CLI::App* verb) {
    const auto group = [](CLI::Option* option) { option->group("Simulation"); };
    add_when(verb, "--progress", call_.progress, "progress on standard error: auto (terminal), always, never");
    group(verb->add_option("--seed", call_.seed, "seed of all random draws (default 1)")->type_name("N"));
    group(verb->add_option("--steps", call_.steps, "simulate exactly so many steps, once (default: until decided)")
              ->type_name("N")
              ->check(CLI::Range(std::uint64_t{1}, kMostSteps)));
    add_wall_and_threads(verb, "Simulation",
                         "give up undecided after so much real time: 10s, 2 min (default 1 min, check --nightly 1 h)");
  }

  void add_gate_output(CLI::App* verb) {
    add_output(verb);
    add_report(verb);
    const auto group = [](CLI::Option* option) { option->group("Output"); };
    group(verb->add_option("--junit", call_.junit, "write JUnit XML here, whatever the result")->type_name("FILE"));
    group(verb->add_option("--markdown", call_.markdown, "write a Markdown summary here, whatever the result")
              ->type_name("FILE"));
    group(verb->add_flag("--github", call_.github,
                         "end standard output with annotations for GitHub Actions; with --json, give -o, too"));
  }

  void add_check() {
    CLI::App* verb = add_verb("check", "hold a scenario against thresholds: pass (0), fail (1), undecided (3)");
    add_scenarios(verb);
    const auto group = [](CLI::Option* option) {
      option->group("Gate");
      return option;
    };
    group(verb->add_option("--slo", call_.slos,
                           "a threshold beside those of the scenario's slo: --slo \"gpu_idle_fraction < 5 %\" "
                           "(repeatable)"))
        ->type_name("CONDITION")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    CLI::Option* quick = group(
        verb->add_flag("--quick", call_.quick, "by flow bounds in milliseconds: proves failures, passes no time"));
    CLI::Option* nightly = group(
        verb->add_flag("--nightly", call_.nightly, "longer: every threshold decided, intervals eight times narrower"));
    nightly->excludes(quick);
    group(verb->add_option_function<std::string>(
              "--require", [this](const std::string& share) { call_.required_share = std::stod(share); },
              "share of the input ranges that must pass, too: \"90 % of inputs\""))
        ->type_name("SHARE")
        ->transform(share_of_inputs());
    CLI::Option* baseline = group(
        verb->add_option("--baseline", call_.baseline, "file with the last accepted outcome, to find regressions"));
    baseline->type_name("FILE")->excludes(quick);
    group(verb->add_option("--allow", call_.allow,
                           "change against the baseline that is no regression (default 3 %; of shares, in points)"))
        ->type_name("SHARE")
        ->transform(quantity(models::Unit::fraction))
        ->check(CLI::Range(0.0, 10.0))
        ->needs(baseline);
    group(verb->add_option("--key", call_.baseline_key, "name in the baseline file (default: the scenario's title)"))
        ->type_name("NAME")
        ->needs(baseline);
    CLI::Option* promote =
        group(verb->add_flag("--promote", call_.promote, "accept this outcome as the new baseline if it passes"));
    promote->needs(baseline);
    group(verb->add_flag("--force", call_.force, "accept it even if it does not"))->needs(promote);
    add_budget(verb);
    add_gate_output(verb);
  }

  /// "90 % of inputs" as 0.9.
  static CLI::Validator share_of_inputs() {
    return CLI::Validator(
        [](std::string& text) {
          std::string share = text;
          if (const std::size_t of = share.find(" of inputs"); of != std::string::npos) share.resize(of);
          const auto value = scenarios::parse_quantity(share, models::Unit::fraction);
          if (!value || *value <= 0.0 || *value >= 1.0)
            return fmt::format("'{}' is no share between 0 and 1 such as \"90 % of inputs\"", text);
          text = scenarios::print_number(*value);
          return std::string();
        },
        "");
  }

  void add_compare() {
    CLI::App* verb = add_verb("compare", "two scenarios or results: what differs, by how much, and why");
    verb->add_option("sides", call_.inputs, "two scenario files or names, or results (simulate --json)")
        ->type_name("A B")
        ->required()
        ->expected(2);
    verb->add_option("--fail-if", call_.fail_ifs,
                     "exit with 1 if a change from A to B is so: --fail-if \"step_time_s > +3 %\" (repeatable)")
        ->type_name("CHANGE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Gate");
    verb->add_option("--set", call_.sets, "override one value of both: --set /jobs/0/loader/workers=16 (repeatable)")
        ->type_name("/KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Scenario");
    verb->add_option("--set-b", call_.sets_b, "override one value of B alone (repeatable)")
        ->type_name("/KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Scenario");
    add_catalogue(verb);
    add_budget(verb);
    add_gate_output(verb);
  }

  void add_validate() {
    CLI::App* verb = add_verb("validate", "check scenario files and list every error");
    add_scenarios(verb);
    add_output(verb);
  }

  void add_explain() {
    CLI::App* verb =
        add_verb("explain", "explain a parameter, metric, stage, verdict, error code, catalogue item or model page");
    verb->add_option(
            "topic", call_.inputs,
            "such as jobs/loader/workers, step_time_s, transfer, fed, E0203, models/loader, catalogue, DGX-H100")
        ->type_name("TOPIC");
    verb->add_option("--reference", call_.reference, "print a whole reference page in Markdown")
        ->type_name("PAGE")
        ->check(CLI::IsMember({"parameters", "metrics", "cli"}));
    add_catalogue(verb);
    add_output(verb);
  }

  void add_schema() {
    CLI::App* verb = add_verb("schema", "print the JSON Schema of scenario, space, outcome or site documents");
    verb->add_option("document", call_.inputs, "scenario, space, outcome or site (what calibrate measured)")
        ->type_name("DOCUMENT")
        ->required()
        ->expected(1)
        ->check(CLI::IsMember({"scenario", "space", "outcome", "site"}));
    add_output(verb);
  }

  void add_backtest() {
    CLI::App* verb =
        add_verb("backtest", "predict measured runs from others of the same systems, and count the errors");
    verb->add_option("rows", call_.inputs, "table with the columns of MLPerf Storage results, or your own; - is stdin")
        ->type_name("FILE")
        ->required()
        ->expected(1);
    const auto group = [](CLI::Option* option) { option->group("Backtest"); };
    group(verb->add_option("--from", call_.from,
                           "rows that calibrate: accelerator=a100, workload=unet3d, submitter=NAME (joined by commas), "
                           "smallest, or role (a column, default where it stands)")
              ->type_name("FILTER"));
    group(
        verb->add_option("--workloads", call_.workloads, "figures of the workloads as JSON (default: the shipped ones)")
            ->type_name("FILE"));
    add_output(verb);
    add_report(verb);
  }

  void add_calibrate() {
    CLI::App* verb = add_verb("calibrate", "measure this machine and put its numbers into a scenario");
    const auto what = [](CLI::Option* option) { return option->group("What is measured"); };
    CLI::Option* path = what(verb->add_option("--path", call_.path,
                                              "a folder on the file system to measure; one scratch "
                                              "folder inside it is all that is written")
                                 ->type_name("DIR"));
    what(verb->add_option("--budget", call_.budget,
                          "quick: about a minute (default), normal: six minutes, full: half an hour")
             ->type_name("BUDGET")
             ->check(CLI::IsMember({"quick", "normal", "full"})));
    what(verb->add_option("--only", call_.only, "only these probes, joined by commas: random_read,cpu")
             ->type_name("PROBE")
             ->delimiter(',')
             ->check(CLI::IsMember(std::vector<std::string>(std::begin(models::calibration::kProbeNames),
                                                            std::end(models::calibration::kProbeNames)))));
    what(verb->add_option("--size", call_.file_bytes,
                          "of the data file (default: by budget, at most a quarter of what is free)")
             ->type_name("BYTES")
             ->transform(quantity(models::Unit::bytes))
             ->check(CLI::Range(1048576.0, 1e15)));
    what(verb->add_option("--window", call_.window_s, "length of one window (default 0.5 s)")
             ->type_name("TIME")
             ->transform(quantity(models::Unit::seconds))
             ->check(CLI::Range(0.01, 10.0)));
    what(verb->add_flag("--accept-noisy", call_.accept_noisy,
                        "on a shared machine: count windows that other load disturbed; the figures are marked noisy"));
    what(verb->add_option("--engine", call_.engine,
                          "auto: io_uring where it can be had (default), else threads; threads; libaio")
             ->type_name("ENGINE")
             ->check(CLI::IsMember(std::vector<std::string>(std::begin(models::calibration::kEngineNames),
                                                            std::end(models::calibration::kEngineNames)))));
    what(
        verb->add_option("--gpu", call_.gpu,
                         "also measure this GPU (0 is the first), through libheadrace_cuda.so; without it or without a "
                         "GPU the report says so")
            ->type_name("N")
            ->check(CLI::Range(0, 1023)));
    what(
        verb->add_option("--gpu-model", call_.gpu_model,
                         "where no GPU is measured: figures of this model from the catalogue, +-30 %; headrace explain "
                         "catalogue lists them")
            ->type_name("NAME"));
    what(verb->add_option("--cgroup", call_.cgroup, "folder of the control group whose limits hold")->type_name("DIR"));
    what(verb->add_option("--seed", call_.seed, "seed of offsets and of the order of windows (default 1)")
             ->type_name("N"));
    what(verb->add_option("--store", call_.store, "store of the scenario that the figures are for (default storage)")
             ->type_name("NAME"));
    what(verb->add_option("--pool", call_.pool, "pool of the scenario that the figures are for (default gpus)")
             ->type_name("NAME"));
    what(verb->add_flag("--dry-run", call_.dry_run, "print the list of probes with their time, measure nothing"));
    CLI::Option* s3 = add_object_store(verb);
    s3->excludes(path);
    const auto file = [](CLI::Option* option) { return option->group("Files of earlier calibrations"); };
    CLI::Option* show =
        file(verb->add_option("--show", call_.show, "tell what is in a file of calibrate")->type_name("FILE"));
    CLI::Option* compare = file(verb->add_option("--compare", call_.compared, "hold two files against each other")
                                    ->type_name("FILE")
                                    ->expected(2));
    show->excludes(path)->excludes(compare)->excludes(s3);
    compare->excludes(path)->excludes(s3);
    add_output(verb);
    add_report(verb);
    add_when(verb, "--progress", call_.progress, "progress on standard error: auto (terminal), always, never");
  }

  /// calibrate --s3 and what belongs to it.
  CLI::Option* add_object_store(CLI::App* verb) {
    const auto store = [](CLI::Option* option) { return option->group("An object store (costs money)"); };
    CLI::Option* s3 =
        store(verb->add_option("--s3", call_.s3,
                               "measure this object store instead of a folder: https://HOST/BUCKET/PREFIX or "
                               "s3://BUCKET/PREFIX; keys and region from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, "
                               "AWS_SESSION_TOKEN, AWS_REGION; the price is printed first")
                  ->type_name("URL"));
    store(verb->add_option("--s3-connections", call_.s3_connections,
                           "at most so many at a time (default 16, 64 or 128, by budget)")
              ->type_name("N")
              ->check(CLI::Range(1, 1024)))
        ->needs(s3);
    const auto price = [&](const char* name, double& value, models::Unit unit, const char* meaning) {
      store(verb->add_option(name, value, meaning)
                ->type_name("PRICE")
                ->transform(quantity(unit))
                ->check(CLI::Range(0.0, 1e3)))
          ->needs(s3);
    };
    using models::Unit;
    price("--s3-price-get", call_.s3_get_usd, Unit::usd_per_request,
          "price of GET: '$0.0004/1000 requests' (default: the catalogue's, for providers that it knows)");
    price("--s3-price-put", call_.s3_put_usd, Unit::usd_per_request, "price of PUT");
    price("--s3-price-list", call_.s3_list_usd, Unit::usd_per_request, "price of LIST");
    price("--s3-price-egress", call_.s3_egress_usd, Unit::usd_per_byte,
          "price of bytes that leave the store: '$0.09/GB'; $0/GB within a region");
    return s3;
  }

  void add_verify() {
    CLI::App* verb = add_verb("verify", "prove the model against this machine, or against a job that ran");
    verb->add_option("scenarios", call_.inputs, "with --measured: the job's scenario and layers over it")
        ->type_name("SCENARIO")
        ->expected(0, -1);
    verb->add_option("--set", call_.sets, "override one value of the scenario (repeatable)")
        ->type_name("/KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("A job that ran");
    const auto loop = [](CLI::Option* option) { return option->group("A real pipeline on this machine"); };
    CLI::Option* path = loop(verb->add_option("--path", call_.path,
                                              "a folder on the file system to read from; one scratch folder inside it "
                                              "is all that is written")
                                 ->type_name("DIR"));
    CLI::Option* site = loop(verb->add_option("--site", call_.site,
                                              "use the figures of this file of calibrate for reads (default: measured "
                                              "just before each run)")
                                 ->type_name("FILE"));
    loop(verb->add_option("--grid", call_.grid, "small: 14 points (default), full: 34 points")
             ->type_name("GRID")
             ->check(CLI::IsMember({"small", "full"})));
    loop(verb->add_option("--rounds", call_.rounds, "how often each point is predicted and measured (default 3)")
             ->type_name("N")
             ->check(CLI::Range(1, 1000)));
    loop(verb->add_option("--window", call_.window_s, "length of one run of the loop (default 0.8 s)")
             ->type_name("TIME")
             ->transform(quantity(models::Unit::seconds))
             ->check(CLI::Range(0.01, 60.0)));
    loop(verb->add_option("--size", call_.file_bytes, "of the file of each block size (default 256 MiB)")
             ->type_name("BYTES")
             ->transform(quantity(models::Unit::bytes))
             ->check(CLI::Range(16777216.0, 1e15)));
    loop(
        verb->add_option("--gpu", call_.gpu,
                         "compute the steps on this GPU (0 is the first), fed by copies of the batches, through "
                         "libheadrace_cuda.so; without it or without a GPU the consumer sleeps, and the report says so")
            ->type_name("N")
            ->check(CLI::Range(0, 1023)));
    loop(
        verb->add_option("--seed", call_.seed, "seed of offsets, of the order of points and of predictions (default 1)")
            ->type_name("N"));
    loop(verb->add_flag("--update", call_.update, "write what was found into the file of --site, as evidence"))
        ->needs(site);
    loop(verb->add_flag("--dry-run", call_.dry_run, "print the points and the time it takes, measure nothing"));
    CLI::Option* measured =
        verb->add_option("--measured", call_.measured,
                         "step times of a job that ran: CSV with the columns step, step_time_s, load_wait_s")
            ->type_name("FILE")
            ->group("A job that ran");
    measured->excludes(path);
    add_when(verb, "--progress", call_.progress, "progress on standard error: auto (terminal), always, never");
    add_output(verb);
    add_report(verb);
  }

  void add_import() {
    CLI::App* verb = add_verb("import", "turn a file of another program into figures of a scenario");
    std::string formats = "Formats:\n  dlio          a workload file of the DLIO benchmark (YAML)";
    for (const scenarios::ImportFormat& format : scenarios::import_formats())
      formats += fmt::format("\n  {:<13} {}", format.name, format.what);
    verb->footer(formats);
    verb->add_option("format", call_.import_format,
                     fmt::format("what wrote the file: {}", fmt::join(import_names(), ", ")))
        ->type_name("FORMAT")
        ->required()
        ->check(CLI::IsMember(import_names()));
    verb->add_option("file", call_.inputs, "the file; - is standard input")->type_name("FILE")->required()->expected(1);
    const auto place = [](CLI::Option* option) { return option->group("Where the figures go"); };
    place(verb->add_option("--store", call_.store, "store of the scenario (default storage)")->type_name("NAME"));
    place(verb->add_option("--pool", call_.pool, "pool of the scenario (default gpus)")->type_name("NAME"));
    place(verb->add_option("--job", call_.import_job, "nccl-tests, kineto, prometheus, sacct: job of the scenario")
              ->type_name("NAME"));
    place(verb->add_option("--dataset", call_.import_dataset, "darshan: dataset of the scenario")->type_name("NAME"));
    place(verb->add_option("--name", call_.import_name,
                           "darshan, prometheus: of the background load; dlio-summary: of the system")
              ->type_name("NAME"));
    place(verb->add_option("--extends", call_.extends, "scenario of the machines that the result builds on")
              ->type_name("SCENARIO"));
    const auto meaning = [](CLI::Option* option) { return option->group("What the file does not tell"); };
    meaning(verb->add_option("--as", call_.import_as,
                             "prometheus: the values are the bandwidth of background load (default), or step times")
                ->type_name("MEANING")
                ->check(CLI::IsMember({"background", "step-time"})));
    meaning(verb->add_option("--workload", call_.import_workload, "dlio-summary: unet3d, ...")->type_name("NAME"));
    meaning(verb->add_option("--accelerator", call_.import_accelerator, "dlio-summary: h100, ...")->type_name("NAME"));
    meaning(verb->add_option("--date", call_.import_date, "day of the measurement")
                ->type_name("YYYY-MM-DD")
                ->check([](const std::string& text) {
                  return is_date(text) ? std::string() : "'" + text + "' is no date such as 2026-11-17";
                }));
    add_import_dlio(verb);
    add_output(verb);
  }

  static bool is_date(const std::string& text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
    for (const std::size_t i : {0, 1, 2, 3, 5, 6, 8, 9})
      if (text[i] < '0' || text[i] > '9') return false;
    return true;
  }

  static std::vector<std::string> import_names() {
    std::vector<std::string> names{"dlio"};
    for (const scenarios::ImportFormat& format : scenarios::import_formats()) names.emplace_back(format.name);
    return names;
  }

  void add_import_dlio(CLI::App* verb) {
    const auto group = [](CLI::Option* option) { option->group("DLIO workloads"); };
    group(verb->add_option("--accelerators", call_.accelerators, "accelerators together (default: all of the pool)")
              ->type_name("N")
              ->check(CLI::Range(1, 10'000'000)));
    group(verb->add_option("--hosts", call_.hosts, "hosts that they spread over (default 1, or all of the pool)")
              ->type_name("H")
              ->check(CLI::Range(1, 1'000'000)));
    group(verb->add_option("--files", call_.files, "files of the dataset, instead of num_files_train")
              ->type_name("N")
              ->check(CLI::Range(std::uint64_t{1}, kMostSteps)));
  }

  void add_init() {
    CLI::App* verb = add_verb("init", "a scenario to start from: a commented one, or one made from twelve answers");
    verb->add_flag("--ask", call_.ask, "ask what no flag answers, on standard input; an empty line: don't know")
        ->group("Answers");
    for (const scenarios::Question& question : scenarios::kQuestions)
      verb->add_option_function<std::string>(
              fmt::format("--{}", question.key),
              [this, key = std::string(question.key)](const std::string& answer) { call_.answers[key] = answer; },
              fmt::format("{} Such as: {}", question.text, question.example))
          ->type_name("ANSWER")
          ->group("Answers");
    add_catalogue(verb);
    add_output(verb);
  }

  void add_completion() {
    CLI::App* verb = add_verb("completion", "print a completion script for a shell");
    verb->add_option("shell", call_.inputs, "bash, zsh or fish")
        ->type_name("SHELL")
        ->required()
        ->expected(1)
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    add_output(verb);
  }

  CLI::App app_{"Headrace simulates how training data reach GPUs, says where GPUs wait and why.", "headrace"};
  Invocation call_;
};

bool is_flag(const std::string& argument) { return argument.size() > 1 && argument[0] == '-'; }

std::string flag_name(const std::string& argument) { return argument.substr(0, argument.find('=')); }

std::vector<std::string> split_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back(fmt::format("-{}", name));
  for (const std::string& name : option.get_lnames()) names.push_back(fmt::format("--{}", name));
  return names;
}

UsageError unknown_verb(const std::string& word, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = scenarios::nearest(word, views);
  return {fmt::format("there is no verb '{}'", word),
          near.empty() ? "headrace --help lists the verbs" : fmt::format("did you mean '{}'?", near)};
}

/// The first flag among the arguments that the verb does not know, with the nearest that it knows.
std::variant<std::monostate, UsageError> unknown_flag(const std::vector<std::string>& arguments, const CLI::App& verb) {
  std::vector<std::string> known;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : split_names(*option)) known.push_back(name);
  const std::vector<std::string_view> views(known.begin(), known.end());
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (!is_flag(argument)) continue;
    const std::string name = flag_name(argument);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const bool bundled =
        name.size() > 2 && name[1] != '-' && std::find(known.begin(), known.end(), name.substr(0, 2)) != known.end();
    if (bundled) continue;
    const std::string_view near = scenarios::nearest(name, views);
    return UsageError{fmt::format("'headrace {}' has no flag '{}'", verb.get_name(), name),
                      near.empty() ? fmt::format("headrace {} --help lists its flags", verb.get_name())
                                   : fmt::format("did you mean '{}'?", near)};
  }
  return {};
}

std::string sentence(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

CLI::App* chosen_verb(const std::vector<std::string>& arguments, CLI::App& app) {
  if (arguments.empty()) return nullptr;
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; }))
    if (verb->get_name() == arguments.front()) return verb;
  return nullptr;
}

std::variant<Invocation, HelpText, UsageError> usage_error(const CLI::ParseError& error,
                                                           const std::vector<std::string>& arguments, CLI::App& app) {
  const CLI::App* verb = chosen_verb(arguments, app);
  if (verb != nullptr) {
    const auto flag = unknown_flag(arguments, *verb);
    if (const auto* complaint = std::get_if<UsageError>(&flag)) return *complaint;
  }
  const std::string place = verb == nullptr ? "headrace --help" : fmt::format("headrace {} --help", verb->get_name());
  return UsageError{sentence(error.what()), place};
}

std::string joined(const std::vector<std::string>& arguments) {
  std::string line = "headrace";
  for (const std::string& argument : arguments) {
    const bool plain = !argument.empty() && argument.find_first_of(" \t\n\"'$`\\*?()[]{};&|<>#!~") == std::string::npos;
    if (plain) {
      line += ' ';
      line += argument;
      continue;
    }
    line += " '";
    for (const char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace

std::variant<Invocation, HelpText, UsageError> parse_command_line(const std::vector<std::string>& arguments) {
  Parser parser;
  CLI::App& app = parser.app();
  if (arguments.empty()) return UsageError{"no verb was given", "headrace --help lists the verbs"};
  if (!is_flag(arguments.front()) && chosen_verb(arguments, app) == nullptr)
    return unknown_verb(arguments.front(), app);
  if (is_flag(arguments.front())) {
    const auto flag = unknown_flag({arguments.front()}, app);
    if (std::holds_alternative<UsageError>(flag))
      return UsageError{fmt::format("there is no flag '{}' before a verb", arguments.front()),
                        "flags stand after their verb: headrace simulate SCENARIO --seed 7"};
  }
  for (const LaterVerb& later : kLaterVerbs)
    if (arguments.front() == later.name && std::find(arguments.begin(), arguments.end(), "--help") == arguments.end())
      return UsageError{fmt::format("'headrace {}' is not available yet in this version", later.name),
                        "headrace --help lists what is"};
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return HelpText{help_text(arguments.front() == "-h" || arguments.front() == "--help" ? "" : arguments.front())};
  } catch (const CLI::CallForVersion&) {
    return HelpText{version_text() + "\n"};
  } catch (const CLI::ParseError& error) {
    return usage_error(error, arguments, app);
  }
  parser.call().verb = arguments.front();
  parser.call().program = joined(arguments);
  parser.call().words = arguments;
  return parser.call();
}

std::string help_text(const std::string& verb) {
  Parser parser;
  const CLI::App* app = verb.empty() ? &parser.app() : parser.app().get_subcommand(verb);
  return app->help(verb.empty() ? "" : "headrace");
}

namespace {

std::vector<std::string> choices_in(const std::string& verb, const std::string& option) {
  static const std::map<std::string, std::vector<std::string>> kChoices{
      {"--color", {"auto", "always", "never"}},
      {"--progress", {"auto", "always", "never"}},
      {"--contention", {"on", "off"}},
      {"bound --level", {"flow", "estimate"}},
      {"sweep --level", {"bound", "estimate", "simulate"}},
      {"--format", {"html", "csv", "ndjson", "json", "markdown", "junit", "openmetrics"}},
      {"--inputs", {"fixed", "ranges"}},
      {"--granularity", {"batch", "sample"}},
      {"--budget", {"quick", "normal", "full"}},
      {"--grid", {"small", "full"}},
      {"calibrate --engine", {"auto", "threads", "libaio"}},
      {"sweep --engine", {"local", "slurm"}},
      {"--reference", {"parameters", "metrics", "cli"}},
      {"schema", {"scenario", "space", "outcome", "site"}},
      {"import --as", {"background", "step-time"}},
      {"completion", {"bash", "zsh", "fish"}}};
  if (verb == "import" && option.empty()) {
    std::vector<std::string> names{"dlio"};
    for (const scenarios::ImportFormat& format : scenarios::import_formats()) names.emplace_back(format.name);
    return names;
  }
  if (option == "--sizing") {
    std::vector<std::string> rooms{"all"};
    for (const models::SizingRoom* room : models::sizing_rooms()) rooms.emplace_back(room->key);
    return rooms;
  }
  auto found = kChoices.find(option.empty() ? verb : option);
  if (found == kChoices.end()) found = kChoices.find(verb + " " + option);
  return found == kChoices.end() ? std::vector<std::string>() : found->second;
}

VerbInfo verb_info(const CLI::App& verb) {
  VerbInfo info{verb.get_name(), verb.get_description(), "", choices_in(verb.get_name(), ""), "", false, false, {}};
  info.later = verb.get_group() == "Later versions";
  for (const CLI::Option* option : verb.get_options()) {
    const std::vector<std::string> names = split_names(*option);
    const bool takes_value = option->get_items_expected_max() > 0;
    if (!names.empty()) {
      info.flags.push_back({names, takes_value ? option->get_type_name() : "",
                            choices_in(verb.get_name(), names.back()), option->get_description()});
      continue;
    }
    const std::string word = option->get_type_name() + (option->get_items_expected_max() > 1 ? "..." : "");
    info.positional.append(info.positional.empty() ? "" : " ")
        .append(option->get_required() ? word : fmt::format("[{}]", word));
    info.positional_help.append(info.positional_help.empty() ? "" : "; ").append(option->get_description());
    const std::string type = option->get_type_name();
    info.takes_files = info.takes_files || type == "SCENARIO" || type == "FILE" || type == "SPACE" || type == "A B";
  }
  return info;
}

}  // namespace

std::vector<VerbInfo> command_tree() {
  Parser parser;
  std::vector<VerbInfo> tree;
  for (const CLI::App* verb : parser.app().get_subcommands([](CLI::App*) { return true; }))
    tree.push_back(verb_info(*verb));
  return tree;
}

}  // namespace headrace::cli
